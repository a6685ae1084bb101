// Package newsletter keeps the addresses of subscribers. An address is subscribed once
// its owner has opened a link mailed there, and every letter has a link that ends the
// subscription.
package newsletter

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	netmail "net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// State is a subscription's state.
type State string

const (
	Asked     State = "asked"     // requested, not confirmed
	Confirmed State = "confirmed" // subscribed
	Ended     State = "ended"     // unsubscribed
)

// Subscription is one address.
type Subscription struct {
	ID         int64
	Email      string // in lower case
	State      State
	Token      []byte // the hash of the mailed link's token
	TokenUntil time.Time
	Asked      time.Time // the last request
	Mailed     time.Time // the last mail with a link
	Confirmed  time.Time
	Ended      time.Time
}

const (
	maxEmail   = 100
	tokenLife  = 48 * time.Hour
	mailEvery  = time.Hour // the least time between two mails to one address
	tokenBytes = 32
	endBytes   = 24 // of a MAC: too long to guess
)

// ParseEmail parses an address and converts it to lower case. Invalid, at the field
// email.
func ParseEmail(s string) (string, error) {
	s = strings.TrimSpace(s)
	wrong := func(code, text string) (string, error) { return "", errs.At(errs.Invalid, "email", code, text) }
	if s == "" {
		return wrong("email.required", "Please enter email address")
	}
	a, err := netmail.ParseAddress(s)
	if err != nil || a.Name != "" || a.Address != s || len(s) > maxEmail || !utf8.ValidString(s) || strings.ContainsAny(s, "\"\\ \x00") {
		return wrong("email.invalid", "Please enter a valid email address")
	}
	if host := s[strings.LastIndexByte(s, '@')+1:]; !strings.Contains(host, ".") || strings.HasPrefix(host, "[") {
		return wrong("email.invalid", "Please enter a valid email address")
	}
	return strings.ToLower(s), nil
}

// newToken is a link's token, and its stored hash.
func newToken() (token string, hash []byte) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // never fails
	sum := sha256.Sum256(raw)
	return base64.RawURLEncoding.EncodeToString(raw), sum[:]
}

// hashToken is the hash of a link's token; false if it cannot be one.
func hashToken(token string) ([]byte, bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return nil, false
	}
	sum := sha256.Sum256(raw)
	return sum[:], true
}

// endToken is the token of the link that ends a subscription. It is derived from the
// secret, so that it never expires, and from the address, so that it does not end a later
// subscription with the same id.
func endToken(secret []byte, sub Subscription) string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(sub.ID))
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("newsletter end "))
	mac.Write(raw)
	mac.Write([]byte(sub.Email))
	return base64.RawURLEncoding.EncodeToString(append(raw, mac.Sum(nil)[:endBytes]...))
}

// subscriptionOf is the subscription that a token names; 0 for none.
func subscriptionOf(token string) int64 {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != 8+endBytes {
		return 0
	}
	return max(int64(binary.BigEndian.Uint64(raw)), 0)
}
