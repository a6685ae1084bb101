package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A mailed transaction password lies in a mailbox. It can only be changed, for a day.
// After support has mailed one, no transaction password of the member is accepted for a
// day, so that a person who deceived support gains nothing before the member has read
// the mail. The same applies when the member requests one with the sign-in password and
// the second factor: access to the mailbox, and a password reset by it, do not shorten
// the wait. A member who never chose a transaction password does not wait, because
// nothing that protected the account is replaced.
//
// The first choice of a new member, in place of the password mailed at registration,
// causes no wait either.

const (
	mailedPasswordLife = 24 * time.Hour
	mailedPasswordRest = 24 * time.Hour

	// A member can request mailedAsks at once, then one more every mailedAskEvery.
	mailedAsks     = 3
	mailedAskEvery = time.Hour
)

// neverChosen reports whether every transaction password so far was mailed.
func (c *CredentialRow) neverChosen() bool { return !c.PinMailed.IsZero() && c.PinRests.IsZero() }

// acceptsTransaction is nil if a right transaction password is accepted at now, otherwise
// Refused.
func (c *CredentialRow) acceptsTransaction(now time.Time) error {
	if !c.PinMailed.IsZero() {
		if err := c.mailedEnded(now); err != nil {
			return err
		}
		return errs.At(errs.Refused, passwords.FieldOldTransaction, "auth.mailed_password_choose_own", "This transaction password was mailed to you. Choose your own first, under Settings, Transaction Password. The mailed one ends on {ends}.", "ends", c.PinMailed.Add(mailedPasswordLife).UTC().Format(waitLayout))
	}
	if now.Before(c.PinRests) {
		return errs.At(errs.Refused, passwords.FieldOldTransaction, "auth.mailed_password_waits", "A new transaction password was mailed to you. To protect you, none is accepted before {from}. If you did not ask for it, contact support now.", "from", c.PinRests.UTC().Format(waitLayout))
	}
	return nil
}

// mailedEnded is Refused for a mailed transaction password that was not changed in time.
func (c *CredentialRow) mailedEnded(now time.Time) error {
	if c.PinMailed.IsZero() || now.Before(c.PinMailed.Add(mailedPasswordLife)) {
		return nil
	}
	return errs.At(errs.Refused, passwords.FieldOldTransaction, "auth.mailed_password_ended", "This transaction password was mailed to you and ended after 24 hours. Ask for a new one under Settings, Transaction Password.")
}

// PinState is what a member sees of the transaction password.
type PinState struct {
	Ends  time.Time // until when a mailed one must be changed; zero if its owner chose it
	Rests time.Time // until when one is accepted only to be changed; zero if that is over
	Never bool      // its owner never chose one: no money could leave the account
}

// PinState reads the committed state of a member's transaction password.
func (s *Service) PinState(ctx context.Context, uid int64) (p PinState, err error) {
	c, _, err := s.store.Credential(ctx, uid)
	if err != nil {
		return p, unreadable(err)
	}
	p.Never = c.neverChosen()
	if !c.PinMailed.IsZero() {
		p.Ends = c.PinMailed.Add(mailedPasswordLife)
	}
	if s.clock.Now().Before(c.PinRests) {
		p.Rests = c.PinRests
	}
	return p, nil
}

// NeverChosen reports, within a command, whether a member has not chosen a transaction
// password yet: without one no money could leave the account.
func (s *Service) NeverChosen(ctx context.Context, tx *ledger.Tx, uid int64) (bool, error) {
	c, found, err := s.credentialIn(ctx, tx, uid)
	return found && c.neverChosen(), err
}

// setTransactionPassword stores the transaction password that the owner of c chose.
func (s *Service) setTransactionPassword(ctx context.Context, tx *ledger.Tx, c CredentialRow, hash string) error {
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

// PinMail mails a member the transaction password set by RenewTransactionPassword,
// within its command. waits says that none is accepted for a day.
type PinMail func(ctx context.Context, tx *ledger.Tx, waits bool) error

// RenewTransactionPassword sets and mails a new transaction password after the member
// gave evidence; tell mails it. Wrong evidence does not count towards the three an
// hour, so that the holder of a stolen session cannot block the owner.
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
	if err := s.transactionMails.Allow(o.String()); err != nil {
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
		if err := s.mailTransactionPassword(ctx, tx, c, f, waits); err != nil {
			return false, err
		}
		return true, tell(ctx, tx, waits)
	})
	if err != nil {
		s.transactionMails.GiveBack(o.String())
	}
	return err
}

// mailTransactionPassword stores a mailed transaction password in c. If waits, none is accepted for a
// day and no money leaves; an earlier wait that ends later stays.
func (s *Service) mailTransactionPassword(ctx context.Context, tx *ledger.Tx, c CredentialRow, f FreshTransactionPassword, waits bool) error {
	now := tx.Now()
	c.Pin, c.PinAt, c.PinMailed = f.hash, now, now
	c.clearTries()
	if waits {
		c.PinRests = now.Add(mailedPasswordRest)
		if err := s.pause(ctx, tx, &c, TransactionPasswordChange); err != nil {
			return err
		}
	}
	tx.AfterCommit(func() { s.log.Info("auth: a new transaction password is mailed", "uid", c.UID) })
	return s.putCredential(ctx, tx, c)
}
