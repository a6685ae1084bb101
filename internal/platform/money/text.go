package money

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parse reads a decimal number of dollars with up to six places: "12",
// "-0.5", "1234.567891". It rejects exponents, plus signs, separators, spaces and leading
// zeros.
func Parse(s string) (Amount, error) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, dotted := strings.Cut(digits, ".")
	switch {
	case whole == "" || !allDigits(whole) || (dotted && fraction == "") || !allDigits(fraction):
		return Amount{}, fmt.Errorf("%q is not an amount: write dollars like 12 or 12.5", clip(s))
	case len(whole) > 1 && whole[0] == '0':
		return Amount{}, fmt.Errorf("%q is not an amount: it starts with a zero", clip(s))
	case len(fraction) > 6:
		return Amount{}, fmt.Errorf("%q is not an amount: it has more than six decimal places", clip(s))
	}
	n, err := strconv.ParseUint(whole+fraction+"000000"[len(fraction):], 10, 64)
	switch {
	case err != nil || n > 1<<63 || (n == 1<<63 && !negative):
		return Amount{}, fmt.Errorf("%q is not an amount: it is too large", clip(s))
	case negative && n == 0:
		return Amount{}, fmt.Errorf("%q is not an amount: zero has no sign", clip(s))
	case negative:
		return Amount{-int64(n)}, nil
	}
	return Amount{int64(n)}, nil
}

// MustParse is Parse for constants in code and tests.
func MustParse(s string) Amount {
	a, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return a
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// clip shortens an input for an error message.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}

// String is the amount in dollars with six places: "-12.500000".
func (a Amount) String() string { return string(a.Append(make([]byte, 0, 24))) }

// Append writes the amount as String has it to the end of b.
func (a Amount) Append(b []byte) []byte {
	n := magnitude(a.micro)
	if a.micro < 0 {
		b = append(b, '-')
	}
	b = strconv.AppendUint(b, n/perDollar, 10)
	b = append(b, '.')
	for part, unit := n%perDollar, uint64(perDollar/10); unit > 0; unit /= 10 {
		b = append(b, '0'+byte(part/unit%10))
	}
	return b
}

// MarshalJSON writes the decimal string, because most clients read JSON numbers as floats.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(`"` + a.String() + `"`), nil }

// UnmarshalJSON reads a decimal string; a bare number is refused.
func (a *Amount) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("an amount is a decimal string such as \"12.50\"")
	}
	parsed, err := Parse(s)
	if err != nil {
		return err
	}
	*a = parsed
	return nil
}

// Largest and Smallest are the bounds of an Amount.
var (
	Largest  = Amount{math.MaxInt64}
	Smallest = Amount{math.MinInt64}
)

// Short returns the amount for a sentence: with two places, and more only if needed.
func (a Amount) Short() string {
	s := a.String()
	for strings.HasSuffix(s, "0") && len(s)-strings.IndexByte(s, '.') > 3 {
		s = s[:len(s)-1]
	}
	return s
}
