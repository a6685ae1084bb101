package auth_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// changePin changes the transaction password of a member who joined with pin.
func (h *house) changePin(old, new string) error {
	return h.told(h.applied(h.PrepareTransactionChange(ctx, uid, passwords.Person{}, h.hide(old), h.hide(new))))
}

// Whoever is in somebody else's account uses up its changes: the owner gets it back all
// the same.
func TestASecretThatWasForgottenOrMailedIsReplacedHoweverOftenItWasChanged(t *testing.T) {
	onSite(t, func(t *testing.T, h *house) {
		thief, now := h.mustLogin(), pin
		for n := range 5 {
			next := fmt.Sprintf("Thief%du", n)
			h.must(h.changePin(now, next))
			now = next
		}
		h.restart() // they stay counted
		h.code(h.changePin(now, "Sixth4u"), errs.Limited)
		h.code(h.change(password, newPassword, thief.Session.ID), errs.Limited)

		tmp := h.temporary(uid)
		h.must(h.reset(uid, tmp.ResetToken, newPassword))
		h.bad(h.Service, thief.Token)

		tmp = h.temporary(uid)
		mine, err := h.login(uid, tmp.Password)
		h.must(err)
		h.must(h.change(tmp.Password, "Another horse 3", mine.Session.ID))

		fresh, err := h.PrepareTransactionPassword(ctx, h.hide(mailed))
		h.must(err)
		h.must(h.command(func(tx *ledger.Tx) error {
			return h.ResetTransactionPassword(ctx, tx, uid, fresh)
		}))
		h.must(h.changePin(mailed, "Mine4us"))
		h.code(h.changePin("Mine4us", "Mine5us"), errs.Limited)
		h.Clock.Advance(24 * time.Hour)
		h.must(h.changePin("Mine4us", "Mine5us"))
	})
}

// Changes are kept in a table in which others' rows may be in the way.
func TestTheFifthChangeOfADayIsEverybodysLast(t *testing.T) {
	h := onSQLite(t)
	h.must(h.command(func(tx *ledger.Tx) error {
		for n := range 6 {
			for who := range int64(1000) {
				err := h.CountChange(ctx, tx, 200_000+who)
				if n < 5 && err != nil || n == 5 && !errs.Is(err, errs.Limited) {
					return fmt.Errorf("change %d of member %d: %w", n+1, 200_000+who, err)
				}
			}
		}
		return nil
	}))
}
