package evidence

import (
	"errors"

	"github.com/bifolia/bifolia/internal/platform/seal"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// Waiting letters and bank details are sealed with keys that are not in the database, so
// that a copy of the database does not reveal them. A sealed value is bound to its row by
// the same keys, so that it cannot be moved.

// sealer seals with the first of its keys. Those after it were in use until the key
// was changed.
type sealer struct{ boxes []*seal.Box }

// SealWith gives the keys, the current one first. Without a key no sealed value can be
// written or read.
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

// Box seals with the current key.
func Box(db *engine.DB) (*seal.Box, error) {
	if s := ChainOf(db).sealed.Load(); s != nil && len(s.boxes) > 0 {
		return s.boxes[0], nil
	}
	return nil, errNoSeal
}

// Unseal opens a value with the key that sealed it; false if no key does.
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

// CanUnseal reports whether there is a key to open sealed values with.
func CanUnseal(db *engine.DB) bool { return ChainOf(db).sealed.Load() != nil }
