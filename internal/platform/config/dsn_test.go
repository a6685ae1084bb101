package config

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestAcceptedDatabaseNames(t *testing.T) {
	for dsn, want := range map[string]string{
		"sqlite:./data/bifolia.db":                      "",
		"sqlite:/var/lib/bifolia.db":                    "",
		"sqlite:file.db?mode=ro":                        "",
		"postgres://u:p@h/db?sslmode=require":           "",
		"postgresql://h/db?sslmode=verify-ca":           "",
		"postgres://h1:5432,h2:5432/db?sslmode=require": "",
		"postgres://localhost,127.0.0.1:5432/db":        "",
		"postgres://u@[::1]:5432/db":                    "",
		"postgres:///db?host=/var/run/postgresql":       "",
		"postgres://u@/?host=/tmp&dbname=x":             "",
		"postgres://u@h/db?sslmode=verify-full":         "",
		"postgres://u:hunter22@h/db?sslmode=hunter":     "an unknown sslmode",
		"sqlite:":         "needs the path",
		"sqlite:?mode=ro": "needs the path",
		"":                "neither sqlite:PATH",
		"bifolia.db":      "neither sqlite:PATH",
		"postgres:db":     "neither sqlite:PATH",
		"host=localhost password=hunter22 dbname=x":        "neither sqlite:PATH",
		"mysql://root:hunter22@h/x":                        "mysql:// is not a supported database",
		"postgres://u:hunter22@/db":                        "names no host",
		"postgres://u:hunter22@h":                          "names no database",
		"postgres://u:hunter22@h/?password=hunter22":       "names no database",
		"postgres://u:hun%ter22@h/db":                      "cannot be read",
		"postgres://u:hunter22/slash@h/db":                 "cannot be read",
		"postgres://u:1/hunter22@h/db":                     "cannot be read",
		"postgres://u:hunter22@h/db?x=%zz":                 "cannot be read",
		"postgres://u:hunter22@h:port/db":                  "cannot be read",
		"postgres://u:hunter22@h/db?password=a;b&sslkey=1": "cannot be read",
	} {
		err := checkDSN(dsn)
		if (err == nil) != (want == "") || (err != nil && !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: got %v, want %q", dsn, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter") {
			t.Errorf("%q: the message shows the password: %v", dsn, err)
		}
	}
}

func TestRedactedDatabaseNames(t *testing.T) {
	for dsn, want := range map[string]string{
		"sqlite:./data/bifolia.db":                    "sqlite:./data/bifolia.db",
		"sqlite:x.db?key=hunter22":                    "sqlite:x.db?xxxxx",
		"postgres://u:hunter22@h:5432/db":             "postgres://u:xxxxx@h:5432/db",
		"postgres://u@h/db?sslmode=require":           "postgres://u@h/db?sslmode=require",
		"postgres://u@h/db?password=hunter22":         "postgres://u@h/db (and parameters not shown)",
		"postgresql://u:h%40x@h/db?host=/tmp&sslpw=1": "postgresql://u:xxxxx@h/db?host=%2Ftmp (and parameters not shown)",
		"postgres://u:1/hunter22@h/db":                "postgres://xxxxx",
		"postgres://u:%hunter22@h/db":                 "postgres://xxxxx",
		"mysql://u:hunter22@h/db":                     "xxxxx",
		"password=hunter22":                           "xxxxx",
	} {
		if got := RedactDSN(dsn); got != want {
			t.Errorf("%q: got %q, want %q", dsn, got, want)
		}
	}
}

func TestNoWayOfPrintingAConfigShowsThePassword(t *testing.T) {
	c, _, err := Load("serve", []string{"--db", "postgres://u:hunter22@h/db?sslmode=require"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.DB != "postgres://u:hunter22@h/db?sslmode=require" {
		t.Fatalf("the configuration itself must keep the password; got %q", c.DB)
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("start", "config", c)
	slog.New(slog.NewTextHandler(&log, nil)).Info("start", "config", c, "pointer", &c)
	shown := log.String() + fmt.Sprintf("%v %+v %#v %s %v", c, c, c, c, &c) + c.Redacted().DB
	if strings.Contains(shown, "hunter22") {
		t.Errorf("the password is shown: %s", shown)
	}
	if !strings.Contains(shown, "postgres://u:xxxxx@h/db") {
		t.Errorf("the database is not shown at all: %s", shown)
	}
}

// FuzzPasswordIsNeverShown puts any password, escaped or not, into a database
// name: neither the accepted configuration nor the mistakes may show it.
func FuzzPasswordIsNeverShown(f *testing.F) {
	for _, password := range []string{"hunter22", "1/hunter22", "1?a=b", "a@b/c", "p%41ss", "1#frag", "x:y@z", "[::1]", "\\back", "a b c d"} {
		f.Add(password)
	}
	f.Fuzz(func(t *testing.T, password string) {
		const around = "postgres://user:@localhost/name"
		if len(password) < 4 || strings.Contains(around, password) {
			return // too short to tell from the rest of the sentence
		}
		dsn := "postgres://user:" + password + "@localhost/name"
		shown := RedactDSN(dsn)
		if err := checkDSN(dsn); err != nil {
			if c, ok := strings.CutPrefix(err.Error(), "the postgres:// address cannot be read"); !ok || c == "" {
				t.Errorf("an unexpected sentence: %v", err)
			}
		}
		if c, _, err := Load("serve", []string{"--db", dsn}, nil, nil); err == nil {
			shown += c.String()
		}
		if strings.Contains(strings.ReplaceAll(shown, hidden, ""), password) && !strings.Contains(plainConfig, password) {
			t.Errorf("%q is shown: %s", password, shown)
		}
	})
}

// plainConfig is what a configuration shows when there is no password.
var plainConfig = func() string {
	c := defaults()
	c.DB = "postgres://user@localhost/name"
	c.derive()
	return c.String()
}()
