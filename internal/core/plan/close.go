package plan

import "slices"

// Close books a day: it changes b and returns all bookings. The caller has checked that
// it is the next day to close, and keeps b only if the result is committed.
func (p *Plan) Close(b *Book, in Inputs) *Result {
	c := &closing{p: p, b: b, in: in, out: &Result{Day: in.Day}}
	c.fresh = c.column()
	c.finalise()
	c.chargebacks()
	c.snapshot()
	c.reserve()
	c.levels()
	c.volume()
	c.matching()
	c.leadership()
	if in.Day.LastOfMonth() {
		c.royalty()
		clear(b.Month)
	}
	for line := range LineNames {
		c.trade(line)
	}
	for line := range LineNames {
		c.mature(line)
	}
	return c.out
}

// closing is the state of a running close.
type closing struct {
	p   *Plan
	b   *Book
	in  Inputs
	out *Result

	fresh    []int64 // volume that became final today and was not reversed, by member
	reversed map[string]bool
	directs  []directs
	open     []uint8    // how many levels pay a member, by its active invitations
	spare    [][]int64  // unused scratch columns
	sums     tally      // of members, for batches and releases
	at       [2][]int32 // positions that take part in the day's results, by line
}

// directs are a member's active invitations.
type directs struct{ all, left, right int32 }

// column returns a scratch column of zeroes by member. A caller that returns it with
// free lets the next step reuse it, so that a close of a million members needs two or
// three columns, not one for every step.
func (c *closing) column() []int64 {
	if n := len(c.spare); n > 0 {
		col := c.spare[n-1]
		c.spare = c.spare[:n-1]
		clear(col)
		return col
	}
	return make([]int64, c.b.Len())
}

func (c *closing) free(columns ...[]int64) { c.spare = append(c.spare, columns...) }

// finalise ends the cooling-off of sales: their money repays the pools' debts and fills
// the pools; the rest is revenue.
func (c *closing) finalise() {
	rates := c.p.PoolsPPM.ByPool()
	c.out.Finalised = make([]Finalised, 0, len(c.in.Finalise))
	for _, s := range c.in.Finalise {
		f := Finalised{Sale: s, Rest: s.Amount}
		for k, rate := range rates {
			share := muldiv(s.Amount, rate, ppm)
			repaid := min(share, c.b.Deficit[k])
			c.b.Deficit[k] -= repaid
			f.Shares[k] = share - repaid
			c.b.Pools[k] += f.Shares[k]
			f.Rest -= f.Shares[k]
		}
		c.b.Final[s.Member] += s.Amount
		c.b.Sales[s.Member]++
		at := c.buyer(s.Member)
		c.b.Own[at] += s.Volume
		c.b.Month[at] += s.Volume
		c.fresh[at] += s.Volume
		c.out.Finalised = append(c.out.Finalised, f)
	}
}

// buyer returns the member to whom a purchase's volume belongs: a customer's belongs to
// the sponsor.
func (c *closing) buyer(m int32) int32 {
	if c.b.Customer[m] {
		return c.b.Sponsor[m]
	}
	return m
}

// snapshot determines the active members of the day. Members who are no longer active
// lose their carried volume.
func (c *closing) snapshot() {
	b := c.b
	c.directs, c.open = make([]directs, b.Len()), make([]uint8, b.Len())
	for i := range b.UID {
		now := b.Sales[i] > 0
		if now != b.Active[i] {
			b.Flips = append(b.Flips, Flip{int32(i), c.in.Day, now})
			b.Active[i] = now
			if !now {
				b.Left[i], b.Right[i] = 0, 0
			}
		}
		if s := b.Sponsor[i]; now && s >= 0 {
			c.directs[s].count(b.Customer[i], c.p.CustomersAsDirects, b.Side[i])
		}
	}
	for i := range c.open {
		for b.Active[i] && c.open[i] < Levels && c.p.LevelOpen[c.open[i]] <= int64(c.directs[i].all) {
			c.open[i]++ // no level needs fewer invitations than the one before it
		}
	}
}

func (d *directs) count(customer, counts bool, side uint8) {
	if !customer || counts {
		d.all++
	}
	switch {
	case customer:
	case side == 1:
		d.left++
	case side == 2:
		d.right++
	}
}

// row adds a numbered row. The pointer is valid until the next call.
func (c *closing) row(r Row) *Row {
	c.b.Rows++
	r.No = c.b.Rows
	c.out.Rows = append(c.out.Rows, r)
	return &c.out.Rows[len(c.out.Rows)-1]
}

// pay pays an earner from a pool: on Hold while the earner is blocked, and after
// repaying the earner's debt.
func (c *closing) pay(r *Row, pool Pool) {
	c.b.Pools[pool] -= r.Paid
	p := Pay{Row: r.No, Pool: pool, To: r.To, Amount: r.Paid, Held: r.Held}
	if !r.Held {
		p.Debt = min(r.Paid, c.b.Debt[r.To])
		c.b.Debt[r.To] -= p.Debt
		c.b.Pools[RESERVE] += p.Debt
	}
	c.out.Pays = append(c.out.Pays, p)
}

// scale reduces claims to the content of a pool: all get the same share, floored, and
// the remainders stay in the pool.
func scale(rows []Row, pool int64) {
	sum := int64(0)
	for i := range rows {
		sum += rows[i].Nominal
	}
	for i := range rows {
		r := &rows[i]
		if r.Paid = r.Nominal; sum > pool {
			r.Paid, r.Scaled = muldiv(r.Nominal, pool, sum), true
		}
	}
}

// settle pays the rows from index from on out of a pool.
func (c *closing) settle(from int, pool Pool) {
	rows := c.out.Rows[from:]
	scale(rows, c.b.Pools[pool])
	for i := range rows {
		rows[i].Held = c.b.Blocked[rows[i].To]
		c.pay(&rows[i], pool)
	}
}

// reserve allocates the rows of the day in advance, because a growing slice of millions
// is copied repeatedly. It counts the possible rows of levels, matching, the end of a
// month and the trading lines; the few others may grow the slice.
func (c *closing) reserve() {
	n, need := 0, int32(c.p.Match.NeedDirectEachSide)
	for i := range c.in.Finalise {
		n += c.paying(c.in.Finalise[i].Member)
	}
	last := c.in.Day.LastOfMonth()
	for i, d := range c.directs {
		if c.b.Active[i] && d.left >= need && d.right >= need {
			n++
		}
		if last && c.b.Months[i] > 0 {
			n++
		}
		if last && c.b.Rank[i] > 0 {
			n++
		}
	}
	c.out.Pays = make([]Pay, 0, n)
	for line := range LineNames {
		gains, rows := 0, 0
		for _, booking := range c.in.Profits[line] {
			if booking.Amount > 0 {
				gains++
			}
		}
		if gains > 0 {
			for _, i := range c.live(line) {
				rows += 1 + c.paying(c.b.Lines[line].Positions[i].Member)
			}
		}
		n += gains * rows
	}
	c.out.Rows = slices.Grow(c.out.Rows, n)
}

// paying returns how many sponsors above a member have their level open.
func (c *closing) paying(m int32) (n int) {
	up := c.b.Sponsor[m]
	for k := 0; k < Levels && up >= 0; k, up = k+1, c.b.Sponsor[up] {
		if k < int(c.open[up]) {
			n++
		}
	}
	return n
}
