package demo

import (
	"context"
	"fmt"
	"strconv"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/simulate"
)

// The commands of deposits and withdrawals. They use packages fund and withdrawal, because
// the cashier's mails would be about the past.

// watcher approves payments found on the chain.
var watcher = actor.By{Name: "chain watcher"}

const (
	usdtBank = 2 // the id of the USDT address in requests
	// mostDollars is the maximum of a withdrawal: above it two operators must approve,
	// and the demo has one.
	mostDollars = 1000
)

// request files a fund request.
type request struct {
	uid     string
	fund    string
	dollars int64
	bank    bool // else in USDT
	tx      tx
	id      *int64
}

func (d request) command(b *builder, x step) (ledger.Command, error) {
	uid, err := strconv.ParseInt(d.uid, 10, 64)
	if err != nil {
		return ledger.Command{}, err
	}
	r := fund.Request{UID: uid, Fund: fund.Kind(d.fund), Amount: money.Micro(d.dollars * 1_000_000)}
	if d.bank && len(b.Brand.Banks) > 0 {
		at := b.Brand.Banks[int(uid)%len(b.Brand.Banks)]
		r.Way, r.Number = fund.ByBank, d.tx.utr
		r.Bank = fund.Bank{ID: at.ID, Name: at.Name, Holder: at.Holder, Account: at.Account, IFSC: at.IFSC, Branch: at.Branch}
	} else {
		r.Way, r.Number = fund.ByUSDT, d.tx.hash
		r.Bank = fund.Bank{ID: usdtBank, Name: string(fund.ByUSDT), Account: b.Brand.USDT}
	}
	return x.keyed(actor.Member(uid), func(ctx context.Context, tx *ledger.Tx) error {
		filed, err := b.Funds.Ask(ctx, tx, r, tx.Now())
		if err == nil && filed.ID != *d.id {
			err = fmt.Errorf("demo: fund request %d has number %d", *d.id, filed.ID)
		}
		return err
	})
}

// decide approves a request, or rejects it with a reason.
type decide struct {
	id      *int64
	approve bool
	why     string
	bank    bool // decided by an operator, else by the chain watcher
}

func (d decide) command(b *builder, x step) (ledger.Command, error) {
	who, key := watcher, "chain"
	if d.bank {
		who, key = b.by, b.by.Key()
	}
	return x.keyed(key, func(ctx context.Context, tx *ledger.Tx) error {
		if !d.approve {
			r, err := b.Funds.Reject(ctx, tx, who, *d.id, d.why, tx.Now())
			if err != nil {
				return err
			}
			return b.record(ctx, tx, x, "fund.reject", r.ID, r.Amount, d.why)
		}
		r, err := b.Funds.Approve(ctx, tx, who, *d.id, "", "")
		if err != nil || !d.bank {
			return err
		}
		return b.record(ctx, tx, x, "fund.approve", r.ID, r.Amount, "")
	})
}

// record records an operator's act, under the step's id.
func (b *builder) record(ctx context.Context, tx *ledger.Tx, x step, kind string, subject int64, a money.Amount, remark string) error {
	return b.AuditLog.Record(ctx, tx, auditlog.Act{
		ID: x.id, Kind: kind, Subject: strconv.FormatInt(subject, 10), Amount: a, Reference: remark, Operator: b.by.Operator, Name: b.by.Name, At: tx.Now(),
	})
}

// tellAddress sets a member's payout address.
type tellAddress struct{ uid, address string }

func (d tellAddress) command(b *builder, x step) (ledger.Command, error) {
	uid, err := strconv.ParseInt(d.uid, 10, 64)
	if err != nil {
		return ledger.Command{}, err
	}
	return x.keyed(actor.Member(uid), func(ctx context.Context, tx *ledger.Tx) error {
		_, err := b.Events.Members.UpdateWallet(ctx, tx, uid, member.Wallet(d.address), tx.Now())
		return err
	})
}

// withdraw requests a withdrawal of a part of a wallet. It does nothing if that is too
// little, or if the member is under review or has no address. Its answer is the
// withdrawal's number, or 0.
type withdraw struct {
	e       simulate.Event
	percent int64
}

func (d withdraw) command(b *builder, x step) (ledger.Command, error) {
	uid, err := strconv.ParseInt(d.e.UID, 10, 64)
	if err != nil {
		return ledger.Command{}, err
	}
	account, err := ledger.ParseAccount("L:INCOME:" + d.e.Type + ":" + d.e.UID)
	if err != nil {
		return ledger.Command{}, err
	}
	cmd, err := x.keyed(actor.Member(uid), nil)
	cmd.Run = func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		has, err := tx.Balance(account)
		if err != nil {
			return nil, err
		}
		dollars := min(has.Available.Micros()/1_000_000*d.percent/100, mostDollars)
		m, found, err := b.Events.Members.GetIn(ctx, tx, uid)
		if err != nil || !found || m.Blocked() || m.Wallet == "" || dollars*1_000_000 < b.plan.Withdraw.Min.Micros() {
			return []byte("0"), err
		}
		w, err := b.ask(ctx, tx, m, d.e.Type, money.Micro(dollars*1_000_000), x)
		return strconv.AppendInt(nil, w.ID, 10), err
	}
	return cmd, err
}

// ask files a withdrawal by the rules of the plan.
func (b *builder) ask(ctx context.Context, tx *ledger.Tx, m member.Member, wallet string, a money.Amount, x step) (w withdrawal.Withdrawal, err error) {
	p, _, err := b.Events.Closing.Open(ctx, tx, x.event())
	if err != nil {
		return w, err
	}
	w = withdrawal.Withdrawal{UID: m.UID, Wallet: wallet, Type: withdrawal.USDT, Amount: a, Address: string(m.Wallet), ReadyAt: m.WalletAt.Add(auth.WalletWait)}
	if w.Charge, err = withdrawal.Cost(p, wallet, a); err != nil {
		return w, err
	}
	if w.Net, err = a.Sub(w.Charge); err != nil {
		return w, err
	}
	return b.Withdrawals.Ask(ctx, tx, w, nil)
}

// proceed moves a withdrawal to the next state, if there is one and its member is not under
// review.
type proceed struct {
	ask  string
	to   fate
	hash string
	why  string
}

func (d proceed) command(b *builder, x step) (ledger.Command, error) {
	id := b.drawn[d.ask]
	return x.keyed(b.by.Key(), func(ctx context.Context, tx *ledger.Tx) error {
		if id == 0 {
			return nil
		}
		w, err := b.Withdrawals.Get(ctx, tx, id)
		if err != nil {
			return err
		}
		m, _, err := b.Events.Members.GetIn(ctx, tx, w.UID)
		if err != nil || m.Blocked() || d.late(w, tx) {
			return err
		}
		var kind string
		switch d.to {
		case approved:
			kind = "withdrawal.approve"
			w, err = b.Withdrawals.Approve(ctx, tx, withdrawal.Approval{Operator: b.by.Operator, Name: b.by.Name, At: tx.Now()}, id, "")
		case rejected:
			kind = "withdrawal.reject"
			w, err = b.Withdrawals.Reject(ctx, tx, b.by.Name, id, d.why)
		case sentNow:
			kind = "withdrawal.sent"
			w, err = b.Withdrawals.Sent(ctx, tx, id, d.hash, tx.Now())
		default:
			kind = "withdrawal.confirm"
			w, err = b.Withdrawals.Confirm(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		return b.record(ctx, tx, x, kind, w.ID, w.Amount, w.Remark)
	})
}

// late reports whether a withdrawal is not in the state that the step needs, because its
// member was under review or its address too new.
func (d proceed) late(w withdrawal.Withdrawal, tx *ledger.Tx) bool {
	switch d.to {
	case sentNow:
		return w.State != withdrawal.Approved || tx.Now().Before(w.ReadyAt)
	case confirmed:
		return w.State != withdrawal.Sent
	}
	return w.State != withdrawal.Pending
}
