package operator

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (c *Calls) registerSweep(api huma.API) {
	content := map[string]*huma.MediaType{}
	for _, f := range []export.Format{export.CSV, export.XLSX} {
		content[strings.TrimSuffix(f.Type(), "; charset=utf-8")] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	huma.Register(api, huma.Operation{
		OperationID: "operatorDepositsSweep", Method: http.MethodPost, Path: "/api/operator/deposits/sweep", Tags: []string{httpx.TagOperator},
		Summary:   "Export members' deposit addresses and balances for the treasury",
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: content}},
	}, func(ctx context.Context, in *sweepInput) (*huma.StreamResponse, error) {
		return c.sweep(ctx, api, in)
	})
}

type sweepInput struct {
	httpx.Idempotent
	Body struct {
		Format string `json:"format" doc:"csv or xlsx."`
	}
}

var sweepColumns = []httpx.Column[cashier.Sweep]{
	httpx.NumberColumn[cashier.Sweep]("site.table.serial"),
	httpx.TextColumn("files.address", 44, func(s cashier.Sweep) string { return s.Address.Address }),
	httpx.TextColumn("files.addressBranch", 12, func(s cashier.Sweep) string { return strconv.FormatInt(s.Branch, 10) }),
	httpx.TextColumn("files.index", 10, func(s cashier.Sweep) string { return strconv.FormatInt(s.Index, 10) }),
	httpx.TextColumn("files.path", 22, func(s cashier.Sweep) string { return s.Path }),
	httpx.TextColumn("files.key", 18, func(s cashier.Sweep) string { return s.Root }),
	httpx.TextColumn("member.team.userId", 12, func(s cashier.Sweep) string { return httpx.FormatID(s.UID) }),
	httpx.MoneyColumn("files.received", func(s cashier.Sweep) money.Amount { return s.Received }),
	httpx.TextColumn("files.onChain", 18, func(s cashier.Sweep) string { return s.OnChain }),
	httpx.TimeColumn("files.assigned", func(s cashier.Sweep) time.Time { return s.At }),
}

func (c *Calls) sweep(ctx context.Context, api huma.API, in *sweepInput) (*huma.StreamResponse, error) {
	var f httpx.FieldErrors
	format := f.Format(in.Body.Format, export.CSV, export.XLSX)
	if err := f.Err(); err != nil {
		return nil, err
	}
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	return c.SendFile(ctx, api, func() (httpx.File, error) {
		if err := c.Cashier.SweepTaken(ctx, by, in.Key); err != nil {
			return httpx.File{}, err
		}
		var ask func(context.Context, string) (money.Amount, error)
		if c.Balances != nil {
			ask = c.Balances.Balance
		}
		table, rows, err := httpx.NewTable("Deposit addresses", sweepColumns, func(yield func(cashier.Sweep) error) error {
			return c.Cashier.EachSweep(ctx, ask, yield)
		}, time.UTC)
		return httpx.File{Name: "deposit-addresses-" + c.Clock.Now().UTC().Format("2006-01-02"), Format: format, Table: table, Rows: rows}, err
	})
}

// claimantRow is one of several requests with the same transaction number.
type claimantRow struct {
	ID        string          `json:"id"`
	UID       string          `json:"uid"`
	Amount    httpx.USD       `json:"amount"`
	State     string          `json:"st" enum:"Pending,Approved,Rejected"`
	Verdict   string          `json:"verdict" doc:"The result of the check on the chain."`
	Finding   *errs.Text      `json:"verdictText,omitempty" doc:"The verdict with its code."`
	Remark    string          `json:"remark"`
	Written   *errs.Text      `json:"remarkText,omitempty" doc:"The remark with its code, if the program wrote it."`
	Requested httpx.Timestamp `json:"requestedDate"`
	Proven    bool            `json:"proven" doc:"Whether the chain shows the payment as this member's."`
}

type claimantsInput struct {
	Number string `query:"utrno" required:"true" maxLength:"66" doc:"The transaction number in canonical spelling, as in the list."`
}

func (c *Calls) claimants(ctx context.Context, in *claimantsInput) (*httpx.List[claimantRow], error) {
	all, err := c.Cashier.Claims(ctx, in.Number)
	if err != nil {
		return nil, err
	}
	rows := make([]claimantRow, 0, len(all))
	for _, r := range all {
		rows = append(rows, claimantRow{strconv.FormatInt(r.ID, 10), httpx.FormatID(r.UID), httpx.ToUSD(r.Amount), string(r.State), r.Verdict.Message, httpx.Coded(r.Verdict), r.Remark, httpx.Coded(r.RemarkText()), httpx.ToTimestamp(r.RequestedAt), r.Source != ""})
	}
	return httpx.NewList(rows, len(rows), 1, max(len(rows), 1)), nil
}

// Balancer returns the token balance of an address: *chain.Client.
type Balancer interface {
	Balance(ctx context.Context, address string) (money.Amount, error)
}
