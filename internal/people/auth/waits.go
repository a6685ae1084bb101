package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// After a change of what proves who a member is, or of where their money goes,
// nothing may leave for a while: whoever took an account over cannot empty it
// before its owner has noticed. This file is the one list of such changes. Whatever
// sends money away asks WaitIn; whatever makes such a change calls Pause, or pause
// where it writes the credential anyway.

// Guarded is a change after which money waits.
type Guarded string

// The changes.
const (
	PasswordChange            Guarded = "password"
	EmailChange               Guarded = "email"
	TransactionPasswordChange Guarded = "transaction password"
	WalletChange              Guarded = "wallet"
	FactorChange              Guarded = "second factor"
)

const (
	// WalletWait is how long nothing leaves after the wallet's address has changed.
	WalletWait = 48 * time.Hour
	// AccessWait is how long nothing leaves after another guarded change.
	AccessWait = 24 * time.Hour
	// LongestWait is the longest of them.
	LongestWait = WalletWait
)

// guarded says how long money waits after a change, and the change in words.
var guarded = map[Guarded]struct {
	wait  time.Duration
	words string
}{
	PasswordChange:            {AccessWait, "the password"},
	EmailChange:               {AccessWait, "the e-mail address"},
	TransactionPasswordChange: {AccessWait, "the transaction password"},
	WalletChange:              {WalletWait, "the wallet address"},
	FactorChange:              {AccessWait, "the second factor"},
}

// Words is what changed, within a sentence.
func (g Guarded) Words() string {
	if known, ok := guarded[g]; ok {
		return known.words
	}
	return "what guards the account"
}

// Wait is until when a member's money may not leave, and why.
type Wait struct {
	Until time.Time // zero if there was never a change
	For   Guarded
}

// Over tells whether money may leave at t.
func (w Wait) Over(t time.Time) bool { return !t.Before(w.Until) }

// Refuse is nil if money may leave at t; if not, Refused in words for the member.
func (w Wait) Refuse(t time.Time) error {
	if w.Over(t) {
		return nil
	}
	return errs.New(errs.Refused, "auth.money_waits", "No money can leave your account before {until}, because {changed} was changed. This protects you if somebody else changed it.", "until", w.Until.UTC().Format(waitLayout), "changed", w.For.Words())
}

const waitLayout = "2 January 2006 at 15:04 UTC"

func (c *CredentialRow) wait() Wait { return Wait{c.WaitUntil, c.WaitFor} }

// WaitIn is a member's wait within a command, as the signed chain knows it.
func (s *Service) WaitIn(ctx context.Context, tx *ledger.Tx, uid int64) (Wait, error) {
	c, _, err := s.credentialIn(ctx, tx, uid)
	return c.wait(), err
}

// Wait is a member's wait as committed, for what is shown.
func (s *Service) Wait(ctx context.Context, uid int64) (Wait, error) {
	c, _, err := s.store.Credential(ctx, uid)
	if err != nil {
		return Wait{}, unreadable(err)
	}
	return c.wait(), nil
}

// Pause makes a member's money wait within a command that changes something
// guarded. It does nothing for a customer, who has no credential and cannot sign in.
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

// pause notes the wait in a row that the caller is about to write. A wait that ends
// later stays. What the member gave to others shortly before waits with it.
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
