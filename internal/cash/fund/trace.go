package fund

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Limits of a trace. A thief can hide a large transfer among many small ones made before
// or after it, so no limit may depend on when a transfer was made: the members to whom
// most of the money can have come are read first. Each query takes at most half of what
// is left of a limit, but always the least share.
//
// All other commands wait while a trace reads, so it stops at these limits. It does not
// follow:
//   - transfers by members beyond the maxTraced that are read one by one and the
//     maxCrowds groups of crowdSize that are read together; members who gave nothing do
//     not count, among the first maxAsked;
//   - money that passed through more than maxTraced+maxCrowds members in a row;
//   - of one query, sums below the smallest one that it returned.
//
// Beyond maxHeld places, the smallest parts are not held. The cost of one query grows
// with the number of transfers that its members made in the window.
const (
	// traceWindow is how far back gifts are read: as long as the longest waiting period.
	traceWindow = 48 * time.Hour
	// MaxGifts limits the transfers that are followed one by one, of all members
	// together.
	MaxGifts  = 20_000
	maxSums   = 20_000
	leastEach = 64
	leastSums = 512
	// maxTraced limits the members whose gifts are read one member at a time.
	maxTraced = 250
	// maxAsked limits the members that Gave checks, in batches of at least fewest.
	maxAsked = 10_000
	fewest   = 8
	// maxCrowds limits how often the gifts of crowdSize members are read together.
	maxCrowds = 16
	crowdSize = 256
	// maxHeld limits the rows that are written.
	maxHeld = 10_000
)

// place is one fund of one member.
type place struct {
	uid  int64
	fund Kind
}

// spot is the state of a place during a trace.
type spot struct {
	place
	has money.Amount
	// loose is set if not all gifts from or to this place are known one by one, or if one
	// of its givers is loose. A gift then subtracts nothing from has, and each receiver
	// gets at most has in total. So too much is held rather than too little.
	loose bool
	sent  map[int64]money.Amount // by receiver, once the place is loose
	sums  []*carried
	most  money.Amount // limit of what sums carried to each receiver
}

// carried is a sum of gifts, and the part of it that has carried none of the money yet.
type carried struct {
	Gift
	left money.Amount
}

// trace follows a member's money from fund to fund, in two passes. The first pass selects
// whose gifts to read, by an upper bound of the money that may have come to a member: it
// assumes the most favourable time for every transfer. The second pass replays everything
// that was read in the order of the ledger.
//
// A receiver who sends money on is assumed to send the member's money first. A sum is
// assumed to be sent as a whole at the time of its first transfer and to carry as much as
// possible: both its receiver and its giver are held for all of it. Members whose gifts
// were read together form a crowd, which has the money of all of them and gives sums.
type trace struct {
	s     *Service
	tx    *ledger.Tx
	giver int64
	after int64 // transfers up to this one are ignored: the member's first gift comes after it
	since time.Time
	at    map[place]*spot
	order []*spot // the values of at, in the order of discovery
	total map[Kind]money.Amount
	asked map[int64]bool  // members checked by Gave
	done  map[int64]bool  // members whose gifts need no further reading
	heavy map[int64]bool  // members whose gifts are not all known one by one
	crowd map[int64]int64 // member to crowd; crowds have negative ids
	next  nextQueue
	found int
	gifts []Gift
	// What remains of the limits.
	each, sums, members, asks, crowds int
	raised                            []*spot // places whose sums may carry more
}

func newTrace(s *Service, tx *ledger.Tx, giver int64) *trace {
	return &trace{
		s: s, tx: tx, giver: giver, since: tx.Now().Add(-traceWindow), gifts: unwritten(tx),
		each: MaxGifts, sums: maxSums, members: maxTraced, asks: maxAsked, crowds: maxCrowds,
		at: map[place]*spot{}, total: map[Kind]money.Amount{}, asked: map[int64]bool{}, done: map[int64]bool{giver: true}, heavy: map[int64]bool{}, crowd: map[int64]int64{},
	}
}

func (t *trace) follow(ctx context.Context) (err error) {
	if _, err := t.given(ctx, t.giver, []int64{t.giver}); err != nil {
		return err
	}
	t.after = math.MaxInt64
	for _, g := range t.gifts {
		if g.From != t.giver {
			continue
		}
		t.after = min(t.after, g.Seq-1)
		if t.total[g.Fund], err = t.total[g.Fund].Add(g.Amount); err != nil {
			return err
		}
	}
	if len(t.total) == 0 {
		return nil
	}
	if err := t.walk(t.gifts, true); err != nil {
		return err
	}
	if err := t.read(ctx); err != nil {
		return err
	}
	t.at, t.order = map[place]*spot{}, nil
	slices.SortStableFunc(t.gifts, func(a, b Gift) int { return cmp.Compare(a.Seq, b.Seq) })
	return t.walk(t.gifts, false)
}

// read reads the gifts of the queued members within the limits.
func (t *trace) read(ctx context.Context) error {
	for {
		one := t.members > 0
		size := crowdSize
		if one && len(t.next) > 0 && t.asked[t.next[0].uid] {
			size = 1
		}
		some := t.take(size)
		if one {
			var err error
			if some, err = t.active(ctx, some); err != nil {
				return err
			}
		}
		if len(some) == 0 {
			if len(t.next) == 0 {
				return nil
			}
			continue
		}
		from := some[0].uid
		if one {
			for _, x := range some[1:] {
				heap.Push(&t.next, x)
			}
			some = some[:1]
			t.members--
		} else if t.crowds--; t.crowds < 0 {
			return nil
		} else {
			from = int64(-1 - t.crowds)
		}
		if err := t.open(ctx, from, some); err != nil {
			return err
		}
	}
}

// take removes the next n distinct members from the queue.
func (t *trace) take(n int) (some []next) {
	taken := map[int64]bool{}
	for len(t.next) > 0 && len(some) < n {
		x := heap.Pop(&t.next).(next)
		if !t.done[x.uid] && !taken[x.uid] {
			taken[x.uid] = true
			some = append(some, x)
		}
	}
	return some
}

// active removes the members who gave nothing. Most members gave nothing, and one query
// shows that for many of them.
func (t *trace) active(ctx context.Context, some []next) ([]next, error) {
	var uids []int64
	for _, x := range some {
		if !t.asked[x.uid] {
			uids = append(uids, x.uid)
		}
	}
	if len(uids) < fewest || len(uids) > t.asks {
		return some, nil
	}
	t.asks -= len(uids)
	for _, uid := range uids {
		t.asked[uid], t.done[uid] = true, true
	}
	gave, err := t.s.store.Gave(ctx, t.tx, uids, t.after, t.since)
	for _, uid := range gave {
		t.done[uid] = false
	}
	return slices.DeleteFunc(some, func(x next) bool { return t.done[x.uid] }), err
}

// open reads the gifts of some members. from is the member's uid, or the id of their
// crowd.
func (t *trace) open(ctx context.Context, from int64, some []next) error {
	var uids []int64
	for _, x := range some {
		t.done[x.uid] = true
		uids = append(uids, x.uid)
		if from > 0 {
			continue
		}
		t.crowd[x.uid] = from
		for _, k := range []Kind{Robot, Forex, Crypto} {
			if x, known := t.at[place{x.uid, k}]; known {
				if err := t.reach(place{from, k}, x.has, true); err != nil {
					return err
				}
			}
		}
	}
	gifts, err := t.given(ctx, from, uids)
	if err != nil {
		return err
	}
	return t.walk(gifts, true)
}

// walk applies gifts to the places. With atOnce, each gift counts as a sum.
func (t *trace) walk(gifts []Gift, atOnce bool) error {
	for _, g := range gifts {
		if g.To == t.giver || g.To == 0 {
			continue // back with the giver, where all money waits, or without a receiver
		}
		g.Sum = g.Sum || atOnce
		if err := t.move(g); err != nil {
			return err
		}
		if err := t.spread(); err != nil {
			return err
		}
	}
	return nil
}

// move applies one gift.
func (t *trace) move(g Gift) error {
	to := place{g.To, g.Fund}
	if g.From == t.giver {
		return t.reach(to, g.Amount, g.Sum)
	}
	from := t.spot(place{g.From, g.Fund})
	if g.Sum {
		c := &carried{g, g.Amount}
		from.sums = append(from.sums, c)
		if from.most.Less(from.has) {
			t.raised = append(t.raised, from)
			return nil
		}
		return t.carry(from, c)
	}
	if from.loose {
		moved, err := from.send(g.To, g.Amount, from.has)
		if err != nil {
			return err
		}
		return t.reach(to, moved, true)
	}
	moved := money.Min(g.Amount, from.has)
	var err error
	if from.has, err = from.has.Sub(moved); err != nil {
		return err
	}
	return t.reach(to, moved, false)
}

// send returns how much of an amount a loose place may have sent, so that no receiver
// gets more than most in total.
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

// spread propagates money through sums. Sums can form cycles: each round at least doubles
// the limit of a place, so that the loop ends.
func (t *trace) spread() error {
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
			if err := t.carry(from, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// carry moves as much as possible with one sum.
func (t *trace) carry(from *spot, c *carried) error {
	moved, err := from.send(c.To, c.left, from.most)
	if err != nil {
		return err
	}
	if c.left, err = c.left.Sub(moved); err != nil {
		return err
	}
	return t.reach(place{c.To, c.Fund}, moved, true)
}

func (t *trace) spot(p place) *spot {
	x, known := t.at[p]
	if !known {
		x = &spot{place: p}
		t.at[p] = x
		t.order = append(t.order, x)
	}
	x.loose = x.loose || t.heavy[p.uid] || t.crowd[p.uid] != 0
	return x
}

// reach adds money that came to a place, at most all that the giver sent.
func (t *trace) reach(to place, moved money.Amount, loose bool) error {
	if moved.Sign() <= 0 {
		return nil
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
	if crowd := t.crowd[to.uid]; crowd != 0 {
		return t.reach(place{crowd, to.fund}, moved, true)
	}
	if to.uid > 0 && !t.done[to.uid] {
		t.found++
		heap.Push(&t.next, next{to.uid, x.has, t.found})
	}
	return nil
}

// given reads the gifts of members and spends the limits.
func (t *trace) given(ctx context.Context, from int64, uids []int64) ([]Gift, error) {
	of := GiftsOf{UIDs: uids, After: t.after, Since: t.since, Sums: max(t.sums/2, leastSums)}
	if from > 0 {
		of.Each = max(t.each/2, leastEach)
	}
	all, err := t.s.store.Given(ctx, t.tx, of)
	t.each, t.sums = t.each-len(all.Each), t.sums-len(all.Sums)
	t.heavy[from] = all.More || len(all.Sums) > 0
	gifts := slices.Concat(all.Each, all.Sums)
	for i := range gifts {
		gifts[i].From = from
	}
	t.gifts = append(t.gifts, gifts...)
	return gifts, err
}
