package config

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/mail"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"unicode"
)

func parsePublicURL(c *Config, v string) error {
	u, err := serverURL(v)
	if err != nil {
		return err
	}
	_, host, _ := strings.Cut(u, "://")
	if strings.ContainsFunc(host, notPlain) {
		return errors.New("the host must be written in plain letters, digits, dots and dashes (xn--… for others)")
	}
	c.PublicURL = u
	return nil
}

// notPlain reports whether a rune is not allowed in a host, which is part of Message-IDs.
func notPlain(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-:[]", r)
}

func parseSMTPAddr(c *Config, v string) error {
	host, port, err := net.SplitHostPort(v)
	if err != nil || host == "" || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune("/@", r) }) {
		return fmt.Errorf("%s is not HOST:PORT", quote(v))
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return fmt.Errorf("%s is not HOST:PORT with a port from 1 to 65535", quote(v))
	}
	c.SMTPAddr = v
	return nil
}

// parseSMTPPassword, like the function below, never repeats the value.
func parseSMTPPassword(c *Config, v string) error {
	if err := checkPassword(v); err != nil {
		return err
	}
	c.SMTPPassword = v
	return nil
}

func checkPassword(v string) error {
	if v == "" {
		return errEmpty
	}
	if strings.ContainsFunc(v, unicode.IsControl) {
		return errors.New("the password holds a line break or another control character")
	}
	return nil
}

func parseSMTPPasswordFile(c *Config, v string) error {
	raw, err := readSmall(v, 4<<10)
	if err != nil {
		return err
	}
	if err := Private(v); err != nil {
		return err
	}
	// Editors end a file with a line break that is not part of the password.
	password := strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")
	if err := checkPassword(password); err != nil {
		return fmt.Errorf("%s: %w", quote(v), err)
	}
	c.SMTPPasswordFile, c.SMTPPassword = v, password
	return nil
}

// readSmall reads a regular file of at most limit bytes: a device or a pipe could block the
// start.
func readSmall(path string, limit int64) (_ []byte, err error) {
	if strings.TrimSpace(path) == "" {
		return nil, errEmpty
	}
	if strings.ContainsRune(path, 0) {
		return nil, errors.New("the value holds a zero byte")
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", quote(path), plain(err))
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, fmt.Errorf("%s is not a file of at most %d bytes", quote(path), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", quote(path), plain(err))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, limit))
}

func parseSMTPCAFile(c *Config, v string) error {
	raw, err := readSmall(v, 4<<20)
	if err != nil {
		return err
	}
	if !x509.NewCertPool().AppendCertsFromPEM(raw) {
		return fmt.Errorf("%s holds no certificate in PEM form", quote(v))
	}
	c.SMTPCAFile = v
	return nil
}

func parseMailFrom(c *Config, v string) error {
	if _, err := mail.ParseAddress(v); err != nil || strings.ContainsFunc(v, unicode.IsControl) {
		return fmt.Errorf("%s is not one address such as \"Bifolia <no-reply@example.org>\"", quote(v))
	}
	c.MailFrom = v
	return nil
}

// checkMail returns the mistakes in combinations of valid settings. It uses the given
// settings, so that an invalid one is not reported twice.
func (c *Config) checkMail(given layer) (wrong []string) {
	has := func(key string) bool { _, ok := given[key]; return ok }
	say := func(key, sentence string) { wrong = append(wrong, given[key].origin+": "+sentence) }
	password := has("smtp_password") || has("smtp_password_file")
	if has("smtp_password") && has("smtp_password_file") {
		say("smtp_password", "smtp_password_file is given too; give one of them")
	}
	if has("smtp_user") && !password {
		say("smtp_user", "smtp_password or smtp_password_file is missing beside it")
	}
	for _, key := range []string{"smtp_password", "smtp_password_file"} {
		if has(key) && !has("smtp_user") {
			say(key, "smtp_user is missing beside it")
		}
	}
	if has("smtp_user") && !has("smtp_addr") {
		say("smtp_user", "smtp_addr is missing beside it")
	}
	if c.SMTPTLS == "none" && c.SMTPAddr != "" && !loopback(c.SMTPAddr) {
		say("smtp_tls", "none is only for a mail server on this machine: mails hold passwords")
	}
	return wrong
}

// loopback reports whether addr, HOST:PORT, is certainly on this machine.
func loopback(addr string) bool {
	host, _, _ := net.SplitHostPort(addr)
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && ip.Unmap().IsLoopback())
}
