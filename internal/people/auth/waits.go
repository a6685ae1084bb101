package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// After a change of a credential, or of the address where a member's money goes, no
// money may leave for a while, so that an attacker cannot empty the account before its
// owner notices. This file lists these changes. Code that pays out calls WaitIn; code
// that makes such a change calls Pause, or pause if it writes the credential anyway.

// Guarded is a change that starts a wait.
type Guarded string

const (
	PasswordChange            Guarded = "password"
	EmailChange               Guarded = "email"
	TransactionPasswordChange Guarded = "transaction password"
	WalletChange              Guarded = "wallet"
	FactorChange              Guarded = "second factor"
)

const (
	// WalletWait is the wait after a change of the wallet's address.
	WalletWait = 48 * time.Hour
	// AccessWait is the wait after any other guarded change.
	AccessWait = 24 * time.Hour
	// LongestWait is the longest wait.
	LongestWait = WalletWait
)

// guarded has the wait after each change, and its name in sentences.
var guarded = map[Guarded]struct {
	wait  time.Duration
	words errs.Text
}{
	PasswordChange:            {AccessWait, errs.Say("change.password", "the password")},
	EmailChange:               {AccessWait, errs.Say("change.email", "the e-mail address")},
	TransactionPasswordChange: {AccessWait, errs.Say("change.transaction_password", "the transaction password")},
	WalletChange:              {WalletWait, errs.Say("change.wallet", "the wallet address")},
	FactorChange:              {AccessWait, errs.Say("change.second_factor", "the second factor")},
}

// Words names the change within a sentence.
func (g Guarded) Words() errs.Text {
	if known, ok := guarded[g]; ok {
		return known.words
	}
	return errs.Say("change.security", "what guards the account")
}

// Wait is until when a member's money may not leave, and why.
type Wait struct {
	Until time.Time // zero if there was never a change
	For   Guarded
}

// Over reports whether money may leave at t.
func (w Wait) Over(t time.Time) bool { return !t.Before(w.Until) }

// Refuse is nil if money may leave at t, otherwise Refused.
func (w Wait) Refuse(t time.Time) error {
	if w.Over(t) {
		return nil
	}
	return errs.New(errs.Refused, "auth.money_waits", "No money can leave your account before {until}, because {changed} was changed. This protects you if somebody else changed it.", "until", w.Until.UTC().Format(waitLayout), "changed", w.For.Words())
}

const waitLayout = "2 January 2006 at 15:04 UTC"

func (c *CredentialRow) wait() Wait { return Wait{c.WaitUntil, c.WaitFor} }

// WaitIn is a member's wait within a command, verified against the signed chain.
func (s *Service) WaitIn(ctx context.Context, tx *ledger.Tx, uid int64) (Wait, error) {
	c, _, err := s.credentialIn(ctx, tx, uid)
	return c.wait(), err
}

// Wait is a member's committed wait, for display.
func (s *Service) Wait(ctx context.Context, uid int64) (Wait, error) {
	c, _, err := s.store.Credential(ctx, uid)
	if err != nil {
		return Wait{}, unreadable(err)
	}
	return c.wait(), nil
}

// Pause starts a member's wait within a command that makes a guarded change. It does
// nothing for a customer, who has no credential.
func (s *Service) Pause(ctx context.Context, tx *ledger.Tx, uid int64, g Guarded) error {
	c, found, err := s.credentialIn(ctx, tx, uid)
	if err != nil || !found {
		return err
	}
	if err := s.pause(ctx, tx, &c, g); err != nil {
		return err
	}
	return s.putCredential(ctx, tx, c)
}

// pause sets the wait in a row that the caller is about to write. A wait that ends
// later stays. Money that the member recently gave to others is held too.
func (s *Service) pause(ctx context.Context, tx *ledger.Tx, c *CredentialRow, g Guarded) error {
	now := tx.Now()
	until := now.Add(guarded[g].wait)
	if !until.After(c.WaitUntil) {
		return nil
	}
	waited := !c.wait().Over(now)
	c.WaitUntil, c.WaitFor = until, g
	if s.opt.Waits == nil {
		return nil
	}
	return s.opt.Waits(ctx, tx, c.UID, waited, until)
}
