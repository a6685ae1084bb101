package member

import (
	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

// Rows of reports.

// noDay is a day that has not come yet.
func noDay() *string { return new(string) }

func incomeRow(x report.Income) reportRow {
	r := reportRow{Row: x.Row, UID: httpx.FormatID(x.OfUID), Level: x.Level, Status: x.SS, Day: httpx.DayPointer(x.Day)}
	if x.Kind == plan.KindLevel || x.Kind == plan.KindROILevel {
		r.FromName = x.OfName
	}
	if x.Since != 0 {
		r.Released = x.Since.String()
	}
	if x.Kind != plan.KindROI {
		r.Remark = &x.Remark
	}
	switch x.Kind {
	case plan.KindLevel, plan.KindROILevel:
		r.OnAmount, r.Income = httpx.MicroToUSD(x.On), httpx.MicroToUSD(x.Paid)
	case plan.KindMatching:
		r.Matched, r.Matching, r.Cap = httpx.MicroToUSD(x.On), httpx.MicroToUSD(x.Paid), httpx.MicroToUSD(x.A)
	case plan.KindROI:
		r.OnPrincipal, r.OnRate, r.PlanAmount = httpx.MicroToUSD(x.On), httpx.ToUSD(x.Rate), httpx.MicroToUSD(x.Paid)
	case plan.KindSalary:
		r.Income, r.Nominal = httpx.MicroToUSD(x.Paid), httpx.MicroToUSD(x.Nominal)
	default:
		r.Income = httpx.MicroToUSD(x.Paid)
	}
	return r
}

// stepRow has the common fields of ranks and rewards.
func stepRow(q report.Query, x report.Step) reportRow {
	r := reportRow{Row: x.Row, UID: httpx.FormatID(q.UID), Level: x.Level, Reward: httpx.ToUSD(x.Reward), Nominal: httpx.ToUSD(x.Nominal), Remark: &x.Remark, Status: x.SS}
	r.Achieved, r.Day, r.AchievedDay = "pending", noDay(), noDay()
	if x.Row != 0 {
		r.Achieved, r.Day, r.AchievedDay = "achieved", httpx.DayPointer(x.Day), httpx.DayPointer(x.Day)
	}
	return r
}

func rankRow(q report.Query, x report.Step) reportRow {
	r := stepRow(q, x)
	r.Rank, r.NeedMatched, r.MatchedEver = x.Name, httpx.ToUSD(x.Need), httpx.ToUSD(x.Have)
	return r
}

func rewardRow(q report.Query, x report.Step) reportRow {
	r := stepRow(q, x)
	r.NeedLeg1, r.Leg1, r.NeedOther, r.Other, r.Salary = httpx.ToUSD(x.NeedLeg1), httpx.ToUSD(x.Leg1), httpx.ToUSD(x.NeedOther), httpx.ToUSD(x.Other), httpx.ToUSD(x.Salary)
	return r
}

func claimRow(q report.Query, x report.Claim) reportRow {
	r := reportRow{
		ID: x.ID, UID: httpx.FormatID(q.UID), Amount: httpx.ToUSD(x.Amount), AccountType: x.Fund, Income: httpx.ToUSD(x.Income), Net: httpx.ToUSD(x.Net),
		Recalled: httpx.ToUSD(x.Recalled), Day: httpx.DayPointer(x.Day), Status: "Pending", ClaimDay: noDay(),
	}
	ready := x.State() == invest.ClaimFunded
	r.Ready = &ready
	if x.Done {
		r.Status, r.ClaimDay = "Claimed", httpx.DayPointer(x.ClaimDay)
	}
	return r
}
