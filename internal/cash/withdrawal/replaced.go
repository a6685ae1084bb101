package withdrawal

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Replaced replaces the noted transaction hash of a sent withdrawal: another transaction
// with the same nonce was mined, or the hash was mistyped. Invalid if hash is malformed;
// Conflict if the withdrawal is not Sent.
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
