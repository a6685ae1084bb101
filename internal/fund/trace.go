package fund

import (
	"cmp"
	"container/heap"
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
)

// Gift is a transfer between two members, or several of them to the same fund of the
// same member, of which Seq is the first.
type Gift struct {
	Seq, From, To int64
	Fund          Kind
	Amount        money.Amount
	Sum           bool // of several
}

// GiftsOf says which of a member's gifts are wanted.
type GiftsOf struct {
	UID, After int64 // later than this transfer
	Since      time.Time
	Each, Sums int // at most so many, see Gifts
}

// Gifts is what a member gave to others: the largest transfers one by one, and all
// others as sums, the largest first.
type Gifts struct {
	Each, Sums []Gift
	More       bool // and less than the least sum, to others still
}

// How much a trace reads. Whoever wants money to get out of sight makes many small
// transfers after the large one, so no limit may depend on when a transfer was made:
// the largest are followed one by one, the others as sums for each receiver, and each
// member has at most half of what is left of a limit, but always the least share.
const (
	// traceWindow is how far back gifts are looked at: as long as the longest wait.
	traceWindow = 48 * time.Hour
	// MaxGifts is how many transfers are followed one by one, of all members together.
	MaxGifts = 20_000
	maxSums  = 20_000
	// maxTraced is how many members' gifts are read.
	maxTraced = 10_000
	leastEach = 8
	leastSums = 32
)

// place is one fund of one member.
type place struct {
	uid  int64
	fund Kind
}

// spot is what a trace knows of a place.
type spot struct {
	place
	has money.Amount
	// loose: not all gifts from here are known one by one, or not all to here, or this
	// holds of who gave them. Then nothing is taken off has when money is sent on, and no
	// receiver gets more than has in all. It is too much rather than too little.
	loose bool
	sent  map[int64]money.Amount // by receiver, since it is loose
	sums  []*carried
	most  money.Amount // what sums may have carried to each receiver
}

// carried is a sum of gifts, and how much of it carried none of the money yet.
type carried struct {
	Gift
	left money.Amount
}

// trace follows a member's money from fund to fund, in the ledger's order. A receiver
// who sends money on is taken to send what came from the member first. A sum is taken
// to have been sent as a whole at the time of its first transfer, and to have carried
// as much as it can: its receiver is held for all of it, and so is its giver.
type trace struct {
	s     *Service
	tx    *ledger.Tx
	rows  ledger.Rows
	giver int64
	since time.Time
	at    map[place]*spot
	order []*spot // of at, as they were found
	total map[Kind]money.Amount
	seen  map[int64]bool
	quiet map[int64]bool // they gave nothing since they may have been reached
	heavy map[int64]bool // not all of their gifts are known one by one
	gifts giftQueue
	// What may be read yet.
	each, sums, members int
	raised              []*spot // their sums may have carried more
}

func newTrace(s *Service, tx *ledger.Tx, rows ledger.Rows, giver int64) *trace {
	return &trace{
		s: s, tx: tx, rows: rows, giver: giver, since: tx.Now().Add(-traceWindow), each: MaxGifts, sums: maxSums, members: maxTraced,
		at: map[place]*spot{}, total: map[Kind]money.Amount{}, seen: map[int64]bool{}, quiet: map[int64]bool{}, heavy: map[int64]bool{},
	}
}

func (t *trace) follow(ctx context.Context) (err error) {
	if err := t.given(ctx, t.giver, 0); err != nil {
		return err
	}
	for _, g := range t.gifts {
		if t.total[g.Fund], err = t.total[g.Fund].Add(g.Amount); err != nil {
			return err
		}
	}
	for len(t.gifts) > 0 {
		g := heap.Pop(&t.gifts).(Gift)
		if g.To == t.giver || g.To == 0 {
			continue // there it waits with the rest; or it is nobody's
		}
		if err := t.move(ctx, g); err != nil {
			return err
		}
		if err := t.spread(ctx, g.Seq); err != nil {
			return err
		}
	}
	return nil
}

// move does what a gift did to the money.
func (t *trace) move(ctx context.Context, g Gift) error {
	to := place{g.To, g.Fund}
	if g.From == t.giver {
		return t.reach(ctx, to, g.Amount, g.Seq, g.Sum)
	}
	from := t.spot(place{g.From, g.Fund})
	if g.Sum {
		from.sums = append(from.sums, &carried{g, g.Amount})
		t.raised = append(t.raised, from)
		return nil
	}
	if from.loose {
		moved, err := from.send(g.To, g.Amount, from.has)
		if err != nil {
			return err
		}
		return t.reach(ctx, to, moved, g.Seq, true)
	}
	moved := money.Min(g.Amount, from.has)
	var err error
	if from.has, err = from.has.Sub(moved); err != nil {
		return err
	}
	return t.reach(ctx, to, moved, g.Seq, false)
}

// send is how much of an amount a loose place can have sent of the money, if no
// receiver gets more than most.
func (x *spot) send(to int64, a, most money.Amount) (moved money.Amount, err error) {
	if x.sent == nil {
		x.sent = map[int64]money.Amount{}
	}
	room, err := most.Sub(x.sent[to])
	if err != nil || room.Sign() <= 0 {
		return moved, err
	}
	moved = money.Min(a, room)
	x.sent[to], err = x.sent[to].Add(moved)
	return moved, err
}

// spread lets sums carry on what has come to their places. Sums can go round in
// circles: each time what they may carry is at least doubled, so that this ends.
func (t *trace) spread(ctx context.Context, seq int64) error {
	for len(t.raised) > 0 {
		from := t.raised[0]
		t.raised = t.raised[1:]
		if from.most.Less(from.has) {
			twice, err := from.most.Add(from.most)
			if err != nil {
				return err
			}
			if from.most = twice; from.most.Less(from.has) {
				from.most = from.has
			}
		}
		for _, c := range from.sums {
			moved, err := from.send(c.To, c.left, from.most)
			if err != nil {
				return err
			}
			if c.left, err = c.left.Sub(moved); err != nil {
				return err
			}
			if err := t.reach(ctx, place{c.To, c.Fund}, moved, seq, true); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *trace) spot(p place) *spot {
	x, known := t.at[p]
	if !known {
		x = &spot{place: p}
		t.at[p] = x
		t.order = append(t.order, x)
	}
	x.loose = x.loose || t.heavy[p.uid]
	return x
}

// reach notes money that came to a place, never more than the member gave at all, and
// of who is reached first what they gave after that.
func (t *trace) reach(ctx context.Context, to place, moved money.Amount, seq int64, loose bool) error {
	if moved.Sign() <= 0 {
		return nil
	}
	if !t.seen[to.uid] {
		if err := t.given(ctx, to.uid, seq); err != nil {
			return err
		}
	}
	x := t.spot(to)
	x.loose = x.loose || loose
	sum, err := x.has.Add(moved)
	if err != nil {
		return err
	}
	x.has = money.Min(sum, t.total[to.fund])
	if len(x.sums) > 0 && x.most.Less(x.has) {
		t.raised = append(t.raised, x)
	}
	return nil
}

// given adds what a member gave after a transfer.
func (t *trace) given(ctx context.Context, uid, after int64) (err error) {
	t.seen[uid] = true
	var all Gifts
	if !t.quiet[uid] && t.members > 0 {
		t.members--
		all, err = t.s.store.Given(ctx, t.rows, GiftsOf{
			UID: uid, After: after, Since: t.since, Each: max(t.each/2, leastEach), Sums: max(t.sums/2, leastSums),
		})
	}
	if err != nil {
		return err
	}
	t.each, t.sums = t.each-len(all.Each), t.sums-len(all.Sums)
	t.heavy[uid] = all.More || len(all.Sums) > 0
	for _, more := range [][]Gift{all.Each, all.Sums, unwritten(t.tx, uid, after)} {
		if err := t.meet(ctx, more, after); err != nil {
			return err
		}
		for _, g := range more {
			heap.Push(&t.gifts, g)
		}
	}
	return nil
}

// meet finds out which of the receivers of gifts gave nothing after a transfer: most
// did not, and are asked together.
func (t *trace) meet(ctx context.Context, gifts []Gift, after int64) error {
	var uids []int64
	for _, g := range gifts {
		if _, known := t.quiet[g.To]; !known && !t.seen[g.To] {
			t.quiet[g.To] = true
			uids = append(uids, g.To)
		}
	}
	gave, err := t.s.store.Gave(ctx, t.rows, uids, after, t.since)
	for _, uid := range gave {
		t.quiet[uid] = false
	}
	return err
}

// unwritten are a member's gifts of the same group, which the store does not have.
func unwritten(tx *ledger.Tx, uid, after int64) (out []Gift) {
	var g Gift
	tx.Unwritten(func(t *ledger.TransferRow, e *ledger.EntryRow) {
		if t.Kind != "transfer" || e.Kind != "L:FUND" || t.Seq <= after {
			return
		}
		if e.Delta < 0 {
			g = Gift{Seq: t.Seq, From: e.Owner, Fund: KindOf(e.Code), Amount: money.Micro(-e.Delta)}
			return
		}
		if g.To = e.Owner; g.Seq == t.Seq && g.From == uid {
			out = append(out, g)
		}
	})
	return out
}

// giftQueue gives gifts in the ledger's order.
type giftQueue []Gift

func (q giftQueue) Len() int           { return len(q) }
func (q giftQueue) Less(i, j int) bool { return cmp.Less(q[i].Seq, q[j].Seq) }
func (q giftQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *giftQueue) Push(x any)        { *q = append(*q, x.(Gift)) }

func (q *giftQueue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
