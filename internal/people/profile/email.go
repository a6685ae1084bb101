package profile

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Confirmation of e-mail addresses. Package member has the rules of links.

// askEmail mails the link to a new address and notifies the current one.
func (s *Service) askEmail(ctx context.Context, tx *ledger.Tx, m member.Member, email string) error {
	if err := s.mailLink(ctx, tx, m, email); err != nil {
		return err
	}
	return s.opt.Mail.Queue(ctx, tx, m.Email, mail.EmailAsked{Name: m.Name, UserID: m.UID, NewEmail: email})
}

func (s *Service) mailLink(ctx context.Context, tx *ledger.Tx, m member.Member, email string) error {
	secret, err := s.opt.Members.AskEmail(ctx, tx, m.UID, email, tx.Now())
	if err != nil {
		return err
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, email, mail.EmailConfirm{Name: m.Name, UserID: m.UID, Token: secret, Valid: member.ConfirmLife})
}

// SendEmailLink mails the link again: to the pending address, or to the current one if
// it is unconfirmed. Conflict if nothing is pending; Forbidden for an impersonation.
func (s *Service) SendEmailLink(ctx context.Context, by auth.Session) error {
	if err := mayChange(by); err != nil {
		return err
	}
	return s.command(ctx, actor.Member(by.Owner), func(ctx context.Context, tx *ledger.Tx) error {
		m, _, err := s.opt.Members.Verified(ctx, tx, by.Owner)
		if err != nil {
			return err
		}
		email, err := s.opt.Members.PendingEmail(ctx, tx, m, tx.Now())
		switch {
		case err != nil:
			return err
		case email == "" && m.Confirmed():
			return member.ErrConfirmed
		case email == "":
			email = m.Email
		}
		return s.mailLink(ctx, tx, m, email)
	})
}

var errOwnTransactionPassword = errs.New(errs.Refused, "email.use_profile", "You have chosen a transaction password: change your e-mail address in your profile, with that password.")

// CorrectEmail replaces an address mistyped at sign-up and mails the confirming link to
// the new one. It takes the sign-in password, and the second factor if there is one: the
// member cannot receive mail, nor a transaction password. It is possible only while the
// address was never confirmed and no transaction password was chosen. Withdrawals pause,
// and the former address is notified, in case it is the owner's and the caller is a
// thief.
//
// Errors: Invalid; those of auth's evidence and of member's CorrectEmail; Refused with a
// chosen transaction password; Limited after five addresses in a day; Forbidden for an
// impersonation.
func (s *Service) CorrectEmail(ctx context.Context, by auth.Session, email string, e auth.Evidence, from auth.From) error {
	if err := mayChange(by); err != nil {
		return err
	}
	email, err := member.ParseEmail(email)
	if err != nil {
		return err
	}
	mayAsk := sync.OnceValue(func() error { return s.mayAskEmail(by.Owner) }) // a command may run twice
	return s.opt.Auth.Proven(ctx, by, e, from, func(ctx context.Context, tx *ledger.Tx, _ time.Time) error {
		if _, _, err := s.opt.Members.Verified(ctx, tx, by.Owner); err != nil {
			return err
		}
		c, err := s.opt.Members.CorrectEmail(ctx, tx, by.Owner, email, tx.Now())
		if err != nil {
			return err
		}
		never, err := s.opt.Auth.NeverChosen(ctx, tx, by.Owner)
		if err == nil && !never {
			err = errOwnTransactionPassword
		}
		if err == nil {
			err = mayAsk()
		}
		if err != nil {
			return err
		}
		if err := s.opt.Auth.Pause(ctx, tx, by.Owner, auth.EmailChange); err != nil {
			return err
		}
		if err := s.mailLink(ctx, tx, c.After, email); err != nil {
			return err
		}
		return s.opt.Mail.Queue(ctx, tx, c.Before.Email, mail.EmailChanged{Name: c.Before.Name, UserID: by.Owner, NewEmail: email})
	})
}

// CancelEmail cancels a pending change of the address, if any. Forbidden for an
// impersonation.
func (s *Service) CancelEmail(ctx context.Context, by auth.Session) error {
	if err := mayChange(by); err != nil {
		return err
	}
	return s.command(ctx, actor.Member(by.Owner), func(ctx context.Context, tx *ledger.Tx) error {
		m, _, err := s.opt.Members.Verified(ctx, tx, by.Owner)
		if err != nil {
			return err
		}
		return s.opt.Members.CancelPendingEmail(ctx, tx, m)
	})
}

// Opened is an opened confirmation link, with the proof that the caller is the member: a
// session of theirs, or the password. Either may be missing.
type Opened struct {
	UID      int64
	Secret   string
	By       auth.Session
	Password string
	Peer     netip.Addr
}

// ConfirmEmail makes the address of a mailed link current. A member's first address also
// takes the session or the password. A change pauses withdrawals and notifies the former
// address, with a link that undoes it. A used link does nothing, and is no error while
// its address is current.
//
// Errors: those of member's ConfirmEmail; auth.ErrWrongPassword; Limited.
func (s *Service) ConfirmEmail(ctx context.Context, o Opened) error {
	err := s.confirmEmail(ctx, o)
	if !errors.Is(err, member.ErrWrongLink) {
		return err
	}
	used, failed := s.opt.Members.ConfirmedBy(ctx, o.UID, o.Secret, s.opt.Clock.Now())
	if used || failed != nil {
		return failed
	}
	return err
}

func (s *Service) confirmEmail(ctx context.Context, o Opened) error {
	proved, err := s.provedFor(ctx, o)
	if err != nil {
		return err
	}
	uid := o.UID
	return s.command(ctx, "e-mail link", func(ctx context.Context, tx *ledger.Tx) error {
		c, undo, err := s.opt.Members.ConfirmEmail(ctx, tx, uid, o.Secret, proved, tx.Now())
		if err != nil || !c.Email() {
			return err
		}
		if err := s.opt.Auth.DropTemporary(ctx, tx, uid); err != nil { // it was mailed to the former address
			return err
		}
		if err := s.opt.Auth.CountChange(ctx, tx, uid); err != nil {
			return err
		}
		if err := s.opt.Auth.Pause(ctx, tx, uid, auth.EmailChange); err != nil {
			return err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		return s.opt.Mail.Queue(ctx, tx, c.Before.Email, mail.EmailChanged{
			Name: c.Before.Name, UserID: uid, NewEmail: c.After.Email, Token: undo, Valid: member.UndoLife,
		})
	})
}

// provedFor reports whether the caller is the member of a link. The password is verified
// only if it is needed and the link is valid, so that it cannot be guessed more often
// than at sign-in.
func (s *Service) provedFor(ctx context.Context, o Opened) (bool, error) {
	if o.By.Kind == auth.KindMember && o.By.Owner == o.UID && o.By.MayChangeCredentials() {
		return true, nil
	}
	first, err := s.opt.Members.FirstEmail(ctx, o.UID, o.Secret, s.opt.Clock.Now())
	switch {
	case err != nil || !first:
		return false, err
	case o.Password == "":
		return false, member.ErrProveFirst
	}
	err = s.opt.Auth.CheckPassword(ctx, o.UID, o.Password, o.Peer)
	return err == nil, err
}

// UndoEmail restores a former address by its mailed link, ends every session of the
// account and pauses withdrawals. Errors: those of member's UndoEmail.
func (s *Service) UndoEmail(ctx context.Context, uid int64, secret string) error {
	return s.command(ctx, "e-mail link", func(ctx context.Context, tx *ledger.Tx) error {
		c, err := s.opt.Members.UndoEmail(ctx, tx, uid, secret, tx.Now())
		if err != nil {
			return err
		}
		if err := s.opt.Auth.DropTemporary(ctx, tx, uid); err != nil {
			return err
		}
		if err := s.opt.Auth.EndMemberSessions(ctx, tx, uid); err != nil {
			return err
		}
		if err := s.opt.Auth.Pause(ctx, tx, uid, auth.EmailChange); err != nil {
			return err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		if c.Email() { // the replaced address may belong to the member, and the former mailbox to a thief
			if err := s.opt.Mail.Queue(ctx, tx, c.Before.Email, mail.EmailUndone{Name: c.After.Name, UserID: uid, Gone: true}); err != nil {
				return err
			}
		}
		return s.opt.Mail.Queue(ctx, tx, c.After.Email, mail.EmailUndone{Name: c.After.Name, UserID: uid})
	})
}

// KeepEmail removes the links by which former addresses can undo a change, after the
// member gave evidence and the transaction password. Former addresses are not notified:
// another person may read them.
//
// Errors: those of auth's CheckTransactionPassword and of its evidence; those of
// member's RemoveUndo; Forbidden for an impersonation.
func (s *Service) KeepEmail(ctx context.Context, by auth.Session, pin string, e auth.Evidence, from auth.From) error {
	if err := mayChange(by); err != nil {
		return err
	}
	proof, err := s.opt.Auth.CheckTransactionPassword(ctx, by.Owner, pin)
	if err != nil {
		return err
	}
	err = s.opt.Auth.Proven(ctx, by, e, from, func(ctx context.Context, tx *ledger.Tx, factor time.Time) error {
		if err := proof.Clear(ctx, tx); err != nil {
			return err
		}
		return s.opt.Members.RemoveUndo(ctx, tx, by.Owner, factor, tx.Now())
	})
	if err != nil {
		proof.Undone(ctx, err)
	}
	return err
}

func (s *Service) command(ctx context.Context, actor string, run func(context.Context, *ledger.Tx) error) error {
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: actor, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}})
	return err
}
