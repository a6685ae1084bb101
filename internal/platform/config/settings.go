package config

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"filippo.io/age"
)

// setting is a setting. parse stores a value in the Config or returns an error that does
// not name the setting.
type setting struct {
	key   string // the name in the file; the other spellings are derived from it
	arg   string // the value's name in the help
	byDef string // the default in the help
	parse func(c *Config, value string) error
	help  string
}

func (s setting) flag() string { return strings.ReplaceAll(s.key, "_", "-") }
func (s setting) env() string  { return envPrefix + strings.ToUpper(s.key) }

// boolean reports whether the file may use true or false.
func (s setting) boolean() bool { return s.arg == "BOOL" }

// numeric reports whether the file may use a number.
func (s setting) numeric() bool {
	return slices.Contains([]string{"N", "NUMBER", "DOLLARS", "SIZE"}, s.arg)
}

const envPrefix = "BIFOLIA_"

// settings lists all settings. Flags, variables, keys of the file and the help are made
// from this table.
var settings = append([]setting{
	{"addr", "HOST:PORT", "127.0.0.1:8080", parseAddr, "where to listen; port 0 takes any free port"},
	{"db", "DSN", "sqlite:DATA_DIR/bifolia.db", parseDB, "the database: sqlite:PATH or postgres://USER@HOST/NAME"},
	{"data_dir", "DIR", "./data", notEmpty(func(c *Config) *string { return &c.DataDir }), "where the process keeps its files"},
	{"log_level", "LEVEL", "info", parseLogLevel, "debug, info, warn or error"},
	{"log_format", "FORMAT", "text on a terminal, else json", oneOf(func(c *Config) *string { return &c.LogFormat }, "json", "text"), "json or text"},
	{"shutdown_timeout", "TIME", "30s", parseTime(func(c *Config) *time.Duration { return &c.ShutdownTimeout }, 1, math.MaxInt64, "such as 30s or 2m"), "how long accepted requests may take to finish, e.g. 30s"},
	{"trusted_proxies", "LIST", "none", parseTrustedProxies, "networks (10.0.0.0/8,…) of the proxies whose X-Forwarded-For is trusted"},
	{"key_file", "FILE", "beside the database: bifolia.db.key", notEmpty(func(c *Config) *string { return &c.KeyFile }), "the key that signs the ledger"},
	{"anchor_file", "FILE", "beside the database: bifolia.db.anchor", notEmpty(func(c *Config) *string { return &c.AnchorFile }), "where the ledger's last signed state is kept"},
	{"backup_recipients", "LIST", "none", parseBackupRecipients, "public keys of age (age1…), or files with one in each line, that backups are encrypted to"},
	{"advertise_url", "URL", "from --addr", parseAdvertiseURL, "where other processes of this installation reach this one"},
	{"metrics_addr", "HOST:PORT", "none: metrics are not served", parseMetricsAddr, "where Prometheus finds /metrics; beyond this machine only with metrics_token"},
	{"metrics_token", "TEXT", "none", parseMetricsToken, "bearer token for reading /metrics at --addr too; better set in the file or the environment"},
	{"max_body_bytes", "SIZE", "1MiB", parseMaxBodyBytes, "the largest request body of an operator's call, as 512KiB, 1MiB, …; members' take 64KiB, public ones 16KiB"},
	{"public_url", "URL", "from --advertise-url", parsePublicURL, "where people reach this installation; links in mails begin with it"},
	{"smtp_addr", "HOST:PORT", "none", parseSMTPAddr, "the mail server; without one mail stays in the outbox"},
	{"smtp_user", "NAME", "none", notEmpty(func(c *Config) *string { return &c.SMTPUser }), "the user that logs in at the mail server"},
	{"smtp_password", "TEXT", "none", parseSMTPPassword, "its password; other users can see it on the command line: use the file"},
	{"smtp_password_file", "FILE", "none", parseSMTPPasswordFile, "a file that contains only the password"},
	{"smtp_tls", "MODE", "starttls", oneOf(func(c *Config) *string { return &c.SMTPTLS }, "starttls", "tls", "none"), "starttls, tls (from the first byte), or none (only on this machine)"},
	{"smtp_ca_file", "FILE", "the system's", parseSMTPCAFile, "PEM certificates of the only authorities trusted for the mail server"},
	{"mail_from", "ADDRESS", `"Bifolia <no-reply@localhost>"`, parseMailFrom, "the sender of mails"},
	{"demo", "BOOL", "false", parseBool(func(c *Config) *bool { return &c.Demo }), "true serves a demo: invented data, no mail server, this machine only"},
	{"demo_history", "BOOL", "true", parseBool(func(c *Config) *bool { return &c.DemoHistory }), "false starts a demo with one member and one operator instead of a built history"},
	{"demo_ahead", "TIME", "0s", parseTime(func(c *Config) *time.Duration { return &c.DemoAhead }, 0, 8760*time.Hour, "from 0s to 8760h"), "how far a demo's clock is ahead of the machine's clock, up to 8760h"},
	{"auto_close", "BOOL", "false; true in a demo", parseAutoClose, "true closes each past day without an operator"},
	{"operator_idle", "TIME", "15m", parseTime(func(c *Config) *time.Duration { return &c.OperatorIdle }, time.Minute, 8*time.Hour, "from 1m to 8h"), "the idle timeout of an operator's session, 1m to 8h"},
	{"bank_details", "BOOL", "false", parseBool(func(c *Config) *bool { return &c.BankDetails }), "true lets members save bank details"},
	{"brand_file", "FILE", "none: the demo brand", notEmpty(func(c *Config) *string { return &c.BrandFile }), "the brand: texts, colours, bank accounts; reloaded when it changes"},
	{"ifsc_service", "URL", "none: members type the branch", parseIFSCService, "service for the bank and branch of an Indian bank code, which is appended to it"},
	{"forgot_password_otp", "BOOL", "false", parseBool(func(c *Config) *bool { return &c.ForgotPasswordOTP }), "true requires a mailed code before a member's password is reset or changed"},
	{"registrations_per_hour", "N", "20", parseRegistrations, "the maximum number of registrations from one address within about an hour; 0: no limit"},
	{"forex_licence", "TEXT", "none: Forex is not offered; DEMO in a demo", notEmpty(func(c *Config) *string { return &c.ForexLicence }), "the reference of the licence under which Forex is offered"},
	{"crypto_licence", "TEXT", "none: Crypto is not offered; DEMO in a demo", notEmpty(func(c *Config) *string { return &c.CryptoLicence }), "the reference of the licence under which Crypto is offered"},
}, slices.Concat(moneySettings, chainSettings)...)

var errEmpty = errors.New("the value is empty")

func notEmpty(field func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if strings.TrimSpace(v) == "" {
			return errEmpty
		}
		if strings.ContainsRune(v, 0) {
			return errors.New("the value holds a zero byte")
		}
		*field(c) = v
		return nil
	}
}

func parseAutoClose(c *Config, v string) error {
	c.autoCloseGiven = true
	return parseBool(func(c *Config) *bool { return &c.AutoClose })(c, v)
}

func parseRegistrations(c *Config, v string) error {
	n, err := strconv.ParseUint(v, 10, 31)
	if err != nil || n > 1_000_000 {
		return fmt.Errorf("%s is not a number from 0 to 1000000", quote(v))
	}
	c.RegistrationsPerHour = int(n)
	return nil
}

func parseTime(field func(*Config) *time.Duration, least, most time.Duration, such string) func(*Config, string) error {
	return func(c *Config, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < least || d > most {
			return fmt.Errorf("%s is not a time %s", quote(v), such)
		}
		*field(c) = d
		return nil
	}
}

func oneOf(field func(*Config) *string, known ...string) func(*Config, string) error {
	return func(c *Config, v string) error {
		if slices.Contains(known, v) {
			*field(c) = v
			return nil
		}
		if len(known) == 2 {
			return fmt.Errorf("%s is not %s", quote(v), strings.Join(known, " or "))
		}
		return fmt.Errorf("%s is not one of %s", quote(v), strings.Join(known, ", "))
	}
}

func parseBool(field func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, v string) error {
		if v != "true" && v != "false" {
			return fmt.Errorf("%s is not true or false", quote(v))
		}
		*field(c) = v == "true"
		return nil
	}
}

// listed returns the parts between a value's commas that are not empty.
func listed(v string) (parts []string) {
	for part := range strings.SplitSeq(v, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func parseAddr(c *Config, v string) error {
	host, port, err := net.SplitHostPort(v)
	if err != nil || strings.ContainsAny(host, " \t\r\n/@\x00") {
		return fmt.Errorf("%s is not HOST:PORT", quote(v))
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%s is not HOST:PORT with a port from 0 to 65535", quote(v))
	}
	c.Addr = v
	return nil
}

func parseDB(c *Config, v string) error {
	if err := checkDSN(v); err != nil {
		return err
	}
	c.DB = v
	return nil
}

func parseMetricsAddr(c *Config, v string) error {
	var at Config
	if err := parseAddr(&at, v); err != nil {
		return err
	}
	c.MetricsAddr = at.Addr
	return nil
}

// parseMetricsToken never repeats the value.
func parseMetricsToken(c *Config, v string) error {
	if len(v) < 16 || len(v) > 200 || strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return errors.New("the value is not 16 to 200 letters, digits and signs without spaces")
	}
	c.MetricsToken = v
	return nil
}

func parseLogLevel(c *Config, v string) error {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, ok := levels[v]
	if !ok {
		return fmt.Errorf("%s is not one of debug, info, warn, error", quote(v))
	}
	c.LogLevel = level
	return nil
}

func parseIFSCService(c *Config, v string) error {
	u, err := url.Parse(v)
	if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return errors.New("the value is not https://HOST/PATH")
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if here := err == nil && ip.IsLoopback(); u.Scheme != "https" && (u.Scheme != "http" || !here) {
		return errors.New("the value is not https://HOST/PATH; http is for this machine only")
	}
	c.IFSCService = v
	return nil
}

// parseTrustedProxies accepts networks and single addresses. An empty list is valid: it
// trusts no proxy.
func parseTrustedProxies(c *Config, v string) error {
	var list []netip.Prefix
	for _, part := range listed(v) {
		p, err := netip.ParsePrefix(part)
		if err != nil {
			a, errAddr := netip.ParseAddr(part)
			if errAddr != nil || a.Zone() != "" {
				return fmt.Errorf("%s is not a network such as 10.0.0.0/8", quote(part))
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		list = append(list, unmapPrefix(p.Masked()))
	}
	c.TrustedProxies = list
	return nil
}

// parseBackupRecipients checks keys. Files are read when a backup is made.
func parseBackupRecipients(c *Config, v string) error {
	list := listed(v)
	for _, part := range list {
		if strings.HasPrefix(part, "AGE-SECRET-KEY-") {
			return errors.New("the value contains a secret key: use its public key (age1…), and store the secret key elsewhere")
		}
		if strings.HasPrefix(part, "age1") {
			if _, err := age.ParseRecipients(strings.NewReader(part)); err != nil {
				return fmt.Errorf("%s is not a public key of age", quote(part))
			}
		}
	}
	c.BackupRecipients = list
	return nil
}

// unmapPrefix turns ::ffff:10.0.0.0/104 into 10.0.0.0/8, the form in which peers are
// compared.
func unmapPrefix(p netip.Prefix) netip.Prefix {
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		return netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p
}

func parseAdvertiseURL(c *Config, v string) error {
	u, err := serverURL(v)
	if err == nil {
		c.AdvertiseURL = u
	}
	return err
}

// serverURL returns v, which must end after the host.
func serverURL(v string) (string, error) {
	u, err := url.Parse(v)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.User != nil:
		return "", errors.New("the value is not http://HOST:PORT or https://HOST:PORT")
	case strings.Trim(u.Path, "/") != "", u.RawQuery != "", u.Fragment != "":
		return "", errors.New("the value must end after HOST:PORT")
	case u.Port() == "0":
		return "", errors.New("the port cannot be 0")
	}
	return u.Scheme + "://" + u.Host, nil
}

func parseMaxBodyBytes(c *Config, v string) error {
	digits, unit := v, int64(1)
	for suffix, size := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if d, ok := strings.CutSuffix(v, suffix); ok {
			digits, unit = strings.TrimSpace(d), size
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("%s is not a size such as 65536 or 1MiB", quote(v))
	}
	c.MaxBodyBytes = n * unit
	return nil
}

// BaseURL returns the address for a browser on this machine of a server that listens at
// addr, which must be HOST:PORT. For a server that listens on all interfaces it uses
// 127.0.0.1.
func BaseURL(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return ""
	}
	if ip, err := netip.ParseAddr(host); host == "" || (err == nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}
