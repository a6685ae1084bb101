// Package config reads how one Bifolia process is to run.
//
// A setting has one name in three spellings: data_dir in the file,
// BIFOLIA_DATA_DIR in the environment, --data-dir on the command line. Later
// sources win: defaults, file, environment, flags. Every value given is
// checked, also one that a later source overrides, because it would bite on
// the day the override goes. All mistakes are reported together, each with
// where it came from, and none of them ever shows a password.
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

// Config is how one process runs. Load returns only complete, valid ones.
type Config struct {
	// Addr is where to listen, HOST:PORT. Port 0 means any free port.
	Addr string
	// DB is the database: sqlite:PATH or postgres://USER@HOST/NAME. It may
	// hold a password: show Redacted, never this.
	DB string
	// DataDir holds what the process keeps beside its database.
	DataDir string
	// LogLevel is the least severe record that is written.
	LogLevel slog.Level
	// LogFormat is "json" or "text".
	LogFormat string
	// ShutdownTimeout is how long accepted requests may take to finish.
	ShutdownTimeout time.Duration
	// TrustedProxies are the only peers whose X-Forwarded-* is believed.
	TrustedProxies []netip.Prefix
	// KeyFile signs the ledger; AnchorFile remembers its last signed state.
	KeyFile, AnchorFile string
	// BackupRecipients are the public keys of age that backups are encrypted to, or
	// files that hold some.
	BackupRecipients []string
	// AdvertiseURL is where other processes reach this one. Its port is 0
	// exactly when Addr's is and nothing else was asked for: whoever listens
	// puts the real port in.
	AdvertiseURL string
	// MetricsAddr is where /metrics is served, "" for nowhere; MetricsToken lets its
	// holder read it at Addr too.
	MetricsAddr, MetricsToken string
	// MaxBodyBytes is the largest body accepted of an operator's call.
	MaxBodyBytes int64
	// PublicURL is where people reach the installation: links in mails begin
	// with it. Not given, it is AdvertiseURL, port 0 included.
	PublicURL string
	// SMTPAddr is the mail server, HOST:PORT; "" when there is none.
	SMTPAddr string
	// SMTPUser and SMTPPassword log in there; both or neither. The password
	// may have come from SMTPPasswordFile: show Redacted, never this.
	SMTPUser, SMTPPassword, SMTPPasswordFile string
	// SMTPTLS is "starttls", "tls" or "none".
	SMTPTLS string
	// SMTPCAFile holds the only authorities believed for the mail server; ""
	// for those of the system.
	SMTPCAFile string
	// MailFrom is who mails come from.
	MailFrom string
	// Demo keeps mails readable, and does without a mail server.
	Demo bool
	// DemoHistory gives a demo that is new a history of some months.
	DemoHistory bool
	// DemoAhead is how far ahead of the machine's clock a demo lives.
	DemoAhead time.Duration
	// AutoClose commits the close of each day that is over by itself. Not
	// given, it is Demo.
	AutoClose      bool
	autoCloseGiven bool
	// OperatorIdle is how long an operator's session lives unused.
	OperatorIdle time.Duration
	// BankDetails lets members keep the details of a bank account.
	BankDetails bool
	// BrandFile is the brand's file; "" for the demo brand.
	BrandFile string
	// IFSCService is what an Indian bank code is put behind to find bank and
	// branch; "" when nobody is asked.
	IFSCService string
	// ForgotPasswordOTP asks members for a mailed code before a password is sent
	// or changed.
	ForgotPasswordOTP bool
	// ForexLicence and CryptoLicence are the references of the licences under
	// which the lines are offered; "" when they are not.
	ForexLicence, CryptoLicence string
	// RegistrationsPerHour is how many may register from one address; 0 is any
	// number.
	RegistrationsPerHour int
	// FundTwoAbove is the amount above which it takes two operators to credit a
	// fund request by hand.
	FundTwoAbove money.Amount
	// FundAloneDaily is what one operator may credit by hand alone within 24
	// hours, to all members together.
	FundAloneDaily money.Amount
	// WithdrawMemberDaily and WithdrawTotalDaily are what one member and all of
	// them may ask to withdraw on one day; above WithdrawTwoAbove a withdrawal
	// takes two operators.
	WithdrawMemberDaily, WithdrawTotalDaily, WithdrawTwoAbove money.Amount
	// WithdrawFactorAbove is the amount above which a member needs a second factor to
	// withdraw; 0 is never.
	WithdrawFactorAbove money.Amount
	// ChainURLs are the chain's nodes; none when it is not asked. They may hold
	// secret keys: show Redacted, never this.
	ChainURLs []string
	// ChainID, ChainToken and ChainReceiver are the chain, the token's contract
	// and where deposits go to, "" for the brand's address; a payment counts when
	// it is ChainConfirmations deep.
	ChainID                   int64
	ChainToken, ChainReceiver string
	ChainConfirmations        int64
	// ChainAllowPrivate lets nodes have private addresses.
	ChainAllowPrivate bool
	// DepositXpub are the account keys that members' deposit addresses are derived
	// from: by the first, and once by the others. Show Redacted, never this.
	DepositXpub []string
	// DepositMinimum is the least payment that becomes a fund request, and
	// DepositIntentTime how long an announced one may take.
	DepositMinimum    money.Amount
	DepositIntentTime time.Duration
	// HotWalletKeyFile or HotWalletKey is what the server pays with; "" when it
	// does not. Show Redacted, never this.
	HotWalletKeyFile, HotWalletKey string
	// PayoutDailyCap is what the hot wallet pays in 24 hours, and
	// PayoutMaxGasGwei what it pays for gas, at most.
	PayoutDailyCap   money.Amount
	PayoutMaxGasGwei int64
}

// Redacted is c without passwords, fit to be shown and logged.
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

// LogValue makes a Config safe to hand to a logger.
func (c Config) LogValue() slog.Value {
	c = c.Redacted()
	proxies := make([]string, len(c.TrustedProxies))
	for i, p := range c.TrustedProxies {
		proxies[i] = p.String()
	}
	return slog.GroupValue(
		slog.String("addr", c.Addr),
		slog.String("db", c.DB),
		slog.String("data_dir", c.DataDir),
		slog.String("log_level", strings.ToLower(c.LogLevel.String())),
		slog.String("log_format", c.LogFormat),
		slog.Duration("shutdown_timeout", c.ShutdownTimeout),
		slog.String("trusted_proxies", strings.Join(proxies, ",")),
		slog.String("key_file", c.KeyFile),
		slog.String("anchor_file", c.AnchorFile),
		slog.String("advertise_url", c.AdvertiseURL),
		slog.String("metrics_addr", c.MetricsAddr),
		slog.String("metrics_token", c.MetricsToken),
		slog.Int64("max_body_bytes", c.MaxBodyBytes),
		slog.String("public_url", c.PublicURL),
		slog.String("smtp_addr", c.SMTPAddr),
		slog.String("smtp_user", c.SMTPUser),
		slog.String("smtp_password", c.SMTPPassword),
		slog.String("smtp_password_file", c.SMTPPasswordFile),
		slog.String("smtp_tls", c.SMTPTLS),
		slog.String("smtp_ca_file", c.SMTPCAFile),
		slog.String("mail_from", c.MailFrom),
		slog.Bool("demo", c.Demo),
		slog.Bool("demo_history", c.DemoHistory),
		slog.Duration("demo_ahead", c.DemoAhead),
		slog.Bool("auto_close", c.AutoClose),
		slog.Duration("operator_idle", c.OperatorIdle),
		slog.Bool("bank_details", c.BankDetails),
		slog.String("brand_file", c.BrandFile),
		slog.String("ifsc_service", c.IFSCService),
		slog.Bool("forgot_password_otp", c.ForgotPasswordOTP),
		slog.String("forex_licence", c.ForexLicence),
		slog.String("crypto_licence", c.CryptoLicence),
		slog.Int("registrations_per_hour", c.RegistrationsPerHour),
		slog.String("fund_two_above", c.FundTwoAbove.String()),
		slog.String("fund_alone_daily", c.FundAloneDaily.String()),
		slog.String("withdraw_member_daily", c.WithdrawMemberDaily.String()),
		slog.String("withdraw_total_daily", c.WithdrawTotalDaily.String()),
		slog.String("withdraw_two_above", c.WithdrawTwoAbove.String()),
		slog.String("withdraw_factor_above", c.WithdrawFactorAbove.String()),
		slog.String("chain_rpc_urls", strings.Join(c.ChainURLs, ",")),
		slog.Int64("chain_id", c.ChainID),
		slog.String("chain_token", c.ChainToken),
		slog.String("chain_receiver", c.ChainReceiver),
		slog.Int64("chain_confirmations", c.ChainConfirmations),
		slog.Bool("chain_allow_private", c.ChainAllowPrivate),
		slog.String("deposit_xpub", strings.Join(c.DepositXpub, ",")),
		slog.String("deposit_minimum", c.DepositMinimum.String()),
		slog.Duration("deposit_intent_time", c.DepositIntentTime),
		slog.String("hot_wallet_key_file", c.HotWalletKeyFile),
		slog.String("hot_wallet_key", c.HotWalletKey),
		slog.String("payout_daily_cap", c.PayoutDailyCap.String()),
		slog.Int64("payout_max_gas_gwei", c.PayoutMaxGasGwei),
	)
}

// String keeps a stray %v or %s from printing the password.
func (c Config) String() string { return c.LogValue().String() }

// GoString keeps a stray %#v from printing the password.
func (c Config) GoString() string { return c.String() }

// Logger writes to w as the configuration says.
func (c Config) Logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// Load reads the configuration of the subcommand called name. extra, when not
// nil, adds the subcommand's own flags. rest are the arguments that are not
// flags.
//
// The error is a *Help when help was asked for, and otherwise a *Mistakes
// that names everything that is wrong.
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
		c.Demo = true // what it builds is nothing else
	}
	wrong = append(wrong, c.checkDemo(latest(file, vars, flags))...)
	if given := latest(file, vars, flags); c.MetricsAddr != "" && !loopback(c.MetricsAddr) && c.MetricsToken == "" {
		wrong = append(wrong, given["metrics_addr"].origin+": beyond this machine metrics_token must stand beside it")
	}
	if c.DemoAhead > 0 && !c.Demo {
		wrong = append(wrong, latest(file, vars, flags)["demo_ahead"].origin+": only a demo can live ahead of its time")
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

// derive fills what follows from other settings unless it was given.
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

// onTerminal reports whether a person reads the log as it is written.
var onTerminal = func() bool {
	info, err := os.Stderr.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
