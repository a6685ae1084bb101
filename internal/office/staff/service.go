// Package staff manages operators: their sign-in, invitations and roles, and their work
// on members. A change of an operator, its entry in the audit log and its mail are one
// command.
package staff

import (
	"context"
	"log/slog"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Product is the issuer's name in authenticator apps.
const Product = "Bifolia"

// Options configures a Service.
type Options struct {
	Do       ledger.CommandRunner
	Store    Store
	Auth     *auth.Service
	Members  *member.Service
	Mail     *mail.Service
	AuditLog *auditlog.Service
	Second   *approvalmail.Service
	Support  *support.Service
	Clock    clock.Clock
	Log      *slog.Logger
	// PaymentNumbers are the payment numbers that a text may be, as fund requests store them.
	PaymentNumbers func(text string) []string
}

// Service manages operators and their work on members.
type Service struct{ opt Options }

func New(opt Options) *Service { return &Service{opt} }

// subject is an operator in the audit log.
func subject(o auth.Operator) string { return actor.Operator(o.ID) + " " + o.Email }

// factor is the state of a second factor in the audit log.
type factor struct {
	Factor   bool  `json:"factor"`
	Passkeys int64 `json:"passkeys,omitempty"`
}

// ConfirmFactor completes an operator's enrolment and notifies them by mail. Errors:
// those of auth.
func (s *Service) ConfirmFactor(ctx context.Context, session auth.Session, code string, from auth.From) (recovery []string, err error) {
	return s.opt.Auth.ConfirmFactor(ctx, session, code, from, func(ctx context.Context, tx *ledger.Tx, owner auth.Owner) error {
		o, err := s.opt.Auth.OperatorOf(ctx, tx, owner.ID)
		if err != nil {
			return err
		}
		if err := s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{Operator: o.ID, Name: o.Email, Act: "factor set", Subject: subject(o)}); err != nil {
			return err
		}
		return s.tell(ctx, tx, o.Email, mail.FactorSet{Name: o.Name})
	})
}

// ChangePassword changes the password of the session's operator, with an entry in the
// audit log and a mail. Errors: those of auth.
func (s *Service) ChangePassword(ctx context.Context, session auth.Session, e auth.Evidence, password string, from auth.From) error {
	return s.opt.Auth.ChangeOperatorPassword(ctx, session, e, password, from, func(ctx context.Context, tx *ledger.Tx, o auth.Operator) error {
		if err := s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{Operator: o.ID, Name: o.Email, Act: "password changed", Subject: subject(o)}); err != nil {
			return err
		}
		return s.tell(ctx, tx, o.Email, mail.PasswordChanged{Name: o.Name})
	})
}

// ResetFactor removes another operator's second factor and passkeys and notifies them by
// mail. Errors: Invalid for an unusable reason; Forbidden for one's own, because a stolen
// session must not do that; those of auth.
func (s *Service) ResetFactor(ctx context.Context, by actor.By, key string, operator int64, reason string) error {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return err
	}
	if operator == by.Operator {
		return errs.New(errs.Forbidden, "operator.own_factor", "Another owner must reset your second factor.")
	}
	type body struct {
		Act      string
		Operator int64
		Reason   string
	}
	_, err = ledger.Run(ctx, s.opt.Do, by.Key(), key, body{"factor reset", operator, reason}, func(ctx context.Context, tx *ledger.Tx) (string, error) {
		o, passkeys, err := s.opt.Auth.ResetFactor(ctx, tx, operator)
		if err != nil {
			return "", err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		tx.AfterCommit(func() {
			s.opt.Log.Warn("an operator's second factor was reset", "operator", operator, "by", by.Operator, "reason", reason)
		})
		e := auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "factor reset", Subject: subject(o), Was: auditlog.State(factor{true, passkeys}), Became: auditlog.State(factor{}), Reason: reason}
		if err := s.opt.AuditLog.Write(ctx, tx, e); err != nil {
			return "", err
		}
		return o.Email, s.opt.Mail.Queue(ctx, tx, o.Email, mail.FactorReset{Name: o.Name, By: by.Name, Reason: reason, Passkeys: passkeys > 0})
	})
	return err
}

// EndSession ends a session of another operator. NotFound if there is no such open
// session.
func (s *Service) EndSession(ctx context.Context, by actor.By, operator int64, session string) error {
	_, err := ledger.Run(ctx, s.opt.Do, by.Key(), "", []any{"session end", operator, session}, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
		if err := s.opt.Auth.EndSessionIn(ctx, tx, auth.KindOperator, operator, session); err != nil {
			return false, err
		}
		return true, s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "session end", Subject: actor.Operator(operator)})
	})
	return err
}
