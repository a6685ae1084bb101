package eip55

import (
	"strings"
	"testing"
)

func TestAnAddressGetsItsCapitalsAndWrongOnesAreRefused(t *testing.T) {
	t.Parallel()
	// The examples of EIP-55 itself.
	for _, want := range []string{
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
		"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
	} {
		for _, form := range []string{want, strings.ToLower(want), "0x" + strings.ToUpper(want[2:])} {
			if got, ok := Parse(form); !ok || got != want {
				t.Errorf("Parse(%s) = %q, %v", form, got, ok)
			}
		}
	}
	for _, wrong := range []string{
		"", "0x", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", "0x0000000000000000000000000000000000000000", "0xzz" + strings.Repeat("1", 38),
	} {
		if got, ok := Parse(wrong); ok {
			t.Errorf("Parse(%q) = %q", wrong, got)
		}
	}
}

// Whatever is read as an address is written in one way, and that way is read again.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"0x52908400098527886E0F7030069857D2E4169EE7", "0x52908400098527886e0f7030069857d2e4169ee7", "0x", "0x0000000000000000000000000000000000000000", "0X52908400098527886E0F7030069857D2E4169EE7"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		address, ok := Parse(s)
		if !ok {
			if address != "" {
				t.Errorf("%q is none, but gave %q", s, address)
			}
			return
		}
		if again, ok := Parse(address); !ok || again != address || !strings.EqualFold(address, s) {
			t.Errorf("%q became %q, and that %q", s, address, again)
		}
	})
}
