package staff

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// passkey is a passkey in the audit log.
type passkey struct {
	Passkey string `json:"passkey"`
}

// AddPasskey adds a passkey of the session's operator, with an entry in the audit log and
// a mail. Errors: those of auth.
func (s *Service) AddPasskey(ctx context.Context, session auth.Session, n auth.NewPasskey) (auth.PasskeyRow, error) {
	p, _, err := s.opt.Auth.AddPasskey(ctx, session, n, s.changed("passkey added", true))
	return p, err
}

// RemovePasskey removes one, with an entry in the audit log and a mail. Errors: those of
// auth.
func (s *Service) RemovePasskey(ctx context.Context, session auth.Session, id int64, e auth.Evidence, from auth.From) error {
	return s.opt.Auth.RemovePasskey(ctx, session, id, e, from, s.changed("passkey removed", false))
}

func (s *Service) changed(act string, added bool) auth.Also[auth.PasskeyRow] {
	return func(ctx context.Context, tx *ledger.Tx, p auth.PasskeyRow) error {
		o, err := s.opt.Auth.OperatorOf(ctx, tx, p.Owner.ID)
		if err != nil {
			return err
		}
		e := auditlog.Entry{Operator: o.ID, Name: o.Email, Act: act, Subject: subject(o)}
		if state := auditlog.State(passkey{p.Name}); added {
			e.Became = state
		} else {
			e.Was = state
		}
		if err := s.opt.AuditLog.Write(ctx, tx, e); err != nil {
			return err
		}
		return s.tell(ctx, tx, o.Email, mail.PasskeyChanged{Name: o.Name, Passkey: p.Name, Added: added})
	}
}

// tell queues a mail and wakes the sender.
func (s *Service) tell(ctx context.Context, tx *ledger.Tx, to string, letter mail.Mail) error {
	if to == "" {
		return nil
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, to, letter)
}

// Warn mails an operator or a member about a security event of their second factor.
func (s *Service) Warn(ctx context.Context, tx *ledger.Tx, w auth.Warning) error {
	if w.Owner.Kind == auth.KindOperator {
		o, err := s.opt.Auth.OperatorOf(ctx, tx, w.Owner.ID)
		if err == nil && w.Guessed {
			return s.tell(ctx, tx, o.Email, mail.SessionEnded{Name: o.Name, Address: w.Address})
		}
		if err != nil || w.Copied == nil {
			return err
		}
		return s.tell(ctx, tx, o.Email, mail.PasskeyRefused{Name: o.Name, Passkey: w.Copied.Name, Address: w.Address})
	}
	m, _, err := s.opt.Members.Verified(ctx, tx, w.Owner.ID)
	if err != nil {
		return err
	}
	if w.Guessed {
		return s.tell(ctx, tx, m.Email, mail.SessionEnded{Name: m.Name, UserID: m.UID, Address: w.Address})
	}
	letter := mail.SecondFactor{Name: m.Name, UserID: m.UID, Event: mail.FactorLocked, Until: w.CodesLocked.UTC()}
	if w.Copied != nil {
		letter = mail.SecondFactor{Name: m.Name, UserID: m.UID, Event: mail.FactorCopied, Passkey: w.Copied.Name, Address: w.Address}
	}
	return s.tell(ctx, tx, m.Email, letter)
}
