package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestADatabaseBeyondThisMachineIsNotReachedInTheClear(t *testing.T) {
	for _, dsn := range []string{
		"postgres://u:hunter22@db.example/x",
		"postgres://u:hunter22@db.example/x?sslmode=disable",
		"postgres://u:hunter22@db.example/x?sslmode=allow",
		"postgres://u:hunter22@db.example/x?sslmode=prefer",
		"postgres://u:hunter22@10.0.0.5:5432/x",
		"postgres://u:hunter22@127.0.0.1:5432,db.example:5432/x?sslmode=prefer",
		"postgres://u:hunter22@[2001:db8::1]:5432/x",
		"postgres://u:hunter22@/x?host=db.example",
		"postgres://u:hunter22@/x?host=/tmp,db.example",
		"postgres://u:hunter22@localhost/x?host=db.example",
		"postgres://u:hunter22@localhost.example/x",
	} {
		err := checkDSN(dsn)
		if err == nil || !strings.Contains(err.Error(), "sslmode=verify-full") || strings.Contains(err.Error(), "hunter") {
			t.Errorf("%s: %v", dsn, err)
		}
	}
	for _, dsn := range []string{
		"postgres://u@db.example/x?sslmode=require", "postgres://u@a.example,b.example/x?sslmode=verify-full", "postgres://u@[::1]:5432/x",
		"postgres://u@127.0.0.9/x", "postgres:///x?host=/run/postgresql", "postgres:///x?host=/tmp,/run", "postgres://u@localhost:1,127.0.0.1:2/x?sslmode=disable",
	} {
		if err := checkDSN(dsn); err != nil {
			t.Errorf("%s: %v", dsn, err)
		}
	}
}

func TestADemoHasNoNetwork(t *testing.T) {
	const node, key = "http://127.0.0.1:8545", "hot"
	for name, c := range map[string]struct{ args, named []string }{
		"mail":               {[]string{"--smtp-addr", "mail.example:587"}, []string{"--smtp-addr"}},
		"a chain":            {[]string{"--chain-rpc-urls", "https://node.example/secret"}, []string{"--chain-rpc-urls"}},
		"a real chain here":  {[]string{"--chain-rpc-urls", node, "--chain-allow-private"}, []string{"--chain-rpc-urls"}},
		"a chain elsewhere":  {[]string{"--chain-rpc-urls", node + ",http://10.0.0.5", "--chain-id", "1337"}, []string{"--chain-rpc-urls"}},
		"a hot wallet":       {[]string{"--chain-rpc-urls", "https://node.example", "--hot-wallet-key-file", key}, []string{"--chain-rpc-urls", "--hot-wallet-key-file"}},
		"every address":      {[]string{"--addr", ":8080"}, []string{"--addr"}},
		"an outside address": {[]string{"--addr", "203.0.113.9:8080"}, []string{"--addr"}},
		"metrics outside":    {[]string{"--metrics-addr", ":9100", "--metrics-token", "0123456789abcdef"}, []string{"--metrics-addr"}},
		"a public address":   {[]string{"--public-url", "https://real.example.org"}, []string{"--public-url"}},
		"another process":    {[]string{"--advertise-url", "http://10.1.2.3:1"}, []string{"--advertise-url"}},
		"a proxy elsewhere":  {[]string{"--trusted-proxies", "127.0.0.1,10.0.0.0/8"}, []string{"--trusted-proxies"}},
		"a proxy anywhere":   {[]string{"--trusted-proxies", "0.0.0.0/0"}, []string{"--trusted-proxies"}},
		"all at once": {
			[]string{"--smtp-addr", "mail.example:587", "--chain-rpc-urls", "https://node.example", "--hot-wallet-key-file", key, "--addr", "0.0.0.0:80"},
			[]string{"--smtp-addr", "--chain-rpc-urls", "--hot-wallet-key-file", "--addr"},
		},
	} {
		_, _, err := Load("serve", append(c.args, "--demo"), nil, nil)
		m, ok := err.(*Mistakes) //nolint:errorlint // it is never wrapped
		if !ok || len(m.List) != len(c.named) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, flag := range c.named {
			if !strings.HasPrefix(m.List[i], flag+": ") {
				t.Errorf("%s: %q does not name %s", name, m.List[i], flag)
			}
		}
		if _, _, err := Load("serve", c.args, nil, nil); err != nil {
			t.Errorf("%s, no demo: %v", name, err)
		}
	}
	if _, _, err := Load("demo", []string{"--smtp-addr", "mail.example:587"}, nil, nil); err == nil {
		t.Error("a demo is built with a mail server")
	}
	for _, args := range [][]string{{"--addr", "localhost:0"}, {"--addr", "[::1]:0"}, {"--public-url", "http://localhost:5173"}, {"--trusted-proxies", "127.0.0.1/32,::1"}, {"--chain-rpc-urls", node, "--chain-id", "1337", "--hot-wallet-key-file", key}} {
		if _, _, err := Load("serve", append(args, "--demo"), nil, nil); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestASettingsFileWithAPasswordThatOthersReadIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.toml")
	for text, secret := range map[string]bool{
		"smtp_user = \"u\"\nsmtp_addr = \"localhost:25\"\nsmtp_password = \"hunter22\"\n": true,
		"db = \"postgres://u:hunter22@localhost/x\"\n":                                    true,
		"metrics_token = \"hunter22hunter22\"\n":                                          true,
		"addr = \"localhost:1\"\ndb = \"sqlite:x.db\"\n":                                  false,
	} {
		for mode, open := range map[os.FileMode]bool{0o600: false, 0o640: true, 0o644: true} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			_, _, err := Load("serve", []string{"--config", path}, nil, nil)
			if refused := err != nil; refused != (secret && open) {
				t.Errorf("%q with mode %o: %v", text, mode, err)
			}
			if err != nil && (strings.Contains(err.Error(), "hunter22") || !strings.Contains(err.Error(), "chmod 600")) {
				t.Errorf("it says %v", err)
			}
		}
	}
}

func TestTwoDatabasesInOneFolderHaveDifferentKeys(t *testing.T) {
	for dsn, want := range map[string]string{
		"sqlite:/x/y.db": "/x/y.db", "sqlite:./data/z.db": "./data/z.db",
		"postgres://u:p@localhost/one": "d/one", "postgres://localhost/?dbname=two": "d/two", "postgres://localhost/a%2Fb": "d/a_b",
	} {
		if got := Beside(dsn, "d/"); got != want {
			t.Errorf("%s: %s, want %s", dsn, got, want)
		}
	}
}
