package withdrawal

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

type Options struct {
	Store Store
	// Secret is the HMAC key of one-time codes. It is not in the database, because six
	// digits behind a plain hash are quickly guessed.
	Secret []byte
}

// Service handles withdrawals. Methods with a tx run within a command of the caller,
// which has checked the permission of the actor.
type Service struct {
	store  Store
	secret []byte
}

func New(opt Options) *Service { return &Service{opt.Store, opt.Secret} }

// reference is the name of a withdrawal in the ledger.
func reference(id int64) string { return "withdrawal " + strconv.FormatInt(id, 10) }

// holdReason, followed by the address, is the reason of a hold. The ledger's signed chain
// covers it, so that a later change of the address is detected.
const holdReason = "withdrawal to "

// Ask files a withdrawal, holds its money and assigns its id. keep lists amounts that
// must stay in accounts although they are available. Refused if the wallet has less, or
// while the ledger is frozen.
func (s *Service) Ask(ctx context.Context, tx *ledger.Tx, w Withdrawal, keep map[ledger.Account]money.Amount) (Withdrawal, error) {
	last, err := s.store.Last(ctx, tx)
	if err != nil {
		return w, err
	}
	w.ID, w.State, w.RequestedAt = max(last+1, firstNumber), Pending, tx.Now()
	if w.Parts, err = divide(tx, w, keep); err != nil {
		return w, err
	}
	for i, p := range w.Parts {
		hold, err := tx.PlaceHold(ledger.HoldRequest{Account: p.Account, Amount: p.Amount, For: holdFor, Reason: holdReason + w.Address, Reference: reference(w.ID)})
		if err != nil {
			return w, err
		}
		w.Parts[i].Hold = hold.ID
	}
	return w, s.store.Add(ctx, tx, w)
}

// Enough returns the error of Ask for an order that the wallet cannot pay.
func Enough(tx *ledger.Tx, uid int64, o Order, keep map[ledger.Account]money.Amount) error {
	_, err := divide(tx, Withdrawal{UID: uid, Wallet: o.Wallet, Amount: o.Amount}, keep)
	return err
}

// divide splits the amount among the wallet's accounts, in their order.
func divide(tx *ledger.Tx, w Withdrawal, keep map[ledger.Account]money.Amount) (parts []Part, err error) {
	accounts, err := sources(w.Wallet, w.UID)
	if err != nil {
		return nil, err
	}
	left, had := w.Amount.Micros(), money.Amount{}
	for _, a := range accounts {
		b, err := tx.Balance(a)
		if err != nil {
			return nil, err
		}
		free := money.Micro(max(0, b.Available.Micros()-keep[a].Micros()))
		if had, err = had.Add(free); err != nil {
			return nil, err
		}
		if take := min(left, free.Micros()); take > 0 {
			parts = append(parts, Part{Account: a, Amount: money.Micro(take)})
			left -= take
		}
	}
	if left > 0 {
		return nil, errs.New(errs.Refused, "withdrawal.insufficient_balance", "Insufficient balance: {available} are available, and {needed} are needed.", "available", had.Short(), "needed", w.Amount.Short())
	}
	return parts, nil
}

// Get reads a withdrawal within a command, or committed with a nil tx. NotFound if there
// is none.
func (s *Service) Get(ctx context.Context, tx *ledger.Tx, id int64) (Withdrawal, error) {
	w, found, err := s.store.Get(ctx, tx, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "withdrawal.not_found", "There is no withdrawal {id}.", "id", id)
	}
	return w, err
}

// in reads a withdrawal that must be in one of the states. Conflict otherwise.
func (s *Service) in(ctx context.Context, tx *ledger.Tx, id int64, states ...State) (Withdrawal, error) {
	w, err := s.Get(ctx, tx, id)
	if err != nil {
		return w, err
	}
	for _, state := range states {
		if w.State == state {
			return w, nil
		}
	}
	return w, errs.New(errs.Conflict, "withdrawal.state", "Withdrawal {id} is {state}.", "id", id, "state", w.State)
}

// Tighten requires two operators for a pending withdrawal if its amount, together with
// the amounts approved for the member in the 24 hours before, exceeds a limit; so
// splitting an amount does not avoid the limit. Raising the limit later does not lift the
// requirement.
func (s *Service) Tighten(ctx context.Context, tx *ledger.Tx, id int64, above money.Amount, now time.Time) error {
	w, err := s.Get(ctx, tx, id)
	if err != nil || w.NeedsTwo || w.State != Pending {
		return err
	}
	before, err := s.Approved(ctx, tx, []int64{w.UID}, now)
	if err != nil {
		return err
	}
	if !money.Exceeds(above, w.Amount, before[w.UID]) {
		return nil
	}
	w.NeedsTwo = true
	return s.store.Save(ctx, tx, w, Pending)
}

// Approved returns the sums approved for members in the 24 hours before now, without
// those rejected since.
func (s *Service) Approved(ctx context.Context, tx *ledger.Tx, uids []int64, now time.Time) (map[int64]money.Amount, error) {
	return s.store.ApprovedSince(ctx, tx, uids, now.Add(-24*time.Hour))
}

// Approve adds an operator's approval. A withdrawal that needs two approvals stays
// Pending after the first. Conflict if it is not Pending, or the same operator approves
// twice.
func (s *Service) Approve(ctx context.Context, tx *ledger.Tx, by Approval, id int64, remark string) (Withdrawal, error) {
	remark, err := parseRemark(remark, false)
	if err != nil {
		return Withdrawal{}, err
	}
	w, err := s.in(ctx, tx, id, Pending)
	switch {
	case err != nil:
		return w, err
	case by.Operator <= 0:
		return w, errs.New(errs.Forbidden, "withdrawal.operators_approve", "Only an operator approves withdrawals.")
	case w.First.Operator == by.Operator:
		return w, errs.New(errs.Conflict, "withdrawal.approved_by_you", "You have already approved withdrawal {id}. Another operator must approve it too.", "id", id)
	case w.First.Operator == 0:
		w.First = by
	default:
		w.Second = by
	}
	if remark != "" {
		w.Remark = remark
	}
	if !w.NeedsTwo || w.Second.Operator != 0 {
		w.State = Approved
	}
	return w, s.store.Save(ctx, tx, w, Pending)
}

// Reject rejects a withdrawal that is in no batch and releases its money; the remark
// gives the reason. Conflict if it is too late.
func (s *Service) Reject(ctx context.Context, tx *ledger.Tx, name string, id int64, remark string) (Withdrawal, error) {
	remark, err := parseRemark(remark, true)
	if err != nil {
		return Withdrawal{}, err
	}
	w, err := s.in(ctx, tx, id, Pending, Approved)
	if err != nil {
		return w, err
	}
	if w.Batch != 0 {
		return w, errs.New(errs.Conflict, "withdrawal.being_paid", "Withdrawal {id} is being paid in batch {batch}.", "id", id, "batch", w.Batch)
	}
	w.Remark = remark
	return s.giveBack(ctx, tx, w, Rejected, name)
}

// Cancel cancels the member's pending withdrawal. NotFound if it is not the member's;
// Conflict if it is too late.
func (s *Service) Cancel(ctx context.Context, tx *ledger.Tx, uid, id int64) (Withdrawal, error) {
	w, err := s.Get(ctx, tx, id)
	switch {
	case err != nil:
		return w, err
	case w.UID != uid:
		return w, errs.New(errs.NotFound, "withdrawal.not_found", "There is no withdrawal {id}.", "id", id)
	case w.State != Pending:
		return w, errs.New(errs.Conflict, "withdrawal.not_cancellable", "Withdrawal {id} is {state} and can no longer be cancelled.", "id", id, "state", w.State)
	}
	return s.giveBack(ctx, tx, w, Cancelled, "member")
}

func (s *Service) giveBack(ctx context.Context, tx *ledger.Tx, w Withdrawal, to State, name string) (Withdrawal, error) {
	for _, p := range w.Parts {
		h, err := tx.Hold(p.Hold)
		if err != nil {
			return w, err
		}
		if h.State == ledger.HoldExpired {
			continue // the ledger has released it
		}
		if _, err := tx.Void(p.Hold, reference(w.ID)+" is "+strings.ToLower(string(to))); err != nil {
			return w, err
		}
	}
	from := w.State
	w.State, w.DecidedName, w.DecidedAt = to, name, tx.Now()
	return w, s.store.Save(ctx, tx, w, from)
}

// Payable lists approved withdrawals without their parts that are in no batch and can be
// paid at t, oldest first.
func (s *Service) Payable(ctx context.Context, tx *ledger.Tx, t time.Time, limit int64) ([]Withdrawal, error) {
	return s.store.Payable(ctx, tx, t, limit)
}

// SetBatch adds an approved withdrawal to a batch, or with batch 0 removes it from its
// batch. Conflict if it is not Approved or is in another batch; Refused before ReadyAt.
func (s *Service) SetBatch(ctx context.Context, tx *ledger.Tx, id, batch int64, at time.Time) (Withdrawal, error) {
	w, err := s.in(ctx, tx, id, Approved)
	switch {
	case err != nil:
		return w, err
	case batch != 0 && w.Batch != 0 && w.Batch != batch:
		return w, errs.New(errs.Conflict, "withdrawal.in_batch", "Withdrawal {id} is in batch {batch} already.", "id", id, "batch", w.Batch)
	case batch != 0 && at.Before(w.ReadyAt):
		return w, early(w)
	}
	w.Batch = batch
	return w, s.store.Save(ctx, tx, w, Approved)
}

func early(w Withdrawal) error {
	return errs.New(errs.Refused, "withdrawal.not_before", "Withdrawal {id} cannot be paid before {until}.", "id", w.ID, "until", w.ReadyAt.UTC().Format("2006-01-02 15:04 UTC"))
}

// Sent notes the transaction that pays a withdrawal, before the server broadcasts it or
// after an operator has sent it. The money stays held. Invalid if hash is malformed;
// Conflict if the withdrawal is not Approved, or the hash is in use; Refused before
// ReadyAt.
func (s *Service) Sent(ctx context.Context, tx *ledger.Tx, id int64, hash string, at time.Time) (Withdrawal, error) {
	hash, err := ParseHash(hash)
	if err != nil {
		return Withdrawal{}, err
	}
	w, err := s.in(ctx, tx, id, Approved)
	if err != nil {
		return w, err
	}
	if at.Before(w.ReadyAt) {
		return w, early(w)
	}
	uses, err := s.store.Uses(ctx, tx, []string{hash})
	if err == nil {
		err = uses[hash].Refuse(id)
	}
	if err != nil {
		return w, err
	}
	w.State, w.Hash, w.SentAt = Sent, hash, at
	return w, s.store.Save(ctx, tx, w, Approved)
}

// Uses returns the uses of transaction hashes. Unused ones are left out.
func (s *Service) Uses(ctx context.Context, tx *ledger.Tx, hashes []string) (map[string]Use, error) {
	return s.store.Uses(ctx, tx, hashes)
}

// Failed returns a sent withdrawal to Approved and removes it from its batch, because its
// transaction has moved no money and never will. Conflict if it is not Sent.
func (s *Service) Failed(ctx context.Context, tx *ledger.Tx, id int64, why string) (Withdrawal, error) {
	why, err := parseRemark(why, true)
	if err != nil {
		return Withdrawal{}, err
	}
	w, err := s.in(ctx, tx, id, Sent)
	if err != nil {
		return w, err
	}
	w.State, w.Hash, w.Batch, w.Remark, w.SentAt = Approved, "", 0, why, time.Time{}
	return w, s.store.Save(ctx, tx, w, Sent)
}

// Confirm posts the payment of a sent withdrawal: incomes from field cash, funds from
// client cash. Conflict if it is not Sent; Refused while the ledger is frozen.
func (s *Service) Confirm(ctx context.Context, tx *ledger.Tx, id int64) (Withdrawal, error) {
	w, err := s.in(ctx, tx, id, Sent)
	if err != nil {
		return w, err
	}
	if err := s.Held(ctx, tx, w); err != nil {
		return w, err
	}
	for _, p := range w.Parts {
		t, err := Transfer(p.Account, p.Amount, w.Charge, reference(w.ID))
		if err != nil {
			return w, err
		}
		if _, err := tx.Settle(p.Hold, t); err != nil {
			return w, err
		}
	}
	w.State, w.ConfirmedAt = Confirmed, tx.Now()
	return w, s.store.Save(ctx, tx, w, Sent)
}

// List returns a page of the withdrawals that match f, their total count and the sum of
// their amounts.
func (s *Service) List(ctx context.Context, f Filter) ([]Withdrawal, int64, money.Amount, error) {
	return s.store.List(ctx, f)
}

// OfMember returns a page of a member's withdrawals with their parts, the total count, the
// sum of their amounts, and what the Confirmed ones paid after fees.
func (s *Service) OfMember(ctx context.Context, f Filter) (all []Withdrawal, count int64, sum, paid money.Amount, err error) {
	if all, count, sum, err = s.store.List(ctx, f); err != nil {
		return nil, 0, sum, paid, err
	}
	if paid, err = s.store.Paid(ctx, f); err != nil || len(all) == 0 {
		return all, count, sum, paid, err
	}
	byID := func(a, b Withdrawal) int { return cmp.Compare(a.ID, b.ID) }
	parts, err := s.store.Parts(ctx, f.UID, slices.MinFunc(all, byID).ID, slices.MaxFunc(all, byID).ID)
	for i := range all {
		all[i].Parts = parts[all[i].ID]
	}
	return all, count, sum, paid, err
}

// Requested returns the sum that a member requested since a time, without rejected and
// cancelled withdrawals.
func (s *Service) Requested(ctx context.Context, tx *ledger.Tx, uid int64, since time.Time) (money.Amount, error) {
	return s.store.Requested(ctx, tx, uid, since)
}

// ApprovedOfAll returns the sum approved since a time for all members, without
// withdrawals rejected since.
func (s *Service) ApprovedOfAll(ctx context.Context, tx *ledger.Tx, since time.Time) (money.Amount, error) {
	return s.store.ApprovedOfAll(ctx, tx, since)
}

// ParseHash normalizes a transaction hash. Invalid if it is malformed.
func ParseHash(s string) (string, error) {
	body := strings.TrimPrefix(strings.ToLower(strings.Join(strings.Fields(s), "")), "0x")
	if _, err := hex.DecodeString(body); err != nil || len(body) != 64 {
		return "", errs.BadField("hash", "chain.transaction_hash", "A transaction hash is 0x and 64 digits of 0-9 and a-f.")
	}
	return "0x" + body, nil
}

func parseRemark(s string, needed bool) (string, error) {
	s = strings.TrimSpace(s)
	n := utf8.RuneCountInString(s)
	if n > maxRemark || (needed && n == 0) || !utf8.ValidString(s) || strings.ContainsFunc(s, plain.Control) {
		return "", errs.BadField("remark", "approval.remark_required", "The remark says why: 1 to 200 characters, on one line.")
	}
	return s, nil
}

// Replaced replaces the noted transaction hash of a sent withdrawal: another transaction
// with the same nonce was mined, or the hash was mistyped. Invalid if hash is malformed;
// Conflict if the withdrawal is not Sent.
func (s *Service) Replaced(ctx context.Context, tx *ledger.Tx, id int64, hash string) (Withdrawal, error) {
	hash, err := ParseHash(hash)
	if err != nil {
		return Withdrawal{}, err
	}
	w, err := s.in(ctx, tx, id, Sent)
	if err != nil || w.Hash == hash {
		return w, err
	}
	w.Hash = hash
	return w, s.store.Save(ctx, tx, w, Sent)
}
