package plan

// chargebacks reverses final sales: the incomes they paid to sponsors, the money they
// put into pools, and the volume of exactly the members who received it. Money already
// spent becomes a debt of the earner or the pool. If the reserve cannot cover a level
// share, the company bears the loss: no sale fills the reserve, and cutting the levels
// of later sales would pay other sponsors less than their rate, although the earners
// repay their debt anyway.
func (c *closing) chargebacks() {
	c.reversed = map[string]bool{}
	byDay := map[Day][]Share{} // volume to take back, by the day it was carried
	taken := map[wallet]int64{}
	for _, cb := range c.in.Chargebacks {
		r := Reversal{Chargeback: cb, Rest: cb.Sale.Amount}
		c.reversed[cb.Sale.ID] = true
		for _, l := range cb.Levels {
			r.Taken = append(r.Taken, c.takeBack(l, cb.Sale, taken))
		}
		for k, rate := range cb.Rates.ByPool() {
			share, from := muldiv(cb.Sale.Amount, rate, ppm), Pool(k)
			if from == LEVEL {
				from = RESERVE // receives income that sponsors do not get or gave back
			}
			r.Gave[k] = min(share, c.b.Pools[from])
			c.b.Pools[from] -= r.Gave[k]
			if from != RESERVE {
				c.b.Deficit[k] += share - r.Gave[k]
			}
			r.Rest -= r.Gave[k]
		}
		c.forget(cb, byDay)
		c.out.Reversals = append(c.out.Reversals, r)
	}
	for day, shares := range byDay { // the order does not matter: it only subtracts
		volume := c.column()
		for _, s := range shares {
			volume[s.Of] += s.Amount
		}
		c.carry(volume, -1, c.activeOn(day))
		c.free(volume)
	}
}

// wallet is an earner's account that reversals debit.
type wallet struct {
	member int32
	held   bool
}

// takeBack reverses one level row and returns how much the earner still had.
func (c *closing) takeBack(l LevelRow, s Sale, taken map[wallet]int64) int64 {
	w := wallet{l.To, l.Held}
	t := max(0, min(l.Income, l.Available-taken[w]))
	taken[w] += t
	c.b.Pools[RESERVE] += t
	c.b.Debt[l.To] += l.Income - t
	c.row(Row{
		Kind: KindLevel, To: l.To, Of: s.Member, Level: l.Level, Paid: -l.Income, Nominal: -l.Income, On: s.Amount,
		Held: l.Held, Reverses: l.Row, Source: s.ID,
	})
	return t
}

// forget removes a sale from its buyer's purchases and volume.
func (c *closing) forget(cb Chargeback, byDay map[Day][]Share) {
	s := cb.Sale
	at := c.buyer(s.Member)
	c.b.Final[s.Member] -= s.Amount
	c.b.Sales[s.Member]--
	c.b.Own[at] -= s.Volume
	c.b.Month[at] -= s.Volume
	if cb.Final == c.in.Day { // not carried yet
		c.fresh[at] -= s.Volume
		return
	}
	byDay[cb.Final] = append(byDay[cb.Final], Share{at, s.Volume})
}

// activeOn returns which members were active at the close of an earlier day.
func (c *closing) activeOn(day Day) []bool {
	was := append([]bool(nil), c.b.Active...)
	for i := len(c.b.Flips) - 1; i >= 0 && c.b.Flips[i].Day > day; i-- {
		was[c.b.Flips[i].Member] = !c.b.Flips[i].Active
	}
	return was
}
