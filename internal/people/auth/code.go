package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"math/big"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// One-time codes mailed before a password is sent or changed, where the installation
// requires them.

const (
	mailedLife  = 10 * time.Minute
	mailedTries = 5
)

// Purpose is the use of a mailed code.
type Purpose string

const (
	ForForgotten Purpose = "forgotten password"
	ForChange    Purpose = "change of password"
)

// ErrWrongMailedCode is the answer to every invalid code.
var ErrWrongMailedCode = errs.New(errs.Refused, "auth.wrong_mailed_code", "Invalid OTP. Ask for a new one after five wrong tries or ten minutes.")

// NewMailedCode is six random digits.
func NewMailedCode() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic(err) // rand.Reader never fails
	}
	text := n.String()
	return "000000"[len(text):] + text
}

// MailedCodeLife is how long a mailed code is valid.
func MailedCodeLife() time.Duration { return mailedLife }

// SetMailedCode stores a code for a member, in place of any earlier one. An unknown id
// causes the same write.
func (s *Service) SetMailedCode(ctx context.Context, tx *ledger.Tx, uid int64, p Purpose, code string) error {
	_, found, err := s.credentialIn(ctx, tx, uid)
	if err != nil {
		return err
	}
	if !found {
		return s.store.Decoy(ctx, tx)
	}
	now := s.clock.Latest()
	return s.store.PutMailedCode(ctx, tx, MailedCodeRow{UID: uid, Hash: s.mailedHash(uid, p, code), Purpose: p, Mailed: now, Expires: now.Add(mailedLife)})
}

func (s *Service) mailedHash(uid int64, p Purpose, code string) []byte {
	mac := hmac.New(sha256.New, s.vault.mac)
	mac.Write([]byte("mailed code\x00" + string(p) + "\x00"))
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(uid)))
	mac.Write([]byte(code))
	return mac.Sum(nil)
}

// UseMailedCode consumes a code. Each attempt is stored before the code is compared;
// known and unknown ids cost the same.
//
// Errors: ErrWrongMailedCode; Unavailable.
func (s *Service) UseMailedCode(ctx context.Context, uid int64, p Purpose, code string) error {
	good, err := answer(ctx, s, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
		c, found, err := s.store.MailedCode(ctx, tx, uid)
		if err != nil {
			return false, err
		}
		good := subtle.ConstantTimeCompare(c.Hash, s.mailedHash(uid, p, code)) == 1
		if !found || c.Purpose != p || c.Tries >= mailedTries || len(c.Hash) == 0 || !s.clock.Latest().Before(c.Expires) {
			return false, s.store.Decoy(ctx, tx)
		}
		if c.Tries++; good {
			c.Hash = nil
		}
		return good, s.store.PutMailedCode(ctx, tx, c)
	})
	if err == nil && !good {
		err = ErrWrongMailedCode
	}
	return err
}
