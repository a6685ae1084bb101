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

// An e-mail address gets secrets and resets once somebody who reads it has opened a
// link that was mailed there. Until then a member's former address stays in force.
// After a change, the former address can bring itself back by a link of its own: for
// whoever took an account over, a mailbox that they read is not enough.

const (
	// ConfirmLife is how long a link confirms an address.
	ConfirmLife = 72 * time.Hour
	// UndoLife is how long the former address can undo a change.
	UndoLife = 7 * 24 * time.Hour

	linkSecret = 32
)

// LinkPurpose is what a mailed link about an address does.
type LinkPurpose string

// The purposes.
const (
	ToConfirm LinkPurpose = "confirm"
	ToUndo    LinkPurpose = "undo"
)

// EmailLink is a mailed link as stored.
type EmailLink struct {
	UID     int64
	Mark    []byte // keyed hashes: of the rest with the secret, and of the rest with that
	Purpose LinkPurpose
	Email   string // that it confirms or brings back
	Made    time.Time
	Until   time.Time
	Used    time.Time // when it confirmed its address; zero before
}

// ErrWrongLink is the answer to every link that is not good, whatever the reason.
var ErrWrongLink = errs.New(errs.Refused, "email.link_invalid", "This link is not valid any more. Sign in to ask for a new one, or contact support.")

// ErrConfirmed is why a confirmed address is neither confirmed again nor corrected.
var ErrConfirmed = errs.New(errs.Conflict, "email.confirmed", "Your e-mail address is confirmed already.")

// ErrUnconfirmed is why nothing secret is mailed to a member.
var ErrUnconfirmed = errs.New(errs.Refused, "email.unconfirmed", "Confirm your e-mail address first: open the link that we mailed you, or have it sent again at the top of the page.")

// Confirmed tells whether somebody who reads the address has confirmed it.
func (m Member) Confirmed() bool { return !m.EmailOK.IsZero() }

// settledEmail is how long an address that replaced another must have stood before a
// transaction password goes there: its owner reads of the change at the former one first.
const settledEmail = 48 * time.Hour

// signUpTime is how long an account counts as new.
const signUpTime = 24 * time.Hour

// EmailSettled tells whether the address has stood long enough at now.
func (m Member) EmailSettled(now time.Time) bool {
	return m.EmailAt.IsZero() || now.Sub(m.EmailAt) >= settledEmail
}

// mark is what is stored of a secret. Of a used link it is another one: it cannot be
// made good again in the database.
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

// link stores a new link and gives its secret, fit for an address.
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

// links are a member's, newest first, without those that were changed or planted past
// the program: an address that waits to be confirmed is mailed to.
func (s *Service) links(ctx context.Context, tx *ledger.Tx, uid int64) ([]EmailLink, error) {
	all, err := s.store.EmailLinks(ctx, tx, uid)
	return slices.DeleteFunc(all, func(l EmailLink) bool {
		return len(l.Mark) != 2*sha256.Size || !hmac.Equal(l.Mark[sha256.Size:], s.mark(l, l.Mark[:sha256.Size]))
	}), err
}

// CancelPendingEmail ends the links that would replace the address in force: somebody
// who had the account may have asked for them.
func (s *Service) CancelPendingEmail(ctx context.Context, tx *ledger.Tx, m Member) error {
	return s.dropLinks(ctx, tx, m.UID, func(l EmailLink) bool { return l.Purpose == ToConfirm && l.Email != m.Email })
}

// AskEmail makes the link that confirms an address of a member, and gives its secret.
// The address in force stays until it is opened. Earlier links for the same address
// end, and so does a pending change to another address.
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
	if email != m.Email { // it is personal data that the member entered, whether or not it is ever confirmed
		if err := s.store.AddFormerEmail(ctx, tx, uid, email, false, now); err != nil {
			return "", err
		}
	}
	return s.link(ctx, tx, EmailLink{UID: uid, Purpose: ToConfirm, Email: email, Made: now, Until: now.Add(ConfirmLife)})
}

// dropLinks deletes those of a member's links that go says.
func (s *Service) dropLinks(ctx context.Context, tx *ledger.Tx, uid int64, goes func(EmailLink) bool) error {
	all, err := s.store.EmailLinks(ctx, tx, uid)
	for _, l := range all {
		if goes(l) && err == nil {
			err = s.store.DropEmailLink(ctx, tx, l)
		}
	}
	return err
}

// PendingEmail is the address that is to replace the one in force and waits to be
// confirmed; "" for none. With a nil tx it is told as committed.
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

// opened is the link that a secret opens, with the secret. ErrWrongLink, for a used one too.
func (s *Service) opened(ctx context.Context, tx *ledger.Tx, uid int64, p LinkPurpose, secret string, now time.Time) (EmailLink, []byte, error) {
	l, raw, err := s.made(ctx, tx, uid, p, secret, now)
	if err == nil && !l.Used.IsZero() {
		err = ErrWrongLink
	}
	return l, raw, err
}

// made is opened for a used link too.
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

// ConfirmedBy tells whether a link has confirmed the address that is in force, as
// committed: somebody whose answer was lost opens it again.
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

// ErrProveFirst is the answer to a link that is good, where it confirms the first address
// of a member: it may be a stranger's, whose mailbox must not open the account.
var ErrProveFirst = errs.BadField("password", "email.password_needed", "Enter your password to confirm your e-mail address.")

// FirstEmail tells whether a link confirms the first address of a member, as committed.
// Errors: ErrWrongLink.
func (s *Service) FirstEmail(ctx context.Context, uid int64, secret string, now time.Time) (bool, error) {
	if _, _, err := s.opened(ctx, nil, uid, ToConfirm, secret, now); err != nil {
		return false, err
	}
	m, _, err := s.Get(ctx, uid)
	return !m.Confirmed(), err
}

// ConfirmEmail uses a link up: its address is in force and confirmed. undo is the
// secret by which the former address can bring itself back; "" if the address did not
// change, or if the former one was never confirmed: it may be a stranger's. proved says
// that the member is there, which a first address takes.
//
// Errors: ErrWrongLink, for unknown members too; ErrProveFirst; Refused if the member is
// blocked; Conflict as in Vouched.
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

// UndoEmail uses a link up that brings a former address back, and takes away what came
// after it: later changes, and those that wait to be confirmed. Errors as in ConfirmEmail.
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

// ParseEmail reads an address that a member entered. Invalid.
func ParseEmail(s string) (string, error) {
	var email string
	var c checks
	c.text(&email, "email")(parseEmail(s))
	return email, c.first()
}

// CorrectEmail puts another address in place of one that was never confirmed, and ends
// the links that were mailed there. It is not confirmed either. The caller has made sure
// who asks.
//
// An account that is older than a sign-up takes had time to earn: there a transaction
// password is mailed to the new address only once it has stood as long as any other.
//
// Errors: ErrConfirmed; Invalid if it is the address in force; NotFound; Refused if the
// member is blocked; Conflict as in Vouched.
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

// setEmail puts an address in force that is confirmed. own tells whether the one before
// counts as the member's if it was confirmed: one that is undone may be a thief's.
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
