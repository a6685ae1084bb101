package auth

import (
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/ledger"
)

// proving runs f as a command of an operator who proves again, within the
// session, who they are: by the password, or by a code of the app, which is
// used up. Six digits are a code: no operator's password is that short. Wrong
// codes count as those at sign-in do.
//
// Errors: Forbidden unless the session is an operator's; ErrWrongProof; Limited,
// with RetryAfter; those of f.
func proving[T any](ctx context.Context, s *Service, session Session, proof string, from From, f proved[T]) (T, error) {
	var none T
	if session.Kind != KindOperator || session.MustChange {
		return none, errPasskeysOthers
	}
	try, err := s.throttle.take(ctx, "proof "+strconv.FormatInt(session.Operator, 10), from.Peer)
	if err != nil {
		return none, err
	}
	out, err := proveAgain(ctx, s, session.Operator, proof, try, f)
	return out, s.settle(ctx, try, err, ErrWrongProof)
}

// proved is what an operator who has proved it may do.
type proved[T any] func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, o Operator) (T, error)

func proveAgain[T any](ctx context.Context, s *Service, operator int64, proof string, y try, f proved[T]) (T, error) {
	// A wrong try must be stored, and an error would undo that: so it is told
	// beside it.
	type outcome struct {
		value T
		right bool
	}
	before, _, err := s.store.OperatorIn(ctx, nil, operator)
	if err != nil {
		return outcome{}.value, unreadable(err)
	}
	code, same := isCode(proof), false
	if !code {
		if same, err = s.hasher.Verify(ctx, before.Password, proof); err != nil {
			return outcome{}.value, err
		}
	}
	out, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows) (out outcome, err error) {
		o, found, err := s.store.OperatorIn(ctx, rows, operator)
		if err != nil || !found || !o.Ended.IsZero() {
			return out, orElse(err, errPleaseLogin)
		}
		if out.right = same && o.Password == before.Password; code {
			if out.right, err = s.takeCode(ctx, tx, rows, o, proof); err != nil {
				return out, err
			}
		}
		if !out.right {
			return out, nil
		}
		if err := s.throttle.forgive(ctx, rows, y); err != nil {
			return out, err
		}
		out.value, err = f(ctx, tx, rows, o.Operator)
		return out, err
	})
	if err == nil && !out.right {
		err = ErrWrongProof
	}
	return out.value, err
}

// isCode tells a code of the app from a password.
func isCode(proof string) bool {
	n, err := strconv.ParseUint(digitsOnly(proof), 10, 32)
	return err == nil && len(digitsOnly(proof)) == 6 && n < 1_000_000
}

// takeCode uses a code of the app up, or counts a wrong one.
func (s *Service) takeCode(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, o OperatorRow, code string) (bool, error) {
	f, _, err := s.store.FactorIn(ctx, rows, o.ID)
	if err != nil || len(f.Secret) == 0 || s.codesLocked(f) {
		return false, err
	}
	step, good := s.matchFactor(f, code)
	if !good {
		return false, s.wrongCode(ctx, tx, rows, f, o)
	}
	f.Step, f.Tries, f.Locked = step, 0, never
	return true, s.store.PutFactor(ctx, rows, f)
}
