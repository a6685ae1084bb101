// Package newsletter keeps the addresses of people who want news. An address
// counts only once its owner has followed a link that was mailed there, and
// every letter carries a link that ends it.
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

// State is where a subscription stands.
type State string

const (
	Asked     State = "asked"     // somebody gave the address; nobody confirmed it
	Confirmed State = "confirmed" // its owner wants news
	Ended     State = "ended"     // its owner wants none
)

// States are all of them.
func States() []State { return []State{Asked, Confirmed, Ended} }

// Subscription is one address.
type Subscription struct {
	ID         int64
	Email      string // in small letters
	State      State
	Token      []byte // the hash of what the mailed link carries
	TokenUntil time.Time
	Asked      time.Time // when somebody last gave the address
	Mailed     time.Time // when a link was last mailed
	Confirmed  time.Time
	Ended      time.Time
}

const (
	maxEmail   = 100
	tokenLife  = 48 * time.Hour
	mailEvery  = time.Hour // how often one address is mailed at most
	tokenBytes = 32
	endBytes   = 24 // of a MAC: more than anybody guesses
)

// ParseEmail reads an address and writes it in small letters, in which it is
// known. Invalid, naming the field email, if it is none.
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

// newToken is what a link carries, and the hash that is kept of it.
func newToken() (token string, hash []byte) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // never fails
	sum := sha256.Sum256(raw)
	return base64.RawURLEncoding.EncodeToString(raw), sum[:]
}

// hashToken is the hash of what a link carries; false if no link carries that.
func hashToken(token string) ([]byte, bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return nil, false
	}
	sum := sha256.Sum256(raw)
	return sum[:], true
}

// endToken is what the link that ends a subscription carries. It follows from
// the secret, so that it works for as long as there are letters, and from the
// address, so that it ends no other that later gets the same id.
func endToken(secret []byte, sub Subscription) string {
	raw := binary.BigEndian.AppendUint64(nil, uint64(sub.ID))
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("newsletter end "))
	mac.Write(raw)
	mac.Write([]byte(sub.Email))
	return base64.RawURLEncoding.EncodeToString(append(raw, mac.Sum(nil)[:endBytes]...))
}

// endsWhich is the subscription that a token says it ends; 0 if it says none.
func endsWhich(token string) int64 {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != 8+endBytes {
		return 0
	}
	return max(int64(binary.BigEndian.Uint64(raw)), 0)
}
