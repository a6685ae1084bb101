package auth

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

const (
	pinTries = 5
	pinLock  = 15 * time.Minute

	releaseTimeout = 10 * time.Second
)

// Proof says that a member gave the right transaction password. Wrong tries
// before it stay counted until the proof is cleared.
type Proof struct {
	s     *Service
	uid   int64
	pin   string // the hash it was verified against
	tries bool   // wrong ones came before it
}

// CheckTransactionPassword proves a transaction password. One member's are
// verified one after the other, and a wrong one is counted, durably, before the
// next is looked at and before it is answered: five lock the member's money calls
// for a quarter of an hour, however many are sent side by side, whatever restarts
// in between, and whether or not the caller waits for the answer. Where one could not
// be counted, none is looked at before it is. A right one
// writes nothing, so that money calls do not wait for two commits.
//
// Errors: Invalid if it is empty or longer than any can be, which is no try;
// ErrWrongTransactionPassword; Limited, with RetryAfter, while locked; Refused, with
// what to do, for a right one that was mailed and not changed, or while none is
// accepted (see mailedpin.go).
func (s *Service) CheckTransactionPassword(ctx context.Context, uid int64, password string) (Proof, error) {
	return s.checkPin(ctx, uid, password, (*CredentialRow).mailedPin)
}

// checkPin is CheckTransactionPassword, where may tells whether a right one is accepted.
func (s *Service) checkPin(ctx context.Context, uid int64, password string, may func(*CredentialRow, time.Time) error) (Proof, error) {
	if err := checkTransactionInput(password); err != nil {
		return Proof{}, err
	}
	leave, err := s.pins.enter(ctx, uid)
	if err != nil {
		return Proof{}, err
	}
	defer leave()
	if err := s.payPins(ctx, uid); err != nil {
		return Proof{}, err
	}
	c, found, err := s.store.Credential(ctx, uid)
	if err != nil {
		return Proof{}, unreadable(err)
	}
	if err := s.pinLocked(c); err != nil {
		return Proof{}, err
	}
	ok, err := s.hasher.Verify(ctx, c.Pin, password)
	switch {
	case err != nil:
		return Proof{}, err
	case ok:
		if err := s.askChain(ctx, c); err != nil {
			return Proof{}, err
		}
		return Proof{s, uid, c.Pin, c.PinTries > 0}, may(&c, s.clock.Now())
	case !found:
		return Proof{}, ErrWrongTransactionPassword
	}
	s.pins.owe(uid, 1)
	if err := s.payPins(ctx, uid); err != nil {
		return Proof{}, err
	}
	return Proof{}, ErrWrongTransactionPassword
}

// payPins counts, durably, the wrong tries of a member that are not counted yet; called
// in the member's turn. While it fails, nothing more may be compared: a failure would
// tell a wrong one from a right one, which writes nothing, and cost no try.
func (s *Service) payPins(ctx context.Context, uid int64) error {
	n := s.pins.owe(uid, 0)
	if n == 0 {
		return nil
	}
	// Who hangs up must not guess for nothing: whether money moved would tell.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	err := s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error { return s.countPin(ctx, tx, uid, n) })
	if err == nil {
		s.pins.owe(uid, -n)
	}
	return err
}

// pinLocked is Limited while too many wrong ones have locked the member.
func (s *Service) pinLocked(c CredentialRow) error {
	if wait := c.PinLocked.Sub(s.clock.Latest()); wait > 0 {
		return limited(wait, "auth.too_many_transaction_passwords", "Too many wrong transaction passwords. Try again in {minutes} minutes.", "minutes", int64((wait+time.Minute-1)/time.Minute))
	}
	return nil
}

// countPin counts n wrong tries. The fifth locks.
func (s *Service) countPin(ctx context.Context, tx *ledger.Tx, uid int64, n int64) error {
	c, found, err := s.credentialIn(ctx, tx, uid)
	if err != nil || !found {
		return err
	}
	if !c.PinLocked.IsZero() {
		c.clearTries() // the lock has run out
	}
	if c.PinTries += n; c.PinTries >= pinTries {
		c.PinLocked = s.clock.Latest().Add(pinLock)
	}
	return s.putCredential(ctx, tx, c)
}

// Clear gives the tries back, within the command that the proof was for.
// Conflict if the transaction password was changed since.
//
// If that command fails, so does this: the caller must then call Cleared, or
// wrong tries before the right one would stay counted. Do takes care of both.
func (p Proof) Clear(ctx context.Context, tx *ledger.Tx) error {
	c, found, err := p.s.credentialIn(ctx, tx, p.uid)
	if err != nil {
		return err
	}
	if !found || c.Pin != p.pin {
		return errPinChanged
	}
	if c.PinTries == 0 && c.PinLocked.IsZero() {
		return nil // another proof has done it
	}
	c.clearTries()
	return p.s.putCredential(ctx, tx, c)
}

var errPinChanged = errs.New(errs.Conflict, "auth.transaction_password_changed_meanwhile", "The transaction password was changed in the meantime. Try again with the new one.")

// Cleared gives the tries back in a command of its own.
func (p Proof) Cleared(ctx context.Context) error {
	return p.s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error { return p.Clear(ctx, tx) })
}

// Do runs the command that the proof is for and gives the tries back, in the
// same commit or, when the command is refused or was done before, after it.
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

// Undone gives the tries back after the command that the proof was for, and Clear with
// it, has failed with err. It does not depend on the caller staying.
func (p Proof) Undone(ctx context.Context, err error) {
	if p.tries && !errors.Is(err, errPinChanged) {
		p.release(ctx)
	}
}

// release is Cleared for when nothing can be done about its failing: at worst
// wrong tries stay counted. It does not depend on the caller staying.
func (p Proof) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if err := p.Cleared(ctx); err != nil {
		p.s.log.Warn("auth: the tries before a right transaction password were not given back", "uid", p.uid, "err", err)
	}
}

// PrepareTransactionChange proves the old transaction password and readies the
// new one. Errors: those of CheckTransactionPassword; Invalid if the new one
// is too weak, made of what is known of the person, or the old one; on Apply also
// Conflict.
func (s *Service) PrepareTransactionChange(ctx context.Context, uid int64, p Person, old, new string) (Change, error) {
	if err := checkTransactionPassword(new); err != nil {
		return Change{}, err
	}
	if err := p.CheckTransactionPassword(new); err != nil {
		return Change{}, err
	}
	if new == old {
		return Change{}, errs.BadField(fieldTransaction, "auth.transaction_password_same", "The new transaction password must differ from the old one")
	}
	proof, err := s.checkPin(ctx, uid, old, (*CredentialRow).pinEnded)
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
			return errPinChanged
		}
		if err := c.pinEnded(tx.Now()); err != nil {
			return err
		}
		return s.chosen(ctx, tx, c, hash)
	}}, nil
}

// FreshTransactionPassword is a new one as it is stored: a hash.
type FreshTransactionPassword struct{ hash string }

// PrepareTransactionPassword readies a new one outside of any command. Invalid
// if it is too weak.
func (s *Service) PrepareTransactionPassword(ctx context.Context, pin string) (f FreshTransactionPassword, err error) {
	if err := checkTransactionPassword(pin); err != nil {
		return f, err
	}
	f.hash, err = s.hasher.Hash(ctx, pin)
	return f, err
}

// ResetTransactionPassword sets a new one, which is mailed, in place of one that is
// lost, and lifts a lock. For a day it allows nothing but to be changed. The caller has
// made sure who asks. NotFound if there is no such member.
func (s *Service) ResetTransactionPassword(ctx context.Context, tx *ledger.Tx, uid int64, f FreshTransactionPassword) error {
	c, found, err := s.credentialIn(ctx, tx, uid)
	if err != nil {
		return err
	}
	if !found {
		return errs.New(errs.NotFound, "member.unknown", "There is no member with this id.")
	}
	return s.mailPin(ctx, tx, c, f, true)
}
