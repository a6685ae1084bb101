package fund

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

const hash = "0x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

func TestTransactionNumbersAreNormalized(t *testing.T) {
	for in, want := range map[string]string{
		hash: hash, " " + strings.ToUpper(hash) + "\n": hash, hash[2:]: hash, hash[:30] + "  " + hash[30:]: hash,
	} {
		if got, err := ParseNumber(ByUSDT, in); err != nil || got != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{"hdfc n52 0200": "HDFCN520200", "\t123456 ": "123456", "ABC123": "ABC123"} {
		if got, err := ParseNumber(ByBank, in); err != nil || got != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", " ", "0x", hash + "0", hash[:65], strings.Replace(hash, "a", "ä", 1), "0x" + hash} {
		if got, err := ParseNumber(ByUSDT, in); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q is taken as %q", in, got)
		}
	}
	for _, in := range []string{"", "12345", "ABC-1234", "ÄÖÜ12345", strings.Repeat("9", 31), "12345\x00"} {
		if got, err := ParseNumber(ByBank, in); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q is taken as %q", in, got)
		}
	}
}

func FuzzNumbersKeepTheirSpelling(f *testing.F) {
	f.Add(hash, true)
	f.Add(" hdfc 00 01", false)
	f.Fuzz(func(t *testing.T, s string, coin bool) {
		w := ByBank
		if coin {
			w = ByUSDT
		}
		once, err := ParseNumber(w, s)
		if err != nil {
			return
		}
		if twice, err := ParseNumber(w, once); err != nil || twice != once {
			t.Errorf("%q became %q and then %q, %v", s, once, twice, err)
		}
	})
}

func TestAmountsAreWholeDollars(t *testing.T) {
	for _, in := range []string{"1", "999999", " 42 "} {
		if _, err := ParseAmount(in, 6); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
	for _, in := range []string{"", "0", "-1", "1.0", "01", "1000000", "1e3", "+5", "٣", "9999999"} {
		if a, err := ParseAmount(in, 6); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q is taken as %s", in, a)
		}
	}
}
