package auth

import (
	"cmp"
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// PrepareOperator checks a new operator's password and returns its hash for
// AddOperator. Invalid if the password is too weak.
func (s *Service) PrepareOperator(ctx context.Context, o Operator, password string) (hash string, err error) {
	if err := passwords.CheckOperator(passwords.Person{Name: o.Name, Email: o.Email}, password); err != nil {
		return "", err
	}
	return s.hasher.Hash(ctx, password)
}

// AddOperator adds o, as parsed by ParseOperator, and returns the id. Conflict if an
// operator, ended or not, has the e-mail.
func (s *Service) AddOperator(ctx context.Context, tx *ledger.Tx, o Operator, hash string) (int64, error) {
	all, err := s.store.OperatorsIn(ctx, tx)
	if err != nil {
		return 0, err
	}
	for _, other := range all {
		if other.Email == o.Email {
			return 0, errs.New(errs.Conflict, "operator.email_taken", "There is an operator with this e-mail already.")
		}
	}
	o.Created = s.clock.Now()
	return s.store.AddOperator(ctx, tx, OperatorRow{Operator: o, Password: hash, PasswordAt: o.Created})
}

// EndOperator ends an operator for good, with all their sessions and impersonations.
// NotFound if there is no such operator; Refused for the last owner, because nobody
// could appoint another.
func (s *Service) EndOperator(ctx context.Context, tx *ledger.Tx, id int64) error {
	all, err := s.store.OperatorsIn(ctx, tx)
	if err != nil {
		return err
	}
	owners, found := 0, false
	for _, o := range all {
		if !o.Ended.IsZero() {
			continue
		}
		found = found || o.ID == id
		if o.Role == RoleOwner && o.ID != id {
			owners++
		}
	}
	switch {
	case !found:
		return errNoOperator
	case owners == 0:
		return errs.New(errs.Refused, "operator.last_owner", "The last owner cannot be ended. Appoint another owner first.")
	}
	if err := s.store.EndOperator(ctx, tx, id, s.clock.Now()); err != nil {
		return err
	}
	return s.endOperatorSessions(ctx, tx, id)
}

var errNoOperator = errs.New(errs.NotFound, "operator.not_found", "There is no such operator.")

// endOperatorSessions ends every session and impersonation of an operator.
func (s *Service) endOperatorSessions(ctx context.Context, tx *ledger.Tx, id int64) error {
	if err := s.endVisitsOf(ctx, tx, id); err != nil {
		return err
	}
	return s.endAll(ctx, tx, id, "", KindOperator)
}

// endVisitsOf ends every impersonation by an operator.
func (s *Service) endVisitsOf(ctx context.Context, tx *ledger.Tx, id int64) error {
	visits, err := s.store.EndVisits(ctx, tx, id, s.clock.Latest())
	if err != nil {
		return err
	}
	tx.AfterCommit(func() { s.cache.Drop(visits...) })
	return nil
}

// Operators lists every operator, ended ones too, by id.
func (s *Service) Operators(ctx context.Context) ([]Operator, error) { return s.store.Operators(ctx) }

// OperatorsIn is Operators within a command.
func (s *Service) OperatorsIn(ctx context.Context, tx *ledger.Tx) ([]Operator, error) {
	return s.store.OperatorsIn(ctx, tx)
}

// OperatorOf reads an operator within a command. NotFound if there is none, or if they
// have ended.
func (s *Service) OperatorOf(ctx context.Context, tx *ledger.Tx, id int64) (Operator, error) {
	o, found, err := s.store.OperatorIn(ctx, tx, id)
	if err != nil || !found || !o.Ended.IsZero() {
		return Operator{}, cmp.Or[error](err, errNoOperator)
	}
	return o.Operator, nil
}
