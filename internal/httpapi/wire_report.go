package httpapi

import (
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// How the rows of reports are written.

func micro(n int64) usd { return dollars(money.Micro(n)) }

func dayText(d plan.Day) *string {
	s := d.String()
	return &s
}

// noDay is a day that has not come.
func noDay() *string { return new(string) }

func incomeRow(x report.Income) reportRow {
	r := reportRow{Row: x.Row, UID: id(x.OfUID), Level: x.Level, Status: x.SS, Day: dayText(x.Day)}
	if x.Since != 0 {
		r.Released = x.Since.String()
	}
	if x.Kind != plan.KindROI {
		r.Remark = &x.Remark
	}
	switch x.Kind {
	case plan.KindLevel, plan.KindROILevel:
		r.OnAmount, r.Income = micro(x.On), micro(x.Paid)
	case plan.KindMatching:
		r.Matched, r.Matching, r.Cap = micro(x.On), micro(x.Paid), micro(x.A)
	case plan.KindROI:
		r.OnPrincipal, r.OnRate, r.PlanAmount = micro(x.On), dollars(x.Rate), micro(x.Paid)
	case plan.KindSalary:
		r.Income, r.Nominal = micro(x.Paid), micro(x.Nominal)
	default:
		r.Income = micro(x.Paid)
	}
	return r
}

// stepRow is what ranks and rewards have in common.
func stepRow(q report.Query, x report.Step) reportRow {
	r := reportRow{Row: x.Row, UID: id(q.UID), Level: x.Level, Reward: dollars(x.Reward), Nominal: dollars(x.Nominal), Remark: &x.Remark, Status: x.SS}
	r.Achieved, r.Day, r.AchievedDay = "pending", noDay(), noDay()
	if x.Row != 0 {
		r.Achieved, r.Day, r.AchievedDay = "achieved", dayText(x.Day), dayText(x.Day)
	}
	return r
}

func rankRow(q report.Query, x report.Step) reportRow {
	r := stepRow(q, x)
	r.Rank, r.NeedMatched, r.MatchedEver = x.Name, dollars(x.Need), dollars(x.Have)
	return r
}

func rewardRow(q report.Query, x report.Step) reportRow {
	r := stepRow(q, x)
	r.NeedLeg1, r.Leg1, r.NeedOther, r.Other, r.Salary = dollars(x.NeedLeg1), dollars(x.Leg1), dollars(x.NeedOther), dollars(x.Other), dollars(x.Salary)
	return r
}

func claimRow(q report.Query, x report.Claim) reportRow {
	r := reportRow{
		ID: x.ID, UID: id(q.UID), Amount: dollars(x.Amount), AccountType: x.Fund, Income: dollars(x.Income), Net: dollars(x.Net),
		Recalled: dollars(x.Recalled), Day: dayText(x.Day), Status: "Pending", ClaimDay: noDay(),
	}
	if x.Done {
		r.Status, r.ClaimDay = "Claimed", dayText(x.ClaimDay)
	}
	return r
}
