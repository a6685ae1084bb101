package auth_test

import (
	"context"
	"net/netip"
	"sync/atomic"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A wrong password needs two comparisons and a right one needs one. If the second had to
// wait again, its refusal would disclose that the first did not match, and cost no try.
func TestAWrongPasswordIsCountedWhileTheQueueIsFull(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		h.hasher = auth.NewHasher(auth.HashOptions{Params: cheap, AtOnce: 1, Waiting: 1})
		h.Service = h.service(auth.Options{})
		for _, id := range []int64{uid, stranger} {
			for range 5 {
				var err error
				h.Crowd(func() { err = guess(h.Service, id, home) })
				h.wants(err, auth.ErrWrongPassword)
			}
			retryAfter(t, guess(h.Service, id, home))
		}
		h.restart()
		retryAfter(t, guess(h.Service, uid, home))
	})
}

// overloaded is a sequencer that takes nothing while it is on.
type overloaded struct {
	*ledger.Sequencer
	on *atomic.Bool
}

func (o overloaded) Do(ctx context.Context, cmd ledger.Command) (ledger.Result, error) {
	if o.on.Load() {
		return ledger.Result{}, errs.New(errs.Limited, "server.busy", "Too many writes are queued. Try again in a moment.")
	}
	return o.Sequencer.Do(ctx, cmd)
}

// The time of a refusal may disclose a wrong guess, so a wrong one counts even when
// nothing can be written.
func TestAWrongGuessIsCountedWhileNothingCanBeWritten(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		email := h.operator("owner")
		h.setFactor(1)
		session := h.mustLogin().Session
		var on atomic.Bool
		s := h.service(auth.Options{Do: overloaded{h.Sequencer, &on}})
		from := auth.From{Peer: netip.MustParseAddr("198.51.100.7")}
		for what, wrong := range map[string]func() error{
			"password": func() error { return guess(s, uid, from.Peer) },
			"operator's password": func() error {
				_, err := s.LoginOperator(ctx, auth.OperatorLogin{Email: email, Password: "wrong-password", From: from})
				return err
			},
			"old password": func() error {
				_, err := s.PrepareChange(ctx, auth.ChangeRequest{UID: uid, Old: "wrong-password", New: newPassword, Keep: session.ID, Peer: from.Peer})
				return err
			},
			"evidence": func() error {
				_, err := s.RenewRecovery(ctx, session, auth.Evidence{Password: "wrong-password"}, from, nil)
				return err
			},
		} {
			on.Store(true)
			for range 5 {
				h.code(h.told(wrong()), errs.Limited)
			}
			on.Store(false)
			if after := retryAfter(t, wrong()); after <= 0 {
				t.Errorf("%s: nothing was counted", what)
			}
		}
	})
}

// A right transaction password writes nothing, so a failure to count a wrong one would
// disclose it: none is compared before the wrong ones are counted.
func TestNoTransactionPasswordIsComparedBeforeWrongOnesAreCounted(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		var on atomic.Bool
		s := h.service(auth.Options{Do: overloaded{h.Sequencer, &on}})
		on.Store(true)
		_, err := s.CheckTransactionPassword(ctx, uid, wrongPin)
		h.code(err, errs.Limited)
		before := h.hasher.Verifications()
		for _, given := range []string{wrongPin, pin} {
			_, err := s.CheckTransactionPassword(ctx, uid, given)
			h.code(err, errs.Limited)
		}
		if n := h.hasher.Verifications() - before; n != 0 {
			t.Errorf("%d were compared", n)
		}
		on.Store(false)
		for range 4 {
			_, err := s.CheckTransactionPassword(ctx, uid, wrongPin)
			h.wants(err, auth.ErrWrongTransactionPassword)
		}
		_, err = s.CheckTransactionPassword(ctx, uid, pin)
		retryAfter(t, err)
	})
}
