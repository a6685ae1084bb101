package auth

import (
	"context"
	"net/netip"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Credential is the hashes of a new member's two passwords.
type Credential struct {
	password, pin string
	mailed        bool
}

// PinMailed is c with a transaction password that is mailed to its owner.
func (c Credential) PinMailed() Credential {
	c.mailed = true
	return c
}

// Prepare checks and hashes a new member's passwords, outside of a command. Invalid,
// with the wrong fields; Limited while too many sign in.
func (s *Service) Prepare(ctx context.Context, password, transactionPassword string) (c Credential, err error) {
	if err := passwords.Check(password); err != nil {
		return c, err
	}
	if err := passwords.CheckTransaction(transactionPassword); err != nil {
		return c, err
	}
	if c.password, err = s.anonymous.Hash(ctx, password); err != nil {
		return Credential{}, err
	}
	if c.pin, err = s.anonymous.Hash(ctx, transactionPassword); err != nil {
		return Credential{}, err
	}
	return c, nil
}

// Add stores the credential of a new member. Conflict if the member has one.
func (s *Service) Add(ctx context.Context, tx *ledger.Tx, uid int64, c Credential) error {
	if _, found, err := s.credentialIn(ctx, tx, uid); err != nil {
		return err
	} else if found {
		return errs.New(errs.Conflict, "member.has_password", "This member has a password already.")
	}
	now := s.clock.Now()
	row := CredentialRow{UID: uid, Password: c.password, PasswordAt: now, Pin: c.pin, PinAt: now}
	if c.mailed {
		row.PinMailed = now
	}
	return s.store.AddCredential(ctx, tx, row)
}

// Change is a verified change of password. Apply makes it within the caller's command.
type Change struct {
	UID   int64
	apply func(ctx context.Context, tx *ledger.Tx) error
}

// Apply makes the change. Conflict if the password changed since it was verified.
func (c Change) Apply(ctx context.Context, tx *ledger.Tx) error { return c.apply(ctx, tx) }

// ChangeRequest is a signed-in member's request to change the password.
type ChangeRequest struct {
	UID      int64
	Old, New string
	Person   passwords.Person
	Keep     string // the session that stays open; every other one ends
	Peer     netip.Addr
}

// PrepareChange verifies the old password and hashes the new one. Applying it ends all
// other sessions and every impersonation, and clears MustChange of the kept session. The
// fifth wrong old password ends the session and warns the owner.
//
// Errors: Invalid if the new password is too weak, derived from Person, or the old one;
// ErrWrongOldPassword, which is counted apart from sign-ins; Limited, with RetryAfter;
// on Apply also Conflict, and Forbidden if Keep is not an open session of the member.
func (s *Service) PrepareChange(ctx context.Context, r ChangeRequest) (Change, error) {
	if err := passwords.Check(r.New); err != nil {
		return Change{}, err
	}
	if err := r.Person.Check(r.New); err != nil {
		return Change{}, err
	}
	if r.New == r.Old {
		return Change{}, errs.BadField(passwords.Field, "auth.password_same", "The new password must differ from the old one")
	}
	session := Session{ID: r.Keep, Kind: KindMember, Owner: r.UID}
	try, err := s.throttle.takeIn(ctx, "change "+memberKey(r.UID), session, r.Peer)
	if err != nil {
		return Change{}, err
	}
	proved, err := s.prove(ctx, r.UID, r.Old)
	if err := s.settleIn(ctx, try, err, ErrWrongOldPassword, session, From{Peer: r.Peer}); err != nil {
		return Change{}, err
	}
	hash, err := s.hasher.Hash(ctx, r.New)
	if err != nil {
		return Change{}, err
	}
	return Change{r.UID, func(ctx context.Context, tx *ledger.Tx) error {
		now, found, err := s.credentialIn(ctx, tx, r.UID)
		if err != nil {
			return err
		}
		if !found || now.Password != proved {
			return errChanged
		}
		if err := s.throttle.forgive(ctx, tx, try); err != nil {
			return err
		}
		if err := s.forgetOtherPlaces(ctx, tx, KindMember, r.UID, r.Peer); err != nil {
			return err
		}
		kept, err := s.store.Changed(ctx, tx, r.UID, r.Keep)
		if err != nil {
			return err
		}
		if !kept {
			return errs.New(errs.Forbidden, "member.own_session_needed", "Only the member can change the password, in a session of their own.")
		}
		if !now.MustChange {
			if err := s.CountChange(ctx, tx, r.UID); err != nil {
				return err
			}
		}
		return s.setPassword(ctx, tx, now, hash, r.Keep)
	}}, nil
}

var errChanged = errs.New(errs.Conflict, "auth.password_changed_meanwhile", "The password was changed in the meantime. Try again with the new one.")

// prove returns the hash that password was verified against.
func (s *Service) prove(ctx context.Context, uid int64, password string) (string, error) {
	c, _, err := s.store.Credential(ctx, uid)
	if err != nil {
		return "", unreadable(err)
	}
	ok, err := s.hasher.Verify(ctx, c.Password, password)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", ErrWrongOldPassword
	}
	return c.Password, nil
}

// setPassword stores a new password in c and ends every session but keep.
func (s *Service) setPassword(ctx context.Context, tx *ledger.Tx, c CredentialRow, hash, keep string) error {
	c.Password, c.PasswordAt, c.MustChange = hash, s.clock.Now(), false
	c.clearTemporary()
	if err := s.pause(ctx, tx, &c, PasswordChange); err != nil {
		return err
	}
	if err := s.putCredential(ctx, tx, c); err != nil {
		return err
	}
	if keep != "" {
		tx.AfterCommit(func() { s.cache.Drop(keep) }) // it is read anew, without the duty to change
	}
	tx.AfterCommit(func() { s.log.Info("auth: password changed", "uid", c.UID) })
	return s.endAll(ctx, tx, c.UID, keep, KindMember, KindVisit)
}
