package auth_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// elsewhere is one of many addresses.
func elsewhere(i int) netip.Addr {
	return netip.AddrFrom4([4]byte{198, 51, byte(i / 250), byte(i%250 + 1)})
}

// from signs the member in from an address.
func (h *fixture) from(peer netip.Addr) (auth.Grant, error) {
	g, err := h.Login(ctx, auth.LoginRequest{UID: uid, Password: password, From: auth.From{Peer: peer, Agent: "a browser"}})
	h.hide(g.Token)
	return g, h.told(err)
}

func TestStrangersDoNotLockOutFamiliarAddresses(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		op := h.operator("owner")
		h.mustLogin()
		h.loginOperator(op)
		wrongOperator := func(peer netip.Addr) error {
			_, err := h.LoginOperator(ctx, auth.OperatorLogin{Email: op, Password: "wrong-password", From: auth.From{Peer: peer}})
			return err
		}
		for i := range 100 { // a hundred guesses from everywhere are all there are
			h.wants(guess(h.Service, uid, elsewhere(i)), auth.ErrWrongPassword)
			h.wants(wrongOperator(elsewhere(i)), auth.ErrWrongOperator)
		}
		retryAfter(t, guess(h.Service, uid, elsewhere(200)))
		retryAfter(t, wrongOperator(elsewhere(200)))
		for i := range 30 { // and somebody behind the same address guesses at others
			h.wants(guess(h.Service, stranger-int64(i), home), auth.ErrWrongPassword)
		}
		retryAfter(t, guess(h.Service, stranger, home))
		h.mustLogin()
		h.loginOperator(op)
		h.restart()
		h.mustLogin()
		// Guesses from there are counted all the same.
		for range 5 {
			h.wants(guess(h.Service, uid, home), auth.ErrWrongPassword)
		}
		retryAfter(t, guess(h.Service, uid, home))
	})
}

// told collects of whom was told that they signed in from a new address.
type toldOf struct {
	mu  sync.Mutex
	all []auth.Arrival
}

func (o *toldOf) note(_ context.Context, tx *ledger.Tx, a auth.Arrival) error {
	tx.AfterCommit(func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.all = append(o.all, a)
	})
	return nil
}

func (o *toldOf) take() []auth.Arrival {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := o.all
	o.all = nil
	return all
}

func TestASignInFromANewAddressNotifiesTheOwner(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		var told toldOf
		h.Service = h.service(auth.Options{Unfamiliar: told.note})
		op := h.operator("owner")
		in := func(peer netip.Addr, want int) {
			t.Helper()
			_, err := h.from(peer)
			h.must(err)
			all := told.take()
			if len(all) != want || want > 0 && (all[0].Owner != uid || all[0].Kind != auth.KindMember || all[0].Peer != peer || all[0].Agent != "a browser" || all[0].At.IsZero()) {
				t.Errorf("from %s: told of %+v", peer, all)
			}
		}
		in(home, 0) // the first of all
		in(home, 0)
		in(elsewhere(1), 1)
		in(elsewhere(1), 0)
		in(netip.MustParseAddr("2001:db8:1:2::3"), 1)
		in(netip.MustParseAddr("2001:db8:1:2::4"), 0) // the same network
		in(netip.MustParseAddr("2001:db8:1:3::4"), 1)
		h.loginOperator(op)
		if all := told.take(); len(all) != 0 {
			t.Errorf("an operator's first sign-in: %+v", all)
		}
		h.setFactor(1) // codes are taken once
		if _, err := h.LoginOperator(ctx, auth.OperatorLogin{Email: op, Password: operatorPassword, Code: h.codeAt(0), From: auth.From{Peer: elsewhere(1)}}); err != nil {
			t.Fatal(err)
		}
		if all := told.take(); len(all) != 1 || all[0].Kind != auth.KindOperator || all[0].Email != op || all[0].Name == "" {
			t.Errorf("an operator from elsewhere: %+v", all)
		}
		// After a change of the password, other addresses are unfamiliar.
		keep, err := h.from(home)
		h.must(err)
		h.must(h.applied(h.PrepareChange(ctx, auth.ChangeRequest{UID: uid, Old: password, New: newPassword, Keep: keep.Session.ID, Peer: home})))
		if _, err := h.Login(ctx, auth.LoginRequest{UID: uid, Password: newPassword, From: auth.From{Peer: elsewhere(1)}}); err != nil || len(told.take()) != 1 {
			t.Errorf("after a change of the password the owner is not notified: %v", err)
		}
		// Places are kept as keyed hashes, few of them, and go with the person's data.
		for i := range 30 {
			h.Clock.Advance(time.Minute)
			if _, err := h.Login(ctx, auth.LoginRequest{UID: uid, Password: newPassword, From: auth.From{Peer: elsewhere(300 + i)}}); err != nil {
				t.Fatal(err)
			}
		}
		if n := count(t, dsn, fmt.Sprintf("sign_in_place WHERE kind = 'member' AND owner = %d", uid)); n != 20 {
			t.Errorf("%d places are kept", n)
		}
		h.must(h.command(func(tx *ledger.Tx) error { return h.Forget(ctx, tx, uid) }))
		if n := count(t, dsn, fmt.Sprintf("sign_in_place WHERE kind = 'member' AND owner = %d", uid)); n != 0 {
			t.Errorf("%d places are left of somebody whose data was erased", n)
		}
	})
}

func count(t *testing.T, dsn, what string) (n int) {
	t.Helper()
	if err := testkit.Raw(t, dsn).QueryRowContext(ctx, "SELECT COUNT(*) FROM "+what).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOpenSessionsOfAnOwnerAreLimited(t *testing.T) {
	onSite(t, func(t *testing.T, h *fixture) {
		var tokens []string
		for range 12 {
			h.Clock.Advance(time.Second)
			tokens = append(tokens, h.mustLogin().Token)
		}
		for i, token := range tokens {
			if i < 2 {
				h.bad(h.Service, token)
			} else {
				h.good(h.Service, token)
			}
		}
		op := h.operator("owner")
		tokens = nil
		for range 7 {
			h.Clock.Advance(time.Minute)
			tokens = append(tokens, h.loginOperator(op).Token)
		}
		for i, token := range tokens {
			if i < 2 {
				h.bad(h.Service, token)
			} else {
				h.good(h.Service, token)
			}
		}
	})
}

func TestEndlessSignInsAreRefusedAndLeaveFewRows(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		for i := range 60 {
			_, err := h.from(elsewhere(i)) // of one account, from wherever
			h.must(err)
		}
		hashed := h.hasher.Verifications()
		_, err := h.from(elsewhere(100))
		if after := retryAfter(t, err); after <= 0 || after > time.Minute || !strings.Contains(errs.MessageOf(err), "seconds") {
			t.Errorf("%v, retry after %s", err, after)
		}
		if h.hasher.Verifications() != hashed {
			t.Error("a refused sign-in was hashed")
		}
		if n := count(t, dsn, "session"); n > 41 {
			t.Errorf("%d rows of one account", n)
		}
		h.Clock.Advance(time.Minute)
		_, err = h.from(home)
		h.must(err)
	})
}

func TestSignInsFromOneAddressAreRefusedInTheEnd(t *testing.T) {
	h := onSQLite(t)
	others := []int64{uid}
	for i := range 6 {
		others = append(others, 500_000+int64(i))
		h.join(others[i+1])
	}
	in := func(i int) error {
		_, err := h.login(others[i/50], password)
		return err
	}
	for i := range 300 {
		h.must(in(i))
	}
	if after := retryAfter(t, in(300)); after > 2*time.Second {
		t.Errorf("retry after %s", after)
	}
	_, err := h.Login(ctx, auth.LoginRequest{UID: others[6], Password: password, From: auth.From{Peer: elsewhere(1)}})
	h.must(err)
}

func TestDeletedSessionsOpenNothing(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		h.Service = h.service(auth.Options{TokenLife: 24 * 90 * time.Hour})
		op := h.operator("owner")
		dead := []string{h.mustLogin().Token, h.loginOperator(op).Token}
		h.Clock.Advance(time.Hour)
		h.loginOperator(op)
		h.must(h.DropDead(ctx))
		if n := count(t, dsn, "session"); n != 3 {
			t.Errorf("%d rows: what ended a moment ago is gone", n)
		}
		h.Clock.Advance(31 * 24 * time.Hour)
		live := h.mustLogin().Token
		h.must(h.DropDead(ctx))
		if n := count(t, dsn, "session"); n != 2 { // the member's own, and the operator's last
			t.Errorf("%d rows", n)
		}
		for _, token := range dead {
			h.bad(h.Service, token)
		}
		h.good(h.Service, live)
	})
}

// A password with an outdated hash is rehashed at sign-in, which changes nothing else.
func TestAnOutdatedHashIsRenewedAtSignIn(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		op := h.operator("owner")
		before := h.mustLogin()
		h.hasher = auth.NewHasher(auth.HashOptions{Params: auth.Params{Memory: 64, Time: 2, Threads: 1}})
		h.Service = h.service(auth.Options{})
		old := h.credential()
		if got := parallel(5, func() error { _, err := h.login(uid, password); return err }); got["ok"] != 5 {
			t.Errorf("at once: %v", got)
		}
		h.Clock.Advance(time.Minute)
		h.loginOperator(op)
		now := h.credential()
		if !strings.HasPrefix(now.Password, "$argon2id$v=19$m=64,t=2,p=1$") || !now.PasswordAt.Equal(old.PasswordAt) || now.MustChange || now.Pin != old.Pin {
			t.Errorf("%+v became %+v", old, now)
		}
		h.good(h.Service, before.Token) // no session ended
		h.mustLogin()
		if again := h.credential(); again.Password != now.Password {
			t.Error("it is hashed anew again")
		}
		h.Clock.Advance(time.Minute)
		h.loginOperator(op)
		o, _, err := h.DB.Auth().OperatorByEmail(ctx, op)
		h.must(err)
		if !strings.HasPrefix(o.Password, "$argon2id$v=19$m=64,t=2,p=1$") {
			t.Errorf("the operator's is %.40s", o.Password)
		}
		h.must(h.command(func(tx *ledger.Tx) error { return h.DB.Auth().VerifyOperator(ctx, tx, o.ID) }))
		h.wants(guess(h.Service, uid, home), auth.ErrWrongPassword)
	})
}
