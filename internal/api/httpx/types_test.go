package httpx

import (
	"math/rand/v2"
	"testing"
	"time"
)

func TestTimesHaveMillisecondsInUTC(t *testing.T) {
	const wire = "2006-01-02T15:04:05.000Z"
	r := rand.New(rand.NewPCG(1, 2))
	zone := time.FixedZone("", 5*3600+30*60)
	for range 100_000 {
		// Years 1 to 9999: what has another number of digits no calendar of ours has.
		when := time.Unix(-62_135_596_799+r.Int64N(315_537_897_000-86_400), r.Int64N(int64(time.Second))).In(zone)
		if got, want := ToTimestamp(when), when.UTC().Format(wire); string(got) != want {
			t.Fatalf("%d: got %s, want %s", when.UnixNano(), got, want)
		}
	}
	for _, ns := range []int{0, 1, 999_999, 1_000_000, 99_999_999, 100_000_000, 999_999_999} {
		when := time.Date(2026, 11, 17, 0, 0, 0, ns, time.UTC)
		if got, want := ToTimestamp(when), when.Format(wire); string(got) != want {
			t.Errorf("%d ns: got %s, want %s", ns, got, want)
		}
	}
	if got := ToTimestamp(time.Time{}); got != "" {
		t.Errorf("never is %q", got)
	}
}

func BenchmarkAt(b *testing.B) {
	when := time.Date(2026, 11, 17, 12, 34, 56, 789_000_000, time.UTC)
	for b.Loop() {
		ToTimestamp(when)
	}
}
