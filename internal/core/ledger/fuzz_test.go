package ledger_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func FuzzParseAccount(f *testing.F) {
	for _, s := range []string{"A:CLIENT", "L:FUND:FUNDS:100007", "L:PRINCIPAL:FOREX:1:p1", "L::", "P:LEVEL:", "::::", "L:FUND:FUNDS:007"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ledger.ParseAccount(s)
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Errorf("ParseAccount(%q): %v", s, err)
			}
			return
		}
		if a.String() != s || !strings.HasPrefix(s, a.Kind()) || a.Owner() < 0 {
			t.Errorf("ParseAccount(%q) is %q of kind %q owned by %d", s, a, a.Kind(), a.Owner())
		}
	})
}

func FuzzKeyFiles(f *testing.F) {
	f.Add([]byte("0123456789abcdef AAAA\n"))
	f.Add([]byte("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"))
	f.Add([]byte("\n\n x y z\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := ledger.LoadSigner(path); err == nil && s.KeyID() == "" {
			t.Error("a key without an id")
		}
		keys, err := ledger.ReadPublicKeys(path)
		for id, key := range keys {
			if err == nil && (len(id) != 16 || len(key) != 32) {
				t.Errorf("key %q has %d bytes", id, len(key))
			}
		}
	})
}
