package withdrawal

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Replaced notes another transaction in place of the one that was sent: one of
// the same nonce that was mined instead, or the right one after a slip. Invalid
// if hash is none; Conflict if the withdrawal is not Sent.
func (s *Service) Replaced(ctx context.Context, tx *ledger.Tx, id int64, hash string) (Withdrawal, error) {
	hash, err := ParseHash(hash)
	if err != nil {
		return Withdrawal{}, err
	}
	w, err := s.in(ctx, tx, id, Sent)
	if err != nil || w.Hash == hash {
		return w, err
	}
	w.Hash = hash
	return w, s.store.Save(ctx, tx, w, Sent)
}
