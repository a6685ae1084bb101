package config

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeCA makes a certificate file.
func writeCA(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mistakesOf are the mistakes that Load finds in args.
func mistakesOf(t *testing.T, args ...string) []string {
	t.Helper()
	_, _, err := Load("serve", args, nil, nil)
	if err == nil {
		return nil
	}
	var m *Mistakes
	if !errors.As(err, &m) {
		t.Fatal(err)
	}
	return m.List
}

func TestThePasswordOfTheMailServerCanBeInAFile(t *testing.T) {
	for want, ends := range map[string][]string{"hunter22": {"", "\n", "\r\n"}, "a b !": {"", "\n"}} {
		for _, end := range ends {
			text := want + end
			path := writeFile(t, "password", text)
			c, _, err := Load("serve", []string{"--smtp-addr=mail.example:587", "--smtp-user=u", "--smtp-password-file=" + path}, nil, nil)
			if err != nil || c.SMTPPassword != want || c.SMTPPasswordFile != path {
				t.Errorf("%q: got %q of %q, %v", text, c.SMTPPassword, c.SMTPPasswordFile, err)
			}
		}
	}
}

func TestMistakesInMailSettings(t *testing.T) {
	empty, lines := writeFile(t, "empty", "\n"), writeFile(t, "lines", "hunter22\nhunter23\n")
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		"server":           {[]string{"--smtp-addr=mail.example"}, []string{`--smtp-addr: "mail.example" is not HOST:PORT`}},
		"server of spaces": {[]string{"--smtp-addr=a b:25"}, []string{`--smtp-addr: "a b:25" is not HOST:PORT`}},
		"no host":          {[]string{"--smtp-addr=:25"}, []string{`--smtp-addr: ":25" is not HOST:PORT`}},
		"port 0":           {[]string{"--smtp-addr=h:0"}, []string{`--smtp-addr: "h:0" is not HOST:PORT with a port from 1 to 65535`}},
		"mode":             {[]string{"--smtp-tls=ssl"}, []string{`--smtp-tls: "ssl" is not one of starttls, tls, none`}},
		"no TLS far away":  {[]string{"--smtp-tls=none", "--smtp-addr=mail.example:25"}, []string{"--smtp-tls: none is only for a mail server on this machine: mails hold passwords"}},
		"user alone":       {[]string{"--smtp-addr=h:25", "--smtp-user=u"}, []string{"--smtp-user: smtp_password or smtp_password_file is missing beside it"}},
		"password alone":   {[]string{"--smtp-password=hunter22"}, []string{"--smtp-password: smtp_user is missing beside it"}},
		"no server":        {[]string{"--smtp-user=u", "--smtp-password=hunter22"}, []string{"--smtp-user: smtp_addr is missing beside it"}},
		"two passwords":    {[]string{"--smtp-addr=h:25", "--smtp-user=u", "--smtp-password=hunter22", "--smtp-password-file=" + writeFile(t, "p", "hunter23")}, []string{"--smtp-password: smtp_password_file is given too; give one of them"}},
		"line in password": {[]string{"--smtp-addr=h:25", "--smtp-user=u", "--smtp-password=hunter22\n"}, []string{"--smtp-password: the password holds a line break or another control character"}},
		"empty file":       {[]string{"--smtp-addr=h:25", "--smtp-user=u", "--smtp-password-file=" + empty}, []string{fmt.Sprintf("--smtp-password-file: %s: the value is empty", quote(empty))}},
		"two lines":        {[]string{"--smtp-addr=h:25", "--smtp-user=u", "--smtp-password-file=" + lines}, []string{fmt.Sprintf("--smtp-password-file: %s: the password holds a line break or another control character", quote(lines))}},
		"no file":          {[]string{"--smtp-addr=h:25", "--smtp-user=u", "--smtp-password-file=no/such"}, []string{`--smtp-password-file: "no/such" cannot be read: no such file or directory`}},
		"device":           {[]string{"--smtp-addr=h:25", "--smtp-user=u", "--smtp-password-file=/dev/zero"}, []string{`--smtp-password-file: "/dev/zero" is not a file of at most 4096 bytes`}},
		"no certificate":   {[]string{"--smtp-ca-file=" + lines}, []string{fmt.Sprintf("--smtp-ca-file: %s holds no certificate in PEM form", quote(lines))}},
		"sender":           {[]string{"--mail-from=Bifolia"}, []string{`--mail-from: "Bifolia" is not one address such as "Bifolia <no-reply@example.org>"`}},
		"two senders":      {[]string{"--mail-from=a@b.c, d@e.f"}, []string{`--mail-from: "a@b.c, d@e.f" is not one address such as "Bifolia <no-reply@example.org>"`}},
		"line in sender":   {[]string{"--mail-from=\"a\nb\" <a@b.c>"}, []string{`--mail-from: "\"a\nb\" <a@b.c>" is not one address such as "Bifolia <no-reply@example.org>"`}},
		"links with path":  {[]string{"--public-url=https://h/x"}, []string{"--public-url: the value must end after HOST:PORT"}},
		"links by ftp":     {[]string{"--public-url=ftp://h"}, []string{"--public-url: the value is not http://HOST:PORT or https://HOST:PORT"}},
		"links to letters": {[]string{"--public-url=https://bücher.example"}, []string{"--public-url: the host must be written in plain letters, digits, dots and dashes (xn--… for others)"}},
		"demo":             {[]string{"--demo=yes"}, []string{`--demo: "yes" is not true or false`}},
		"all at once": {[]string{"--smtp-addr=h", "--smtp-tls=x", "--smtp-password=hunter22", "--mail-from=x", "--demo=1"}, []string{
			`--smtp-addr: "h" is not HOST:PORT`, `--smtp-tls: "x" is not one of starttls, tls, none`,
			`--mail-from: "x" is not one address such as "Bifolia <no-reply@example.org>"`, `--demo: "1" is not true or false`,
			"--smtp-password: smtp_user is missing beside it",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := mistakesOf(t, c.args...)
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if strings.Contains(strings.Join(got, ""), "hunter") {
				t.Errorf("the password is shown: %q", got)
			}
		})
	}
}

func TestMailWithoutTLSIsForThisMachineOnly(t *testing.T) {
	for addr, want := range map[string]bool{
		"127.0.0.1:25": true, "127.9.9.9:25": true, "[::1]:25": true, "localhost:25": true, "[::ffff:127.0.0.1]:25": true,
		"192.0.2.1:25": false, "0.0.0.0:25": false, "localhost.example:25": false, "mail.example:25": false,
	} {
		if got := len(mistakesOf(t, "--smtp-tls=none", "--smtp-addr="+addr)) == 0; got != want {
			t.Errorf("%s: taken is %t, want %t", addr, got, want)
		}
	}
}

func TestLinksFollowTheAdvertisedAddressUnlessTheirsIsGiven(t *testing.T) {
	for want, args := range map[string][]string{
		"http://127.0.0.1:81":    {"--addr=:81"},
		"https://node.example":   {"--addr=:81", "--advertise-url=https://node.example"},
		"https://people.example": {"--advertise-url=https://node.example", "--public-url=https://people.example/"},
	} {
		c, _, err := Load("serve", args, nil, nil)
		if err != nil || c.PublicURL != want {
			t.Errorf("%v: got %q, %v", args, c.PublicURL, err)
		}
	}
}

func TestNoWayOfPrintingAConfigShowsThePasswordOfTheMailServer(t *testing.T) {
	for _, args := range [][]string{
		{"--smtp-password=hunter22"},
		{"--smtp-password-file=" + writeFile(t, "password", "hunter22\n")},
	} {
		c, _, err := Load("serve", append(args, "--smtp-addr=h:25", "--smtp-user=somebody"), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.SMTPPassword != "hunter22" {
			t.Fatalf("the configuration itself must keep the password; got %q", c.SMTPPassword)
		}
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("start", "config", c)
		slog.New(slog.NewTextHandler(&log, nil)).Info("start", "config", c, "pointer", &c)
		shown := log.String() + fmt.Sprintf("%v %+v %#v %s %v", c, c, c, c, &c) + c.Redacted().SMTPPassword
		if strings.Contains(shown, "hunter22") {
			t.Errorf("the password is shown: %s", shown)
		}
		if !strings.Contains(shown, "smtp_password=xxxxx") || !strings.Contains(shown, "smtp_user=somebody") {
			t.Errorf("that there is a password is not shown: %s", shown)
		}
	}
}
