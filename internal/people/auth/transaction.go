package auth

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
)

const (
	transactionTries = 5
	transactionLock  = 15 * time.Minute

	releaseTimeout = 10 * time.Second
)

// Proof is a verified transaction password. Earlier wrong tries stay counted until the
// proof is cleared.
type Proof struct {
	s     *Service
	uid   int64
	pin   string // the hash it was verified against
	tries bool   // wrong ones came before
}

// CheckTransactionPassword verifies a transaction password. Those of one member are
// verified one at a time, and a wrong one is counted, durably, before the next is
// compared and before it is answered: five lock the member's payments for a quarter of
// an hour, even if they are sent concurrently, the server restarts in between, or the
// caller does not wait. If one could not be counted, none is compared until it is. A
// right one writes nothing, so that payments do not wait for two commits.
//
// Errors: Invalid if it is empty or too long, which is no try;
// ErrWrongTransactionPassword; Limited, with RetryAfter, while locked; Refused for a
// right one that was mailed and not changed, or while none is accepted (see
// mailed_transaction.go).
func (s *Service) CheckTransactionPassword(ctx context.Context, uid int64, password string) (Proof, error) {
	return s.checkTransactionPasswordFor(ctx, uid, password, (*CredentialRow).acceptsTransaction)
}

// checkTransactionPasswordFor is CheckTransactionPassword; may decides whether a right one is accepted.
func (s *Service) checkTransactionPasswordFor(ctx context.Context, uid int64, password string, may func(*CredentialRow, time.Time) error) (Proof, error) {
	if err := passwords.CheckTransactionInput(password); err != nil {
		return Proof{}, err
	}
	leave, err := s.turns.enter(ctx, uid)
	if err != nil {
		return Proof{}, err
	}
	defer leave()
	if err := s.countOwed(ctx, uid); err != nil {
		return Proof{}, err
	}
	c, found, err := s.store.Credential(ctx, uid)
	if err != nil {
		return Proof{}, unreadable(err)
	}
	if err := s.checkTransactionLock(c); err != nil {
		return Proof{}, err
	}
	ok, err := s.hasher.Verify(ctx, c.Pin, password)
	switch {
	case err != nil:
		return Proof{}, err
	case ok:
		return Proof{s, uid, c.Pin, c.PinTries > 0}, may(&c, s.clock.Now())
	case !found:
		return Proof{}, ErrWrongTransactionPassword
	}
	s.turns.owe(uid, 1)
	if err := s.countOwed(ctx, uid); err != nil {
		return Proof{}, err
	}
	return Proof{}, ErrWrongTransactionPassword
}

// countOwed counts, durably, a member's wrong tries that are not counted yet; the caller
// has the member's turn. While it fails, nothing may be compared: the failure would
// distinguish a wrong one from a right one, which writes nothing, and cost no try.
func (s *Service) countOwed(ctx context.Context, uid int64) error {
	n := s.turns.owe(uid, 0)
	if n == 0 {
		return nil
	}
	// A caller that hangs up must not guess for free: whether money moved would disclose it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	err := s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error { return s.countTransactionTries(ctx, tx, uid, n) })
	if err == nil {
		s.turns.owe(uid, -n)
	}
	return err
}

// checkTransactionLock is Limited while too many wrong ones have locked the member.
func (s *Service) checkTransactionLock(c CredentialRow) error {
	if wait := c.PinLocked.Sub(s.clock.Latest()); wait > 0 {
		return ratelimit.NewLimited(wait, "auth.too_many_transaction_passwords", "Too many wrong transaction passwords. Try again in {minutes} minutes.", "minutes", int64((wait+time.Minute-1)/time.Minute))
	}
	return nil
}

// countTransactionTries counts n wrong tries. The fifth locks.
func (s *Service) countTransactionTries(ctx context.Context, tx *ledger.Tx, uid int64, n int64) error {
	c, found, err := s.credentialIn(ctx, tx, uid)
	if err != nil || !found {
		return err
	}
	if !c.PinLocked.IsZero() {
		c.clearTries() // the lock has run out
	}
	if c.PinTries += n; c.PinTries >= transactionTries {
		c.PinLocked = s.clock.Latest().Add(transactionLock)
	}
	return s.putCredential(ctx, tx, c)
}

// Clear resets the count of wrong tries, within the command that the proof is for.
// Conflict if the transaction password changed since.
//
// If that command fails, so does Clear: the caller must then call Cleared, or the wrong
// tries would stay counted. Do handles both.
func (p Proof) Clear(ctx context.Context, tx *ledger.Tx) error {
	c, found, err := p.s.credentialIn(ctx, tx, p.uid)
	if err != nil {
		return err
	}
	if !found || c.Pin != p.pin {
		return errTransactionChanged
	}
	if c.PinTries == 0 && c.PinLocked.IsZero() {
		return nil // another proof has done it
	}
	c.clearTries()
	return p.s.putCredential(ctx, tx, c)
}

var errTransactionChanged = errs.New(errs.Conflict, "auth.transaction_password_changed_meanwhile", "The transaction password was changed in the meantime. Try again with the new one.")

// Cleared resets the count in a separate command.
func (p Proof) Cleared(ctx context.Context) error {
	return p.s.write(ctx, p.Clear)
}

// Do runs the command that the proof is for and resets the count, in the same commit
// or, if the command is refused or was done before, after it.
func (p Proof) Do(ctx context.Context, cmd ledger.Command) (ledger.Result, error) {
	run := cmd.Run
	cmd.Run = func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if err := p.Clear(ctx, tx); err != nil {
			return nil, err
		}
		return run(ctx, tx)
	}
	result, err := p.s.opt.Do.Do(ctx, cmd)
	if err != nil {
		p.Undone(ctx, err)
	} else if p.tries && result.Replayed {
		p.release(ctx)
	}
	return result, err
}

// Undone resets the count after the command of the proof, and Clear with it, failed
// with err. It ignores the caller's cancellation.
func (p Proof) Undone(ctx context.Context, err error) {
	if p.tries && !errors.Is(err, errTransactionChanged) {
		p.release(ctx)
	}
}

// release is Cleared without an error: if it fails, wrong tries stay counted. It ignores
// the caller's cancellation.
func (p Proof) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if err := p.Cleared(ctx); err != nil {
		p.s.log.Warn("auth: the tries before a right transaction password were not given back", "uid", p.uid, "err", err)
	}
}

// PrepareTransactionChange verifies the old transaction password and hashes the new
// one. Errors: those of CheckTransactionPassword; Invalid if the new one is too weak,
// derived from the person, or the old one; on Apply also Conflict.
func (s *Service) PrepareTransactionChange(ctx context.Context, uid int64, p passwords.Person, old, new string) (Change, error) {
	if err := passwords.CheckTransaction(new); err != nil {
		return Change{}, err
	}
	if err := p.CheckTransaction(new); err != nil {
		return Change{}, err
	}
	if new == old {
		return Change{}, errs.BadField(passwords.FieldTransaction, "auth.transaction_password_same", "The new transaction password must differ from the old one")
	}
	proof, err := s.checkTransactionPasswordFor(ctx, uid, old, (*CredentialRow).mailedEnded)
	if err != nil {
		return Change{}, err
	}
	hash, err := s.hasher.Hash(ctx, new)
	if err != nil {
		proof.release(ctx)
		return Change{}, err
	}
	return Change{uid, func(ctx context.Context, tx *ledger.Tx) error {
		c, found, err := s.credentialIn(ctx, tx, uid)
		if err != nil {
			return err
		}
		if !found || c.Pin != proof.pin {
			return errTransactionChanged
		}
		if err := c.mailedEnded(tx.Now()); err != nil {
			return err
		}
		return s.setTransactionPassword(ctx, tx, c, hash)
	}}, nil
}

// FreshTransactionPassword is the hash of a new transaction password.
type FreshTransactionPassword struct{ hash string }

// PrepareTransactionPassword hashes a new one outside of a command. Invalid if it is
// too weak.
func (s *Service) PrepareTransactionPassword(ctx context.Context, pin string) (f FreshTransactionPassword, err error) {
	if err := passwords.CheckTransaction(pin); err != nil {
		return f, err
	}
	f.hash, err = s.hasher.Hash(ctx, pin)
	return f, err
}

// ResetTransactionPassword replaces a lost transaction password with a mailed one and
// lifts a lock. For a day it can only be changed. The caller has identified the member.
// NotFound if there is no such member.
func (s *Service) ResetTransactionPassword(ctx context.Context, tx *ledger.Tx, uid int64, f FreshTransactionPassword) error {
	c, found, err := s.credentialIn(ctx, tx, uid)
	if err != nil {
		return err
	}
	if !found {
		return errs.New(errs.NotFound, "member.unknown", "There is no member with this id.")
	}
	return s.mailTransactionPassword(ctx, tx, c, f, true)
}
