package evm_test

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A parsed value has one spelling, which parses again; all other input is Invalid.
func oneSpelling(t *testing.T, s string, parse func(string) (string, error), length int) {
	t.Helper()
	is, err := parse(s)
	if err != nil {
		if !errs.Is(err, errs.Invalid) || is != "" {
			t.Errorf("%q: %q, %v", s, is, err)
		}
		return
	}
	if again, err := parse(" " + is + "\n"); err != nil || again != is || len(is) != length || !strings.EqualFold(is, strings.TrimSpace(s)) {
		t.Errorf("%q became %q, and that %q, %v", s, is, again, err)
	}
}

func FuzzParseAddress(f *testing.F) {
	f.Add("0x52908400098527886E0F7030069857D2E4169EE7")
	f.Add(" 0x52908400098527886e0f7030069857d2e4169ee7 ")
	f.Add("0x52908400098527886E0F7030069857D2E4169eE7")
	f.Fuzz(func(t *testing.T, s string) { oneSpelling(t, s, evm.ParseAddress, 42) })
}

func FuzzParseHash(f *testing.F) {
	f.Add("0x" + strings.Repeat("aB", 32))
	f.Add("0X" + strings.Repeat("00", 32))
	f.Add("0x" + strings.Repeat("g", 64))
	f.Fuzz(func(t *testing.T, s string) { oneSpelling(t, s, evm.ParseHash, 66) })
}
