package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	memberapi "github.com/bifolia/bifolia/internal/api/member"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// registerMemberLists registers the lists of a member's purchases, incomes and requests.
func (c *Calls) registerMemberLists(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/member/purchases", "List purchases for a member", c.memberPurchases)
	httpx.Get(api, httpx.TagOperator, "operator/member/incomes", "List a member's incomes by kind", c.memberIncomes)
	httpx.Get(api, httpx.TagOperator, "operator/member/requests", "List a member's fund requests, withdrawals, transfers or claims", c.memberRequests)
}

// MemberPage selects a page of a member's list.
type MemberPage struct {
	UID  string `query:"uid"`
	Page int    `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int    `query:"size" minimum:"1" maximum:"500" default:"25"`
}

func (p MemberPage) query() (report.Query, error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(p.UID))
	return report.Query{UID: uid, Page: p.Page, Size: p.Size}, f.Err()
}

type purchasesInput struct {
	MemberPage
	Of string `query:"of" enum:"robot,forex,crypto" default:"robot" doc:"The product or trading line."`
}

func (c *Calls) memberPurchases(ctx context.Context, in *purchasesInput) (*httpx.List[memberapi.HistoryRow], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	line := map[string]string{"robot": report.Robot, "forex": report.Forex, "crypto": report.Crypto}[in.Of]
	p, err := c.Report.History(ctx, q, line)
	rows := make([]memberapi.HistoryRow, 0, len(p.Rows))
	for i, x := range p.Rows {
		x.Refundable, x.Blocked = false, false // only the payer can refund
		rows = append(rows, memberapi.HistoryOf(p.First+i, x))
	}
	return httpx.NewList(rows, p.Total, q.Page, q.Size), err
}

var memberIncomeTypes = func() map[httpx.IncomeName]plan.Income {
	all := map[httpx.IncomeName]plan.Income{}
	for _, x := range plan.Incomes() {
		all[httpx.IncomeName(x.Name())] = x
	}
	return all
}()

type memberIncomesInput struct {
	MemberPage
	Kind httpx.IncomeName `query:"kind" default:"Level"`
}

type memberIncomeRow struct {
	Row      int64     `json:"row" doc:"The permanent number of the income."`
	Day      string    `json:"day"`
	Of       string    `json:"of" doc:"The member whose sale or position the income comes from."`
	Level    int64     `json:"level"`
	On       httpx.USD `json:"on" doc:"The base amount."`
	Nominal  httpx.USD `json:"nominal" doc:"The amount before scaling to the pool."`
	Paid     httpx.USD `json:"paid"`
	Capped   bool      `json:"capped"`
	Scaled   bool      `json:"scaled"`
	Reverses int64     `json:"reverses" doc:"The number of the reversed row; 0 if there is none."`
	Status   string    `json:"status" enum:"Hold,Release,Claimed"`
	Since    string    `json:"since" doc:"The day of release from Hold; empty if it never was or still is on Hold."`
}

type memberIncomeList struct {
	Data  [][]memberIncomeRow `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
	Total int                 `json:"total" doc:"The total number of rows."`
	Page  int                 `json:"page"`
	Size  int                 `json:"size"`
	Sum   httpx.USD           `json:"sum" doc:"The total of all rows, not only of the page; of ROI only rows released from Hold."`
}

type memberIncomes struct{ Body memberIncomeList }

func (c *Calls) memberIncomes(ctx context.Context, in *memberIncomesInput) (*memberIncomes, error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	t := memberIncomeTypes[in.Kind]
	p, err := c.Report.Incomes(ctx, q, t.Kind, t.Line)
	if err != nil {
		return nil, err
	}
	rows := make([]memberIncomeRow, 0, len(p.Rows))
	for _, x := range p.Rows {
		r := memberIncomeRow{
			Row: x.Row, Day: x.Day.String(), Of: httpx.FormatID(x.OfUID), Level: x.Level, On: httpx.MicroToUSD(x.On), Nominal: httpx.MicroToUSD(x.Nominal), Paid: httpx.MicroToUSD(x.Paid),
			Capped: x.Capped, Scaled: x.Scaled, Reverses: x.Reverses, Status: x.SS,
		}
		if x.Since != 0 {
			r.Since = x.Since.String()
		}
		rows = append(rows, r)
	}
	return &memberIncomes{memberIncomeList{[][]memberIncomeRow{rows}, p.Total, q.Page, q.Size, httpx.ToUSD(p.Sum)}}, nil
}

type requestsInput struct {
	MemberPage
	Kind string `query:"kind" enum:"funds,withdrawals,sent,received,forexClaims,cryptoClaims" default:"funds"`
}

// askedRow is any request of a member.
type askedRow struct {
	ID     string          `json:"id" doc:"The id of a fund request, withdrawal or claim; empty for transfers."`
	At     httpx.Timestamp `json:"at" doc:"The time of the request; empty for claims, which have a day."`
	Day    string          `json:"day" doc:"Claims only: the day of maturity."`
	Fund   string          `json:"fund" doc:"The fund or wallet."`
	Amount httpx.USD       `json:"amount"`
	Net    httpx.USD       `json:"net" doc:"Withdrawals and claims only: the amount paid."`
	Status string          `json:"status"`
	Other  string          `json:"other" doc:"Transfers: the other member; else the transaction number or hash."`
	Name   string          `json:"name" doc:"Transfers only: the name of the other member, or the kind of the transfer."`
	Remark string          `json:"remark"`
	Text   *errs.Text      `json:"remarkText,omitempty" doc:"The remark with its code, if the program wrote it."`
	Until  httpx.Timestamp `json:"until" doc:"The time of the decision or last answer."`
}

func (c *Calls) memberRequests(ctx context.Context, in *requestsInput) (*httpx.List[askedRow], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	if err := c.Report.Nothing(ctx, q); err != nil { // does the member exist?
		return nil, err
	}
	read := map[string]func(context.Context, report.Query) ([]askedRow, int64, error){
		"funds": c.fundRows, "withdrawals": c.withdrawalRows, "sent": c.moveRows(true), "received": c.moveRows(false),
		"forexClaims": c.claimRows(report.Forex), "cryptoClaims": c.claimRows(report.Crypto),
	}[in.Kind]
	rows, total, err := read(ctx, q)
	return httpx.NewList(rows, int(total), q.Page, q.Size), err
}

func (c *Calls) fundRows(ctx context.Context, q report.Query) (rows []askedRow, total int64, err error) {
	found, total, err := c.Cashier.Requests(ctx, fund.Filter{UID: q.UID, Offset: int64((q.Page - 1) * q.Size), Limit: int64(q.Size)})
	for _, r := range found {
		rows = append(rows, askedRow{
			ID: httpx.FormatID(r.ID), At: httpx.ToTimestamp(r.RequestedAt), Fund: string(r.Fund), Amount: httpx.ToUSD(r.Amount), Net: httpx.ToUSD(r.Amount), Status: string(r.State), Other: r.Number,
			Remark: r.Remark, Text: httpx.Coded(r.RemarkText()), Until: httpx.ToTimestamp(r.DecidedAt),
		})
	}
	return rows, total, err
}

func (c *Calls) withdrawalRows(ctx context.Context, q report.Query) (rows []askedRow, total int64, err error) {
	found, total, _, err := c.Cashier.Withdrawals(ctx, withdrawal.Filter{UID: q.UID, Offset: int64((q.Page - 1) * q.Size), Limit: int64(q.Size)})
	for _, w := range found {
		rows = append(rows, askedRow{
			ID: httpx.FormatID(w.ID), At: httpx.ToTimestamp(w.RequestedAt), Fund: w.Wallet, Amount: httpx.ToUSD(w.Amount), Net: httpx.ToUSD(w.Net), Status: string(w.State), Other: w.Hash,
			Remark: w.Remark, Until: httpx.ToTimestamp(w.Answered()),
		})
	}
	return rows, total, err
}

func (c *Calls) moveRows(sent bool) func(context.Context, report.Query) ([]askedRow, int64, error) {
	return func(ctx context.Context, q report.Query) (rows []askedRow, total int64, err error) {
		found, names, total, err := c.Cashier.Moves(ctx, fund.MoveFilter{UID: q.UID, Sent: sent, Offset: int64((q.Page - 1) * q.Size), Limit: int64(q.Size)})
		for _, x := range found {
			r := askedRow{At: httpx.ToTimestamp(x.At), Fund: string(x.Fund), Amount: httpx.ToUSD(x.Amount), Net: httpx.ToUSD(x.Amount), Name: memberapi.Giver(x, names[x.Other])}
			if x.Other != 0 {
				r.Other = httpx.FormatID(x.Other)
			}
			rows = append(rows, r)
		}
		return rows, total, err
	}
}

func (c *Calls) claimRows(line string) func(context.Context, report.Query) ([]askedRow, int64, error) {
	return func(ctx context.Context, q report.Query) (rows []askedRow, total int64, err error) {
		p, err := c.Report.Claims(ctx, q, line)
		for _, x := range p.Rows {
			r := askedRow{ID: x.ID, Day: x.Day.String(), Fund: x.Fund, Amount: httpx.ToUSD(x.Amount), Net: httpx.ToUSD(x.Net), Status: "Pending"}
			if x.Done {
				r.Status = "Claimed"
			}
			rows = append(rows, r)
		}
		return rows, int64(p.Total), err
	}
}
