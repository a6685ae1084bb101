package closing

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/plan"
)

// actor of closes.
const actor = "closing"

// errPreview undoes a close that was only to be seen.
var errPreview = errors.New("closing: a preview")

// Preview runs the whole close of a day and commits nothing. Refused as Commit.
func (s *Service) Preview(ctx context.Context, on plan.Day) (r Report, err error) {
	_, err = s.opt.Do.Do(ctx, ledger.Command{Actor: actor, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if r, err = s.run(ctx, tx, on); err != nil {
			return nil, err
		}
		return nil, errPreview
	}})
	if errors.Is(err, errPreview) {
		err = nil
	}
	return r, err
}

// Commit closes a day if its result is the one that was previewed; with no
// digest, whatever it is. Refused if it is not the next day, or the result
// differs.
func (s *Service) Commit(ctx context.Context, on plan.Day, digest string) (r Report, err error) {
	answer, err := s.opt.Do.Do(ctx, ledger.Command{Actor: actor, Key: "close " + on.String(), Body: []byte(digest), Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		report, err := s.run(ctx, tx, on)
		if err != nil {
			return nil, err
		}
		if got, _ := report["digest"].(string); digest != "" && got != digest {
			return nil, errs.New(errs.Refused, "The result of %s is not the one that was previewed any more: look at it again.", on)
		}
		r = report
		return json.Marshal(report["digest"])
	}})
	if err != nil {
		return nil, err
	}
	if answer.Replayed {
		return nil, errs.New(errs.Refused, "%s is closed already.", on)
	}
	return r, nil
}

// run closes a day within a command.
func (s *Service) run(ctx context.Context, tx *ledger.Tx, on plan.Day) (Report, error) {
	rows, err := tx.Rows(ctx)
	if err != nil {
		return nil, err
	}
	last, closed, err := s.opt.Store.LastDay(ctx, rows)
	if err != nil {
		return nil, err
	}
	if closed && on != last+1 {
		return nil, errs.New(errs.Refused, "The next day to close is %s, not %s.", last+1, on)
	}
	p, err := s.plan(ctx, rows, on)
	if err != nil {
		return nil, err
	}
	d := &day{s: s, tx: tx, rows: rows, p: p, day: on}
	d.in.Day = on
	if err := d.load(ctx); err != nil {
		return nil, err
	}
	first := d.book.Rows + 1
	d.out = p.Close(d.book, d.in)
	for _, r := range d.out.Refused {
		d.refused[r.ID] = r.Reason
	}
	if err := d.postAll(); err != nil {
		return nil, err
	}
	if err := d.persist(ctx); err != nil {
		return nil, err
	}
	report, err := d.report(ctx, first)
	if err != nil {
		return nil, err
	}
	digest, _ := report["digest"].(string)
	return report, s.opt.Store.AddDay(ctx, rows, Closed{Day: on, Plan: p.Version, Digest: digest, FirstRow: first, LastRow: d.book.Rows, At: tx.Now()})
}
