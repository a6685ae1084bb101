package store

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/platform/seal"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// What who has the database, or a copy of it, must not read is sealed with keys that
// are not in it: waiting letters, bank details. What they must not exchange is bound
// by the same keys to its row.

// sealer seals with the first of its keys. Those after it were in use until the key
// was changed.
type sealer struct{ boxes []*seal.Box }

// SealWith gives the keys, the one in use first. Without one nothing that is to be
// sealed can be written, and nothing sealed can be read.
func (db *DB) SealWith(keys ...[]byte) error {
	s := &sealer{}
	for _, key := range keys {
		b, err := seal.New(key)
		if err != nil {
			return err
		}
		s.boxes = append(s.boxes, b)
	}
	chainOf(db).sealed.Store(s)
	return nil
}

var errNoSeal = errors.New("store: there is no key to seal with")

// box is what seals now.
func box(db *DB) (*seal.Box, error) {
	if s := chainOf(db).sealed.Load(); s != nil && len(s.boxes) > 0 {
		return s.boxes[0], nil
	}
	return nil, errNoSeal
}

// unseal opens by whichever key it was sealed with.
func unseal(db *DB, text string, about ...any) (string, bool) {
	if text == "" {
		return "", true
	}
	if s := chainOf(db).sealed.Load(); s != nil {
		for _, b := range s.boxes {
			if out, ok := b.Open(text, about...); ok {
				return out, true
			}
		}
	}
	return "", false
}

// CanUnseal tells whether there is a key to check sealed rows with.
func (db *DB) CanUnseal() bool { return chainOf(db).sealed.Load() != nil }

// CheckSealed holds sealed rows against where they stand: letters against their
// recipients, bank details against their members. It needs the key.
func (db *DB) CheckSealed(ctx context.Context) error {
	if !db.CanUnseal() {
		return nil
	}
	for _, check := range []func(context.Context, *DB) error{checkLetters, checkBanks, checkSessions} {
		if b, err := caught(check(ctx, db)); err != nil || b != nil {
			return errors.Join(err, asBroken(b))
		}
	}
	return nil
}

func asBroken(b *closing.Broken) error {
	if b == nil {
		return nil
	}
	return b
}

const sealedRight = "a sealed value opens where it stands"
