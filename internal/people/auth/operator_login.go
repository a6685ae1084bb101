package auth

import (
	"context"
	"errors"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// OperatorLogin is an operator's sign-in. All three parts come at once: a later request
// for the code would disclose that the password is right.
type OperatorLogin struct {
	Email    string
	Password string
	Code     string // of the app, or a recovery code; "" before enrolment
	From
}

// LoginOperator opens an operator's session. An operator without a second factor gets a
// session with MustChange set, which can only enrol.
//
// Every failure, for a known, unknown or ended operator, has the same answer after the
// same work: one verification of a password, the codes of one secret and one durable
// write. A code is accepted once. Five wrong codes with the right password lock the
// account for a quarter of an hour; then the right code is refused too.
//
// Errors: ErrWrongOperator; Limited, with RetryAfter; Unavailable; Conflict if the
// operator or the factor was changed outside the server.
func (s *Service) LoginOperator(ctx context.Context, r OperatorLogin) (Grant, error) {
	email, ok := parseEmail(r.Email)
	if !ok {
		email = "" // no operator has it
	}
	o, _, err := s.store.OperatorByEmail(ctx, email)
	if err != nil {
		return Grant{}, unreadable(err)
	}
	if err := s.signInLimits.look(operatorAccount(o.ID), r.Peer); err != nil {
		return Grant{}, err
	}
	familiar, err := s.familiar(ctx, KindOperator, o.ID, r.Peer)
	if err != nil {
		return Grant{}, err
	}
	try, err := s.throttle.takeFrom(ctx, "operator "+email, r.Peer, familiar)
	if err != nil {
		return Grant{}, err
	}
	hasher := s.queueFor(familiar, s.operators)
	grant, err := s.loginOperator(ctx, hasher, o, r, try)
	try.end(err, ErrWrongOperator)
	switch {
	case err == nil:
		s.signInLimits.count(operatorAccount(o.ID), r.Peer)
		s.renewOperator(ctx, hasher, o, r.Password)
		s.log.Info("auth: an operator signed in", "operator", grant.Session.Operator, "session", grant.Session.ID, "peer", r.Peer)
	case errors.Is(err, ErrWrongOperator) && o.ID != 0:
		s.log.Warn("auth: a wrong sign-in as an operator", "operator", o.ID, "peer", r.Peer)
	case errors.Is(err, ErrWrongOperator): // log no unknown address: it may be a mistyped password
		s.log.Warn("auth: a wrong sign-in as an operator", "peer", r.Peer)
	}
	return grant, err
}

func operatorAccount(id int64) string { return "operator " + strconv.FormatInt(id, 10) }

func (s *Service) loginOperator(ctx context.Context, h *Hasher, o OperatorRow, r OperatorLogin, y try) (Grant, error) {
	hash := o.Password
	if !o.Ended.IsZero() {
		hash = ""
	}
	ok, err := h.Verify(ctx, hash, r.Password)
	if err != nil {
		return Grant{}, err
	}
	if !ok {
		y.miss()
	}
	grant, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (Grant, error) {
		grant, err := s.admitOperator(ctx, tx, r, o, ok)
		switch {
		case err != nil:
			return grant, err
		case grant.Token == "":
			y.miss()
			_, err := s.throttle.write(ctx, tx, y)
			return grant, err
		}
		return grant, s.throttle.forgive(ctx, tx, y)
	})
	if err == nil && grant.Token == "" {
		err = ErrWrongOperator
	}
	return grant, err
}

// admitOperator opens the session of an operator; proved says that the password was
// verified against o. A wrong attempt must be stored, and an error would roll that
// back: a grant without a token reports it.
func (s *Service) admitOperator(ctx context.Context, tx *ledger.Tx, r OperatorLogin, o OperatorRow, proved bool) (Grant, error) {
	now, found, err := s.store.OperatorIn(ctx, tx, o.ID)
	if err != nil {
		return Grant{}, err
	}
	f, _, err := s.store.Factor(ctx, tx, ofOperator(o.ID))
	if err != nil {
		return Grant{}, err
	}
	f.Owner = ofOperator(o.ID)
	proved = proved && found && now.Ended.IsZero() && s.samePassword(o.Password, now.Password, o.PasswordAt, now.PasswordAt)
	if proved {
		if err := s.store.VerifyOperator(ctx, tx, o.ID); err != nil {
			return Grant{}, err
		}
		if err := s.store.VerifyFactor(ctx, tx, f.Owner); err != nil {
			return Grant{}, err
		}
	}
	step, good := s.matchFactor(f, r.Code)
	byRecovery, err := s.store.UseRecovery(ctx, tx, f.Owner, s.vault.recovery(f.Owner, r.Code), s.clock.Latest(), proved && !s.codesLocked(f))
	if err != nil {
		return Grant{}, err
	}
	session := Session{Kind: KindOperator, Owner: o.ID, Operator: o.ID, Role: now.Role}
	switch {
	case !proved:
		return Grant{}, s.store.Decoy(ctx, tx)
	case len(f.Secret) == 0:
		session.MustChange = true
	case s.codesLocked(f):
		return Grant{}, s.store.Decoy(ctx, tx)
	case !good && !byRecovery:
		return Grant{}, s.wrongCode(ctx, tx, holder{factor: f, operator: now})
	default:
		f.Step, f.Tries, f.Locked = max(f.Step, step), 0, never
		if err := s.store.PutFactor(ctx, tx, f); err != nil {
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
	if err := s.record(ctx, tx, Act{Operator: o.ID, Name: o.Email, Kind: "sign in", Became: map[string]any{"by": how, "address": r.Peer.String()}}); err != nil {
		return Grant{}, err
	}
	return s.open(ctx, tx, session, r.From)
}
