package plan

import (
	"math/big"
	"reflect"
)

// naive does a close the slow way, for comparison: it walks
// from every sale to everybody above it, remembers who received what, and
// recounts everything else from all sales each day. It shares only the facts of
// the tree and of who is blocked with the book.
type naive struct {
	p            *Plan
	b            *Book
	left, right  map[int32]int64
	matched      map[int32]int64
	active       map[int32]bool
	rank, reward map[int32]int
	months       map[int32]int64
	debt         map[int32]int64
	pools        [pools]int64
	deficit      [RESERVE]int64
	sales        []*naiveSale
	month        []Share // volume of the month: by whose it is
	rows         []Row   // of the day
	last         int64
	lines        [2]*naiveLine
}

type naiveSale struct {
	Sale
	received []naiveLeg
	back     bool
}

type naiveLeg struct {
	who  int32
	side uint8
}

func newNaive(w *world) *naive {
	n := &naive{
		p: w.p, b: w.b, left: map[int32]int64{}, right: map[int32]int64{}, matched: map[int32]int64{}, active: map[int32]bool{},
		rank: map[int32]int{}, reward: map[int32]int{}, months: map[int32]int64{}, debt: map[int32]int64{},
	}
	for i := range n.lines {
		n.lines[i] = &naiveLine{loss: map[string]int64{}, state: map[string]PositionState{}}
	}
	return n
}

// floor is a·num/den without any bound on the middle.
func floor(a, num, den int64) int64 {
	x := new(big.Int).Mul(big.NewInt(a), big.NewInt(num))
	return x.Div(x, big.NewInt(den)).Int64()
}

func (n *naive) origin(m int32) int32 {
	if n.b.Customer[m] {
		return n.b.Sponsor[m]
	}
	return m
}

func (n *naive) add(r Row) {
	n.last++
	r.No = n.last
	n.rows = append(n.rows, r)
}

// close comes after the engine's, of which it sees only what went in.
func (n *naive) close(w *world) {
	in := w.in
	n.rows = nil
	fresh := n.finalise(in)
	n.chargebacks(in)
	was := n.active
	n.active = map[int32]bool{}
	for _, s := range n.sales {
		if !s.back {
			n.active[s.Member] = true
		}
	}
	for m := range was {
		if !n.active[m] {
			n.left[m], n.right[m] = 0, 0
		}
	}
	n.levels(fresh)
	n.volume(fresh)
	n.matching()
	n.leadership(in.Day.LastOfMonth())
	if in.Day.LastOfMonth() {
		n.royalty()
		n.month = nil
	}
	for line := range LineNames {
		n.trade(w, line, in)
	}
	for line := range LineNames {
		n.mature(line, in.Day)
	}
}

func (n *naive) finalise(in Inputs) (fresh []*naiveSale) {
	for _, s := range in.Finalise {
		for k, share := range n.shares(s, n.p.PoolsPPM) {
			repaid := min(share, n.deficit[k])
			n.deficit[k] -= repaid
			n.pools[k] += share - repaid
		}
		sale := &naiveSale{Sale: s}
		fresh, n.sales = append(fresh, sale), append(n.sales, sale)
		n.month = append(n.month, Share{n.origin(s.Member), s.Volume})
	}
	return fresh
}

// shares are by the rates of the day on which the sale became final.
func (n *naive) shares(s Sale, r PoolRates) [RESERVE]int64 {
	return [RESERVE]int64{floor(s.Amount, r.Level, ppm), floor(s.Amount, r.Match, ppm), floor(s.Amount, r.Lead, ppm), floor(s.Amount, r.Royalty, ppm)}
}

func (n *naive) chargebacks(in Inputs) {
	has := map[wallet]int64{}
	for _, cb := range in.Chargebacks {
		for _, l := range cb.Levels {
			has[wallet{l.To, l.Held}] = l.Available
		}
	}
	for _, cb := range in.Chargebacks {
		for _, l := range cb.Levels {
			w := wallet{l.To, l.Held}
			t := min(l.Income, has[w])
			has[w] -= t
			n.pools[RESERVE] += t
			n.debt[l.To] += l.Income - t
			n.add(Row{Kind: KindLevel, To: l.To, Of: cb.Sale.Member, Level: l.Level, Paid: -l.Income, Nominal: -l.Income, On: cb.Sale.Amount, Held: l.Held, Reverses: l.Row, Source: cb.Sale.ID})
		}
		for k, share := range n.shares(cb.Sale, cb.Rates) {
			from := Pool(k)
			if from == LEVEL {
				from = RESERVE
			}
			gave := min(share, n.pools[from])
			n.pools[from] -= gave
			if from != RESERVE {
				n.deficit[k] += share - gave
			}
		}
		for _, s := range n.sales {
			if s.ID == cb.Sale.ID {
				s.back = true
				for _, leg := range s.received {
					n.leg(leg, -s.Volume)
				}
			}
		}
		n.month = append(n.month, Share{n.origin(cb.Sale.Member), -cb.Sale.Volume})
	}
}

func (n *naive) leg(l naiveLeg, v int64) {
	if l.side == 1 {
		n.left[l.who] += v
	} else {
		n.right[l.who] += v
	}
}

// directs counts active invitations: all that open levels, or those on a side.
func (n *naive) directs(m int32, side uint8) (count int64) {
	for i := range n.b.UID {
		d := int32(i)
		if n.b.Sponsor[d] != m || !n.active[d] {
			continue
		}
		if side == 0 && (!n.b.Customer[d] || n.p.CustomersAsDirects) || side != 0 && n.b.Side[d] == side {
			count++
		}
	}
	return count
}

func (n *naive) levels(fresh []*naiveSale) {
	from := len(n.rows)
	for _, s := range fresh {
		up := n.b.Sponsor[s.Member]
		for level := 1; level <= 20 && up >= 0 && !s.back; level++ {
			income := floor(s.Amount, n.p.LevelPPM[level-1], ppm)
			if n.active[up] && n.directs(up, 0) >= n.p.LevelOpen[level-1] && income > 0 {
				n.add(Row{Kind: KindLevel, To: up, Of: s.Member, Level: uint8(level), Nominal: income, On: s.Amount, A: n.p.LevelPPM[level-1], Source: s.ID})
			}
			up = n.b.Sponsor[up]
		}
	}
	n.pay(from, LEVEL)
	n.pools[RESERVE] += n.pools[LEVEL]
	n.pools[LEVEL] = 0
}

func (n *naive) volume(fresh []*naiveSale) {
	for _, s := range fresh {
		for at := n.origin(s.Member); n.b.Parent[at] >= 0 && !s.back; at = n.b.Parent[at] {
			if leg := (naiveLeg{n.b.Parent[at], n.b.Side[at]}); n.active[leg.who] {
				n.leg(leg, s.Volume)
				s.received = append(s.received, leg)
			}
		}
	}
}

// pay scales the rows since from to their pool and pays them.
func (n *naive) pay(from int, pool Pool) {
	sum, have := int64(0), n.pools[pool]
	for _, r := range n.rows[from:] {
		sum += r.Nominal
	}
	for i := from; i < len(n.rows); i++ {
		r := &n.rows[i]
		if r.Paid = r.Nominal; sum > have {
			r.Paid, r.Scaled = floor(r.Nominal, have, sum), true
		}
		n.credit(r, pool)
	}
}

func (n *naive) credit(r *Row, pool Pool) {
	n.pools[pool] -= r.Paid
	if r.Held = n.b.Blocked[r.To]; !r.Held {
		repaid := min(r.Paid, n.debt[r.To])
		n.debt[r.To] -= repaid
		n.pools[RESERVE] += repaid
	}
}

func (n *naive) owns(m int32) (total int64) {
	for _, s := range n.sales {
		if s.Member == m && !s.back {
			total += s.Amount
		}
	}
	return total
}

func (n *naive) matching() {
	from, need := len(n.rows), n.p.Match.NeedDirectEachSide
	for _, m := range n.b.ByUID {
		q := min(n.left[m], n.right[m])
		if !n.active[m] || q <= 0 || n.directs(m, 1) < need || n.directs(m, 2) < need {
			continue
		}
		n.left[m] -= q
		n.right[m] -= q
		n.matched[m] += q
		limit := int64(0)
		for _, k := range n.p.RobotPackages {
			if k.Amount.Micros() <= n.owns(m) {
				limit = max(limit, k.Cap.Micros())
			}
		}
		income := floor(q, n.p.Match.RatePPM, ppm)
		n.add(Row{Kind: KindMatching, To: m, Of: m, Nominal: min(income, limit), On: q, A: limit, B: 2*(n.left[m]-n.right[m]) + 1, Capped: income > limit})
	}
	n.pay(from, MATCH)
}

// teams walks from each volume up the sponsors and adds it to the leg through
// which each of them is reached.
func (n *naive) teams(volumes []Share) (best, total map[int32]int64) {
	legs := map[int32]map[int32]int64{}
	for _, v := range volumes {
		for at := v.Of; n.b.Sponsor[at] >= 0; at = n.b.Sponsor[at] {
			up := n.b.Sponsor[at]
			if legs[up] == nil {
				legs[up] = map[int32]int64{}
			}
			legs[up][at] += v.Amount
		}
	}
	best, total = map[int32]int64{}, map[int32]int64{}
	for m, by := range legs {
		for _, v := range by {
			best[m] = max(best[m], v)
			total[m] += v
		}
	}
	return best, total
}

func (n *naive) leadership(monthEnd bool) {
	var all []Share
	for _, s := range n.sales {
		if !s.back {
			all = append(all, Share{n.origin(s.Member), s.Volume})
		}
	}
	from := len(n.rows)
	best, total := n.teams(all)
	for _, m := range n.b.ByUID {
		for k := n.rank[m]; k < len(n.p.Ranks) && n.matched[m] >= n.p.Ranks[k].Need.Micros(); k++ {
			n.rank[m] = k + 1
			n.add(Row{Kind: KindRank, To: m, Of: m, Level: uint8(k + 1), Nominal: n.p.Ranks[k].Reward.Micros(), A: n.matched[m]})
		}
		one, other := best[m], total[m]-best[m]
		for k := n.reward[m]; k < len(n.p.Rewards) && one >= n.p.Rewards[k].NeedLeg1.Micros() && other >= n.p.Rewards[k].NeedOther.Micros(); k++ {
			n.reward[m], n.months[m] = k+1, n.p.Rewards[k].Months
			n.add(Row{Kind: KindReward, To: m, Of: m, Level: uint8(k + 1), Nominal: n.p.Rewards[k].Reward.Micros(), A: one, B: other})
		}
	}
	if monthEnd {
		n.salaries()
	}
	n.pay(from, LEAD)
}

func (n *naive) salaries() {
	_, team := n.teams(n.month)
	for _, m := range n.b.ByUID {
		if n.months[m] == 0 {
			continue
		}
		n.months[m]--
		salary := n.p.Rewards[n.reward[m]-1].Salary.Micros()
		if n.active[m] && team[m] >= n.p.SalaryMaintenanceX*salary {
			n.add(Row{Kind: KindSalary, To: m, Of: m, Level: uint8(n.reward[m]), Nominal: salary, A: team[m]})
		}
	}
}

func (n *naive) royalty() {
	sum, pool := int64(0), n.pools[ROYALTY]
	weight := func(m int32) int64 {
		if !n.active[m] || n.rank[m] == 0 {
			return 0
		}
		return n.p.RoyaltyWeights[string(rune('0'+n.rank[m]))]
	}
	for _, m := range n.b.ByUID {
		sum += weight(m)
	}
	for _, m := range n.b.ByUID {
		if w := weight(m); w > 0 && floor(pool, w, sum) > 0 {
			paid := floor(pool, w, sum)
			n.add(Row{Kind: KindRoyalty, To: m, Of: m, Level: uint8(n.rank[m]), Paid: paid, Nominal: paid, On: pool, A: w, B: sum})
			n.credit(&n.rows[len(n.rows)-1], ROYALTY)
		}
	}
}

// compare holds the engine's close against the naive one.
func (n *naive) compare(w *world, r *Result) {
	w.t.Helper()
	for i := range max(len(r.Rows), len(n.rows)) {
		if i >= len(r.Rows) || i >= len(n.rows) || r.Rows[i] != n.rows[i] {
			w.t.Fatalf("rows differ from the %dth on:\n%+v\n%+v", i, r.Rows[i:], n.rows[i:])
		}
	}
	n.compareLines(w, r)
	if w.b.Pools != n.pools || w.b.Deficit != n.deficit {
		w.t.Fatalf("pools %v and deficits %v, not %v and %v", w.b.Pools, w.b.Deficit, n.pools, n.deficit)
	}
	for i := range w.b.UID {
		m := int32(i)
		got := []any{w.b.Left[m], w.b.Right[m], w.b.MatchBot[m], w.b.Debt[m], w.b.Active[m], int(w.b.Rank[m]), int(w.b.Reward[m]), int64(w.b.Months[m]), w.b.Final[m]}
		want := []any{n.left[m], n.right[m], n.matched[m], n.debt[m], n.active[m], n.rank[m], n.reward[m], n.months[m], n.owns(m)}
		if !reflect.DeepEqual(got, want) {
			w.t.Fatalf("member %d: %v, not %v", w.b.UID[m], got, want)
		}
	}
}
