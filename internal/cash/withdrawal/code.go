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

// What is said of a code that does not open anything.
var (
	ErrWrongCode  = errs.New(errs.Refused, "withdrawal.wrong_otp", "Invalid OTP !!")
	ErrNoCode     = errs.New(errs.Refused, "withdrawal.otp_invalid", "This OTP is not valid any more. Send a new OTP.")
	ErrOtherOrder = errs.New(errs.Refused, "withdrawal.otp_of_other", "This OTP was sent for another withdrawal. Send a new OTP.")
)

// NewCode makes the digits of a one-time code.
func NewCode() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%0*d", codeDigits, n.Int64()), nil
}

// hash binds the digits to the member and to this mailing of them.
func (s *Service) hash(uid int64, mailed time.Time, digits string) []byte {
	mac := hmac.New(sha256.New, s.secret)
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(uid))
	binary.BigEndian.PutUint64(raw[8:], uint64(mailed.UnixMicro()))
	mac.Write(raw[:])
	mac.Write([]byte(digits))
	return mac.Sum(nil)
}

// live tells whether a code can still be used.
func (c Code) live(now time.Time) bool {
	return c.Used.IsZero() && now.Before(c.Expires) && c.Tries < codeTries
}

// locked is until when no code of the member is of use; zero if it is not so.
func (c Code) locked(now time.Time) time.Time {
	if until := c.Locked.Add(codeLock); !c.Locked.IsZero() && now.Before(until) {
		return until
	}
	return time.Time{}
}

// shut is Refused while no code of the member is of use, and says for how long.
func (c Code) shut(now time.Time) error {
	if until := c.locked(now); !until.IsZero() {
		return errs.New(errs.Refused, "withdrawal.too_many_otps", "Too many wrong OTPs. Try again in {minutes} minutes.", "minutes", int64((until.Sub(now)+time.Minute-1)/time.Minute))
	}
	return nil
}

// Issue makes digits the member's one code. Bound, it is good for the order
// only; not bound, for the first order that is tried with it, to the same
// address. With keep, which is for strangers, a code that still lives is left
// alone, so that they cannot take it from the member: false says that nothing was
// issued. Refused, in words for the member, while the member is locked out.
func (s *Service) Issue(ctx context.Context, tx *ledger.Tx, uid int64, digits string, o Order, bound, keep bool, now time.Time) (bool, error) {
	c, _, err := s.store.Code(ctx, tx, uid)
	if err != nil {
		return false, err
	}
	if err := c.shut(now); err != nil {
		return false, err
	}
	if keep && c.live(now) {
		return false, nil
	}
	var tries int64
	if c.Used.IsZero() && c.Locked.IsZero() && now.Before(c.Mailed.Add(codeMemory)) {
		tries = c.Tries // who guesses gains nothing by asking for another
	}
	now = now.Truncate(time.Microsecond) // as it will be read back
	return true, s.store.PutCode(ctx, tx, Code{
		UID: uid, Hash: s.hash(uid, now, digits), Bound: bound, Order: o, Mailed: now, Expires: now.Add(codeLife), Tries: tries,
	})
}

// Try is a member's try of a code for an order. It must be durable before its
// outcome is told, wrong or right, so the command may not fail for a wrong one:
// what to say of it is refused. The fifth wrong try locks the member out for a
// quarter of an hour, of whichever code: only a right one, or a day without any,
// starts the count anew.
func (s *Service) Try(ctx context.Context, tx *ledger.Tx, uid int64, digits string, o Order, now time.Time) (refused, err error) {
	c, found, err := s.store.Code(ctx, tx, uid)
	if err != nil {
		return nil, err
	}
	if refused := c.shut(now); refused != nil {
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

// Use spends a code that Try found right, within the command it is for.
// ErrNoCode if it was spent or replaced since; ErrOtherOrder as Try.
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
