package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A transaction password that was mailed lies in a mailbox, so that it is good for one
// thing, for a day: to be changed by its owner. After support has mailed one, no
// transaction password of the member allows anything else for a day: whoever talked
// support into it gains nothing before the member has read of it. The same holds when
// the member asks for one, with the sign-in password and the second factor: a mailbox
// and a password that was reset by it get nobody past the wait. A member who never
// chose one loses nothing that guarded the account by being mailed another, and does
// not wait: whoever registers and comes back after a day goes on at once.
//
// The first choice of a new member, in place of what registration mailed, makes
// nothing wait: what a member chooses within a day of joining is no change of what
// guarded the account.

const (
	mailedPinLife = 24 * time.Hour
	mailedPinRest = 24 * time.Hour

	// So many may be mailed to a member who asks; then one more every pinAskEvery.
	pinAsks     = 3
	pinAskEvery = time.Hour
)

// neverChosen tells whether nothing but what registration mailed, or the member asked
// for since, was ever the transaction password.
func (c *CredentialRow) neverChosen() bool { return !c.PinMailed.IsZero() && c.PinRests.IsZero() }

// mailedPin is nil if a right transaction password may allow something at now; if
// not, Refused in words that say what to do.
func (c *CredentialRow) mailedPin(now time.Time) error {
	if !c.PinMailed.IsZero() {
		if err := c.pinEnded(now); err != nil {
			return err
		}
		return errs.At(errs.Refused, fieldOldTransaction, "auth.mailed_password_choose_own", "This transaction password was mailed to you. Choose your own first, under Settings, Transaction Password. The mailed one ends on {ends}.", "ends", c.PinMailed.Add(mailedPinLife).UTC().Format(waitLayout))
	}
	if now.Before(c.PinRests) {
		return errs.At(errs.Refused, fieldOldTransaction, "auth.mailed_password_waits", "A new transaction password was mailed to you. To protect you, none is accepted before {from}. If you did not ask for it, contact support now.", "from", c.PinRests.UTC().Format(waitLayout))
	}
	return nil
}

// pinEnded is Refused for a mailed transaction password that nobody changed in time.
func (c *CredentialRow) pinEnded(now time.Time) error {
	if c.PinMailed.IsZero() || now.Before(c.PinMailed.Add(mailedPinLife)) {
		return nil
	}
	return errs.At(errs.Refused, fieldOldTransaction, "auth.mailed_password_ended", "This transaction password was mailed to you and ended after 24 hours. Ask for a new one under Settings, Transaction Password.")
}

// PinState is what a member is told of the transaction password.
type PinState struct {
	Ends  time.Time // of a mailed one, before which it must be changed; zero if its owner chose it
	Rests time.Time // before this none is accepted but to be changed; zero if that is over
	Never bool      // its owner never chose one: nothing could leave the account
}

// PinState is that of a member's transaction password as committed.
func (s *Service) PinState(ctx context.Context, uid int64) (p PinState, err error) {
	c, _, err := s.store.Credential(ctx, uid)
	if err != nil {
		return p, unreadable(err)
	}
	p.Never = c.neverChosen()
	if !c.PinMailed.IsZero() {
		p.Ends = c.PinMailed.Add(mailedPinLife)
	}
	if s.clock.Now().Before(c.PinRests) {
		p.Rests = c.PinRests
	}
	return p, nil
}

// NeverChosen tells, within a command, whether a member has not chosen a transaction
// password yet: without one nothing could leave the account.
func (s *Service) NeverChosen(ctx context.Context, tx *ledger.Tx, uid int64) (bool, error) {
	c, found, err := s.credentialIn(ctx, tx, uid)
	return found && c.neverChosen(), err
}

// chosen writes over c what its owner chose in place of what was proved.
func (s *Service) chosen(ctx context.Context, tx *ledger.Tx, c CredentialRow, hash string) error {
	first, mailed := c.neverChosen(), !c.PinMailed.IsZero()
	c.Pin, c.PinAt, c.PinMailed = hash, s.clock.Now(), never
	c.clearTries()
	if !mailed {
		if err := s.CountChange(ctx, tx, c.UID); err != nil {
			return err
		}
	}
	if !first {
		if err := s.pause(ctx, tx, &c, TransactionPasswordChange); err != nil {
			return err
		}
	}
	tx.AfterCommit(func() { s.log.Info("auth: transaction password changed", "uid", c.UID) })
	return s.putCredential(ctx, tx, c)
}

// PinMail tells a member of the transaction password that RenewTransactionPassword has
// set, within its command. waits says that none is accepted for a day.
type PinMail func(ctx context.Context, tx *ledger.Tx, waits bool) error

// RenewTransactionPassword sets a new transaction password, which is mailed, for a
// member who proves to be there; tell mails it. Wrong evidence does not count among
// the three an hour: whoever has the session alone must not keep its owner from asking.
//
// Errors: Forbidden unless the session is a member's own, opened by a password that is
// not temporary; Limited after three within an hour; those of evidence and of tell.
func (s *Service) RenewTransactionPassword(ctx context.Context, session Session, e Evidence, from From, f FreshTransactionPassword, tell PinMail) error {
	o, err := session.owner()
	if err == nil && o.Kind != KindMember {
		err = errNotYours
	}
	if err != nil {
		return err
	}
	if err := s.pinMails.Allow(o.String()); err != nil {
		return err
	}
	_, err = proving(ctx, s, session, e, from, func(ctx context.Context, tx *ledger.Tx, o Owner, _ holder) (bool, error) {
		c, _, err := s.credentialIn(ctx, tx, o.ID)
		if err != nil {
			return false, err
		}
		waits := !c.neverChosen()
		if waits {
			if err := s.CountChange(ctx, tx, o.ID); err != nil {
				return false, err
			}
		}
		if err := s.mailPin(ctx, tx, c, f, waits); err != nil {
			return false, err
		}
		return true, tell(ctx, tx, waits)
	})
	if err != nil {
		s.pinMails.giveBack(o.String())
	}
	return err
}

// mailPin writes over c what is mailed to its owner. If it waits, none is accepted for
// a day and no money leaves; an earlier wait that ends later stays.
func (s *Service) mailPin(ctx context.Context, tx *ledger.Tx, c CredentialRow, f FreshTransactionPassword, waits bool) error {
	now := tx.Now()
	c.Pin, c.PinAt, c.PinMailed = f.hash, now, now
	c.clearTries()
	if waits {
		c.PinRests = now.Add(mailedPinRest)
		if err := s.pause(ctx, tx, &c, TransactionPasswordChange); err != nil {
			return err
		}
	}
	tx.AfterCommit(func() { s.log.Info("auth: a new transaction password is mailed", "uid", c.UID) })
	return s.putCredential(ctx, tx, c)
}
