package app

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/demo"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// brief is a short history, and the time after it.
var (
	brief   = demo.Mark{Size: demo.Size{Members: 100, Days: 24}, Last: demo.Last(testkit.Epoch)}
	morning = testkit.Epoch.Add(7 * time.Hour)
)

func builds(t *testing.T, cfg config.Config) {
	t.Helper()
	if err := buildDemo(t.Context(), cfg, testkit.Log(), brief, nil); err != nil {
		t.Fatal(err)
	}
}

// digests are those of all closed days; verify must pass.
func digests(t *testing.T, cfg config.Config) (all []string) {
	t.Helper()
	if _, err := Verify(t.Context(), cfg, false, nil); err != nil {
		t.Fatal(err)
	}
	db := testkit.Raw(t, cfg.DB)
	defer func() { _ = db.Close() }()
	rows, err := db.Query("SELECT digest FROM close_day ORDER BY day")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var d string
		if err := rows.Scan(&d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestDemoIsTheSameOnBothEnginesAndAfterAnInterruption(t *testing.T) {
	t.Parallel()
	first := testConfig(t, "--db", testkit.SQLite(t), "--demo", "true")
	builds(t, first)
	want := digests(t, first)
	if len(want) != brief.Days {
		t.Fatalf("%d days are closed", len(want))
	}
	testkit.Engines(t, func(t *testing.T, dsn string) {
		cfg := testConfig(t, "--db", dsn, "--demo", "true")
		for _, percent := range []int64{0, 50} { // at the first step, and in the middle
			ctx, stop := context.WithCancel(t.Context())
			err := buildDemo(ctx, cfg, testkit.Log(), brief, func(done int64, _ string) {
				if done >= percent {
					stop()
				}
			})
			stop()
			if err == nil {
				t.Fatalf("stopped at %d %%, it is whole", percent)
			}
			if _, whole, err := demoMark(t.Context(), cfg, brief); err != nil || whole {
				t.Fatalf("stopped at %d %%: %v, %v", percent, whole, err)
			}
			if _, err := New(t.Context(), cfg, testkit.Log()); err == nil || !strings.Contains(err.Error(), "'bifolia demo' builds the rest") {
				t.Fatalf("half a history is served: %v", err)
			}
		}
		// Another size continues the one that was started.
		other := brief
		other.Members++
		if err := buildDemo(t.Context(), cfg, testkit.Log(), other, nil); err != nil {
			t.Fatal(err)
		}
		if got := digests(t, cfg); !slices.Equal(got, want) {
			t.Errorf("the days differ:\n%v\n%v", got, want)
		}
		builds(t, cfg) // it is complete: nothing happens
		if got := digests(t, cfg); !slices.Equal(got, want) {
			t.Error("building it again changed it")
		}
	})
}

func TestDemoIsNotBuiltInADatabaseInUse(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	err := buildDemo(t.Context(), s.cfg, testkit.Log(), brief, nil)
	if !errors.Is(err, ErrNoDemo) {
		t.Errorf("it says %v", err)
	}
	tiny := brief
	tiny.Members = 3
	if err := buildDemo(t.Context(), testConfig(t), testkit.Log(), tiny, nil); !errs.Is(err, errs.Invalid) {
		t.Errorf("three members: %v", err)
	}
}

// demoSite is a site on a demo's history, the morning after it ends.
func demoSite(t *testing.T) (*site, demo.SignIns) {
	t.Helper()
	cfg := testConfig(t, "--db", testkit.SQLite(t), "--demo", "true")
	builds(t, cfg)
	s := &site{t: t, dsn: cfg.DB, clock: clock.NewFake(morning)}
	s.App = cheapApp(t, cfg, s.clock)
	who, err := demo.Who()
	if err != nil {
		t.Fatal(err)
	}
	return s, who
}

func (s *site) loginDemo(w demo.Member) client {
	s.t.Helper()
	uid, err := strconv.ParseInt(w.UID, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.login(uid, w.Password)
}

func TestDemoHasHistoryAndAcceptsOperations(t *testing.T) {
	t.Parallel()
	s, who := demoSite(t)
	s.onlySignInsHaveAPassword()
	s.leaderSeesSomethingEverywhere(who)
	s.moneyHasComeAndGone(who)
	s.todayCanBeLived(who)
}

// moneyHasComeAndGone checks that the histories of funds and withdrawals and the
// operators' queues have rows.
func (s *site) moneyHasComeAndGone(who demo.SignIns) {
	t := s.t
	t.Helper()
	me := s.loginDemo(who.Leader)
	var listed struct{ Total int }
	for _, action := range []string{"0", "2"} { // by USDT, by bank
		if me.post("FundRequestHistory", m{"uid": id(me.uid), "action": action}).into(&listed); listed.Total == 0 {
			t.Errorf("the leader has asked for no funds in way %s", action)
		}
	}
	if me.post("GetIncomeReport", m{"uid": id(me.uid), "type": "WithdrawlHistory"}).into(&listed); listed.Total == 0 {
		t.Error("the leader has withdrawn nothing")
	}
	code, err := totp.GenerateCode(who.Operator.TOTPSecret, s.clock.Now().Add(-30*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	operator, _, _ := s.enter(who.Operator.Email, who.Operator.Password, code)
	for list, states := range map[string][]string{
		"fundRequests": {"Pending", "Approved", "Rejected"}, "withdrawals": {"Pending", "Approved", "Confirmed", "Rejected"},
	} {
		for _, state := range states {
			if operator.get("operator/" + list + "?state=" + state).into(&listed); listed.Total == 0 {
				t.Errorf("no %s are %s", list, state)
			}
		}
	}
	db := testkit.Raw(t, s.dsn)
	defer func() { _ = db.Close() }()
	rows, err := db.Query("SELECT DISTINCT address FROM withdrawal")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var address string
		if err := rows.Scan(&address); err != nil {
			t.Fatal(err)
		}
		if right, ok := eip55.Parse(address); !ok || right != address {
			t.Errorf("%s is no address", address)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

func (s *site) todayCanBeLived(who demo.SignIns) {
	t := s.t
	t.Helper()
	code, err := totp.GenerateCode(who.Operator.TOTPSecret, s.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	_, result, must := s.enter(who.Operator.Email, who.Operator.Password, code)
	if result != "Successfull" || must {
		t.Fatalf("the operator's sign-in: %q, %v", result, must)
	}
	for _, w := range []demo.Member{who.Leader, who.Member} {
		me := s.loginDemo(w)
		friend := s.register(me.uid, tree.Left, "Brand New")
		s.command(func(_ context.Context, tx *ledger.Tx) error {
			return fund.Deposit(tx, me.uid, fund.Robot, money.MustParse("250"), "today")
		})
		for call, body := range map[string]m{
			"ActivationByFund":            {"user_id": id(friend), "package": "2"},
			"ActivationByFund_investment": {"user_id": id(me.uid), "package": "21", "amount": "100", "type": "CRYPTOFUNDS"},
		} {
			body["referby"], body["ctrans_password"] = id(me.uid), w.TransactionPassword
			var got struct {
				Data struct{ Result string }
			}
			if me.post(call, body).into(&got); got.Data.Result != "Successfully Activated...!!!" {
				t.Errorf("%s: %+v", call, got)
			}
		}
	}
	// Tomorrow today can be closed.
	s.clock.Advance(24 * time.Hour)
	if err := s.closing.CatchUp(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	last := (brief.Last + 1).String()
	var days struct {
		Data struct{ Days []struct{ Day string } }
	}
	code, err = totp.GenerateCode(who.Operator.TOTPSecret, s.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	operator, _, _ := s.enter(who.Operator.Email, who.Operator.Password, code)
	if operator.get("operator/close/days").into(&days); len(days.Data.Days) == 0 || days.Data.Days[0].Day != last {
		t.Errorf("the last closed day is not %s: %+v", last, days.Data.Days)
	}
	if len(digests(t, s.cfg)) != brief.Days+1 {
		t.Error("today was not closed once")
	}
	// Two members join, two sign-ins come from new addresses, two purchases for another member
	// are mailed to payer and owner, and two investments to their owners.
	if n := s.counts("outbox"); n != "outbox 10, " {
		t.Errorf("mails: %s", n)
	}
}

func (s *site) onlySignInsHaveAPassword() {
	t := s.t
	t.Helper()
	db := testkit.Raw(t, s.dsn)
	defer func() { _ = db.Close() }()
	var members, open int
	if err := db.QueryRow("SELECT COUNT(*), SUM(CASE WHEN password <> '' OR pin <> '' THEN 1 ELSE 0 END) FROM credential").Scan(&members, &open); err != nil {
		t.Fatal(err)
	}
	if members != brief.Members || open != 3 { // the leader, the ordinary member, and the first member, whose password nobody knows
		t.Errorf("%d of %d members have a password", open, members)
	}
}

// leaderSeesSomethingEverywhere checks every report that a history of this length can
// fill.
func (s *site) leaderSeesSomethingEverywhere(who demo.SignIns) {
	t := s.t
	t.Helper()
	me := s.loginDemo(who.Leader)
	for _, kind := range []string{
		"LevelIncome", "binaryIncome", "user_rank", "user_reward", "RoiIncomeForex", "RoiToLevelIncomeForex", "RoiIncomeCrypto", "RoiToLevelIncomeCrypto",
		"DirectLegBusiness", "Packages", "ForexPackage", "CryptoPackage",
	} {
		var got struct{ Total int }
		if me.post("GetIncomeReport", m{"uid": id(me.uid), "type": kind}).into(&got); got.Total == 0 {
			t.Errorf("%s is empty", kind)
		}
	}
}
