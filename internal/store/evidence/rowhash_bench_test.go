package evidence

import "testing"

// The cost of one income's signed line in a close.
func BenchmarkFingerprintOfAnIncome(b *testing.B) {
	vals := []any{int64(1_234_567), int64(20_500), int64(0), "", int64(4_321), int64(54_321), int64(7), "", int64(12_345_678), int64(12_345_678), int64(450_000_000), int64(0), int64(0), int64(0), int64(0), int64(0), int64(0), "sabcdefghijklmnop"}
	f := NewRowHasher()
	for b.Loop() {
		f.Add(vals...)
	}
	f.Sum()
}
