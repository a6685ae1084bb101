package app

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// correction is a correction in responses.
type correction struct {
	Data struct {
		ID, UID, Wallet, Direction, Into, Amount, Against, Reason, Balance, Available string
		State, Answer, Transfer, ProposedBy, DecidedBy                                string
		Own, MayApprove                                                               bool
		Payload, Digest                                                               string
	}
}

const wrongCredit = "The bank took its fee twice <14 Nov>"

func fix(uid int64, wallet, direction, amount string) m {
	return m{"uid": id(uid), "wallet": wallet, "direction": direction, "amount": amount, "reason": wrongCredit}
}

func (c client) correct(body m) (x correction) {
	c.s.t.Helper()
	c.post("operator/correction", body).into(&x)
	return x
}

func (c client) decideCorrection(x correction, approve bool, reason string, header ...string) answer {
	c.s.t.Helper()
	return c.post("operator/correction/decide", m{"id": x.Data.ID, "digest": x.Data.Digest, "approve": approve, "reason": reason}, header...)
}

// earned gives the company money, as final sales do.
func (s *site) earned(amount string) {
	s.t.Helper()
	a := money.MustParse(amount)
	s.command(func(_ context.Context, tx *ledger.Tx) error {
		_, err := tx.Post(ledger.Transfer{Kind: "test", Legs: []ledger.Leg{{Account: ledger.MustAccount("A:OPERATING"), Delta: a}, {Account: ledger.MustAccount("E:COMPANY"), Delta: a}}})
		return err
	})
}

// wronged is a site of two operators and a member with 100 in a fund and 50 of
// an income, and a company with 30.
func wronged(t *testing.T, dsn string) (s *site, maker, checker, me client) {
	t.Helper()
	s = openSite(t, dsn, "--demo", "false")
	s.deposit(s.root.UID, fund.Robot, "100")
	s.earn(s.root.UID, "binaryIncome", "50")
	s.earned("30")
	return s, s.hire(auth.RoleFinance), s.operator(), s.login(s.root.UID, rootPassword)
}

func TestCorrectionTakesTwoOperatorsAndCompanyMoney(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, maker, checker, me := wronged(t, dsn)
		wallet := "L:FUND:FUNDS:" + id(me.uid)
		x := maker.correct(fix(me.uid, "FUNDS", "credit", "12.5"))
		if d := x.Data; !d.Own || d.MayApprove || d.State != "waiting" || d.Balance != "100.000000" || d.Against != "company" || d.Transfer != "" {
			t.Errorf("the maker sees %+v", d)
		}
		s.sealed(x.Data.Payload, x.Data.Digest, `"kind":"correction"`, `"uid":`+id(me.uid), `"wallet":"FUNDS"`, `"direction":"credit"`, `"amount":"12.500000"`, `"against":"company"`, wrongCredit)
		before := s.counts("transfer", "entry")
		maker.decideCorrection(x, true, "").says(http.StatusForbidden, "Another operator must approve it")
		other := x
		other.Data.Digest = strings.Repeat("0", 64)
		checker.decideCorrection(other, true, "").says(http.StatusUnprocessableEntity, "has changed")
		other.Data.ID = "77"
		checker.decideCorrection(other, true, "").refused(http.StatusNotFound)
		for _, role := range []auth.Role{auth.RoleReadOnly, auth.RoleSupport, auth.RoleCompliance} {
			o := s.hire(role)
			o.post("operator/correction", fix(me.uid, "FUNDS", "credit", "1")).refused(http.StatusForbidden)
			o.decideCorrection(x, true, "").refused(http.StatusForbidden)
			o.get("operator/corrections").into(&m{})
		}
		s.databaseKeepsCorrections(dsn)
		if now := s.counts("transfer", "entry"); now != before {
			t.Errorf("nobody approved it, and still:\n%s\n%s", before, now)
		}

		first := checker.decideCorrection(x, true, "seen", "Idempotency-Key", "c1")
		first.into(&x)
		if again := checker.decideCorrection(x, true, "seen", "Idempotency-Key", "c1"); again.text != first.text || again.status != http.StatusOK {
			t.Errorf("replayed it answers %s, not %s", again.text, first.text)
		}
		checker.decideCorrection(x, true, "").says(http.StatusConflict, "already approved")
		maker.decideCorrection(x, false, "").says(http.StatusConflict, "already approved")
		if d := x.Data; d.State != "approved" || d.Balance != "112.500000" || d.DecidedBy != operatorEmail || !strings.HasSuffix(d.Transfer, d.Digest) {
			t.Errorf("approved it is %+v", d)
		}
		for code, want := range map[string]string{wallet: "112.5", "A:CLIENT": "112.5", "E:COMPANY": "17.5", "A:OPERATING": "17.5"} {
			s.has(code, want)
		}
		s.correctionIsTold(checker, me, x)
		s.correctionIsVerified(dsn)
	})
}

// databaseKeepsCorrections checks that the database rejects what the calls reject.
func (s *site) databaseKeepsCorrections(dsn string) {
	s.t.Helper()
	raw := testkit.Raw(s.t, dsn)
	defer func() { _ = raw.Close() }()
	for what, query := range map[string]string{
		"the maker approves":     "UPDATE correction SET state = 'approved', decided_by = proposed_by, decided_at = 1",
		"nobody approves":        "UPDATE correction SET state = 'approved'",
		"another amount":         "UPDATE correction SET amount = 1",
		"another member":         "UPDATE correction SET uid = uid + 1",
		"another reason":         "UPDATE correction SET reason = 'whatever it was'",
		"the maker refuses":      "UPDATE correction SET state = 'refused', decided_by = proposed_by",
		"somebody else takes it": "UPDATE correction SET state = 'withdrawn', decided_by = 99",
		"one begins approved": `INSERT INTO correction (id, uid, wallet, direction, into_wallet, amount, against, reason, corrects, proposed_by, proposed_name, proposed_at, state, decided_by, decided_name, decided_at, answer, alone)
			SELECT 9, uid, wallet, direction, into_wallet, amount, against, reason, corrects, proposed_by, proposed_name, proposed_at, 'approved', 99, 'x', 1, '', '' FROM correction`,
	} {
		if _, err := raw.Exec(query); err == nil {
			s.t.Errorf("the database lets pass: %s", what)
		}
	}
}

// correctionIsTold checks that the audit log has before and after, and that the member
// reads the reason.
func (s *site) correctionIsTold(checker, me client, x correction) {
	s.t.Helper()
	var trail auditPage
	checker.get("operator/audit?size=2&member=" + id(me.uid)).into(&trail)
	e := trail.Data[0][0]
	if e.Act != "correction" || e.Name != operatorEmail || e.Was["balance"] != "100.000000" || e.Became["balance"] != "112.500000" || e.Became["digest"] != x.Data.Digest ||
		e.Became["proposed by"] != x.Data.ProposedBy || e.Reason != wrongCredit {
		s.t.Errorf("the record says %+v", e)
	}
	history := me.get("audit?uid=" + id(me.uid)).rows()
	if len(history) != 1 || history[0].(m)["act"] != "correction" || history[0].(m)["amount"] != "12.500000" || history[0].(m)["reason"] != wrongCredit {
		s.t.Errorf("the account history says %v", history)
	}
	statement := me.get("statement?wallet=FUNDS&format=csv&uid=" + id(me.uid)).text
	if !strings.Contains(statement, "Correction: "+wrongCredit) || !strings.Contains(statement, "112.5") {
		s.t.Errorf("the statement says %s", statement)
	}
	received := me.post("FundTransferToUserHistory", m{"uid": id(me.uid), "action": 4}).text
	if !strings.Contains(received, `"Correction"`) {
		s.t.Errorf("what came in is %s", received)
	}
}

// wholeVerified fails unless 'bifolia verify' finds nothing.
func (s *site) wholeVerified() {
	s.t.Helper()
	if _, err := Verify(s.t.Context(), s.cfg, false, nil); err != nil {
		s.t.Errorf("verify: %v", err)
	}
}

// correctionIsVerified checks that verify finds every change of a correction.
func (s *site) correctionIsVerified(dsn string) {
	s.t.Helper()
	s.wholeVerified()
	raw := testkit.Raw(s.t, dsn)
	defer func() { _ = raw.Close() }()
	drop := []string{"DROP TRIGGER correction_keep ON correction"}
	if !strings.HasPrefix(dsn, "postgres") {
		drop = []string{"DROP TRIGGER correction_keep_words", "DROP TRIGGER correction_keep_decision", "DROP TRIGGER correction_no_delete"}
	}
	for _, query := range drop {
		if _, err := raw.Exec(query); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, c := range []struct{ change, back string }{
		{"UPDATE correction SET amount = amount + 1", "UPDATE correction SET amount = amount - 1"},
		{"UPDATE correction SET reason = reason || '!'", "UPDATE correction SET reason = '" + wrongCredit + "'"},
		{"UPDATE correction SET decided_by = decided_by + 100", "UPDATE correction SET decided_by = decided_by - 100"},
		{"UPDATE correction SET decided_name = 'x' || decided_name", "UPDATE correction SET decided_name = substr(decided_name, 2)"},
		{"UPDATE correction SET answer = 'x' || answer", "UPDATE correction SET answer = substr(answer, 2)"},
		{"UPDATE correction SET alone = 'demo'", "UPDATE correction SET alone = ''"},
		{"UPDATE correction SET state = 'refused'", "UPDATE correction SET state = 'approved'"},
		{"UPDATE correction SET id = 2", "UPDATE correction SET id = 1"},
		{"DELETE FROM correction", ""},
	} {
		if _, err := raw.Exec(c.change); err != nil {
			s.t.Fatalf("%s: %v", c.change, err)
		}
		if _, err := Verify(s.t.Context(), s.cfg, false, nil); err == nil || !strings.Contains(err.Error(), "correction") {
			s.t.Errorf("verify after %s: %v", c.change, err)
		}
		if c.back != "" {
			if _, err := raw.Exec(c.back); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

func TestCorrectionTakesAtMostTheBalanceAndPaysNoIncome(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, maker, checker, me := wronged(t, dsn)
		uid := me.uid
		for what, c := range map[string]struct {
			body   m
			fields []string
		}{
			"an income credited by hand": {fix(uid, "binaryIncome", "credit", "5"), []string{"wallet"}},
			"a fund moved":               {m{"uid": id(uid), "wallet": "FUNDS", "direction": "move", "into": "binaryIncome", "amount": "5", "reason": wrongCredit}, []string{"wallet"}},
			"an income moved to a fund":  {m{"uid": id(uid), "wallet": "binaryIncome", "direction": "move", "into": "FUNDS", "amount": "5", "reason": wrongCredit}, []string{"into"}},
			"all funds at once":          {fix(uid, "FundBalance", "debit", "5"), []string{"wallet"}},
			"nothing":                    {fix(uid, "FUNDS", "debit", "0"), []string{"amount"}},
			"less than nothing":          {fix(uid, "FUNDS", "credit", "-5"), []string{"amount"}},
			"no reason":                  {m{"uid": id(uid), "wallet": "FUNDS", "direction": "debit", "amount": "5", "reason": "mistake "}, []string{"reason"}},
			"a transfer that is not":     {m{"uid": id(uid), "wallet": "FUNDS", "direction": "debit", "amount": "5", "reason": wrongCredit, "corrects": "nothing"}, []string{"corrects"}},
		} {
			t.Log(what)
			maker.post("operator/correction", c.body).names(c.fields...)
		}
		maker.post("operator/correction", fix(999999, "FUNDS", "credit", "5")).refused(http.StatusNotFound)
		maker.post("operator/correction", fix(uid, "FUNDS", "credit", "30.000001")).says(http.StatusUnprocessableEntity, "company's own money")
		maker.post("operator/correction", fix(uid, "FUNDS", "debit", "100.000001")).says(http.StatusUnprocessableEntity, "Insufficient balance")
		maker.post("operator/correction", fix(uid, "FOREXFUNDS", "debit", "1")).says(http.StatusUnprocessableEntity, "Insufficient balance")

		// Held money is not available.
		income := ledger.MustAccount("L:INCOME:binaryIncome:" + id(uid))
		s.command(func(_ context.Context, tx *ledger.Tx) error {
			_, err := tx.PlaceHold(ledger.HoldRequest{Account: income, Amount: money.MustParse("40"), Reason: "a withdrawal", Reference: "w1", For: 24 * time.Hour})
			return err
		})
		maker.post("operator/correction", fix(uid, "binaryIncome", "debit", "11")).says(http.StatusUnprocessableEntity, "Insufficient balance")
		taken, moved := maker.correct(fix(uid, "binaryIncome", "debit", "4")), fix(uid, "binaryIncome", "move", "7")
		moved["into"] = "LevelIncome"
		late := maker.correct(moved)
		checker.decideCorrection(taken, true, "").into(&taken)
		for code, want := range map[string]string{income.String(): "6", "E:COMPANY": "34", "A:OPERATING": "34"} {
			s.has(code, want)
		}
		// Enough at the proposal, too little now.
		checker.decideCorrection(late, true, "").says(http.StatusUnprocessableEntity, "Insufficient balance")
		checker.decideCorrection(late, false, " ").names("reason")
		checker.decideCorrection(late, false, "the wrong wallet").into(&late)
		if late.Data.State != "refused" || late.Data.Answer != "the wrong wallet" {
			t.Errorf("refused it is %+v", late.Data)
		}
		moved["amount"] = "6"
		late = maker.correct(moved)
		checker.decideCorrection(late, true, "").into(&late)
		s.has("L:INCOME:LevelIncome:"+id(uid), "6")
		s.has(income.String(), "0")

		own := maker.correct(fix(uid, "FUNDS", "debit", "1"))
		maker.decideCorrection(own, false, "").into(&own)
		if own.Data.State != "withdrawn" {
			t.Errorf("withdrawn it is %+v", own.Data)
		}
		still := maker.correct(fix(uid, "FUNDS", "debit", "1"))
		s.wholeVerified()
		if err := s.ledger.Freeze(t.Context(), "a wrong row"); err != nil {
			t.Fatal(err)
		}
		checker.decideCorrection(still, true, "").says(http.StatusUnprocessableEntity, "Payments are frozen")
		s.has("L:FUND:FUNDS:"+id(uid), "100")
	})
}

// A deposit that never arrived is reversed without company money, at most once, and
// restored if it did arrive.
func TestDepositThatNeverArrivedIsReversed(t *testing.T) {
	t.Parallel()
	s, maker, checker, me := wronged(t, testkit.SQLite(t))
	var entries struct {
		Data [][]struct{ Transfer, Kind string }
	}
	checker.get("operator/member/entries?uid=" + id(me.uid) + "&account=L:FUND:FUNDS:" + id(me.uid)).into(&entries)
	body := fix(me.uid, "FUNDS", "debit", "80")
	body["corrects"] = entries.Data[0][0].Transfer
	x := maker.correct(body)
	if x.Data.Against != "cash" {
		t.Errorf("it is against %s", x.Data.Against)
	}
	body["amount"] = "21"
	maker.post("operator/correction", body).names("corrects")
	body["direction"] = "credit"
	maker.post("operator/correction", body).names("corrects")
	checker.decideCorrection(x, true, "").into(&x)
	for code, want := range map[string]string{"L:FUND:FUNDS:" + id(me.uid): "20", "A:CLIENT": "20", "E:COMPANY": "30"} {
		s.has(code, want)
	}
	body["amount"], body["corrects"] = "80", x.Data.Transfer
	back := maker.correct(body)
	checker.decideCorrection(back, true, "").into(&back)
	for code, want := range map[string]string{"L:FUND:FUNDS:" + id(me.uid): "100", "A:CLIENT": "100", "E:COMPANY": "30"} {
		s.has(code, want)
	}
	s.wholeVerified()
	// A replayed history has the deposits, so that they can be spent.
	h, err := s.db.History(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var put []string
	for _, e := range h.Events {
		if strings.Contains(string(e.Body), `"deposit"`) {
			put = append(put, string(e.Body))
		}
	}
	if len(put) != 2 || !strings.Contains(put[0], `"100.000000"`) || !strings.Contains(put[1], `"80.000000"`) || !strings.Contains(put[1], `"FUNDS"`) || !strings.Contains(put[1], id(me.uid)) {
		t.Errorf("put in was %v", put)
	}
}

// Closes use the balances after corrections and are reproducible: here a chargeback finds
// an income debited and moved, and so becomes a debt. In a demo one operator is enough,
// which the audit log records.
func TestCloseAfterACorrectionIsReplayed(t *testing.T) {
	t.Parallel()
	s := openSite(t, testkit.SQLite(t))
	left := s.register(s.root.UID, tree.Left, "Lena Links")
	s.buy(s.root.UID, 5, "1000")
	s.clock.SetWall(time.Date(2026, 11, 16, 3, 0, 0, 0, time.UTC))
	sold := s.buy(left, 5, "1000")
	s.clock.SetWall(time.Date(2026, 12, 2, 3, 0, 0, 0, time.UTC))
	if err := s.closeUntil("2026-12-01"); err != nil {
		t.Fatal(err)
	}
	one := s.operator()
	earned, company := s.balance("L:INCOME:LevelIncome:"+id(s.root.UID)).Available, s.balance("E:COMPANY").Available
	if earned.Less(money.MustParse("2")) {
		t.Fatalf("the sponsor has %s", earned)
	}
	rest, err := earned.Sub(money.MustParse("1"))
	if err != nil {
		t.Fatal(err)
	}
	move := fix(s.root.UID, "LevelIncome", "move", rest.String())
	move["into"] = "binaryIncome"
	for _, body := range []m{fix(s.root.UID, "LevelIncome", "debit", "1"), move, fix(left, "FOREXFUNDS", "credit", "25")} {
		x := one.correct(body)
		one.decideCorrection(x, true, "").into(&x)
		if !strings.HasSuffix(x.Data.Transfer, "/demo") {
			t.Errorf("one alone posted %s", x.Data.Transfer)
		}
	}
	s.has("L:INCOME:LevelIncome:"+id(s.root.UID), "0")
	s.has("L:FUND:FOREXFUNDS:"+id(left), "25")
	if now, err := company.Sub(money.MustParse("24")); err != nil || s.balance("E:COMPANY").Available != now {
		t.Errorf("the company has %s, and had %s", s.balance("E:COMPANY").Available, company)
	}
	one.approved(one.propose("chargeback", m{"sale": sold, "reference": "the bank took it back"}))
	s.clock.SetWall(time.Date(2026, 12, 3, 3, 0, 0, 0, time.UTC))
	if err := s.closeUntil("2026-12-02"); err != nil {
		t.Fatal(err)
	}
	s.wholeVerified()
	for _, day := range []string{"2026-11-30", "2026-12-02"} {
		if r := s.operator().replay(day); r.Data.Result == nil || !r.Data.Result.Equal {
			t.Errorf("the replay of %s: %+v %+v", day, r.Data, r.Data.Result)
		}
	}
}
