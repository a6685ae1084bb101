package httpapi

import (
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
)

type amountInput struct {
	SID  string `query:"sid" doc:"The caller's own user id."`
	Type string `query:"type" doc:"LevelIncome, binaryIncome, ForexIncome, CryptoIncome, royalty_income, salaryrankreward, or FundBalance for all funds together."`
}

type amountResult struct {
	Result usd `json:"result" doc:"What is available."`
}

func (c *Calls) incomeAmount(ctx context.Context, in *amountInput) (*reply[amountResult], error) {
	var f fields
	uid := f.uid("sid", text(in.SID))
	if err := f.err(); err != nil {
		return nil, err
	}
	if err := own(ctx, uid); err != nil {
		return nil, err
	}
	a, err := c.Report.Balance(ctx, uid, in.Type)
	return answer(amountResult{dollars(a)}), err
}

type historyInput struct{ Body historyBody }

type historyBody struct {
	UID  text   `json:"uid,omitempty" doc:"The caller's own user id."`
	SID  text   `json:"sid,omitempty" doc:"The same, or 0."`
	From string `json:"fdate,omitempty" doc:"First local day, 2026-01-31; empty is open."`
	To   string `json:"tdate,omitempty" doc:"Last local day, included."`
	Type text   `json:"type,omitempty" doc:"1 Robot, 8 Crypto, 10 Forex: bought for the member; 5 Robot, 9 Crypto, 11 Forex: bought for who hangs below."`
	Page text   `json:"page,omitempty" doc:"From 1."`
	Size text   `json:"size,omitempty" doc:"Rows of a page, up to 500; 100 unless given."`
	Sort string `json:"sort,omitempty" maxLength:"40" doc:"dd or, of 1, 8 and 10, Amount; - before it for descending. Newest first unless given."`
}

// historyTypes are the codes of histories.
var historyTypes = map[text]struct {
	line     string
	downline bool
}{
	"1": {report.Robot, false}, "5": {report.Robot, true},
	"8": {report.Crypto, false}, "9": {report.Crypto, true},
	"10": {report.Forex, false}, "11": {report.Forex, true},
}

type historyRow struct {
	Row        int    `json:"row"`
	Name       string `json:"f_name"`
	UID        string `json:"uid" doc:"For whom."`
	Payer      string `json:"referby" doc:"Whose fund paid."`
	Amount     usd    `json:"Amount"`
	Package    string `json:"pp"`
	Remark     string `json:"remark" enum:"Activation,Upgrade"`
	Fund       string `json:"type" enum:"FUNDS,FOREXFUNDS,CRYPTOFUNDS"`
	Day        string `json:"dd" doc:"Local day."`
	At         moment `json:"at"`
	ID         string `json:"id"`
	State      string `json:"state" doc:"Of Robot cooling, final, refunded or reversed; of lines open, matured or claimed."`
	Refundable bool   `json:"refundable" doc:"RefundPurchase gives it back to the caller, who has paid it."`
}

func (c *Calls) activationHistory(ctx context.Context, in *historyInput) (*list[historyRow], error) {
	b := in.Body
	var f fields
	q := reportBody{UID: b.UID, From: b.From, To: b.To, Page: b.Page, Size: b.Size, Sort: b.Sort}.read(&f)
	t, known := historyTypes[b.Type]
	if !known {
		f.add("type", "report.history_type", "The type is 1, 5, 8, 9, 10 or 11.")
	}
	columns := []string{"dd"}
	if !t.downline {
		columns = append(columns, "Amount")
	}
	f.sort(b.Sort, columns...)
	sid := q.UID
	if b.SID != "" && b.SID != "0" {
		sid = f.uid("sid", b.SID)
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	for _, uid := range []int64{q.UID, sid} {
		if err := own(ctx, uid); err != nil {
			return nil, err
		}
	}
	find := c.Report.History
	if t.downline {
		find = c.Report.Downline
	}
	p, err := find(ctx, q, t.line)
	rows := make([]historyRow, 0, len(p.Rows))
	for i, x := range p.Rows {
		rows = append(rows, historyOf(p.First+i, x))
	}
	return pageOf(rows, p.Total, q.Page, q.Size), err
}

type refundableInput struct {
	UID string `query:"uid" doc:"The caller's own user id."`
}

func (c *Calls) refundable(ctx context.Context, in *refundableInput) (*list[historyRow], error) {
	uid, err := ownID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	found, err := c.Report.Refundable(ctx, uid)
	rows := make([]historyRow, 0, len(found))
	for i, x := range found {
		rows = append(rows, historyOf(i+1, x))
	}
	return pageOf(rows, len(rows), 1, max(1, len(rows))), err
}

func historyOf(row int, x report.Purchase) historyRow {
	return historyRow{
		Row: row, Name: x.Name, UID: id(x.UID), Payer: id(x.Payer), Amount: dollars(x.Amount), Package: x.PackageName, Remark: x.Topup,
		Fund: x.Fund, Day: x.Day.String(), At: at(x.At), ID: x.ID, State: x.State, Refundable: x.Refundable,
	}
}

type byDayInput struct{ Body byDayBody }

type byDayBody struct {
	UID  text   `json:"uid,omitempty" doc:"The caller's own user id."`
	From string `json:"fdate,omitempty" doc:"First local day, 2026-01-31; empty is open."`
	To   string `json:"tdate,omitempty" doc:"Last local day, included."`
}

type dayIncomeRow struct {
	Day    string   `json:"dd" doc:"Local day."`
	Kind   kindName `json:"t"`
	Line   string   `json:"line,omitempty" doc:"Of ROI: FOREX or CRYPTO."`
	Amount usd      `json:"amount" doc:"Of ROI what left Hold."`
}

type byDayAnswer struct {
	Data [][]dayIncomeRow `json:"data" nullable:"false" doc:"The first element is the rows, oldest day first; days without income have none."`
}

func (c *Calls) incomeByDay(ctx context.Context, in *byDayInput) (*struct{ Body byDayAnswer }, error) {
	var f fields
	q := reportBody{UID: in.Body.UID, From: in.Body.From, To: in.Body.To}.read(&f)
	if err := f.err(); err != nil {
		return nil, err
	}
	if err := own(ctx, q.UID); err != nil {
		return nil, err
	}
	found, err := c.Report.IncomeByDay(ctx, q)
	rows := make([]dayIncomeRow, 0, len(found))
	for _, x := range found {
		rows = append(rows, dayIncomeRow{x.Day.String(), kindName(x.Kind.Name()), x.Line, dollars(x.Amount)})
	}
	return &struct{ Body byDayAnswer }{byDayAnswer{[][]dayIncomeRow{rows}}}, err
}

type whyInput struct{ Body whyBody }

type whyBody struct {
	UID text `json:"uid,omitempty" doc:"The caller's own user id."`
	Row text `json:"row,omitempty" doc:"The income's number, as reports have it in row."`
}

// whyResult is everything that explains an income; what does not apply to its
// kind is left out.
type whyResult struct {
	Row       int64      `json:"row"`
	Kind      kindName   `json:"t"`
	UID       string     `json:"uid" doc:"Whose sale or position it came from; the caller otherwise."`
	Line      string     `json:"line,omitempty"`
	Position  string     `json:"position,omitempty"`
	Level     int64      `json:"lvl,omitempty"`
	RatePPM   int64      `json:"rate_ppm,omitempty" doc:"Parts per million of on."`
	Rate      usd        `json:"onrate,omitempty" doc:"Of ROI: percent of the principal."`
	On        usd        `json:"on,omitempty" doc:"What it was paid on: the sale, the principal, the downline's ROI; of royalty the pool."`
	Matched   usd        `json:"matched,omitempty" doc:"Volume that both legs had."`
	Cap       usd        `json:"cap,omitempty" doc:"The most that matching pays a day with the packages owned."`
	Capped    bool       `json:"capped"`
	MatchBot  usd        `json:"match_bot,omitempty" doc:"Of ranks: matched volume, ever."`
	NeedMatch usd        `json:"need_match_bot,omitempty" doc:"What the rank asked for."`
	Leg1      usd        `json:"leg1,omitempty"`
	NeedLeg1  usd        `json:"need_leg1,omitempty" doc:"What the reward asked for."`
	OtherLeg  usd        `json:"otherleg,omitempty"`
	NeedOther usd        `json:"need_otherleg,omitempty"`
	Team      usd        `json:"team_volume,omitempty" doc:"Of salary: what the team brought this month."`
	NeedTeam  usd        `json:"need_team_volume,omitempty" doc:"What the salary asked for."`
	Share     usd        `json:"share,omitempty" doc:"Of ROI: the position's share of the booked profit, by principal."`
	Repaid    usd        `json:"repaid,omitempty" doc:"What of the share made up for losses of the position before; missing if nothing did."`
	SplitPPM  int64      `json:"split_ppm,omitempty" doc:"The member's part of the rest, in parts per million."`
	Weight    int64      `json:"weight,omitempty" doc:"Of royalty: the rank's weight,"`
	Weights   int64      `json:"weights,omitempty" doc:"of all weights together."`
	Nominal   usd        `json:"nominal" doc:"Before what the pool could pay."`
	Paid      usd        `json:"paid"`
	Scaled    bool       `json:"scaled"`
	FactorPPM int64      `json:"factor_ppm" doc:"What was paid of the nominal amount, in parts per million."`
	Status    string     `json:"ss"`
	Released  string     `json:"released,omitempty" doc:"The day on which it left Hold."`
	Remark    string     `json:"remark"`
	Reverses  int64      `json:"reverses,omitempty" doc:"The row that it takes back."`
	Source    *whySource `json:"source,omitempty"`
	Before    *whyLegs   `json:"carry_before,omitempty" doc:"The legs before matching."`
	After     *whyLegs   `json:"carry_after,omitempty" doc:"What stayed in them."`
	Close     whyClose   `json:"close"`
}

type whySource struct {
	Kind      string `json:"kind" enum:"sale,pnl"`
	ID        string `json:"id"`
	Amount    usd    `json:"amount"`
	Day       string `json:"day"`
	At        moment `json:"at"`
	State     string `json:"state,omitempty"`
	Reference string `json:"reference,omitempty" doc:"The operator's evidence."`
}

type whyLegs struct {
	Left  usd `json:"left"`
	Right usd `json:"right"`
}

type whyClose struct {
	Day       string `json:"day"`
	Digest    string `json:"digest"`
	Plan      string `json:"plan" doc:"The plan's version."`
	Committed moment `json:"committed"`
}

func (c *Calls) incomeWhy(ctx context.Context, in *whyInput) (*reply[whyResult], error) {
	var f fields
	uid := f.uid("uid", in.Body.UID)
	row, err := strconv.ParseInt(string(in.Body.Row), 10, 64)
	if err != nil || row <= 0 {
		f.add("row", "report.income_row", "The row is an income's number.")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	if err := own(ctx, uid); err != nil {
		return nil, err
	}
	w, err := c.Report.Why(ctx, uid, row)
	if err != nil {
		return nil, err
	}
	return answer(whyOf(w)), nil
}

func whyOf(w report.Why) whyResult {
	r := whyResult{
		Row: w.Row, Kind: kindName(w.Kind.Name()), UID: id(w.OfUID), Line: w.Line, Position: w.Position, Level: w.Level, RatePPM: w.RatePPM,
		Capped: w.Capped, Nominal: micro(w.Nominal), Paid: micro(w.Paid), Scaled: w.Scaled, FactorPPM: w.FactorPPM, Status: w.SS, Remark: w.Remark, Reverses: w.Reverses,
		Close: whyClose{w.Close.Day.String(), w.Close.Digest, w.Close.Plan, at(w.Close.At)},
	}
	if w.Since != 0 {
		r.Released = w.Since.String()
	}
	switch w.Kind {
	case plan.KindLevel, plan.KindROILevel:
		r.On = micro(w.On)
	case plan.KindROI:
		r.On, r.Rate = micro(w.On), dollars(w.Rate)
		if s := w.Profit; s != nil {
			r.Share, r.SplitPPM = dollars(s.Share), s.MemberPPM
			if !s.Repaid.IsZero() {
				r.Repaid = dollars(s.Repaid)
			}
		}
	case plan.KindMatching:
		r.Matched, r.Cap = micro(w.On), micro(w.A)
	case plan.KindRank:
		r.MatchBot, r.NeedMatch = micro(w.A), dollars(w.Need)
	case plan.KindReward:
		r.Leg1, r.OtherLeg, r.NeedLeg1, r.NeedOther = micro(w.A), micro(w.B), dollars(w.Need), dollars(w.NeedOther)
	case plan.KindSalary:
		r.Team, r.NeedTeam = micro(w.A), dollars(w.Need)
	case plan.KindRoyalty:
		r.On, r.Weight, r.Weights = micro(w.On), w.A, w.B
	}
	if s := w.Source; s != nil {
		r.Source = &whySource{s.Kind, s.ID, dollars(s.Amount), s.Day.String(), at(s.At), s.State, s.Reference}
	}
	if w.After != nil {
		r.Before = &whyLegs{dollars(w.Before[0]), dollars(w.Before[1])}
		r.After = &whyLegs{dollars(w.After[0]), dollars(w.After[1])}
	}
	return r
}
