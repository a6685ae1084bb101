// Package config reads the configuration of a Bifolia process.
//
// A setting has one name in three spellings: data_dir in the file, BIFOLIA_DATA_DIR in the
// environment, --data-dir on the command line. Later sources override earlier ones:
// defaults, file, environment, flags. Every value is checked, even if a later source
// overrides it, because the override may be removed one day. All mistakes are reported
// together, each with its source, and no message contains a password.
package config

import (
	"flag"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Config is the configuration of a process. Load returns only complete, valid ones.
type Config struct {
	// Addr is the address to listen on, HOST:PORT. Port 0 means any free port.
	Addr string
	// DB is the database: sqlite:PATH or postgres://USER@HOST/NAME. It may contain a
	// password: show Redacted instead.
	DB string
	// DataDir is the folder of the process's files beside the database.
	DataDir string
	// LogLevel is the lowest level that is logged.
	LogLevel slog.Level
	// LogFormat is "json" or "text".
	LogFormat string
	// ShutdownTimeout is the time for accepted requests to finish.
	ShutdownTimeout time.Duration
	// TrustedProxies are the only peers whose X-Forwarded-* headers are trusted.
	TrustedProxies []netip.Prefix
	// KeyFile is the key that signs the ledger; AnchorFile stores its last signed head.
	KeyFile, AnchorFile string
	// BackupRecipients are the public keys of age that backups are encrypted to, or files
	// with such keys.
	BackupRecipients []string
	// AdvertiseURL is the address of this process for other processes. Its port is 0 if
	// Addr's is and no other was set: the listener sets the real port.
	AdvertiseURL string
	// MetricsAddr is the address that serves /metrics, "" for none; MetricsToken allows
	// reading /metrics at Addr too.
	MetricsAddr, MetricsToken string
	// MaxBodyBytes is the maximum size of the body of an operator's call.
	MaxBodyBytes int64
	// PublicURL is the public address of the installation: links in mails begin with
	// it. By default it is AdvertiseURL, including port 0.
	PublicURL string
	// SMTPAddr is the mail server, HOST:PORT; "" if there is none.
	SMTPAddr string
	// SMTPUser and SMTPPassword are the login there; both or neither are set. The
	// password may come from SMTPPasswordFile: show Redacted instead.
	SMTPUser, SMTPPassword, SMTPPasswordFile string
	// SMTPTLS is "starttls", "tls" or "none".
	SMTPTLS string
	// SMTPCAFile contains the only certificate authorities trusted for the mail server;
	// "" for those of the system.
	SMTPCAFile string
	// MailFrom is the sender of mails.
	MailFrom string
	// Demo keeps mails readable and needs no mail server.
	Demo bool
	// DemoHistory builds a history of some months in a new demo.
	DemoHistory bool
	// DemoAhead is the offset of a demo's clock from the machine's clock.
	DemoAhead time.Duration
	// AutoClose closes each past day without an operator. By default it is Demo.
	AutoClose      bool
	autoCloseGiven bool
	// OperatorIdle is the idle timeout of operators' sessions.
	OperatorIdle time.Duration
	// BankDetails lets members save the details of a bank account.
	BankDetails bool
	// BrandFile is the brand's file; "" for the demo brand.
	BrandFile string
	// IFSCService is the address of a service that returns bank and branch of an Indian
	// bank code appended to it; "" for none.
	IFSCService string
	// ForgotPasswordOTP requires a mailed code before a member's password is reset or
	// changed.
	ForgotPasswordOTP bool
	// ForexLicence and CryptoLicence are the references of the licences under which the
	// lines are offered; "" if they are not.
	ForexLicence, CryptoLicence string
	// RegistrationsPerHour is the maximum number of registrations from one address; 0
	// means any number.
	RegistrationsPerHour int
	// FundTwoAbove is the amount above which two operators must approve a fund request
	// that is credited by hand.
	FundTwoAbove money.Amount
	// FundAloneDaily is the maximum amount that one operator can credit by hand alone
	// within 24 hours, to all members together.
	FundAloneDaily money.Amount
	// WithdrawMemberDaily and WithdrawTotalDaily are the maximum amounts that one member
	// and all members can request to withdraw on a day; above WithdrawTwoAbove a
	// withdrawal needs two operators.
	WithdrawMemberDaily, WithdrawTotalDaily, WithdrawTwoAbove money.Amount
	// WithdrawFactorAbove is the amount above which a member needs a second factor to
	// withdraw; 0 means never.
	WithdrawFactorAbove money.Amount
	// ChainURLs are the chain's nodes; empty if the chain is not used. They may contain
	// secret keys: show Redacted instead.
	ChainURLs []string
	// ChainID, ChainToken and ChainReceiver are the chain, the token's contract and the
	// address for deposits, "" for the brand's; a payment counts when it is
	// ChainConfirmations deep.
	ChainID                   int64
	ChainToken, ChainReceiver string
	ChainConfirmations        int64
	// ChainAllowPrivate allows nodes with private addresses.
	ChainAllowPrivate bool
	// DepositXpub are the account keys from which members' deposit addresses are derived:
	// the current key, then former ones. Show Redacted instead.
	DepositXpub []string
	// DepositMinimum is the smallest payment that becomes a fund request, and
	// DepositIntentTime the time limit of an announced one.
	DepositMinimum    money.Amount
	DepositIntentTime time.Duration
	// HotWalletKeyFile or HotWalletKey is the key of the server's wallet; "" if the server
	// does not pay. Show Redacted instead.
	HotWalletKeyFile, HotWalletKey string
	// PayoutDailyCap is the maximum that the hot wallet pays in 24 hours, and
	// PayoutMaxGasGwei the maximum price of gas.
	PayoutDailyCap   money.Amount
	PayoutMaxGasGwei int64
}

// Redacted returns c without passwords, to be shown and logged.
func (c Config) Redacted() Config {
	c.DB = RedactDSN(c.DB)
	if c.SMTPPassword != "" {
		c.SMTPPassword = hidden
	}
	if c.HotWalletKey != "" {
		c.HotWalletKey = hidden
	}
	if c.MetricsToken != "" {
		c.MetricsToken = hidden
	}
	if len(c.DepositXpub) > 0 {
		c.DepositXpub = []string{hidden}
	}
	if hosts := c.chainHosts(); hosts != "" {
		c.ChainURLs = strings.Split(hosts, ",")
	}
	return c
}

// LogValue makes a Config safe to log.
func (c Config) LogValue() slog.Value {
	c = c.Redacted()
	proxies := make([]string, len(c.TrustedProxies))
	for i, p := range c.TrustedProxies {
		proxies[i] = p.String()
	}
	return slog.Group("",
		"addr", c.Addr, "db", c.DB, "data_dir", c.DataDir, "log_level", strings.ToLower(c.LogLevel.String()), "log_format", c.LogFormat,
		"shutdown_timeout", c.ShutdownTimeout, "trusted_proxies", strings.Join(proxies, ","), "key_file", c.KeyFile, "anchor_file", c.AnchorFile,
		"advertise_url", c.AdvertiseURL, "metrics_addr", c.MetricsAddr, "metrics_token", c.MetricsToken, "max_body_bytes", c.MaxBodyBytes,
		"public_url", c.PublicURL, "smtp_addr", c.SMTPAddr, "smtp_user", c.SMTPUser, "smtp_password", c.SMTPPassword,
		"smtp_password_file", c.SMTPPasswordFile, "smtp_tls", c.SMTPTLS, "smtp_ca_file", c.SMTPCAFile, "mail_from", c.MailFrom, "demo", c.Demo,
		"demo_history", c.DemoHistory, "demo_ahead", c.DemoAhead, "auto_close", c.AutoClose, "operator_idle", c.OperatorIdle, "bank_details", c.BankDetails,
		"brand_file", c.BrandFile, "ifsc_service", c.IFSCService, "forgot_password_otp", c.ForgotPasswordOTP, "forex_licence", c.ForexLicence,
		"crypto_licence", c.CryptoLicence, "registrations_per_hour", c.RegistrationsPerHour, "fund_two_above", c.FundTwoAbove.String(),
		"fund_alone_daily", c.FundAloneDaily.String(), "withdraw_member_daily", c.WithdrawMemberDaily.String(),
		"withdraw_total_daily", c.WithdrawTotalDaily.String(), "withdraw_two_above", c.WithdrawTwoAbove.String(),
		"withdraw_factor_above", c.WithdrawFactorAbove.String(), "chain_rpc_urls", strings.Join(c.ChainURLs, ","), "chain_id", c.ChainID,
		"chain_token", c.ChainToken, "chain_receiver", c.ChainReceiver, "chain_confirmations", c.ChainConfirmations,
		"chain_allow_private", c.ChainAllowPrivate, "deposit_xpub", strings.Join(c.DepositXpub, ","), "deposit_minimum", c.DepositMinimum.String(),
		"deposit_intent_time", c.DepositIntentTime, "hot_wallet_key_file", c.HotWalletKeyFile, "hot_wallet_key", c.HotWalletKey,
		"payout_daily_cap", c.PayoutDailyCap.String(), "payout_max_gas_gwei", c.PayoutMaxGasGwei,
	).Value
}

// String prevents %v and %s from printing the password.
func (c Config) String() string { return c.LogValue().String() }

// GoString prevents %#v from printing the password.
func (c Config) GoString() string { return c.String() }

// Logger returns a logger that writes to w in the configured format.
func (c Config) Logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// Load reads the configuration of the subcommand called name. extra, if not nil, adds the
// subcommand's own flags. rest are the arguments that are not flags.
//
// The error is a *Help for --help, and otherwise a *Mistakes with all mistakes.
func Load(name string, args, environ []string, extra func(*flag.FlagSet)) (Config, []string, error) {
	fs := newFlagSet(name)
	given := defineSettings(fs)
	if extra != nil {
		extra(fs)
	}
	rest, wrong, help := scan(fs, args)
	if help {
		return Config{}, nil, &Help{Text: usage(name, fs)}
	}

	vars, wrongVars := readEnviron(environ)
	file, wrongFile := readFile(configPath(given, vars))

	c, flags := defaults(), given.layer()
	wrongFile = append(wrongFile, c.apply(file)...)
	wrongVars = append(wrongVars, c.apply(vars)...)
	wrong = append(wrong, c.apply(flags)...)
	wrong = append(append(wrong, wrongVars...), wrongFile...)
	wrong = append(wrong, c.checkMail(latest(file, vars, flags))...)
	wrong = append(wrong, c.checkChain(latest(file, vars, flags))...)
	if name == demoCommand {
		c.Demo = true // it always builds a demo
	}
	wrong = append(wrong, c.checkDemo(latest(file, vars, flags))...)
	if given := latest(file, vars, flags); c.MetricsAddr != "" && !loopback(c.MetricsAddr) && c.MetricsToken == "" {
		wrong = append(wrong, given["metrics_addr"].origin+": metrics_token is required if the address is not on this machine")
	}
	if c.DemoAhead > 0 && !c.Demo {
		wrong = append(wrong, latest(file, vars, flags)["demo_ahead"].origin+": only a demo can run ahead of the clock")
	}
	if len(wrong) > 0 {
		return Config{}, nil, &Mistakes{List: wrong}
	}
	c.derive()
	return c, rest, nil
}

// ParseFlags is Load for a subcommand that needs no configuration.
func ParseFlags(name string, args []string, define func(*flag.FlagSet)) (rest []string, err error) {
	fs := newFlagSet(name)
	if define != nil {
		define(fs)
	}
	rest, wrong, help := scan(fs, args)
	if help {
		return nil, &Help{Text: usage(name, fs)}
	}
	if len(wrong) > 0 {
		return nil, &Mistakes{List: wrong}
	}
	return rest, nil
}

// demoCommand is the subcommand that builds a demo.
const demoCommand = "demo"

func defaults() Config {
	format := "json"
	if onTerminal() {
		format = "text"
	}
	return Config{
		Addr:            "127.0.0.1:8080",
		DataDir:         "./data",
		LogLevel:        slog.LevelInfo,
		LogFormat:       format,
		ShutdownTimeout: 30 * time.Second,
		MaxBodyBytes:    1 << 20,
		SMTPTLS:         "starttls",
		DemoHistory:     true,
		OperatorIdle:    15 * time.Minute,
		MailFrom:        "Bifolia <no-reply@localhost>",

		RegistrationsPerHour: 20,

		FundTwoAbove:        money.MustParse("10000"),
		FundAloneDaily:      money.MustParse("5000"),
		WithdrawMemberDaily: money.MustParse("5000"),
		WithdrawTotalDaily:  money.MustParse("50000"),
		WithdrawTwoAbove:    money.MustParse("1000"),

		ChainID:            56,
		ChainToken:         "0x55d398326f99059fF775485246999027B3197955",
		ChainConfirmations: 12,
		DepositMinimum:     money.MustParse("1"),
		DepositIntentTime:  2 * time.Hour,
		PayoutDailyCap:     money.MustParse("5000"),
		PayoutMaxGasGwei:   20,
	}
}

// derive sets the defaults that depend on other settings.
func (c *Config) derive() {
	dir := strings.TrimRight(c.DataDir, "/")
	if c.DB == "" {
		c.DB = "sqlite:" + dir + "/bifolia.db"
	}
	if c.KeyFile == "" {
		c.KeyFile = Beside(c.DB, dir) + ".key"
	}
	if c.AnchorFile == "" {
		c.AnchorFile = Beside(c.DB, dir) + ".anchor"
	}
	if c.AdvertiseURL == "" {
		c.AdvertiseURL = BaseURL(c.Addr)
	}
	if !c.autoCloseGiven {
		c.AutoClose = c.Demo
	}
	if c.PublicURL == "" {
		c.PublicURL = c.AdvertiseURL
	}
}

// onTerminal reports whether the log goes to a terminal.
var onTerminal = func() bool {
	info, err := os.Stderr.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
