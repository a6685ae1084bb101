package audit

import "math/big"

// sum adds 64-bit numbers without overflow: hi × 2³² + lo, 0 ≤ lo < 2³².
type sum struct{ hi, lo int64 }

const low32 = 1<<32 - 1

func (s *sum) add(n int64) {
	s.hi += n >> 32
	s.lo += n & low32
	s.carry()
}

func (s *sum) sub(n int64) {
	s.hi -= n >> 32
	s.lo -= n & low32
	s.carry()
}

func (s *sum) carry() {
	s.hi += s.lo >> 32
	s.lo &= low32
}

// exceeds reports whether s > o.
func (s sum) exceeds(o sum) bool { return s.hi > o.hi || (s.hi == o.hi && s.lo > o.lo) }

func (s sum) big() *big.Int {
	b := new(big.Int).Lsh(big.NewInt(s.hi), 32)
	return b.Add(b, big.NewInt(s.lo))
}

func (s sum) String() string { return usdBig(s.big()) }

// plus returns a + b, or false if it does not fit.
func plus(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func (t Total) big() *big.Int {
	b := new(big.Int).Mul(big.NewInt(t.Dollars), big.NewInt(1_000_000))
	return b.Add(b, big.NewInt(t.Micros))
}
