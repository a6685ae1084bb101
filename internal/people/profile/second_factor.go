package profile

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// Members' second factors. Package auth decides; this file mails the member about every
// change. Errors are those of auth.

// ConfirmFactor makes the app the second factor and returns recovery codes.
func (s *Service) ConfirmFactor(ctx context.Context, by auth.Session, code string, from auth.From) (recovery []string, err error) {
	return s.opt.Auth.ConfirmFactor(ctx, by, code, from, s.mailsChange(mail.FactorAppSet))
}

// RenewRecovery replaces the recovery codes.
func (s *Service) RenewRecovery(ctx context.Context, by auth.Session, e auth.Evidence, from auth.From) (recovery []string, err error) {
	return s.opt.Auth.RenewRecovery(ctx, by, e, from, s.mailsChange(mail.FactorRecovery))
}

// DisableFactor removes the second factor and every passkey.
func (s *Service) DisableFactor(ctx context.Context, by auth.Session, e auth.Evidence, from auth.From) error {
	return s.opt.Auth.DisableFactor(ctx, by, e, from, s.mailsChange(mail.FactorOff))
}

// AddPasskey adds a passkey, and returns recovery codes with the first second factor.
func (s *Service) AddPasskey(ctx context.Context, by auth.Session, n auth.NewPasskey) (auth.PasskeyRow, []string, error) {
	return s.opt.Auth.AddPasskey(ctx, by, n, s.mailsPasskey(mail.FactorPasskeyAdded))
}

func (s *Service) RemovePasskey(ctx context.Context, by auth.Session, id int64, e auth.Evidence, from auth.From) error {
	return s.opt.Auth.RemovePasskey(ctx, by, id, e, from, s.mailsPasskey(mail.FactorPasskeyRemoved))
}

func (s *Service) mailsChange(event mail.FactorEvent) auth.Also[auth.Owner] {
	return func(ctx context.Context, tx *ledger.Tx, o auth.Owner) error {
		return s.mailFactor(ctx, tx, o, mail.SecondFactor{Event: event})
	}
}

func (s *Service) mailsPasskey(event mail.FactorEvent) auth.Also[auth.PasskeyRow] {
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
