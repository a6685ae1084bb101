package fund

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
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

// Gift is a transfer between two members, in the ledger's order.
type Gift struct {
	Seq, From, To int64
	Fund          Kind
	Amount        money.Amount
}

const (
	// traceWindow is how far back gifts are looked at: as long as the longest wait.
	traceWindow = 48 * time.Hour
	// MaxGifts is how many transfers are followed at most, over whatever number of
	// members; the money that went further than that is held where it was seen last.
	MaxGifts = 10_000
)

// HeldLook says whose held money a command will ask for.
type HeldLook []int64

// GroupLook makes HeldLook a ledger.Look.
func (HeldLook) GroupLook() {}

// Hold makes what a member gave to others wait until a time, wherever it is now. If
// the member waited before, what is held is held for longer.
func (s *Service) Hold(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, giver int64, waited bool, until time.Time) error {
	if waited {
		all, err := s.store.HeldOf(ctx, rows, giver, tx.Now())
		if err != nil {
			return err
		}
		for _, h := range all {
			h.Until = until
			if err := s.store.PutHeld(ctx, rows, h); err != nil {
				return err
			}
		}
		return nil
	}
	t := trace{s: s, tx: tx, rows: rows, giver: giver, since: tx.Now().Add(-traceWindow), has: map[place]money.Amount{}, seen: map[int64]bool{}}
	if err := t.follow(ctx); err != nil {
		return err
	}
	for _, p := range t.order {
		if t.has[p].Sign() <= 0 {
			continue
		}
		if err := s.store.PutHeld(ctx, rows, Held{p.uid, p.fund, giver, t.has[p], until}); err != nil {
			return err
		}
	}
	return nil
}

// place is one fund of one member.
type place struct {
	uid  int64
	fund Kind
}

// trace follows a member's money from fund to fund. A receiver who sends money on is
// taken to send what came from the member first.
type trace struct {
	s     *Service
	tx    *ledger.Tx
	rows  ledger.Rows
	giver int64
	since time.Time
	has   map[place]money.Amount
	order []place // of has, as they were found
	seen  map[int64]bool
	gifts []Gift // to be looked at, in order
	read  int
}

func (t *trace) follow(ctx context.Context) error {
	if err := t.given(ctx, t.giver, 0); err != nil {
		return err
	}
	for len(t.gifts) > 0 {
		g := t.gifts[0]
		t.gifts = t.gifts[1:]
		moved, from := g.Amount, place{g.From, g.Fund}
		if g.From != t.giver {
			if t.has[from].Less(moved) {
				moved = t.has[from]
			}
			var err error
			if t.has[from], err = t.has[from].Sub(moved); err != nil {
				return err
			}
		}
		if moved.Sign() <= 0 || g.To == t.giver {
			continue
		}
		if err := t.reach(ctx, place{g.To, g.Fund}, moved, g.Seq); err != nil {
			return err
		}
	}
	return nil
}

// reach notes money that came to a place, and of who is reached first what they gave
// after that.
func (t *trace) reach(ctx context.Context, to place, moved money.Amount, seq int64) (err error) {
	if _, known := t.has[to]; !known {
		t.order = append(t.order, to)
	}
	if t.has[to], err = t.has[to].Add(moved); err != nil || t.seen[to.uid] {
		return err
	}
	return t.given(ctx, to.uid, seq)
}

// given adds what a member gave after a transfer.
func (t *trace) given(ctx context.Context, uid, after int64) error {
	t.seen[uid] = true
	if t.read >= MaxGifts {
		return nil
	}
	more, err := t.s.store.Given(ctx, t.rows, uid, after, t.since, MaxGifts-t.read)
	if err != nil {
		return err
	}
	more = append(more, unwritten(t.tx, uid, after)...)
	t.read += len(more)
	t.gifts = append(t.gifts, more...)
	slices.SortStableFunc(t.gifts, func(a, b Gift) int { return cmp.Compare(a.Seq, b.Seq) })
	return nil
}

// unwritten are a member's gifts of the same group, which the store does not have.
func unwritten(tx *ledger.Tx, uid, after int64) (out []Gift) {
	var g Gift
	tx.Unwritten(func(t *ledger.TransferRow, e *ledger.EntryRow) {
		if t.Kind != "transfer" || e.Kind != "L:FUND" || t.Seq <= after {
			return
		}
		if e.Delta < 0 {
			g = Gift{Seq: t.Seq, From: e.Owner, Fund: KindOf(e.Code), Amount: money.Micro(-e.Delta)}
			return
		}
		if g.To = e.Owner; g.Seq == t.Seq && g.From == uid {
			out = append(out, g)
		}
	})
	return out
}

// MayLeave is Refused, in words for the member, if so much of a fund cannot leave it
// because money in it is held; what an account simply lacks is not asked here.
func (s *Service) MayLeave(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, uid int64, k Kind, a money.Amount) error {
	free, held, err := s.Free(ctx, tx, rows, uid, k)
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
	return errs.New(errs.Refused, "Of your %s, %s can leave it before %s: the rest came from a member whose account was changed shortly after.", k.Name(), free.Short()+" USDT", held.Until.UTC().Format("2 January 2006 at 15:04 UTC"))
}

// Free is how much of a fund may leave it now, and what is held of it in all: of
// that, Until is when the last of it is free.
func (s *Service) Free(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, uid int64, k Kind) (free money.Amount, held Held, err error) {
	account, err := k.Account(uid)
	if err != nil {
		return free, held, err
	}
	b, err := tx.Balance(account)
	if err != nil {
		return free, held, err
	}
	all, err := s.store.Held(ctx, rows, uid)
	if errors.As(err, new(*ledger.TamperedError)) { // what was found stays the cause, for which money stands still
		err = errs.Wrap(errs.Conflict, err, "What is held of your funds was changed by somebody who may not. Nothing is done until that is cleared up: contact support.")
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
