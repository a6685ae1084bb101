package app

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// draft is the default plan under another name, changed.
func draft(t *testing.T, version string, change func(m)) m {
	t.Helper()
	var p m
	if err := json.Unmarshal(plan.DefaultBody(), &p); err != nil {
		t.Fatal(err)
	}
	p["version"] = version
	if change != nil {
		change(p)
	}
	return p
}

// sharper: the first package costs 60, cooling-off is 2 days, half of the first
// level's rate, Forex terms of 30 days.
func sharper(t *testing.T) m {
	return draft(t, "sharper", func(p m) {
		p["robot_packages"].([]any)[0].(m)["amount"] = "60"
		p["robot_packages"].([]any)[0].(m)["planname"] = "School"
		p["cooling_off_days"] = 2
		p["level_ppm"].([]any)[0] = 40_000
		p["lines"].(m)["FOREX"].(m)["packages"].([]any)[0].(m)["term"] = 30
	})
}

type plansShown struct {
	Data struct {
		Today     string
		Current   struct{ Version, From string }
		Past      []struct{ Version string }
		Scheduled []struct{ Version, From string }
		Proposals []struct {
			Version, State, Alone string
			By                    string `json:"proposed_by"`
			Approved              string `json:"approved_by"`
		}
	}
}

// approvePlan approves a proposed plan as it is shown.
func (c client) approvePlan(version string) answer {
	c.s.t.Helper()
	var seen struct {
		Data struct{ Proposal struct{ Digest string } }
	}
	if a := c.get("operator/plan/proposal?version=" + version); a.status == http.StatusOK {
		a.into(&seen)
	} else {
		seen.Data.Proposal.Digest = strings.Repeat("0", 64)
	}
	return c.post("operator/plan/approve", m{"version": version, "digest": seen.Data.Proposal.Digest, "reason": "the board decided so"})
}

func TestPlanTakesTwoOperators(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		maker, checker := s.hire(auth.RoleFinance), s.operator()
		p := sharper(t)
		for _, day := range []string{"2026-11-14", "2026-11-15"} {
			maker.post("operator/plan/propose", m{"from": day, "plan": p, "reason": "the board decided so"}).names("from")
		}
		maker.post("operator/plan/propose", m{"from": "2026-11-17", "plan": draft(t, "default-1", nil), "reason": "the board decided so"}).names("version")
		checker.approvePlan("sharper").says(404, "Nobody has proposed")
		first := maker.post("operator/plan/propose", m{"from": "2026-11-17", "plan": p, "reason": "the board decided so"}, "Idempotency-Key", "p1")
		first.into(&m{})
		if again := maker.post("operator/plan/propose", m{"from": "2026-11-17", "plan": p, "reason": "the board decided so"}, "Idempotency-Key", "p1"); again.text != first.text {
			t.Errorf("asked again it answers %s", again.text)
		}
		maker.post("operator/plan/propose", m{"from": "2026-11-18", "plan": p, "reason": "the board decided so"}).names("version")
		maker.approvePlan("sharper").says(403, "two operators")
		var got plansShown
		if maker.get("operator/plan").into(&got); got.Data.Current.Version != "default-1" || len(got.Data.Scheduled) != 0 || got.Data.Proposals[0].State != "proposed" {
			t.Errorf("only proposed: %+v", got.Data)
		}
		checker.approvePlan("sharper").into(&m{})
		checker.approvePlan("sharper").says(422, "approved already")
		maker.post("operator/plan/propose", m{"from": "2026-11-17", "plan": draft(t, "third", nil), "reason": "the board decided so"}).names("from")
		if maker.get("operator/plan").into(&got); len(got.Data.Scheduled) != 1 || got.Data.Scheduled[0].From != "2026-11-17" || got.Data.Proposals[0].Approved != operatorEmail || got.Data.Proposals[0].Alone != "" {
			t.Errorf("scheduled: %+v", got.Data)
		}
		raw := testkit.Raw(t, dsn)
		if _, err := raw.Exec("UPDATE plan_proposal SET approved_by = proposed_by"); err == nil {
			t.Error("the database takes a plan by one operator")
		}

		maker.post("operator/plan/propose", m{"from": "2026-11-20", "plan": draft(t, "third", nil), "reason": "the board decided so"}).into(&m{})
		checker.approvePlan("third").into(&m{})
		checker.post("operator/plan/cancel", m{"version": "sharper", "reason": "the board decided so"}).says(422, "cancel that one first")
		maker.post("operator/plan/cancel", m{"version": "third", "reason": "the board decided so"}).says(403, "Another operator must cancel it")
		checker.post("operator/plan/cancel", m{"version": "third", "reason": "the board decided so"}).into(&m{})
		maker.post("operator/plan/cancel", m{"version": "third", "reason": "the board decided so"}).says(422, "was cancelled")
		checker.approvePlan("third").says(422, "was cancelled")
		maker.post("operator/plan/cancel", m{"version": "default-1", "reason": "the board decided so"}).says(404, "Nobody has proposed")
		maker.post("operator/plan/propose", m{"from": "2026-11-21", "plan": draft(t, "third", nil), "reason": "the board decided so"}).names("version")

		s.clock.SetWall(time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC))
		maker = s.hire(auth.RoleFinance)
		maker.post("operator/plan/cancel", m{"version": "sharper", "reason": "the board decided so"}).says(422, "in force since 2026-11-17")
		if maker.get("operator/plan").into(&got); got.Data.Current.Version != "sharper" || len(got.Data.Past) != 1 || len(got.Data.Scheduled) != 0 {
			t.Errorf("when its day has come: %+v", got.Data)
		}
	})
}

func TestExpiredPlanProposalIsNotApproved(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	s.hire(auth.RoleFinance).post("operator/plan/propose", m{"from": "2026-11-16", "plan": sharper(t), "reason": "the board decided so"}).into(&m{})
	s.clock.SetWall(time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC))
	s.operator().approvePlan("sharper").names("from")
}

// A plan that begins in years is probably a mistake, and blocks every other plan before
// it.
func TestDistantFirstDayIsWarnedOfAndInvalidOneRefused(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	maker := s.hire(auth.RoleFinance)
	type said struct {
		Data struct {
			Valid   bool
			Warning string
			Plans   []struct{ Warning string } `json:"proposals"`
		}
	}
	for day, far := range map[string]bool{"": false, "2026-11-17": false, "2027-11-16": false, "2027-11-17": true, "9999-12-31": true} {
		var got said
		maker.post("operator/plan/validate", m{"from": day, "plan": sharper(t)}).into(&got)
		if !got.Data.Valid || (got.Data.Warning != "") != far {
			t.Errorf("from %q on: %+v", day, got.Data)
		}
	}
	for _, day := range []string{"12026-01-01", "2027-02-30", "soon"} {
		var got struct {
			Data struct {
				Valid    bool
				Mistakes []struct{ Field string }
			}
		}
		maker.post("operator/plan/validate", m{"from": day, "plan": sharper(t)}).into(&got)
		if got.Data.Valid || len(got.Data.Mistakes) != 1 || got.Data.Mistakes[0].Field != "from" {
			t.Errorf("from %q on: %+v", day, got.Data)
		}
		maker.post("operator/plan/propose", m{"from": day, "plan": sharper(t), "reason": "the board decided so"}).names("from")
	}
	var proposed, listed said
	maker.post("operator/plan/propose", m{"from": "9999-12-31", "plan": sharper(t), "reason": "the board decided so"}).into(&proposed)
	s.operator().get("operator/plan").into(&listed)
	if want := "The first day, 9999-12-31, is more than a year away."; !strings.HasPrefix(proposed.Data.Warning, want) || listed.Data.Plans[0].Warning != proposed.Data.Warning {
		t.Errorf("who proposes and who approves read %q and %+v", proposed.Data.Warning, listed.Data.Plans)
	}
}

func TestDraftPlanListsMistakesAndChanges(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	support := s.hire(auth.RoleSupport)
	type checked struct {
		Data struct {
			Valid    bool
			Mistakes []struct{ Field, Message string }
			Bound    struct {
				Network int64 `json:"network_ppm"`
			}
			Changes []plan.Change
		}
	}
	var good, bad checked
	support.post("operator/plan/validate", m{"from": "2026-11-16", "plan": sharper(t)}).into(&good)
	if d := good.Data; !d.Valid || len(d.Mistakes) != 0 || d.Bound.Network != 400_000 || len(d.Changes) != 6 || d.Changes[0] != (plan.Change{Path: "cooling_off_days", Before: "14", After: "2"}) {
		t.Errorf("a good one: %+v", d)
	}
	wrong := draft(t, "wrong", func(p m) {
		p["bonus"], p["tz"] = 1, 7
		p["pools_ppm"].(m)["MATCH"] = 900_000
		p["lines"].(m)["CRYPTO"].(m)["packages"].([]any)[1].(m)["fromamount"] = "600"
	})
	support.post("operator/plan/validate", m{"plan": wrong}).into(&bad)
	var fields []string
	for _, f := range bad.Data.Mistakes {
		fields = append(fields, f.Field)
	}
	if got, _ := json.Marshal(fields); bad.Data.Valid || string(got) != `["tz","bonus","pools_ppm","lines.CRYPTO.packages[1].fromamount"]` {
		t.Errorf("a bad one: %s", got)
	}
	var other checked
	support.post("operator/plan/validate", m{"from": "2026-11-15", "plan": draft(t, "x", func(p m) {
		p["tz"], p["ranks"], p["royalty_weights"] = "Asia/Kolkata", []any{}, m{}
	})}).into(&other)
	if d := other.Data; d.Valid || len(d.Mistakes) != 3 {
		t.Errorf("one that cannot follow: %+v", d)
	}
	support.post("operator/plan/propose", m{"from": "2026-11-17", "plan": sharper(t), "reason": "the board decided so"}).refused(http.StatusForbidden)
}

// Prices, cooling-off and terms follow the plan of the event's day; the close follows the
// plan of the closed day.
func TestEachEventUsesThePlanOfItsDay(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn) // a demo: one operator is enough, and the response says so
		anna := s.register(s.root.UID, tree.Left, "Anna Alpha")
		bert := s.register(s.root.UID, tree.Right, "Bert Beta")
		s.buy(s.root.UID, 5, "1000")
		s.buy(anna, 1, "50")
		s.invest(anna, "100")
		operator := s.operator()
		operator.post("operator/plan/propose", m{"from": "2026-11-16", "plan": sharper(t), "reason": "the board decided so"}).into(&m{})
		operator.approvePlan("sharper").into(&m{})
		if price := s.login(anna, password).report("Packages", nil).Data[0][0]["amount"]; price != "50.000000" {
			t.Errorf("today the package costs %v", price)
		}

		s.clock.SetWall(time.Date(2026, 11, 16, 3, 0, 0, 0, time.UTC))
		s.buy(bert, 1, "60")
		s.invest(bert, "100")
		member := s.login(anna, password)
		if row := member.report("Packages", nil).Data[0][0]; row["amount"] != "60.000000" {
			t.Errorf("tomorrow the package is %v", row)
		}
		var sales string
		for _, who := range []int64{anna, bert} {
			var amount, term int64
			raw := testkit.Raw(t, dsn)
			if err := raw.QueryRow("SELECT s.amount, p.term FROM sale s JOIN invest_position p ON p.no = s.no JOIN place l ON l.no = s.no WHERE l.uid = $1", who).Scan(&amount, &term); err != nil {
				t.Fatal(err)
			}
			sales += id(amount/1_000_000) + " for " + id(term) + ", "
		}
		if sales != "50 for 180, 60 for 30, " {
			t.Errorf("the sales and terms are %s", sales)
		}

		s.clock.SetWall(time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-29"); err != nil {
			t.Fatal(err)
		}
		raw := testkit.Raw(t, dsn)
		for who, want := range map[int64]string{anna: "2026-11-29", bert: "2026-11-18"} {
			var final int64
			if err := raw.QueryRow("SELECT s.final_day FROM sale s JOIN place l ON l.no = s.no WHERE l.uid = $1", who).Scan(&final); err != nil || plan.Day(final).String() != want {
				t.Errorf("the sale of %d is final on %s, %v; want %s", who, plan.Day(final), err, want)
			}
		}
		// Bert's sale was final before its sponsor was active; Anna's pays at the rate of
		// the day it becomes final.
		var paid, rows int64
		if err := raw.QueryRow("SELECT COUNT(*), COALESCE(SUM(paid), 0) FROM income WHERE kind = 0 OR level = 1").Scan(&rows, &paid); err != nil || paid != 50*40_000 {
			t.Errorf("%d level rows pay %d, %v", rows, paid, err)
		}
		var versions string
		for _, day := range []string{"2026-11-15", "2026-11-16"} {
			d, _ := plan.ParseDay(day)
			var v string
			if err := raw.QueryRow("SELECT plan FROM close_day WHERE day = $1", int64(d)).Scan(&v); err != nil {
				t.Fatal(err)
			}
			versions += v + " "
		}
		if versions != "default-1 sharper " {
			t.Errorf("the days were closed by %s", versions)
		}
	})
}

func TestWhatIfLeavesTheBooksUnchanged(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	operator := s.operator()
	type state struct {
		Data struct {
			Running         bool
			Version, Failed string
			Done, Total     int
			Result          *struct {
				First, Last string
				Events      int
				Figures     []struct{ Name, Actual, WhatIf, Difference string }
			}
		}
	}
	run := func(version string) (got state) {
		t.Helper()
		operator.post("operator/plan/whatif/start", m{"plan": draft(t, version, func(m) {})}).into(&got)
		testkit.WaitUntil(t, "the what-if ends", func() bool {
			got = state{}
			operator.get("operator/plan/whatif").into(&got)
			return !got.Data.Running
		})
		return got
	}
	operator.post("operator/plan/whatif/start", m{"plan": m{"version": 1}}).refused(http.StatusBadRequest)
	if got := run("early"); got.Data.Result != nil || !strings.Contains(got.Data.Failed, "there is nothing to compare") {
		t.Errorf("before the first close: %+v", got.Data)
	}
	s.buy(s.root.UID, 5, "1000")
	s.clock.SetWall(time.Date(2026, 11, 18, 3, 0, 0, 0, time.UTC))
	if err := s.closeUntil("2026-11-16"); err != nil {
		t.Fatal(err)
	}
	operator = s.operator() // the session of three days ago is over
	got := run("other")
	if d := got.Data; d.Failed != "" || d.Version != "other" || d.Done != 2 || d.Total != 2 || d.Result == nil || d.Result.Last != "2026-11-16" || d.Result.Events < 1 {
		t.Errorf("afterwards: %+v", d)
	}
	s.verified()
}

func TestPlanApprovalTakesTheSeenDigest(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	maker, checker := s.hire(auth.RoleFinance), s.operator()
	maker.post("operator/plan/propose", m{"from": "2026-11-16", "plan": sharper(t), "reason": "the board decided so"}).into(&m{})
	var seen struct {
		Data struct {
			Proposal struct{ Digest string }
			Plan     m
			Changes  []plan.Change
		}
	}
	checker.get("operator/plan/proposal?version=sharper").into(&seen)
	if d := seen.Data; len(d.Proposal.Digest) != 64 || d.Plan["version"] != "sharper" || len(d.Changes) != 6 {
		t.Errorf("the checker sees %s and %d changes", d.Proposal.Digest, len(d.Changes))
	}
	checker.get("operator/plan/proposal?version=nothing").refused(http.StatusNotFound)
	if a := checker.post("operator/plan/approve", m{"version": "sharper"}); a.status != http.StatusUnprocessableEntity && a.status != http.StatusBadRequest {
		t.Errorf("without a digest: %d %s", a.status, a.text)
	}
	checker.post("operator/plan/approve", m{"version": "sharper", "digest": strings.Repeat("0", 64), "reason": "the board decided so"}).says(http.StatusUnprocessableEntity, "has changed")
	checker.post("operator/plan/approve", m{"version": "sharper", "digest": seen.Data.Proposal.Digest, "reason": "the board decided so"}).into(&m{})
	checker.post("operator/plan/approve", m{"version": "sharper", "digest": seen.Data.Proposal.Digest, "reason": "the board decided so"}).says(http.StatusUnprocessableEntity, "approved already")
}

// The audit log records the operator, the change and the reason.
func TestPlanChangesAreAudited(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		maker, checker := s.operator(), s.hire(auth.RoleFinance)
		maker.post("operator/plan/propose", m{"from": "2026-11-17", "plan": sharper(t), "reason": "no"}).names("reason")
		maker.post("operator/plan/propose", m{"from": "2026-11-17", "plan": sharper(t)}).names("reason")
		maker.post("operator/plan/propose", m{"from": "2026-11-17", "plan": sharper(t), "reason": "sales are slow"}).into(&m{})
		checker.approvePlan("sharper").into(&m{})
		checker.post("operator/plan/cancel", m{"version": "sharper"}).names("reason")
		checker.post("operator/plan/cancel", m{"version": "sharper", "reason": "they are not"}).into(&m{})
		var got []string
		for _, r := range maker.get("operator/audit?size=100").rows() {
			if row := r.(m); strings.HasPrefix(row["act"].(string), "plan ") {
				got = append(got, row["act"].(string)+": "+row["reason"].(string)+" ("+row["subject"].(string)+")")
			}
		}
		want := "plan called off: they are not (sharper), plan approved: the board decided so (sharper), plan proposed: sales are slow (sharper)"
		if strings.Join(got, ", ") != want {
			t.Errorf("the audit log says %v", got)
		}
		s.verified()
	})
}
