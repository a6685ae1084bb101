package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/netip"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

const (
	temporaryLife = 30 * time.Minute
	temporaryLen  = 12
	resetLen      = 32
)

// Temporary is mailed to a member who forgot the password: a password that opens one
// session, and a token for a link that sets a new one. Using either ends both, and the
// old password.
type Temporary struct {
	Password   string
	ResetToken string // fit for a link
	Until      time.Time

	hash  string
	reset []byte
}

// PrepareTemporary makes one, outside of a command. Callers do so for unknown ids too,
// and discard it, so that every id costs the same. Limited while too many sign in.
func (s *Service) PrepareTemporary(ctx context.Context) (Temporary, error) {
	token := make([]byte, resetLen)
	_, _ = rand.Read(token) // never fails
	sum := sha256.Sum256(token)
	t := Temporary{
		Password: passwords.RandomText(temporaryLen), ResetToken: base64.RawURLEncoding.EncodeToString(token),
		Until: s.clock.Latest().Add(temporaryLife), reset: sum[:],
	}
	var err error
	if t.hash, err = s.anonymous.Hash(ctx, t.Password); err != nil {
		return Temporary{}, err
	}
	return t, nil
}

// SetTemporary stores t for uid, in place of any earlier one. The old password stays
// valid until t is used. NotFound if there is no such member.
func (s *Service) SetTemporary(ctx context.Context, tx *ledger.Tx, uid int64, t Temporary) error {
	c, found, err := s.credentialIn(ctx, tx, uid)
	if err != nil {
		return err
	}
	if !found {
		return errs.New(errs.NotFound, "member.unknown", "There is no member with this id.")
	}
	c.Temporary, c.Reset, c.TemporaryUntil = t.hash, t.reset, t.Until
	return s.putCredential(ctx, tx, c)
}

// DropTemporary revokes a mailed temporary password: another person may read the
// mailbox.
func (s *Service) DropTemporary(ctx context.Context, tx *ledger.Tx, uid int64) error {
	c, found, err := s.credentialIn(ctx, tx, uid)
	if err != nil || !found {
		return err
	}
	c.clearTemporary()
	return s.putCredential(ctx, tx, c)
}

// ResetRequest is a member's request through the mailed link.
type ResetRequest struct {
	UID   int64
	Token string
	New   string
	Peer  netip.Addr
}

// PrepareReset checks the token of a link and hashes the new password. Applying it
// consumes the token and ends all of the member's sessions.
//
// Errors: Invalid if the new password is too weak; ErrWrongReset for an unknown id or a
// token that is wrong, used or expired, which is counted by address only, and on Apply
// if it was used meanwhile; Limited, with RetryAfter.
func (s *Service) PrepareReset(ctx context.Context, r ResetRequest) (Change, error) {
	if err := passwords.Check(r.New); err != nil {
		return Change{}, err
	}
	try, err := s.throttle.take(ctx, "", r.Peer)
	if err != nil {
		return Change{}, err
	}
	hash, err := s.checkReset(ctx, r)
	try.end(err, ErrWrongReset)
	if err != nil {
		return Change{}, err
	}
	return Change{r.UID, func(ctx context.Context, tx *ledger.Tx) error {
		c, _, err := s.credentialIn(ctx, tx, r.UID)
		if err != nil {
			return err
		}
		if !s.resets(c, r.Token) {
			return ErrWrongReset
		}
		if err := s.forgetOtherPlaces(ctx, tx, KindMember, r.UID, r.Peer); err != nil {
			return err
		}
		return s.setPassword(ctx, tx, c, hash, "")
	}}, nil
}

func (s *Service) checkReset(ctx context.Context, r ResetRequest) (hash string, err error) {
	c, _, err := s.store.Credential(ctx, r.UID)
	if err != nil {
		return "", unreadable(err)
	}
	if !s.resets(c, r.Token) {
		return "", ErrWrongReset
	}
	return s.anonymous.Hash(ctx, r.New)
}

// resets reports whether token may set a new password for c now.
func (s *Service) resets(c CredentialRow, token string) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != resetLen || len(c.Reset) != sha256.Size || !s.clock.Latest().Before(c.TemporaryUntil) {
		return false
	}
	sum := sha256.Sum256(raw)
	return subtle.ConstantTimeCompare(sum[:], c.Reset) == 1
}
