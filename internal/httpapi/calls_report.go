package httpapi

import (
	"context"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
)

func (c *Calls) registerReport(api huma.API) {
	post(api, tagReport, "GetIncomeReport", "What the member earned, by type", c.incomeReport)
	get(api, tagReport, "getIncomeAmount", "What is available in a wallet", c.incomeAmount)
	post(api, tagReport, "ActivationHistory", "What was bought for the member or its downline", c.activationHistory)
	get(api, tagReport, "refundable", "Packages that the member has paid for and can give back, newest first", inTurn(c, c.refundable))
	post(api, tagReport, "IncomeByDay", "What the member earned, by day and kind", c.incomeByDay)
	post(api, tagReport, "IncomeWhy", "What explains one income", c.incomeWhy)
}

type reportInput struct{ Body reportBody }

type reportBody struct {
	UID  text   `json:"uid,omitempty" doc:"The caller's own user id."`
	From string `json:"fdate,omitempty" doc:"First local day, 2026-01-31; empty is open."`
	To   string `json:"tdate,omitempty" doc:"Last local day, included."`
	Type string `json:"type,omitempty" doc:"Which report: LevelIncome, binaryIncome, salaryincome, royalty_income, user_rank, user_reward, RoiIncomeForex, RoiToLevelIncomeForex, RoiIncomeCrypto, RoiToLevelIncomeCrypto, RoiIncome, RoiToLevelIncome, FOREXWithdrawalCliam, CRYPTOWithdrawalCliam, WithdrawlHistory, DirectLegBusiness, Packages, ForexPackage or CryptoPackage."`
	Page text   `json:"page,omitempty" doc:"From 1."`
	Size text   `json:"size,omitempty" doc:"Rows of a page, up to 500; 100 unless given."`
	Sort string `json:"sort,omitempty" maxLength:"40" doc:"dd, lvl or the report's amount; - before it for descending. Newest first unless given; ranks and rewards are always by level."`
}

// localDay reads a day of the plan; what is missing is open.
func (f *fields) localDay(name, s string) *plan.Day {
	t := f.day(name, s, time.UTC)
	if t.IsZero() {
		return nil
	}
	day := plan.Day(t.Unix() / (24 * 60 * 60))
	return &day
}

// read reads the fields that every report has; every wrong one is named.
func (b reportBody) read(f *fields) report.Query {
	return report.Query{
		UID: f.uid("uid", b.UID), From: f.localDay("fdate", b.From), To: f.localDay("tdate", b.To), Sort: b.Sort,
		Page: int(f.code("page", b.Page, 1, 1, 1_000_000)), Size: int(f.code("size", b.Size, defaultSize, 1, report.MaxSize)),
	}
}

// reportRow is a row of any report: each type fills the fields that it has.
type reportRow struct {
	Row         int64   `json:"row" doc:"Of an income its number for good, which IncomeWhy takes and remarks name; 0 of a step that is not reached; elsewhere the same as sno."`
	No          int     `json:"sno" doc:"Where the row stands in the report, from 1."`
	UID         string  `json:"uid,omitempty"`
	ID          string  `json:"id,omitempty"`
	OnAmount    usd     `json:"onamount,omitempty"`
	OnPrincipal usd     `json:"On_amount,omitempty"`
	OnRate      usd     `json:"onrate,omitempty" doc:"Percent."`
	Level       int64   `json:"lvl,omitempty"`
	Income      usd     `json:"income,omitempty"`
	PlanAmount  usd     `json:"plan_amount,omitempty"`
	Matching    usd     `json:"binaryincome,omitempty"`
	Matched     usd     `json:"lPV,omitempty"`
	Cap         usd     `json:"capingamount,omitempty"`
	Reward      usd     `json:"reward,omitempty"`
	Nominal     usd     `json:"nominal,omitempty" doc:"Before what the pool could pay."`
	Salary      usd     `json:"salary,omitempty"`
	Rank        string  `json:"rank,omitempty"`
	NeedMatched usd     `json:"reqmatch_bot,omitempty"`
	MatchedEver usd     `json:"match_bot,omitempty"`
	NeedLeg1    usd     `json:"reqleg1,omitempty"`
	Leg1        usd     `json:"leg1,omitempty"`
	NeedOther   usd     `json:"reqotherleg,omitempty"`
	Other       usd     `json:"otherleg,omitempty"`
	Achieved    string  `json:"achieved_ss,omitempty" doc:"achieved or pending."`
	AchievedDay *string `json:"ad,omitempty"`
	Remark      *string `json:"remark,omitempty"`
	Status      string  `json:"ss,omitempty" doc:"Of incomes Hold, Release or Claimed; of claims Pending or Claimed; of withdrawals Pending, Approved, Sent, Confirmed, Rejected or Cancelled."`
	Released    string  `json:"released,omitempty" doc:"The day on which it left Hold."`
	Amount      usd     `json:"amount,omitempty"`
	AccountType string  `json:"accounttype,omitempty"`
	Net         usd     `json:"netamount,omitempty"`
	Recalled    usd     `json:"recalled,omitempty" doc:"Cash that has come back for the claim."`
	Day         *string `json:"dd,omitempty" doc:"Local day."`
	ClaimDay    *string `json:"claim_dd,omitempty"`
	Name        string  `json:"planname,omitempty"`
	From        usd     `json:"fromamount,omitempty"`
	To          usd     `json:"toamount,omitempty"`
	Requested   usd     `json:"Request_amount,omitempty" doc:"Of withdrawals: what was asked for. amount is what is paid."`
	Charge      usd     `json:"admincharge,omitempty"`
	Wallet      string  `json:"Wtype,omitempty" doc:"The wallet that a withdrawal is out of."`
	Type        string  `json:"withdrawlType,omitempty" doc:"USDT."`
	Address     string  `json:"address,omitempty"`
	Hash        string  `json:"hash,omitempty" doc:"Of the transaction that paid a withdrawal."`
	RequestedAt *string `json:"rd,omitempty" doc:"When a withdrawal was asked for, ISO 8601 in UTC."`
	AnsweredAt  *string `json:"pd,omitempty" doc:"When it was last answered; empty for not yet."`
	SelfForex   usd     `json:"SelfBusinessForex,omitempty"`
	TeamForex   usd     `json:"TeamBusinessForex,omitempty"`
	SelfCrypto  usd     `json:"SelfBusinessCrypto,omitempty"`
	TeamCrypto  usd     `json:"TeamBusinessCrypto,omitempty"`
}

type reportAnswer struct {
	Data  [][]reportRow `json:"data" nullable:"false" doc:"The first element is the page's rows."`
	Total int           `json:"total" doc:"How many rows there are in all."`
	Page  int           `json:"page"`
	Size  int           `json:"size"`
	Sum   usd           `json:"sum" doc:"The heading's total over all rows, not the page's: of ROI those on Release, of claims the net amounts of those Claimed, of ranks and rewards those achieved; of withdrawals all amounts asked for."`
}

type reportOutput struct{ Body reportAnswer }

// written is a page of any report on the wire.
func written[T any](q report.Query, p report.Page[T], row func(T) reportRow) *reportOutput {
	rows := make([]reportRow, 0, len(p.Rows))
	for i, x := range p.Rows {
		r := row(x)
		r.No = p.First + i
		rows = append(rows, r)
	}
	return &reportOutput{reportAnswer{[][]reportRow{rows}, p.Total, q.Page, q.Size, dollars(p.Sum)}}
}

// incomeTypes are the reports that list income rows.
var incomeTypes = func() map[string]plan.Income {
	all := map[string]plan.Income{}
	for _, x := range plan.Incomes() {
		if name := x.Report(); name != "" {
			all[name] = x
		}
	}
	return all
}()

// The other reports: by line what can be claimed and bought, and those without
// rows. Robot is a product and pays no ROI.
var (
	claimTypes   = map[string]string{"FOREXWithdrawalCliam": report.Forex, "CRYPTOWithdrawalCliam": report.Crypto}
	packageTypes = map[string]string{"Packages": report.Robot, "ForexPackage": report.Forex, "CryptoPackage": report.Crypto}
	emptyTypes   = map[string]bool{"RoiIncome": true, "RoiToLevelIncome": true}
)

const legType, rankType, rewardType, withdrawalType = "DirectLegBusiness", "user_rank", "user_reward", "WithdrawlHistory"

func knownType(name string) bool {
	_, income := incomeTypes[name]
	_, claim := claimTypes[name]
	_, packages := packageTypes[name]
	return income || claim || packages || emptyTypes[name] || name == legType || name == rankType || name == rewardType || name == withdrawalType
}

func (c *Calls) incomeReport(ctx context.Context, in *reportInput) (*reportOutput, error) {
	var f fields
	q, kind := in.Body.read(&f), in.Body.Type
	if !knownType(kind) {
		f.add("type", "report.unknown", "There is no such report.")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	if err := own(ctx, q.UID); err != nil {
		return nil, err
	}
	if t, ok := incomeTypes[kind]; ok {
		p, err := c.Report.Incomes(ctx, q, t.Kind, t.Line)
		return written(q, p, incomeRow), err
	}
	if line, ok := claimTypes[kind]; ok {
		p, err := c.Report.Claims(ctx, q, line)
		return written(q, p, func(x report.Claim) reportRow { return claimRow(q, x) }).numbered(), err
	}
	if line, ok := packageTypes[kind]; ok {
		return c.packages(ctx, q, line)
	}
	switch kind {
	case withdrawalType:
		return c.withdrawals(ctx, q)
	case legType:
		return c.legReport(ctx, q, in.Body)
	case rankType:
		p, err := c.Report.Ranks(ctx, q)
		return written(q, p, func(x report.Step) reportRow { return rankRow(q, x) }), err
	case rewardType:
		p, err := c.Report.Rewards(ctx, q)
		return written(q, p, func(x report.Step) reportRow { return rewardRow(q, x) }), err
	}
	return written(q, report.Page[reportRow]{}, func(r reportRow) reportRow { return r }), c.Report.Nothing(ctx, q)
}

// packages are few: the page is cut here.
func (c *Calls) packages(ctx context.Context, q report.Query, line string) (*reportOutput, error) {
	if err := c.Report.Nothing(ctx, q); err != nil {
		return nil, err
	}
	all, err := c.Report.Packages(ctx, line)
	first := (q.Page - 1) * q.Size
	p := report.Page[report.Package]{First: first + 1, Total: len(all), Rows: all[min(first, len(all)):min(first+q.Size, len(all))]}
	return written(q, p, func(x report.Package) reportRow {
		r := reportRow{ID: strconv.FormatInt(x.ID, 10), Name: x.Name, Amount: dollars(x.Amount)}
		if line != report.Robot {
			r.From, r.To = dollars(x.From), dollars(x.To)
		}
		return r
	}).numbered(), err
}

// numbered gives rows that have no number of their own that of their place.
func (o *reportOutput) numbered() *reportOutput {
	for i := range o.Body.Data[0] {
		o.Body.Data[0][i].Row = int64(o.Body.Data[0][i].No)
	}
	return o
}

// legReport is the list that has a call of its own too.
func (c *Calls) legReport(ctx context.Context, q report.Query, b reportBody) (*reportOutput, error) {
	legs, err := c.legBusiness(ctx, &listInput{listBody{UID: b.UID, From: b.From, To: b.To, Page: b.Page, Size: b.Size, Sort: b.Sort}})
	if err != nil {
		return nil, err
	}
	p := report.Page[legRow]{Rows: legs.Body.Data[0], First: (q.Page-1)*q.Size + 1, Total: legs.Body.Total}
	return written(q, p, func(l legRow) reportRow {
		return reportRow{UID: l.UID, SelfForex: l.SelfForex, TeamForex: l.TeamForex, SelfCrypto: l.SelfCrypto, TeamCrypto: l.TeamCrypto}
	}).numbered(), nil
}
