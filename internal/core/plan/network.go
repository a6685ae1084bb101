package plan

// levels pays the sponsors above each sale that became final. The rest of the pool goes
// to the reserve.
func (c *closing) levels() {
	b, p := c.b, c.p
	from := len(c.out.Rows)
	for _, f := range c.out.Finalised {
		if c.reversed[f.ID] {
			continue
		}
		up := b.Sponsor[f.Member]
		for k := 0; k < Levels && up >= 0; k, up = k+1, b.Sponsor[up] {
			if k >= int(c.open[up]) {
				continue
			}
			if income := muldiv(f.Amount, p.LevelPPM[k], ppm); income > 0 {
				c.row(Row{
					Kind: KindLevel, To: up, Of: f.Member, Level: uint8(k + 1), Nominal: income, On: f.Amount, A: p.LevelPPM[k], Source: f.ID,
				})
			}
		}
	}
	c.settle(from, LEVEL)
	c.out.Breakage = b.Pools[LEVEL]
	b.Pools[RESERVE] += b.Pools[LEVEL]
	b.Pools[LEVEL] = 0
}

// volume carries the volume of final sales up the binary tree, into the leg of every
// active member above: one pass back through the order of joining.
func (c *closing) volume() {
	c.carry(c.fresh, 1, c.b.Active)
	c.free(c.fresh)
}

// carry adds volume to the legs above it of the members in takes; sign -1 subtracts it.
// It overwrites the column.
func (c *closing) carry(volume []int64, sign int64, takes []bool) {
	b := c.b
	for i := b.Len() - 1; i > 0; i-- {
		v, up := volume[i], b.Parent[i]
		if v == 0 || up < 0 {
			continue
		}
		volume[up] += v
		if !takes[up] {
			continue
		}
		if b.Side[i] == 1 {
			b.Left[up] += sign * v
		} else {
			b.Right[up] += sign * v
		}
	}
}

// matching pays for volume present in both legs.
func (c *closing) matching() {
	b, p := c.b, c.p
	need := int32(p.Match.NeedDirectEachSide)
	from := len(c.out.Rows)
	for _, i := range b.ByUID {
		q := min(b.Left[i], b.Right[i])
		if q <= 0 || !b.Active[i] || c.directs[i].left < need || c.directs[i].right < need {
			continue
		}
		b.Left[i] -= q
		b.Right[i] -= q
		b.MatchBot[i] += q
		income, limit := muldiv(q, p.Match.RatePPM, ppm), p.cap(b.Final[i])
		c.row(Row{
			Kind: KindMatching, To: i, Of: i, Nominal: min(income, limit), On: q, A: limit, B: legs(b.Left[i], b.Right[i]), Capped: income > limit,
		})
	}
	c.settle(from, MATCH)
}

// leadership pays ranks, rewards and, at the end of the month, salaries: one
// pool and one factor for all of them.
func (c *closing) leadership() {
	b, p := c.b, c.p
	best, total := c.sponsorLegs(b.Own)
	from := len(c.out.Rows)
	for _, i := range b.ByUID {
		if b.Customer[i] {
			continue
		}
		for int(b.Rank[i]) < len(p.Ranks) && b.MatchBot[i] >= p.Ranks[b.Rank[i]].Need.Micros() {
			r := p.Ranks[b.Rank[i]]
			b.Rank[i]++
			c.row(Row{Kind: KindRank, To: i, Of: i, Level: b.Rank[i], Nominal: r.Reward.Micros(), A: b.MatchBot[i]})
		}
		leg1, other := best[i], total[i]-best[i]
		for int(b.Reward[i]) < len(p.Rewards) {
			r := p.Rewards[b.Reward[i]]
			if leg1 < r.NeedLeg1.Micros() || other < r.NeedOther.Micros() {
				break
			}
			b.Reward[i]++
			b.Months[i] = uint8(r.Months)
			c.row(Row{Kind: KindReward, To: i, Of: i, Level: b.Reward[i], Nominal: r.Reward.Micros(), A: leg1, B: other})
		}
	}
	c.free(best, total)
	if c.in.Day.LastOfMonth() {
		c.salaries()
	}
	c.settle(from, LEAD)
}

// sponsorLegs sums, for every member, the legs of its invitations along sponsors: the
// largest, and all together. A leg is the volume of an invitation and its downline.
func (c *closing) sponsorLegs(own []int64) (best, total []int64) {
	b := c.b
	best, total = c.column(), c.column()
	for i := b.Len() - 1; i > 0; i-- {
		if s := b.Sponsor[i]; s >= 0 && !b.Customer[i] {
			leg := own[i] + total[i]
			total[s] += leg
			best[s] = max(best[s], leg)
		}
	}
	return best, total
}

// salaries uses up a month of every member with months left, and claims the salary of
// active members whose team kept selling.
func (c *closing) salaries() {
	b, p := c.b, c.p
	best, team := c.sponsorLegs(b.Month)
	for _, i := range b.ByUID {
		level := min(b.Reward[i], uint8(len(p.Rewards))) // a later plan may have fewer
		if b.Months[i] == 0 || level == 0 {
			continue
		}
		b.Months[i]--
		salary := p.Rewards[level-1].Salary.Micros()
		if b.Active[i] && team[i] >= p.SalaryMaintenanceX*salary {
			c.row(Row{Kind: KindSalary, To: i, Of: i, Level: level, Nominal: salary, A: team[i]})
		}
	}
	c.free(best, team)
}

// royalty shares its pool by the weight of ranks; without a sharer the pool is carried
// over.
func (c *closing) royalty() {
	b, weight := c.b, c.p.weights()
	weights := int64(0)
	for i := range b.UID {
		if b.Active[i] {
			weights += weight[b.Rank[i]]
		}
	}
	if weights == 0 {
		return
	}
	pool := b.Pools[ROYALTY]
	for _, i := range b.ByUID {
		w := weight[b.Rank[i]]
		if !b.Active[i] || w == 0 {
			continue
		}
		if paid := muldiv(pool, w, weights); paid > 0 {
			r := Row{Kind: KindRoyalty, To: i, Of: i, Level: b.Rank[i], Paid: paid, Nominal: paid, On: pool, A: w, B: weights, Held: b.Blocked[i]}
			c.pay(c.row(r), ROYALTY)
		}
	}
}
