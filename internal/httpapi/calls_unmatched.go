package httpapi

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
)

func (c *Calls) registerUnmatched(api huma.API) {
	get(api, tagOperator, "operator/unmatchedPayments", "Payments that the chain has shown and that became no fund request, newest first", c.unmatched)
	kind := strings.TrimSuffix(export.CSV.Type(), "; charset=utf-8")
	huma.Register(api, huma.Operation{
		OperationID: "operatorUnmatchedPaymentsExport", Method: http.MethodGet, Path: "/api/operator/unmatchedPayments/export", Tags: []string{tagOperator},
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

func (q UnmatchedQuery) filter(f *fields) deposit.UnmatchedFilter {
	out := deposit.UnmatchedFilter{Reason: deposit.Reason(q.Reason), Hash: q.Hash}
	if q.UID != "" {
		out.UID = f.uid("uid", text(q.UID))
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
	ID       string `json:"id"`
	Hash     string `json:"hash"`
	Event    int64  `json:"event" doc:"Which of the transaction's events, from 0."`
	To       string `json:"to"`
	From     string `json:"from"`
	Amount   usd    `json:"amount"`
	Block    int64  `json:"block"`
	Mined    moment `json:"mined" doc:"The time of its block."`
	Reason   string `json:"reason" enum:"small,unannounced,company,unassigned" doc:"small: below the minimum, to a member's own address. unannounced: to the company's address, and no announced payment. company: the same, out of an address of the company. unassigned: to an address of the deposit key that no member has, as after a restore."`
	UID      string `json:"uid" doc:"The member whose address it was sent to; empty for the company's."`
	Requests int64  `json:"requests" doc:"How many fund requests name this transaction now."`
}

func (c *Calls) unmatched(ctx context.Context, in *unmatchedInput) (*list[unmatchedRow], error) {
	var f fields
	wish := in.filter(&f)
	number, size := f.page(text(in.Page), text(in.Size))
	if err := f.err(); err != nil {
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
		rows = append(rows, unmatchedRow{id(u.ID), u.Hash, int64(u.N), u.To, u.From, dollars(u.Amount), u.Block, at(u.Mined), string(u.Reason), id(u.UID), requests[u.Hash]})
	}
	return pageOf(rows, int(total), number, size), nil
}

var unmatchedColumns = []column[deposit.Unmatched]{
	numberColumn[deposit.Unmatched]("S.No"),
	textColumn("Transaction", 68, func(u deposit.Unmatched) string { return u.Hash }),
	textColumn("Event", 8, func(u deposit.Unmatched) string { return strconv.Itoa(u.N) }),
	textColumn("To", 44, func(u deposit.Unmatched) string { return u.To }),
	textColumn("From", 44, func(u deposit.Unmatched) string { return u.From }),
	moneyColumn("Amount", func(u deposit.Unmatched) money.Amount { return u.Amount }),
	textColumn("Block", 12, func(u deposit.Unmatched) string { return strconv.FormatInt(u.Block, 10) }),
	timeColumn("Time (UTC)", func(u deposit.Unmatched) time.Time { return u.Mined }),
	textColumn("Reason", 14, func(u deposit.Unmatched) string { return string(u.Reason) }),
	textColumn("User Id", 12, func(u deposit.Unmatched) string { return id(u.UID) }),
}

func (c *Calls) exportUnmatched(ctx context.Context, api huma.API, in *UnmatchedQuery) (*huma.StreamResponse, error) {
	var f fields
	wish := in.filter(&f)
	if err := f.err(); err != nil {
		return nil, err
	}
	return c.send(ctx, api, -sessionOf(ctx).Operator, func() (file, error) { // operators have turns of their own
		table, rows, err := sheet("Unmatched payments", unmatchedColumns, func(yield func(deposit.Unmatched) error) error {
			return c.Cashier.EachUnmatched(ctx, wish, yield)
		}, time.UTC)
		return file{"unmatched-payments-" + c.Clock.Now().UTC().Format("2006-01-02"), export.CSV, table, rows}, err
	})
}
