package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
)

// A transaction password that was mailed lies in a mailbox, so that it is good for one
// thing, for a day: to be changed by its owner. After support has mailed one, no
// transaction password of the member allows anything else for a day: whoever talked
// support into it gains nothing before the member has read of it.
//
// The first choice of a new member, in place of what registration mailed, makes
// nothing wait: what a member chooses within a day of joining is no change of what
// guarded the account.

const (
	mailedPinLife = 24 * time.Hour
	mailedPinRest = 24 * time.Hour
)

// mailedPin is nil if a right transaction password may allow something at now; if
// not, Refused in words that say what to do.
func (c *CredentialRow) mailedPin(now time.Time) error {
	if !c.PinMailed.IsZero() {
		if err := c.pinEnded(now); err != nil {
			return err
		}
		return errs.At(errs.Refused, fieldOldTransaction, "This transaction password was mailed to you. Choose your own first, under Settings, Transaction Password. The mailed one ends on %s.", c.PinMailed.Add(mailedPinLife).UTC().Format(waitLayout))
	}
	if now.Before(c.PinRests) {
		return errs.At(errs.Refused, fieldOldTransaction, "Our support mailed you a new transaction password. To protect you, none is accepted before %s. If you did not ask for it, contact support now.", c.PinRests.UTC().Format(waitLayout))
	}
	return nil
}

// pinEnded is Refused for a mailed transaction password that nobody changed in time.
func (c *CredentialRow) pinEnded(now time.Time) error {
	if c.PinMailed.IsZero() || now.Before(c.PinMailed.Add(mailedPinLife)) {
		return nil
	}
	return errs.At(errs.Refused, fieldOldTransaction, "This transaction password was mailed to you and ended after 24 hours. Ask our support for a new one.")
}

// PinState is what a member is told of the transaction password.
type PinState struct {
	Ends  time.Time // of a mailed one, before which it must be changed; zero if its owner chose it
	Rests time.Time // before this none is accepted but to be changed; zero if that is over
}

// PinState is that of a member's transaction password as committed.
func (s *Service) PinState(ctx context.Context, uid int64) (p PinState, err error) {
	c, _, err := s.store.Credential(ctx, uid)
	if err != nil {
		return p, unreadable(err)
	}
	if !c.PinMailed.IsZero() {
		p.Ends = c.PinMailed.Add(mailedPinLife)
	}
	if s.clock.Now().Before(c.PinRests) {
		p.Rests = c.PinRests
	}
	return p, nil
}

// chosen writes over c what its owner chose in place of what was proved.
func (s *Service) chosen(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, c CredentialRow, hash string) error {
	first := !c.PinMailed.IsZero() && c.PinRests.IsZero()
	c.Pin, c.PinAt, c.PinMailed = hash, s.clock.Now(), never
	c.clearTries()
	if !first {
		if err := s.pause(ctx, tx, rows, &c, TransactionPasswordChange); err != nil {
			return err
		}
	}
	tx.AfterCommit(func() { s.log.Info("auth: transaction password changed", "uid", c.UID) })
	return s.putCredential(ctx, rows, c)
}
