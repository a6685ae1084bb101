package profile

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// Members' second factors. What may be done and what proves it is auth's matter;
// here every change is told to the member by mail. Errors are those of auth's.

// ConfirmFactor makes the app the second factor and gives recovery codes.
func (s *Service) ConfirmFactor(ctx context.Context, by auth.Session, code string, from auth.From) (recovery []string, err error) {
	return s.opt.Auth.ConfirmFactor(ctx, by, code, from, s.told(mail.FactorAppSet))
}

// RenewRecovery gives fresh recovery codes.
func (s *Service) RenewRecovery(ctx context.Context, by auth.Session, e auth.Evidence, from auth.From) (recovery []string, err error) {
	return s.opt.Auth.RenewRecovery(ctx, by, e, from, s.told(mail.FactorRecovery))
}

// DisableFactor takes the second factor and every passkey away.
func (s *Service) DisableFactor(ctx context.Context, by auth.Session, e auth.Evidence, from auth.From) error {
	return s.opt.Auth.DisableFactor(ctx, by, e, from, s.told(mail.FactorOff))
}

// AddPasskey adds a passkey, and gives recovery codes with the first thing that is a
// second factor.
func (s *Service) AddPasskey(ctx context.Context, by auth.Session, n auth.NewPasskey) (auth.PasskeyRow, []string, error) {
	return s.opt.Auth.AddPasskey(ctx, by, n, s.toldOf(mail.FactorPasskeyAdded))
}

// RemovePasskey removes a passkey.
func (s *Service) RemovePasskey(ctx context.Context, by auth.Session, id int64, e auth.Evidence, from auth.From) error {
	return s.opt.Auth.RemovePasskey(ctx, by, id, e, from, s.toldOf(mail.FactorPasskeyRemoved))
}

func (s *Service) told(event mail.FactorEvent) auth.Also[auth.Owner] {
	return func(ctx context.Context, tx *ledger.Tx, o auth.Owner) error {
		return s.mailFactor(ctx, tx, o, mail.SecondFactor{Event: event})
	}
}

func (s *Service) toldOf(event mail.FactorEvent) auth.Also[auth.PasskeyRow] {
	return func(ctx context.Context, tx *ledger.Tx, p auth.PasskeyRow) error {
		return s.mailFactor(ctx, tx, p.Owner, mail.SecondFactor{Event: event, Passkey: p.Name})
	}
}

func (s *Service) mailFactor(ctx context.Context, tx *ledger.Tx, o auth.Owner, letter mail.SecondFactor) error {
	m, _, err := s.opt.Members.Verified(ctx, tx, o.ID)
	if err != nil || m.Email == "" {
		return err
	}
	letter.Name, letter.UserID = m.Name, m.UID
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, m.Email, letter)
}
