package member

import (
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
)

type amountInput struct {
	SID  string `query:"sid" doc:"The caller's user id."`
	Type string `query:"type" doc:"LevelIncome, binaryIncome, ForexIncome, CryptoIncome, royalty_income, salaryrankreward, or FundBalance for all funds together."`
}

type amountResult struct {
	Result httpx.USD `json:"result" doc:"The available balance."`
}

func (c *Calls) incomeAmount(ctx context.Context, in *amountInput) (*httpx.Reply[amountResult], error) {
	var f httpx.FieldErrors
	uid := f.UserID("sid", httpx.StringOrInt(in.SID))
	if err := f.ErrOrNotOwner(ctx, uid); err != nil {
		return nil, err
	}
	a, err := c.Report.Balance(ctx, uid, in.Type)
	return httpx.NewReply(amountResult{httpx.ToUSD(a)}), err
}

type historyBody struct {
	UID  httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
	SID  httpx.StringOrInt `json:"sid,omitempty" doc:"The caller's user id, or 0."`
	From string            `json:"fdate,omitempty" doc:"First local day, such as 2026-01-31; empty for no limit."`
	To   string            `json:"tdate,omitempty" doc:"Last local day, inclusive."`
	Type httpx.StringOrInt `json:"type,omitempty" doc:"Purchases for the member: 1 Robot, 8 Crypto, 10 Forex. Purchases for the downline: 5 Robot, 9 Crypto, 11 Forex."`
	Page httpx.StringOrInt `json:"page,omitempty" doc:"Page number, from 1."`
	Size httpx.StringOrInt `json:"size,omitempty" doc:"Rows per page, at most 500; default 100."`
	Sort string            `json:"sort,omitempty" maxLength:"40" doc:"dd or (types 1, 8 and 10) Amount; prefix - for descending. Default: newest first."`
}

var historyTypes = map[httpx.StringOrInt]struct {
	line     string
	downline bool
}{
	"1": {report.Robot, false}, "5": {report.Robot, true},
	"8": {report.Crypto, false}, "9": {report.Crypto, true},
	"10": {report.Forex, false}, "11": {report.Forex, true},
}

type HistoryRow struct {
	Row        int             `json:"row"`
	Name       string          `json:"f_name"`
	UID        string          `json:"uid" doc:"The member who receives the purchase."`
	Payer      string          `json:"referby" doc:"The member whose fund paid."`
	Amount     httpx.USD       `json:"Amount"`
	Package    string          `json:"pp"`
	Remark     string          `json:"remark" enum:"Activation,Upgrade"`
	Fund       string          `json:"type" enum:"FUNDS,FOREXFUNDS,CRYPTOFUNDS"`
	Day        string          `json:"dd" doc:"The local day."`
	At         httpx.Timestamp `json:"at"`
	ID         string          `json:"id"`
	State      string          `json:"state" doc:"Robot: cooling, final, refunded or reversed. Trading lines: open, matured or claimed."`
	Refundable bool            `json:"refundable" doc:"Whether RefundPurchase can refund it to the caller, who paid it."`
	Blocked    bool            `json:"upgraded,omitempty" doc:"The caller can refund it after its upgrade."`
	Until      string          `json:"return_until,omitempty" doc:"Robot, while cooling: the last local day of the cooling-off period."`
	Left       int64           `json:"return_days,omitempty" doc:"The days of the cooling-off period that are left after today."`
	Refunded   string          `json:"refunded,omitempty" doc:"Robot: the local day of the refund."`
	Term       int64           `json:"term,omitempty" doc:"Trading lines: the term in days."`
	Ends       string          `json:"ends,omitempty" doc:"Trading lines: the local day on which the investment ends."`
}

func (c *Calls) activationHistory(ctx context.Context, in *httpx.Body[historyBody]) (*httpx.List[HistoryRow], error) {
	b := in.Body
	var f httpx.FieldErrors
	q := reportBody{UID: b.UID, From: b.From, To: b.To, Page: b.Page, Size: b.Size, Sort: b.Sort}.read(&f)
	t, known := historyTypes[b.Type]
	if !known {
		f.Add("type", "report.history_type", "The type is 1, 5, 8, 9, 10 or 11.")
	}
	columns := []string{"dd"}
	if !t.downline {
		columns = append(columns, "Amount")
	}
	f.Sort(b.Sort, columns...)
	sid := q.UID
	if b.SID != "" && b.SID != "0" {
		sid = f.UserID("sid", b.SID)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	for _, uid := range []int64{q.UID, sid} {
		if err := httpx.RequireOwner(ctx, uid); err != nil {
			return nil, err
		}
	}
	find := c.Report.History
	if t.downline {
		find = c.Report.Downline
	}
	p, err := find(ctx, q, t.line)
	rows := make([]HistoryRow, 0, len(p.Rows))
	for i, x := range p.Rows {
		rows = append(rows, HistoryOf(p.First+i, x))
	}
	return httpx.NewList(rows, p.Total, q.Page, q.Size), err
}

type refundableInput struct {
	UID string `query:"uid" doc:"The caller's user id."`
}

func (c *Calls) refundable(ctx context.Context, in *refundableInput) (*httpx.List[HistoryRow], error) {
	uid, err := httpx.OwnUserID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	found, err := c.Report.Refundable(ctx, uid)
	rows := make([]HistoryRow, 0, len(found))
	for i, x := range found {
		rows = append(rows, HistoryOf(i+1, x))
	}
	return httpx.NewList(rows, len(rows), 1, max(1, len(rows))), err
}

func HistoryOf(row int, x report.Purchase) HistoryRow {
	r := HistoryRow{
		Row: row, Name: x.Name, UID: httpx.FormatID(x.UID), Payer: httpx.FormatID(x.Payer), Amount: httpx.ToUSD(x.Amount), Package: x.PackageName, Remark: x.Topup,
		Fund: x.Fund, Day: x.Day.String(), At: httpx.ToTimestamp(x.At), ID: x.ID, State: x.State, Refundable: x.Refundable, Blocked: x.Blocked, Term: x.Term,
	}
	if x.Until != 0 {
		r.Until, r.Left = x.Until.String(), x.Left
	}
	if x.Ends != 0 {
		r.Ends = x.Ends.String()
	}
	if x.Refunded != 0 {
		r.Refunded = x.Refunded.String()
	}
	return r
}

type byDayBody struct {
	UID  httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
	From string            `json:"fdate,omitempty" doc:"First local day, such as 2026-01-31; empty for no limit."`
	To   string            `json:"tdate,omitempty" doc:"Last local day, inclusive."`
}

type dayIncomeRow struct {
	Day    string         `json:"dd" doc:"The local day."`
	Kind   httpx.KindName `json:"t"`
	Line   string         `json:"line,omitempty" doc:"ROI only: FOREX or CRYPTO."`
	Amount httpx.USD      `json:"amount" doc:"The amount; of ROI the part released from Hold."`
}

type byDayAnswer struct {
	Data [][]dayIncomeRow `json:"data" nullable:"false" doc:"The first element holds the rows, oldest day first; days without income have no row."`
}

func (c *Calls) incomeByDay(ctx context.Context, in *httpx.Body[byDayBody]) (*struct{ Body byDayAnswer }, error) {
	var f httpx.FieldErrors
	q := reportBody{UID: in.Body.UID, From: in.Body.From, To: in.Body.To}.read(&f)
	if err := f.ErrOrNotOwner(ctx, q.UID); err != nil {
		return nil, err
	}
	found, err := c.Report.IncomeByDay(ctx, q)
	rows := make([]dayIncomeRow, 0, len(found))
	for _, x := range found {
		rows = append(rows, dayIncomeRow{x.Day.String(), httpx.KindName(x.Kind.Name()), x.Line, httpx.ToUSD(x.Amount)})
	}
	return &struct{ Body byDayAnswer }{byDayAnswer{[][]dayIncomeRow{rows}}}, err
}

type whyBody struct {
	UID httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
	Row httpx.StringOrInt `json:"row,omitempty" doc:"The number of the income: the field row of reports."`
}

// whyResult explains an income; fields that do not apply to its kind are left out.
type whyResult struct {
	Row       int64          `json:"row"`
	Kind      httpx.KindName `json:"t"`
	UID       string         `json:"uid" doc:"The member whose sale or position the income comes from; else the caller."`
	Name      string         `json:"f_name,omitempty" doc:"Level incomes: the name of that member."`
	Line      string         `json:"line,omitempty"`
	Position  string         `json:"position,omitempty"`
	Level     int64          `json:"lvl,omitempty"`
	RatePPM   int64          `json:"rate_ppm,omitempty" doc:"The rate in parts per million of on."`
	Rate      httpx.USD      `json:"onrate,omitempty" doc:"ROI only: percent of the principal."`
	On        httpx.USD      `json:"on,omitempty" doc:"The base amount: the sale, the principal, the downline's ROI or the royalty pool."`
	Matched   httpx.USD      `json:"matched,omitempty" doc:"The matched volume of both legs."`
	Cap       httpx.USD      `json:"cap,omitempty" doc:"The daily matching cap of the packages owned."`
	Capped    bool           `json:"capped"`
	Uncapped  httpx.USD      `json:"uncapped,omitempty" doc:"Matching only: the income without the daily cap."`
	Result    httpx.USD      `json:"result_rate,omitempty" doc:"ROI only: the trading result of the day in percent of the principal, before losses are made up and the profit is divided."`
	MatchBot  httpx.USD      `json:"match_bot,omitempty" doc:"Ranks only: the lifetime matched volume."`
	NeedMatch httpx.USD      `json:"need_match_bot,omitempty" doc:"The volume that the rank requires."`
	Leg1      httpx.USD      `json:"leg1,omitempty"`
	NeedLeg1  httpx.USD      `json:"need_leg1,omitempty" doc:"The volume that the reward requires."`
	OtherLeg  httpx.USD      `json:"otherleg,omitempty"`
	NeedOther httpx.USD      `json:"need_otherleg,omitempty"`
	Team      httpx.USD      `json:"team_volume,omitempty" doc:"Salary only: the team's volume this month."`
	NeedTeam  httpx.USD      `json:"need_team_volume,omitempty" doc:"The volume that the salary requires."`
	Share     httpx.USD      `json:"share,omitempty" doc:"ROI only: the position's share of the booked profit, by principal."`
	Repaid    httpx.USD      `json:"repaid,omitempty" doc:"The part of the share that repaid earlier losses of the position; absent if none did."`
	SplitPPM  int64          `json:"split_ppm,omitempty" doc:"The member's part of the remainder, in parts per million."`
	Weight    int64          `json:"weight,omitempty" doc:"Royalty only: the weight of the rank."`
	Weights   int64          `json:"weights,omitempty" doc:"Royalty only: the sum of all weights."`
	Nominal   httpx.USD      `json:"nominal" doc:"The amount before scaling to the pool."`
	Paid      httpx.USD      `json:"paid"`
	Scaled    bool           `json:"scaled"`
	FactorPPM int64          `json:"factor_ppm" doc:"The paid part of the nominal amount, in parts per million."`
	Status    string         `json:"ss"`
	Ended     string         `json:"ended,omitempty" doc:"ROI on Hold or Claimed: the day on which the investment ended. The row is paid with its claim."`
	Released  string         `json:"released,omitempty" doc:"The day of release from Hold."`
	Remark    string         `json:"remark"`
	Reverses  int64          `json:"reverses,omitempty" doc:"The number of the reversed row."`
	Source    *whySource     `json:"source,omitempty"`
	Before    *whyLegs       `json:"carry_before,omitempty" doc:"The leg volumes before matching."`
	After     *whyLegs       `json:"carry_after,omitempty" doc:"The leg volumes after matching."`
	Close     whyClose       `json:"close"`
}

type whySource struct {
	Kind      string          `json:"kind" enum:"sale,pnl"`
	ID        string          `json:"id"`
	Amount    httpx.USD       `json:"amount"`
	Day       string          `json:"day"`
	At        httpx.Timestamp `json:"at"`
	State     string          `json:"state,omitempty"`
	Reference string          `json:"reference,omitempty" doc:"The reference to the operator's evidence."`
}

type whyLegs struct {
	Left  httpx.USD `json:"left"`
	Right httpx.USD `json:"right"`
}

type whyClose struct {
	Day       string          `json:"day"`
	Digest    string          `json:"digest"`
	Plan      string          `json:"plan" doc:"The version of the plan."`
	Committed httpx.Timestamp `json:"committed"`
}

func (c *Calls) incomeWhy(ctx context.Context, in *httpx.Body[whyBody]) (*httpx.Reply[whyResult], error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", in.Body.UID)
	row, err := strconv.ParseInt(string(in.Body.Row), 10, 64)
	if err != nil || row <= 0 {
		f.Add("row", "report.income_row", "row must be the number of an income.")
	}
	if err := f.ErrOrNotOwner(ctx, uid); err != nil {
		return nil, err
	}
	return httpx.ReplyAs(whyOf)(c.Report.Why(ctx, uid, row))
}

func whyOf(w report.Why) whyResult {
	r := whyResult{
		Row: w.Row, Kind: httpx.KindName(w.Kind.Name()), UID: httpx.FormatID(w.OfUID), Line: w.Line, Position: w.Position, Level: w.Level, RatePPM: w.RatePPM,
		Capped: w.Capped, Nominal: httpx.MicroToUSD(w.Nominal), Paid: httpx.MicroToUSD(w.Paid), Scaled: w.Scaled, FactorPPM: w.FactorPPM, Status: w.SS, Remark: w.Remark, Reverses: w.Reverses,
		Close: whyClose{w.Close.Day.String(), w.Close.Digest, w.Close.Plan, httpx.ToTimestamp(w.Close.At)},
	}
	if w.Since != 0 {
		r.Released = w.Since.String()
	}
	if w.Kind == plan.KindROI && w.ClaimMade != 0 && w.SS != "Release" {
		r.Ended = w.ClaimMade.String()
	}
	switch w.Kind {
	case plan.KindLevel, plan.KindROILevel:
		r.Name = w.OfName
		r.On = httpx.MicroToUSD(w.On)
	case plan.KindROI:
		r.On, r.Rate = httpx.MicroToUSD(w.On), httpx.ToUSD(w.Rate)
		if s := w.Profit; s != nil {
			r.Share, r.SplitPPM = httpx.ToUSD(s.Share), s.MemberPPM
			r.Result = httpx.ToUSD(s.Rate)
			if !s.Repaid.IsZero() {
				r.Repaid = httpx.ToUSD(s.Repaid)
			}
		}
	case plan.KindMatching:
		r.Matched, r.Cap = httpx.MicroToUSD(w.On), httpx.MicroToUSD(w.A)
		if w.Capped {
			r.Uncapped = httpx.ToUSD(w.Uncapped)
		}
	case plan.KindRank:
		r.MatchBot, r.NeedMatch = httpx.MicroToUSD(w.A), httpx.ToUSD(w.Need)
	case plan.KindReward:
		r.Leg1, r.OtherLeg, r.NeedLeg1, r.NeedOther = httpx.MicroToUSD(w.A), httpx.MicroToUSD(w.B), httpx.ToUSD(w.Need), httpx.ToUSD(w.NeedOther)
	case plan.KindSalary:
		r.Team, r.NeedTeam = httpx.MicroToUSD(w.A), httpx.ToUSD(w.Need)
	case plan.KindRoyalty:
		r.On, r.Weight, r.Weights = httpx.MicroToUSD(w.On), w.A, w.B
	}
	if s := w.Source; s != nil {
		r.Source = &whySource{s.Kind, s.ID, httpx.ToUSD(s.Amount), s.Day.String(), httpx.ToTimestamp(s.At), s.State, s.Reference}
	}
	if w.After != nil {
		r.Before = &whyLegs{httpx.ToUSD(w.Before[0]), httpx.ToUSD(w.Before[1])}
		r.After = &whyLegs{httpx.ToUSD(w.After[0]), httpx.ToUSD(w.After[1])}
	}
	return r
}
