package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// costlySite is a site with the real cost of hashes.
func costlySite(t *testing.T, dsn string) *site {
	t.Helper()
	cfg := testConfig(t, "--db", dsn, "--demo", "true", "--trusted-proxies", "127.0.0.1/32")
	s := &site{t: t, dsn: dsn, clock: clock.NewFake(testkit.Epoch)}
	a := &App{cfg: cfg, log: testkit.Log(), clock: s.clock, hasher: auth.NewHasher(auth.HashOptions{})}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := a.open(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	s.App = a
	var err error
	if s.root, err = s.services.Enrol.Begin(t.Context(), first(t)); err != nil {
		t.Fatal(err)
	}
	return s
}

// Strangers with wrong passwords fill their own queue: a signed-in member's calls, and a
// sign-in from a known address, are not rejected. The requests come over TCP.
func TestConcurrentWrongSignInsBlockNoTransfer(t *testing.T) {
	if testing.Short() {
		t.Skip("password hashing takes several seconds")
	}
	s := costlySite(t, testkit.SQLite(t))
	me, pin := s.anna()
	berta := s.register(s.root.UID, tree.Right, "Berta Beta")
	s.deposit(me.uid, fund.Robot, "500")
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	send := func(from, token, path, body string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/"+path, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return 0
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", from)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0
		}
		defer func() { _ = resp.Body.Close() }()
		return resp.StatusCode
	}
	var stop atomic.Bool
	var flood sync.WaitGroup
	var limited, slowest atomic.Int64
	for i := range 120 {
		flood.Go(func() {
			for n := 0; !stop.Load(); n++ {
				began := time.Now()
				if send(fmt.Sprintf("203.0.%d.%d", i, n%250), "", "login", fmt.Sprintf(`{"uid":"%d","password":"wrong-one"}`, 200000+i)) == http.StatusTooManyRequests {
					limited.Add(1)
					slowest.Store(max(slowest.Load(), int64(time.Since(began))))
				}
			}
		})
	}
	for limited.Load() == 0 {
		time.Sleep(time.Millisecond) // until the strangers' queue is full
	}
	for i := range 50 {
		body := fmt.Sprintf(`{"user_id":"%d","referby":"%d","amount":"1","wallettype":"FUNDS","ctrans_password":%q}`, berta, me.uid, pin)
		if status := send("198.51.100.1", me.token, "FundTransferToUser", body); status != http.StatusOK {
			t.Errorf("transfer %d: %d", i, status)
		}
	}
	home, _, _ := strings.Cut(me.peer, ":")
	if status := send(home, "", "login", fmt.Sprintf(`{"uid":"%d","password":%q}`, me.uid, password)); status != http.StatusOK {
		t.Errorf("a sign-in from where the member was before: %d", status)
	}
	stop.Store(true)
	flood.Wait()
	s.has("L:FUND:FUNDS:"+id(me.uid), "450")
	t.Logf("%d strangers were refused", limited.Load())
}

func TestVisitorCannotReadNamesByID(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.anna()
	c := s.visitor()
	for i := range 12 {
		path := "check_sponsorid?sid=" + id(me.uid)
		if i%2 == 1 {
			path = "WelcomeDetails?uid=" + id(me.uid)
		}
		if text := c.get(path).text; strings.Contains(text, "Anna") || strings.Contains(text, "Alpha") || !strings.Contains(text, "A.A.") {
			t.Errorf("%s answers %s", path, text)
		}
	}
	c.get("check_sponsorid?sid="+id(me.uid)).limited(time.Second, 5*time.Second)
	c.get("WelcomeDetails?uid="+id(me.uid)).limited(time.Second, 5*time.Second)
	// The networks of one customer count as one caller.
	refused := 0
	for i := range 300 {
		c := s.visitor()
		c.peer = fmt.Sprintf("[2001:db8:1:%x::1]:4711", i)
		if c.get("check_sponsorid?sid="+id(me.uid)).status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused < 100 {
		t.Errorf("of 300 callers out of one /48 %d are refused", refused)
	}
	// A member sees the name of a recipient, but cannot list many names.
	root := s.login(s.root.UID, rootPassword)
	for range 60 {
		if who := root.get("check_sponsorid?sid=" + id(me.uid)).result(); who != "Anna Alpha" {
			t.Fatalf("a member gets %q", who)
		}
	}
	root.get("check_sponsorid?sid="+id(me.uid)).limited(time.Second, 2*time.Second)
	s.clock.Advance(time.Minute)
	c.get("check_sponsorid?sid=" + id(me.uid)).into(&m{})
}

func TestSignInFromANewAddressIsMailed(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna() // the first of all: nobody is notified
		s.login(me.uid, password)
		told := func(to string) (n int, text string) {
			for _, l := range s.outboxNow() {
				if l.To == to && strings.Contains(l.Subject, newSignIn) {
					n, text = n+1, l.Text
				}
			}
			return n, text
		}
		if n, _ := told(annasMail); n != 0 {
			t.Errorf("%d mails of sign-ins from where she always is", n)
		}
		thief := s.visitor()
		thief.login(me.uid, password)
		peer, _, _ := strings.Cut(thief.peer, ":")
		n, text := told(annasMail)
		if n != 1 || !strings.Contains(text, peer) || !strings.Contains(text, "/ForgotPassword") || !strings.Contains(text, "UTC") {
			t.Errorf("%d mails: %s", n, text)
		}
		s.operator()
		s.operator()
		if n, _ := told(operatorEmail); n != 0 {
			t.Errorf("%d mails to the operator", n)
		}
		s.homes = nil
		s.clock.Advance(time.Minute)
		s.operator()
		if n, text := told(operatorEmail); n != 1 || !strings.Contains(text, "/admin") {
			t.Errorf("%d mails to the operator: %s", n, text)
		}
	})
}
