package office

import (
	"context"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/mail"
	"github.com/bifolia/bifolia/internal/trail"
)

// passkey is a passkey as the record names one.
type passkey struct {
	Passkey string `json:"passkey"`
}

// AddPasskey adds a passkey of the session's operator, enters it in the record
// and tells them by mail. Errors: those of auth's.
func (s *Service) AddPasskey(ctx context.Context, session auth.Session, n auth.NewPasskey) (auth.PasskeyRow, error) {
	return s.opt.Auth.AddPasskey(ctx, session, n, s.changed("passkey added", true))
}

// RemovePasskey removes one, enters it in the record and tells them by mail.
// Errors: those of auth's.
func (s *Service) RemovePasskey(ctx context.Context, session auth.Session, id int64, proof string, from auth.From) error {
	return s.opt.Auth.RemovePasskey(ctx, session, id, proof, from, s.changed("passkey removed", false))
}

func (s *Service) changed(act string, added bool) auth.WithPasskey {
	return func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, o auth.Operator, p auth.PasskeyRow) error {
		tx.AfterCommit(s.opt.Mail.Wake)
		e := trail.Entry{Operator: o.ID, Name: o.Email, Act: act, Subject: subject(o)}
		if state := trail.State(passkey{p.Name}); added {
			e.Became = state
		} else {
			e.Was = state
		}
		if err := s.opt.Trail.Write(ctx, rows, e); err != nil {
			return err
		}
		return s.opt.Mail.Queue(ctx, rows, o.Email, mail.PasskeyChanged{Name: o.Name, Passkey: p.Name, Added: added})
	}
}

// LoginPasskey signs an operator in by a passkey. Of one that may have been
// copied its operator is told by mail. Errors: those of auth's.
func (s *Service) LoginPasskey(ctx context.Context, r auth.PasskeyLogin) (auth.Grant, error) {
	return s.opt.Auth.LoginPasskey(ctx, r, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, o auth.Operator, p auth.PasskeyRow) error {
		tx.AfterCommit(s.opt.Mail.Wake)
		return s.opt.Mail.Queue(ctx, rows, o.Email, mail.PasskeyRefused{Name: o.Name, Passkey: p.Name, Address: r.Peer.String()})
	})
}
