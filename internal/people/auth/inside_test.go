package auth

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestHashesWaitForASlotAndOnlySoManyWait(t *testing.T) {
	t.Parallel()
	h := NewHasher(HashOptions{Params: Params{8, 1, 1}, AtOnce: 1, Waiting: 1})
	h.slots <- struct{}{} // somebody hashes
	ctx, cancel := context.WithCancel(context.Background())
	waiter := make(chan error)
	go func() {
		_, err := h.Hash(ctx, "x")
		waiter <- err
	}()
	for h.waiting.Load() == 0 {
		time.Sleep(time.Millisecond) // until it waits
	}
	if _, err := h.Verify(context.Background(), "", "x"); !errs.Is(err, errs.Limited) {
		t.Errorf("a second one waits: %v", err)
	}
	cancel()
	if err := <-waiter; !errs.Is(err, errs.Unavailable) {
		t.Errorf("who gave up got %v", err)
	}
	<-h.slots
	if _, err := h.Hash(context.Background(), "x"); err != nil {
		t.Errorf("with a free slot: %v", err)
	}
}

func TestNewPasswordsFollowTheRules(t *testing.T) {
	t.Parallel()
	op := Operator{Email: "grace.hopper@example.com", Name: "Grace Hopper"}
	operator := func(s string) error { return CheckOperatorPassword(op, s) }
	for _, c := range []struct {
		check    func(string) error
		password string
		want     string // "" when it may be
	}{
		{checkPassword, "", "Password is required"},
		{checkPassword, "abcde", "Password must be at least 6 characters"},
		{checkPassword, "Ab3defgh", ""},
		{checkPassword, "пароль", ""},
		{checkPassword, strings.Repeat("ab", 10), "easy to guess"},
		{checkPassword, strings.Repeat("ab", 9) + "7k", ""},
		{checkPassword, strings.Repeat("ab", 9) + "7kc", "Password must be at most 20 characters"},
		{checkPassword, "with\nbreak", "control characters"},
		{checkPassword, "with\x00zero", "control characters"},
		{checkPassword, "broken\xff\xfe", "control characters"},
		{checkPassword, "PassW0rd", "easy to guess"},
		{checkPassword, "zzzzzzz", "easy to guess"},
		{checkPassword, "Passw0rd!", "easy to guess"},
		{checkPassword, "P@$$w0rd", "easy to guess"},
		{checkTransactionPassword, "dr4g0n!", "easy to guess"},
		{checkTransactionPassword, "", "Transction Password is required"},
		{checkTransactionPassword, "abcd1", "Transaction password must be at least 6 characters"},
		{checkTransactionPassword, "k7dw2p", ""},
		{checkTransactionPassword, "123456", "easy to guess"},
		{checkTransactionPassword, "111111", "easy to guess"},
		{checkTransactionPassword, "k7dw2pk7dw2", "Transaction password must be at most 10 characters"},
		{checkTransactionInput, "", "Transction Password is required"},
		{checkTransactionInput, "1", ""},
		{checkTransactionInput, "12345678901", "at most 10 characters"},
		{operator, "Short1234", "Password must be at least 10 characters"},
		{operator, "a long phrase that nobody guesses", ""},
		{operator, "Qwertyuiop", "easy to guess"},
		{operator, "éééééééééé", "easy to guess"},
		{operator, "GRACE.HOPPER", "must not be made of your user id, name, e-mail"},
		{operator, "grace hopper", "must not be made of your user id, name, e-mail"},
		{operator, op.Email, "must not be made of your user id, name, e-mail"},
		{operator, strings.Repeat("ab", 65), "at most 128"},
	} {
		err := c.check(c.password)
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.password, err)
			}
			continue
		}
		if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), c.want) || len(c.password) > 5 && strings.Contains(err.Error(), c.password) {
			t.Errorf("%q: got %v, want %q", c.password, err, c.want)
		}
	}
}

func TestRandomPasswordsAreReadableAndMeetTheRules(t *testing.T) {
	t.Parallel()
	seen, letters := map[string]bool{}, map[rune]bool{}
	for range 2000 {
		s := NewTransactionPassword()
		if seen[s] || len(s) != 10 || strings.ContainsAny(s, "0oO1iIlL") || checkTransactionPassword(s) != nil {
			t.Fatalf("%q", s)
		}
		seen[s] = true
		for _, r := range s {
			letters[r] = true
		}
	}
	if len(letters) != len(unambiguous) {
		t.Errorf("only %d letters in use", len(letters))
	}
}

// Chance draws a pattern too, which the rules refuse.
func TestATransactionPasswordThatTheRulesRefuseIsDrawnAgain(t *testing.T) {
	t.Parallel()
	drawn := []string{"2222222222", "abcdefghjk", "2345678234", "password22", "k7dw2pk9x4"}
	for _, s := range drawn[:3] {
		if checkTransactionPassword(s) == nil {
			t.Errorf("%q is taken", s)
		}
	}
	got := newTransactionPassword(func(int) string {
		next := drawn[0]
		drawn = drawn[1:]
		return next
	})
	if checkTransactionPassword(got) != nil || len(drawn) > 1 {
		t.Errorf("%q was drawn, %d are left", got, len(drawn))
	}
}

func TestAnAddressIsAnIPv4AddressOrA64OfIPv6(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "2001:db8:1:2::1": "2001:db8:1:2::/64", "2001:db8:1:3::1": "2001:db8:1:3::/64",
		"fe80::1%eth0": "fe80::/64",
	} {
		if got := addressKey(netip.MustParseAddr(in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if addressKey(netip.Addr{}) == "" {
		t.Error("peers without an address are not counted")
	}
}

func TestLimiterKeepsOnlySoManyKeys(t *testing.T) {
	t.Parallel()
	l := NewLimiter(1, time.Hour, 10, clock.NewFake(time.Unix(0, 0)))
	for i := range 1000 {
		_ = l.Allow(strings.Repeat("x", i))
	}
	if l.full.Len() != 10 {
		t.Errorf("%d keys kept", l.full.Len())
	}
}

func TestWhatStrangersSendIsMadePlain(t *testing.T) {
	t.Parallel()
	if got := plain("a\x00b\nc\xffd\u202ee ö", 100); got != "abcde ö" {
		t.Errorf("%q", got)
	}
	if got := plain(strings.Repeat("ä", 300), maxAgent); len([]rune(got)) != maxAgent {
		t.Errorf("%d runes", len([]rune(got)))
	}
}

// A token that was just found right is not looked through again, but it ends
// when it ends.
func TestATokenThatWasJustReadExpiresAllTheSame(t *testing.T) {
	t.Parallel()
	c := clock.NewFake(time.Unix(1_800_000_000, 0))
	s, err := newSigner(make([]byte, secretLen), forSessions, c)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.sign(KindMember, "a session", 123456, 0, c.Latest().Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	c.Advance(600 * time.Millisecond)
	for range 2 {
		if got, ok := s.read(text); !ok || got.ID != "a session" {
			t.Fatalf("%+v, %v", got, ok)
		}
	}
	if _, ok := s.read(text + "x"); ok {
		t.Error("another token passes for it")
	}
	c.Advance(400 * time.Millisecond)
	if _, ok := s.read(text); ok {
		t.Error("it is good for longer than it says")
	}
}

// A flood of strangers fills the queue of strangers and no other.
func TestAFloodOfStrangersKeepsNoSignedInMemberWaiting(t *testing.T) {
	t.Parallel()
	inside := NewHasher(HashOptions{Params: Params{8, 1, 1}, AtOnce: 1, Waiting: 2})
	strangers, operators := inside.withQueue(4, 50), inside.withQueue(1, 20)
	strangers.slots <- struct{}{} // somebody hashes
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for range 2 {
		go func() { _, _ = strangers.Hash(ctx, "x") }()
	}
	for strangers.waiting.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	if _, err := strangers.Verify(ctx, "", "x"); !errs.Is(err, errs.Limited) {
		t.Errorf("one more stranger: %v", err)
	}
	for what, h := range map[string]*Hasher{"a member": inside, "an operator": operators} {
		if _, err := h.Verify(ctx, "", "x"); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if inside.Verifications() != 3 {
		t.Errorf("%d are counted", inside.Verifications())
	}
}
