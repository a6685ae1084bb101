package closing

import (
	"context"
	"hash/maphash"
	"slices"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// persist writes the result of the close for the next one and for reports.
func (d *day) persist(ctx context.Context) error {
	steps := []func(context.Context) error{d.keepSales, d.keepMembers, d.keepIncomes, d.keepTallies, d.keepPositions, d.keepBatches, d.keepBookings, d.keepDay}
	for i, step := range steps {
		d.advance("persist", int64(i), int64(len(steps)))
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (d *day) keepSales(ctx context.Context) error {
	ids := make([]string, len(d.out.Finalised))
	for i := range ids {
		ids[i] = d.out.Finalised[i].ID
	}
	if err := d.s.opt.Sales.Finalise(ctx, d.tx, ids, d.day); err != nil {
		return err
	}
	for _, r := range d.out.Reversals {
		if err := d.s.opt.Sales.SetState(ctx, d.tx, r.Sale.ID, sale.Final, sale.Reversed, r.Final); err != nil {
			return err
		}
		if err := d.leave(ctx, r.Sale); err != nil {
			return err
		}
	}
	return nil
}

// leave subtracts a sale from its buyer's business in the tree.
func (d *day) leave(ctx context.Context, s plan.Sale) error {
	_, count, err := d.s.opt.Sales.Owned(ctx, d.tx, int64(s.Member)+1)
	if err != nil {
		return err
	}
	if count == 0 {
		if err := d.s.opt.Members.Deactivate(ctx, d.tx, d.book.UID[s.Member]); err != nil {
			return err
		}
	}
	var add tree.Business
	add[tree.Robot] = money.Micro(-s.Amount)
	return d.s.opt.Tree.Change(ctx, d.tx, d.book.UID[s.Member], count > 0, add)
}

// keepMembers writes the carried values that changed.
func (d *day) keepMembers(ctx context.Context) error {
	var changed []Carried
	for i := range d.book.UID {
		if c := carriedBy(d.book, i); fingerprint(c) != d.carried[i] {
			changed = append(changed, c)
		}
	}
	if err := d.s.opt.Store.Keep(ctx, d.tx, changed); err != nil {
		return err
	}
	return d.s.opt.Store.AddFlips(ctx, d.tx, d.flips())
}

// fingerprint is a keyed hash of a member's carried values, a tenth of their size.
// Collisions are improbable and cannot be provoked, because the seed is random per
// process. After one, the row would not be written, and the next close would refuse the
// table, which then differs from the signed seal.
func fingerprint(c Carried) uint64 {
	if c == (Carried{No: c.No}) {
		return 0
	}
	return max(1, maphash.Comparable(fingerprints, c))
}

var fingerprints = maphash.MakeSeed()

// carriedBy returns the carried values of member i of a book.
func carriedBy(b *plan.Book, i int) Carried {
	return Carried{
		No: int64(i) + 1, Final: b.Final[i], Own: b.Own[i], Month: b.Month[i], Left: b.Left[i], Right: b.Right[i], Match: b.MatchBot[i], Debt: b.Debt[i],
		Sales: int64(b.Sales[i]), Rank: int64(b.Rank[i]), Reward: int64(b.Reward[i]), Months: int64(b.Months[i]), Active: b.Active[i],
	}
}

func (d *day) keepIncomes(ctx context.Context) error {
	if err := d.s.opt.Store.AddIncomes(ctx, d.tx, len(d.out.Rows), d.income); err != nil {
		return err
	}
	return d.s.opt.Store.AddSums(ctx, d.tx, d.sums())
}

func (d *day) keepTallies(ctx context.Context) error {
	values := map[string]int64{}
	for k := plan.LEVEL; k < plan.RESERVE; k++ {
		values["deficit:"+k.Name()] = d.book.Deficit[k]
	}
	for i, name := range plan.LineNames {
		values["settled:"+name], values["frozen:"+name] = d.book.Lines[i].Settled, d.book.Lines[i].Frozen
	}
	for name, v := range values {
		if err := d.s.opt.Store.SetTally(ctx, d.tx, name, v); err != nil {
			return err
		}
	}
	return nil
}

func (d *day) keepPositions(ctx context.Context) error {
	var changed []invest.Position
	var open [len(plan.LineNames)]struct{ n, principal, loss int64 }
	for i := range d.book.Lines {
		for k := range d.book.Lines[i].Positions {
			p, was := &d.book.Lines[i].Positions[k], d.positions[i][k]
			if o := &open[i]; p.State == plan.Open {
				o.n, o.principal, o.loss = o.n+1, o.principal+p.Principal, o.loss+p.Loss
			}
			if p.State != was.state || p.Loss != was.loss {
				changed = append(changed, invest.Position{ID: p.ID, Loss: money.Micro(p.Loss), State: states[p.State]})
			}
		}
	}
	if err := d.s.opt.Positions.SetPositions(ctx, d.tx, changed); err != nil {
		return err
	}
	for i, o := range open {
		if err := d.s.opt.Positions.SetOpen(ctx, d.tx, plan.LineNames[i], invest.Standing{Positions: o.n, Principal: money.Micro(o.principal), Loss: money.Micro(o.loss)}); err != nil {
			return err
		}
	}
	claims := make([]invest.Claim, len(d.out.Claims))
	for i, c := range d.out.Claims {
		p := &d.book.Lines[c.Line].Positions[c.Position]
		claims[i] = invest.Claim{
			ID: invest.ClaimID(p.ID), Position: p.ID, Line: plan.LineNames[c.Line], No: int64(p.Member) + 1, Day: d.day,
			Amount: money.Micro(c.Amount), Income: money.Micro(c.Income), Net: money.Micro(c.Net),
		}
	}
	return d.s.opt.Positions.AddClaims(ctx, d.tx, claims)
}

// states are a position's, as the plan numbers them.
var states = [...]invest.State{plan.Open: invest.Open, plan.Matured: invest.Matured, plan.Claimed: invest.Claimed}

func stateOf(s invest.State) plan.PositionState {
	return plan.PositionState(max(0, slices.Index(states[:], s)))
}

func (d *day) keepBatches(ctx context.Context) error {
	all := map[string]*Batch{}
	for i := range d.batches {
		for k := range d.batches[i] {
			all[d.batches[i][k].ID] = &d.batches[i][k]
		}
	}
	for _, p := range d.out.Profits {
		b := Batch{ID: p.ID, Line: plan.LineNames[p.Line], Day: d.day, Fee: p.Fee, ROI: p.ROI}
		if p.ROI == 0 {
			b.Released = d.day
		}
		if p.Fee == 0 {
			b.FeeDay = d.day
		}
		if err := d.s.opt.Store.AddBatch(ctx, d.tx, b); err != nil {
			return err
		}
		all[b.ID] = &b
	}
	changed := map[string]bool{}
	for _, r := range d.out.Releases {
		all[r.Batch].Released, changed[r.Batch] = d.day, true
	}
	for _, fees := range d.out.FeesPaid {
		for _, f := range fees {
			all[f.ID].FeeDay, changed[f.ID] = d.day, true
		}
	}
	for id := range changed {
		if err := d.s.opt.Store.SetBatch(ctx, d.tx, *all[id]); err != nil {
			return err
		}
	}
	return nil
}

func (d *day) keepDay(ctx context.Context) error {
	return d.s.opt.Store.AddDaySums(ctx, d.tx, d.daySums())
}

func (d *day) keepBookings(ctx context.Context) error {
	for _, b := range d.bookings {
		if err := d.s.opt.Store.CloseBooking(ctx, d.tx, b.ID, d.refused[b.ID]); err != nil {
			return err
		}
	}
	return nil
}
