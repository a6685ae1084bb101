package plan

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// synthetic makes a book as a large installation has it: members with random
// sponsors, placed at the end of their leg; every tenth a customer, six of ten
// active; positions on both lines. The inputs are a month's last day on which
// sales become final and both lines have a profit that is settled.
func synthetic(members, sales, positions int) (*Book, Inputs) {
	rng := rand.New(rand.NewPCG(1, 2))
	b := &Book{}
	b.UID, b.Sponsor, b.Parent, b.ByUID = make([]int64, members), make([]int32, members), make([]int32, members), make([]int32, members)
	b.Side, b.Customer, b.Active, b.Blocked = make([]uint8, members), make([]bool, members), make([]bool, members), make([]bool, members)
	for _, col := range []*[]int64{&b.Final, &b.Own, &b.Month, &b.Left, &b.Right, &b.MatchBot, &b.Debt} {
		*col = make([]int64, members)
	}
	b.Sales, b.Rank, b.Reward, b.Months = make([]int32, members), make([]uint8, members), make([]uint8, members), make([]uint8, members)
	ends := newEnds(members)
	for i := range members {
		b.UID[i], b.ByUID[i], b.Sponsor[i], b.Parent[i] = int64(rng.Uint64()>>1), int32(i), -1, -1
		if i > 0 {
			b.Sponsor[i] = int32(rng.IntN(i))
			for b.Customer[b.Sponsor[i]] {
				b.Sponsor[i] = b.Sponsor[b.Sponsor[i]]
			}
			if b.Customer[i] = i%10 == 9; !b.Customer[i] {
				b.Side[i] = uint8(1 + rng.IntN(2))
				b.Parent[i] = ends.hang(int32(i), b.Sponsor[i], b.Side[i])
			}
		}
		if rng.IntN(10) < 6 {
			b.Sales[i], b.Final[i], b.Own[i], b.Active[i] = 1, 250*ppm, 250*ppm, true
		}
	}
	slices.SortFunc(b.ByUID, func(x, y int32) int { return cmp.Compare(b.UID[x], b.UID[y]) })
	day, _ := ParseDay("2026-04-30")
	in := Inputs{Day: day}
	for i := range sales {
		in.Finalise = append(in.Finalise, Sale{ID: fmt.Sprintf("s%07d", i), Member: int32(rng.IntN(members)), Amount: 250 * ppm, Volume: 250 * ppm})
	}
	for line := range LineNames {
		l := &b.Lines[line]
		l.Positions = make([]Position, positions/2)
		for i := range l.Positions {
			l.Positions[i] = Position{ID: fmt.Sprintf("p%07d", i), Member: int32(rng.IntN(members)), Principal: int64(100+rng.IntN(9000)) * ppm, Opened: day - 3, Term: 30}
		}
		in.Profits[line] = []Booking{{"profit", int64(positions) * 10 * ppm}}
		in.Settles[line] = []Booking{{"settle", int64(positions) * 8 * ppm}}
	}
	Default().Close(b, Inputs{Day: day - 1}) // who stands where is known from earlier closes
	return b, in
}

// ends finds where a leg ends without walking it again each time.
type ends [3][]int32

func newEnds(n int) (e ends) {
	for side := range e {
		e[side] = make([]int32, n)
		for i := range e[side] {
			e[side][i] = int32(i)
		}
	}
	return e
}

func (e ends) hang(i, sponsor int32, side uint8) (parent int32) {
	next := e[side]
	for parent = sponsor; next[parent] != parent; parent = next[parent] {
		next[parent] = next[next[parent]]
	}
	next[parent] = i
	return parent
}

// One close of a million members with 100,000 sales that became final, 200,000
// positions and a profit on each line. It reports what a member costs in bytes:
// the book, and everything that the close allocates, its result included.
func BenchmarkCloseOfAMillionMembers(b *testing.B) {
	const members = 1_000_000
	p := Default()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	book, in := synthetic(members, 100_000, 200_000)
	runtime.GC()
	runtime.ReadMemStats(&after)
	held := after.HeapAlloc - before.HeapAlloc
	var rows int
	var allocated, kept uint64
	for b.Loop() {
		b.StopTimer()
		copied := book.Clone()
		runtime.GC()
		runtime.ReadMemStats(&before)
		b.StartTimer()
		r := p.Close(copied, in)
		b.StopTimer()
		runtime.ReadMemStats(&after)
		allocated = after.TotalAlloc - before.TotalAlloc
		runtime.GC()
		runtime.ReadMemStats(&after)
		kept = after.HeapAlloc - before.HeapAlloc
		rows = len(r.Rows)
		runtime.KeepAlive(copied)
		b.StartTimer()
	}
	b.ReportMetric(float64(held)/members, "book-B/member")
	b.ReportMetric(float64(allocated)/members, "close-B/member")
	b.ReportMetric(float64(kept)/members, "result-B/member")
	b.ReportMetric(float64(rows), "rows")
}
