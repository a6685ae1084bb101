package auth_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const (
	newcomer = int64(482916)
	mailed   = "k7dw2p"
)

// registered is a member whose transaction password was mailed at registration.
func (h *fixture) registered() {
	h.t.Helper()
	c, err := h.Prepare(ctx, password, h.hide(mailed))
	h.must(err)
	h.must(h.command(func(tx *ledger.Tx) error { return h.Add(ctx, tx, newcomer, c.PinMailed()) }))
}

// supported mails a member another transaction password.
func (h *fixture) supported(pin string) {
	h.t.Helper()
	fresh, err := h.PrepareTransactionPassword(ctx, h.hide(pin))
	h.must(err)
	h.must(h.command(func(tx *ledger.Tx) error {
		return h.ResetTransactionPassword(ctx, tx, newcomer, fresh)
	}))
}

func (h *fixture) choose(old, new string) error {
	return h.told(h.applied(h.PrepareTransactionChange(ctx, newcomer, passwords.Person{}, h.hide(old), h.hide(new))))
}

func (h *fixture) pays(pin string) error {
	p, err := h.CheckTransactionPassword(ctx, newcomer, pin)
	if err == nil {
		_, err = p.Do(ctx, ledger.Command{Actor: "test", Run: func(context.Context, *ledger.Tx) ([]byte, error) { return nil, nil }})
	}
	return h.told(err)
}

func (h *fixture) refusal(err error, text string) {
	h.t.Helper()
	if !errs.Is(err, errs.Refused) || !strings.Contains(errs.MessageOf(err), text) {
		h.t.Errorf("got %v, want a refusal with %q", err, text)
	}
}

// A thief may find the transaction password of the welcome mail in an old mailbox.
func TestAMailedTransactionPasswordMovesNoMoneyAndExpiresAfterADay(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		h.registered()
		h.refusal(h.pays(mailed), "Choose your own first")
		h.Clock.Advance(24*time.Hour - time.Second)
		h.must(h.choose(mailed, "Mine4me"))
		h.must(h.pays("Mine4me"))
		if w, err := h.Wait(ctx, newcomer); err != nil || !w.Until.IsZero() {
			t.Errorf("the first choice makes money wait: %v, %v", w, err)
		}
		h.must(h.choose("Mine4me", "Mine4you"))
		if w, err := h.Wait(ctx, newcomer); err != nil || w.Over(h.Clock.Now()) {
			t.Errorf("another choice makes nothing wait: %v, %v", w, err)
		}

		h.supported(mailed)
		change, err := h.PrepareTransactionChange(ctx, newcomer, passwords.Person{}, mailed, h.hide("Mine4us"))
		h.must(err)
		h.Clock.Advance(24 * time.Hour)
		h.refusal(h.told(h.applied(change, nil)), "ended after 24 hours")
		h.refusal(h.pays(mailed), "ended after 24 hours")
		h.refusal(h.choose(mailed, "Mine4us"), "ended after 24 hours")
	})
}

// A thief may persuade support to mail a transaction password to a mailbox that the thief
// reads.
func TestATransactionPasswordMailedBySupportMovesNoMoneyForADay(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		h.registered()
		h.must(h.choose(mailed, "Mine4me"))
		h.supported(mailed)
		h.refusal(h.pays(mailed), "Choose your own first")
		h.must(h.choose(mailed, "Thief4u"))
		h.refusal(h.pays("Thief4u"), "A new transaction password was mailed to you")
		h.must(h.choose("Thief4u", "Thief5u"))
		h.Clock.Advance(24*time.Hour - time.Second)
		h.refusal(h.pays("Thief5u"), "none is accepted before")
		if p, err := h.PinState(ctx, newcomer); err != nil || p.Rests.IsZero() || !p.Ends.IsZero() {
			t.Errorf("told of the transaction password: %+v, %v", p, err)
		}
		h.Clock.Advance(time.Second)
		h.must(h.pays("Thief5u"))
	})
}

// Database access could make a mailed password permanent.
func TestATamperedMailedPasswordIsDetected(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		h.registered()
		_, err := testkit.Raw(t, dsn).ExecContext(t.Context(), "UPDATE credential SET pin_mailed = 0 WHERE uid = $1", newcomer)
		h.must(err)
		h.restart() // caches are empty
		h.code(h.pays(mailed), errs.Conflict)
		if frozen := h.State().Head.Frozen; !strings.Contains(frozen, "Credential") {
			t.Errorf("payments are frozen for %q", frozen)
		}
	})
}
