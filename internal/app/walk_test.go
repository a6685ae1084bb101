//go:build !race

package app

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// unrecorded are the operators' POST calls without an entry in the audit log, each with
// the reason.
var unrecorded = map[string]string{
	"close/preview":      "it commits nothing",
	"close/replay/start": "it computes beside the books",
	"plan/validate":      "it only checks a draft",
	"plan/whatif/start":  "it computes beside the books",
	"settings/validate":  "it only checks a draft",
	"prove":              "what is done with the proof stands in the log",
	"factor/begin":       "nothing holds before it is confirmed",
	"passkey/begin":      "a challenge",
	"passkey/prove":      "a challenge",
	"passkeys/begin":     "nothing holds before the passkey is added",
}

// walk makes operators' calls and records which ones left an entry.
type walk struct {
	t    *testing.T
	s    *site
	left map[string]bool
}

// on returns a client that walks.
func (w *walk) on(c client) walker { return walker{w, c} }

type walker struct {
	w *walk
	c client
}

// entries is the number of the last entry of the audit log.
func (w *walk) entries() int64 {
	w.t.Helper()
	found, _, err := auditlog.New(auditlog.Options{Store: w.s.db.AuditLog()}).List(w.t.Context(), auditlog.Filter{Limit: 1})
	if err != nil {
		w.t.Fatal(err)
	}
	if len(found) == 0 {
		return 0
	}
	return found[0].No
}

// does makes a call, which must succeed and leave an entry.
func (o walker) does(path string, body m) answer {
	o.w.t.Helper()
	if o.c.token != "" && path != "logout" {
		o.c.post("operator/prove", m{"proof": operatorPassword}) // its response does not matter here
	}
	return o.left(path, func() answer { return o.c.post("operator/"+path, body) })
}

func (o walker) left(path string, call func() answer) answer {
	o.w.t.Helper()
	before := o.w.entries()
	a := call()
	if a.status != http.StatusOK {
		o.w.t.Fatalf("%s: %d %s", path, a.status, a.text)
	}
	if o.w.entries() == before {
		o.w.t.Errorf("%s leaves no entry in the audit log", path)
	}
	o.w.left[path] = true
	return a
}

// A new call that writes needs a case here: a call that is neither made nor excused fails.
func TestEveryOperatorWriteIsAudited(t *testing.T) {
	t.Parallel()
	w := &walk{t: t, left: map[string]bool{}}
	w.people()
	w.accounts()
	w.money()
	w.books()
	w.installation()
	w.chain()
	for _, o := range w.s.operations() {
		short, operators := strings.CutPrefix(o.path, "operator/")
		if !operators || o.method != http.MethodPost {
			continue
		}
		if _, excused := unrecorded[short]; w.left[short] == excused {
			t.Errorf("%s: walked over %v, excused %v", short, w.left[short], excused)
		}
		delete(w.left, short)
	}
	for gone := range w.left {
		t.Errorf("there is no call %s", gone)
	}
}

// people makes operators' calls about members.
func (w *walk) people() {
	s := sqliteSite(w.t)
	w.s = s
	me, _ := s.anna()
	helper, officer := w.on(s.hire(auth.RoleSupport)), w.on(s.hire(auth.RoleCompliance))
	about := func(more m) m { return with(m{"uid": me.uid, "reason": "the member asked for it"}, more) }
	helper.does("ticket", about(nil))
	helper.does("member/note", m{"uid": me.uid, "text": "she called"})
	helper.does("member/flag", about(m{"flag": "watch", "raise": true}))
	officer.does("member/legalHold", about(m{"hold": true}))
	officer.does("member/export", about(nil))
	ticket := me.complain("Where is it?", "complaint")
	helper.does("tickets/assign", m{"id": ticket, "seen": 0})
	helper.does("tickets/answer", m{"id": ticket, "seen": 1, "reply": "It is here."})
	helper.does("tickets/close", m{"id": ticket, "seen": 2})
	helper.does("tickets/reopen", m{"id": ticket, "seen": 3, "reason": "the member called"})
	helper.does("tickets/complaint", m{"id": me.complain("And that?", ""), "seen": 0})
	s.clock.Advance(72 * time.Hour)
	helper, officer = w.on(s.hire(auth.RoleSupport)), w.on(s.hire(auth.RoleCompliance))
	owner := w.on(s.operator())
	me = s.login(me.uid, password)
	me.app()
	helper.does("member/factor/reset", about(nil))
	helper.does("member/transactionPassword", about(nil))
	s.login(me.uid, password)
	sessions := helper.c.get("operator/member?uid=" + id(me.uid)).data().(m)["sessions"].([]any)
	helper.does("member/sessions/end", about(m{"id": sessions[0].(m)["id"]}))
	officer.does("block", about(nil))
	officer.does("unblock", about(nil))

	uid, _ := s.leaving2()
	s.settle(uid)
	officer.does("block", m{"uid": uid, "reason": "the account is closed"})
	s.clock.Advance(time.Minute)
	officer.does("member/erasure/propose", m{"uid": uid, "reason": "the person asked for it"})
	e := owner.c.erasures(uid).Erasures[0]
	owner.does("member/erasure/decide", m{"id": e.ID, "digest": e.Digest, "approve": true})
}

// leaving2 is leaving beside an Anna Alpha.
func (s *site) leaving2() (int64, string) {
	s.t.Helper()
	uid := s.register(s.root.UID, tree.Right, "Zoe Omega")
	me := s.login(uid, password)
	s.deposit(uid, fund.Robot, "100")
	me.post("Helpdesk_By_User", m{"uid": uid, "query": "My name is Zoe, where is my money?"}).into(&m{})
	return uid, "zoe.omega@mail.example"
}

// accounts makes operators' calls about themselves and each other.
func (w *walk) accounts() {
	s := sqliteSite(w.t)
	w.s = s
	me, other := w.on(s.operator()), w.on(s.hire(auth.RoleOwner))
	session := func() any {
		for _, row := range me.c.get("operator/sessions").rows() {
			if row.(m)["current"] != true {
				return row.(m)["id"]
			}
		}
		return nil
	}
	s.operator()
	me.does("sessions/end", m{"id": session()})
	me.does("sessions/endOthers", nil)
	me.does("password", s.proof(m{"newPassword": otherPassword}))
	me.does("password", s.proof(m{"password": otherPassword, "newPassword": operatorPassword}))

	d := newDevice(w.t)
	var b begun
	me.c.post("operator/passkeys/begin", s.proof(m{"name": "Laptop"})).into(&b)
	var added struct{ Data struct{ ID string } }
	me.does("passkeys/add", d.make(b)).into(&added)
	w.on(s.visitor()).does("passkey/login", d.sign(s.challenge()))
	var list passkeyList
	me.c.get("operator/passkeys").into(&list)
	me.does("passkeys/remove", s.proof(m{"id": list.Data.Passkeys[0].ID}))

	const email = "fay@bifolia.example"
	var invited struct {
		Data struct {
			Operator string
			Proposal proposal
		}
	}
	me.does("invite", m{"email": email, "name": "Fay", "role": "support", "reason": "we need help"}).into(&invited)
	me.does("invite/again", m{"operator": invited.Data.Operator, "reason": "the mail was lost"})
	p := invited.Data.Proposal
	other.does("proposals/decide", m{"id": p.ID, "digest": p.Digest, "approve": true})
	operator, token := s.token(email)
	w.on(s.visitor()).does("accept", m{"operator": operator, "token": token, "password": operatorPassword})
	fay := w.on(s.home(email))
	var in struct{ Token string }
	fay.does("login", m{"email": email, "password": operatorPassword}).into(&in)
	fay.c.token = in.Token
	var begunFactor struct{ Data struct{ Secret string } }
	fay.c.post("operator/factor/begin", nil).into(&begunFactor)
	p2 := phone{c: fay.c, secret: begunFactor.Data.Secret}
	fay.does("factor/confirm", m{"code": p2.now()})
	fay.does("logout", nil)
	me.does("role", m{"operator": operator, "role": "finance", "reason": "she has moved"})
	me.does("factor/reset", m{"operator": operator, "reason": "the phone is lost"})
	me.does("end", m{"operator": operator, "reason": "she has left"})
}

// money makes operators' calls about deposits and withdrawals.
func (w *walk) money() {
	s := sqliteSite(w.t)
	w.s = s
	me, _ := s.earner("500")
	for _, number := range []string{"HDFC00000001", "HDFC00000002"} {
		me.post("FundRequest", m{"uid": id(me.uid), "bankid": 1, "amount": "50", "utrno": number})
	}
	maker := w.on(s.hire(auth.RoleFinance))
	rows := maker.c.get("operator/fundRequests?sort=id").rows()
	maker.does("fundRequests/approve", m{"id": rows[0].(m)["id"]})
	maker.does("fundRequests/reject", m{"id": rows[1].(m)["id"], "remark": "nothing came"})
	maker.does("fundRequests/release", m{"id": rows[1].(m)["id"], "remark": "the payer has shown it"})
	maker.does("deposits/sweep", m{"format": "csv"})

	var numbers []string
	for range 5 {
		numbers = append(numbers, me.withdraw("LevelIncome", "40"))
		s.clock.Advance(20 * time.Minute)
		me = s.login(me.uid, password)
	}
	maker = w.on(s.hire(auth.RoleFinance))
	checker := w.on(s.hire(auth.RoleOwner))
	maker.does("withdrawals/reject", m{"id": numbers[0], "remark": "look again"})
	for _, n := range numbers[1:] {
		maker.does("withdrawals/approve", m{"id": n})
	}
	w.byHand(maker, checker, numbers[1])

	batch := w.batch(maker, checker, numbers[2:4], true)
	maker.does("payouts/export", m{"batch": batch})
	maker.does("payouts/import", m{"batch": batch, "csv": "id,hash\n" + numbers[2] + "," + someHash[:len(someHash)-1] + "0\n"})
	checker.does("payouts/confirm", m{"batch": batch, "id": numbers[2]})
	maker.does("payouts/return", m{"batch": batch, "id": numbers[3], "reason": "nobody paid it"})
	maker.does("payouts/cancel", m{"batch": w.batch(maker, checker, numbers[4:], false)})
}

// byHand records a withdrawal as paid, not paid and paid again.
func (w *walk) byHand(maker, checker walker, number string) {
	maker.does("withdrawals/sent", m{"id": number, "hash": someHash})
	checker.does("withdrawals/failed", m{"id": number, "remark": "reverted on the chain"})
	maker.does("withdrawals/sent", m{"id": number, "hash": someHash})
	checker.does("withdrawals/confirm", m{"id": number})
}

// batch proposes a manual batch, and may approve it.
func (w *walk) batch(maker, checker walker, numbers []string, approve bool) any {
	var made, seen struct{ Data m }
	maker.does("payouts/propose", m{"way": "manual", "withdrawals": numbers}).into(&made)
	checker.c.get("operator/payouts/batch?batch=" + strings.TrimSuffix(id(int64(made.Data["id"].(float64))), ".0")).into(&seen)
	if approve {
		checker.does("payouts/approve", m{"batch": made.Data["id"], "digest": seen.Data["digest"]})
	}
	return made.Data["id"]
}

// books books, corrects and closes.
func (w *walk) books() {
	s, maker0, checker0 := atWork(w.t, testkit.SQLite(w.t))
	w.s = s
	maker, checker := w.on(maker0), w.on(checker0)
	propose := func(kind string, body m) (p bookingProposal) {
		w.t.Helper()
		maker.does(kind, body).into(&p)
		return p
	}
	decide := func(p bookingProposal) string {
		w.t.Helper()
		checker.does("booking/decide", m{"id": p.Data.ID, "digest": p.Data.Digest, "approve": true, "reason": ""}).into(&p)
		return p.Data.Booking
	}
	maker.left("evidence", func() answer { return maker.c.sendFile("a.csv", "a,b") })
	booked := decide(propose("pnl", m{"line": "FOREX", "amount": "100", "reference": "statement 7"}))
	propose("settle", m{"line": "FOREX", "amount": "90", "reference": "wire 1"})
	propose("booking/cancel", m{"booking": booked, "reason": "the wrong line"})
	maker.does("customer", m{"sid": id(s.root.UID), "name": "Rita Retail", "email": "rita@mail.example", "mobile": "9876543210", "countryid": "99"})
	s.deposit(s.root.UID, fund.Robot, "100")
	s.earned("30")
	var x correction
	maker.does("correction", fix(s.root.UID, "FUNDS", "credit", "12.5")).into(&x)
	checker.does("correction/decide", m{"id": x.Data.ID, "digest": x.Data.Digest, "approve": true, "reason": ""})

	s.clock.SetWall(time.Date(2026, 11, 17, 3, 0, 0, 0, time.UTC))
	maker, checker = w.on(s.hire(auth.RoleFinance)), w.on(s.operator())
	day := m{"day": "2026-11-16", "digest": maker.c.digest("2026-11-16")}
	maker.does("close/propose", day)
	checker.does("close/commit", day)

	sold := s.buy(s.register(s.root.UID, tree.Left, "Ben Gamma"), 5, "1000")
	s.clock.SetWall(testkit.Epoch.AddDate(0, 0, 182))
	if err := s.closeUntil("2027-05-15"); err != nil {
		w.t.Fatal(err)
	}
	maker = w.on(s.hire(auth.RoleFinance))
	propose("chargeback", m{"sale": sold, "reference": "a bank's letter"})
	propose("recall", m{"claim": "C-p" + id(s.root.UID), "amount": "20", "reference": "wire 8"})
}

// installation changes the plan, the brand and the settings.
func (w *walk) installation() {
	s := sqliteSite(w.t, "--demo", "false")
	w.s = s
	maker, checker := w.on(s.hire(auth.RoleFinance)), w.on(s.operator())
	const why = "the board decided so"
	maker.does("plan/propose", m{"from": "2026-11-17", "plan": sharper(w.t), "reason": why})
	var seen struct {
		Data struct{ Proposal struct{ Digest string } }
	}
	checker.c.get("operator/plan/proposal?version=sharper").into(&seen)
	checker.does("plan/approve", m{"version": "sharper", "digest": seen.Data.Proposal.Digest, "reason": why})
	checker.does("plan/cancel", m{"version": "sharper", "reason": why})

	var p change
	decide := func(path string) {
		w.t.Helper()
		checker.does(path, m{"id": p.Data.Proposal.ID, "digest": p.Data.Digest, "approve": true}).into(&p)
	}
	officer := w.on(s.hire(auth.RoleCompliance))
	officer.does("brand/propose", m{"body": riskier(w.t, "All of it may be lost."), "reason": why}).into(&p)
	decide("brand/decide")
	maker.does("settings/propose", m{"section": "usdt", "body": m{"usdt": newAddress}, "reason": why}).into(&p)
	decide("settings/decide")
	checker.does("settings/cancel", m{"id": p.Data.Proposal.ID, "reason": why})
}

// chain makes the calls that need a chain, also after a restore.
func (w *walk) chain() {
	t := w.t
	s := openChainSite(t, testkit.SQLite(t))
	w.s = s.site
	me, _ := s.earner("200")
	numbers := []string{me.withdraw("LevelIncome", "40"), me.withdraw("LevelIncome", "50")}
	maker, checker := w.on(s.hire(auth.RoleFinance)), w.on(s.hire(auth.RoleOwner))
	for _, n := range numbers {
		maker.does("withdrawals/approve", m{"id": n})
	}
	var batch, seen struct{ Data m }
	maker.does("payouts/propose", m{"way": "hot", "withdrawals": numbers[:1]}).into(&batch)
	one := id(int64(batch.Data["id"].(float64)))
	checker.c.get("operator/payouts/batch?batch=" + one).into(&seen)
	checker.does("payouts/approve", m{"batch": batch.Data["id"], "digest": seen.Data["digest"]})
	s.pay()
	maker.does("payouts/replace", m{"batch": batch.Data["id"], "id": numbers[0]})
	for range 3 {
		s.chain.Mine(deep)
		s.pay()
	}
	file := filepath.Join(t.TempDir(), "x.backup")
	if _, err := Backup(t.Context(), s.cfg, BackupRequest{Plain: true, Out: file, Environ: os.Environ()}); err != nil {
		t.Fatal(err)
	}
	var net money.Amount
	for _, row := range maker.c.get("operator/withdrawals?uid=" + id(me.uid)).rows() {
		if row.(m)["id"] == numbers[1] {
			net = money.MustParse(row.(m)["amount"].(string))
		}
	}
	s.chain.NotBefore(t, s.clock.Now())
	s.chain.Transfer(t, s.token, annasWallet, chaintest.Units(12, net.Micros())) // from somebody else
	s.chain.Mine(deep)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), s.cfg, RestoreRequest{From: file, Force: true, Environ: os.Environ()}); err != nil {
		t.Fatal(err)
	}
	if _, err := VerifyWith(t.Context(), s.cfg, VerifyOptions{NewAnchor: true}); err != nil {
		t.Fatal(err)
	}
	s.App = cheapApp(t, s.cfg, s.clock)
	maker = w.on(s.hire(auth.RoleFinance))
	maker.does("payouts/hold/settle", m{"reason": "the disk was lost"})
	for range 10 {
		s.pay()
		s.chain.Mine(deep)
	}
	var held struct {
		Data struct {
			ID     int64
			Digest string
			Found  []struct{ N int64 }
		}
	}
	if maker.c.get("operator/payouts/hold").into(&held); len(held.Data.Found) != 1 {
		t.Fatalf("found %+v beside a withdrawal of %v", held, net)
	}
	maker.does("payouts/hold/dismiss", m{"hold": held.Data.ID, "n": held.Data.Found[0].N, "reason": "the member's own money"})
	maker.c.get("operator/payouts/hold").into(&held)
	maker.does("payouts/hold/adopt", m{"reason": "looked at it", "digest": held.Data.Digest})
}
