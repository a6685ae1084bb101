package auth_test

import (
	"context"
	"fmt"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// guess is a wrong try of an account from an address.
func guess(s *auth.Service, id int64, from netip.Addr) error {
	_, err := s.Login(ctx, auth.LoginRequest{UID: id, Password: "wrong-password", From: auth.From{Peer: from}})
	return err
}

// tries is how many rows are kept of wrong sign-ins.
func (h *fixture) tries(dsn string) (n int) {
	h.t.Helper()
	h.must(testkit.Raw(h.t, dsn).QueryRowContext(ctx, "SELECT COUNT(*) FROM login_try").Scan(&n))
	return n
}

func TestFiveWrongTriesLockAcrossARestartForKnownAndUnknownIdsAlike(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		for _, id := range []int64{uid, stranger} {
			for range 3 {
				h.wants(guess(h.Service, id, home), auth.ErrWrongPassword)
			}
		}
		h.restart()
		for _, id := range []int64{uid, stranger} {
			for range 2 {
				h.wants(guess(h.Service, id, home), auth.ErrWrongPassword)
			}
		}
		h.restart()
		for _, id := range []int64{uid, stranger} {
			before := h.hasher.Verifications()
			_, err := h.login(id, password)
			if after := retryAfter(t, err); after.Round(time.Second) != time.Minute || h.hasher.Verifications() != before {
				t.Errorf("%d: %v, retry after %s", id, err, after)
			}
		}
		// From elsewhere the owner gets in, and here again in a minute, afresh.
		_, err := h.Login(ctx, auth.LoginRequest{UID: uid, Password: password, From: auth.From{Peer: netip.MustParseAddr("198.51.100.7")}})
		h.must(err)
		h.Clock.Advance(time.Minute)
		h.mustLogin()
		h.restart()
		for range 5 {
			h.wants(guess(h.Service, uid, home), auth.ErrWrongPassword)
		}
		retryAfter(t, guess(h.Service, uid, home))
	})
}

func TestTwoProcessesOnOneDatabaseCountTogether(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		beside := h.service(auth.Options{})
		for i := range 5 {
			h.wants(guess([]*auth.Service{h.Service, beside}[i%2], uid, home), auth.ErrWrongPassword)
		}
		retryAfter(t, guess(h.Service, uid, home))
		retryAfter(t, guess(beside, uid, home))
		// From everywhere a hundred, wherever they were asked.
		for i := range 95 {
			h.wants(guess([]*auth.Service{h.Service, beside}[i%2], uid, netip.AddrFrom4([4]byte{203, 0, 113, byte(i)})), auth.ErrWrongPassword)
		}
		retryAfter(t, guess(h.Service, uid, netip.MustParseAddr("192.0.2.2")))
		retryAfter(t, guess(beside, uid, netip.MustParseAddr("192.0.2.3")))
	})
}

func TestAnOperatorsWrongSignInsLockAcrossARestartKnownOrNot(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		emails := []string{h.operator("owner"), "unknown@bifolia.example"}
		try := func(email string) error {
			_, err := h.LoginOperator(ctx, auth.OperatorLogin{Email: email, Password: "wrong-password", From: auth.From{Peer: home}})
			return err
		}
		for _, email := range emails {
			for range 4 {
				h.wants(try(email), auth.ErrWrongOperator)
			}
		}
		h.restart()
		for _, email := range emails {
			h.wants(try(email), auth.ErrWrongOperator)
			if after := retryAfter(t, try(email)); after.Round(time.Second) != time.Minute {
				t.Errorf("%s: retry after %s", email, after)
			}
		}
	})
}

func TestAGuessAtTheOldPasswordCountsAcrossARestart(t *testing.T) {
	h := onSQLite(t)
	keep := h.mustLogin().Session.ID
	change := func() error {
		_, err := h.PrepareChange(ctx, auth.ChangeRequest{UID: uid, Old: "wrong-password", New: newPassword, Keep: keep, Peer: home})
		return err
	}
	for range 5 {
		h.wants(change(), auth.ErrWrongOldPassword)
	}
	h.restart()
	retryAfter(t, change())
	h.mustLogin() // which is counted apart
}

// counted is a ledger that counts commands.
type counted struct {
	*ledger.Sequencer
	n *atomic.Int64
}

func (c counted) Do(ctx context.Context, cmd ledger.Command) (ledger.Result, error) {
	c.n.Add(1)
	return c.Sequencer.Do(ctx, cmd)
}

func TestOnlyAWrongTryIsWrittenAndARightOneInItsOwnCommit(t *testing.T) {
	h := onSQLite(t)
	var n atomic.Int64
	s := h.service(auth.Options{Do: counted{h.Sequencer, &n}})
	commands := func(do func() error) (int64, error) {
		before := n.Load()
		err := do()
		return n.Load() - before, err
	}
	right := func() error {
		_, err := s.Login(ctx, auth.LoginRequest{UID: uid, Password: password, From: auth.From{Peer: home}})
		return err
	}
	for _, c := range []struct {
		what string
		do   func() error
		want error
	}{
		{"right", right, nil},
		{"wrong", func() error { return guess(s, uid, home) }, auth.ErrWrongPassword},
		{"unknown", func() error { return guess(s, stranger, home) }, auth.ErrWrongPassword},
		{"right after wrong", right, nil},
	} {
		if k, err := commands(c.do); k != 1 {
			t.Errorf("%s: %d commands, %v", c.what, k, err)
		} else {
			h.wants(err, c.want)
		}
	}
	for range 4 {
		h.wants(guess(s, stranger, home), auth.ErrWrongPassword)
	}
	if k, err := commands(func() error { return guess(s, stranger, home) }); k != 0 {
		t.Errorf("what is refused for its number is written: %d, %v", k, err)
	}
}

func TestAFloodOfUnknownIdsStaysBoundedAndIsCleaned(t *testing.T) {
	t.Parallel()
	dsn := testkit.SQLite(t)
	h := newFixture(t, testkit.StartLedger(t, dsn))
	for i := range 400 {
		h.wants(guess(h.Service, int64(1_000_000+i), netip.AddrFrom4([4]byte{203, byte(i >> 8), byte(i), 1})), auth.ErrWrongPassword)
	}
	if n := h.tries(dsn); n < 700 || n > 800 {
		t.Errorf("%d rows of 400 wrong sign-ins", n)
	}
	h.Clock.Advance(time.Minute)
	h.wants(guess(h.Service, stranger, home), auth.ErrWrongPassword)
	if n := h.tries(dsn); n != 2 {
		t.Errorf("%d rows are left when all but one have run out", n)
	}
	// However many slots are asked for, the table has no more.
	raw := testkit.Raw(t, dsn)
	for _, slot := range []int64{-1, 65536} {
		if _, err := raw.ExecContext(ctx, fmt.Sprintf("INSERT INTO login_try (slot, who, full_at) VALUES (%d, x'00', 1)", slot)); err == nil {
			t.Errorf("slot %d is taken", slot)
		}
	}
	// The former owner of a slot does not matter to the next one.
	if _, err := raw.ExecContext(ctx, "UPDATE login_try SET who = x'00', full_at = full_at + 3600000000"); err != nil {
		t.Fatal(err)
	}
	h.restart()
	for range 5 {
		h.wants(guess(h.Service, stranger, home), auth.ErrWrongPassword)
	}
	retryAfter(t, guess(h.Service, stranger, home))
	if n := h.tries(dsn); n != 2 {
		t.Errorf("%d rows", n)
	}
}
