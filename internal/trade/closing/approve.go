package closing

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Two-operator approval: one operator previews a close and proposes it, and another
// approves it by the same digest; only then it is committed.

// alone returns why an operator needs no second one; empty if it takes two.
func (s *Service) alone(by actor.By) approval.Alone {
	if by.Local() {
		return approval.AloneCommandLine
	}
	return approval.InDemo(s.opt.Demo)
}

// Proposal is a proposed close and its approval.
type Proposal struct {
	Day          plan.Day
	Digest       string
	By           int64 // 0 for the command line and the schedule
	Name         string
	At           time.Time
	Approved     int64
	ApprovedName string
	ApprovedAt   time.Time // zero until it is committed
	Alone        approval.Alone
}

// Next is the next day to close.
type Next struct {
	Day      plan.Day
	Begun    bool      // today or before
	Over     bool      // all of it has happened
	From     time.Time // when it is over
	Due      bool      // over or, in a demo, begun
	Proposal Proposal  // zero if there is none
}

// Next returns the next day to close. NotFound while there is no event.
func (s *Service) Next(ctx context.Context) (Next, error) { return s.next(ctx, nil) }

// next is Next; with a nil tx it reads committed data.
func (s *Service) next(ctx context.Context, tx *ledger.Tx) (n Next, err error) {
	last, closed, err := s.opt.Store.LastDay(ctx, tx)
	if err != nil {
		return n, err
	}
	if n.Day = last + 1; !closed {
		if n.Day, err = s.first(ctx, tx); err != nil {
			return n, err
		}
	}
	p, err := s.plan(ctx, tx, n.Day)
	if err != nil {
		return n, err
	}
	end, err := time.ParseInLocation(time.DateOnly, (n.Day + 1).String(), p.Zone())
	if err != nil {
		return n, err
	}
	now := s.opt.Clock.Now()
	n.From = end.Add(time.Duration(p.GraceMinutes) * time.Minute).UTC()
	n.Begun, n.Over = n.Day <= p.Day(now), !now.Before(n.From)
	n.Due = n.Over || (s.opt.Demo && n.Begun)
	n.Proposal, _, err = s.opt.Store.Proposal(ctx, tx, n.Day)
	return n, err
}

// first returns the day of the first event.
func (s *Service) first(ctx context.Context, tx *ledger.Tx) (plan.Day, error) {
	joined, event, err := s.opt.Store.Beginning(ctx, tx)
	if err != nil {
		return 0, err
	}
	if joined.IsZero() && event == 0 {
		return 0, errs.New(errs.NotFound, "close.nothing_happened", "There are no events yet, so there is no day to close.")
	}
	p, err := s.plan(ctx, tx, 0)
	if err != nil {
		return 0, err
	}
	if day := p.Day(joined); !joined.IsZero() && (event == 0 || day < event) {
		return day, nil
	}
	return event, nil
}

// due returns Refused for a day that is not the next to close, or is not over.
func (s *Service) due(ctx context.Context, tx *ledger.Tx, on plan.Day, over bool) error {
	n, err := s.next(ctx, tx)
	switch {
	case err != nil:
		return err
	case n.Day != on:
		return notNext(on, n.Day)
	case !n.Begun:
		return errs.New(errs.Refused, "close.not_begun", "{day} has not begun yet.", "day", on)
	case over && !n.Due:
		return errs.New(errs.Refused, "close.not_over", "{day} is not over: it can be closed from {from} on.", "day", on, "from", n.From.Format(time.RFC3339))
	}
	return nil
}

// Look previews the close of the next day, even before it is over. Refused for any other
// day.
func (s *Service) Look(ctx context.Context, on plan.Day) (*Report, error) {
	return s.preview(ctx, on, func(ctx context.Context, tx *ledger.Tx) error { return s.due(ctx, tx, on, false) })
}

// Propose proposes a previewed close and replaces an earlier proposal for the day.
// Refused if the day is not the next, is not over, or its result has another digest.
func (s *Service) Propose(ctx context.Context, by actor.By, on plan.Day, digest string) error {
	r, err := s.preview(ctx, on, func(ctx context.Context, tx *ledger.Tx) error { return s.due(ctx, tx, on, true) })
	if err != nil {
		return err
	}
	if r.Digest != digest {
		return errs.New(errs.Refused, "close.result_digest_changed", "The result of {day} has changed. Review it again.", "day", on)
	}
	return s.propose(ctx, by, s.alone(by), on, digest)
}

func (s *Service) propose(ctx context.Context, by actor.By, alone approval.Alone, on plan.Day, digest string) error {
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: closeActor, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if err := s.due(ctx, tx, on, true); err != nil {
			return nil, err
		}
		if err := s.opt.Store.SetProposal(ctx, tx, Proposal{Day: on, Digest: digest, By: by.Operator, Name: by.Name, At: tx.Now()}); err != nil {
			return nil, err
		}
		if err := s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: approvalmail.Close, About: on.String(), By: by}); err != nil {
			return nil, err
		}
		return nil, s.enterClose(ctx, tx, by, alone, "close proposed", on, digest)
	}})
	return err
}

// Approve commits a close that another operator proposed. Actors who may close alone need
// no proposal, and the audit log has the reason. Approving a closed day with the same
// digest changes nothing, and the report says so. Forbidden for the proposer; Refused if
// there is no proposal, the digest differs, or the day is not the next or is not over.
func (s *Service) Approve(ctx context.Context, by actor.By, on plan.Day, digest string) (*Report, error) {
	if digest == "" {
		return nil, errs.New(errs.Invalid, "close.digest_required", "A close is committed by the digest of its preview.")
	}
	return s.approve(ctx, by, s.alone(by), on, digest)
}

func (s *Service) approve(ctx context.Context, by actor.By, alone approval.Alone, on plan.Day, digest string) (*Report, error) {
	var used approval.Alone
	r, err := s.commit(ctx, on, digest, func(ctx context.Context, tx *ledger.Tx) (Proposal, error) {
		if err := s.due(ctx, tx, on, true); err != nil {
			return Proposal{}, err
		}
		p, found, err := s.opt.Store.Proposal(ctx, tx, on)
		if err != nil {
			return p, err
		}
		if p, err = p.approve(by, alone, on, digest, found && p.By != 0, tx.Now()); err != nil {
			return p, err
		}
		used = p.Alone
		if err := s.enterClose(ctx, tx, by, alone, "close committed", on, digest); err != nil {
			return p, err
		}
		return p, s.opt.Store.SetProposal(ctx, tx, p)
	})
	if err == nil && !r.Already {
		s.opt.Log.Info("a day is closed", "day", on.String(), "digest", digest, "by", by.Name, "alone", string(used))
	}
	return r, err
}

// approve applies the two-operator rule. proposed is set if an operator proposed the
// close; the schedule's proposal is only a reminder.
func (p Proposal) approve(by actor.By, alone approval.Alone, on plan.Day, digest string, proposed bool, at time.Time) (Proposal, error) {
	two := proposed && approval.Two(p.By, by.Operator)
	switch {
	case !two && alone != "":
		if !proposed || p.Digest != digest {
			p = Proposal{Day: on, Digest: digest, By: by.Operator, Name: by.Name, At: at}
		}
		p.Alone = alone
	case !proposed:
		return p, errs.New(errs.Refused, "close.not_proposed", "No operator has proposed the close of {day}. Propose it, and another operator can commit it.", "day", on)
	case !two:
		return p, errs.New(errs.Forbidden, "close.own_proposal", "You proposed the close of {day}. Another operator must commit it.", "day", on)
	case p.Digest != digest:
		return p, errs.New(errs.Refused, "close.proposal_digest_changed", "The proposal for {day} has changed. Review it again.", "day", on)
	}
	p.Approved, p.ApprovedName, p.ApprovedAt = by.Operator, by.Name, at
	return p, nil
}

// Days lists closed days with their proposals, the latest first, before a day (0: all).
func (s *Service) Days(ctx context.Context, before plan.Day, limit int) ([]ClosedBy, error) {
	return s.opt.Store.Days(ctx, before, limit)
}

// ClosedBy is a closed day and its proposal.
type ClosedBy struct {
	Closed
	Proposal Proposal
}

// CatchUp is run by the schedule. With auto it closes each day that is over, in order;
// otherwise it proposes the first of them once, as a reminder for operators.
func (s *Service) CatchUp(ctx context.Context, auto bool) error {
	by := actor.By{Name: "schedule"}
	for ctx.Err() == nil {
		n, err := s.Next(ctx)
		if errs.Is(err, errs.NotFound) {
			return nil
		}
		if err != nil || !n.Over || (!auto && n.Proposal.Digest != "") {
			return err
		}
		r, err := s.Look(ctx, n.Day)
		if err != nil {
			return err
		}
		if !auto {
			s.opt.Log.Info("a day waits to be closed", "day", n.Day.String(), "digest", r.Digest)
			return s.propose(ctx, by, approval.AloneSchedule, n.Day, r.Digest)
		}
		if _, err := s.approve(ctx, by, approval.AloneSchedule, n.Day, r.Digest); err != nil {
			return errors.Join(errs.New(errs.Refused, "close.not_committed", "The close of {day} was not committed.", "day", n.Day), err)
		}
	}
	return nil
}
