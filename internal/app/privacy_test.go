package app

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// leaving creates a member with a history: deposits, payouts, a ticket, a profile, mails
// to two addresses, and a downline.
func (s *site) leaving() (uid int64, email string) {
	s.t.Helper()
	uid = s.register(s.root.UID, tree.Left, "Anna Alpha")
	s.register(uid, tree.Left, "Ben Beta")
	pin := s.pin("anna.alpha@mail.example")
	me := s.login(uid, password)
	s.command(func(_ context.Context, tx *ledger.Tx) error {
		return fund.Deposit(tx, uid, fund.Robot, money.MustParse("100"), "d1")
	})
	form := profileForm(uid, pin)
	form["email"], form["mobile"] = "anna.new@mail.example", "9876543211"
	me.post("UpdateProfile", form).into(&m{})
	s.visitor().post("email/confirm", s.linkIn("anna.new@mail.example", "confirm")).into(&m{})
	form["email"] = "anna.never@mail.example" // which is never confirmed
	me.post("UpdateProfile", form).into(&m{})
	me.post("Helpdesk_By_User", m{"uid": uid, "query": "My name is Anna, where is my money?"}).into(&m{})
	s.visitor().post("newsletter", m{"email": "anna.new@mail.example"}).into(&m{})
	return uid, "anna.new@mail.example"
}

// settle removes the obstacles to erasing the member.
func (s *site) settle(uid int64) {
	s.t.Helper()
	s.command(func(_ context.Context, tx *ledger.Tx) error { // the new e-mail address makes the member wait
		return fund.Transfer(tx, uid, s.root.UID, fund.Robot, money.MustParse("100"), "t1")
	})
	open, _, err := s.services.Support.History(s.t.Context(), uid, 1, 1)
	if err != nil || len(open) != 1 {
		s.t.Fatal(open, err)
	}
	s.command(func(ctx context.Context, tx *ledger.Tx) error {
		_, _, err := s.services.Support.Answer(ctx, tx, support.Step{Ticket: open[0].ID, By: actor.By{Operator: 1, Name: "Olga"}, At: tx.Now()}, "Dear Anna, it is there.")
		return err
	})
}

type erasure struct{ ID, Digest, State string }

type privacy struct {
	Erased    string
	Obstacles []struct{ Kind, Text string }
	Erasures  []erasure
}

func (c client) erasures(uid int64) privacy {
	c.s.t.Helper()
	var got struct{ Data privacy }
	c.get("operator/member/privacy?uid=" + id(uid)).into(&got)
	return got.Data
}

func (c client) erase(e erasure, approve bool, header ...string) answer {
	c.s.t.Helper()
	return c.post("operator/member/erasure/decide", m{"id": e.ID, "digest": e.Digest, "approve": approve}, header...)
}

func TestErasureTakesTwoOperatorsAndKeepsEverySum(t *testing.T) {
	t.Parallel()
	smoke(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid, _ := s.leaving()
		maker, checker, owner, finance := s.hire(auth.RoleCompliance), s.hire(auth.RoleCompliance), s.operator(), s.hire(auth.RoleFinance)
		ask := m{"uid": uid, "reason": "the person asked for it"}
		propose := func(o client, header ...string) answer {
			return o.post("operator/member/erasure/propose", ask, header...)
		}
		propose(finance).refused(403)
		maker.post("operator/member/erasure/propose", m{"uid": 100000, "reason": "who is that"}).refused(404)
		maker.post("operator/member/legalHold", m{"uid": uid, "hold": true, "reason": "a court asked"}).into(&m{})
		for _, words := range []string{"cannot be erased yet: the account is not blocked;", "a legal hold: a court asked", "a balance of 100.000000 in L:FUND:FUNDS", "an open ticket"} {
			propose(maker).says(422, words)
		}
		s.settle(uid)
		checker.post("operator/member/legalHold", m{"uid": uid, "hold": false, "reason": "the court is done"}).into(&m{})
		session := s.login(uid, password)
		maker.post("operator/block", m{"uid": uid, "reason": "the account is closed"}).into(&m{})
		if got := maker.erasures(uid); len(got.Obstacles) != 0 {
			t.Fatalf("in the way: %+v", got.Obstacles)
		}
		owner.post("operator/member/note", m{"uid": uid, "text": "Anna Alpha called"}).into(&m{})
		propose(checker).says(403, "You lifted the legal hold") // one operator alone removes no obstacle
		propose(maker, "Idempotency-Key", "k1").into(&m{})
		propose(maker, "Idempotency-Key", "k1").into(&m{}) // the same
		propose(owner).says(409, "already waiting for approval")
		e := checker.erasures(uid).Erasures[0]
		maker.erase(e, true).says(403, "Another owner or compliance officer")
		checker.erase(erasure{ID: e.ID, Digest: strings.Repeat("0", 64)}, true).says(422, "has changed")
		finance.erase(e, true).refused(403)
		owner.post("operator/proposals/decide", m{"id": e.ID, "digest": e.Digest, "approve": true}).refused(404) // not through the other call
		maker.post("operator/member/legalHold", m{"uid": uid, "hold": true, "reason": "another court asked"}).into(&m{})
		checker.erase(e, true).says(422, "another court asked")
		maker.post("operator/member/legalHold", m{"uid": uid, "hold": false, "reason": "it is done too"}).says(403, "another operator must lift the legal hold")
		owner.post("operator/member/legalHold", m{"uid": uid, "hold": false, "reason": "it is done too"}).into(&m{})

		// The chain's line about a person is also salted: without the salt nobody can guess
		// the person.
		salt := func() (n int) {
			if err := testkit.Raw(t, dsn).QueryRowContext(t.Context(), "SELECT length(salt) FROM member WHERE uid = $1", uid).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		if n := salt(); n != 16 {
			t.Errorf("the salt has %d bytes", n)
		}
		before := s.standing()
		checker.erase(e, true, "Idempotency-Key", "k2").into(&m{})
		if n := salt(); n != 0 {
			t.Errorf("erased, the salt has %d bytes", n)
		}
		checker.erase(e, true, "Idempotency-Key", "k2").into(&m{}) // the same
		checker.erase(e, true).says(409, "already approved")       // a replayed approval
		if after := s.standing(); after != before {
			t.Errorf("a sum changed:\n%s\n%s", before, after)
		}
		s.gone(dsn, "Anna", "Alpha", "anna.", "9876543211", "First Street", "where is my money", "Abel", "203.0.113.9")
		session.get("sessions").unauthenticated()
		s.nobodyEnters(owner, uid)
		propose(maker).says(409, "was erased before")
		if got := maker.erasures(uid); got.Erased == "" || got.Erasures[0].State != "approved" {
			t.Errorf("%+v", got)
		}
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Errorf("verify: %v", err)
		}
	})
}

// nobodyEnters fails if an erased member, or an operator on the member's behalf, can sign
// in.
func (s *site) nobodyEnters(owner client, uid int64) {
	s.t.Helper()
	if _, result := s.visitor().login(uid, password); result == "Successfull" {
		s.t.Error("the erased member signs in")
	}
	s.visitor().post("ForgetPassword", m{"uid": uid, "otp": ""}).data()
	if got := s.letters(""); len(got) != 0 {
		s.t.Errorf("mail went to nobody: %+v", got)
	}
	owner.post("operator/ticket", m{"uid": uid, "reason": "only to look at it"}).refused(404)
	owner.post("operator/unblock", m{"uid": uid, "reason": "a mistake"}).says(422, "was erased")
	owner.post("operator/member/transactionPassword", m{"uid": uid, "reason": "it got lost"}).says(422, "was erased")
}

// standing is every balance, place and sum, as text.
func (s *site) standing() string {
	s.t.Helper()
	raw := testkit.Raw(s.t, s.dsn)
	defer func() { _ = raw.Close() }()
	var b strings.Builder
	for _, query := range []string{
		"SELECT COUNT(*), SUM(delta), SUM(balance_after), SUM(held_after) FROM entry",
		"SELECT COUNT(*), SUM(posted), SUM(held), SUM(version) FROM account",
		"SELECT COUNT(*), SUM(uid), SUM(parent * 7 + side), SUM(robot + forex + crypto) FROM place",
		"SELECT COUNT(*), SUM(uid), SUM(joined_at - 1790000000000000), SUM(country) FROM member",
	} {
		var n [4]int64
		if err := raw.QueryRow(query).Scan(&n[0], &n[1], &n[2], &n[3]); err != nil {
			s.t.Fatal(err)
		}
		fmt.Fprintln(&b, n)
	}
	return b.String()
}

// gone fails for every column of every table that still has one of the texts, except texts
// by operators.
func (s *site) gone(dsn string, texts ...string) {
	s.t.Helper()
	raw := testkit.Raw(s.t, dsn)
	defer func() { _ = raw.Close() }()
	for table, columns := range map[string]string{
		"member":         "name || last_name || father || email || mobile || birthday || address || about || nominee || wallet || bank_account || email_key || blocked_why",
		"member_email":   "email",
		"support_ticket": "query || reply",
		"session":        "peer || claimed_ip || agent",
		"outbox":         "recipient || subject || letter",
		"newsletter":     "email",
		"member_note":    "text",
		"trail":          "subject || was || became || reason",
		"command":        "actor || command_key",
	} {
		who := ""
		if table == "member" {
			who = " AND name <> 'Root Member'"
		}
		for _, text := range texts {
			var n int
			if err := raw.QueryRow("SELECT COUNT(*) FROM "+table+" WHERE "+columns+" LIKE $1"+who, "%"+text+"%").Scan(&n); err != nil {
				s.t.Fatal(err)
			}
			if n > 0 {
				s.t.Errorf("%q still stands in %s", text, table)
			}
		}
	}
}

func TestOpenRequestsPreventErasure(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	s.buy(uid, 1, "100")
	s.invest(uid, "500")
	s.login(uid, password).post("FundRequest", m{"uid": uid, "bankid": 1, "amount": "100", "utrno": "HDFC000000000001", "Fundtype": "FUNDS"}).into(&m{})
	raw := testkit.Raw(t, s.dsn)
	defer func() { _ = raw.Close() }()
	if _, err := raw.Exec(`INSERT INTO withdrawal (id, uid, wallet, type, amount, charge, net, address, state, needs_two, first_by, first_name, first_at, second_by, second_name,
		second_at, remark, decided_name, decided_at, batch, hash, requested_at, ready_at, sent_at, confirmed_at)
		VALUES (1, $1, 'FundBalance', 'USDT', 2, 0, 2, '0x', 'Pending', 0, 0, '', 0, 0, '', 0, '', '', 0, 0, '', 1, 1, 0, 0)`, uid); err != nil {
		t.Fatal(err)
	}
	s.earn(uid, "LevelIncome", "5")
	s.hire(auth.RoleFinance).post("operator/correction", m{"uid": id(uid), "wallet": "LevelIncome", "direction": "debit", "amount": "1", "reason": "what was paid twice"}).into(&m{})
	var kinds []string
	for _, o := range s.operator().erasures(uid).Obstacles {
		if !slices.Contains(kinds, o.Kind) {
			kinds = append(kinds, o.Kind)
		}
	}
	if got := strings.Join(kinds, " "); got != "unblocked balance withdrawal position request cooling correction" {
		t.Errorf("in the way: %s", got)
	}
	s.hire(auth.RoleSupport).get("operator/member/privacy?uid=" + id(uid)).refused(403)
}

func TestPersonalDataIsExported(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid, email := s.leaving()
		s.buy(uid, 1, "100")
		officer, helper := s.hire(auth.RoleCompliance), s.hire(auth.RoleSupport)
		helper.post("operator/member/note", m{"uid": uid, "text": "she called"}).into(&m{})
		helper.post("operator/member/export", m{"uid": uid, "reason": "she asked for it"}).refused(403)
		officer.post("operator/member/export", m{"uid": uid, "reason": "x"}).names("reason")
		officer.post("operator/member/export", m{"uid": 100000, "reason": "who is that"}).refused(404)
		a := officer.post("operator/member/export", m{"uid": uid, "reason": "she asked for it"})
		if a.status != 200 || a.header.Get("Content-Type") != "application/zip" || !strings.Contains(a.header.Get("Content-Disposition"), `attachment; filename="personal-data-`+id(uid)) {
			t.Fatalf("%d %v", a.status, a.header)
		}
		files := unzip(t, a.text)
		for kind, words := range map[string]string{
			"profile": "Alphason", "former-emails": "anna.alpha@mail.example", "place": `"side":"1"`, "sessions": "203.0.113.9", "tickets": "where is my money",
			"mails": email, "purchases": `"amount":"50.000000"`, "statements": `"amount":"100.000000"`, "notes": "she called", "record": "she asked for it",
			"incomes": "[]", "withdrawals": "[]", "newsletter": email,
		} {
			if !strings.Contains(files[kind+".json"], words) {
				t.Errorf("%s.json lacks %s: %s", kind, words, files[kind+".json"])
			}
		}
		if rows := s.login(uid, password).get("audit?uid=" + id(uid)).rows(); !strings.Contains(fmt.Sprint(rows), "personal data exported") {
			t.Errorf("the member sees %v", rows)
		}
	})
}

// unzip reads the files of an archive, each of which must be a JSON list.
func unzip(t *testing.T, text string) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader([]byte(text)), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		var rows []map[string]string
		if err := json.Unmarshal(raw, &rows); err != nil {
			t.Errorf("%s: %v in %s", f.Name, err, raw)
		}
		out[f.Name] = string(raw)
	}
	return out
}
