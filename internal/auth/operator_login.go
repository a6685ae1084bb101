package auth

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/ledger"
)

// OperatorLogin is an operator who wants in. All three are asked for at once:
// asking for the code later would tell that the password was right.
type OperatorLogin struct {
	Email    string
	Password string
	Code     string // of the app, or a recovery code; "" before a factor is set
	From
}

// LoginOperator opens an operator's session. One who has no second factor yet
// gets a session that can do nothing but enrol: its MustChange is set.
//
// Whatever is wrong, and whether the operator is known, unknown or has ended,
// it answers the same after the same work: one verification of a password, the
// codes of one secret and one durable write. A code is taken once. Five wrong
// codes with the right password lock the account for a quarter of an hour, and
// then the right code is as wrong as any other.
//
// Errors: ErrWrongOperator; Limited, with RetryAfter; Unavailable; Conflict if
// somebody has changed the operator or the factor past the product.
func (s *Service) LoginOperator(ctx context.Context, r OperatorLogin) (Grant, error) {
	email, ok := parseEmail(r.Email)
	if !ok {
		email = "" // nobody has it, and it need not be looked up as it is
	}
	try, err := s.throttle.take(ctx, "operator "+email, r.Peer)
	if err != nil {
		return Grant{}, err
	}
	grant, err := s.loginOperator(ctx, email, r, try)
	try.end(err, ErrWrongOperator)
	switch {
	case err == nil:
		s.log.Info("auth: an operator signed in", "operator", grant.Session.Operator, "peer", r.Peer)
	case errors.Is(err, ErrWrongOperator):
		s.log.Warn("auth: a wrong sign-in as an operator", "peer", r.Peer)
	}
	return grant, err
}

func (s *Service) loginOperator(ctx context.Context, email string, r OperatorLogin, y try) (Grant, error) {
	o, _, err := s.store.OperatorByEmail(ctx, email)
	if err != nil {
		return Grant{}, unreadable(err)
	}
	hash := o.Password
	if !o.Ended.IsZero() {
		hash = ""
	}
	ok, err := s.hasher.Verify(ctx, hash, r.Password)
	if err != nil {
		return Grant{}, err
	}
	grant, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows) (Grant, error) {
		grant, err := s.admitOperator(ctx, tx, rows, r, o, ok)
		switch {
		case err != nil:
			return grant, err
		case grant.Token == "":
			return grant, s.throttle.write(ctx, rows, y)
		}
		return grant, s.throttle.forgive(ctx, rows, y)
	})
	if err == nil && grant.Token == "" {
		err = ErrWrongOperator
	}
	return grant, err
}

// admitOperator opens the session of an operator whose password was verified
// against o, or was not. A wrong try must be stored, and an error would undo
// that: so it is told by a grant without a token.
func (s *Service) admitOperator(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, r OperatorLogin, o OperatorRow, proved bool) (Grant, error) {
	now, found, err := s.store.OperatorIn(ctx, rows, o.ID)
	if err != nil {
		return Grant{}, err
	}
	f, _, err := s.store.FactorIn(ctx, rows, o.ID)
	if err != nil {
		return Grant{}, err
	}
	proved = proved && found && now.Ended.IsZero() && now.Password == o.Password
	if proved {
		if err := s.store.Vouched(ctx, rows, o.ID); err != nil {
			return Grant{}, err
		}
	}
	step, good := s.matchFactor(f, r.Code)
	byRecovery, err := s.store.UseRecovery(ctx, rows, o.ID, s.vault.recovery(o.ID, r.Code), s.clock.Latest(), proved && !s.codesLocked(f))
	if err != nil {
		return Grant{}, err
	}
	session := Session{Kind: KindOperator, Owner: o.ID, Operator: o.ID, Role: now.Role}
	switch {
	case !proved:
		return Grant{}, s.store.Decoy(ctx, rows)
	case len(f.Secret) == 0:
		session.MustChange = true
	case s.codesLocked(f):
		return Grant{}, s.store.Decoy(ctx, rows)
	case !good && !byRecovery:
		return Grant{}, s.wrongCode(ctx, tx, rows, f, now)
	default:
		f.Step, f.Tries, f.Locked = max(f.Step, step), 0, never
		if err := s.store.PutFactor(ctx, rows, f); err != nil {
			return Grant{}, err
		}
	}
	how := "code"
	switch {
	case session.MustChange:
		how = "password only"
	case byRecovery:
		how = "recovery code"
		tx.AfterCommit(func() { s.log.Warn("auth: an operator used a recovery code", "operator", o.ID, "peer", r.Peer) })
	}
	if err := s.record(ctx, rows, Act{Operator: o.ID, Name: o.Email, Kind: "sign in", Became: map[string]any{"by": how, "address": r.Peer.String()}}); err != nil {
		return Grant{}, err
	}
	return s.open(ctx, rows, session, r.From)
}

// matchFactor tells whether code is one of the factor's that was not taken
// before. It costs the same without a factor.
func (s *Service) matchFactor(f FactorRow, code string) (step int64, ok bool) {
	raw := make([]byte, secretBytes)
	if len(f.Secret) > 0 {
		opened, err := s.vault.open(f.Operator, f.Secret)
		if err != nil {
			s.log.Error("auth: an operator's second factor cannot be read: an owner must reset it", "operator", f.Operator, "err", err)
			return 0, false
		}
		raw = opened
	}
	step, ok = matchCode(raw, code, s.clock.Now())
	return step, ok && len(f.Secret) > 0 && step > f.Step
}

func (s *Service) codesLocked(f FactorRow) bool { return s.clock.Latest().Before(f.Locked) }

// wrongCode counts one. The fifth locks.
func (s *Service) wrongCode(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, f FactorRow, o OperatorRow) error {
	if !f.Locked.IsZero() {
		f.Tries, f.Locked = 0, never // the lock has run out
	}
	if f.Tries++; f.Tries >= codeTries {
		f.Locked = s.clock.Latest().Add(codeLock)
		tx.AfterCommit(func() {
			s.log.Warn("auth: somebody who knows an operator's password gives wrong codes: locked", "operator", f.Operator)
		})
	}
	if err := s.store.PutFactor(ctx, rows, f); err != nil || f.Locked.IsZero() {
		return err
	}
	return s.record(ctx, rows, Act{Operator: o.ID, Name: o.Email, Kind: "codes locked", Became: map[string]any{"until": f.Locked}})
}
