package audit

import "context"

// The rules of docs/ledger-format.md for a single transfer.

// several marks a transfer that credits incomes of more than one member.
const several = -1

// bounds checks that neither the held nor the available amount is below its floor.
func bounds(p *posting) error {
	for i := range p.entries {
		e := &p.entries[i]
		if e.HeldAfter < 0 {
			return wrong("entry", entryRow(e), "held_after is stored as %s, but may not be below %s", usd(e.HeldAfter), usd(0))
		}
		if e.BalanceAfter < e.HeldAfter && p.places[i].bounded() {
			return wrong("entry", entryRow(e), "balance_after is stored as %s with %s held, but %s may not have less than %s available",
				usd(e.BalanceAfter), usd(e.HeldAfter), e.Code, usd(0))
		}
	}
	return nil
}

// who returns the beneficiary according to the entries.
func (p *posting) who() int64 {
	var who int64
	for i, at := range p.places {
		if p.entries[i].Delta <= 0 || !at.income() {
			continue
		}
		if who != 0 && who != at.owner {
			return several
		}
		who = at.owner
	}
	return who
}

func beneficiary(p *posting) error {
	who := p.who()
	for i := range p.entries {
		if e := &p.entries[i]; e.Beneficiary != who {
			return differs("entry", entryRow(e), "beneficiary", e.Beneficiary, who)
		}
	}
	return nil
}

// balances checks that assets change by the same sum as all others.
func balances(p *posting) error {
	var assets, others sum
	for i, at := range p.places {
		if at.asset() {
			assets.add(p.entries[i].Delta)
		} else {
			others.add(p.entries[i].Delta)
		}
	}
	if assets != others {
		return wrong("transfer", transferRow(p.Seq), "its asset accounts change by %s, but all others by %s", assets, others)
	}
	return nil
}

// lawful checks that no income is paid out of deposits.
func lawful(p *posting) error {
	who := p.who()
	var pools, working bool
	var gains, losses sum
	for i, at := range p.places {
		delta := p.entries[i].Delta
		switch {
		case at.asset():
		case delta < 0:
			losses.sub(delta)
		case at.pool() || at.income():
			pools = pools || (at.pool() && delta > 0)
			working = working || (at.working() && delta > 0)
			gains.add(delta)
		}
	}
	if who == 0 && !pools {
		return nil
	}
	for i, at := range p.places {
		e := &p.entries[i]
		if e.Delta >= 0 || at.asset() || at.working() {
			continue
		}
		if who != 0 && !at.roiHeld() && (who == several || at.owner != who || at.kind == "L:FUND") {
			return wrong("entry", entryRow(e), "delta is stored as %s, but only working pools, held profit and incomes and principals of the one beneficiary may pay an income, and the beneficiary is %d", usd(e.Delta), who)
		}
		if (pools && !at.income() && !at.deferred()) || (working && !at.deferred()) {
			return wrong("entry", entryRow(e), "delta is stored as %s, but only final sales, pools and incomes taken back may fill a pool", usd(e.Delta))
		}
	}
	if gains.exceeds(losses) {
		return wrong("transfer", transferRow(p.Seq), "it credits incomes and pools with %s, but debits only %s on their side", gains, losses)
	}
	return nil
}

// lawfulROI checks that held profit of a line grows at most by its trading cash.
func lawfulROI(p *posting) error {
	for i, at := range p.places {
		credit := p.entries[i].Delta
		if !at.roiHeld() || credit <= 0 {
			continue
		}
		var earned int64
		for j, other := range p.places {
			e := &p.entries[j]
			if other.kind == "A:TRADING" && other.line == at.line {
				earned = e.Delta
			}
			if e.Delta < 0 && !other.asset() {
				return wrong("entry", entryRow(e), "delta is stored as %s, but only booked profit may fill %s", usd(e.Delta), p.entries[i].Code)
			}
		}
		if earned < credit {
			return wrong("entry", entryRow(&p.entries[i]), "held profit grows by %s, but A:TRADING:%s by %s", usd(credit), at.line, usd(earned))
		}
	}
	return nil
}

// reversal checks that a reversing transfer is the exact opposite of the other one.
func (c *checker) reversal(ctx context.Context, p *posting) error {
	row := transferRow(p.Seq)
	if p.Reverses == 0 {
		return nil
	}
	if p.Reverses < 0 || p.Reverses >= p.Seq {
		return wrong("transfer", row, "reverses is stored as %d, which is not an earlier transfer", p.Reverses)
	}
	first, err := c.r.ReversedBy(ctx, p.Reverses)
	if err != nil {
		return err
	}
	if first != p.Seq {
		return wrong("transfer", row, "reverses is stored as %d, but transfer %d has reversed that already", p.Reverses, first)
	}
	original, err := c.r.Entries(ctx, p.Reverses, p.Reverses)
	if err != nil {
		return err
	}
	if len(original) != len(p.entries) {
		return wrong("transfer", row, "it has %d entries, but transfer %d, which it reverses, has %d", len(p.entries), p.Reverses, len(original))
	}
	deltas := make(map[int64]int64, len(original))
	for i := range original {
		deltas[original[i].Account] = original[i].Delta
	}
	for i := range p.entries {
		e := &p.entries[i]
		if e.Hold != 0 || e.HeldDelta != 0 {
			return wrong("entry", entryRow(e), "a reversal moves no hold, but this moves hold %d by %s", e.Hold, usd(e.HeldDelta))
		}
		was, there := deltas[e.Account]
		if sum, fits := plus(was, e.Delta); !there || !fits || sum != 0 {
			return wrong("entry", entryRow(e), "delta is stored as %s, but transfer %d, which it reverses, has %s there", usd(e.Delta), p.Reverses, usd(was))
		}
	}
	return nil
}
