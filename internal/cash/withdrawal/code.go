package withdrawal

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Errors of one-time codes that are not accepted.
var (
	ErrWrongCode  = errs.New(errs.Refused, "withdrawal.wrong_otp", "Invalid OTP !!")
	ErrNoCode     = errs.New(errs.Refused, "withdrawal.otp_invalid", "This OTP is no longer valid. Send a new OTP.")
	ErrOtherOrder = errs.New(errs.Refused, "withdrawal.otp_of_other", "This OTP was sent for another withdrawal. Send a new OTP.")
)

// NewCode returns random digits for a one-time code.
func NewCode() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%0*d", codeDigits, n.Int64()), nil
}

// hash binds the digits to the member and the time of mailing.
func (s *Service) hash(uid int64, mailed time.Time, digits string) []byte {
	mac := hmac.New(sha256.New, s.secret)
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(uid))
	binary.BigEndian.PutUint64(raw[8:], uint64(mailed.UnixMicro()))
	mac.Write(raw[:])
	mac.Write([]byte(digits))
	return mac.Sum(nil)
}

// live reports whether a code can still be used.
func (c Code) live(now time.Time) bool {
	return c.Used.IsZero() && now.Before(c.Expires) && c.Tries < codeTries
}

// locked returns the end of the lock after too many wrong codes, or zero.
func (c Code) locked(now time.Time) time.Time {
	if until := c.Locked.Add(codeLock); !c.Locked.IsZero() && now.Before(until) {
		return until
	}
	return time.Time{}
}

// lockedError returns Refused while the member is locked out, with the remaining minutes.
func (c Code) lockedError(now time.Time) error {
	if until := c.locked(now); !until.IsZero() {
		return errs.New(errs.Refused, "withdrawal.too_many_otps", "Too many wrong OTPs. Try again in {minutes} minutes.", "minutes", int64((until.Sub(now)+time.Minute-1)/time.Minute))
	}
	return nil
}

// Issue replaces the member's one-time code with digits; c names the member and the order.
// A code that is not Bound needs only the order's address. Refused, with a text for the
// member, while the member is locked out.
func (s *Service) Issue(ctx context.Context, tx *ledger.Tx, c Code, digits string, now time.Time) error {
	last, err := s.unlocked(ctx, tx, c.UID, now)
	if err != nil {
		return err
	}
	return s.put(ctx, tx, c, last, digits, now)
}

// IssueToStranger is Issue for a request without a session. A code that can still be used
// stays, so that strangers cannot take it from the member; then issued is false.
func (s *Service) IssueToStranger(ctx context.Context, tx *ledger.Tx, c Code, digits string, now time.Time) (issued bool, err error) {
	last, err := s.unlocked(ctx, tx, c.UID, now)
	if err != nil || last.live(now) {
		return false, err
	}
	return true, s.put(ctx, tx, c, last, digits, now)
}

// IssueToNobody does the work of Issue without a member, so that response times do not
// reveal whether a code was mailed.
func (s *Service) IssueToNobody(ctx context.Context, tx *ledger.Tx, digits string, now time.Time) error {
	return s.Issue(ctx, tx, Code{}, digits, now)
}

func (s *Service) unlocked(ctx context.Context, tx *ledger.Tx, uid int64, now time.Time) (Code, error) {
	c, _, err := s.store.Code(ctx, tx, uid)
	if err == nil {
		err = c.lockedError(now)
	}
	return c, err
}

func (s *Service) put(ctx context.Context, tx *ledger.Tx, c, last Code, digits string, now time.Time) error {
	if last.Used.IsZero() && last.Locked.IsZero() && now.Before(last.Mailed.Add(codeMemory)) {
		c.Tries = last.Tries // a new code grants no further attempts
	}
	c.Mailed = now.Truncate(time.Microsecond) // the precision of the database
	c.Expires, c.Hash = c.Mailed.Add(CodeLife), s.hash(c.UID, c.Mailed, digits)
	return s.store.PutCode(ctx, tx, c)
}

// Try checks a member's code for an order. The attempt is recorded before its outcome is
// reported, so the command succeeds even for a wrong code, and refused carries the
// reason. The fifth wrong attempt locks the member out for a quarter of an hour. Only a
// right code, or a day without attempts, resets the count.
func (s *Service) Try(ctx context.Context, tx *ledger.Tx, uid int64, digits string, o Order, now time.Time) (refused, err error) {
	c, found, err := s.store.Code(ctx, tx, uid)
	if err != nil {
		return nil, err
	}
	if refused := c.lockedError(now); refused != nil {
		return refused, nil
	}
	if !found || !c.live(now) {
		return ErrNoCode, nil
	}
	before := c
	if !c.Bound {
		c.Bound, c.Order.Wallet, c.Order.Type, c.Order.Amount = true, o.Wallet, o.Type, o.Amount
	}
	switch {
	case !hmac.Equal(c.Hash, s.hash(uid, c.Mailed, digits)):
		refused = ErrWrongCode
		if c.Tries++; c.Tries >= codeTries {
			c.Locked = now
		}
	case c.Order != o:
		refused = ErrOtherOrder
	}
	if c.Tries == before.Tries && c.Bound == before.Bound {
		return refused, nil
	}
	return refused, s.store.PutCode(ctx, tx, c)
}

// Use spends a code that Try has accepted, within the command that the code confirms.
// ErrNoCode if it was spent or replaced since; ErrOtherOrder as for Try.
func (s *Service) Use(ctx context.Context, tx *ledger.Tx, uid int64, digits string, o Order, now time.Time) error {
	c, found, err := s.store.Code(ctx, tx, uid)
	switch {
	case err != nil:
		return err
	case !found || !c.live(now) || !hmac.Equal(c.Hash, s.hash(uid, c.Mailed, digits)):
		return ErrNoCode
	case c.Order != o:
		return ErrOtherOrder
	}
	c.Used = now
	return s.store.PutCode(ctx, tx, c)
}
