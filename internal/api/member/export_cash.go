package member

import (
	"context"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Histories of deposits, transfers and withdrawals as files.

var requestColumns = []httpx.Column[fund.Request]{
	httpx.NumberColumn[fund.Request]("site.table.serial"),
	httpx.TextColumn("files.requestId", 12, func(r fund.Request) string { return strconv.FormatInt(r.ID, 10) }),
	httpx.TextColumn("member.histories.userId", 12, func(r fund.Request) string { return httpx.FormatID(r.UID) }),
	httpx.MoneyColumn("member.funds.amount", func(r fund.Request) money.Amount { return r.Amount }),
	httpx.TextColumn("files.transactionNumber", 34, func(r fund.Request) string { return r.Number }),
	httpx.TextColumn("member.funds.status", 10, func(r fund.Request) string { return string(r.State) }),
	httpx.TextColumn("member.funds.remark", 30, func(r fund.Request) string { return requestRemark(r).Message }),
	httpx.TextColumn("files.bankName", 20, func(r fund.Request) string { return r.Bank.Name }),
	httpx.TextColumn("files.accountHolder", 20, func(r fund.Request) string { return r.Bank.Holder }),
	httpx.TextColumn("files.accountNumber", 24, func(r fund.Request) string { return r.Bank.Account }),
	httpx.TextColumn("files.ifsc", 14, func(r fund.Request) string { return r.Bank.IFSC }),
	httpx.TextColumn("files.bankBranch", 16, func(r fund.Request) string { return r.Bank.Branch }),
	httpx.TextColumn("member.funds.fundType", 16, func(r fund.Request) string { return walletName(string(r.Fund)) }),
	httpx.TimeColumn("member.histories.requestDate", func(r fund.Request) time.Time { return r.RequestedAt }),
	httpx.TimeColumn("member.histories.responseDate", func(r fund.Request) time.Time { return r.DecidedAt }),
}

type move1 = cashier.NamedMove

// sentFund is the fund as the list of transfers names it.
func sentFund(m move1) string {
	if m.Fund == fund.Robot {
		return "ROBOTFUND"
	}
	return string(m.Fund)
}

func otherID(m move1) string { return httpx.FormatID(m.Other) }

var (
	moveNo     = httpx.NumberColumn[move1]("site.table.serial")
	moveAmount = func(key string) httpx.Column[move1] {
		return httpx.MoneyColumn(key, func(m move1) money.Amount { return m.Amount })
	}
	moveAt = func(key string) httpx.Column[move1] {
		return httpx.TimeColumn(key, func(m move1) time.Time { return m.At })
	}
	sentColumns = []httpx.Column[move1]{
		moveNo, httpx.TextColumn("member.funds.toUserId", 12, otherID), httpx.TextColumn("member.team.userName", 24, func(m move1) string { return m.Name }), moveAmount("member.funds.amountHeader"),
		httpx.TextColumn("member.funds.walletType", 16, sentFund), moveAt("member.funds.date"),
	}
	receivedColumns = []httpx.Column[move1]{
		moveNo, httpx.TextColumn("member.histories.userId", 12, otherID), httpx.TextColumn("member.histories.receivedBy", 24, func(m move1) string { return Giver(m.Move, m.Name) }), moveAmount("member.histories.receivedAmount"),
		httpx.MoneyColumn("member.histories.deducted", func(move1) money.Amount { return money.Zero }), moveAt("member.histories.receivedDate"),
		httpx.TextColumn("member.funds.fundType", 16, func(m move1) string { return walletName(string(m.Fund)) }),
	}
)

var withdrawalColumns = []httpx.Column[withdrawal.Withdrawal]{
	httpx.TextColumn("member.histories.withdrawalId", 14, func(w withdrawal.Withdrawal) string { return strconv.FormatInt(w.ID, 10) }),
	httpx.MoneyColumn("member.histories.amount", func(w withdrawal.Withdrawal) money.Amount { return w.Amount }),
	httpx.MoneyColumn("member.histories.charge", func(w withdrawal.Withdrawal) money.Amount { return w.Charge }),
	httpx.MoneyColumn("member.histories.withdrawalAmount", func(w withdrawal.Withdrawal) money.Amount { return w.Net }),
	httpx.TextColumn("member.histories.withdrawlType", 14, func(w withdrawal.Withdrawal) string { return w.Type }),
	httpx.TextColumn("member.histories.fundType", 16, func(w withdrawal.Withdrawal) string { return walletName(w.Wallet) }),
	httpx.TextColumn("member.histories.status", 10, func(w withdrawal.Withdrawal) string { return string(w.State) }),
	httpx.TimeColumn("member.histories.requestDate", func(w withdrawal.Withdrawal) time.Time { return w.RequestedAt }),
	httpx.TimeColumn("member.histories.responseDate", func(w withdrawal.Withdrawal) time.Time { return w.Answered() }),
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
