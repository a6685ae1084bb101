package audit

import (
	"context"
	"math"
)

// step is the work of one Follower.Step.
type step struct {
	f       *Follower
	r       Reader
	head    Head
	report  Report
	slice   int64
	account int64
	wrapped bool
}

// fresh checks every batch since the last step, and that the head matches the last of them.
func (s *step) fresh(ctx context.Context) error {
	from := max(s.head.Batch, 1)
	if s.f.seen != nil {
		from = s.f.seen.batch + 1
	}
	c, err := s.batches(ctx, from, math.MaxInt64, math.MaxInt64)
	if err != nil {
		return err
	}
	s.report.New = c.batches
	if err := c.ending(); err != nil {
		return err
	}
	return anchorsReached(s.f.opts.Anchors, &s.head, &c.prev)
}

// old checks the next slice of the older batches.
func (s *step) old(ctx context.Context) error {
	s.slice = s.f.slice
	end := s.head.Batch - s.report.New
	if end < 1 {
		return nil
	}
	if s.slice > end {
		s.slice = 1
	}
	to := min(s.slice+s.f.opts.Reread-1, end)
	c, err := s.batches(ctx, s.slice, to, s.f.opts.RereadTransfers)
	if err != nil {
		return err
	}
	if c.prev.No < to && c.transfers < s.f.opts.RereadTransfers {
		return wrong("batch", batchRow(c.prev.No+1), "it is missing; the head stands at batch %d", s.head.Batch)
	}
	s.report.Reread, s.slice = c.batches, c.prev.No+1
	if c.prev.No == end { // start again; batches added since belong to the next round
		s.slice, s.wrapped = 1, true
	}
	return nil
}

// batches checks batches from … to, as far as they exist and limit allows, and their
// accounts.
func (s *step) batches(ctx context.Context, from, to, limit int64) (*checker, error) {
	c := newChecker(s.r, s.head, s.f.opts.PublicKeys, s.f.opts.Anchors, newWindow(s.r, &s.head))
	c.limit = limit
	if err := c.start(ctx, from); err != nil {
		return nil, err
	}
	first := c.prev
	if err := c.run(ctx, from, to); err != nil {
		return nil, err
	}
	repeat, found, err := s.r.RepeatedIn(ctx, first.Last+1, c.prev.Last, from, c.prev.No)
	if err != nil {
		return nil, err
	}
	if found {
		return nil, repeat.finding()
	}
	for seq := first.Last + 1; seq <= c.prev.Last; seq += transferPage {
		tails, err := s.r.TailsIn(ctx, seq, min(seq+transferPage-1, c.prev.Last))
		if err != nil {
			return nil, err
		}
		if err := s.compare(tails); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// start prepares the checker for a run that does not begin with batch 1. It checks the batch
// before, because otherwise a wrong row could be blamed on the first batch.
func (c *checker) start(ctx context.Context, from int64) error {
	if from <= 1 {
		return nil
	}
	found, err := c.r.Batches(ctx, from-1, 1)
	if err != nil {
		return err
	}
	if len(found) == 0 || found[0].No != from-1 {
		return wrong("batch", batchRow(from-1), "it is missing; the head stands at batch %d", c.head.Batch)
	}
	b := &found[0]
	if err := c.record(b); err != nil {
		return err
	}
	if err := c.signature(b); err != nil {
		return err
	}
	c.prev = *b
	if b.Last < 1 {
		return nil
	}
	transfers, err := c.r.Transfers(ctx, b.Last, b.Last)
	if err != nil {
		return err
	}
	if len(transfers) == 0 {
		return wrong("transfer", transferRow(b.Last), "it is missing; batch %d ends with it", b.No)
	}
	right, err := leafRight(ctx, c.r, b.Last)
	if err != nil {
		return err
	}
	if right { // if not, the slice that contains it reports it
		c.recorded = transfers[0].Recorded
	}
	return nil
}

// window compares the next accounts with their latest entry.
func (s *step) window(ctx context.Context) error {
	tails, err := s.r.Tails(ctx, s.f.account, s.f.opts.Window)
	if err != nil {
		return err
	}
	if err := s.compare(tails); err != nil {
		return err
	}
	s.account = 0
	if len(tails) == s.f.opts.Window {
		s.account = tails[len(tails)-1].ID
	}
	return nil
}

func (s *step) compare(tails []Tail) error {
	for i := range tails {
		t := &tails[i]
		if err := checkAccount(&t.Account, balance{t.Latest.Version, t.Latest.Balance, t.Latest.Held}); err != nil {
			return err
		}
	}
	s.report.Accounts += int64(len(tails))
	return nil
}

// whole runs the checks that need all rows, in SQL.
func (s *step) whole(ctx context.Context) error {
	if err := strays(ctx, s.r, s.head.Seq, s.head.Batch); err != nil {
		return err
	}
	if s.f.steps%s.f.opts.CountEvery != 0 {
		return nil
	}
	s.report.Counted = true
	n, err := s.r.Counts(ctx)
	if err != nil {
		return err
	}
	if err := tallies(n, Counts{
		Batches: s.head.Batch, Transfers: s.head.Seq, Entries: s.head.Entries,
		Accounts: s.head.Accounts, Holds: s.head.Holds, Commands: n.Claimed,
	}); err != nil {
		return err
	}
	assets, others, err := s.r.Sides(ctx)
	if err != nil {
		return err
	}
	if assets.big().Cmp(others.big()) != 0 {
		return wrong("account", "all accounts", "asset accounts have %s posted, but all others %s", usdBig(assets.big()), usdBig(others.big()))
	}
	return nil
}
