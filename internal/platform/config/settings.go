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

// setting is one thing that can be configured. parse puts a value into the
// Config or says, without naming the setting, what is wrong with it.
type setting struct {
	key     string // as in the file; the other spellings follow from it
	arg     string // what the help calls the value
	help    string
	byDef   string // the default, as the help shows it
	parse   func(c *Config, value string) error
	numeric bool // the file may give it as a number
	boolean bool // the file may give it as true or false
}

func (s setting) flag() string { return strings.ReplaceAll(s.key, "_", "-") }
func (s setting) env() string  { return envPrefix + strings.ToUpper(s.key) }

const envPrefix = "BIFOLIA_"

// settings is every setting there is. Flags, variables, file keys and the
// help all come from this one table.
var settings = append([]setting{
	{
		key: "addr", arg: "HOST:PORT", byDef: "127.0.0.1:8080", parse: parseAddr,
		help: "where to listen; port 0 takes any free port",
	},
	{
		key: "db", arg: "DSN", byDef: "sqlite:DATA_DIR/bifolia.db", parse: parseDB,
		help: "the database: sqlite:PATH or postgres://USER@HOST/NAME",
	},
	{
		key: "data_dir", arg: "DIR", byDef: "./data",
		parse: notEmpty(func(c *Config) *string { return &c.DataDir }),
		help:  "where the process keeps its files",
	},
	{
		key: "log_level", arg: "LEVEL", byDef: "info", parse: parseLogLevel,
		help: "debug, info, warn or error",
	},
	{
		key: "log_format", arg: "FORMAT", byDef: "text on a terminal, else json", parse: parseLogFormat,
		help: "json or text",
	},
	{
		key: "shutdown_timeout", arg: "TIME", byDef: "30s", parse: parseShutdownTimeout,
		help: "how long accepted requests may take to finish, e.g. 30s",
	},
	{
		key: "trusted_proxies", arg: "LIST", byDef: "none", parse: parseTrustedProxies,
		help: "networks (10.0.0.0/8,…) of the proxies whose X-Forwarded-For is believed",
	},
	{
		key: "key_file", arg: "FILE", byDef: "beside the database: bifolia.db.key",
		parse: notEmpty(func(c *Config) *string { return &c.KeyFile }),
		help:  "the key that signs the ledger",
	},
	{
		key: "anchor_file", arg: "FILE", byDef: "beside the database: bifolia.db.anchor",
		parse: notEmpty(func(c *Config) *string { return &c.AnchorFile }),
		help:  "where the ledger's last signed state is kept",
	},
	{
		key: "backup_recipients", arg: "LIST", byDef: "none", parse: parseBackupRecipients,
		help: "public keys of age (age1…), or files with one in each line, that backups are encrypted to",
	},
	{
		key: "advertise_url", arg: "URL", byDef: "from --addr", parse: parseAdvertiseURL,
		help: "where other processes of this installation reach this one",
	},
	{
		key: "metrics_addr", arg: "HOST:PORT", byDef: "none: metrics are not served", parse: parseMetricsAddr,
		help: "where Prometheus finds /metrics; beyond this machine only with metrics_token",
	},
	{
		key: "metrics_token", arg: "TEXT", byDef: "none", parse: parseMetricsToken,
		help: "lets who sends it as a bearer token read /metrics at --addr too; better in the file or the environment",
	},
	{
		key: "max_body_bytes", arg: "SIZE", byDef: "1MiB", parse: parseMaxBodyBytes, numeric: true,
		help: "the largest request body of an operator's call, as 512KiB, 1MiB, …; members' take 64KiB, public ones 16KiB",
	},
	{
		key: "public_url", arg: "URL", byDef: "from --advertise-url", parse: parsePublicURL,
		help: "where people reach this installation; links in mails begin with it",
	},
	{
		key: "smtp_addr", arg: "HOST:PORT", byDef: "none", parse: parseSMTPAddr,
		help: "the mail server; without one mail waits",
	},
	{
		key: "smtp_user", arg: "NAME", byDef: "none",
		parse: notEmpty(func(c *Config) *string { return &c.SMTPUser }),
		help:  "the user that logs in at the mail server",
	},
	{
		key: "smtp_password", arg: "TEXT", byDef: "none", parse: parseSMTPPassword,
		help: "its password; on the command line others can see it: use the file",
	},
	{
		key: "smtp_password_file", arg: "FILE", byDef: "none", parse: parseSMTPPasswordFile,
		help: "a file that holds the password and nothing else",
	},
	{
		key: "smtp_tls", arg: "MODE", byDef: "starttls", parse: parseSMTPTLS,
		help: "starttls, tls (from the first byte), or none (only on this machine)",
	},
	{
		key: "smtp_ca_file", arg: "FILE", byDef: "the system's", parse: parseSMTPCAFile,
		help: "PEM certificates of the only authorities believed for the mail server",
	},
	{
		key: "mail_from", arg: "ADDRESS", byDef: `"Bifolia <no-reply@localhost>"`, parse: parseMailFrom,
		help: "who mails come from",
	},
	{
		key: "demo", arg: "BOOL", byDef: "false", boolean: true,
		parse: parseBool(func(c *Config) *bool { return &c.Demo }),
		help:  "true serves a demo: invented data, no mail server, this machine only",
	},
	{
		key: "demo_history", arg: "BOOL", byDef: "true", boolean: true,
		parse: parseBool(func(c *Config) *bool { return &c.DemoHistory }),
		help:  "false begins a demo with one member and one operator instead of a built history",
	},
	{
		key: "demo_ahead", arg: "TIME", byDef: "0s", parse: parseDemoAhead,
		help: "how far ahead of the machine's clock a demo lives, up to 8760h, to see days to come",
	},
	{
		key: "auto_close", arg: "BOOL", byDef: "false; true in a demo", boolean: true,
		parse: parseAutoClose,
		help:  "true closes each day that is over without an operator",
	},
	{
		key: "operator_idle", arg: "TIME", byDef: "15m", parse: parseOperatorIdle,
		help: "how long an operator's session lives unused, 1m to 8h",
	},
	{
		key: "bank_details", arg: "BOOL", byDef: "false", boolean: true,
		parse: parseBool(func(c *Config) *bool { return &c.BankDetails }),
		help:  "true lets members keep bank details",
	},
	{
		key: "brand_file", arg: "FILE", byDef: "none: the demo brand",
		parse: notEmpty(func(c *Config) *string { return &c.BrandFile }),
		help:  "the brand: texts, colours, bank accounts; read again whenever it changes",
	},
	{
		key: "ifsc_service", arg: "URL", byDef: "none: the bank is told, members type the branch", parse: parseIFSCService,
		help: "what an Indian bank code is put behind to find bank and branch; only this host is asked",
	},
	{
		key: "forgot_password_otp", arg: "BOOL", byDef: "false", boolean: true,
		parse: parseBool(func(c *Config) *bool { return &c.ForgotPasswordOTP }),
		help:  "true asks members for a mailed code before a password is sent or changed",
	},
	{
		key: "registrations_per_hour", arg: "N", byDef: "20", numeric: true, parse: parseRegistrations,
		help: "how many may register from one address within an hour or so; 0: any number",
	},
	{
		key: "forex_licence", arg: "TEXT", byDef: "none: Forex is not offered; DEMO in a demo",
		parse: notEmpty(func(c *Config) *string { return &c.ForexLicence }),
		help:  "the reference of the licence under which Forex is offered",
	},
	{
		key: "crypto_licence", arg: "TEXT", byDef: "none: Crypto is not offered; DEMO in a demo",
		parse: notEmpty(func(c *Config) *string { return &c.CryptoLicence }),
		help:  "the reference of the licence under which Crypto is offered",
	},
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
	switch v {
	case "debug":
		c.LogLevel = slog.LevelDebug
	case "info":
		c.LogLevel = slog.LevelInfo
	case "warn":
		c.LogLevel = slog.LevelWarn
	case "error":
		c.LogLevel = slog.LevelError
	default:
		return fmt.Errorf("%s is not one of debug, info, warn, error", quote(v))
	}
	return nil
}

func parseLogFormat(c *Config, v string) error {
	if v != "json" && v != "text" {
		return fmt.Errorf("%s is not json or text", quote(v))
	}
	c.LogFormat = v
	return nil
}

func parseShutdownTimeout(c *Config, v string) error {
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		return fmt.Errorf("%s is not a time such as 30s or 2m", quote(v))
	}
	c.ShutdownTimeout = d
	return nil
}

func parseDemoAhead(c *Config, v string) error {
	d, err := time.ParseDuration(v)
	if err != nil || d < 0 || d > 8760*time.Hour {
		return fmt.Errorf("%s is not a time from 0s to 8760h", quote(v))
	}
	c.DemoAhead = d
	return nil
}

func parseOperatorIdle(c *Config, v string) error {
	d, err := time.ParseDuration(v)
	if err != nil || d < time.Minute || d > 8*time.Hour {
		return fmt.Errorf("%s is not a time from 1m to 8h", quote(v))
	}
	c.OperatorIdle = d
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

// parseTrustedProxies takes networks and, as networks of one, single
// addresses. An empty list is valid: it trusts nobody.
func parseTrustedProxies(c *Config, v string) error {
	var list []netip.Prefix
	for part := range strings.SplitSeq(v, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
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

// parseBackupRecipients checks keys; files are read when a backup is made.
func parseBackupRecipients(c *Config, v string) error {
	var list []string
	for part := range strings.SplitSeq(v, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if strings.HasPrefix(part, "AGE-SECRET-KEY-") {
			return errors.New("the value holds a secret key: name its public key (age1…), and keep the secret one elsewhere")
		}
		if strings.HasPrefix(part, "age1") {
			if _, err := age.ParseRecipients(strings.NewReader(part)); err != nil {
				return fmt.Errorf("%s is not a public key of age", quote(part))
			}
		}
		list = append(list, part)
	}
	c.BackupRecipients = list
	return nil
}

// unmapPrefix turns ::ffff:10.0.0.0/104 into 10.0.0.0/8, since peers are
// compared in that form.
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

// serverURL is v without anything after the host.
func serverURL(v string) (string, error) {
	u, err := url.Parse(v)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "", u.User != nil:
		return "", errors.New("the value is not http://HOST:PORT or https://HOST:PORT")
	case strings.Trim(u.Path, "/") != "", u.RawQuery != "", u.Fragment != "":
		return "", errors.New("the value must end after HOST:PORT")
	case u.Port() == "0":
		return "", errors.New("port 0 reaches nobody")
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

// BaseURL is where a browser on this machine finds a server that listens at
// addr, which must be HOST:PORT. A server that listens everywhere is found at
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
