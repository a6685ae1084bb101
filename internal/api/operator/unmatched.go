package operator

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

func (c *Calls) registerUnmatched(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/unmatchedPayments", "Payments that the chain has shown and that became no fund request, newest first", c.unmatched)
	kind := strings.TrimSuffix(export.CSV.Type(), "; charset=utf-8")
	huma.Register(api, huma.Operation{
		OperationID: "operatorUnmatchedPaymentsExport", Method: http.MethodGet, Path: "/api/operator/unmatchedPayments/export", Tags: []string{httpx.TagOperator},
		Summary:   "The same as CSV, oldest first",
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: map[string]*huma.MediaType{kind: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}},
	}, func(ctx context.Context, in *UnmatchedQuery) (*huma.StreamResponse, error) {
		return c.exportUnmatched(ctx, api, in)
	})
}

// UnmatchedQuery is exported because huma does not look into embedded types that are
// not.
type UnmatchedQuery struct {
	Reason string `query:"reason" enum:"small,unannounced,company,unassigned" doc:"Only those with this reason."`
	UID    string `query:"uid" maxLength:"15" doc:"Only those to this member's own addresses."`
	Hash   string `query:"hash" maxLength:"66" doc:"Only those of this transaction, in its one spelling."`
}

func (q UnmatchedQuery) filter(f *httpx.Fields) deposit.UnmatchedFilter {
	out := deposit.UnmatchedFilter{Reason: deposit.Reason(q.Reason), Hash: q.Hash}
	if q.UID != "" {
		out.UID = f.Uid("uid", httpx.Text(q.UID))
	}
	return out
}

type unmatchedInput struct {
	UnmatchedQuery
	Page string `query:"page" doc:"From 1."`
	Size string `query:"size" doc:"Rows of a page, up to 500; 100 unless given."`
	Sort string `query:"sort" enum:"id,-id" doc:"-id, newest first, unless given."`
}

type unmatchedRow struct {
	ID       string       `json:"id"`
	Hash     string       `json:"hash"`
	Event    int64        `json:"event" doc:"Which of the transaction's events, from 0."`
	To       string       `json:"to"`
	From     string       `json:"from"`
	Amount   httpx.USD    `json:"amount"`
	Block    int64        `json:"block"`
	Mined    httpx.Moment `json:"mined" doc:"The time of its block."`
	Reason   string       `json:"reason" enum:"small,unannounced,company,unassigned" doc:"small: below the minimum, to a member's own address. unannounced: to the company's address, and no announced payment. company: the same, out of an address of the company. unassigned: to an address of the deposit key that no member has, as after a restore."`
	UID      string       `json:"uid" doc:"The member whose address it was sent to; empty for the company's."`
	Requests int64        `json:"requests" doc:"How many fund requests name this transaction now."`
}

func (c *Calls) unmatched(ctx context.Context, in *unmatchedInput) (*httpx.List[unmatchedRow], error) {
	var f httpx.Fields
	wish := in.filter(&f)
	number, size := f.Page(httpx.Text(in.Page), httpx.Text(in.Size))
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
	requests, err := c.Cashier.Counted(ctx, named)
	if err != nil {
		return nil, err
	}
	rows := make([]unmatchedRow, 0, len(found))
	for _, u := range found {
		rows = append(rows, unmatchedRow{httpx.ID(u.ID), u.Hash, int64(u.N), u.To, u.From, httpx.Dollars(u.Amount), u.Block, httpx.At(u.Mined), string(u.Reason), httpx.ID(u.UID), requests[u.Hash]})
	}
	return httpx.PageOf(rows, int(total), number, size), nil
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
	httpx.TextColumn("member.team.userId", 12, func(u deposit.Unmatched) string { return httpx.ID(u.UID) }),
}

func (c *Calls) exportUnmatched(ctx context.Context, api huma.API, in *UnmatchedQuery) (*huma.StreamResponse, error) {
	var f httpx.Fields
	wish := in.filter(&f)
	if err := f.Err(); err != nil {
		return nil, err
	}
	return c.Send(ctx, api, -httpx.SessionOf(ctx).Operator, func() (httpx.File, error) { // operators have turns of their own
		table, rows, err := httpx.Sheet("Unmatched payments", unmatchedColumns, func(yield func(deposit.Unmatched) error) error {
			return c.Cashier.EachUnmatched(ctx, wish, yield)
		}, time.UTC)
		return httpx.File{Name: "unmatched-payments-" + c.Clock.Now().UTC().Format("2006-01-02"), Format: export.CSV, Table: table, Rows: rows}, err
	})
}
