package withdrawal

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Options of a Service.
type Options struct {
	Store Store
	// Secret keys the hashes of one-time codes; it is never in the database, for
	// six digits behind a plain hash are soon tried out.
	Secret []byte
}

// Service is what can be done with withdrawals. What takes rows runs inside a
// command of the caller, who has made sure that the asker may.
type Service struct {
	store  Store
	secret []byte
}

// New makes a Service.
func New(opt Options) *Service { return &Service{opt.Store, opt.Secret} }

// reference is what a withdrawal is called in the ledger.
func reference(id int64) string { return "withdrawal " + strconv.FormatInt(id, 10) }

// holdReason and the address are why money is held. The ledger's chain signs it:
// who changes the address later is found.
const holdReason = "withdrawal to "

// Ask files a withdrawal, holds its money and gives it its id. Refused if the
// wallet has less, or while the ledger is frozen.
//
// keep is what must stay in an account although it is available; nil for nothing.
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

// Enough is Refused, as Ask would be, if the order's wallet has less.
func Enough(tx *ledger.Tx, uid int64, o Order, keep map[ledger.Account]money.Amount) error {
	_, err := divide(tx, Withdrawal{UID: uid, Wallet: o.Wallet, Amount: o.Amount}, keep)
	return err
}

// divide takes the amount out of the wallet's accounts, one after the other.
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

// Get reads a withdrawal within a command, or without a tx as committed.
// NotFound if there is none.
func (s *Service) Get(ctx context.Context, tx *ledger.Tx, id int64) (Withdrawal, error) {
	w, found, err := s.store.Get(ctx, tx, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "withdrawal.not_found", "There is no withdrawal {id}.", "id", id)
	}
	return w, err
}

// in reads a withdrawal that must be in one of some states. Conflict if it is
// in another.
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

// Tighten makes a withdrawal that waits take two operators if it, and what was
// approved of its member in the 24 hours before, come to more than a limit: who
// splits an amount gains nothing. A limit that was raised loosens nothing.
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

// Approved is what was approved of members in the 24 hours before now, and not
// turned down since.
func (s *Service) Approved(ctx context.Context, tx *ledger.Tx, uids []int64, now time.Time) (map[int64]money.Amount, error) {
	return s.store.ApprovedSince(ctx, tx, uids, now.Add(-24*time.Hour))
}

// Approve notes an operator's approval. A withdrawal that needs two stays
// Pending after the first. Conflict if it is not Pending, or the same operator
// approves twice.
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
		return w, errs.New(errs.Conflict, "withdrawal.approved_by_you", "You have approved withdrawal {id} already: another operator must, too.", "id", id)
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

// Reject turns a withdrawal down that is in no batch and gives its money back;
// the remark says why. Conflict if it is too late.
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

// Cancel takes a withdrawal of uid's own back while it is Pending. NotFound if
// it is not theirs; Conflict if it is too late.
func (s *Service) Cancel(ctx context.Context, tx *ledger.Tx, uid, id int64) (Withdrawal, error) {
	w, err := s.Get(ctx, tx, id)
	switch {
	case err != nil:
		return w, err
	case w.UID != uid:
		return w, errs.New(errs.NotFound, "withdrawal.not_found", "There is no withdrawal {id}.", "id", id)
	case w.State != Pending:
		return w, errs.New(errs.Conflict, "withdrawal.not_cancellable", "Withdrawal {id} is {state} and cannot be cancelled any more.", "id", id, "state", w.State)
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
			continue // its money is back already
		}
		if _, err := tx.Void(p.Hold, reference(w.ID)+" is "+strings.ToLower(string(to))); err != nil {
			return w, err
		}
	}
	from := w.State
	w.State, w.DecidedName, w.DecidedAt = to, name, tx.Now()
	return w, s.store.Save(ctx, tx, w, from)
}

// Payable lists approved withdrawals that are in no batch and may leave at t,
// oldest first, without their parts.
func (s *Service) Payable(ctx context.Context, tx *ledger.Tx, t time.Time, limit int64) ([]Withdrawal, error) {
	return s.store.Payable(ctx, tx, t, limit)
}

// SetBatch puts an approved withdrawal into a batch, or with 0 takes it out of
// the one it is in. Conflict if it is not Approved or is in another batch;
// Refused before its time.
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
	return errs.New(errs.Refused, "withdrawal.not_before", "Withdrawal {id} may not leave before {until}.", "id", w.ID, "until", w.ReadyAt.UTC().Format("2006-01-02 15:04 UTC"))
}

// Sent notes the transaction that pays a withdrawal: the one that is about to
// be broadcast, or was sent by hand. Its money stays held. Invalid if hash is
// none; Conflict if it is not Approved, or the hash was given for something else;
// Refused before its time.
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

// Uses tells what transactions were given for, of those that were.
func (s *Service) Uses(ctx context.Context, tx *ledger.Tx, hashes []string) (map[string]Use, error) {
	return s.store.Uses(ctx, tx, hashes)
}

// Failed makes a sent withdrawal Approved again and takes it out of its batch:
// its transaction is known to have moved nothing, and never will. Conflict if
// it is not Sent.
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

// Confirm takes the money of a sent withdrawal out of the books: incomes out of
// field cash, funds out of client cash. Conflict if it is not Sent; Refused
// while the ledger is frozen.
func (s *Service) Confirm(ctx context.Context, tx *ledger.Tx, id int64) (Withdrawal, error) {
	w, err := s.in(ctx, tx, id, Sent)
	if err != nil {
		return w, err
	}
	if err := s.Held(ctx, tx, w); err != nil {
		return w, err
	}
	for _, p := range w.Parts {
		t, err := outgo(p.Account, p.Amount, w.Charge, reference(w.ID))
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

// List is a part of the withdrawals that f asks for, how many they are in all
// and the sum of their amounts.
func (s *Service) List(ctx context.Context, f Filter) ([]Withdrawal, int64, money.Amount, error) {
	return s.store.List(ctx, f)
}

// Requested is what a member asked for since a time and was not turned down.
func (s *Service) Requested(ctx context.Context, tx *ledger.Tx, uid int64, since time.Time) (money.Amount, error) {
	return s.store.Requested(ctx, tx, uid, since)
}

// ApprovedOfAll is what was approved since a time and not turned down since.
func (s *Service) ApprovedOfAll(ctx context.Context, tx *ledger.Tx, since time.Time) (money.Amount, error) {
	return s.store.ApprovedOfAll(ctx, tx, since)
}

// ParseHash gives a transaction's hash its one spelling. Invalid if it is none.
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
