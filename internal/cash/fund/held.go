package fund

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// A thief may have sent money to others shortly before the account was changed. So that
// money is held along with the member's own: its current owner cannot transfer it, pay
// for others with it or withdraw it until the member's waiting period ends. The owners
// are determined once, when the waiting period begins. The money cannot move afterwards,
// because the giver sends nothing and receivers cannot.
//
// Receivers may buy for themselves with held money. The money stays with the company, and
// a refund during cooling-off returns it to the same fund, where the same amount is held.

// Held is money in a member's fund that may not leave before Until.
type Held struct {
	UID    int64
	Fund   Kind
	Giver  int64 // the member whose waiting period applies
	Amount money.Amount
	Until  time.Time
}

// Hold holds the money that giver sent to others until the given time, wherever it is
// now. If the member's waiting period was running already, waited is true and the
// existing rows are extended.
func (s *Service) Hold(ctx context.Context, tx *ledger.Tx, giver int64, waited bool, until time.Time) error {
	if waited {
		return s.store.ExtendHeld(ctx, tx, giver, tx.Now(), until)
	}
	t := newTrace(s, tx, giver)
	if err := t.follow(ctx); err != nil {
		return err
	}
	var all []Held
	for _, x := range t.order {
		if x.has.Sign() > 0 && x.uid > 0 {
			all = append(all, Held{x.uid, x.fund, giver, x.has, until})
		}
	}
	if len(all) > maxHeld { // drop the smallest
		slices.SortStableFunc(all, func(a, b Held) int { return b.Amount.Cmp(a.Amount) })
		all = all[:maxHeld]
	}
	return s.store.PutHeld(ctx, tx, giver, all)
}

// MayLeave returns Refused, with a text for the member, if amount a cannot leave the fund
// because part of the fund is held. A plain lack of money is not checked here.
func (s *Service) MayLeave(ctx context.Context, tx *ledger.Tx, uid int64, k Kind, a money.Amount) error {
	free, held, err := s.Free(ctx, tx, uid, k)
	if err != nil || held.Amount.IsZero() || !free.Less(a) {
		return err
	}
	account, err := k.Account(uid)
	if err != nil {
		return err
	}
	b, err := tx.Balance(account)
	if err != nil || b.Available.Less(a) {
		return err // too little money, which posting reports
	}
	return errs.New(errs.Refused, "fund.partly_held", "You can use {free} of your {fund} before {until}. The rest came from a member whose account was changed shortly after.", "fund", k.Name(), "free", free.Short()+" USDT", "until", held.Until.UTC().Format("2 January 2006 at 15:04 UTC"))
}

// Free returns how much of a fund may leave it now, and the sum that is held. Until of
// the sum is when the last part becomes free.
func (s *Service) Free(ctx context.Context, tx *ledger.Tx, uid int64, k Kind) (free money.Amount, held Held, err error) {
	account, err := k.Account(uid)
	if err != nil {
		return free, held, err
	}
	b, err := tx.Balance(account)
	if err != nil {
		return free, held, err
	}
	all, err := s.store.Held(ctx, tx, uid)
	if errors.As(err, new(*ledger.TamperedError)) { // the cause stays wrapped, so that payments freeze
		err = errs.Wrap(errs.Conflict, err, "fund.held_tampered", "The record of your held funds was tampered with. Contact support.")
	}
	if err != nil {
		return free, held, err
	}
	if held, err = sum(all, uid, k, tx.Now()); err != nil {
		return free, held, err
	}
	if b.Available.Less(held.Amount) {
		return money.Amount{}, held, nil
	}
	free, err = b.Available.Sub(held.Amount)
	return free, held, err
}

// HeldNow returns the held sum of each of a member's funds at t, as committed.
func (s *Service) HeldNow(ctx context.Context, uid int64, t time.Time) ([]Held, error) {
	all, err := s.store.Held(ctx, nil, uid)
	if err != nil {
		return nil, err
	}
	var out []Held
	for _, k := range []Kind{Robot, Forex, Crypto} {
		h, err := sum(all, uid, k, t)
		if err != nil {
			return nil, err
		}
		if h.Amount.Sign() > 0 {
			out = append(out, h)
		}
	}
	return out, nil
}

// sum adds up what is held of one fund at t.
func sum(all []Held, uid int64, k Kind, t time.Time) (out Held, err error) {
	out.UID, out.Fund = uid, k
	for _, h := range all {
		if h.Fund != k || !t.Before(h.Until) {
			continue
		}
		if out.Amount, err = out.Amount.Add(h.Amount); err != nil {
			return out, err
		}
		if h.Until.After(out.Until) {
			out.Until = h.Until
		}
	}
	return out, nil
}
