package config

import (
	"errors"
	"flag"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

func load(t *testing.T, file string, environ, args []string) (Config, error) {
	t.Helper()
	if file != "" {
		args = append([]string{"--config", writeConfig(t, file)}, args...)
	}
	c, _, err := Load("serve", args, environ, nil)
	return c, err
}

// writeConfig puts the file into the working directory of the test, so that
// messages show a short name.
func writeConfig(t *testing.T, text string) string {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("b.toml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "b.toml"
}

func TestDefaults(t *testing.T) {
	onTerminal = func() bool { return false }
	got, err := load(t, "", []string{"HOME=/root", "PATH=/bin"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Addr:            "127.0.0.1:8080",
		DB:              "sqlite:./data/bifolia.db",
		DataDir:         "./data",
		LogLevel:        slog.LevelInfo,
		LogFormat:       "json",
		ShutdownTimeout: 30 * time.Second,
		KeyFile:         "./data/bifolia.db.key",
		AnchorFile:      "./data/bifolia.db.anchor",
		AdvertiseURL:    "http://127.0.0.1:8080",
		MaxBodyBytes:    1 << 20,
		PublicURL:       "http://127.0.0.1:8080",
		SMTPTLS:         "starttls",
		OperatorIdle:    15 * time.Minute,
		MailFrom:        "Bifolia <no-reply@localhost>",
		DemoHistory:     true,

		RegistrationsPerHour: 20,
		FundTwoAbove:         money.MustParse("10000"), FundAloneDaily: money.MustParse("5000"), WithdrawMemberDaily: money.MustParse("5000"), WithdrawTotalDaily: money.MustParse("50000"), WithdrawTwoAbove: money.MustParse("1000"),
		ChainID: 56, ChainToken: "0x55d398326f99059fF775485246999027B3197955", ChainConfirmations: 12, PayoutDailyCap: money.MustParse("5000"), PayoutMaxGasGwei: 20,
		DepositMinimum: money.MustParse("1"), DepositIntentTime: 2 * time.Hour,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestLogsAreTextOnATerminal(t *testing.T) {
	onTerminal = func() bool { return true }
	t.Cleanup(func() { onTerminal = func() bool { return false } })
	got, err := load(t, "", nil, nil)
	if err != nil || got.LogFormat != "text" {
		t.Errorf("got %q, %v", got.LogFormat, err)
	}
}

func TestEverySettingCanBeGivenInEverySource(t *testing.T) {
	onTerminal = func() bool { return false }
	ca := writeCA(t)
	want := Config{
		Addr:              "0.0.0.0:0",
		DB:                "postgres://bifolia@db.example:5432/bifolia?sslmode=require",
		DataDir:           "/var/lib/bifolia",
		LogLevel:          slog.LevelDebug,
		LogFormat:         "text",
		ShutdownTimeout:   90 * time.Second,
		TrustedProxies:    []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32")},
		KeyFile:           "/etc/bifolia/key",
		AnchorFile:        "/mnt/anchor",
		AdvertiseURL:      "https://node-1.example",
		MaxBodyBytes:      64 << 10,
		PublicURL:         "https://bifolia.example",
		SMTPAddr:          "mail.example:465",
		SMTPUser:          "bifolia",
		SMTPPassword:      "hunter22",
		SMTPTLS:           "tls",
		SMTPCAFile:        ca,
		MailFrom:          "Bifolia <post@bifolia.example>",
		MetricsAddr:       "0.0.0.0:9100",
		MetricsToken:      "a-token-of-some-length",
		autoCloseGiven:    true,
		OperatorIdle:      5 * time.Minute,
		BankDetails:       true,
		ForgotPasswordOTP: true,
		IFSCService:       "https://ifsc.example/v1",
		BrandFile:         "/etc/brand.json",
		BackupRecipients:  []string{"age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg", "/etc/backup.keys"},
		ForexLicence:      "FX-1",
		CryptoLicence:     "CR-2",

		RegistrationsPerHour: 7,
		FundTwoAbove:         money.MustParse("90"), FundAloneDaily: money.MustParse("80"), WithdrawMemberDaily: money.MustParse("70"), WithdrawTotalDaily: money.MustParse("700.5"), WithdrawTwoAbove: money.Zero,
		ChainURLs: []string{"https://one.example/key", "https://two.example"}, ChainID: 1337, ChainToken: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", ChainReceiver: "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
		ChainConfirmations: 30, ChainAllowPrivate: true, HotWalletKeyFile: "/etc/bifolia/wallet", PayoutDailyCap: money.MustParse("250.5"), PayoutMaxGasGwei: 7,
		DepositXpub: []string{anXpub}, DepositMinimum: money.MustParse("2.5"), DepositIntentTime: time.Hour,
	}
	file := `
addr = "0.0.0.0:0"
db = "postgres://bifolia@db.example:5432/bifolia?sslmode=require"
data_dir = "/var/lib/bifolia"
log_level = "debug"
log_format = "text"
shutdown_timeout = "1m30s"
trusted_proxies = ["10.1.2.3/8", "192.0.2.7"]
key_file = "/etc/bifolia/key"
anchor_file = "/mnt/anchor"
backup_recipients = ["age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg", "/etc/backup.keys"]
advertise_url = "https://node-1.example/"
max_body_bytes = 65_536
public_url = "https://bifolia.example/"
smtp_addr = "mail.example:465"
smtp_user = "bifolia"
smtp_password = "hunter22"
smtp_tls = "tls"
smtp_ca_file = "` + ca + `"
mail_from = "Bifolia <post@bifolia.example>"
metrics_addr = "0.0.0.0:9100"
metrics_token = "a-token-of-some-length"
demo = false
demo_history = false
demo_ahead = "0s"
auto_close = false
operator_idle = "5m"
bank_details = true
brand_file = "/etc/brand.json"
forgot_password_otp = true
ifsc_service = "https://ifsc.example/v1"
forex_licence = "FX-1"
crypto_licence = "CR-2"
withdraw_member_daily = 70
withdraw_total_daily = "700.5"
withdraw_two_above = 0
fund_two_above = 90
fund_alone_daily = 80
registrations_per_hour = 7
chain_rpc_urls = ["https://one.example/key", "https://two.example"]
chain_id = 1337
chain_token = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
chain_receiver = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
chain_confirmations = 30
chain_allow_private = true
hot_wallet_key_file = "/etc/bifolia/wallet"
payout_daily_cap = "250.5"
payout_max_gas_gwei = 7
deposit_xpub = ["` + anXpub + `"]
deposit_minimum = "2.5"
deposit_intent_time = "1h"
`
	environ, spaced, joined := spellings(t, map[string]string{
		"addr": want.Addr, "db": want.DB, "data_dir": want.DataDir, "log_level": "debug",
		"log_format": "text", "shutdown_timeout": "90s", "trusted_proxies": "10.0.0.0/8, 192.0.2.7",
		"key_file": want.KeyFile, "anchor_file": want.AnchorFile, "backup_recipients": "age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg, /etc/backup.keys",
		"advertise_url": want.AdvertiseURL, "max_body_bytes": "64KiB",
		"public_url": want.PublicURL, "smtp_addr": want.SMTPAddr, "smtp_user": want.SMTPUser,
		"smtp_password": want.SMTPPassword, "smtp_tls": "tls", "smtp_ca_file": ca,
		"mail_from": want.MailFrom, "metrics_addr": want.MetricsAddr, "metrics_token": want.MetricsToken, "demo": "false", "demo_history": "false", "demo_ahead": "0s", "auto_close": "false", "operator_idle": "5m", "bank_details": "true", "forgot_password_otp": "true", "ifsc_service": "https://ifsc.example/v1", "brand_file": want.BrandFile, "forex_licence": "FX-1", "crypto_licence": "CR-2",
		"withdraw_member_daily": "70", "withdraw_total_daily": "700.5", "withdraw_two_above": "0", "withdraw_factor_above": "0", "fund_two_above": "90", "fund_alone_daily": "80", "registrations_per_hour": "7",
		"chain_rpc_urls": "https://one.example/key, https://two.example", "chain_id": "1337", "chain_token": want.ChainToken, "chain_receiver": want.ChainReceiver,
		"chain_confirmations": "30", "chain_allow_private": "true", "hot_wallet_key_file": want.HotWalletKeyFile, "payout_daily_cap": "250.5", "payout_max_gas_gwei": "7",
		"deposit_xpub": anXpub, "deposit_minimum": "2.5", "deposit_intent_time": "1h",
	})
	for name, in := range map[string]struct {
		file          string
		environ, args []string
	}{
		"file":               {file: file},
		"environment":        {environ: environ},
		"flags with a space": {args: spaced},
		"flags with =":       {args: joined},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := load(t, in.file, in.environ, in.args)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %v\nwant %v", got, want)
			}
		})
	}
}

// spellings gives every setting its text as variables and as both forms of flags.
func spellings(t *testing.T, texts map[string]string) (environ, spaced, joined []string) {
	t.Helper()
	for _, s := range settings {
		if s.key == "smtp_password_file" || s.key == "hot_wallet_key" {
			continue // not together with another; mail_test.go and chain_test.go have them
		}
		text := texts[s.key]
		if text == "" {
			t.Fatalf("the test does not know the setting %s", s.key)
		}
		environ = append(environ, s.env()+"="+text)
		spaced = append(spaced, "--"+s.flag(), text)
		joined = append(joined, "--"+s.flag()+"="+text)
	}
	return environ, spaced, joined
}

func TestADemoCanBeAskedForInEverySource(t *testing.T) {
	for name, in := range map[string]struct {
		file          string
		environ, args []string
	}{
		"file":        {file: "demo = true\ndemo_ahead = \"48h\"\nauto_close = false\n"},
		"environment": {environ: []string{"BIFOLIA_DEMO=true", "BIFOLIA_DEMO_AHEAD=48h", "BIFOLIA_AUTO_CLOSE=false"}},
		"flags":       {args: []string{"--demo", "--demo-ahead", "48h", "--auto-close=false"}},
	} {
		got, err := load(t, in.file, in.environ, in.args)
		if err != nil || !got.Demo || got.DemoAhead != 48*time.Hour || got.AutoClose {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestLaterSourcesWin(t *testing.T) {
	file := "addr = \"file:1\"\nlog_level = \"warn\"\ndata_dir = \"file\"\n"
	environ := []string{"BIFOLIA_ADDR=env:2", "BIFOLIA_LOG_LEVEL=error"}
	got, err := load(t, file, environ, []string{"--addr", "flag:3"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Addr != "flag:3" || got.LogLevel != slog.LevelError || got.DataDir != "file" {
		t.Errorf("got %v", got)
	}
}

func TestTheFileCanBeNamedByAVariableAndAFlagWinsOverIt(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "1.toml"), filepath.Join(dir, "2.toml")
	for path, text := range map[string]string{one: `addr = "one:1"`, two: `addr = "two:2"`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	environ := []string{"BIFOLIA_CONFIG=" + one}
	for want, args := range map[string][]string{"one:1": nil, "two:2": {"--config=" + two}} {
		got, _, err := Load("serve", args, environ, nil)
		if err != nil || got.Addr != want {
			t.Errorf("%v: got %q, %v", args, got.Addr, err)
		}
	}
}

func TestAVariableSetToNothingIsNotSet(t *testing.T) {
	got, err := load(t, "", []string{"BIFOLIA_ADDR="}, nil)
	if err != nil || got.Addr != "127.0.0.1:8080" {
		t.Errorf("got %q, %v", got.Addr, err)
	}
}

func TestEveryMistakeIsNamedAtOnceWithItsOrigin(t *testing.T) {
	file := "# ours\nlog_format = \"xml\"\nlog_levle = \"info\"\n[server]\naddr = \"x\"\n"
	environ := []string{"BIFOLIA_LOG_LEVEL=loud", "BIFOLIA_PORT=80", "BIFOLIA_DATADIR=x"}
	args := []string{"--addr", "foo", "--db=mysql://root:secret@h/x", "--verbose", "--data-dir"}
	_, err := load(t, file, environ, args)
	want := `10 mistakes in the configuration:
  --verbose: there is no such flag
  --data-dir: a value is missing after it
  --addr: "foo" is not HOST:PORT
  --db: mysql:// is not a supported database; use sqlite:PATH or postgres://USER@HOST/NAME
  BIFOLIA_DATADIR: there is no such setting; did you mean BIFOLIA_DATA_DIR?
  BIFOLIA_PORT: there is no such setting
  BIFOLIA_LOG_LEVEL: "loud" is not one of debug, info, warn, error
  b.toml line 3, log_levle: there is no such setting; did you mean log_level?
  b.toml, server.addr: there is no such setting
  b.toml line 2, log_format: "xml" is not json or text`
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}

func TestOneMistakeIsOneLine(t *testing.T) {
	for name, c := range map[string]struct {
		file          string
		environ, args []string
		want          string
	}{
		"address":             {args: []string{"--addr", "foo"}, want: `--addr: "foo" is not HOST:PORT`},
		"port":                {args: []string{"--addr=:99999"}, want: `--addr: ":99999" is not HOST:PORT with a port from 0 to 65535`},
		"unknown flag":        {args: []string{"--adr=x"}, want: "--adr: there is no such flag; did you mean --addr?"},
		"empty flag":          {args: []string{"--data-dir="}, want: "--data-dir: the value is empty"},
		"time":                {args: []string{"--shutdown-timeout", "-1s"}, want: `--shutdown-timeout: "-1s" is not a time such as 30s or 2m`},
		"ahead, no demo":      {args: []string{"--demo-ahead", "24h"}, want: "--demo-ahead: only a demo can run ahead of the clock"},
		"too far ahead":       {args: []string{"--demo=true", "--demo-ahead", "9000h"}, want: `--demo-ahead: "9000h" is not a time from 0s to 8760h`},
		"metrics in the open": {args: []string{"--metrics-addr", ":9100"}, want: "--metrics-addr: metrics_token is required if the address is not on this machine"},
		"a short token":       {args: []string{"--metrics-token", "short"}, want: "--metrics-token: the value is not 16 to 200 letters"},
		"size":                {args: []string{"--max-body-bytes", "0"}, want: `--max-body-bytes: "0" is not a size such as 65536 or 1MiB`},
		"size beyond int64":   {args: []string{"--max-body-bytes", "9223372036854775807KiB"}, want: `--max-body-bytes: "9223372036854775807KiB" is not a size such as 65536 or 1MiB`},
		"network":             {args: []string{"--trusted-proxies", "10.0.0.0/8,all"}, want: `--trusted-proxies: "all" is not a network such as 10.0.0.0/8`},
		"url":                 {args: []string{"--advertise-url", "node-1:80"}, want: "--advertise-url: the value is not http://HOST:PORT or https://HOST:PORT"},
		"url with a path":     {args: []string{"--advertise-url", "http://n/x"}, want: "--advertise-url: the value must end after HOST:PORT"},
		"missing file":        {args: []string{"--config", "no/such.toml"}, want: `--config: "no/such.toml" cannot be read: no such file or directory`},
		"missing file by var": {environ: []string{"BIFOLIA_CONFIG=/"}, want: `BIFOLIA_CONFIG: "/" cannot be read: is a directory`},
		"file without end":    {args: []string{"--config", "/dev/zero"}, want: `--config: "/dev/zero" is not a file of at most 1048576 bytes`},
		"broken file":         {file: "addr = \"a:1\"\ndb 7\n", want: "b.toml line 2: "},
		"file cut off":        {file: "[\n", want: "b.toml line 1: "},
		"wrong kind in file":  {file: "addr = true\n", want: "b.toml line 1, addr: the value must be a text in quotes"},
		"number in file":      {file: "shutdown_timeout = 30\n", want: "b.toml line 1, shutdown_timeout: the value must be a text in quotes"},
		"list in file":        {file: "trusted_proxies = [1]\n", want: "b.toml line 1, trusted_proxies: a list must hold texts in quotes"},
		"overridden value":    {environ: []string{"BIFOLIA_ADDR=x"}, args: []string{"--addr=a:1"}, want: `BIFOLIA_ADDR: "x" is not HOST:PORT`},
		"line break in a key": {file: "\"a\\nb\" = 1\n", want: `b.toml, "a\nb": there is no such setting`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, c.file, c.environ, c.args)
			var m *Mistakes
			if !errors.As(err, &m) {
				t.Fatalf("got %v", err)
			}
			got := err.Error()
			if !strings.HasPrefix(got, "1 mistake in the configuration: "+c.want) || strings.Contains(got, "\n") {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestASubcommandAddsItsOwnFlagsAndGetsTheArguments(t *testing.T) {
	var rounds int
	var quiet bool
	extra := func(fs *flag.FlagSet) {
		fs.IntVar(&rounds, "rounds", 1, "how many `n`")
		fs.BoolVar(&quiet, "quiet", false, "say less")
	}
	args := []string{"--quiet", "--rounds", "7", "-addr=a:1", "one", "--two"}
	c, rest, err := Load("bench", args, nil, extra)
	if err != nil {
		t.Fatal(err)
	}
	if rounds != 7 || !quiet || c.Addr != "a:1" || !reflect.DeepEqual(rest, []string{"one", "--two"}) {
		t.Errorf("rounds %d, quiet %t, addr %s, rest %q", rounds, quiet, c.Addr, rest)
	}
	_, _, err = Load("bench", []string{"--rounds=many", "--addr=x"}, nil, extra)
	if m := new(Mistakes); !errors.As(err, &m) || len(m.List) != 2 {
		t.Errorf("a wrong own flag and a wrong setting are two mistakes; got %v", err)
	}
}

func TestHelpNamesEverySettingAndTheSubcommandsOwnFlags(t *testing.T) {
	extra := func(fs *flag.FlagSet) { fs.Int("rounds", 3, "how many `n`") }
	_, _, err := Load("bench", []string{"--addr", "nonsense", "--help"}, nil, extra)
	var help *Help
	if !errors.As(err, &help) {
		t.Fatalf("got %v", err)
	}
	for _, s := range settings {
		if !strings.Contains(help.Text, "--"+s.flag()+" "+s.arg) {
			t.Errorf("the help does not name --%s", s.flag())
		}
	}
	for _, want := range []string{"Usage: bifolia bench", "--rounds N", "(default 3)", "BIFOLIA_CONFIG"} {
		if !strings.Contains(help.Text, want) {
			t.Errorf("the help lacks %q:\n%s", want, help.Text)
		}
	}
}

func TestParseFlagsKnowsNoSettings(t *testing.T) {
	var asJSON bool
	define := func(fs *flag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "as JSON") }
	if _, err := ParseFlags("version", []string{"--json"}, define); err != nil || !asJSON {
		t.Errorf("json %t, %v", asJSON, err)
	}
	if _, err := ParseFlags("version", []string{"--addr=x"}, define); err == nil {
		t.Error("a setting's flag was taken")
	}
	var help *Help
	if _, err := ParseFlags("version", []string{"-h"}, define); !errors.As(err, &help) || strings.Contains(help.Text, "--addr") {
		t.Errorf("got %v", err)
	}
}

func TestAServerThatListensEverywhereIsFoundOnThisMachine(t *testing.T) {
	for addr, want := range map[string]string{
		":80":            "http://127.0.0.1:80",
		"0.0.0.0:80":     "http://127.0.0.1:80",
		"[::]:80":        "http://127.0.0.1:80",
		"localhost:80":   "http://localhost:80",
		"[::1]:80":       "http://[::1]:80",
		"192.0.2.1:8080": "http://192.0.2.1:8080",
	} {
		if got := BaseURL(addr); got != want {
			t.Errorf("%s: got %s, want %s", addr, got, want)
		}
	}
}

func TestNearestWordsComeFirst(t *testing.T) {
	words := []string{"serve", "version", "verify", "migrate", "bench"}
	for word, want := range map[string][]string{
		"serv":    {"serve"},
		"verfy":   {"verify"},
		"mig":     {"migrate"},
		"":        {},
		"xylopho": {},
	} {
		if got := Nearest(word, words); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

// FuzzLoad proves that no input makes Load panic, that what it accepts is
// whole, and that a mistake never spans lines it should not.
func FuzzLoad(f *testing.F) {
	f.Add("addr = \"a:1\"", "BIFOLIA_LOG_LEVEL=debug", "--db\x00sqlite:x")
	f.Add("trusted_proxies = [\"::1\", \"10.0.0.0/8\"]", "BIFOLIA_DB=postgres://u:p@h/d", "--addr=:0\x00--\x00x")
	f.Add("a = 1979-05-27T07:32:00Z\n[[b]]\nc = [{}]\n\"\" = 1", "BIFOLIA_A.B=1", "--\x00-=\x00--=x\x00---")
	f.Add("max_body_bytes = 0x10", "BIFOLIA_CONFIG=", "--nope\x00value\x00--addr")
	path := filepath.Join(f.TempDir(), "f.toml")
	f.Fuzz(func(t *testing.T, file, environ, args string) {
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		list := append([]string{"--config", path}, strings.Split(args, "\x00")...)
		if strings.Contains(args, "config") {
			return // may name a file of this machine
		}
		c, _, err := Load("serve", list, strings.Split(environ, "\x00"), nil)
		var m *Mistakes
		var h *Help
		switch {
		case err == nil:
			mustBeWhole(t, c)
		case errors.As(err, &m):
			for _, line := range m.List {
				if line == "" || strings.Contains(line, "\n") {
					t.Errorf("mistake %q is not one line", line)
				}
			}
		case !errors.As(err, &h):
			t.Errorf("an error of another kind: %v", err)
		}
	})
}

func mustBeWhole(t *testing.T, c Config) {
	t.Helper()
	if checkDSN(c.DB) != nil || c.DataDir == "" || c.KeyFile == "" || c.AnchorFile == "" ||
		c.ShutdownTimeout <= 0 || c.MaxBodyBytes <= 0 || !strings.HasPrefix(c.AdvertiseURL, "http") ||
		(c.LogFormat != "json" && c.LogFormat != "text") || BaseURL(c.Addr) == "" {
		t.Errorf("accepted, but not whole: %v", c)
	}
}
