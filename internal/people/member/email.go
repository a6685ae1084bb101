package member

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Secrets and resets are mailed only to a confirmed address: its reader has opened a
// link that was mailed there. Until then the former address stays current. After a
// change, the former address can restore itself by a link, so that access to the new
// mailbox is not enough to take an account over.

const (
	// ConfirmLife is how long a link confirms an address.
	ConfirmLife = 72 * time.Hour
	// UndoLife is how long the former address can undo a change.
	UndoLife = 7 * 24 * time.Hour

	linkSecret = 32
)

// LinkPurpose is the effect of a mailed link.
type LinkPurpose string

const (
	ToConfirm LinkPurpose = "confirm"
	ToUndo    LinkPurpose = "undo"
)

// EmailLink is a mailed link as stored.
type EmailLink struct {
	UID     int64
	Mark    []byte // keyed hash of the link with the secret, then of the link with that hash
	Purpose LinkPurpose
	Email   string // the address that it confirms or restores
	Made    time.Time
	Until   time.Time
	Used    time.Time // when it confirmed its address; zero before
}

// ErrWrongLink is the answer to every invalid link.
var ErrWrongLink = errs.New(errs.Refused, "email.link_invalid", "This link is not valid any more. Sign in to ask for a new one, or contact support.")

// ErrConfirmed is returned if a confirmed address is to be confirmed or corrected.
var ErrConfirmed = errs.New(errs.Conflict, "email.confirmed", "Your e-mail address is confirmed already.")

// ErrUnconfirmed is returned if a secret is to be mailed to an unconfirmed address.
var ErrUnconfirmed = errs.New(errs.Refused, "email.unconfirmed", "Confirm your e-mail address first: open the link that we mailed you, or have it sent again at the top of the page.")

// Confirmed reports whether the address is confirmed.
func (m Member) Confirmed() bool { return !m.EmailOK.IsZero() }

// emailSettleTime is how long a changed address must be current before a transaction
// password is mailed there, so that the owner first reads of the change at the former
// one.
const emailSettleTime = 48 * time.Hour

// signUpTime is how long an account counts as new.
const signUpTime = 24 * time.Hour

// EmailSettled reports whether the address has been current long enough at now.
func (m Member) EmailSettled(now time.Time) bool {
	return m.EmailAt.IsZero() || now.Sub(m.EmailAt) >= emailSettleTime
}

// mark is the stored hash of a secret. A used link has another one, so that database
// access alone cannot make it valid again.
func (s *Service) mark(l EmailLink, secret []byte) []byte {
	mac := hmac.New(sha256.New, s.secret)
	parts := [][]byte{
		[]byte("e-mail link"), binary.BigEndian.AppendUint64(nil, uint64(l.UID)), []byte(l.Purpose), []byte(l.Email),
		binary.BigEndian.AppendUint64(nil, uint64(l.Made.UnixMicro())), binary.BigEndian.AppendUint64(nil, uint64(l.Until.UnixMicro())), secret,
	}
	if !l.Used.IsZero() {
		parts = append(parts, binary.BigEndian.AppendUint64(nil, uint64(l.Used.UnixMicro())))
	}
	for _, part := range parts {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// link stores a new link and returns its secret, in URL-safe characters.
func (s *Service) link(ctx context.Context, tx *ledger.Tx, l EmailLink) (string, error) {
	if len(s.secret) == 0 {
		return "", errors.New("member: links need a secret")
	}
	secret := make([]byte, linkSecret)
	_, _ = rand.Read(secret) // never fails
	return base64.RawURLEncoding.EncodeToString(secret), s.addLink(ctx, tx, l, secret)
}

func (s *Service) addLink(ctx context.Context, tx *ledger.Tx, l EmailLink, secret []byte) error {
	l.Made, l.Until, l.Used = l.Made.Truncate(time.Microsecond), l.Until.Truncate(time.Microsecond), l.Used.Truncate(time.Microsecond)
	bySecret := s.mark(l, secret)
	l.Mark = slices.Concat(bySecret, s.mark(l, bySecret))
	return s.store.AddEmailLink(ctx, tx, l)
}

// links are a member's valid links, newest first. It leaves out those changed or planted
// in the database, because a pending address receives mail.
func (s *Service) links(ctx context.Context, tx *ledger.Tx, uid int64) ([]EmailLink, error) {
	all, err := s.store.EmailLinks(ctx, tx, uid)
	return slices.DeleteFunc(all, func(l EmailLink) bool {
		return len(l.Mark) != 2*sha256.Size || !hmac.Equal(l.Mark[sha256.Size:], s.mark(l, l.Mark[:sha256.Size]))
	}), err
}

// CancelPendingEmail ends the links that would replace the current address: a thief may
// have requested them.
func (s *Service) CancelPendingEmail(ctx context.Context, tx *ledger.Tx, m Member) error {
	return s.dropLinks(ctx, tx, m.UID, func(l EmailLink) bool { return l.Purpose == ToConfirm && l.Email != m.Email })
}

// AskEmail makes a link that confirms an address and returns its secret. The current
// address stays until the link is opened. Earlier links for the same address end, and so
// does a pending change to another one.
func (s *Service) AskEmail(ctx context.Context, tx *ledger.Tx, uid int64, email string, now time.Time) (secret string, err error) {
	m, err := s.find(ctx, tx, uid)
	if err != nil {
		return "", err
	}
	if err := s.dropLinks(ctx, tx, uid, func(l EmailLink) bool {
		return l.Purpose == ToConfirm && (l.Email == email || (l.Email != m.Email && m.Email != email))
	}); err != nil {
		return "", err
	}
	if email != m.Email { // stored as personal data, even if it is never confirmed
		if err := s.store.AddFormerEmail(ctx, tx, uid, email, false, now); err != nil {
			return "", err
		}
	}
	return s.link(ctx, tx, EmailLink{UID: uid, Purpose: ToConfirm, Email: email, Made: now, Until: now.Add(ConfirmLife)})
}

// dropLinks deletes a member's links that goes selects.
func (s *Service) dropLinks(ctx context.Context, tx *ledger.Tx, uid int64, goes func(EmailLink) bool) error {
	all, err := s.store.EmailLinks(ctx, tx, uid)
	for _, l := range all {
		if goes(l) && err == nil {
			err = s.store.DropEmailLink(ctx, tx, l)
		}
	}
	return err
}

// PendingEmail is the unconfirmed address that is to replace the current one; "" for
// none. With a nil tx it reads what is committed.
func (s *Service) PendingEmail(ctx context.Context, tx *ledger.Tx, m Member, now time.Time) (string, error) {
	all, err := s.links(ctx, tx, m.UID)
	i := slices.IndexFunc(all, func(l EmailLink) bool {
		return l.Purpose == ToConfirm && l.Used.IsZero() && l.Email != m.Email && now.Before(l.Until)
	})
	if err != nil || i < 0 {
		return "", err
	}
	return all[i].Email, nil
}

// opened finds the unused link of a secret. ErrWrongLink.
func (s *Service) opened(ctx context.Context, tx *ledger.Tx, uid int64, p LinkPurpose, secret string, now time.Time) (EmailLink, []byte, error) {
	l, raw, err := s.made(ctx, tx, uid, p, secret, now)
	if err == nil && !l.Used.IsZero() {
		err = ErrWrongLink
	}
	return l, raw, err
}

// made finds the link of a secret, used or not.
func (s *Service) made(ctx context.Context, tx *ledger.Tx, uid int64, p LinkPurpose, secret string, now time.Time) (EmailLink, []byte, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	if err != nil || len(raw) != linkSecret || len(s.secret) == 0 {
		return EmailLink{}, nil, ErrWrongLink
	}
	all, err := s.links(ctx, tx, uid)
	if err != nil {
		return EmailLink{}, nil, err
	}
	for _, l := range all {
		if l.Purpose == p && hmac.Equal(l.Mark[:sha256.Size], s.mark(l, raw)) && now.Before(l.Until) {
			return l, raw, nil
		}
	}
	return EmailLink{}, nil, ErrWrongLink
}

// ConfirmedBy reports whether a link has confirmed the committed current address: the
// member may open it again after a lost answer.
func (s *Service) ConfirmedBy(ctx context.Context, uid int64, secret string, now time.Time) (bool, error) {
	l, _, err := s.made(ctx, nil, uid, ToConfirm, secret, now)
	if err != nil || l.Used.IsZero() {
		if errors.Is(err, ErrWrongLink) {
			err = nil
		}
		return false, err
	}
	m, _, err := s.Get(ctx, uid)
	return m.Confirmed() && m.Email == l.Email, err
}

// ErrProveFirst is the answer to a valid link that confirms a member's first address
// without a proof: the mailbox may be a stranger's.
var ErrProveFirst = errs.BadField("password", "email.password_needed", "Enter your password to confirm your e-mail address.")

// FirstEmail reports whether a link confirms a member's first address, as committed.
// Errors: ErrWrongLink.
func (s *Service) FirstEmail(ctx context.Context, uid int64, secret string, now time.Time) (bool, error) {
	if _, _, err := s.opened(ctx, nil, uid, ToConfirm, secret, now); err != nil {
		return false, err
	}
	m, _, err := s.Get(ctx, uid)
	return !m.Confirmed(), err
}

// ConfirmEmail consumes a link: its address is current and confirmed. undo is the secret
// by which the former address can restore itself; "" if the address did not change, or
// if the former one was never confirmed and may be a stranger's. proved says that the
// caller is the member, which a first address requires.
//
// Errors: ErrWrongLink, for unknown members too; ErrProveFirst; Refused if the member is
// blocked; Conflict as in Verified.
func (s *Service) ConfirmEmail(ctx context.Context, tx *ledger.Tx, uid int64, secret string, proved bool, now time.Time) (c Changed, undo string, err error) {
	l, raw, err := s.opened(ctx, tx, uid, ToConfirm, secret, now)
	if err != nil {
		return c, "", err
	}
	m, err := s.find(ctx, tx, uid)
	switch {
	case err != nil:
		return c, "", err
	case !m.Confirmed() && !proved:
		return c, "", ErrProveFirst
	}
	if err := s.dropLinks(ctx, tx, uid, func(l EmailLink) bool { return l.Purpose == ToConfirm }); err != nil {
		return c, "", err
	}
	l.Used = now
	if err := s.addLink(ctx, tx, l, raw); err != nil {
		return c, "", err
	}
	if c, err = s.setEmail(ctx, tx, uid, l.Email, true, now); err != nil || !c.Email() || !c.Before.Confirmed() {
		return c, "", err
	}
	undo, err = s.link(ctx, tx, EmailLink{UID: uid, Purpose: ToUndo, Email: c.Before.Email, Made: now, Until: now.Add(UndoLife)})
	return c, undo, err
}

// UndoEmail consumes a link that restores a former address, and cancels later and pending
// changes. Errors as in ConfirmEmail.
func (s *Service) UndoEmail(ctx context.Context, tx *ledger.Tx, uid int64, secret string, now time.Time) (Changed, error) {
	l, _, err := s.opened(ctx, tx, uid, ToUndo, secret, now)
	if err != nil {
		return Changed{}, err
	}
	if err := s.dropLinks(ctx, tx, uid, func(x EmailLink) bool { return x.Purpose == ToConfirm || !x.Made.Before(l.Made) }); err != nil {
		return Changed{}, err
	}
	return s.setEmail(ctx, tx, uid, l.Email, false, now)
}

// ParseEmail parses an address that a member entered. Invalid.
func ParseEmail(s string) (string, error) {
	var email string
	var c checks
	c.text(&email, "email")(parseEmail(s))
	return email, c.first()
}

// CorrectEmail replaces an address that was never confirmed, and ends the links mailed
// there. The new one is unconfirmed too. The caller has verified the member.
//
// An account older than signUpTime may hold money: a transaction password is mailed to
// its new address only after the usual delay.
//
// Errors: ErrConfirmed; Invalid if it is the current address; NotFound; Refused if the
// member is blocked; Conflict as in Verified.
func (s *Service) CorrectEmail(ctx context.Context, tx *ledger.Tx, uid int64, email string, now time.Time) (Changed, error) {
	m, err := s.find(ctx, tx, uid)
	switch {
	case err != nil:
		return Changed{}, err
	case m.Confirmed():
		return Changed{}, ErrConfirmed
	case m.Email == email:
		return Changed{}, (&checks{&errs.Field{Name: "email", Text: TextEmailSame}}).first()
	}
	c, err := s.update(ctx, tx, uid, func(m *Member) {
		m.Email = email
		if now.Sub(m.JoinedAt) > signUpTime {
			m.EmailAt = now
		}
	})
	if err != nil {
		return c, err
	}
	if err := s.CancelPendingEmail(ctx, tx, c.After); err != nil {
		return c, err
	}
	return c, s.store.AddFormerEmail(ctx, tx, uid, c.Before.Email, false, now)
}

// setEmail makes a confirmed address current. own says that the replaced one, if
// confirmed, was the member's: one that is undone may be a thief's.
func (s *Service) setEmail(ctx context.Context, tx *ledger.Tx, uid int64, email string, own bool, now time.Time) (Changed, error) {
	c, err := s.update(ctx, tx, uid, func(m *Member) {
		if m.Email != email {
			m.EmailAt = now
		}
		if m.Email != email || !m.Confirmed() {
			m.EmailOK = now
		}
		m.Email = email
	})
	if err != nil || !c.Email() {
		return c, err
	}
	return c, s.store.AddFormerEmail(ctx, tx, uid, c.Before.Email, own && c.Before.Confirmed(), now)
}
