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

// Confirming e-mail addresses. The rules of links are package member's.

// askEmail mails the link to an address that is to replace the one in force, and tells
// that one.
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

// SendEmailLink mails the link again: to the address that waits to be confirmed, or to
// the one in force while that is not. Conflict if nothing waits; Forbidden for a visit.
func (s *Service) SendEmailLink(ctx context.Context, by auth.Session) error {
	if err := mayChange(by); err != nil {
		return err
	}
	return s.command(ctx, actor.Member(by.Owner), func(ctx context.Context, tx *ledger.Tx) error {
		m, _, err := s.opt.Members.Vouched(ctx, tx, by.Owner)
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

var errOwnPin = errs.New(errs.Refused, "email.use_profile", "You have chosen a transaction password: change your e-mail address in your profile, with that password.")

// CorrectEmail puts another address in place of one that was mistyped at sign-up, and
// mails the link that confirms it there. The sign-in password is enough, with the second
// factor if there is one, because the member cannot be reached by the address in force,
// nor have a transaction password mailed there. It holds only while that address was
// never confirmed and no transaction password was chosen. Money waits all the same, and
// the former address is told: it may be the owner's, and the password somebody else's.
//
// Errors: Invalid; those of auth's evidence and of member's CorrectEmail; Refused with an
// own transaction password; Limited after five other addresses in a day; Forbidden for a
// visit.
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
		if _, _, err := s.opt.Members.Vouched(ctx, tx, by.Owner); err != nil {
			return err
		}
		c, err := s.opt.Members.CorrectEmail(ctx, tx, by.Owner, email, tx.Now())
		if err != nil {
			return err
		}
		never, err := s.opt.Auth.NeverChosen(ctx, tx, by.Owner)
		if err == nil && !never {
			err = errOwnPin
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

// CancelEmail cancels a change of the address that waits to be confirmed; nothing if none
// does. Forbidden for a visit.
func (s *Service) CancelEmail(ctx context.Context, by auth.Session) error {
	if err := mayChange(by); err != nil {
		return err
	}
	return s.command(ctx, actor.Member(by.Owner), func(ctx context.Context, tx *ledger.Tx) error {
		m, _, err := s.opt.Members.Vouched(ctx, tx, by.Owner)
		if err != nil {
			return err
		}
		return s.opt.Members.CancelPendingEmail(ctx, tx, m)
	})
}

// Opened is a mailed link that confirms an address, with what proves that the member is
// there: a session of their own, or the password. Either may be missing.
type Opened struct {
	UID      int64
	Secret   string
	By       auth.Session
	Password string
	Peer     netip.Addr
}

// ConfirmEmail puts the address of a mailed link in force. The first one of a member
// takes the session or the password besides. A change makes money wait and tells the
// former address, with a link that undoes it. A link that has done so before does
// nothing more, and is no error while its address is in force.
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

// provedFor tells whether the member of a link is there. The password is looked at only
// where it is needed, and only with a good link: it is guessed here no better than at
// sign-in.
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

// UndoEmail brings a former address back by its mailed link, ends every session of the
// account and makes money wait. Errors: those of member's UndoEmail.
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
		if c.Email() { // its owner may be the member, whose former mailbox another reads
			if err := s.opt.Mail.Queue(ctx, tx, c.Before.Email, mail.EmailUndone{Name: c.After.Name, UserID: uid, Gone: true}); err != nil {
				return err
			}
		}
		return s.opt.Mail.Queue(ctx, tx, c.After.Email, mail.EmailUndone{Name: c.After.Name, UserID: uid})
	})
}

// KeepEmail removes the links by which former addresses can undo a change, for a member
// who proves to be there by the transaction password too. Former addresses are not
// told: somebody else may read them.
//
// Errors: those of auth's CheckTransactionPassword and of its evidence; those of
// member's RemoveUndo; Forbidden for a visit.
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
