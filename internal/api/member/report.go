package member

import (
	"context"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
)

func (c *Calls) registerReport(api huma.API) {
	httpx.PostRead(api, httpx.TagReport, "GetIncomeReport", "List the member's incomes of a type", c.incomeReport)
	httpx.Get(api, httpx.TagReport, "getIncomeAmount", "Retrieve the available balance of a wallet", c.incomeAmount)
	httpx.PostRead(api, httpx.TagReport, "ActivationHistory", "List purchases for the member or the member's downline", c.activationHistory)
	httpx.Get(api, httpx.TagReport, "refundable", "List refundable packages paid by the member, newest first", httpx.WithReadSlot(c.Base, c.refundable))
	httpx.Get(api, httpx.TagReport, "investments", "List the member's investments on a trading line with their results", httpx.WithReadSlot(c.Base, c.investments))
	httpx.Get(api, httpx.TagReport, "lessons", "Retrieve the lessons of the educational package", c.lessons)
	httpx.Get(api, httpx.TagReport, "statementPreview", "Retrieve the figures and the newest entries of a wallet's statement", httpx.WithReadSlot(c.Base, c.statementPreview))
	httpx.PostRead(api, httpx.TagReport, "IncomeByDay", "Retrieve the member's incomes by day and kind", c.incomeByDay)
	httpx.PostRead(api, httpx.TagReport, "IncomeWhy", "Retrieve the calculation of an income", c.incomeWhy)
}

type reportBody struct {
	UID  httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
	From string            `json:"fdate,omitempty" doc:"First local day, such as 2026-01-31; empty for no limit."`
	To   string            `json:"tdate,omitempty" doc:"Last local day, inclusive."`
	Type string            `json:"type,omitempty" doc:"The report: LevelIncome, binaryIncome, salaryincome, royalty_income, user_rank, user_reward, RoiIncomeForex, RoiToLevelIncomeForex, RoiIncomeCrypto, RoiToLevelIncomeCrypto, RoiIncome, RoiToLevelIncome, FOREXWithdrawalCliam, CRYPTOWithdrawalCliam, WithdrawlHistory, DirectLegBusiness, Packages, ForexPackage or CryptoPackage."`
	Page httpx.StringOrInt `json:"page,omitempty" doc:"Page number, from 1."`
	Size httpx.StringOrInt `json:"size,omitempty" doc:"Rows per page, at most 500; default 100."`
	Sort string            `json:"sort,omitempty" maxLength:"40" doc:"dd, lvl or the amount of the report; prefix - for descending. Default: newest first; ranks and rewards are always sorted by level."`
}

// read reads the common fields of reports and collects all errors.
func (b reportBody) read(f *httpx.FieldErrors) report.Query {
	return report.Query{
		UID: f.UserID("uid", b.UID), From: f.OptionalPlanDay("fdate", b.From), To: f.OptionalPlanDay("tdate", b.To), Sort: b.Sort,
		Page: int(f.Int("page", b.Page, 1, 1, 1_000_000)), Size: int(f.Int("size", b.Size, httpx.DefaultPageSize, 1, report.MaxSize)),
	}
}

// reportRow is a row of any report: each type sets its fields. The reports share one call,
// whose schema this is.
type reportRow struct {
	Row         int64           `json:"row" doc:"The permanent number of an income, as IncomeWhy takes it and remarks name it; 0 for a level that is not reached; in other reports the same as sno."`
	No          int             `json:"sno" doc:"The position of the row in the report, from 1."`
	UID         string          `json:"uid,omitempty"`
	FromName    string          `json:"f_name,omitempty" doc:"Level incomes: the name of the member with that id."`
	ID          string          `json:"id,omitempty"`
	OnAmount    httpx.USD       `json:"onamount,omitempty"`
	OnPrincipal httpx.USD       `json:"On_amount,omitempty"`
	OnRate      httpx.USD       `json:"onrate,omitempty" doc:"The rate in percent."`
	Level       int64           `json:"lvl,omitempty"`
	Income      httpx.USD       `json:"income,omitempty"`
	PlanAmount  httpx.USD       `json:"plan_amount,omitempty"`
	Matching    httpx.USD       `json:"binaryincome,omitempty"`
	Matched     httpx.USD       `json:"lPV,omitempty"`
	Cap         httpx.USD       `json:"capingamount,omitempty" doc:"The daily cap of matching income: of an income, or of a Robot package."`
	Reward      httpx.USD       `json:"reward,omitempty"`
	Nominal     httpx.USD       `json:"nominal,omitempty" doc:"The amount before scaling to the pool."`
	Salary      httpx.USD       `json:"salary,omitempty"`
	Rank        string          `json:"rank,omitempty"`
	NeedMatched httpx.USD       `json:"reqmatch_bot,omitempty"`
	MatchedEver httpx.USD       `json:"match_bot,omitempty"`
	NeedLeg1    httpx.USD       `json:"reqleg1,omitempty"`
	Leg1        httpx.USD       `json:"leg1,omitempty"`
	NeedOther   httpx.USD       `json:"reqotherleg,omitempty"`
	Other       httpx.USD       `json:"otherleg,omitempty"`
	Achieved    string          `json:"achieved_ss,omitempty" doc:"achieved or pending."`
	AchievedDay *string         `json:"ad,omitempty"`
	Remark      *string         `json:"remark,omitempty"`
	Status      string          `json:"ss,omitempty" doc:"Incomes: Hold, Release or Claimed. Claims: Pending or Claimed. Withdrawals: Pending, Approved, Sent, Confirmed, Rejected or Cancelled."`
	Released    string          `json:"released,omitempty" doc:"The day of release from Hold."`
	Amount      httpx.USD       `json:"amount,omitempty"`
	AccountType string          `json:"accounttype,omitempty"`
	Net         httpx.USD       `json:"netamount,omitempty"`
	Recalled    httpx.USD       `json:"recalled,omitempty" doc:"The cash recalled for the claim."`
	Ready       *bool           `json:"ready,omitempty" doc:"Claims: whether Claiminvestment can pay it now."`
	Day         *string         `json:"dd,omitempty" doc:"The local day."`
	ClaimDay    *string         `json:"claim_dd,omitempty"`
	Name        string          `json:"planname,omitempty"`
	From        httpx.USD       `json:"fromamount,omitempty"`
	To          httpx.USD       `json:"toamount,omitempty"`
	Term        int64           `json:"term,omitempty" doc:"Packages of trading lines: the term in days. There is no cooling-off."`
	Ends        string          `json:"ends,omitempty" doc:"Packages of trading lines: the local day on which an investment of today ends."`
	MemberPPM   int64           `json:"member_ppm,omitempty" doc:"Packages of trading lines: the member's part of a profit, in parts per million."`
	LevelPPM    int64           `json:"level_ppm,omitempty" doc:"The part for the levels above the member."`
	FeePPM      int64           `json:"fee_ppm,omitempty" doc:"The company's fee."`
	Requested   httpx.USD       `json:"Request_amount,omitempty" doc:"Withdrawals only: the requested amount; amount is the amount paid."`
	Charge      httpx.USD       `json:"admincharge,omitempty"`
	Wallet      string          `json:"Wtype,omitempty" doc:"Withdrawals only: the debited wallet."`
	Type        string          `json:"withdrawlType,omitempty" doc:"Always USDT."`
	Address     string          `json:"address,omitempty"`
	Hash        string          `json:"hash,omitempty" doc:"The hash of the transaction that paid the withdrawal."`
	RequestedAt *string         `json:"rd,omitempty" doc:"The time of the withdrawal request, ISO 8601 in UTC."`
	AnsweredAt  *string         `json:"pd,omitempty" doc:"The time of the last decision; empty while pending."`
	ApprovedAt  httpx.Timestamp `json:"approved,omitempty" doc:"Withdrawals: the time of the final approval."`
	SentAt      httpx.Timestamp `json:"sent,omitempty" doc:"The time when the payment was sent."`
	ConfirmedAt httpx.Timestamp `json:"confirmed,omitempty" doc:"The time when the payment was confirmed."`
	NotBefore   httpx.Timestamp `json:"notBefore,omitempty" doc:"Withdrawals that wait after a security change: the earliest time of payment."`
	Parts       []fundPart      `json:"parts,omitempty" doc:"Withdrawals of unused funds: the debited funds."`
	SelfForex   httpx.USD       `json:"SelfBusinessForex,omitempty"`
	TeamForex   httpx.USD       `json:"TeamBusinessForex,omitempty"`
	SelfCrypto  httpx.USD       `json:"SelfBusinessCrypto,omitempty"`
	TeamCrypto  httpx.USD       `json:"TeamBusinessCrypto,omitempty"`
}

type reportAnswer struct {
	Data  [][]reportRow `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
	Total int           `json:"total" doc:"The total number of rows."`
	Page  int           `json:"page"`
	Size  int           `json:"size"`
	Paid  httpx.USD     `json:"paid,omitempty" doc:"Withdrawals only: the amounts that reached the member, after fees."`
	Sum   httpx.USD     `json:"sum" doc:"The total of all rows, not only of the page: ROI on Release, net amounts of claims that are Claimed, achieved ranks and rewards, requested amounts of withdrawals."`
}

type reportOutput struct{ Body reportAnswer }

func reportPage[T any](q report.Query, p report.Page[T], row func(T) reportRow) *reportOutput {
	rows := make([]reportRow, 0, len(p.Rows))
	for i, x := range p.Rows {
		r := row(x)
		r.No = p.First + i
		rows = append(rows, r)
	}
	return &reportOutput{reportAnswer{[][]reportRow{rows}, p.Total, q.Page, q.Size, "", httpx.ToUSD(p.Sum)}}
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

// The other reports: claims and purchases by line, and those without rows. Robot is a
// product and pays no ROI.
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

func (c *Calls) incomeReport(ctx context.Context, in *httpx.Body[reportBody]) (*reportOutput, error) {
	var f httpx.FieldErrors
	q, kind := in.Body.read(&f), in.Body.Type
	if !knownType(kind) {
		f.Add("type", "report.unknown", "There is no such report.")
	}
	if err := f.ErrOrNotOwner(ctx, q.UID); err != nil {
		return nil, err
	}
	if t, ok := incomeTypes[kind]; ok {
		p, err := c.Report.Incomes(ctx, q, t.Kind, t.Line)
		return reportPage(q, p, incomeRow), err
	}
	if line, ok := claimTypes[kind]; ok {
		p, err := c.Report.Claims(ctx, q, line)
		return reportPage(q, p, func(x report.Claim) reportRow { return claimRow(q, x) }).numberByPosition(), err
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
		return reportPage(q, p, func(x report.Step) reportRow { return rankRow(q, x) }), err
	case rewardType:
		p, err := c.Report.Rewards(ctx, q)
		return reportPage(q, p, func(x report.Step) reportRow { return rewardRow(q, x) }), err
	}
	return reportPage(q, report.Page[reportRow]{}, func(r reportRow) reportRow { return r }), c.Report.Nothing(ctx, q)
}

// packages returns one page; packages are few, so the page is cut here.
func (c *Calls) packages(ctx context.Context, q report.Query, line string) (*reportOutput, error) {
	if err := c.Report.Nothing(ctx, q); err != nil {
		return nil, err
	}
	all, err := c.Report.Packages(ctx, line)
	first := (q.Page - 1) * q.Size
	p := report.Page[report.Package]{First: first + 1, Total: len(all), Rows: all[min(first, len(all)):min(first+q.Size, len(all))]}
	return reportPage(q, p, func(x report.Package) reportRow {
		r := reportRow{ID: strconv.FormatInt(x.ID, 10), Name: x.Name, Amount: httpx.ToUSD(x.Amount)}
		if line == report.Robot {
			r.Cap = httpx.ToUSD(x.Cap)
			return r
		}
		r.From, r.To, r.Term, r.Ends = httpx.ToUSD(x.From), httpx.ToUSD(x.To), x.Term, x.Ends.String()
		r.MemberPPM, r.LevelPPM, r.FeePPM = x.Split.Member, x.Split.Level, x.Split.Fee
		return r
	}).numberByPosition(), err
}

// numberByPosition numbers rows without a permanent number by their position.
func (o *reportOutput) numberByPosition() *reportOutput {
	for i := range o.Body.Data[0] {
		o.Body.Data[0][i].Row = int64(o.Body.Data[0][i].No)
	}
	return o
}

// legReport returns the list that also has a call of its own.
func (c *Calls) legReport(ctx context.Context, q report.Query, b reportBody) (*reportOutput, error) {
	legs, err := c.legBusiness(ctx, &httpx.Body[listBody]{Body: listBody{UID: b.UID, From: b.From, To: b.To, Page: b.Page, Size: b.Size, Sort: b.Sort}})
	if err != nil {
		return nil, err
	}
	p := report.Page[legRow]{Rows: legs.Body.Data[0], First: (q.Page-1)*q.Size + 1, Total: legs.Body.Total}
	return reportPage(q, p, func(l legRow) reportRow {
		return reportRow{UID: l.UID, SelfForex: l.SelfForex, TeamForex: l.TeamForex, SelfCrypto: l.SelfCrypto, TeamCrypto: l.TeamCrypto}
	}).numberByPosition(), nil
}
