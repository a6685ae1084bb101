package httpapi

import (
	"context"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// The histories of money in and out as files.

var requestColumns = []column[fund.Request]{
	numberColumn[fund.Request]("S.No"),
	textColumn("Request Id", 12, func(r fund.Request) string { return strconv.FormatInt(r.ID, 10) }),
	textColumn("User Id", 12, func(r fund.Request) string { return id(r.UID) }),
	moneyColumn("Amount", func(r fund.Request) money.Amount { return r.Amount }),
	textColumn("Transaction No.", 34, func(r fund.Request) string { return r.Number }),
	textColumn("Status", 10, func(r fund.Request) string { return string(r.State) }),
	textColumn("Remark", 30, requestRemark),
	textColumn("Bank Name", 20, func(r fund.Request) string { return r.Bank.Name }),
	textColumn("Account Holder", 20, func(r fund.Request) string { return r.Bank.Holder }),
	textColumn("Account Number", 24, func(r fund.Request) string { return r.Bank.Account }),
	textColumn("IFSC", 14, func(r fund.Request) string { return r.Bank.IFSC }),
	textColumn("Branch", 16, func(r fund.Request) string { return r.Bank.Branch }),
	textColumn("Fund Type", 16, func(r fund.Request) string { return string(r.Fund) }),
	timeColumn("Request Date", func(r fund.Request) time.Time { return r.RequestedAt }),
	timeColumn("Response Date", func(r fund.Request) time.Time { return r.DecidedAt }),
}

type move1 = cashier.NamedMove

func otherID(m move1) string { return id(m.Other) }

var (
	moveNo     = numberColumn[move1]("S.No")
	moveAmount = func(title string) column[move1] {
		return moneyColumn(title, func(m move1) money.Amount { return m.Amount })
	}
	moveAt      = func(title string) column[move1] { return timeColumn(title, func(m move1) time.Time { return m.At }) }
	sentColumns = []column[move1]{
		moveNo, textColumn("To UserId", 12, otherID), textColumn("User Name", 24, func(m move1) string { return m.Name }), moveAmount("Amount($)"),
		textColumn("Wallet Type", 16, func(m move1) string { return string(m.Fund) }), moveAt("Date"),
	}
	receivedColumns = []column[move1]{
		moveNo, textColumn("User Id", 12, otherID), textColumn("Received By", 24, func(m move1) string { return giver(m.Move, m.Name) }), moveAmount("Received Amount"),
		moneyColumn("Deduct Amount", func(move1) money.Amount { return money.Zero }), moveAt("Received Date"),
		textColumn("Fund Type", 16, func(m move1) string { return string(m.Fund) }),
	}
)

var withdrawalColumns = []column[withdrawal.Withdrawal]{
	textColumn("Withdrawal ID", 14, func(w withdrawal.Withdrawal) string { return strconv.FormatInt(w.ID, 10) }),
	moneyColumn("Amount", func(w withdrawal.Withdrawal) money.Amount { return w.Amount }),
	moneyColumn("Charge", func(w withdrawal.Withdrawal) money.Amount { return w.Charge }),
	moneyColumn("Withdrawal Amount", func(w withdrawal.Withdrawal) money.Amount { return w.Net }),
	textColumn("Withdrawl Type", 14, func(w withdrawal.Withdrawal) string { return w.Type }), //nolint:misspell // as the screen has it
	textColumn("Fund Type", 16, func(w withdrawal.Withdrawal) string { return w.Wallet }),
	textColumn("Status", 10, func(w withdrawal.Withdrawal) string { return string(w.State) }),
	timeColumn("Request Date", func(w withdrawal.Withdrawal) time.Time { return w.RequestedAt }),
	timeColumn("Response Date", func(w withdrawal.Withdrawal) time.Time { return w.Answered() }),
}

func (c *Calls) exportRequests(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	var f fields
	q, action := in.reportQuery(&f), f.code("type", text(in.Type), 0, 0, 100)
	if err := f.err(); err != nil {
		return t, nil, err
	}
	zone, err := c.Report.Dated(ctx, q)
	if err != nil {
		return t, nil, err
	}
	wish := fund.Filter{UID: q.UID, Way: wayOf(action)}
	wish.From, wish.Before = within(q, zone)
	return sheet(in.Report, requestColumns, func(yield func(fund.Request) error) error { return c.Cashier.EachRequest(ctx, wish, yield) }, zone)
}

func (c *Calls) exportMoves(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	var f fields
	q, action := in.reportQuery(&f), f.code("type", text(in.Type), 0, 0, 100)
	if action != sentAction && action != receivedAction {
		f.add("type", "transfer.action_unknown", textMoveAction)
	}
	if err := f.err(); err != nil {
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
	return sheet(in.Report, columns, func(yield func(move1) error) error { return c.Cashier.EachMove(ctx, wish, yield) }, zone)
}

func (c *Calls) exportWithdrawals(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	var f fields
	q := in.reportQuery(&f)
	if err := f.err(); err != nil {
		return t, nil, err
	}
	zone, err := c.Report.Dated(ctx, q)
	if err != nil {
		return t, nil, err
	}
	wish := withdrawal.Filter{UID: q.UID}
	wish.From, wish.Before = within(q, zone)
	return sheet(withdrawalType, withdrawalColumns, func(yield func(withdrawal.Withdrawal) error) error {
		return c.Cashier.EachWithdrawal(ctx, wish, yield)
	}, zone)
}
