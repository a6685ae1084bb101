package member

import (
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

// How the rows of reports are written.

// noDay is a day that has not come.
func noDay() *string { return new(string) }

func incomeRow(x report.Income) reportRow {
	r := reportRow{Row: x.Row, UID: httpx.ID(x.OfUID), Level: x.Level, Status: x.SS, Day: httpx.DayText(x.Day)}
	if x.Since != 0 {
		r.Released = x.Since.String()
	}
	if x.Kind != plan.KindROI {
		r.Remark = &x.Remark
	}
	switch x.Kind {
	case plan.KindLevel, plan.KindROILevel:
		r.OnAmount, r.Income = httpx.Micro(x.On), httpx.Micro(x.Paid)
	case plan.KindMatching:
		r.Matched, r.Matching, r.Cap = httpx.Micro(x.On), httpx.Micro(x.Paid), httpx.Micro(x.A)
	case plan.KindROI:
		r.OnPrincipal, r.OnRate, r.PlanAmount = httpx.Micro(x.On), httpx.Dollars(x.Rate), httpx.Micro(x.Paid)
	case plan.KindSalary:
		r.Income, r.Nominal = httpx.Micro(x.Paid), httpx.Micro(x.Nominal)
	default:
		r.Income = httpx.Micro(x.Paid)
	}
	return r
}

// stepRow is what ranks and rewards have in common.
func stepRow(q report.Query, x report.Step) reportRow {
	r := reportRow{Row: x.Row, UID: httpx.ID(q.UID), Level: x.Level, Reward: httpx.Dollars(x.Reward), Nominal: httpx.Dollars(x.Nominal), Remark: &x.Remark, Status: x.SS}
	r.Achieved, r.Day, r.AchievedDay = "pending", noDay(), noDay()
	if x.Row != 0 {
		r.Achieved, r.Day, r.AchievedDay = "achieved", httpx.DayText(x.Day), httpx.DayText(x.Day)
	}
	return r
}

func rankRow(q report.Query, x report.Step) reportRow {
	r := stepRow(q, x)
	r.Rank, r.NeedMatched, r.MatchedEver = x.Name, httpx.Dollars(x.Need), httpx.Dollars(x.Have)
	return r
}

func rewardRow(q report.Query, x report.Step) reportRow {
	r := stepRow(q, x)
	r.NeedLeg1, r.Leg1, r.NeedOther, r.Other, r.Salary = httpx.Dollars(x.NeedLeg1), httpx.Dollars(x.Leg1), httpx.Dollars(x.NeedOther), httpx.Dollars(x.Other), httpx.Dollars(x.Salary)
	return r
}

func claimRow(q report.Query, x report.Claim) reportRow {
	r := reportRow{
		ID: x.ID, UID: httpx.ID(q.UID), Amount: httpx.Dollars(x.Amount), AccountType: x.Fund, Income: httpx.Dollars(x.Income), Net: httpx.Dollars(x.Net),
		Recalled: httpx.Dollars(x.Recalled), Day: httpx.DayText(x.Day), Status: "Pending", ClaimDay: noDay(),
	}
	if x.Done {
		r.Status, r.ClaimDay = "Claimed", httpx.DayText(x.ClaimDay)
	}
	return r
}
