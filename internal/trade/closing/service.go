package closing

import (
	"context"
	"errors"
	"sync"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// closeActor is the actor of closes in the ledger.
const closeActor = "closing"

// errPreview rolls a preview back.
var errPreview = errors.New("closing: a preview")

// Preview runs the complete close of a day and rolls it back. Errors as for Commit.
func (s *Service) Preview(ctx context.Context, on plan.Day) (*Report, error) {
	return s.preview(ctx, on, nil)
}

// preview is Preview with a check within the command.
func (s *Service) preview(ctx context.Context, on plan.Day, check func(context.Context, *ledger.Tx) error) (r *Report, err error) {
	_, err = s.opt.Do.Do(ctx, ledger.Command{Actor: closeActor, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if check != nil {
			if err := check(ctx, tx); err != nil {
				return nil, err
			}
		}
		defer s.now.Store(nil)
		d := &day{s: s, tx: tx, day: on, preview: true}
		report, err := d.run(ctx)
		if err != nil {
			return nil, err
		}
		r = report
		return nil, errPreview
	}})
	if errors.Is(err, errPreview) {
		return r, nil
	}
	return nil, err
}

// Commit closes a day if its digest is that of the preview; with no digest, in any case.
// Committing a closed day with the same digest changes nothing, and the report says so.
// Refused if it is not the next day, or the result differs.
func (s *Service) Commit(ctx context.Context, on plan.Day, digest string) (*Report, error) {
	return s.commit(ctx, on, digest, func(context.Context, *ledger.Tx) (Proposal, error) { return Proposal{}, nil })
}

// commit closes a day if approve allows, which returns the proposal. All closes of a day
// share one key, so that it is closed once regardless of the caller.
func (s *Service) commit(ctx context.Context, on plan.Day, digest string, approve func(context.Context, *ledger.Tx) (Proposal, error)) (r *Report, err error) {
	answer, err := s.opt.Do.Do(ctx, ledger.Command{Actor: closeActor, Key: closeKey(on), Body: []byte(digest), Run: func(ctx context.Context, tx *ledger.Tx) (_ []byte, err error) {
		defer func() {
			if err != nil {
				s.now.Store(nil)
			}
		}()
		who, err := approve(ctx, tx)
		if err != nil {
			return nil, err
		}
		d := &day{s: s, tx: tx, day: on, who: who}
		report, err := d.run(ctx)
		if err != nil {
			return nil, err
		}
		if digest != "" && report.Digest != digest {
			return nil, errs.New(errs.Refused, "close.preview_outdated", "The result of {day} has changed since the preview. Review it again.", "day", on)
		}
		d.advance("commit", 0, 0)
		tx.AfterCommit(func() { s.now.Store(nil) })
		r = report
		return d.answer(ctx, report.Digest)
	}})
	if ctx.Err() == nil { // otherwise it may still be running
		s.now.Store(nil)
	}
	switch {
	case errors.As(err, new(*ledger.TamperedError)): // not a conflict with another close
		return nil, err
	case answer.Replayed, errs.Is(err, errs.Conflict):
		return s.closedBefore(ctx, on, digest)
	case err != nil:
		return nil, err
	}
	return r, nil
}

// closedBefore returns the report of a closed day for the same digest, which changes
// nothing. Refused for another digest.
func (s *Service) closedBefore(ctx context.Context, on plan.Day, digest string) (*Report, error) {
	days, err := s.opt.Store.Days(ctx, on+1, 1)
	if err != nil {
		return nil, err
	}
	if len(days) == 0 || days[0].Day != on || digest == "" {
		return nil, errs.New(errs.Refused, "close.already_closed", "{day} is closed already.", "day", on)
	}
	if days[0].Digest != digest {
		return nil, errs.New(errs.Refused, "close.already_closed_otherwise", "{day} was already closed with digest {digest}. A closed day cannot change.", "day", on, "digest", days[0].Digest)
	}
	return &Report{Day: on.String(), Plan: days[0].Plan, Digest: digest, Already: true}, nil
}

// run closes the day within a command.
func (d *day) run(ctx context.Context) (*Report, error) {
	s, on := d.s, d.day
	d.started = s.opt.Clock.Latest()
	d.advance("load", 0, 0)
	last, closed, err := s.opt.Store.LastDay(ctx, d.tx)
	if err != nil {
		return nil, err
	}
	if closed && on != last+1 {
		return nil, notNext(on, last+1)
	}
	if d.p, err = s.plan(ctx, d.tx, on); err != nil {
		return nil, err
	}
	d.in.Day = on
	if err := d.load(ctx, closed); err != nil {
		return nil, err
	}
	if closed {
		if err := d.checkSeal(ctx, last); err != nil {
			return nil, err
		}
	}
	first := d.book.Rows + 1
	d.advance("compute", 0, 0)
	d.out = d.p.Close(d.book, d.in)
	for _, r := range d.out.Refused {
		d.refused[r.ID] = r.Reason
	}
	d.advance("post", 0, 0)
	report, err := d.report(ctx)
	if err != nil {
		return nil, err
	}
	if report.Digest, err = d.write(ctx, report); err != nil {
		return nil, err
	}
	if report.Company, err = d.company(); err != nil {
		return nil, err
	}
	return report, s.opt.Store.AddDay(ctx, d.tx, Closed{
		Day: on, Plan: d.p.Version, Digest: report.Digest, FirstRow: first, LastRow: d.book.Rows, Proposed: d.who.By, Approved: d.who.Approved, At: d.tx.Now(),
	})
}

// write posts and writes the result. The digest, which takes about as long, and the seal
// are computed in parallel from data that does not change any more.
func (d *day) write(ctx context.Context, report *Report) (digest string, err error) {
	if !d.preview {
		d.beginSeal()
	}
	var failed error
	var made sync.WaitGroup
	made.Go(func() { digest, failed = report.makeDigest() })
	if err = d.postAll(); err == nil {
		err = d.persist(ctx)
	}
	if err == nil {
		err = d.check(ctx)
	}
	d.advance("report", 0, 0)
	made.Wait()
	return digest, errors.Join(err, failed)
}

// notNext is the error that names the day to close.
func notNext(on, next plan.Day) error {
	if on < next {
		return errs.New(errs.Refused, "close.day_behind", "{day} is closed, or is before the first day. The next day to close is {next}.", "day", on, "next", next)
	}
	return errs.New(errs.Refused, "close.day_ahead", "The next day to close is {next}, not {day}.", "next", next, "day", on)
}
