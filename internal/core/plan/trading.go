package plan

import (
	"fmt"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// trade books a line's results of the day, then settles, then pays settled income:
// batches first in, first out, each as a whole; the operator's fee last.
func (c *closing) trade(line int) {
	for _, booking := range c.in.Profits[line] {
		switch {
		case booking.Amount < 0:
			c.lose(line, booking)
		case booking.Amount > 0:
			c.gain(line, booking)
		}
	}
	l := &c.b.Lines[line]
	for _, s := range c.in.Settles[line] {
		limit := l.Held + l.feeHeld() - l.Settled - l.Frozen
		if s.Amount > limit {
			c.out.Refused = append(c.out.Refused, Refusal{s.ID, fmt.Sprintf("settle %s above booked distributable profit %s", money.Micro(s.Amount), money.Micro(limit))})
			continue
		}
		l.Settled += s.Amount
		c.out.Settled[line] = append(c.out.Settled[line], s)
	}
	c.release(line)
}

// live returns the positions that take part in a result of the day: those opened before
// it. They are the same for every booking, because positions mature last.
func (c *closing) live(line int) []int32 {
	if c.at[line] == nil {
		positions := c.b.Lines[line].Positions
		c.at[line] = make([]int32, 0, len(positions))
		for i := range positions {
			if positions[i].State == Open && positions[i].Opened < c.in.Day {
				c.at[line] = append(c.at[line], int32(i))
			}
		}
	}
	return c.at[line]
}

// lose books a loss: the line's reserve bears it first, then the positions by their
// principal until they are used up, then the company.
func (c *closing) lose(line int, booking Booking) {
	l := &c.b.Lines[line]
	rest := -booking.Amount
	out := Loss{Booking: booking, Line: line, Reserve: min(rest, l.Reserve)}
	l.Reserve -= out.Reserve
	rest -= out.Reserve
	at := c.live(line)
	took := make([]int64, len(l.Positions))
	some := make([]int32, 0, len(at))
	for rest > 0 {
		some = some[:0]
		for _, i := range at {
			if l.Positions[i].Loss < l.Positions[i].Principal {
				some = append(some, i)
			}
		}
		if len(some) == 0 {
			break
		}
		for k, share := range byPrincipal(l, some, rest) {
			p := &l.Positions[some[k]]
			part := min(share.Micros(), p.Principal-p.Loss)
			p.Loss += part
			took[some[k]] += part
			rest -= part
		}
	}
	for _, i := range at {
		if took[i] > 0 {
			out.Shares = append(out.Shares, Share{i, took[i]})
		}
	}
	out.Company = rest
	c.out.Losses = append(c.out.Losses, out)
}

// byPrincipal splits a total exactly, by original principal. Positions are ordered by
// id, so ties go to the smallest.
func byPrincipal(l *LineBook, at []int32, total int64) []money.Amount {
	weights := make([]int64, len(at))
	for k, i := range at {
		weights[k] = l.Positions[i].Principal
	}
	parts, err := money.Allocate(money.Micro(total), weights)
	if err != nil { // principals are positive and bounded by all money there is
		panic(fmt.Sprintf("plan: %v", err))
	}
	return parts
}

// gain books a profit: it repays losses first; the members, the sponsors above and the
// operator get their shares of the rest, and the line's reserve the remainder. All of it
// is on Hold until it is settled.
func (c *closing) gain(line int, booking Booking) {
	l := &c.b.Lines[line]
	out := Profit{Booking: booking, Line: line}
	at := c.live(line)
	if len(at) == 0 {
		out.Reserve = booking.Amount
		l.Reserve += out.Reserve
		c.out.Profits = append(c.out.Profits, out)
		return
	}
	batch := Batch{ID: booking.ID, Day: c.in.Day, ROI: make([]Share, 0, len(at))}
	levels := c.tally()
	for k, amount := range byPrincipal(l, at, booking.Amount) {
		p := &l.Positions[at[k]]
		got := amount.Micros()
		repaid := min(got, p.Loss)
		if repaid > 0 {
			p.Loss -= repaid
			out.Repaid = append(out.Repaid, Share{at[k], repaid})
		}
		share := got - repaid
		roi, fee := muldiv(share, c.p.ProfitSplitPPM.Member, ppm), muldiv(share, c.p.ProfitSplitPPM.Fee, ppm)
		paid := c.roiRows(Row{Line: uint8(line), Position: at[k], Paid: roi, A: got, B: repaid, Source: booking.ID}, levels)
		if roi > 0 {
			batch.ROI = append(batch.ROI, Share{at[k], roi})
		}
		out.ROI += paid
		out.Fee += fee
		out.Reserve += share - paid - fee
	}
	batch.Levels = levels.take(c.b.UID)
	l.Held += out.ROI
	l.Reserve += out.Reserve
	if out.ROI > 0 {
		l.Batches = append(l.Batches, batch)
	}
	if out.Fee > 0 {
		l.Fees = append(l.Fees, Fee{booking.ID, out.Fee})
	}
	c.out.Profits = append(c.out.Profits, out)
}

// roiRows writes a position's ROI row and those of the sponsors above it.
func (c *closing) roiRows(r Row, levels *tally) (paid int64) {
	roi := r.Paid
	if roi == 0 {
		return 0
	}
	b, pos := c.b, &c.b.Lines[r.Line].Positions[r.Position]
	r.Kind, r.To, r.Of, r.Nominal, r.On, r.Held = KindROI, pos.Member, pos.Member, roi, pos.Principal, true
	c.row(r)
	paid = roi
	up := b.Sponsor[pos.Member]
	for k := 0; k < Levels && up >= 0; k, up = k+1, b.Sponsor[up] {
		if k >= int(c.open[up]) {
			continue
		}
		income := muldiv(roi, c.p.ROILevelPPM[k], ppm)
		if income == 0 {
			continue
		}
		c.row(Row{
			Kind: KindROILevel, To: up, Of: pos.Member, Line: r.Line, Position: r.Position, Level: uint8(k + 1), Paid: income, Nominal: income, On: roi,
			A: c.p.ROILevelPPM[k], Held: true, Source: r.Source,
		})
		levels.add(up, income)
		paid += income
	}
	return paid
}
