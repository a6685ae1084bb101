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

// Service handles fund requests. Methods with a tx run within a command of the caller,
// which has checked the permission of the actor.
type Service struct{ store Store }

// New makes a Service.
func New(opt Options) *Service { return &Service{opt.Store} }

// Ask files a parsed request and assigns its id. A number is not reserved: other members
// may name it too until it is credited. Refused if the member has named it before, if it
// was credited, or if the member has too many pending requests.
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
	if refused, ok := errors.AsType[*ledger.ConstraintError](err); ok && refused.Unique {
		return r, errs.About(FieldNumber, errs.Wrap(errs.Refused, err, "fund.number_used", textNumberUsed))
	}
	return r, err
}

// Get reads a committed request. NotFound if there is none.
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

// verified reads a request that is about to change. It checks the row against the signed
// chain and, for a pending request, that its number has no more deposits in the ledger
// than approved requests. An attacker with write access to the database can restore an
// old row with its old chain line, or delete a credited request, but cannot change the
// ledger.
func (s *Service) verified(ctx context.Context, tx *ledger.Tx, id int64) (Request, error) {
	if err := s.store.Verify(ctx, tx, id); err != nil {
		return Request{}, err
	}
	r, err := s.find(ctx, tx, id)
	if err != nil || r.State != Pending {
		return r, err
	}
	return r, s.accounted(ctx, tx, r)
}

// accounted returns a *ledger.TamperedError if a number has a deposit without an approved
// request.
func (s *Service) accounted(ctx context.Context, tx *ledger.Tx, r Request) error {
	deposits, approved, err := s.store.Credited(ctx, tx, r.Number)
	if err == nil && deposits > approved {
		err = ledger.Tampered(fmt.Sprintf("Fund request %d", r.ID), "it waits, and its money was credited")
	}
	return err
}

// Approve credits a request. If the request needs two operators, the first approval is
// noted, and the second operator sends the digest of the request. NotFound if there is no
// such request; Conflict if it is decided, its number was credited with another request,
// or the second operator is the first; Refused if the digest differs; Invalid if the
// remark is malformed. It returns a *ledger.TamperedError if the request does not match
// the signed chain, or is pending although its money was credited.
func (s *Service) Approve(ctx context.Context, tx *ledger.Tx, who actor.By, id int64, digest, remark string) (Request, error) {
	r, err := s.verified(ctx, tx, id)
	if err == nil && r.State == Pending {
		err = s.notCredited(ctx, tx, r)
	}
	if err == nil && r.NeedsTwo && r.State == Pending && who.Operator != 0 {
		switch r.First.Operator {
		case 0:
			return s.first(ctx, tx, who, r, remark, tx.Now())
		case who.Operator:
			err = errs.New(errs.Conflict, "fund.approved_by_you", "You have already approved fund request {id}. Another operator must approve it too.", "id", id)
		default:
			if r.Digest() != digest {
				err = errs.New(errs.Refused, "approval.first_digest_changed", "This has changed since the first approval. Review it again.")
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

// Tighten requires two operators for a pending request if its amount, together with the
// amounts approved for the member in the 24 hours before, exceeds a limit; so splitting
// an amount does not avoid the limit. Raising the limit later does not lift the
// requirement.
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

// TightenBy requires two operators for a pending request if its amount, together with the
// amounts that the operator credited alone in the 24 hours before, exceeds a limit. The
// member does not matter: the limit bounds the money that one operator can create.
func (s *Service) TightenBy(ctx context.Context, tx *ledger.Tx, id, operator int64, above money.Amount, now time.Time) error {
	if operator == 0 {
		return nil // the deposit watcher, which has seen the money
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

// Alone returns the sum that an operator credited without a second one in the 24 hours
// before now.
func (s *Service) Alone(ctx context.Context, tx *ledger.Tx, operator int64, now time.Time) (money.Amount, error) {
	return s.store.AloneSince(ctx, tx, operator, now.Add(-24*time.Hour))
}

// Approved returns the sums that operators approved for members in the 24 hours before
// now. Credits of the deposit watcher are proven and do not count.
func (s *Service) Approved(ctx context.Context, tx *ledger.Tx, uids []int64, now time.Time) (map[int64]money.Amount, error) {
	return s.store.ApprovedSince(ctx, tx, uids, now.Add(-24*time.Hour))
}

// first notes the first of two approvals.
func (s *Service) first(ctx context.Context, tx *ledger.Tx, who actor.By, r Request, remark string, at time.Time) (Request, error) {
	if _, err := parseRemark(remark, false); err != nil {
		return r, err
	}
	r.First, r.FirstAt = who, at
	return r, s.store.First(ctx, tx, r)
}

// Reject rejects a request; the remark gives the reason. Errors as for Approve.
func (s *Service) Reject(ctx context.Context, tx *ledger.Tx, who actor.By, id int64, remark string, at time.Time) (Request, error) {
	if _, err := s.verified(ctx, tx, id); err != nil {
		return Request{}, err
	}
	return s.decide(ctx, tx, who, id, Rejected, remark, at)
}

// Release allows the member of a rejected request to use its number again, for example
// after a typing error in the amount. NotFound if there is no such request; Conflict if
// it is not rejected or was released before; Invalid if the reason is missing or
// malformed.
func (s *Service) Release(ctx context.Context, tx *ledger.Tx, id int64, reason string, at time.Time) (Request, error) {
	if _, err := parseRemark(reason, true); err != nil {
		return Request{}, err
	}
	r, err := s.verified(ctx, tx, id)
	switch {
	case err != nil:
		return r, err
	case r.State != Rejected:
		return r, errs.New(errs.Conflict, "fund.not_rejected", "Fund request {id} is {state}: only the number of a rejected one can be released.", "id", id, "state", r.State)
	case r.Source != "":
		return r, errs.New(errs.Conflict, "fund.shown_by_chain", "Fund request {id} is a payment on the chain, so its number cannot be used again.", "id", id)
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

// maxVerdict limits the length of a verdict in characters.
const maxVerdict = 500

// Verdict notes the watcher's finding on a pending request. Conflict if the request is
// decided or missing.
func (s *Service) Verdict(ctx context.Context, tx *ledger.Tx, id int64, text errs.Text, at time.Time) error {
	if r := []rune(text.Message); len(r) > maxVerdict {
		text = errs.Text{Message: string(r[:maxVerdict])}
	}
	waits, err := s.store.SetVerdict(ctx, tx, id, text, at)
	if err == nil && !waits {
		err = errs.New(errs.Conflict, "fund.not_waiting", "Fund request {id} is not pending.", "id", id)
	}
	return err
}

// List returns a page of the requests that match f, newest first by default, and their
// total count.
func (s *Service) List(ctx context.Context, f Filter) ([]Request, int64, error) {
	return s.store.List(ctx, f)
}

// Moves returns a page of a member's incoming or outgoing fund transfers, newest first,
// and their total count.
func (s *Service) Moves(ctx context.Context, f MoveFilter) ([]Move, int64, error) {
	return s.store.Moves(ctx, f)
}
