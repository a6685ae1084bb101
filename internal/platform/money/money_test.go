package money_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// any64 draws int64s with the edges well represented.
func any64() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64(), rapid.Int64Range(-2_000_000, 2_000_000),
		rapid.SampledFrom([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1}))
}

// checked compares a result with what unbounded integers say.
func checked(t *rapid.T, what string, want *big.Int, got money.Amount, err error) {
	t.Helper()
	if !want.IsInt64() {
		if !errors.Is(err, money.ErrOverflow) {
			t.Fatalf("%s = %v, %v; want overflow (%s)", what, got.Micros(), err, want)
		}
		return
	}
	if err != nil || got.Micros() != want.Int64() {
		t.Fatalf("%s = %d, %v; want %s", what, got.Micros(), err, want)
	}
}

func TestArithmeticIsExactOrOverflows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := any64().Draw(t, "x"), any64().Draw(t, "y")
		a, b := money.Micro(x), money.Micro(y)
		bx, by := big.NewInt(x), big.NewInt(y)
		sum, err := a.Add(b)
		checked(t, "sum", new(big.Int).Add(bx, by), sum, err)
		diff, err := a.Sub(b)
		checked(t, "difference", new(big.Int).Sub(bx, by), diff, err)
		neg, err := a.Neg()
		checked(t, "negative", new(big.Int).Neg(bx), neg, err)
		total, err := money.Sum(a, b)
		checked(t, "total", new(big.Int).Add(bx, by), total, err)
		if a.Cmp(b) != bx.Cmp(by) || a.Less(b) != (x < y) || a.Sign() != bx.Sign() || a.IsZero() != (x == 0) {
			t.Fatalf("comparison of %d and %d is wrong", x, y)
		}
	})
}

func TestMulDivIsTheFloorOfTheExactQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, num := any64().Draw(t, "x"), any64().Draw(t, "num")
		den := rapid.OneOf(rapid.Int64Range(1, math.MaxInt64), rapid.Int64Range(1, 1_000_000)).Draw(t, "den")
		product := new(big.Int).Mul(big.NewInt(x), big.NewInt(num))
		want := new(big.Int)
		want.DivMod(product, big.NewInt(den), new(big.Int)) // Euclidean, which is floor for a positive divisor
		got, err := money.Micro(x).MulDiv(num, den)
		checked(t, "MulDiv", want, got, err)
	})
	for _, den := range []int64{0, -1} {
		if _, err := money.Micro(1).MulDiv(1, den); err == nil {
			t.Errorf("MulDiv by %d went through", den)
		}
	}
}

func TestARateProductIsAFloor(t *testing.T) {
	for _, c := range []struct {
		amount string
		ppm    int64
		want   string
	}{
		{"100", 80_000, "8"},
		{"0.000001", 999_999, "0"},
		{"33.333333", 20_000, "0.666666"},
		{"-0.000001", 1, "-0.000001"},
		{"2500", 1_000_000, "2500"},
	} {
		got, err := money.MustParse(c.amount).At(money.PPM(c.ppm))
		if err != nil || got != money.MustParse(c.want) {
			t.Errorf("%s at %d ppm = %s, %v; want %s", c.amount, c.ppm, got, err, c.want)
		}
	}
}

func TestAllocatePartsSumToTheTotalAndFollowTheLargestRemainder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := money.Micro(rapid.Int64Range(0, math.MaxInt64).Draw(t, "total"))
		weights := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 10), rapid.Int64Range(0, math.MaxInt64/64)), 1, 64).Draw(t, "weights")
		sum := new(big.Int)
		for _, w := range weights {
			sum.Add(sum, big.NewInt(w))
		}
		parts, err := money.Allocate(total, weights)
		if sum.Sign() == 0 {
			if err == nil {
				t.Fatal("weights that are all zero went through")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checkParts(t, total, weights, sum, parts)
	})
}

// checkParts: exact sum, each part its floor or one more, and the extra ones
// at the largest remainders, ties to the earliest.
func checkParts(t *rapid.T, total money.Amount, weights []int64, sum *big.Int, parts []money.Amount) {
	got := new(big.Int)
	remainders := make([]*big.Int, len(parts))
	extra := make([]bool, len(parts))
	for i, p := range parts {
		got.Add(got, big.NewInt(p.Micros()))
		floor := new(big.Int).Mul(big.NewInt(total.Micros()), big.NewInt(weights[i]))
		remainders[i] = new(big.Int)
		floor.DivMod(floor, sum, remainders[i])
		more := p.Micros() - floor.Int64()
		if more != 0 && more != 1 {
			t.Fatalf("part %d is %d, its floor %s", i, p.Micros(), floor)
		}
		extra[i] = more == 1
	}
	if got.Cmp(big.NewInt(total.Micros())) != 0 {
		t.Fatalf("parts sum to %s, not %d", got, total.Micros())
	}
	for i := range parts {
		for j := range parts {
			c := remainders[i].Cmp(remainders[j])
			if extra[j] && !extra[i] && (c > 0 || (c == 0 && i < j)) {
				t.Fatalf("part %d got the leftover that was due to part %d", j, i)
			}
		}
	}
}

func TestAllocateRejectsInvalidSplits(t *testing.T) {
	for name, c := range map[string]struct {
		total   int64
		weights []int64
	}{
		"negative total":  {-1, []int64{1}},
		"negative weight": {1, []int64{1, -1}},
		"no weights":      {1, nil},
		"weights too big": {1, []int64{math.MaxInt64, 1}},
	} {
		if parts, err := money.Allocate(money.Micro(c.total), c.weights); err == nil {
			t.Errorf("%s gave %v", name, parts)
		}
	}
}

func TestTextIsReadAndWrittenExactly(t *testing.T) {
	for text, micros := range map[string]int64{
		"0": 0, "12": 12_000_000, "0.5": 500_000, "-0.000001": -1, "1234.567891": 1_234_567_891,
		"9223372036854.775807": math.MaxInt64, "-9223372036854.775808": math.MinInt64,
	} {
		if a, err := money.Parse(text); err != nil || a.Micros() != micros {
			t.Errorf("Parse(%q) = %d, %v; want %d", text, a.Micros(), err, micros)
		}
	}
	for _, text := range []string{
		"", "-", ".", "1.", ".5", "+1", " 1", "1 ", "1,000", "1e3", "0x10", "--1", "1.2.3", "0.0000001", "007", "00", "-0", "-0.000000",
		"9223372036854.775808", "-9223372036854.775809", "99999999999999999999999999", "NaN", "Infinity", "１２", "1\x00",
	} {
		if a, err := money.Parse(text); err == nil {
			t.Errorf("Parse(%q) = %s, want an error", text, a)
		}
	}
}

func TestJSONIsADecimalString(t *testing.T) {
	b, err := json.Marshal(money.MustParse("-12.5"))
	if err != nil || string(b) != `"-12.500000"` {
		t.Errorf("marshalled %s, %v", b, err)
	}
	var a money.Amount
	for _, bad := range []string{`12.5`, `1`, `null`, `{}`, `"x"`, `true`} {
		if err := json.Unmarshal([]byte(bad), &a); err == nil && bad != `null` {
			t.Errorf("%s was read as %s", bad, a)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"0", "1.5", "-0.000001", "9223372036854.775807", "x", "1e9", "-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := money.Parse(s)
		if err != nil {
			return
		}
		again, err := money.Parse(a.String())
		if err != nil || again != a {
			t.Errorf("%q was read as %s, which reads as %s, %v", s, a, again, err)
		}
	})
}

func TestASentenceHasTwoPlacesUnlessMoreAreNeeded(t *testing.T) {
	t.Parallel()
	for amount, want := range map[string]string{"0": "0.00", "100": "100.00", "-2.5": "-2.50", "1.25": "1.25", "1.257": "1.257", "0.000001": "0.000001", "1200.10": "1200.10"} {
		if got := money.MustParse(amount).Short(); got != want {
			t.Errorf("%s is written %s, want %s", amount, got, want)
		}
	}
}
