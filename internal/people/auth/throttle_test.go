package auth_test

import (
	"net/netip"
	"testing"

	"github.com/bifolia/bifolia/internal/people/auth"
)

// Guesses from one address stop that address; guesses from everywhere stop in
// the end as well.
func TestAStrangersGuessesDoNotKeepTheOwnerOut(t *testing.T) {
	h := onSQLite(t)
	guess := func(from netip.Addr) error {
		_, err := h.Login(ctx, auth.LoginRequest{UID: uid, Password: "wrong-guess", From: auth.From{Peer: from}})
		return err
	}
	stranger := netip.MustParseAddr("198.51.100.7")
	for range 5 {
		h.wants(guess(stranger), auth.ErrWrongPassword)
	}
	retryAfter(t, guess(stranger))
	h.mustLogin()
	for i := range 95 {
		h.wants(guess(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)})), auth.ErrWrongPassword)
	}
	retryAfter(t, guess(netip.MustParseAddr("192.0.2.99")))
	h.wants(guess(home), auth.ErrWrongPassword) // where the owner was before, only guesses from there count
	h.mustLogin()
}
