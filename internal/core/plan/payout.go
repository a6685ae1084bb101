package plan

// release pays batches while settled cash covers the whole next one, and then fees, if
// no batch is left and no claim is pending.
func (c *closing) release(line int) {
	l := &c.b.Lines[line]
	for len(l.Batches) > 0 {
		batch := &l.Batches[0]
		due := l.due(batch)
		if due > l.Settled {
			return
		}
		c.out.Releases = append(c.out.Releases, Release{Line: line, Batch: batch.ID, Shares: c.earned(l, batch)})
		l.Settled -= due
		l.Held -= due
		l.Batches = l.Batches[1:]
	}
	if l.Pending > 0 {
		return
	}
	for len(l.Fees) > 0 && l.Fees[0].Amount <= l.Settled {
		l.Settled -= l.Fees[0].Amount
		c.out.FeesPaid[line] = append(c.out.FeesPaid[line], l.Fees[0])
		l.Fees = l.Fees[1:]
	}
}

// earned returns each member's share of a batch, without frozen rows.
func (c *closing) earned(l *LineBook, batch *Batch) []Share {
	sums := c.tally()
	for _, s := range batch.ROI {
		if p := &l.Positions[s.Of]; p.State == Open {
			sums.add(p.Member, s.Amount)
		}
	}
	for _, s := range batch.Levels {
		sums.add(s.Of, s.Amount)
	}
	return sums.take(c.b.UID)
}

// mature turns positions whose term has passed into claims: their held ROI is frozen
// with them, and settled cash that is no longer needed goes back to the line.
func (c *closing) mature(line int) {
	l := &c.b.Lines[line]
	held := make([]int64, len(l.Positions))
	for _, batch := range l.Batches {
		for _, s := range batch.ROI {
			held[s.Of] += s.Amount
		}
	}
	for i := range l.Positions {
		p := &l.Positions[i]
		if p.State != Open || int64(p.Opened)+p.Term > int64(c.in.Day) {
			continue
		}
		p.State = Matured
		l.Frozen += held[i]
		l.Pending++
		income := held[i] - p.Loss
		c.out.Claims = append(c.out.Claims, Claim{Line: line, Position: int32(i), Amount: p.Principal, Income: income, Net: p.Principal + income})
	}
	need := l.feeHeld()
	for i := range l.Batches {
		need += l.due(&l.Batches[i])
	}
	if l.Settled > need {
		c.out.Unsettled[line] = l.Settled - need
		l.Settled = need
	}
}
