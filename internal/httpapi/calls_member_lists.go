package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
)

// What a member bought, earned and asked for, as operators see it.
func (c *Calls) registerMemberLists(api huma.API) {
	get(api, tagOperator, "operator/member/purchases", "What was bought for a member", c.memberPurchases)
	get(api, tagOperator, "operator/member/incomes", "What a member earned, by kind", c.memberIncomes)
	get(api, tagOperator, "operator/member/requests", "A member's fund requests, withdrawals, transfers or claims", c.memberRequests)
}

// MemberPage is which page of which member's list is wanted.
type MemberPage struct {
	UID  string `query:"uid"`
	Page int    `query:"page" minimum:"1" maximum:"1000000" default:"1"`
	Size int    `query:"size" minimum:"1" maximum:"500" default:"25"`
}

func (p MemberPage) query() (report.Query, error) {
	var f fields
	uid := f.uid("uid", text(p.UID))
	return report.Query{UID: uid, Page: p.Page, Size: p.Size}, f.err()
}

type purchasesInput struct {
	MemberPage
	Of string `query:"of" enum:"robot,forex,crypto" default:"robot" doc:"The product, or a trading line."`
}

func (c *Calls) memberPurchases(ctx context.Context, in *purchasesInput) (*list[historyRow], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	line := map[string]string{"robot": report.Robot, "forex": report.Forex, "crypto": report.Crypto}[in.Of]
	p, err := c.Report.History(ctx, q, line)
	rows := make([]historyRow, 0, len(p.Rows))
	for i, x := range p.Rows {
		x.Refundable = false // only who paid gives it back
		rows = append(rows, historyOf(p.First+i, x))
	}
	return pageOf(rows, p.Total, q.Page, q.Size), err
}

// memberIncomeTypes are the incomes by name.
var memberIncomeTypes = func() map[incomeName]plan.Income {
	all := map[incomeName]plan.Income{}
	for _, x := range plan.Incomes() {
		all[incomeName(x.Name())] = x
	}
	return all
}()

type memberIncomesInput struct {
	MemberPage
	Kind incomeName `query:"kind" default:"Level"`
}

type memberIncomeRow struct {
	Row      int64  `json:"row" doc:"Its number for good."`
	Day      string `json:"day"`
	Of       string `json:"of" doc:"Whose sale or position it came from."`
	Level    int64  `json:"level"`
	On       usd    `json:"on" doc:"What it was paid on."`
	Nominal  usd    `json:"nominal" doc:"Before what the pool could pay."`
	Paid     usd    `json:"paid"`
	Capped   bool   `json:"capped"`
	Scaled   bool   `json:"scaled"`
	Reverses int64  `json:"reverses" doc:"The row that it takes back; 0 for none."`
	Status   string `json:"status" enum:"Hold,Release,Claimed"`
	Since    string `json:"since" doc:"When it left Hold; empty if it never was, or still is."`
}

type memberIncomeList struct {
	Data  [][]memberIncomeRow `json:"data" nullable:"false" doc:"The first element is the page's rows."`
	Total int                 `json:"total" doc:"How many rows there are in all."`
	Page  int                 `json:"page"`
	Size  int                 `json:"size"`
	Sum   usd                 `json:"sum" doc:"Over all rows, not the page's; of ROI those that left Hold."`
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
			Row: x.Row, Day: x.Day.String(), Of: id(x.OfUID), Level: x.Level, On: micro(x.On), Nominal: micro(x.Nominal), Paid: micro(x.Paid),
			Capped: x.Capped, Scaled: x.Scaled, Reverses: x.Reverses, Status: x.SS,
		}
		if x.Since != 0 {
			r.Since = x.Since.String()
		}
		rows = append(rows, r)
	}
	return &memberIncomes{memberIncomeList{[][]memberIncomeRow{rows}, p.Total, q.Page, q.Size, dollars(p.Sum)}}, nil
}

type requestsInput struct {
	MemberPage
	Kind string `query:"kind" enum:"funds,withdrawals,sent,received,forexClaims,cryptoClaims" default:"funds"`
}

// askedRow is anything that a member asked for.
type askedRow struct {
	ID     string `json:"id" doc:"Of fund requests, withdrawals and claims; empty of transfers."`
	At     moment `json:"at" doc:"When it was asked for; empty of claims, which have a day."`
	Day    string `json:"day" doc:"Of claims: when the position matured."`
	Fund   string `json:"fund" doc:"The fund or wallet."`
	Amount usd    `json:"amount"`
	Net    usd    `json:"net" doc:"Of withdrawals and claims: what is paid."`
	Status string `json:"status"`
	Other  string `json:"other" doc:"Of transfers: whose fund it came from or went to; of others the transaction or its hash."`
	Name   string `json:"name" doc:"Of transfers: their name, or what else it was."`
	Remark string `json:"remark"`
	Until  moment `json:"until" doc:"When it was decided or last answered."`
}

func (c *Calls) memberRequests(ctx context.Context, in *requestsInput) (*list[askedRow], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	if err := c.Report.Nothing(ctx, q); err != nil { // is there such a member?
		return nil, err
	}
	read := map[string]func(context.Context, report.Query) ([]askedRow, int64, error){
		"funds": c.fundRows, "withdrawals": c.withdrawalRows, "sent": c.moveRows(true), "received": c.moveRows(false),
		"forexClaims": c.claimRows(report.Forex), "cryptoClaims": c.claimRows(report.Crypto),
	}[in.Kind]
	rows, total, err := read(ctx, q)
	return pageOf(rows, int(total), q.Page, q.Size), err
}

func (c *Calls) fundRows(ctx context.Context, q report.Query) (rows []askedRow, total int64, err error) {
	found, total, err := c.Cashier.Requests(ctx, fund.Filter{UID: q.UID, Offset: int64((q.Page - 1) * q.Size), Limit: int64(q.Size)})
	for _, r := range found {
		rows = append(rows, askedRow{
			ID: id(r.ID), At: at(r.RequestedAt), Fund: string(r.Fund), Amount: dollars(r.Amount), Net: dollars(r.Amount), Status: string(r.State), Other: r.Number,
			Remark: r.Remark, Until: at(r.DecidedAt),
		})
	}
	return rows, total, err
}

func (c *Calls) withdrawalRows(ctx context.Context, q report.Query) (rows []askedRow, total int64, err error) {
	found, total, _, err := c.Cashier.Withdrawals(ctx, withdrawal.Filter{UID: q.UID, Offset: int64((q.Page - 1) * q.Size), Limit: int64(q.Size)})
	for _, w := range found {
		rows = append(rows, askedRow{
			ID: id(w.ID), At: at(w.RequestedAt), Fund: w.Wallet, Amount: dollars(w.Amount), Net: dollars(w.Net), Status: string(w.State), Other: w.Hash,
			Remark: w.Remark, Until: at(w.Answered()),
		})
	}
	return rows, total, err
}

func (c *Calls) moveRows(sent bool) func(context.Context, report.Query) ([]askedRow, int64, error) {
	return func(ctx context.Context, q report.Query) (rows []askedRow, total int64, err error) {
		found, names, total, err := c.Cashier.Moves(ctx, fund.MoveFilter{UID: q.UID, Sent: sent, Offset: int64((q.Page - 1) * q.Size), Limit: int64(q.Size)})
		for _, x := range found {
			r := askedRow{At: at(x.At), Fund: string(x.Fund), Amount: dollars(x.Amount), Net: dollars(x.Amount), Name: giver(x, names[x.Other])}
			if x.Other != 0 {
				r.Other = id(x.Other)
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
			r := askedRow{ID: x.ID, Day: x.Day.String(), Fund: x.Fund, Amount: dollars(x.Amount), Net: dollars(x.Net), Status: "Pending"}
			if x.Done {
				r.Status = "Claimed"
			}
			rows = append(rows, r)
		}
		return rows, int64(p.Total), err
	}
}
