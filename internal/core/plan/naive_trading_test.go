package plan

import (
	"math/big"
	"reflect"
	"slices"
)

// naiveLine does a trading line the slow way: a list of held rows that is gone
// through again for every question. It takes from the book only what positions
// are, not what became of them.
type naiveLine struct {
	loss    map[string]int64
	state   map[string]PositionState
	reserve int64
	settled int64
	held    []*naiveHeld
	batches []string // not released, in order
	fees    []Fee

	// of the day
	refused   []string
	released  map[string]map[int32]int64
	paid      []Fee
	claims    []Claim
	unsettled int64
}

type naiveHeld struct {
	booking, position string
	to                int32
	roi, gone         bool
	amount            int64
}

// split divides a total by weights: floors first, then one each to the largest
// remainders, the earliest of equals first.
func split(total int64, weights []int64) []int64 {
	sum := new(big.Int)
	for _, w := range weights {
		sum.Add(sum, big.NewInt(w))
	}
	parts, rests := make([]int64, len(weights)), make([]*big.Int, len(weights))
	left := total
	for i, w := range weights {
		q, r := new(big.Int).DivMod(new(big.Int).Mul(big.NewInt(total), big.NewInt(w)), sum, new(big.Int))
		parts[i], rests[i] = q.Int64(), r
		left -= parts[i]
	}
	for ; left > 0; left-- {
		best := 0
		for i := range rests {
			if rests[i].Cmp(rests[best]) > 0 {
				best = i
			}
		}
		parts[best]++
		rests[best].SetInt64(-1)
	}
	return parts
}

func (n *naive) trade(w *world, line int, in Inputs) {
	l := n.lines[line]
	l.refused, l.released, l.paid, l.claims, l.unsettled = nil, map[string]map[int32]int64{}, nil, nil, 0
	for _, c := range w.claims {
		if c.done && c.Line == line {
			l.state[c.pos] = Claimed
			for _, h := range l.held {
				h.gone = h.gone || h.roi && h.position == c.pos
			}
		}
	}
	for _, b := range in.Profits[line] {
		if b.Amount < 0 {
			n.lose(line, in.Day, -b.Amount)
		} else {
			n.gain(line, in.Day, b)
		}
	}
	for _, s := range in.Settles[line] {
		if s.Amount > l.sum(func(h *naiveHeld) bool { return !h.roi || l.state[h.position] == Open })+l.fee()-l.settled {
			l.refused = append(l.refused, s.ID)
			continue
		}
		l.settled += s.Amount
	}
	l.release()
}

func (l *naiveLine) sum(which func(*naiveHeld) bool) (total int64) {
	for _, h := range l.held {
		if !h.gone && which(h) {
			total += h.amount
		}
	}
	return total
}

func (l *naiveLine) fee() (total int64) {
	for _, f := range l.fees {
		total += f.Amount
	}
	return total
}

// live are the positions a result is booked over that fit.
func (n *naive) live(line int, day Day, fits func(Position) bool) (at []int, weights []int64) {
	for i, p := range n.b.Lines[line].Positions {
		if n.lines[line].state[p.ID] == Open && p.Opened < day && fits(p) {
			at, weights = append(at, i), append(weights, p.Principal)
		}
	}
	return at, weights
}

func (n *naive) lose(line int, day Day, rest int64) {
	l := n.lines[line]
	used := min(rest, l.reserve)
	l.reserve -= used
	rest -= used
	for rest > 0 {
		at, weights := n.live(line, day, func(p Position) bool { return l.loss[p.ID] < p.Principal })
		if len(at) == 0 {
			return
		}
		for k, share := range split(rest, weights) {
			p := n.b.Lines[line].Positions[at[k]]
			part := min(share, p.Principal-l.loss[p.ID])
			l.loss[p.ID] += part
			rest -= part
		}
	}
}

func (n *naive) gain(line int, day Day, b Booking) {
	l := n.lines[line]
	at, weights := n.live(line, day, func(Position) bool { return true })
	if len(at) == 0 {
		l.reserve += b.Amount
		return
	}
	fees, before := int64(0), len(l.held)
	for k, share := range split(b.Amount, weights) {
		p := n.b.Lines[line].Positions[at[k]]
		got, repaid := share, min(share, l.loss[p.ID])
		l.loss[p.ID] -= repaid
		share -= repaid
		roi, fee := floor(share, n.p.ProfitSplitPPM.Member, ppm), floor(share, n.p.ProfitSplitPPM.Fee, ppm)
		fees += fee
		share -= fee
		if roi > 0 {
			share -= n.roi(line, int32(at[k]), Row{Paid: roi, A: got, B: repaid}, b.ID)
		}
		l.reserve += share
	}
	if len(l.held) > before {
		l.batches = append(l.batches, b.ID)
	}
	if fees > 0 {
		l.fees = append(l.fees, Fee{b.ID, fees})
	}
}

func (n *naive) roi(line int, at int32, own Row, booking string) (sum int64) {
	roi := own.Paid
	l, p := n.lines[line], n.b.Lines[line].Positions[at]
	put := func(r Row) {
		r.Line, r.Position, r.Of, r.Nominal, r.Held, r.Source = uint8(line), at, p.Member, r.Paid, true, booking
		n.add(r)
		l.held = append(l.held, &naiveHeld{booking: booking, position: p.ID, to: r.To, roi: r.Kind == KindROI, amount: r.Paid})
		sum += r.Paid
	}
	own.Kind, own.To, own.On = KindROI, p.Member, p.Principal
	put(own)
	up := n.b.Sponsor[p.Member]
	for level := 1; level <= 20 && up >= 0; level++ {
		rate := n.p.ROILevelPPM[level-1]
		if income := floor(roi, rate, ppm); income > 0 && n.active[up] && n.directs(up, 0) >= n.p.LevelOpen[level-1] {
			put(Row{Kind: KindROILevel, To: up, Level: uint8(level), Paid: income, On: roi, A: rate})
		}
		up = n.b.Sponsor[up]
	}
	return sum
}

func (l *naiveLine) due(batch string) func(*naiveHeld) bool {
	return func(h *naiveHeld) bool { return h.booking == batch && (!h.roi || l.state[h.position] == Open) }
}

func (l *naiveLine) release() {
	for len(l.batches) > 0 {
		id := l.batches[0]
		due := l.due(id)
		if l.sum(due) > l.settled {
			return
		}
		l.settled -= l.sum(due)
		l.released[id] = map[int32]int64{}
		for _, h := range l.held {
			if !h.gone && due(h) {
				l.released[id][h.to] += h.amount
				h.gone = true
			}
		}
		l.batches = l.batches[1:]
	}
	for _, state := range l.state {
		if state == Matured {
			return
		}
	}
	for len(l.fees) > 0 && l.fees[0].Amount <= l.settled {
		l.settled -= l.fees[0].Amount
		l.paid = append(l.paid, l.fees[0])
		l.fees = l.fees[1:]
	}
}

func (n *naive) mature(line int, day Day) {
	l := n.lines[line]
	for i, p := range n.b.Lines[line].Positions {
		if l.state[p.ID] == Open && p.Opened+Day(p.Term) <= day {
			l.state[p.ID] = Matured
			income := l.sum(func(h *naiveHeld) bool { return h.roi && h.position == p.ID }) - l.loss[p.ID]
			l.claims = append(l.claims, Claim{line, int32(i), p.Principal, income, p.Principal + income})
		}
	}
	need := l.fee() + l.sum(func(h *naiveHeld) bool { return !h.roi || l.state[h.position] == Open })
	l.unsettled = max(0, l.settled-need)
	l.settled -= l.unsettled
}

// compareLines holds the engine's trading against the naive one.
func (n *naive) compareLines(w *world, r *Result) {
	w.t.Helper()
	var claims []Claim
	var refused []string
	released := []map[string]map[int32]int64{{}, {}}
	for _, x := range r.Releases {
		by := map[int32]int64{}
		for _, s := range x.Shares {
			by[s.Of] = s.Amount
		}
		released[x.Line][x.Batch] = by
	}
	for line, name := range LineNames {
		l, b := n.lines[line], &w.b.Lines[line]
		claims, refused = append(claims, l.claims...), append(refused, l.refused...)
		w.same(name+" reserve", b.Reserve, l.reserve)
		w.same(name+" settled", b.Settled, l.settled)
		w.same(name+" given back", r.Unsettled[line], l.unsettled)
		if !reflect.DeepEqual(released[line], l.released) || !slices.Equal(r.FeesPaid[line], l.paid) {
			w.t.Fatalf("%s released %v and paid %v, not %v and %v", name, released[line], r.FeesPaid[line], l.released, l.paid)
		}
		for _, p := range b.Positions {
			w.same("loss of "+p.ID, p.Loss, l.loss[p.ID])
			if p.State != l.state[p.ID] {
				w.t.Fatalf("%s is in state %d, not %d", p.ID, p.State, l.state[p.ID])
			}
		}
	}
	var got []string
	for _, x := range r.Refused {
		if w.sales[x.ID] == nil && x.Reason != "not final" {
			got = append(got, x.ID)
		}
	}
	if !slices.Equal(r.Claims, claims) || !slices.Equal(got, refused) {
		w.t.Fatalf("claims %v and refusals %v, not %v and %v", r.Claims, got, claims, refused)
	}
}
