package enrol

import (
	"context"
	"crypto/rand"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/passwords"
)

// Forgot mails a temporary password and a one-time link to a member who forgot the
// password; the old one stays valid. For an unknown id it does the same work, a durable
// commit included, and mails nobody, so that neither the answer nor its timing discloses
// which ids exist. To an unconfirmed address it mails only the link that confirms it.
//
// Errors: Limited; Unavailable.
func (s *Service) Forgot(ctx context.Context, key string, uid int64) error {
	temporary, err := s.opt.Auth.PrepareTemporary(ctx)
	if err != nil {
		return err
	}
	_, err = s.opt.Do.Do(ctx, ledger.Command{Actor: "forgot", Key: key, Body: strconv.AppendInt(nil, uid, 10), Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		m, found, err := s.opt.Members.Verified(ctx, tx, uid)
		if err != nil {
			return nil, err
		}
		if !found || m.Erased() {
			value := make([]byte, 32)
			_, _ = rand.Read(value) // never fails
			return nil, s.opt.Store.Decoy(ctx, tx, value)
		}
		if !m.Confirmed() {
			return nil, s.confirmFirst(ctx, tx, m)
		}
		if err := s.opt.Auth.SetTemporary(ctx, tx, uid, temporary); err != nil {
			return nil, err
		}
		valid := temporary.Until.Sub(s.opt.Clock.Latest()).Round(time.Minute)
		tx.AfterCommit(s.opt.Mail.Wake)
		return nil, s.opt.Mail.Queue(ctx, tx, m.Email, mail.Password{
			Name: m.Name, UserID: uid, Temporary: temporary.Password, Token: temporary.ResetToken, Valid: valid,
		})
	}})
	return err
}

// confirmFirst mails the link that confirms an address instead of a secret: the address
// may be a stranger's.
func (s *Service) confirmFirst(ctx context.Context, tx *ledger.Tx, m member.Member) error {
	secret, err := s.opt.Members.AskEmail(ctx, tx, m.UID, m.Email, tx.Now())
	if err != nil {
		return err
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, m.Email, mail.EmailConfirm{Name: m.Name, UserID: m.UID, Token: secret, Valid: member.ConfirmLife, Forgotten: true})
}

// SendCode mails a member a one-time code for the password. For an unknown id it does
// the same work and mails nobody.
//
// Errors: Unavailable.
func (s *Service) SendCode(ctx context.Context, uid int64, p auth.Purpose) error {
	code := auth.NewMailedCode()
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: "forgot", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		m, found, err := s.opt.Members.Verified(ctx, tx, uid)
		if err != nil {
			return nil, err
		}
		if found && !m.Erased() && !m.Confirmed() {
			return nil, s.confirmFirst(ctx, tx, m)
		}
		if err := s.opt.Auth.SetMailedCode(ctx, tx, uid, p, code); err != nil || !found || m.Erased() {
			return nil, err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		return nil, s.opt.Mail.Queue(ctx, tx, m.Email, mail.PasswordCode{Name: m.Name, UserID: uid, Code: code, Valid: auth.MailedCodeLife()})
	}})
	return err
}

// Reset sets a new password by a mailed link and notifies the member. Errors: those of
// auth's PrepareReset.
func (s *Service) Reset(ctx context.Context, r auth.ResetRequest) error {
	change, err := s.opt.Auth.PrepareReset(ctx, r)
	if err != nil {
		return err
	}
	_, err = s.opt.Do.Do(ctx, ledger.Command{Actor: "forgot", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if err := change.Apply(ctx, tx); err != nil {
			return nil, err
		}
		m, _, err := s.opt.Members.Verified(ctx, tx, r.UID)
		if err != nil {
			return nil, err
		}
		// Checked only now: a caller without the link must not learn the member's data from
		// it. The error rolls the command back, and the link stays valid.
		p := passwords.Person{UID: strconv.FormatInt(m.UID, 10), Name: m.Name + " " + m.LastName, Email: m.Email, Mobile: m.Mobile}
		if err := p.Check(r.New); err != nil {
			return nil, err
		}
		if err := s.opt.Members.CancelPendingEmail(ctx, tx, m); err != nil {
			return nil, err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		return nil, s.opt.Mail.Queue(ctx, tx, m.Email, mail.PasswordChanged{Name: m.Name, UserID: r.UID})
	}})
	return err
}
