package profile

import (
	"context"
	"net/netip"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/mail"
)

// SetPassword changes the password and ends all other sessions. Errors: those
// of auth's PrepareChange; Forbidden for a visit.
func (s *Service) SetPassword(ctx context.Context, by auth.Session, old, password string, peer netip.Addr) error {
	if !by.MayChangePassword() {
		return errs.New(errs.Forbidden, "An operator's visit cannot change a password.")
	}
	change, err := s.opt.Auth.PrepareChange(ctx, auth.ChangeRequest{UID: by.Owner, Old: old, New: password, Keep: by.ID, Peer: peer})
	if err != nil {
		return err
	}
	return s.apply(ctx, change, func(name string) mail.Mail { return mail.PasswordChanged{Name: name, UserID: by.Owner} })
}

// SetTransactionPassword changes the transaction password. Errors: those of
// auth's PrepareTransactionChange; Forbidden for a visit.
func (s *Service) SetTransactionPassword(ctx context.Context, by auth.Session, old, password string) error {
	if err := mayChange(by); err != nil {
		return err
	}
	change, err := s.opt.Auth.PrepareTransactionChange(ctx, by.Owner, old, password)
	if err != nil {
		return err
	}
	return s.apply(ctx, change, func(name string) mail.Mail { return mail.TransactionPasswordChanged{Name: name, UserID: by.Owner} })
}

// apply makes a change of password and queues the letter about it.
func (s *Service) apply(ctx context.Context, change auth.Change, letter func(name string) mail.Mail) error {
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: auth.Actor(change.UID), Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if err := change.Apply(ctx, tx); err != nil {
			return nil, err
		}
		rows, err := tx.Rows(ctx)
		if err != nil {
			return nil, err
		}
		m, _, err := s.opt.Members.GetIn(ctx, rows, change.UID)
		if err != nil {
			return nil, err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		return nil, s.opt.Mail.Queue(ctx, rows, m.Email, letter(m.Name))
	}})
	return err
}
