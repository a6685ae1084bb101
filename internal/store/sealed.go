package store

import (
	"context"
	"errors"
	"strconv"

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
	db.sealed.Store(s)
	return nil
}

var errNoSeal = errors.New("store: there is no key to seal with")

// box is what seals now.
func (db *DB) box() (*seal.Box, error) {
	if s := db.sealed.Load(); s != nil && len(s.boxes) > 0 {
		return s.boxes[0], nil
	}
	return nil, errNoSeal
}

// unseal opens by whichever key it was sealed with.
func (db *DB) unseal(text string, about ...any) (string, bool) {
	if text == "" {
		return "", true
	}
	if s := db.sealed.Load(); s != nil {
		for _, b := range s.boxes {
			if out, ok := b.Open(text, about...); ok {
				return out, true
			}
		}
	}
	return "", false
}

// CanUnseal tells whether there is a key to check sealed rows with.
func (db *DB) CanUnseal() bool { return db.sealed.Load() != nil }

// CheckSealed holds sealed rows against where they stand: letters against their
// recipients, bank details against their members. It needs the key.
func (db *DB) CheckSealed(ctx context.Context) error {
	if !db.CanUnseal() {
		return nil
	}
	for _, check := range []func(context.Context, querier) (*closing.Broken, error){db.checkLetters, db.checkBanks, db.checkSessions} {
		if b, err := check(ctx, &db.rows); err != nil || b != nil {
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

func idText(id int64) string { return strconv.FormatInt(id, 10) }

const sealedRight = "a sealed value opens where it stands"

// checkLetters finds a letter that was changed, given to another recipient, or taken
// out of the outbox: letters are numbered without gaps.
func (db *DB) checkLetters(ctx context.Context, q querier) (*closing.Broken, error) {
	next := int64(1)
	return caught(each(ctx, q, db.scanLetter, func(m sealedLetter) error {
		if m.ID != next {
			return found{&closing.Broken{Rule: "letters are numbered without gaps", Of: "outbox " + idText(next), Have: "missing", Want: "there"}}
		}
		next++
		if m.Forged {
			return found{&closing.Broken{Rule: sealedRight, Of: "outbox " + idText(m.ID), Have: "changed", Want: "as it was queued"}}
		}
		return nil
	}, "SELECT "+messageColumns+" FROM outbox ORDER BY id"))
}

// checkBanks finds bank details that were moved to another member, or planted.
func (db *DB) checkBanks(ctx context.Context, q querier) (*closing.Broken, error) {
	return caught(each(ctx, q, scanAny(1+len(sealedColumns)), func(vals []any) error {
		uid, _ := vals[0].(int64)
		for i, column := range sealedColumns {
			text, _ := vals[1+i].(string)
			if _, ok := db.unseal(text, uid, column); !ok {
				return found{&closing.Broken{Rule: sealedRight, Of: "member " + idText(uid) + ", " + column, Have: "changed", Want: "as it was written"}}
			}
		}
		return nil
	}, "SELECT uid, "+sealedList+" FROM member WHERE bank_key <> '' ORDER BY uid"))
}
