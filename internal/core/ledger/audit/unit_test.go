package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// The leaves and roots that RFC 6962's reference implementation publishes.
func TestTreeIsRFC6962(t *testing.T) {
	inputs := []string{"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"}
	roots := []string{
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
		"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
		"4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
		"76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
		"ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
		"5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	}
	for n, want := range roots {
		var tr tree
		for _, in := range inputs[:n] {
			raw, err := hex.DecodeString(in)
			if err != nil {
				t.Fatal(err)
			}
			tr.add(sha256.Sum256(append([]byte{0}, raw...)))
		}
		if got := tr.root(); hex.EncodeToString(got[:]) != want {
			t.Errorf("%d leaves: %x, want %s", n, got, want)
		}
	}
}

func TestSumNeverOverflows(t *testing.T) {
	edges := []int64{0, 1, -1, math.MaxInt64, math.MinInt64, 1 << 32, -1 << 32, 1<<32 - 1}
	var s sum
	want := new(big.Int)
	for i := range 20_000 {
		n := edges[rand.IntN(len(edges))]
		if i%3 == 0 {
			n = rand.Int64() - rand.Int64()
		}
		before, wasBig := s, new(big.Int).Set(want)
		if rand.IntN(2) == 0 {
			s.add(n)
			want.Add(want, big.NewInt(n))
		} else {
			s.sub(n)
			want.Sub(want, big.NewInt(n))
		}
		if s.big().Cmp(want) != 0 {
			t.Fatalf("step %d: %v, want %v", i, s.big(), want)
		}
		if s.exceeds(before) != (want.Cmp(wasBig) > 0) {
			t.Fatalf("step %d: %v exceeds %v?", i, want, wasBig)
		}
	}
}

func TestPlusReportsAnOverflow(t *testing.T) {
	for _, c := range []struct {
		a, b int64
		fits bool
	}{
		{1, 2, true},
		{math.MaxInt64, 0, true},
		{math.MaxInt64, 1, false},
		{math.MinInt64, -1, false},
		{math.MinInt64, math.MaxInt64, true},
		{-1, math.MinInt64, false},
		{0, math.MinInt64, true},
	} {
		if _, fits := plus(c.a, c.b); fits != c.fits {
			t.Errorf("%d + %d fits: %v", c.a, c.b, fits)
		}
	}
}

func TestLocate(t *testing.T) {
	for code, want := range map[string]place{
		"A:CLIENT":                    {"A:CLIENT", 0, ""},
		"A:TRADING:FOREX":             {"A:TRADING", 0, "FOREX"},
		"L:FUND:FUNDS:100007":         {"L:FUND", 100007, "FUNDS:100007"},
		"L:INCOME:Level:100007":       {"L:INCOME", 100007, "Level:100007"},
		"L:HELD:Level:100007":         {"L:HELD", 100007, "Level:100007"},
		"L:PRINCIPAL:FOREX:100006:p2": {"L:PRINCIPAL", 100006, "FOREX:100006:p2"},
		"L:DEFERRED:100007":           {"L:DEFERRED", 0, "100007"},
		"E:COMPANY":                   {"E:COMPANY", 0, ""},
	} {
		if got, ok := locate(code); !ok || got != want {
			t.Errorf("%s: %+v, %v", code, got, ok)
		}
	}
	for _, code := range []string{
		"", "A", "A:", ":CLIENT", "L:FUND", "L:FUND:FUNDS:bob", "L:FUND:FUNDS:007", "L:FUND:FUNDS:-7", "L:FUND:FUNDS:+7", "L:FUND:FUNDS:0",
		"L:PRINCIPAL", "L:PRINCIPAL:100006", "L:PRINCIPAL:FOREX:p2:100006", "L:FUND:FUNDS:99999999999999999999",
	} {
		if got, ok := locate(code); ok {
			t.Errorf("%q: %+v", code, got)
		}
	}
}

func TestExpiry(t *testing.T) {
	want := time.Date(2026, 11, 15, 3, 12, 21, 0, time.UTC).UnixMicro()
	for reason, ok := range map[string]bool{
		"until 2026-11-15T03:12:21.000000Z":           true,
		"until 2026-11-15T03:12:21.000000Z; withdraw": true,
		"until 2026-11-15T03:12:21.000000Z; ":         true,
		"until 2026-11-15T03:12:21.000000Zx":          false,
		"until 2026-11-15T03:12:21Z":                  false,
		"until 2026-11-15T03:12:21.000000+00:00":      false,
		"until 2026-13-15T03:12:21.000000Z":           false,
		"Until 2026-11-15T03:12:21.000000Z":           false,
		"until ":                                      false,
		"":                                            false,
	} {
		got, read := expiry(reason)
		if read != ok || (ok && got != want) {
			t.Errorf("%q: %d, %v", reason, got, read)
		}
	}
}

func TestMoneyIsWrittenInDollars(t *testing.T) {
	for micros, want := range map[int64]string{
		0: "0.000000", 1: "0.000001", -1: "-0.000001", 1_000_000: "1.000000", -12_345_678: "-12.345678",
		math.MaxInt64: "9223372036854.775807", math.MinInt64: "-9223372036854.775808",
	} {
		if got := usd(micros); got != want {
			t.Errorf("%d: %s, want %s", micros, got, want)
		}
	}
}
