package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// m is a JSON object.
type m = map[string]any

// site is a whole demo App with its first member and operator, on a fake clock. Only
// hashing is cheaper than in production.
type site struct {
	*App
	t     *testing.T
	dsn   string
	clock *clock.Fake
	root  enrol.Begun
	peers int
	homes map[string]string // by account: the address it signs in from
	// proofs are the operators' passwords by token, for clients that give a proof when a
	// call asks for it, as the console does.
	proofs sync.Map
}

const (
	rootPassword     = "correct-horse-1"
	operatorEmail    = "operator@bifolia.example"
	operatorPassword = "battery-staple-22"
	password         = "open-sesame"
)

func first(t *testing.T) enrol.First {
	t.Helper()
	root := member.RegistrationForm{Name: "Root Member", Email: "root@bifolia.example", Mobile: "9000000000", Country: "99", Password: rootPassword}
	f, err := enrol.ParseFirst(root, operatorEmail, "Head Operator", operatorPassword)
	if err != nil {
		t.Fatal(err)
	}
	f.OperatorSecret = operatorSecret
	return f
}

func openSite(t *testing.T, dsn string, args ...string) *site {
	t.Helper()
	cfg := testConfig(t, append([]string{"--db", dsn, "--demo", "true"}, args...)...)
	s := &site{t: t, dsn: dsn, clock: clock.NewFake(testkit.Epoch)}
	s.App = cheapApp(t, cfg, s.clock)
	var err error
	if s.root, err = s.services.Enrol.Begin(t.Context(), first(t)); err != nil {
		t.Fatal(err)
	}
	return s
}

// cheapApp is New with hashes that cost little.
func cheapApp(t *testing.T, cfg config.Config, c clock.Clock, opts ...Option) *App {
	t.Helper()
	a := &App{cfg: cfg, log: testkit.Log(), clock: c, hasher: auth.NewHasher(auth.HashOptions{Params: auth.Params{Memory: 8, Time: 1, Threads: 1}})}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := a.open(context.Background(), opts); err != nil {
		t.Fatal(err)
	}
	return a
}

// smoke is testkit.Engines for ten tests that together cover the whole site, so that each
// part runs on both engines.
func smoke(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	testkit.Engines(t, test)
}

// sqliteSite is a site for tests that do not depend on the database.
func sqliteSite(t *testing.T, args ...string) *site {
	t.Helper()
	return openSite(t, testkit.SQLite(t), args...)
}

// home is the constant address that an account signs in from.
func (s *site) home(account string) client {
	c := s.visitor()
	if s.homes == nil {
		s.homes = map[string]string{}
	}
	if peer, known := s.homes[account]; known {
		c.peer = peer
	}
	s.homes[account] = c.peer
	return c
}

// login signs in a member from the member's own address.
func (s *site) login(uid int64, password string) client {
	s.t.Helper()
	c, result := s.home(id(uid)).login(uid, password)
	if result != "Successfull" {
		s.t.Fatalf("the login of %d: %s", uid, result)
	}
	return c
}

func (c client) login(uid int64, password string) (client, string) {
	c.s.t.Helper()
	var got struct {
		Data  struct{ Result, ResultID, ResultUsername string }
		Token string
	}
	c.post("login", m{"uid": id(uid), "password": password, "ipaddress": "203.0.113.9"}).into(&got)
	if got.Data.Result == "Successfull" && (got.Data.ResultID != id(uid) || got.Token == "" || got.Data.ResultUsername == "") {
		c.s.t.Errorf("the login of %d answered %+v", uid, got)
	}
	c.uid, c.token = uid, got.Token
	return c, got.Data.Result
}

func id(uid int64) string { return strconv.FormatInt(uid, 10) }

// operator signs the operator in.
func (s *site) operator() client {
	s.t.Helper()
	return s.signIn(operatorEmail)
}

// visit opens a session as a member by an operator's ticket.
func (s *site) visit(operator client, uid int64) client {
	s.t.Helper()
	var minted struct{ Data struct{ Enpass, Link string } }
	operator.post("operator/ticket", m{"uid": uid, "reason": "the member asked for help"}).into(&minted)
	c := s.visitor()
	var got struct {
		Data  struct{ Result, ResultID, ResultUsername, Visit string }
		Token string
	}
	c.post("loginAdmin", m{"uid": id(uid), "password": minted.Data.Enpass, "ipaddress": ""}).into(&got)
	if got.Data.Result != "Successfull" || got.Data.Visit != "the member asked for help" {
		s.t.Fatalf("loginAdmin answered %+v", got)
	}
	c.uid, c.token = uid, got.Token
	return c
}

// form is a valid registration.
func form(sponsor int64, side tree.Side, name string) m {
	return m{
		"sid": id(sponsor), "name": name, "position": int(side), "email": strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@mail.example",
		"password": password, "mobile": "9876543210", "countryid": "99",
	}
}

// register registers a member and returns the id.
func (s *site) register(sponsor int64, side tree.Side, name string) int64 {
	s.t.Helper()
	uid := s.registered(s.visitor().post("registration", form(sponsor, side, name)))
	s.confirm(uid, form(sponsor, side, name)["email"].(string))
	return uid
}

// confirm confirms a member's address by the mailed link.
func (s *site) confirm(uid int64, email string) {
	s.t.Helper()
	s.command(func(ctx context.Context, tx *ledger.Tx) error {
		secret, err := s.services.Members.AskEmail(ctx, tx, uid, email, tx.Now())
		if err == nil {
			_, _, err = s.services.Members.ConfirmEmail(ctx, tx, uid, secret, true, tx.Now())
		}
		return err
	})
}

func (s *site) registered(a answer) int64 {
	s.t.Helper()
	var got struct {
		Data struct {
			Result string
			UID    string `json:"uid_output"`
		}
	}
	a.into(&got)
	uid, err := strconv.ParseInt(got.Data.UID, 10, 64)
	if got.Data.Result != "Successfull" || err != nil || len(got.Data.UID) != 6 {
		s.t.Fatalf("registration answered %s", a.text)
	}
	return uid
}

// change sets a member's state and volumes, as a purchase would.
func (s *site) change(uid int64, active bool, robot, forex, crypto string) {
	s.t.Helper()
	add := tree.Business{tree.Robot: money.MustParse(robot), tree.Forex: money.MustParse(forex), tree.Crypto: money.MustParse(crypto)}
	s.command(func(ctx context.Context, tx *ledger.Tx) error {
		return s.services.Tree.Change(ctx, tx, uid, active, add)
	})
}

func (s *site) command(run func(context.Context, *ledger.Tx) error) {
	s.t.Helper()
	_, err := s.Ledger().Do(s.t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}})
	if err != nil {
		s.t.Fatal(err)
	}
}

// block puts a member under review.
func (s *site) block(uid int64) {
	s.t.Helper()
	s.command(func(ctx context.Context, tx *ledger.Tx) error {
		return s.services.Members.Block(ctx, tx, uid, "for the test", tx.Now())
	})
}

// letter is a mail in the demo's outbox.
type letter struct{ To, Subject, Text, At string }

// newSignIn is in the subject of a mail about a sign-in from a new address.
const newSignIn = "new sign-in"

// letters are the mails to an address, newest first, except those about sign-ins, because
// visitors use new addresses.
func (s *site) letters(to string) (found []letter) {
	s.t.Helper()
	for _, l := range s.outboxNow() {
		if l.To == to && !strings.Contains(l.Subject, newSignIn) {
			found = append(found, l)
		}
	}
	return found
}

// outboxNow is the demo's outbox, newest first.
func (s *site) outboxNow() (all []letter) {
	s.t.Helper()
	c := client{s: s, peer: "127.0.0.1:1"}
	c.send("GET", httpx.OutboxPath(s.secret)+"/letters.json", "", "Host", "localhost:8080").into(&all)
	return all
}

// ownPin is the transaction password that new members choose.
const ownPin = "Mine4me7"

// pin is the transaction password that a new member has chosen to replace the mailed one.
func (s *site) pin(email string) string {
	s.t.Helper()
	mailed, uid := s.mailedPin(email)
	change, err := s.services.Auth.PrepareTransactionChange(s.t.Context(), uid, passwords.Person{}, mailed, ownPin)
	if err != nil && !errors.Is(err, auth.ErrWrongTransactionPassword) { // it was chosen before
		s.t.Fatal(err)
	}
	if err == nil {
		s.command(change.Apply)
	}
	return ownPin
}

// mailedPin is the transaction password that was mailed to a new member, and whose.
func (s *site) mailedPin(email string) (pin string, uid int64) {
	s.t.Helper()
	for _, l := range s.letters(email) {
		if word := after(l.Text, "ransaction password:"); word != "" && strings.Contains(l.Subject, "elcome") {
			uid, _ = strconv.ParseInt(after(l.Text, "User ID:"), 10, 64)
			return word, uid
		}
	}
	s.t.Fatalf("no welcome mail to %s: %+v", email, s.letters(email))
	return "", 0
}

// after is the word that follows mark.
func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	if words := strings.Fields(rest); len(words) > 0 {
		return words[0]
	}
	return ""
}

// counts is how many rows each table has.
func (s *site) counts(tables ...string) string {
	s.t.Helper()
	if len(tables) == 0 {
		tables = []string{"member", "place", "place_change", "credential", "outbox", "enrolment", "command", "session", "support_ticket", "visit_ticket"}
	}
	raw := testkit.Raw(s.t, s.dsn)
	defer func() { _ = raw.Close() }()
	var b strings.Builder
	for _, table := range tables {
		var n int
		query := "SELECT COUNT(*) FROM " + table
		if table == "command" {
			// The server may be signing the public report after a close.
			query += " WHERE actor <> 'witness'"
		}
		if err := raw.QueryRow(query).Scan(&n); err != nil {
			s.t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %d, ", table, n)
	}
	return b.String()
}
