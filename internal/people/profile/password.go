package profile

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"net/netip"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// SetPassword changes the password and ends all other sessions. Errors: those
// of auth's PrepareChange; Forbidden for an impersonation.
func (s *Service) SetPassword(ctx context.Context, by auth.Session, key, old, password string, peer netip.Addr) error {
	return s.setPassword(ctx, by, key, old, password, peer, func() error { return nil })
}

// SetPasswordByCode is SetPassword with a mailed code, which is consumed only if the old
// password is right. auth.ErrWrongMailedCode too.
func (s *Service) SetPasswordByCode(ctx context.Context, by auth.Session, key, old, password, code string, peer netip.Addr) error {
	return s.setPassword(ctx, by, key, old, password, peer, func() error {
		return s.opt.Auth.UseMailedCode(ctx, by.Owner, auth.ForChange, code)
	})
}

func (s *Service) setPassword(ctx context.Context, by auth.Session, key, old, password string, peer netip.Addr, more func() error) error {
	if !by.MayChangePassword() {
		return errs.New(errs.Forbidden, "profile.visit_cannot_change_password", "An operator's visit cannot change a password.")
	}
	body := s.sealed("password", old, password)
	if done, err := s.done(ctx, by.Owner, key, body); done || err != nil {
		return err
	}
	me, err := s.person(ctx, by.Owner)
	if err != nil {
		return err
	}
	change, err := s.opt.Auth.PrepareChange(ctx, auth.ChangeRequest{UID: by.Owner, Person: me, Old: old, New: password, Keep: by.ID, Peer: peer})
	if err != nil {
		return err
	}
	if err := more(); err != nil {
		return err
	}
	return s.apply(ctx, change, key, body, func(name string) mail.Mail { return mail.PasswordChanged{Name: name, UserID: by.Owner} })
}

// SetTransactionPassword changes the transaction password. Errors: those of
// auth's PrepareTransactionChange; Forbidden for an impersonation.
func (s *Service) SetTransactionPassword(ctx context.Context, by auth.Session, key, old, password string) error {
	if err := mayChange(by); err != nil {
		return err
	}
	body := s.sealed("transaction password", old, password)
	if done, err := s.done(ctx, by.Owner, key, body); done || err != nil {
		return err
	}
	me, err := s.person(ctx, by.Owner)
	if err != nil {
		return err
	}
	change, err := s.opt.Auth.PrepareTransactionChange(ctx, by.Owner, me, old, password)
	if err != nil {
		return err
	}
	return s.apply(ctx, change, key, body, func(name string) mail.Mail { return mail.TransactionPasswordChanged{Name: name, UserID: by.Owner} })
}

var errEmailUnsettled = errs.New(errs.Refused, "auth.email_new", "Your e-mail address changed within the last 48 hours: no transaction password is mailed there yet.")

// MailTransactionPassword mails the member a new transaction password, for one who lost
// theirs or did not change a mailed one in time. Package auth decides what proves the
// request and what pauses afterwards.
//
// Errors: those of auth's RenewTransactionPassword; member.ErrUnconfirmed; Refused if the
// e-mail address changed within two days; Forbidden for an impersonation.
func (s *Service) MailTransactionPassword(ctx context.Context, by auth.Session, e auth.Evidence, from auth.From) error {
	if err := mayChange(by); err != nil {
		return err
	}
	pin := passwords.NewTransaction()
	fresh, err := s.opt.Auth.PrepareTransactionPassword(ctx, pin)
	if err != nil {
		return err
	}
	return s.opt.Auth.RenewTransactionPassword(ctx, by, e, from, fresh, func(ctx context.Context, tx *ledger.Tx, waits bool) error {
		m, _, err := s.opt.Members.Verified(ctx, tx, by.Owner)
		switch {
		case err != nil:
			return err
		case !m.Confirmed():
			return member.ErrUnconfirmed
		case !m.EmailSettled(tx.Now()):
			return errEmailUnsettled
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		return s.opt.Mail.Queue(ctx, tx, m.Email, mail.TransactionPasswordReset{Name: m.Name, UserID: m.UID, TransactionPassword: pin, Asked: true, AtOnce: !waits})
	})
}

func (s *Service) person(ctx context.Context, uid int64) (passwords.Person, error) {
	m, _, err := s.opt.Members.Get(ctx, uid)
	return personOf(m), err
}

func personOf(m member.Member) passwords.Person {
	return passwords.Person{UID: strconv.FormatInt(m.UID, 10), Name: m.Name + " " + m.LastName, Email: m.Email, Mobile: m.Mobile}
}

// sealed is the keyed hash of a request with passwords, for comparison and storage: a
// plain hash could be guessed.
func (s *Service) sealed(parts ...string) []byte {
	mac := hmac.New(sha256.New, s.opt.Secret)
	for _, p := range parts {
		mac.Write([]byte(p))
		mac.Write([]byte{0})
	}
	return mac.Sum(nil)
}

// errNotDone rolls back a command that only looks a key up.
var errNotDone = errors.New("profile: not done yet")

// done reports whether the request was done before under its key. It runs before the
// old password is verified: after the change, a repeated request would fail. Conflict if
// the key was used for another request.
func (s *Service) done(ctx context.Context, uid int64, key string, body []byte) (bool, error) {
	if key == "" {
		return false, nil
	}
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: actor.Member(uid), Key: key, Body: body, Run: func(context.Context, *ledger.Tx) ([]byte, error) {
		return nil, errNotDone
	}})
	if errors.Is(err, errNotDone) {
		return false, nil
	}
	return err == nil, err
}

// apply changes a password and queues the mail about it.
func (s *Service) apply(ctx context.Context, change auth.Change, key string, body []byte, letter func(name string) mail.Mail) error {
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: actor.Member(change.UID), Key: key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if err := change.Apply(ctx, tx); err != nil {
			return nil, err
		}
		m, _, err := s.opt.Members.Verified(ctx, tx, change.UID)
		if err != nil {
			return nil, err
		}
		if err := s.opt.Members.CancelPendingEmail(ctx, tx, m); err != nil {
			return nil, err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		return nil, s.opt.Mail.Queue(ctx, tx, m.Email, letter(m.Name))
	}})
	return err
}
