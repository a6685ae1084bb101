package operator

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (c *Calls) registerUnmatched(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/unmatchedPayments", "List on-chain payments without a fund request, newest first", c.unmatched)
	kind := strings.TrimSuffix(export.CSV.Type(), "; charset=utf-8")
	huma.Register(api, huma.Operation{
		OperationID: "operatorUnmatchedPaymentsExport", Method: http.MethodGet, Path: "/api/operator/unmatchedPayments/export", Tags: []string{httpx.TagOperator},
		Summary:   "Export on-chain payments without a fund request as CSV, oldest first",
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: map[string]*huma.MediaType{kind: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}},
	}, func(ctx context.Context, in *UnmatchedQuery) (*huma.StreamResponse, error) {
		return c.exportUnmatched(ctx, api, in)
	})
}

// UnmatchedQuery is exported because huma ignores embedded types that are not.
type UnmatchedQuery struct {
	Reason string `query:"reason" enum:"small,unannounced,company,unassigned" doc:"Only payments with this reason."`
	UID    string `query:"uid" maxLength:"15" doc:"Only payments to addresses of this member."`
	Hash   string `query:"hash" maxLength:"66" doc:"Only payments of this transaction, in canonical spelling."`
}

func (q UnmatchedQuery) filter(f *httpx.FieldErrors) deposit.UnmatchedFilter {
	out := deposit.UnmatchedFilter{Reason: deposit.Reason(q.Reason), Hash: q.Hash}
	if q.UID != "" {
		out.UID = f.UserID("uid", httpx.StringOrInt(q.UID))
	}
	return out
}

type unmatchedInput struct {
	UnmatchedQuery
	Page string `query:"page" doc:"Page number, from 1."`
	Size string `query:"size" doc:"Rows per page, at most 500; default 100."`
	Sort string `query:"sort" enum:"id,-id" doc:"The column to sort by; default -id, newest first."`
}

type unmatchedRow struct {
	ID       string          `json:"id"`
	Hash     string          `json:"hash"`
	Event    int64           `json:"event" doc:"The index of the event in the transaction, from 0."`
	To       string          `json:"to"`
	From     string          `json:"from"`
	Amount   httpx.USD       `json:"amount"`
	Block    int64           `json:"block"`
	Mined    httpx.Timestamp `json:"mined" doc:"The time of the block."`
	Reason   string          `json:"reason" enum:"small,unannounced,company,unassigned" doc:"small: below the minimum, to a member's address. unannounced: to the company's address, without an intent. company: the same, from an address of the company. unassigned: to an address of the deposit key that belongs to no member, for example after a restore."`
	UID      string          `json:"uid" doc:"The member whose address received it; empty for the company's address."`
	Requests int64           `json:"requests" doc:"The number of fund requests with this transaction."`
}

func (c *Calls) unmatched(ctx context.Context, in *unmatchedInput) (*httpx.List[unmatchedRow], error) {
	var f httpx.FieldErrors
	wish := in.filter(&f)
	number, size := f.Page(httpx.StringOrInt(in.Page), httpx.StringOrInt(in.Size))
	if err := f.Err(); err != nil {
		return nil, err
	}
	wish.Oldest, wish.Offset, wish.Limit = in.Sort == "id", int64((number-1)*size), int64(size)
	found, total, err := c.Cashier.Unmatched(ctx, wish)
	if err != nil {
		return nil, err
	}
	named := make([]fund.Request, len(found))
	for i, u := range found {
		named[i].Number = u.Hash
	}
	requests, err := c.Cashier.ClaimCounts(ctx, named)
	if err != nil {
		return nil, err
	}
	rows := make([]unmatchedRow, 0, len(found))
	for _, u := range found {
		rows = append(rows, unmatchedRow{httpx.FormatID(u.ID), u.Hash, int64(u.N), u.To, u.From, httpx.ToUSD(u.Amount), u.Block, httpx.ToTimestamp(u.Mined), string(u.Reason), httpx.FormatID(u.UID), requests[u.Hash]})
	}
	return httpx.NewList(rows, int(total), number, size), nil
}

var unmatchedColumns = []httpx.Column[deposit.Unmatched]{
	httpx.NumberColumn[deposit.Unmatched]("site.table.serial"),
	httpx.TextColumn("files.transaction", 68, func(u deposit.Unmatched) string { return u.Hash }),
	httpx.TextColumn("files.event", 8, func(u deposit.Unmatched) string { return strconv.Itoa(u.N) }),
	httpx.TextColumn("files.to", 44, func(u deposit.Unmatched) string { return u.To }),
	httpx.TextColumn("files.from", 44, func(u deposit.Unmatched) string { return u.From }),
	httpx.MoneyColumn("member.claims.amount", func(u deposit.Unmatched) money.Amount { return u.Amount }),
	httpx.TextColumn("files.block", 12, func(u deposit.Unmatched) string { return strconv.FormatInt(u.Block, 10) }),
	httpx.TimeColumn("files.time", func(u deposit.Unmatched) time.Time { return u.Mined }),
	httpx.TextColumn("files.reason", 14, func(u deposit.Unmatched) string { return string(u.Reason) }),
	httpx.TextColumn("member.team.userId", 12, func(u deposit.Unmatched) string { return httpx.FormatID(u.UID) }),
}

func (c *Calls) exportUnmatched(ctx context.Context, api huma.API, in *UnmatchedQuery) (*huma.StreamResponse, error) {
	var f httpx.FieldErrors
	wish := in.filter(&f)
	if err := f.Err(); err != nil {
		return nil, err
	}
	return c.SendFile(ctx, api, func() (httpx.File, error) {
		table, rows, err := httpx.NewTable("Unmatched payments", unmatchedColumns, func(yield func(deposit.Unmatched) error) error {
			return c.Cashier.EachUnmatched(ctx, wish, yield)
		}, time.UTC)
		return httpx.File{Name: "unmatched-payments-" + c.Clock.Now().UTC().Format("2006-01-02"), Format: export.CSV, Table: table, Rows: rows}, err
	})
}
