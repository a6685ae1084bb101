package report_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func ranksAndRewardsListEveryStepWithItsProgress(t *testing.T, w *world) {
	p := w.plan(t)
	for _, uid := range uids() {
		ranks, err := w.Ranks(t.Context(), all(uid))
		if err != nil || ranks.Total != len(p.Ranks) || len(ranks.Rows) != len(p.Ranks) {
			t.Fatalf("%d: %d ranks, %v", uid, ranks.Total, err)
		}
		w.checkSteps(t, uid, "Rank", ranks)
		for i, k := range ranks.Rows {
			if k.Row != 0 {
				continue
			}
			have := money.MustParse(cmp.Or(w.Final.Match[strconv.FormatInt(uid, 10)], "0"))
			if k.Have != have || k.Need != p.Ranks[i].Need || k.Reward != p.Ranks[i].Reward || k.Name != p.Ranks[i].Name || k.Day != 0 {
				t.Errorf("%d: the rank ahead is %+v; matched %s", uid, k, have)
			}
		}
		rewards, err := w.Rewards(t.Context(), all(uid))
		if err != nil || rewards.Total != len(p.Rewards) {
			t.Fatalf("%d: %d rewards, %v", uid, rewards.Total, err)
		}
		w.checkSteps(t, uid, "Reward", rewards)
		leg1, other := w.sponsorLegs(t, uid)
		for i, k := range rewards.Rows {
			if k.Row == 0 && (k.Leg1 != leg1 || k.Other != other || k.NeedLeg1 != p.Rewards[i].NeedLeg1 || k.Salary != p.Rewards[i].Salary) {
				t.Errorf("%d: the reward ahead is %+v; legs %s and %s", uid, k, leg1, other)
			}
		}
	}
	day := plan.Day(0)
	none, err := w.Ranks(t.Context(), report.Query{UID: 100001, From: &day, To: &day, Page: 1, Size: 10})
	if err != nil || none.Total != 0 || !none.Sum.IsZero() {
		t.Errorf("ranks reached in 1970: %+v, %v", none, err)
	}
}

func (w *world) plan(t *testing.T) *plan.Plan {
	t.Helper()
	var x struct{ Plan json.RawMessage }
	if err := json.Unmarshal(w.raw, &x); err != nil {
		t.Fatal(err)
	}
	p, err := plan.Parse(x.Plan)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkSteps compares the reached steps with the example's rows.
func (w *world) checkSteps(t *testing.T, uid int64, name string, got report.Page[report.Step]) {
	t.Helper()
	want := w.expected(uid, name, "")
	slices.Reverse(want)
	sum, reached := money.Amount{}, 0
	for i, k := range got.Rows {
		if k.Level != int64(i+1) {
			t.Errorf("%d: step %d is level %d", uid, i+1, k.Level)
		}
		if k.Row == 0 {
			continue
		}
		reached++
		sum, _ = sum.Add(k.Reward)
		r := want[i]
		if a, b := line(k.Row, uid, k.Reward, k.Level, k.Day, k.SS, k.Remark), lineOf(t, r); a != b {
			t.Errorf("%d: %s, want %s", uid, a, b)
		}
		shown := map[string]money.Amount{
			"nominal": k.Nominal, "reqmatch_bot": k.Need, "match_bot": k.Have, "reqleg1": k.NeedLeg1, "leg1": k.Leg1,
			"reqotherleg": k.NeedOther, "otherleg": k.Other, "salary": k.Salary,
		}
		for field, a := range shown {
			if text, ok := r[field].(string); ok && text != a.String() {
				t.Errorf("row %d: %s is %s, want %s", k.Row, field, a, text)
			}
		}
	}
	if reached != len(want) || got.Sum != sum {
		t.Errorf("%d: %d of %d %ss, total %s, want %s", uid, reached, len(want), name, got.Sum, sum)
	}
}

// sponsorLegs recounts a member's legs from sales and places, in code of its
// own.
func (w *world) sponsorLegs(t *testing.T, uid int64) (leg1, other money.Amount) {
	t.Helper()
	n, _ := w.tree.Get(w.tree.Find(uid))
	legOf := func(no tree.No) (leg tree.No) {
		place, _ := w.tree.Get(no)
		if place.Parent == 0 && place.Sponsor != 0 { // a customer's is its sponsor's
			no = place.Sponsor
		}
		for no != 0 && no != n.No {
			place, _ := w.tree.Get(no)
			leg, no = no, place.Sponsor
		}
		if no == 0 {
			return 0
		}
		return leg
	}
	sums, total, best := map[tree.No]int64{}, int64(0), int64(0)
	for _, uid := range uids() {
		history, err := w.History(t.Context(), all(uid), report.Robot)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range history.Rows {
			if leg := legOf(tree.No(x.No)); x.State == "final" && leg != 0 {
				sums[leg] += x.Amount.Micros()
				total += x.Amount.Micros()
				best = max(best, sums[leg])
			}
		}
	}
	return money.Micro(best), money.Micro(total - best)
}
