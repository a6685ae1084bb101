package member

import (
	"context"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

// Histories of deposits, transfers and withdrawals as files.

var requestColumns = []httpx.Column[fund.Request]{
	httpx.NumberColumn[fund.Request]("S.No"),
	httpx.TextColumn("Request Id", 12, func(r fund.Request) string { return strconv.FormatInt(r.ID, 10) }),
	httpx.TextColumn("User Id", 12, func(r fund.Request) string { return httpx.FormatID(r.UID) }),
	httpx.MoneyColumn("Amount", func(r fund.Request) money.Amount { return r.Amount }),
	httpx.TextColumn("Transaction No.", 34, func(r fund.Request) string { return r.Number }),
	httpx.TextColumn("Status", 10, func(r fund.Request) string { return string(r.State) }),
	httpx.TextColumn("Remark", 30, requestRemark),
	httpx.TextColumn("Bank Name", 20, func(r fund.Request) string { return r.Bank.Name }),
	httpx.TextColumn("Account Holder", 20, func(r fund.Request) string { return r.Bank.Holder }),
	httpx.TextColumn("Account Number", 24, func(r fund.Request) string { return r.Bank.Account }),
	httpx.TextColumn("IFSC", 14, func(r fund.Request) string { return r.Bank.IFSC }),
	httpx.TextColumn("Branch", 16, func(r fund.Request) string { return r.Bank.Branch }),
	httpx.TextColumn("Fund Type", 16, func(r fund.Request) string { return string(r.Fund) }),
	httpx.TimeColumn("Request Date", func(r fund.Request) time.Time { return r.RequestedAt }),
	httpx.TimeColumn("Response Date", func(r fund.Request) time.Time { return r.DecidedAt }),
}

type move1 = cashier.NamedMove

func otherID(m move1) string { return httpx.FormatID(m.Other) }

var (
	moveNo     = httpx.NumberColumn[move1]("S.No")
	moveAmount = func(title string) httpx.Column[move1] {
		return httpx.MoneyColumn(title, func(m move1) money.Amount { return m.Amount })
	}
	moveAt = func(title string) httpx.Column[move1] {
		return httpx.TimeColumn(title, func(m move1) time.Time { return m.At })
	}
	sentColumns = []httpx.Column[move1]{
		moveNo, httpx.TextColumn("To UserId", 12, otherID), httpx.TextColumn("User Name", 24, func(m move1) string { return m.Name }), moveAmount("Amount($)"),
		httpx.TextColumn("Wallet Type", 16, func(m move1) string { return string(m.Fund) }), moveAt("Date"),
	}
	receivedColumns = []httpx.Column[move1]{
		moveNo, httpx.TextColumn("User Id", 12, otherID), httpx.TextColumn("Received By", 24, func(m move1) string { return Giver(m.Move, m.Name) }), moveAmount("Received Amount"),
		httpx.MoneyColumn("Deduct Amount", func(move1) money.Amount { return money.Zero }), moveAt("Received Date"),
		httpx.TextColumn("Fund Type", 16, func(m move1) string { return string(m.Fund) }),
	}
)

var withdrawalColumns = []httpx.Column[withdrawal.Withdrawal]{
	httpx.TextColumn("Withdrawal ID", 14, func(w withdrawal.Withdrawal) string { return strconv.FormatInt(w.ID, 10) }),
	httpx.MoneyColumn("Amount", func(w withdrawal.Withdrawal) money.Amount { return w.Amount }),
	httpx.MoneyColumn("Charge", func(w withdrawal.Withdrawal) money.Amount { return w.Charge }),
	httpx.MoneyColumn("Withdrawal Amount", func(w withdrawal.Withdrawal) money.Amount { return w.Net }),
	httpx.TextColumn("Withdrawl Type", 14, func(w withdrawal.Withdrawal) string { return w.Type }), //nolint:misspell // as the screen has it
	httpx.TextColumn("Fund Type", 16, func(w withdrawal.Withdrawal) string { return w.Wallet }),
	httpx.TextColumn("Status", 10, func(w withdrawal.Withdrawal) string { return string(w.State) }),
	httpx.TimeColumn("Request Date", func(w withdrawal.Withdrawal) time.Time { return w.RequestedAt }),
	httpx.TimeColumn("Response Date", func(w withdrawal.Withdrawal) time.Time { return w.Answered() }),
}

func (c *Calls) exportRequests(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	var f httpx.FieldErrors
	q, action := in.reportQuery(&f), f.Int("type", httpx.StringOrInt(in.Type), 0, 0, 100)
	if err := f.Err(); err != nil {
		return t, nil, err
	}
	zone, err := c.Report.Dated(ctx, q)
	if err != nil {
		return t, nil, err
	}
	wish := fund.Filter{UID: q.UID, Way: wayOf(action)}
	wish.From, wish.Before = within(q, zone)
	return httpx.NewTable(in.Report, requestColumns, func(yield func(fund.Request) error) error { return c.Cashier.EachRequest(ctx, wish, yield) }, zone)
}

func (c *Calls) exportMoves(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	var f httpx.FieldErrors
	q, action := in.reportQuery(&f), f.Int("type", httpx.StringOrInt(in.Type), 0, 0, 100)
	if action != sentAction && action != receivedAction {
		f.Add("type", "transfer.action_unknown", textMoveAction)
	}
	if err := f.Err(); err != nil {
		return t, nil, err
	}
	zone, err := c.Report.Dated(ctx, q)
	if err != nil {
		return t, nil, err
	}
	wish, columns := fund.MoveFilter{UID: q.UID, Sent: action == sentAction}, receivedColumns
	if wish.Sent {
		columns = sentColumns
	}
	wish.From, wish.Before = within(q, zone)
	return httpx.NewTable(in.Report, columns, func(yield func(move1) error) error { return c.Cashier.EachMove(ctx, wish, yield) }, zone)
}

func (c *Calls) exportWithdrawals(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	var f httpx.FieldErrors
	q := in.reportQuery(&f)
	if err := f.Err(); err != nil {
		return t, nil, err
	}
	zone, err := c.Report.Dated(ctx, q)
	if err != nil {
		return t, nil, err
	}
	wish := withdrawal.Filter{UID: q.UID}
	wish.From, wish.Before = within(q, zone)
	return httpx.NewTable(withdrawalType, withdrawalColumns, func(yield func(withdrawal.Withdrawal) error) error {
		return c.Cashier.EachWithdrawal(ctx, wish, yield)
	}, zone)
}
