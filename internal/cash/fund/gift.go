package fund

import (
	"cmp"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Gift is a transfer between two members. If Sum is set, it adds up several transfers to
// the same fund of the same member, and Seq is the first of them.
type Gift struct {
	Seq, From, To int64
	Fund          Kind
	Amount        money.Amount
	Sum           bool
}

// GiftsOf selects gifts.
type GiftsOf struct {
	UIDs       []int64 // taken as one giver
	After      int64   // later than this transfer
	Since      time.Time
	Each, Sums int // limits of the two lists of Gifts
}

// Gifts are the transfers of members to others: the largest one by one, and all others as
// sums, the largest first.
type Gifts struct {
	Each, Sums []Gift
	More       bool // there are more receivers, each with less than the smallest sum
}

// unwritten returns the gifts of the same group of commands, which are not in the store
// yet.
func unwritten(tx *ledger.Tx) (out []Gift) {
	var g Gift
	tx.Unwritten(func(t *ledger.TransferRow, e *ledger.EntryRow) {
		if t.Kind != "transfer" || e.Kind != "L:FUND" {
			return
		}
		if e.Delta < 0 {
			g = Gift{Seq: t.Seq, From: e.Owner, Fund: KindOf(e.Code), Amount: money.Micro(-e.Delta)}
			return
		}
		if g.To = e.Owner; g.Seq == t.Seq {
			out = append(out, g)
		}
	})
	return out
}

// next is a queued member. The queue is ordered by the largest amount that may have come
// to the member, then by n, the order of discovery.
type next struct {
	uid  int64
	most money.Amount
	n    int
}

type nextQueue []next

func (q nextQueue) Len() int { return len(q) }
func (q nextQueue) Less(i, j int) bool {
	return cmp.Or(q[j].most.Cmp(q[i].most), cmp.Compare(q[i].n, q[j].n)) < 0
}
func (q nextQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *nextQueue) Push(x any)   { *q = append(*q, x.(next)) }

func (q *nextQueue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
