package app

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// reportTypes are all types of GetIncomeReport.
var reportTypes = []string{
	"LevelIncome", "binaryIncome", "salaryincome", "royalty_income", "user_rank", "RoiIncomeForex", "RoiToLevelIncomeForex", "RoiIncomeCrypto",
	"RoiToLevelIncomeCrypto", "FOREXWithdrawalCliam", "CRYPTOWithdrawalCliam", "Packages", "ForexPackage", "CryptoPackage", "DirectLegBusiness",
	"RoiIncome", "RoiToLevelIncome", "user_reward", "WithdrawlHistory",
}

// reported is a response of GetIncomeReport.
type reported struct {
	Data  [][]m
	Total int
	Sum   string
	Paid  string
}

func (c client) report(kind string, more m) (got reported) {
	c.s.t.Helper()
	c.post("GetIncomeReport", with(m{"uid": c.uid, "type": kind}, more)).into(&got)
	if len(got.Data) != 1 || got.Data[0] == nil || got.Sum == "" {
		c.s.t.Fatalf("%s answered %+v", kind, got)
	}
	return got
}

// shows fails unless the fields of a row are these.
func (s *site) shows(what string, row, want m) {
	s.t.Helper()
	for k, v := range want {
		if row[k] != v {
			s.t.Errorf("%s: %s is %v, want %v: %v", what, k, row[k], v, row)
		}
	}
}

// deposit puts money into a member's fund.
func (s *site) deposit(uid int64, k fund.Kind, amount string) {
	s.t.Helper()
	s.command(func(_ context.Context, tx *ledger.Tx) error {
		return fund.Deposit(tx, uid, k, money.MustParse(amount), "for the test")
	})
}

// bought is a site where Anna paid Robot packages for the sponsor and herself
// and invested; nothing is closed yet.
func bought(t *testing.T, dsn string) (s *site, root, anna client) {
	t.Helper()
	s = openSite(t, dsn)
	uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
	pin := s.pin("anna.alpha@mail.example")
	s.deposit(uid, fund.Robot, "600")
	s.deposit(uid, fund.Kind("FOREXFUNDS"), "1000")
	root, anna = s.login(s.root.UID, rootPassword), s.login(uid, password)
	packages := anna.report("ForexPackage", nil).Data[0]
	for _, k := range []struct {
		call string
		body m
	}{
		{"ActivationByFund", m{"user_id": s.root.UID, "package": 2, "type": "FUNDS"}},
		{"ActivationByFund", m{"user_id": uid, "package": 4, "type": "FUNDS"}},
		{"ActivationByFund_investment", m{"user_id": uid, "package": packages[0]["id"], "amount": 100, "type": "FOREXFUNDS"}},
	} {
		s.clock.Advance(time.Second)
		a := anna.post(k.call, with(k.body, m{"referby": uid, "ctrans_password": pin}))
		if data, _ := a.data().(m); data["RESULT"] != "Successfully Activated...!!!" {
			t.Fatalf("%s answered %s", k.call, a.text)
		}
	}
	return s, root, anna
}

// A thief of an account buys for an accomplice.
func TestPurchaseForAnotherMemberIsMailedToItsPayer(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, root, anna := bought(t, dsn)
		var told []letter
		for _, l := range s.letters("anna.alpha@mail.example") {
			if strings.Contains(l.Subject, "for another") {
				told = append(told, l)
			}
		}
		if len(told) != 1 { // of three purchases two were for anna
			t.Fatalf("%d letters: %+v", len(told), told)
		}
		for _, part := range []string{"account " + id(anna.uid), "Your Robot Fund", "(user ID " + id(root.uid) + ")", "If this wasn't you"} {
			if !strings.Contains(told[0].Text, part) {
				t.Errorf("the mail lacks %q:\n%s", part, told[0].Text)
			}
		}
	})
}

func TestTheOverviewShowsWhatIsOpen(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, _, anna := bought(t, dsn)
		o := anna.post("DashboardOverview", m{"uid": anna.uid}).data().(m)
		s.shows("the overview", o, m{
			"available": "0.000000", "today": "2026-11-15", "earned": "0.000000", "month": "0.000000", "loss": "0.000000",
			"hasAddress": false, "hasFactor": false,
		})
		cooling, _ := o["cooling"].(m)
		s.shows("cooling", cooling, m{"until": "2026-11-29", "count": 2.0})
	})
}

func TestPurchasesAndReturnsAreMailedToPayerAndOwner(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, _, anna := bought(t, dsn)
		pin := s.pin("anna.alpha@mail.example")
		for _, row := range anna.get("refundable?uid=" + id(anna.uid)).rows() {
			s.clock.Advance(time.Second)
			anna.post("RefundPurchase", m{"uid": id(anna.uid), "sale": row.(m)["id"], "ctrans_password": pin}).into(&m{})
		}
		const rootsMail = "root@bifolia.example"
		for to, subjects := range map[string][]string{
			"anna.alpha@mail.example": {"You paid $100.00 for another Bifolia member", "Your Bifolia package: receipt for", "Your Bifolia investment of $100.00", "A Bifolia package was returned"},
			rootsMail:                 {"You have a new Bifolia package", "A Bifolia package was returned"},
		} {
			var got []string
			for _, l := range s.letters(to) {
				got = append(got, l.Subject)
			}
			for _, subject := range subjects {
				if !strings.Contains(strings.Join(got, "\n"), subject) {
					t.Errorf("%s got no %q: %q", to, subject, got)
				}
			}
		}
	})
}

func TestHistoriesShowPayersAndRefundablePurchases(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, root, anna := bought(t, dsn)
		rows := func(c client, code int, more m) []any {
			return c.post("ActivationHistory", with(m{"uid": c.uid, "sid": c.uid, "type": code}, more)).rows()
		}
		mine := rows(anna, 1, nil)
		if len(mine) != 1 {
			t.Fatalf("Anna's history is %v", mine)
		}
		s.shows("Anna's", mine[0].(m), m{
			"f_name": "Anna Alpha", "uid": id(anna.uid), "referby": id(anna.uid), "Amount": "500.000000", "pp": "Robot Plus", "remark": "Activation",
			"type": "FUNDS", "dd": "2026-11-15", "state": "cooling", "refundable": true, "row": 1.0,
		})
		s.shows("the root's", rows(root, 1, nil)[0].(m), m{"uid": id(root.uid), "referby": id(anna.uid), "Amount": "100.000000", "refundable": false})
		s.shows("the downline's", rows(root, 5, nil)[0].(m), m{"uid": id(anna.uid), "Amount": "500.000000", "refundable": false})
		s.shows("Forex", rows(anna, 10, nil)[0].(m), m{"Amount": "100.000000", "type": "FOREXFUNDS", "state": "open", "refundable": false})
		s.shows("Forex below", rows(root, 11, nil)[0].(m), m{"uid": id(anna.uid), "type": "FOREXFUNDS"})
		for code, n := range map[int]int{8: 0, 9: 0, 5: 0, 11: 0} {
			if got := rows(anna, code, nil); len(got) != n {
				t.Errorf("code %d: %v", code, got)
			}
		}
		for days, n := range map[[2]string]int{{"2026-11-15", "2026-11-15"}: 1, {"2026-11-16", ""}: 0, {"", "2026-11-14"}: 0} {
			for _, k := range []struct {
				c    client
				code int
			}{{anna, 1}, {root, 5}} {
				if got := rows(k.c, k.code, m{"fdate": days[0], "tdate": days[1]}); len(got) != n {
					t.Errorf("%v: %v", days, got)
				}
			}
		}
		// Also purchases for an upline member, whom no history of Anna's shows.
		back := anna.get("refundable?uid=" + id(anna.uid)).rows()
		if len(back) != 2 {
			t.Fatalf("Anna can give back %v", back)
		}
		for _, row := range back {
			s.shows("what Anna paid", row.(m), m{"referby": id(anna.uid), "refundable": true, "state": "cooling"})
		}
		if got := root.get("refundable?uid=" + id(root.uid)).rows(); len(got) != 0 {
			t.Errorf("who paid nothing can give back %v", got)
		}
		anna.post("ActivationHistory", m{"uid": root.uid, "type": 1}).refused(http.StatusForbidden)
		anna.post("ActivationHistory", m{"uid": anna.uid, "sid": root.uid, "type": 1}).refused(http.StatusForbidden)
		anna.post("ActivationHistory", m{"uid": anna.uid, "type": 2, "page": 0}).names("type", "page")
	})
}

// What is left after a refund is always a package that was bought.
func TestAnUpgradeIsReturnedBeforeItsPackage(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		pin := s.pin("anna.alpha@mail.example")
		s.deposit(uid, fund.Robot, "600")
		root, anna := s.login(s.root.UID, rootPassword), s.login(uid, password)
		for i, call := range []string{"ActivationByFund", "UpgradebyFund", "UpgradebyFund"} {
			s.clock.Advance(time.Second)
			anna.post(call, m{"referby": uid, "user_id": uid, "package": i + 1, "type": "FUNDS", "ctrans_password": pin})
		}
		history := func(c client, code int) (out []m) {
			for _, row := range c.post("ActivationHistory", m{"uid": c.uid, "sid": c.uid, "type": code}).rows() {
				out = append(out, row.(m))
			}
			return out
		}
		mine := history(anna, 1)
		for i, want := range []m{
			{"refundable": true, "upgraded": nil, "return_until": "2026-11-29", "return_days": 14.0},
			{"refundable": false, "upgraded": true},
			{"refundable": false, "upgraded": true},
		} {
			s.shows("three purchases", mine[i], want)
		}
		back := func(sale any) m {
			s.clock.Advance(time.Second)
			return anna.post("RefundPurchase", m{"uid": uid, "sale": sale, "ctrans_password": pin}).data().(m)
		}
		for _, row := range mine[1:] {
			s.shows("below an upgrade", back(row["id"]), m{"code": "sale.newer_first"})
		}
		s.shows("the newest", back(mine[0]["id"]), m{"RESULT": "Refunded Successfully"})
		s.shows("the next", back(mine[1]["id"]), m{"RESULT": "Refunded Successfully"})
		for _, rows := range [][]m{history(anna, 1), history(root, 5)} {
			for i, want := range []m{{"state": "refunded", "refunded": "2026-11-15"}, {"state": "refunded", "refunded": "2026-11-15"}, {"state": "cooling", "refunded": nil}} {
				s.shows("two refunds", rows[i], want)
			}
		}
		for i, row := range root.post("GetDashRecentData", m{"uid": root.uid, "type": 2}).rows() {
			want := m{"refunded": true}
			if i == 2 {
				want = m{"refunded": nil, "amount": "50.000000"}
			}
			s.shows("today in the team", row.(m), want)
		}
		var got struct{ Data [][]m }
		root.post("binaryTree", m{"loginId": id(s.root.UID)}).into(&got)
		s.shows("in the tree", got.Data[0][1], m{"packageName": "Education", "packageamount": "50.000000"})
	})
}

func TestLessonsOpenWithAPackage(t *testing.T) {
	t.Parallel()
	s, _, anna := bought(t, testkit.SQLite(t))
	read := func(c client) (first m, owner any, n int) {
		t.Helper()
		data := c.get("lessons?uid=" + id(c.uid)).data().(m)
		list := data["lessons"].([]any)
		return list[0].(m), data["owner"], len(list)
	}
	first, owner, n := read(anna)
	if n != 4 || owner != true || len(first["paragraphs"].([]any)) != 3 {
		t.Errorf("an owner reads %d lessons: %v, %v", n, owner, first)
	}
	bert := s.login(s.register(s.root.UID, tree.Right, "Bert Beta"), password)
	if first, owner, n = read(bert); n != 4 || owner != false || len(first["paragraphs"].([]any)) != 0 {
		t.Errorf("without a package one reads %d lessons: %v, %v", n, owner, first)
	}
	if page := anna.get("brand").text; strings.Contains(page, "lesson-") {
		t.Error("the public brand tells the lessons")
	}
	anna.get("lessons?uid=" + id(bert.uid)).refused(http.StatusForbidden)
}

func TestAPackageOfALineTellsItsTermAndItsSplit(t *testing.T) {
	t.Parallel()
	s, _, anna := bought(t, testkit.SQLite(t))
	s.shows("a package", anna.report("ForexPackage", nil).Data[0][0], m{"term": 180.0, "ends": "2027-05-14", "member_ppm": 700000.0, "fee_ppm": 200000.0, "level_ppm": 100000.0})
	s.shows("a Robot package", anna.report("Packages", nil).Data[0][1], m{"capingamount": "50.000000", "term": nil})
	s.shows("a history", anna.post("ActivationHistory", m{"uid": anna.uid, "sid": anna.uid, "type": 10}).rows()[0].(m), m{"term": 180.0, "ends": "2027-05-14"})
	list := anna.get("investments?line=FOREX&uid=" + id(anna.uid)).rows()
	if len(list) != 1 {
		t.Fatalf("Anna's investments are %v", list)
	}
	s.shows("an investment", list[0].(m), m{"Amount": "100.000000", "dd": "2026-11-15", "ends": "2027-05-14", "term": 180.0, "days_gone": 0.0, "state": "open", "result": "0.000000", "netamount": nil, "ready": false})
}

func TestIncomesOfACloseAreReportedAndExplained(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, _, anna := bought(t, dsn)
		pending := anna.report("user_reward", nil)
		s.clock.Advance(15 * 24 * time.Hour)
		day, err := plan.ParseDay("2026-11-29")
		if err != nil {
			t.Fatal(err)
		}
		closed, err := s.closing.Commit(t.Context(), day, "")
		if err != nil {
			t.Fatal(err)
		}
		root, anna := s.login(s.root.UID, rootPassword), s.login(anna.uid, password)
		got := root.report("LevelIncome", nil)
		if got.Total != 1 || got.Sum != "40.000000" {
			t.Fatalf("the root's level incomes are %+v", got)
		}
		row := got.Data[0][0]
		s.shows("level", row, m{"uid": id(anna.uid), "onamount": "500.000000", "lvl": 1.0, "income": "40.000000", "remark": "Level income", "ss": "Release", "dd": "2026-11-29", "sno": 1.0})
		var why struct{ Data m }
		root.post("IncomeWhy", m{"uid": root.uid, "row": row["row"]}).into(&why)
		s.shows("why", why.Data, m{"t": "Level", "rate_ppm": 80000.0, "factor_ppm": 1e6, "nominal": "40.000000", "paid": "40.000000"})
		s.shows("its close", why.Data["close"].(m), m{"day": "2026-11-29", "digest": closed.Digest, "plan": "default-1"})
		s.shows("its sale", why.Data["source"].(m), m{"kind": "sale", "amount": "500.000000", "state": "final"})
		anna.post("IncomeWhy", m{"uid": anna.uid, "row": row["row"]}).refused(http.StatusNotFound)
		anna.post("IncomeWhy", m{"uid": root.uid, "row": row["row"]}).refused(http.StatusForbidden)
		anna.post("IncomeWhy", m{"uid": anna.uid}).names("row")

		s.shows("the dashboard", root.post("userDashboard", m{"uid": root.uid}).rows()[0].(m), m{"levelincome": "40.000000", "Binary_Income": "0.000000"})
		for wallet, want := range map[string]string{"LevelIncome": "40.000000", "binaryIncome": "0.000000", "FundBalance": "0.000000"} {
			if a := root.get("getIncomeAmount?sid=" + id(root.uid) + "&type=" + wallet).result(); a != want {
				t.Errorf("%s: %s, want %s", wallet, a, want)
			}
		}
		if a := anna.get("getIncomeAmount?type=FundBalance&sid=" + id(anna.uid)).result(); a != "900.000000" {
			t.Errorf("Anna's funds: %s", a)
		}
		anna.get("getIncomeAmount?type=LevelIncome&sid=" + id(root.uid)).refused(http.StatusForbidden)
		anna.get("getIncomeAmount?type=FUNDS&sid=" + id(anna.uid)).names("type")

		reward := root.report("user_reward", nil)
		if reward.Total != len(plan.Default().Rewards) || pending.Total != reward.Total {
			t.Errorf("%d and %d rewards", pending.Total, reward.Total)
		}
		s.shows("the next reward", reward.Data[0][0], m{"achieved_ss": "pending", "leg1": "500.000000", "otherleg": "0.000000", "ad": "", "lvl": 1.0, "row": 0.0})
		s.shows("Anna's next reward", pending.Data[0][0], m{"leg1": "0.000000"})
	})
}

func TestReportsAreForTheirMemberOnly(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, root, anna := bought(t, dsn)
		p := plan.Default()
		lengths := map[string]int{
			"Packages": len(p.RobotPackages), "ForexPackage": len(p.Lines["FOREX"].Packages), "CryptoPackage": len(p.Lines["CRYPTO"].Packages),
			"user_rank": len(p.Ranks), "user_reward": len(p.Rewards), "DirectLegBusiness": 1,
		}
		for _, kind := range reportTypes {
			if got := root.report(kind, m{"fdate": "", "tdate": ""}); got.Total != lengths[kind] || len(got.Data[0]) != lengths[kind] {
				t.Errorf("%s: %+v, want %d rows", kind, got, lengths[kind])
			}
			anna.post("GetIncomeReport", m{"uid": root.uid, "type": kind}).refused(http.StatusForbidden)
			if got := root.report(kind, m{"page": 1000, "size": 500}); len(got.Data[0]) != 0 {
				t.Errorf("page 1000 of %s: %+v", kind, got)
			}
			anna.post("GetIncomeReport", m{"uid": anna.uid, "type": kind, "page": "x", "size": 501, "fdate": "1.1.2026"}).names("page", "size", "fdate")
			anna.post("GetIncomeReport", m{"uid": anna.uid, "type": kind, "fdate": "2026-01-02", "tdate": "2026-01-01"}).names("tdate")
			anna.post("GetIncomeReport", m{"uid": anna.uid, "type": kind, "sort": "password"}).names("sort")
		}
		s.shows("a package", root.report("Packages", nil).Data[0][1], m{"id": "2", "planname": "Robot Starter", "amount": "100.000000", "row": 2.0, "fromamount": nil})
		first := p.Lines["FOREX"].Packages[0]
		s.shows("a Forex package", root.report("ForexPackage", nil).Data[0][0], m{"planname": first.Name, "fromamount": first.From.String(), "toamount": first.To.String()})
		s.shows("a leg", root.report("DirectLegBusiness", nil).Data[0][0], m{"uid": id(anna.uid), "SelfBusinessForex": "100.000000", "TeamBusinessForex": "0.000000"})
		anna.post("GetIncomeReport", m{"uid": anna.uid, "type": "Everything"}).names("type")
		anna.post("GetIncomeReport", m{"uid": anna.uid}).names("type")
	})
}
