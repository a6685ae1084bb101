// Package money implements exact amounts of dollars. An Amount is a whole number of
// micro-dollars (1 USD = 1,000,000) and a Rate a whole number of parts per million:
//
//   - sums and differences return an error if they overflow;
//   - products with a rate are floor(a·r/1,000,000), computed with 128 bits;
//   - a total split by weights is split exactly (Allocate): the parts always
//     sum to the total.
//
// The fields are unexported, so that unchecked arithmetic does not compile. Money is
// never a float; the linter enforces this.
package money

import (
	"cmp"
	"errors"
	"math"
	"math/bits"
)

const perDollar = 1_000_000

// ErrOverflow means that a result does not fit an Amount (about ±9.2 trillion dollars).
var ErrOverflow = errors.New("amount does not fit")

// Amount is money in micro-dollars. The zero value is 0 dollars.
type Amount struct{ micro int64 }

// Zero is no money.
var Zero = Amount{}

// Micro makes an amount of n micro-dollars.
func Micro(n int64) Amount { return Amount{n} }

// Micros returns the amount in micro-dollars.
func (a Amount) Micros() int64 { return a.micro }

// Sign is -1, 0 or 1.
func (a Amount) Sign() int { return cmp.Compare(a.micro, 0) }

// IsZero reports whether the amount is zero.
func (a Amount) IsZero() bool { return a.micro == 0 }

// Cmp is -1 when a < b, 0 when equal, 1 when a > b.
func (a Amount) Cmp(b Amount) int { return cmp.Compare(a.micro, b.micro) }

// Less reports whether a < b.
func (a Amount) Less(b Amount) bool { return a.micro < b.micro }

// Exceeds reports whether the sum of amounts is more than a limit.
func Exceeds(limit Amount, all ...Amount) bool {
	var sum Amount
	for _, a := range all {
		next, err := sum.Add(a)
		if err != nil {
			return true
		}
		sum = next
	}
	return limit.Less(sum)
}

// Min is the smaller of a and b.
func Min(a, b Amount) Amount {
	if b.micro < a.micro {
		return b
	}
	return a
}

// Add is a + b. ErrOverflow if it does not fit.
func (a Amount) Add(b Amount) (Amount, error) {
	s := a.micro + b.micro
	if (s > a.micro) != (b.micro > 0) && b.micro != 0 {
		return Amount{}, ErrOverflow
	}
	return Amount{s}, nil
}

// Sub is a − b. ErrOverflow if it does not fit.
func (a Amount) Sub(b Amount) (Amount, error) {
	d := a.micro - b.micro
	if (d < a.micro) != (b.micro > 0) && b.micro != 0 {
		return Amount{}, ErrOverflow
	}
	return Amount{d}, nil
}

// Neg is −a. ErrOverflow for the one amount that has no negative.
func (a Amount) Neg() (Amount, error) {
	if a.micro == math.MinInt64 {
		return Amount{}, ErrOverflow
	}
	return Amount{-a.micro}, nil
}

// Sum adds all amounts. ErrOverflow if the total, at any point, does not fit.
func Sum(amounts ...Amount) (Amount, error) {
	var total Amount
	var err error
	for _, a := range amounts {
		if total, err = total.Add(a); err != nil {
			return Amount{}, err
		}
	}
	return total, nil
}

// MulDiv is floor(a·num/den), computed with 128 bits. den must be positive. ErrOverflow
// if the result does not fit.
func (a Amount) MulDiv(num, den int64) (Amount, error) {
	if den <= 0 {
		return Amount{}, errors.New("money: MulDiv by a divisor that is not positive")
	}
	negative := (a.micro < 0) != (num < 0)
	hi, lo := bits.Mul64(magnitude(a.micro), magnitude(num))
	if hi >= uint64(den) {
		return Amount{}, ErrOverflow
	}
	q, r := bits.Div64(hi, lo, uint64(den))
	if !negative {
		if q > math.MaxInt64 {
			return Amount{}, ErrOverflow
		}
		return Amount{int64(q)}, nil
	}
	if r > 0 {
		q++ // floor rounds negative values away from zero
	}
	if q > 1<<63 {
		return Amount{}, ErrOverflow
	}
	return Amount{-int64(q)}, nil // 1<<63 negates to itself: MinInt64
}

// magnitude is |n|, also for the smallest int64.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// Rate is a share in parts per million: 1 % is 10,000.
type Rate struct{ ppm int64 }

// PPM makes a rate of n parts per million.
func PPM(n int64) Rate { return Rate{n} }

// PPM returns the rate in parts per million.
func (r Rate) PPM() int64 { return r.ppm }

// At is floor(a·r/1,000,000). ErrOverflow if it does not fit, which cannot
// happen for rates up to 100 %.
func (a Amount) At(r Rate) (Amount, error) { return a.MulDiv(r.ppm, perDollar) }
