package closing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/plan"
)

func text(n int64) string { return money.Micro(n).String() }

// report tells the day: what happened, what was refused, every row with its
// status at the end of the day, what is carried, and the pools.
func (d *day) report(ctx context.Context, first int64) (Report, error) {
	events, err := d.s.opt.Store.Events(ctx, d.rows, d.day)
	if err != nil {
		return nil, err
	}
	ids, refused := []string{}, [][2]string{}
	for _, e := range events {
		ids = append(ids, e.ID)
		if why := cmp.Or(e.Refused, d.refused[e.ID]); why != "" {
			refused = append(refused, [2]string{e.ID, why})
		}
	}
	finalised := []string{}
	for _, f := range d.out.Finalised {
		finalised = append(finalised, f.ID)
	}
	all, err := d.s.opt.Store.Incomes(ctx, d.rows, first, d.day)
	if err != nil {
		return nil, err
	}
	rows, changes := []map[string]any{}, [][2]any{}
	for _, x := range all {
		ss, since := x.Status()
		if since == d.day {
			changes = append(changes, [2]any{x.Row, ss})
		}
		if x.Row >= first {
			rows = append(rows, d.show(x))
		}
	}
	slices.SortFunc(changes, func(a, b [2]any) int { return cmp.Compare(a[0].(int64), b[0].(int64)) })
	carry := map[string][2]string{}
	for i := range d.book.UID {
		if d.book.Left[i] != 0 || d.book.Right[i] != 0 {
			carry[d.uid(int32(i))] = [2]string{text(d.book.Left[i]), text(d.book.Right[i])}
		}
	}
	pools := map[string]string{}
	for k := plan.LEVEL; k <= plan.RESERVE; k++ {
		pools[k.Name()] = text(d.book.Pools[k])
	}
	r := Report{
		"day": d.day.String(), "plan": d.p.Version, "events": ids, "refused": refused, "finalised": finalised,
		"rows": rows, "status_changes": changes, "carry": carry, "pools": pools,
	}
	r["digest"], err = r.Digest()
	return r, err
}

func (d *day) show(x IncomeState) map[string]any {
	return Show(d.p, x, func(no int64) string { return d.uid(int32(no - 1)) })
}

// underReview is the remark of a row on Hold.
const underReview = "Hold: account under review"

// remark says what is special about a row.
func remark(x Income) string {
	switch {
	case x.Reverses != 0:
		return fmt.Sprintf("Reversal of row %d", x.Reverses)
	case x.Kind == plan.KindMatching:
		var parts []string
		for _, p := range []struct {
			on   bool
			text string
		}{{x.Capped, "capped"}, {x.Scaled, "scaled"}, {x.Held, underReview}} {
			if p.on {
				parts = append(parts, p.text)
			}
		}
		return strings.Join(parts, ", ")
	case x.Kind == plan.KindROILevel:
		return "ROI level"
	case x.Scaled:
		return "scaled"
	case x.Held:
		return underReview
	case x.Kind == plan.KindLevel:
		return "Level income"
	}
	return ""
}

// Show is a row as reports have it. uid makes the user id of a join number.
func Show(p *plan.Plan, x IncomeState, uid func(int64) string) map[string]any {
	ss, since := x.Status()
	m := map[string]any{"to": uid(x.Earner), "uid": uid(x.Of), "dd": x.Day.String(), "row": x.Row, "ss": ss}
	if since != 0 {
		m["released"] = since.String()
	}
	if x.Kind != plan.KindROI {
		m["remark"] = remark(x.Income)
	}
	if x.Kind >= plan.KindROI {
		m["line"], m["pos"] = x.Line, x.Position
	}
	add := func(pairs ...any) {
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
	}
	switch x.Kind {
	case plan.KindLevel:
		add("t", "Level", "onamount", text(x.On), "lvl", x.Level, "income", text(x.Paid))
	case plan.KindMatching:
		add("t", "Matching", "lPV", text(x.On), "binaryincome", text(x.Paid), "capingamount", text(x.A))
	case plan.KindRank:
		k := p.Ranks[x.Level-1]
		add("t", "Rank", "lvl", x.Level, "reward", text(x.Paid), "rank", k.Name, "reqmatch_bot", k.Need.String(), "match_bot", text(x.A),
			"nominal", text(x.Nominal), "achieved_ss", "achieved", "ad", x.Day.String())
	case plan.KindReward:
		k := p.Rewards[x.Level-1]
		add("t", "Reward", "lvl", x.Level, "reward", text(x.Paid), "reqleg1", k.NeedLeg1.String(), "leg1", text(x.A), "reqotherleg", k.NeedOther.String(),
			"otherleg", text(x.B), "salary", k.Salary.String(), "nominal", text(x.Nominal), "achieved_ss", "achieved", "ad", x.Day.String())
	case plan.KindSalary:
		add("t", "Salary", "lvl", x.Level, "income", text(x.Paid), "nominal", text(x.Nominal))
	case plan.KindRoyalty:
		add("t", "Royalty", "lvl", x.Level, "income", text(x.Paid))
	case plan.KindROI:
		rate, err := money.Micro(x.Paid).MulDiv(100_000_000, x.On)
		if err == nil {
			add("onrate", rate.String())
		}
		add("t", "Roi", "On_amount", text(x.On), "plan_amount", text(x.Paid))
	case plan.KindROILevel:
		add("t", "RoiLevel", "onamount", text(x.On), "lvl", x.Level, "income", text(x.Paid))
	}
	return m
}

// IncomeState is a row with what decides its status: ROI rows follow their
// batch and their position's claim, so that a release rewrites no row.
type IncomeState struct {
	Income
	BatchReleased plan.Day // of ROI rows; 0 while on Hold
	ClaimMade     plan.Day // when the position matured; 0 before
	Claimed       plan.Day // when the claim was paid; 0 before
}

// Status is Hold, Release or Claimed, and since which day when it changed after
// the row was made on Hold.
func (x IncomeState) Status() (ss string, since plan.Day) {
	switch {
	case x.Kind < plan.KindROI && !x.Held:
		return "Release", 0
	case x.Kind < plan.KindROI && x.Released != 0:
		return "Release", x.Released
	case x.Kind < plan.KindROI:
		return "Hold", 0
	case x.BatchReleased != 0 && (x.Kind == plan.KindROILevel || x.ClaimMade == 0 || x.ClaimMade >= x.BatchReleased):
		return "Release", x.BatchReleased
	case x.Kind == plan.KindROI && x.Claimed != 0:
		return "Claimed", x.Claimed
	}
	return "Hold", 0
}
