package fund

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Options of a Service.
type Options struct{ Store Store }

// Service is what can be done with fund requests. What takes rows runs inside a
// command of the caller, who has made sure that the asker may.
type Service struct{ store Store }

// New makes a Service.
func New(opt Options) *Service { return &Service{opt.Store} }

// Ask files a request, as parsed, and gives it its id. Naming a number takes it from
// nobody: others may name it too, until it is credited. Refused if the member has
// named it before, if it was credited, or if too many of the member's wait.
func (s *Service) Ask(ctx context.Context, tx *ledger.Tx, r Request, at time.Time) (Request, error) {
	last, pending, taken, err := s.store.Ahead(ctx, tx, r.UID, r.Number)
	switch {
	case err != nil:
		return r, err
	case taken:
		return r, errs.At(errs.Refused, FieldNumber, "fund.number_used", textNumberUsed)
	case pending >= maxPending:
		return r, errs.New(errs.Refused, "fund.too_many_waiting", textTooMany, "count", pending)
	}
	r.ID, r.State, r.RequestedAt = max(last+1, firstRequest), Pending, at
	err = s.store.Add(ctx, tx, r)
	var refused *ledger.ConstraintError
	if errors.As(err, &refused) && refused.Unique {
		return r, errs.About(FieldNumber, errs.Wrap(errs.Refused, err, "fund.number_used", textNumberUsed))
	}
	return r, err
}

// Get reads a request as committed. NotFound if there is none.
func (s *Service) Get(ctx context.Context, id int64) (Request, error) {
	return s.find(ctx, nil, id)
}

func (s *Service) find(ctx context.Context, tx *ledger.Tx, id int64) (Request, error) {
	r, found, err := s.store.Get(ctx, tx, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "fund.not_found", textNoRequest, "id", id)
	}
	return r, err
}

// vouched is find for a request that is acted upon: what it says is what the signed
// chain says of it, and if it waits, its number brought no more deposits than there
// are requests that say so. Who can write to the database can put a row back to what
// it once was, with what vouched for it then, or take away one that was credited; but
// not the ledger.
func (s *Service) vouched(ctx context.Context, tx *ledger.Tx, id int64) (Request, error) {
	if err := s.store.Vouched(ctx, tx, id); err != nil {
		return Request{}, err
	}
	r, err := s.find(ctx, tx, id)
	if err != nil || r.State != Pending {
		return r, err
	}
	return r, s.accounted(ctx, tx, r)
}

// accounted is a *ledger.TamperedError if a number brought a deposit that no request
// has.
func (s *Service) accounted(ctx context.Context, tx *ledger.Tx, r Request) error {
	deposits, approved, err := s.store.Credited(ctx, tx, r.Number)
	if err == nil && deposits > approved {
		err = ledger.Tampered(fmt.Sprintf("Fund request %d", r.ID), "it waits, and its money was credited")
	}
	return err
}

// Approve credits a request's money; where it takes two operators the first
// one's approval is noted, and the request waits for another's, who names the
// digest of what they saw. NotFound if there is no such request; Conflict if it is
// decided, its number was credited with another, or the second operator is the first; Refused if the second one's digest
// is another; Invalid if the remark does not fit.
// A *ledger.TamperedError if the request is not what was written of it, or says
// that it waits though its money was credited.
func (s *Service) Approve(ctx context.Context, tx *ledger.Tx, who actor.By, id int64, digest, remark string) (Request, error) {
	r, err := s.vouched(ctx, tx, id)
	if err == nil && r.State == Pending {
		err = s.only(ctx, tx, r)
	}
	if err == nil && r.NeedsTwo && r.State == Pending && who.Operator != 0 {
		switch r.First.Operator {
		case 0:
			return s.first(ctx, tx, who, r, remark, tx.Now())
		case who.Operator:
			err = errs.New(errs.Conflict, "fund.approved_by_you", "You have approved fund request {id} already: another operator must, too.", "id", id)
		default:
			if r.Digest() != digest {
				err = errs.New(errs.Refused, "approval.first_digest_changed", "What was approved first has another digest: look at it again.")
			}
		}
	}
	if err != nil {
		return r, err
	}
	if r, err = s.decide(ctx, tx, who, id, Approved, remark, tx.Now()); err != nil {
		return r, err
	}
	return r, Deposit(tx, r.UID, r.Fund, r.Amount, r.Number)
}

// Tighten makes a request that waits take two operators if it, and what operators
// have approved of its member in the 24 hours before, come to more than a limit:
// who splits an amount gains nothing. A limit that was raised loosens nothing.
func (s *Service) Tighten(ctx context.Context, tx *ledger.Tx, id int64, above money.Amount, now time.Time) error {
	r, err := s.find(ctx, tx, id)
	if err != nil || r.NeedsTwo || r.State != Pending {
		return err
	}
	before, err := s.Approved(ctx, tx, []int64{r.UID}, now)
	if err != nil {
		return err
	}
	if !money.Exceeds(above, r.Amount, before[r.UID]) {
		return nil
	}
	return s.store.NeedTwo(ctx, tx, id)
}

// TightenBy makes a request that waits take two operators if an operator would
// credit more than a limit alone within 24 hours with it, whomever it is of: what
// one operator makes of nothing is bounded, however it is split.
func (s *Service) TightenBy(ctx context.Context, tx *ledger.Tx, id, operator int64, above money.Amount, now time.Time) error {
	if operator == 0 {
		return nil // the chain's watcher has seen the money
	}
	r, err := s.find(ctx, tx, id)
	if err != nil || r.NeedsTwo || r.State != Pending {
		return err
	}
	before, err := s.Alone(ctx, tx, operator, now)
	if err != nil || !money.Exceeds(above, r.Amount, before) {
		return err
	}
	return s.store.NeedTwo(ctx, tx, id)
}

// Alone is what an operator has credited without a second one in the 24 hours
// before now.
func (s *Service) Alone(ctx context.Context, tx *ledger.Tx, operator int64, now time.Time) (money.Amount, error) {
	return s.store.AloneSince(ctx, tx, operator, now.Add(-24*time.Hour))
}

// Approved is what operators have approved of members in the 24 hours before now.
// What the chain's watcher credits is proven and does not count.
func (s *Service) Approved(ctx context.Context, tx *ledger.Tx, uids []int64, now time.Time) (map[int64]money.Amount, error) {
	return s.store.ApprovedSince(ctx, tx, uids, now.Add(-24*time.Hour))
}

// first notes the approval of the first of two operators.
func (s *Service) first(ctx context.Context, tx *ledger.Tx, who actor.By, r Request, remark string, at time.Time) (Request, error) {
	if _, err := parseRemark(remark, false); err != nil {
		return r, err
	}
	r.First, r.FirstAt = who, at
	return r, s.store.First(ctx, tx, r)
}

// Reject turns a request down; the remark says why. Errors as for Approve.
func (s *Service) Reject(ctx context.Context, tx *ledger.Tx, who actor.By, id int64, remark string, at time.Time) (Request, error) {
	if _, err := s.vouched(ctx, tx, id); err != nil {
		return Request{}, err
	}
	return s.decide(ctx, tx, who, id, Rejected, remark, at)
}

// Release lets the member of a Rejected request ask with its number again: an amount
// was mistyped, or the rejection was a mistake. NotFound if there is no such request;
// Conflict if it is not Rejected or was released before; Invalid if reason does not
// say why.
func (s *Service) Release(ctx context.Context, tx *ledger.Tx, id int64, reason string, at time.Time) (Request, error) {
	if _, err := parseRemark(reason, true); err != nil {
		return Request{}, err
	}
	r, err := s.vouched(ctx, tx, id)
	switch {
	case err != nil:
		return r, err
	case r.State != Rejected:
		return r, errs.New(errs.Conflict, "fund.not_rejected", "Fund request {id} is {state}: only the number of a rejected one can be released.", "id", id, "state", r.State)
	case r.Source != "":
		return r, errs.New(errs.Conflict, "fund.shown_by_chain", "Fund request {id} is a payment that the chain has shown: nobody can ask with it again.", "id", id)
	}
	if err := s.accounted(ctx, tx, r); err != nil {
		return r, err
	}
	fresh, err := s.store.Release(ctx, tx, id, at)
	if err == nil && !fresh {
		err = errs.New(errs.Conflict, "fund.number_released_before", "The number of fund request {id} was released before.", "id", id)
	}
	return r, err
}

func (s *Service) decide(ctx context.Context, tx *ledger.Tx, who actor.By, id int64, to State, remark string, at time.Time) (Request, error) {
	remark, err := parseRemark(remark, to == Rejected)
	if err != nil {
		return Request{}, err
	}
	r, err := s.find(ctx, tx, id)
	switch {
	case err != nil:
		return r, err
	case r.State != Pending:
		return r, errs.New(errs.Conflict, "fund.already_decided", textDecided, "id", id, "state", r.State)
	case who.Name == "":
		return r, fmt.Errorf("fund: nobody decides request %d", id)
	}
	r.State, r.Remark, r.DecidedBy, r.DecidedName, r.DecidedAt = to, remark, who.Operator, who.Name, at
	return r, s.store.Decide(ctx, tx, r)
}

// maxVerdict bounds what the chain's watcher writes.
const maxVerdict = 500

// Verdict notes what was found of a request that waits. Conflict if it is
// decided or there is none.
func (s *Service) Verdict(ctx context.Context, tx *ledger.Tx, id int64, text string, at time.Time) error {
	if r := []rune(text); len(r) > maxVerdict {
		text = string(r[:maxVerdict])
	}
	waits, err := s.store.SetVerdict(ctx, tx, id, text, at)
	if err == nil && !waits {
		err = errs.New(errs.Conflict, "fund.not_waiting", "Fund request {id} does not wait for a decision.", "id", id)
	}
	return err
}

// List is a part of the requests that f asks for, newest first unless it says
// otherwise, and how many they are in all.
func (s *Service) List(ctx context.Context, f Filter) ([]Request, int64, error) {
	return s.store.List(ctx, f)
}

// Moves is a part of what came into a member's funds, or of what went to other
// members, newest first, and how many there are in all.
func (s *Service) Moves(ctx context.Context, f MoveFilter) ([]Move, int64, error) {
	return s.store.Moves(ctx, f)
}
