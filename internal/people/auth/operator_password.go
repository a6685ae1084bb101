package auth

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// ChangeOperatorPassword changes the password of the session's operator. It takes
// evidence, however recent the sign-in. Every other session and every impersonation of
// the operator ends. also, unless nil, runs in the same command.
//
// Errors: Forbidden unless the session is of an operator with a second factor; Invalid
// if the new password is too weak, derived from the operator's name or e-mail, or the
// old one; Limited; those of evidence.
func (s *Service) ChangeOperatorPassword(ctx context.Context, session Session, e Evidence, password string, from From, also Also[Operator]) error {
	o, err := session.owner()
	if err != nil {
		return err
	}
	if o.Kind != KindOperator {
		return errNotYours
	}
	now, err := s.readHolder(ctx, nil, o)
	if err != nil {
		return unreadable(err)
	}
	if password == e.Password {
		return errs.BadField(passwords.FieldNew, "auth.password_same", "The new password must differ from the old one")
	}
	hash, err := s.PrepareOperator(ctx, now.operator.Operator, password)
	if err != nil {
		return ofNewPassword(err)
	}
	_, err = proving(ctx, s, session, e, from, func(ctx context.Context, tx *ledger.Tx, o Owner, h holder) (bool, error) {
		if !h.factor.on() {
			return false, errNoFactor
		}
		row := h.operator
		row.Password, row.PasswordAt = hash, s.clock.Now()
		if err := s.store.PutOperator(ctx, tx, row); err != nil {
			return false, err
		}
		if err := also.run(ctx, tx, row.Operator); err != nil {
			return false, err
		}
		tx.AfterCommit(func() { s.log.Info("auth: an operator's password changed", "operator", o.ID) })
		if err := s.endVisitsOf(ctx, tx, o.ID); err != nil {
			return false, err
		}
		return true, s.endOthersOf(ctx, tx, o, session.ID)
	})
	return err
}

// ofNewPassword moves a password's error to the field of the new password.
func ofNewPassword(err error) error {
	var e *errs.Error
	if !errors.As(err, &e) || len(e.Fields) == 0 {
		return err
	}
	return errs.Fields([]errs.Field{{Name: passwords.FieldNew, Text: e.Fields[0].Text}})
}
