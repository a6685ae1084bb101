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

// Money that a member gave to others shortly before the member's account was changed
// may have been given by a thief. So it waits with the member: whoever has it now
// cannot send it on, pay for others with it or withdraw it until the member's own
// wait is over. Who has it is found out once, when the wait begins, because from then
// on it does not move: the giver sends nothing, and receivers cannot.
//
// What a receiver buys for itself may be paid with held money: nothing leaves by it,
// and while it cools off a refund brings the money back to the same fund, where as
// much is held as before.

// Held is money in one of a member's funds that may not leave before a time.
type Held struct {
	UID    int64
	Fund   Kind
	Giver  int64 // whose wait it shares
	Amount money.Amount
	Until  time.Time
}

// Hold makes what a member gave to others wait until a time, wherever it is now. If
// the member waited before, what is held is held for longer.
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
	if len(all) > maxHeld { // the smallest are left out
		slices.SortStableFunc(all, func(a, b Held) int { return b.Amount.Cmp(a.Amount) })
		all = all[:maxHeld]
	}
	return s.store.PutHeld(ctx, tx, giver, all)
}

// MayLeave is Refused, in words for the member, if so much of a fund cannot leave it
// because money in it is held; what an account simply lacks is not asked here.
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
		return err // less money than that, which whoever posts says
	}
	return errs.New(errs.Refused, "fund.partly_held", "Of your {fund}, {free} can leave it before {until}: the rest came from a member whose account was changed shortly after.", "fund", k.Name(), "free", free.Short()+" USDT", "until", held.Until.UTC().Format("2 January 2006 at 15:04 UTC"))
}

// Free is how much of a fund may leave it now, and what is held of it in all: of
// that, Until is when the last of it is free.
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
	if errors.As(err, new(*ledger.TamperedError)) { // what was found stays the cause, for which money stands still
		err = errs.Wrap(errs.Conflict, err, "fund.held_tampered", "What is held of your funds was changed by somebody who may not. Nothing is done until that is cleared up: contact support.")
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

// HeldNow is what is held of each of a member's funds at t, as committed.
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
