package auth_test

import (
	"context"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

const wrongPin = "wrong-pin"

func (h *fixture) pin(given string) (auth.Proof, error) {
	p, err := h.CheckTransactionPassword(ctx, uid, h.hide(given))
	return p, h.told(err)
}

func (h *fixture) mustPin(given string) auth.Proof {
	h.t.Helper()
	p, err := h.pin(given)
	h.must(err)
	return p
}

func (h *fixture) wrongPins(n int) {
	h.t.Helper()
	for range n {
		_, err := h.pin(wrongPin)
		h.wants(err, auth.ErrWrongTransactionPassword)
	}
}

func TestFiveWrongTransactionPasswordsLockForAQuarterOfAnHour(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		h.wrongPins(5)
		before := h.hasher.Verifications()
		_, err := h.pin(pin)
		if after := retryAfter(t, err); after != 15*time.Minute || errs.MessageOf(err) != "Too many wrong transaction passwords. Try again in 15 minutes." {
			t.Errorf("%v, retry after %s", err, after)
		}
		if h.hasher.Verifications() != before {
			t.Error("verified while locked")
		}
		h.Clock.SetWall(h.Clock.Now().Add(-24 * time.Hour))
		h.Clock.Advance(15*time.Minute - time.Second)
		_, err = h.pin(pin)
		h.code(err, errs.Limited)
		h.Clock.Advance(time.Second)
		h.wrongPins(4) // afresh
		h.must(h.mustPin(pin).Cleared(ctx))
		h.wrongPins(5)
		_, err = h.pin(pin)
		h.code(err, errs.Limited)
	})
}

func TestFiftyParallelWrongTransactionPasswordsUseExactlyFiveTries(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		before := h.hasher.Verifications()
		got := parallel(50, func() error { _, err := h.pin(wrongPin); return err })
		if got[auth.ErrWrongTransactionPassword.Error()] != 5 || got["Too many wrong transaction passwords. Try again in 15 minutes."] != 45 {
			t.Errorf("%v", got)
		}
		if n := h.hasher.Verifications() - before; n != 5 {
			t.Errorf("%d verifications", n)
		}
		if c := h.credential(); c.PinTries != 5 || c.PinLocked.IsZero() {
			t.Errorf("%d tries, locked until %s", c.PinTries, c.PinLocked)
		}
	})
}

// hangingUp is a caller that is gone when a wrong try is to be written.
type hangingUp struct {
	ledger.Leader
	hangUp context.CancelFunc
}

func (d hangingUp) Do(ctx context.Context, cmd ledger.Command) (ledger.Result, error) {
	d.hangUp()
	return d.Leader.Do(ctx, cmd)
}

// Otherwise a caller could guess without limit by hanging up: a moved amount would reveal
// the right password.
func TestAWrongTransactionPasswordCountsWhenTheCallerHangsUp(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		for n := range int64(4) {
			gone, hangUp := context.WithCancel(ctx)
			_, err := h.service(auth.Options{Do: hangingUp{h.Sequencer, hangUp}}).CheckTransactionPassword(gone, uid, wrongPin)
			h.wants(err, auth.ErrWrongTransactionPassword)
			if c := h.credential(); gone.Err() == nil || c.PinTries != n+1 {
				t.Errorf("after %d: %d are counted", n+1, c.PinTries)
			}
		}
	})
}

func TestTriesAndLockSurviveARestart(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		h.wrongPins(3)
		h.restart()
		h.wrongPins(2)
		h.restart()
		_, err := h.pin(pin)
		if after := retryAfter(t, err).Round(time.Second); after != 15*time.Minute {
			t.Errorf("retry after %s", after)
		}
	})
}

func TestTheTriesComeBackWithTheCommandThatTheProofIsFor(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		h.wrongPins(4)
		proof := h.mustPin(pin) // the fifth, and right
		if c := h.credential(); c.PinTries != 4 {
			t.Errorf("%d tries", c.PinTries) // until the proof is cleared
		}
		h.must(h.command(func(tx *ledger.Tx) error { return proof.Clear(ctx, tx) }))
		if c := h.credential(); c.PinTries != 0 || !c.PinLocked.IsZero() {
			t.Errorf("%d tries, locked until %s", c.PinTries, c.PinLocked)
		}
	})
}

func TestARightTransactionPasswordNeverLocks(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		spend := func(key string, outcome error) error {
			_, err := h.mustPin(pin).Do(ctx, ledger.Command{Actor: "test", Key: key, Body: []byte(key), Run: func(context.Context, *ledger.Tx) ([]byte, error) {
				return []byte("spent"), outcome
			}})
			return h.told(err)
		}
		for range 7 {
			h.code(spend("", errs.New(errs.Refused, "test.error", "Not enough.")), errs.Refused)
		}
		for range 7 {
			h.must(spend("once", nil)) // the first does it, the others are told so
		}
		if c := h.credential(); c.PinTries != 0 || !c.PinLocked.IsZero() {
			t.Errorf("%d tries, locked until %s", c.PinTries, c.PinLocked)
		}
	})
}

func TestAnInvalidTransactionPasswordIsNotCounted(t *testing.T) {
	h := onSQLite(t)
	for range 9 {
		_, err := h.pin("")
		h.code(err, errs.Invalid)
		_, err = h.pin("12345678901")
		h.code(err, errs.Invalid)
	}
	h.mustPin(pin)
	_, err := h.CheckTransactionPassword(ctx, stranger, pin)
	h.wants(err, auth.ErrWrongTransactionPassword)
}

func TestTheOldTransactionPasswordIsNeededToChangeIt(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		next := h.hide("Next2pin")
		change := func(old, new string) error {
			return h.told(h.applied(h.PrepareTransactionChange(ctx, uid, passwords.Person{}, old, new)))
		}
		h.code(change(pin, "short"), errs.Invalid)
		h.code(change(pin, pin), errs.Invalid)
		h.wants(change(wrongPin, next), auth.ErrWrongTransactionPassword)
		stale := h.mustPin(pin)
		h.Clock.Advance(time.Minute)
		h.must(change(pin, next))
		if c := h.credential(); !c.PinAt.Equal(h.Clock.Now()) || c.PinTries != 0 {
			t.Errorf("changed at %s, %d tries", c.PinAt, c.PinTries)
		}
		h.code(h.command(func(tx *ledger.Tx) error { return stale.Clear(ctx, tx) }), errs.Conflict)
		h.wants(change(pin, "Third3pin"), auth.ErrWrongTransactionPassword)
		h.must(h.mustPin(next).Cleared(ctx))
		for range 5 {
			h.wants(change(wrongPin, pin), auth.ErrWrongTransactionPassword)
		}
		h.code(change(next, pin), errs.Limited)
	})
}

func TestTwoChangesOfTheTransactionPasswordAtOnceAreOne(t *testing.T) {
	h := onSQLite(t)
	first, err := h.PrepareTransactionChange(ctx, uid, passwords.Person{}, pin, h.hide("First1pin"))
	h.must(err)
	second, err := h.PrepareTransactionChange(ctx, uid, passwords.Person{}, pin, h.hide("Second2pin"))
	h.must(err)
	apply := func(c auth.Change) error {
		return h.command(func(tx *ledger.Tx) error { return c.Apply(ctx, tx) })
	}
	h.must(apply(first))
	h.code(apply(second), errs.Conflict)
	h.must(h.mustPin("First1pin").Cleared(ctx))
}
