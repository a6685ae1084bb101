package auth

import (
	"context"
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

func TestWhatStrangersSendIsMadePlain(t *testing.T) {
	t.Parallel()
	if got := printable("a\x00b\nc\xffd\u202ee ö", 100); got != "abcde ö" {
		t.Errorf("%q", got)
	}
	if got := printable(strings.Repeat("ä", 300), maxAgent); len([]rune(got)) != maxAgent {
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
