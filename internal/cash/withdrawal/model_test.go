package withdrawal

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func TestIncomesHaveAMinimumAndAChargeAndDepositsNeither(t *testing.T) {
	p := plan.Default()
	if c, err := Cost(p, "LevelIncome", p.Withdraw.Min); err != nil || c.Sign() <= 0 {
		t.Errorf("the minimum of an income costs %s, %v", c, err)
	}
	if c, err := Cost(p, FundBalance, money.MustParse("1")); err != nil || !c.IsZero() {
		t.Errorf("a dollar of a fund costs %s, %v", c, err)
	}
	for wallet, amounts := range map[string][]string{"LevelIncome": {"1", "10.5", "0"}, FundBalance: {"0", "0.5"}} {
		for _, a := range amounts {
			if _, err := Cost(p, wallet, money.MustParse(a)); !errs.Is(err, errs.Refused) {
				t.Errorf("%s of %s: %v", a, wallet, err)
			}
		}
	}
	if _, err := Cost(p, "FUNDS", money.MustParse("20")); !errs.Is(err, errs.Invalid) {
		t.Errorf("a wallet that there is not: %v", err)
	}
}

func TestCodesAreSixDigits(t *testing.T) {
	seen := map[string]bool{}
	for range 200 {
		code, err := NewCode()
		if err != nil || len(code) != codeDigits {
			t.Fatalf("%q, %v", code, err)
		}
		for _, r := range code {
			if r < '0' || r > '9' {
				t.Fatalf("%q", code)
			}
		}
		seen[code] = true
	}
	if len(seen) < 150 {
		t.Errorf("only %d of 200 differ", len(seen))
	}
}

func TestHashesAreNormalized(t *testing.T) {
	const hash = "0x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
	for _, in := range []string{hash, hash[2:], " 0X00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"} {
		if got, err := ParseHash(in); err != nil || got != hash {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "0x", hash + "0", "0xzz" + hash[4:]} {
		if got, err := ParseHash(in); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q is taken as %q", in, got)
		}
	}
}

// A hash that is taken has one spelling, which is taken again.
func FuzzParseHash(f *testing.F) {
	f.Add("0x" + strings.Repeat("aB", 32))
	f.Add(" 0X" + strings.Repeat("ab ", 32))
	f.Add("0x0x" + strings.Repeat("a", 62))
	f.Fuzz(func(t *testing.T, s string) {
		is, err := ParseHash(s)
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Fatal(err)
			}
			return
		}
		if again, err := ParseHash(is); err != nil || again != is || len(is) != 66 {
			t.Errorf("%q became %q, and that %q, %v", s, is, again, err)
		}
	})
}
