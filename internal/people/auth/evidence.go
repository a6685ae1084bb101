package auth

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Evidence proves within a session that its owner is present, because a session may be
// stolen. It is the password, and the second factor if there is one.
type Evidence struct {
	Password string
	Code     string     // of the app, or a recovery code, which is consumed
	Passkey  *Assertion // of a challenge by BeginProof; takes precedence over Code
	one      bool       // one of the three is enough
}

// ErrWrongProof is the answer to any wrong evidence.
var ErrWrongProof = errs.New(errs.Refused, "auth.wrong_proof", "The password, the code or the passkey is wrong. Each code is good once; after five wrong tries this session ends.")

// BeginProof makes a challenge by which a passkey of the session's owner can be
// part of Evidence.
//
// Errors: ErrNoPasskeys; Forbidden unless the session is an operator's or a
// member's own; Refused if there is no passkey; Limited.
func (s *Service) BeginProof(ctx context.Context, session Session) (SignInOptions, error) {
	return s.beginAssertion(ctx, session, flowProve, nil)
}

// proving runs f as a command of a session's owner after verifying evidence. Wrong
// evidence is counted for the session, and the fifth ends it. It does not count as a
// wrong sign-in, so that the holder of a stolen session cannot lock the owner out.
//
// Errors: Forbidden unless the session is an operator's or a member's own;
// ErrWrongProof; Limited, with RetryAfter; those of f.
func proving[T any](ctx context.Context, s *Service, session Session, e Evidence, from From, f proved[T]) (T, error) {
	var none T
	o, err := session.owner()
	if err != nil {
		return none, err
	}
	try, err := s.throttle.takeIn(ctx, "proof "+o.String(), session, from.Peer)
	if err != nil {
		return none, err
	}
	out, err := proveAgain(ctx, s, session, o, e, from, try, f)
	return out, s.settleIn(ctx, try, err, ErrWrongProof, session, from)
}

// Proven runs f as a command of a member who gives evidence in their session. factor
// is the time since which there is a second factor, then verified; zero if there is
// none.
//
// Errors: those of proving; Forbidden for operators.
func (s *Service) Proven(ctx context.Context, session Session, e Evidence, from From, f func(ctx context.Context, tx *ledger.Tx, factor time.Time) error) error {
	if session.Kind == KindOperator {
		return errNotYours
	}
	_, err := proving(ctx, s, session, e, from, func(ctx context.Context, tx *ledger.Tx, _ Owner, h holder) (bool, error) {
		return true, f(ctx, tx, h.factor.Set)
	})
	return err
}

// endGuessedSession ends a session after five wrong proofs and warns its owner: the caller
// may not be the person who signed in.
func (s *Service) endGuessedSession(ctx context.Context, tx *ledger.Tx, session Session, from From) error {
	if err := s.EndSessionIn(ctx, tx, session.Kind, session.Owner, session.ID); err != nil && !errors.Is(err, errNoSession) {
		return err
	}
	o, err := session.owner()
	if err != nil {
		return err
	}
	tx.AfterCommit(func() {
		s.log.Warn("auth: five wrong proofs in a session: it has ended", "owner", o, "session", session.ID, "peer", from.Peer)
	})
	if o.Kind == KindOperator {
		h, err := s.readHolder(ctx, tx, o)
		if err != nil {
			return err
		}
		said := map[string]any{"why": "five wrong proofs", "address": from.Peer.String()}
		if err := s.record(ctx, tx, Act{Operator: o.ID, Name: h.operator.Email, Kind: "session end", Became: said}); err != nil {
			return err
		}
	}
	if s.opt.Warn == nil {
		return nil
	}
	return s.opt.Warn(ctx, tx, Warning{Owner: o, Guessed: true, Address: from.Peer.String()})
}

// proved is a command that runs after the owner's evidence was verified.
type proved[T any] func(ctx context.Context, tx *ledger.Tx, o Owner, h holder) (T, error)

func proveAgain[T any](ctx context.Context, s *Service, session Session, o Owner, e Evidence, from From, y try, f proved[T]) (T, error) {
	// A wrong attempt must be stored, and an error would roll that back: the result
	// carries it.
	type outcome struct {
		value T
		right bool
	}
	before, err := s.readHolder(ctx, nil, o)
	if err != nil {
		return outcome{}.value, unreadable(err)
	}
	same := false
	if !e.one || e.Password != "" {
		if same, err = s.hasher.Verify(ctx, before.password, e.Password); err != nil {
			return outcome{}.value, err
		}
		if !same {
			y.miss()
		}
	}
	signed, err := s.readAssertion(ctx, e.Passkey, flowProve, o, session.ID, nil)
	if err != nil {
		return outcome{}.value, err
	}
	out, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (out outcome, err error) {
		h, err := s.readHolder(ctx, tx, o)
		known := same && s.samePassword(before.password, h.password, before.since, h.since)
		if err != nil || (!known && !e.one) {
			return out, err
		}
		switch {
		case known && (e.one || !h.factor.on()):
			out.right = true
		case e.Passkey != nil:
			out.right, err = s.takeAssertion(ctx, tx, signed, from)
		case !e.one || e.Code != "":
			out.right, err = s.proveCode(ctx, tx, h, e.Code, !e.one)
		}
		if err != nil {
			return out, err
		}
		if !out.right {
			y.miss()
			return out, nil
		}
		if h.factor, _, err = s.store.Factor(ctx, tx, o); err != nil { // the code was used up in it
			return out, err
		}
		h.factor.Owner = o
		if err := s.throttle.forgive(ctx, tx, y); err != nil {
			return out, err
		}
		out.value, err = f(ctx, tx, o, h)
		return out, err
	})
	if err == nil && !out.right {
		err = ErrWrongProof
	}
	return out.value, err
}

// takeCode consumes a code of the app, or a recovery code, at sign-in, or counts a
// wrong one. After five wrong codes the right one is refused too.
func (s *Service) takeCode(ctx context.Context, tx *ledger.Tx, h holder, code string) (bool, error) {
	f := h.factor
	if s.codesLocked(f) {
		return false, nil
	}
	step, good, err := s.findCode(ctx, tx, f, code, true)
	if err != nil {
		return false, err
	}
	if !good {
		return false, s.wrongCode(ctx, tx, h)
	}
	f.Step, f.Tries, f.Locked = max(f.Step, step), 0, never
	return true, s.store.PutFactor(ctx, tx, f)
}

// proveCode is takeCode within a session. It neither checks nor changes the lock of
// codes at sign-in: the session counts its attempts.
func (s *Service) proveCode(ctx context.Context, tx *ledger.Tx, h holder, code string, recovery bool) (bool, error) {
	f := h.factor
	step, good, err := s.findCode(ctx, tx, f, code, recovery)
	if err != nil || !good {
		return false, err
	}
	f.Step = max(f.Step, step)
	return true, s.store.PutFactor(ctx, tx, f)
}

// findCode reports whether code is one of the app, or, if allowed, a recovery code,
// which is consumed.
func (s *Service) findCode(ctx context.Context, tx *ledger.Tx, f FactorRow, code string, recovery bool) (step int64, good bool, err error) {
	if step, good = s.matchFactor(f, code); good || !recovery {
		return step, good, nil
	}
	good, err = s.store.UseRecovery(ctx, tx, f.Owner, s.vault.recovery(f.Owner, code), s.clock.Latest(), true)
	if good {
		tx.AfterCommit(func() { s.log.Warn("auth: a recovery code was used", "owner", f.Owner) })
	}
	return step, good, err
}

// matchFactor reports whether code is one of the factor's that was not used before. It
// costs the same without a factor.
func (s *Service) matchFactor(f FactorRow, code string) (step int64, ok bool) {
	raw := make([]byte, secretBytes)
	if len(f.Secret) > 0 {
		opened, err := s.vault.open(f.Owner, f.Secret)
		if err != nil {
			s.log.Error("auth: a second factor cannot be read: it must be reset", "owner", f.Owner, "err", err)
			return 0, false
		}
		raw = opened
	}
	step, ok = matchCode(raw, code, s.clock.Now())
	return step, ok && len(f.Secret) > 0 && step > f.Step
}

func (s *Service) codesLocked(f FactorRow) bool { return s.clock.Latest().Before(f.Locked) }

// wrongCode counts a wrong code. The fifth locks.
func (s *Service) wrongCode(ctx context.Context, tx *ledger.Tx, h holder) error {
	f := h.factor
	if !f.Locked.IsZero() {
		f.Tries, f.Locked = 0, never // the lock has run out
	}
	if f.Tries++; f.Tries >= codeTries {
		f.Locked = s.clock.Latest().Add(codeLock)
		tx.AfterCommit(func() {
			s.log.Warn("auth: somebody who knows the password gives wrong codes: locked", "owner", f.Owner)
		})
	}
	if err := s.store.PutFactor(ctx, tx, f); err != nil || f.Locked.IsZero() {
		return err
	}
	if f.Kind == KindOperator {
		return s.record(ctx, tx, Act{Operator: f.ID, Name: h.operator.Email, Kind: "codes locked", Became: map[string]any{"until": f.Locked}})
	}
	if s.opt.Warn == nil {
		return nil
	}
	return s.opt.Warn(ctx, tx, Warning{Owner: f.Owner, CodesLocked: f.Locked})
}
