package auth

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// ChangeOperatorPassword gives the session's operator another password. It takes
// the old one and the second factor, however young the session is. Every other
// session of the operator ends, and every visit of theirs. also, unless nil, runs in
// the same command.
//
// Errors: Forbidden unless the session is an operator's who has a second factor;
// Invalid if the new password is too weak, made of the operator's name or e-mail, or
// the old one; Limited; those of evidence.
func (s *Service) ChangeOperatorPassword(ctx context.Context, session Session, e Evidence, password string, from From, also AlsoOperator) error {
	o, err := session.owner()
	if err != nil {
		return err
	}
	if o.Kind != KindOperator {
		return errNotYours
	}
	now, err := s.holding(ctx, nil, o)
	if err != nil {
		return unreadable(err)
	}
	if password == e.Password {
		return errs.BadField(fieldNewPassword, "auth.password_same", "The new password must differ from the old one")
	}
	hash, err := s.PrepareOperator(ctx, now.operator.Operator, password)
	if err != nil {
		return aboutNew(err)
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
		if also != nil {
			if err := also(ctx, tx, row.Operator); err != nil {
				return false, err
			}
		}
		tx.AfterCommit(func() { s.log.Info("auth: an operator's password changed", "operator", o.ID) })
		if err := s.endVisitsOf(ctx, tx, o.ID); err != nil {
			return false, err
		}
		return true, s.endOthersOf(ctx, tx, o, session.ID)
	})
	return err
}

// aboutNew says of what is wrong with a password that it is the new one's.
func aboutNew(err error) error {
	var e *errs.Error
	if !errors.As(err, &e) || len(e.Fields) == 0 {
		return err
	}
	return errs.Fields([]errs.Field{{Name: fieldNewPassword, Text: e.Fields[0].Text}})
}
