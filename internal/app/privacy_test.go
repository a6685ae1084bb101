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

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/fund"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/testkit"
	"github.com/bifolia/bifolia/internal/tree"
)

func TestFlagsAreRaisedAndLoweredAndKeepTheirHistory(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		helper, reader, officer := s.hire(auth.RoleSupport), s.hire(auth.RoleReadOnly), s.hire(auth.RoleCompliance)
		raise := m{"uid": uid, "flag": "watch", "raise": true, "reason": "many small deposits"}
		reader.post("operator/member/flag", raise).refused(403)
		helper.post("operator/member/flag", m{"uid": uid, "flag": "legal hold", "raise": true, "reason": "x"}).names("flag", "reason")
		helper.post("operator/member/flag", m{"uid": 100000, "flag": "watch", "raise": true, "reason": "who is that"}).refused(404)
		helper.post("operator/member/flag", m{"uid": uid, "flag": "watch", "raise": false, "reason": "it never stood"}).refused(409)
		helper.post("operator/member/flag", raise, "Idempotency-Key", "k1").into(&m{})
		helper.post("operator/member/flag", raise, "Idempotency-Key", "k1").into(&m{}) // the same
		helper.post("operator/member/flag", raise, "Idempotency-Key", "k2").refused(409)
		helper.post("operator/member/legalHold", m{"uid": uid, "hold": true, "reason": "a court asked"}).refused(403)
		officer.post("operator/member/legalHold", m{"uid": uid, "hold": true, "reason": "a court asked"}).into(&m{})
		if got := marks(reader, uid); got != "watch, legal hold" {
			t.Errorf("raised are %q", got)
		}
		officer.post("operator/member/flag", m{"uid": uid, "flag": "watch", "raise": false, "reason": "looked into"}).into(&m{})
		officer.post("operator/member/legalHold", m{"uid": uid, "hold": false, "reason": "the court is done"}).into(&m{})
		if got := marks(reader, uid); got != "" {
			t.Errorf("raised are %q", got)
		}
		var page struct {
			Data [][]struct {
				Flag, Name, Reason, At string
				Raised                 bool
			}
			Next int64
		}
		reader.get("operator/member/flags?size=3&uid=" + id(uid)).into(&page)
		if f := page.Data[0]; len(f) != 3 || f[0].Flag != "legal hold" || f[0].Raised || f[2].Reason != "a court asked" || f[0].Name == "" || f[0].At == "" || page.Next != 2 {
			t.Errorf("%+v", page)
		}
		raw := testkit.Raw(t, dsn)
		defer func() { _ = raw.Close() }()
		if s.App.db.Engine() == "sqlite" { // on PostgreSQL the server's role has no right to
			if _, err := raw.Exec("UPDATE member_flag SET reason = 'another' WHERE id = 1"); err == nil {
				t.Error("a flag's row can be changed")
			}
		}
		var trail auditPage
		s.operator().get("operator/audit?member=" + id(uid)).into(&trail)
		if got := fmt.Sprint(trail.acts()); got != "[legal hold lifted flag lowered legal hold flag]" {
			t.Errorf("the record says %s", got)
		}
	})
}

// marks are a member's raised flags.
func marks(o client, uid int64) string {
	o.s.t.Helper()
	var got struct {
		Data struct{ Marks []struct{ Flag string } }
	}
	o.get("operator/member?uid=" + id(uid)).into(&got)
	var out []string
	for _, f := range got.Data.Marks {
		out = append(out, f.Flag)
	}
	return strings.Join(out, ", ")
}

func TestWhoSharesAPhoneAWalletABankAMailboxOrADeviceIsHintedAt(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		with := func(name, email, mobile string) int64 {
			f := form(s.root.UID, tree.Left, name)
			f["email"], f["mobile"] = email, mobile
			return s.registered(s.visitor().post("registration", f))
		}
		anna := with("Anna Alpha", "anna.alpha@gmail.com", "9876500001")
		twin := with("Anna Twin", "annaalpha+second@googlemail.com", "9876500001")
		mail := with("Anna Mail", "Anna.Alpha+x@gmail.com", "9876500002")
		bank := with("Ben Bank", "ben@mail.example", "9876500003")
		nobody := with("Carl Clear", "carl@mail.example", "9876500004")
		raw := testkit.Raw(t, dsn)
		defer func() { _ = raw.Close() }()
		if _, err := raw.Exec("UPDATE member SET bank_account = '12345678901', bank_ifsc = 'HDFC0000001', wallet = '0xAb' WHERE uid IN ($1, $2)", anna, bank); err != nil {
			t.Fatal(err)
		}
		here := s.visitor()
		for _, uid := range []int64{anna, nobody} {
			if _, result := here.login(uid, password); result != "Successfull" {
				t.Fatal(result)
			}
		}
		o := s.hire(auth.RoleReadOnly)
		var got struct {
			Data [][]struct {
				UID  string
				Ways []string
			}
		}
		o.get("operator/member/duplicates?uid=" + id(anna)).into(&got)
		found := map[string]string{}
		for _, a := range got.Data[0] {
			found[a.UID] = strings.Join(a.Ways, " ")
		}
		want := map[string]string{id(twin): "mobile e-mail", id(mail): "e-mail", id(bank): "wallet bank", id(nobody): "address"}
		if fmt.Sprint(found) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", found, want)
		}
		if first := got.Data[0][0]; len(first.Ways) != 2 {
			t.Errorf("the most alike is not first: %+v", got.Data[0])
		}
		o.get("operator/member/duplicates?uid=100000").refused(404)
		o.get("operator/member/duplicates").names("uid")
	})
}

func TestAMemberIsSignedOutRemotelyAndSeesWhy(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	phone, laptop, helper := s.login(uid, password), s.login(uid, password), s.hire(auth.RoleSupport)
	visit := s.visit(helper, uid)
	var mine struct {
		Data [][]struct {
			ID      string
			Current bool
		}
	}
	phone.get("sessions").into(&mine)
	one := mine.Data[0][slices.IndexFunc(mine.Data[0], func(r struct {
		ID      string
		Current bool
	},
	) bool {
		return r.Current
	})].ID
	end := func(o client, body m) answer { return o.post("operator/member/sessions/end", body) }
	end(s.hire(auth.RoleFinance), m{"uid": uid, "reason": "a stolen phone"}).refused(403)
	end(helper, m{"uid": uid, "id": one, "reason": "x"}).names("reason")
	end(helper, m{"uid": s.root.UID, "id": one, "reason": "somebody else's"}).refused(404)
	end(helper, m{"uid": uid, "id": one, "reason": "a stolen phone"}).into(&m{})
	end(helper, m{"uid": uid, "id": one, "reason": "a stolen phone"}).refused(404)
	phone.get("sessions").unauthenticated()
	laptop.get("sessions").into(&m{})
	end(helper, m{"uid": uid, "reason": "all of it was stolen"}).into(&m{})
	laptop.get("sessions").unauthenticated()
	visit.get("sessions").unauthenticated()
	if rows := s.login(uid, password).get("audit?uid=" + id(uid)).rows(); !strings.Contains(fmt.Sprint(rows[0]), "all of it was stolen") {
		t.Errorf("the member sees %v", rows)
	}
}

// leaving makes a member with a history: money came and went, a ticket, a
// profile, mails to two addresses, and somebody below.
func (s *site) leaving() (uid int64, email string) {
	s.t.Helper()
	uid = s.register(s.root.UID, tree.Left, "Anna Alpha")
	s.register(uid, tree.Left, "Ben Beta")
	pin := s.pin("anna.alpha@mail.example")
	me := s.login(uid, password)
	s.command(func(_ context.Context, tx *ledger.Tx, _ ledger.Rows) error {
		return fund.Deposit(tx, uid, fund.Robot, money.MustParse("100"), "d1")
	})
	form := profileForm(uid, pin)
	form["email"], form["mobile"] = "anna.new@mail.example", "9876543211"
	me.post("UpdateProfile", form).into(&m{})
	me.post("Helpdesk_By_User", m{"uid": uid, "query": "My name is Anna, where is my money?"}).into(&m{})
	s.visitor().post("newsletter", m{"email": "anna.new@mail.example"}).into(&m{})
	return uid, "anna.new@mail.example"
}

// settle takes what is in the way of erasing the member who is leaving.
func (s *site) settle(uid int64) {
	s.t.Helper()
	me := s.login(uid, password)
	me.post("FundTransferToUser", m{"referby": id(uid), "user_id": id(s.root.UID), "amount": "100", "wallettype": "FUNDS", "ctrans_password": s.pin("anna.alpha@mail.example")}).into(&m{})
	open, _, err := s.people.calls.Support.History(s.t.Context(), uid, 1, 1)
	if err != nil || len(open) != 1 {
		s.t.Fatal(open, err)
	}
	s.command(func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows) error {
		_, err := s.people.calls.Support.Reply(ctx, rows, open[0].ID, 1, "Dear Anna, it is there.", tx.Now())
		return err
	})
}

type erasure struct{ ID, Digest, State string }

func (c client) erasures(uid int64) (out struct {
	Erased    string
	Obstacles []struct{ Kind, Text string }
	Erasures  []erasure
}) {
	c.s.t.Helper()
	var got struct {
		Data struct {
			Erased    string
			Obstacles []struct{ Kind, Text string }
			Erasures  []erasure
		}
	}
	c.get("operator/member/privacy?uid=" + id(uid)).into(&got)
	return got.Data
}

func (c client) erase(e erasure, approve bool, header ...string) answer {
	c.s.t.Helper()
	return c.post("operator/member/erasure/decide", m{"id": e.ID, "digest": e.Digest, "approve": approve}, header...)
}

func TestPersonalDataIsErasedByTwoAndEverySumStays(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
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
		for _, words := range []string{"not blocked", "a legal hold: a court asked", "a balance of 100.000000 in L:FUND:FUNDS", "an open ticket"} {
			propose(maker).says(422, words)
		}
		s.settle(uid)
		maker.post("operator/member/legalHold", m{"uid": uid, "hold": false, "reason": "the court is done"}).into(&m{})
		session := s.login(uid, password)
		maker.post("operator/block", m{"uid": uid, "reason": "the account is closed"}).into(&m{})
		if got := maker.erasures(uid); len(got.Obstacles) != 0 {
			t.Fatalf("in the way: %+v", got.Obstacles)
		}
		owner.post("operator/member/note", m{"uid": uid, "text": "Anna Alpha called"}).into(&m{})
		propose(maker, "Idempotency-Key", "k1").into(&m{})
		propose(maker, "Idempotency-Key", "k1").into(&m{}) // the same
		propose(checker).says(409, "waits already")
		e := checker.erasures(uid).Erasures[0]
		maker.erase(e, true).says(403, "another owner or compliance officer")
		checker.erase(erasure{ID: e.ID, Digest: strings.Repeat("0", 64)}, true).says(422, "another digest")
		finance.erase(e, true).refused(403)
		owner.post("operator/proposals/decide", m{"id": e.ID, "digest": e.Digest, "approve": true}).refused(404) // not by the other way
		maker.post("operator/member/legalHold", m{"uid": uid, "hold": true, "reason": "another court asked"}).into(&m{})
		checker.erase(e, true).says(422, "another court asked")
		maker.post("operator/member/legalHold", m{"uid": uid, "hold": false, "reason": "it is done too"}).into(&m{})

		before := s.standing()
		checker.erase(e, true, "Idempotency-Key", "k2").into(&m{})
		checker.erase(e, true, "Idempotency-Key", "k2").into(&m{}) // the same
		checker.erase(e, true).says(409, "approved already")       // a replayed approval
		if after := s.standing(); after != before {
			t.Errorf("a sum changed:\n%s\n%s", before, after)
		}
		s.gone(dsn, "Anna", "Alpha", "anna.", "9876543211", "First Street", "where is my money", "Abel", "203.0.113.9")
		session.get("sessions").unauthenticated()
		if _, result := s.visitor().login(uid, password); result == "Successfull" {
			t.Error("the erased member signs in")
		}
		s.visitor().post("ForgetPassword", m{"uid": uid, "otp": ""}).data()
		if got := s.letters(""); len(got) != 0 {
			t.Errorf("mail went to nobody: %+v", got)
		}
		owner.post("operator/ticket", m{"uid": uid, "reason": "only to look at it"}).refused(404)
		owner.post("operator/unblock", m{"uid": uid, "reason": "a mistake"}).says(422, "was erased")
		owner.post("operator/member/transactionPassword", m{"uid": uid, "reason": "it got lost"}).says(422, "was erased")
		propose(maker).says(409, "was erased before")
		if got := maker.erasures(uid); got.Erased == "" || got.Erasures[0].State != "approved" {
			t.Errorf("%+v", got)
		}
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Errorf("verify: %v", err)
		}
	})
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

// gone fails for every column of every table that still has one of the texts,
// but for what operators wrote themselves.
func (s *site) gone(dsn string, texts ...string) {
	s.t.Helper()
	raw := testkit.Raw(s.t, dsn)
	defer func() { _ = raw.Close() }()
	for table, columns := range map[string]string{
		"member":         "name || last_name || father || email || mobile || birthday || address || about || nominee || wallet || bank_account || email_key || blocked_why",
		"member_email":   "email",
		"support_ticket": "query || reply",
		"session":        "peer || claimed_ip || agent",
		"outbox":         "recipient || subject || text || html",
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

func TestWhatIsOpenKeepsDataFromBeingErased(t *testing.T) {
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
	var kinds []string
	for _, o := range s.operator().erasures(uid).Obstacles {
		if !slices.Contains(kinds, o.Kind) {
			kinds = append(kinds, o.Kind)
		}
	}
	if got := strings.Join(kinds, " "); got != "unblocked balance withdrawal position request cooling" {
		t.Errorf("in the way: %s", got)
	}
	s.hire(auth.RoleSupport).get("operator/member/privacy?uid=" + id(uid)).refused(403)
}

func TestAllThatIsHeldAboutAPersonIsExported(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
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
