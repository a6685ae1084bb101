package evidence

import (
	"errors"

	"github.com/bifolia/bifolia/internal/platform/seal"

	"github.com/bifolia/bifolia/internal/store/engine"
)

// What who has the database, or a copy of it, must not read is sealed with keys that
// are not in it: waiting letters, bank details. What they must not exchange is bound
// by the same keys to its row.

// sealer seals with the first of its keys. Those after it were in use until the key
// was changed.
type sealer struct{ boxes []*seal.Box }

// SealWith gives the keys, the one in use first. Without one nothing that is to be
// sealed can be written, and nothing sealed can be read.
func SealWith(db *engine.DB, keys ...[]byte) error {
	s := &sealer{}
	for _, key := range keys {
		b, err := seal.New(key)
		if err != nil {
			return err
		}
		s.boxes = append(s.boxes, b)
	}
	ChainOf(db).sealed.Store(s)
	return nil
}

var errNoSeal = errors.New("store: there is no key to seal with")

// Box is what seals now.
func Box(db *engine.DB) (*seal.Box, error) {
	if s := ChainOf(db).sealed.Load(); s != nil && len(s.boxes) > 0 {
		return s.boxes[0], nil
	}
	return nil, errNoSeal
}

// Unseal opens by whichever key it was sealed with.
func Unseal(db *engine.DB, text string, about ...any) (string, bool) {
	if text == "" {
		return "", true
	}
	if s := ChainOf(db).sealed.Load(); s != nil {
		for _, b := range s.boxes {
			if out, ok := b.Open(text, about...); ok {
				return out, true
			}
		}
	}
	return "", false
}

// CanUnseal tells whether there is a key to check sealed rows with.
func CanUnseal(db *engine.DB) bool { return ChainOf(db).sealed.Load() != nil }
