package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (c *OperatorCalls) registerSweep(api huma.API) {
	content := map[string]*huma.MediaType{}
	for _, f := range []export.Format{export.CSV, export.XLSX} {
		content[strings.TrimSuffix(f.Type(), "; charset=utf-8")] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	huma.Register(api, huma.Operation{
		OperationID: "operatorDepositsSweep", Method: http.MethodPost, Path: "/api/operator/deposits/sweep", Tags: []string{tagOperator},
		Summary:   "Members' deposit addresses with what lies there, as a file for the treasury",
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: content}},
	}, func(ctx context.Context, in *sweepInput) (*huma.StreamResponse, error) {
		return c.sweep(ctx, api, in)
	})
}

type sweepInput struct {
	Keyed
	Body struct {
		Format string `json:"format" doc:"csv or xlsx."`
	}
}

var sweepColumns = []column[cashier.Sweep]{
	numberColumn[cashier.Sweep]("S.No"),
	textColumn("Address", 44, func(s cashier.Sweep) string { return s.Address.Address }),
	textColumn("Branch", 12, func(s cashier.Sweep) string { return strconv.FormatInt(s.Branch, 10) }),
	textColumn("Index", 10, func(s cashier.Sweep) string { return strconv.FormatInt(s.Index, 10) }),
	textColumn("Path", 22, func(s cashier.Sweep) string { return s.Path }),
	textColumn("Key", 18, func(s cashier.Sweep) string { return s.Root }),
	textColumn("User Id", 12, func(s cashier.Sweep) string { return id(s.UID) }),
	moneyColumn("Received", func(s cashier.Sweep) money.Amount { return s.Received }),
	textColumn("On Chain", 18, func(s cashier.Sweep) string { return s.OnChain }),
	timeColumn("Assigned", func(s cashier.Sweep) time.Time { return s.At }),
}

func (c *OperatorCalls) sweep(ctx context.Context, api huma.API, in *sweepInput) (*huma.StreamResponse, error) {
	var f fields
	format := f.format(in.Body.Format, export.CSV, export.XLSX)
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	return c.send(ctx, api, -by.Operator, func() (file, error) { // operators have turns of their own
		if err := c.Cashier.SweepTaken(ctx, by, in.Key); err != nil {
			return file{}, err
		}
		var ask func(context.Context, string) (money.Amount, error)
		if c.Balances != nil {
			ask = c.Balances.Balance
		}
		table, rows, err := sheet("Deposit addresses", sweepColumns, func(yield func(cashier.Sweep) error) error {
			return c.Cashier.EachSweep(ctx, ask, yield)
		}, time.UTC)
		return file{"deposit-addresses-" + c.Clock.Now().UTC().Format("2006-01-02"), format, table, rows}, err
	})
}

// claimantRow is one of several requests that name the same number.
type claimantRow struct {
	ID        string `json:"id"`
	UID       string `json:"uid"`
	Amount    usd    `json:"amount"`
	State     string `json:"st" enum:"Pending,Approved,Rejected"`
	Verdict   string `json:"verdict" doc:"What the chain says of it."`
	Remark    string `json:"remark"`
	Requested moment `json:"requestedDate"`
	Proven    bool   `json:"proven" doc:"The chain has shown the payment as this member's."`
}

type claimantsInput struct {
	Number string `query:"utrno" required:"true" maxLength:"66" doc:"In its one spelling, as the list has it."`
}

func (c *OperatorCalls) claimants(ctx context.Context, in *claimantsInput) (*list[claimantRow], error) {
	all, err := c.Cashier.Claims(ctx, in.Number)
	if err != nil {
		return nil, err
	}
	rows := make([]claimantRow, 0, len(all))
	for _, r := range all {
		rows = append(rows, claimantRow{strconv.FormatInt(r.ID, 10), id(r.UID), dollars(r.Amount), string(r.State), r.Verdict, r.Remark, at(r.RequestedAt), r.Source != ""})
	}
	return pageOf(rows, len(rows), 1, max(len(rows), 1)), nil
}
