package simulate

import (
	"cmp"
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/market"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// Hands do events of people who are there already, through the services.
type Hands struct {
	Tree    *tree.Service
	Members *member.Service
	Closing *closing.Service
	Market  *market.Service
	// Withdrawn is told of each withdrawal when it is durable; may be nil.
	Withdrawn func(e Event, day plan.Day, amount, charge money.Amount)
}

func number(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 32) // of which the tree has that many bits
	if err != nil || s[0] == '0' {
		return 0, errs.New(errs.Invalid, "simulate.not_a_user_id", "{value} is no user id.", "value", strconv.Quote(s))
	}
	return int64(n), nil
}

func amount(s string) (money.Amount, error) {
	a, err := money.Parse(s)
	if err != nil {
		return a, errs.Wrap(errs.Invalid, err, "simulate.not_an_amount", `{value} is no amount: one is dollars with at most six decimal places, such as "12.50".`, "value", strconv.Quote(s))
	}
	return a, nil
}

// Act does an event within a command of the caller, who notes it. Errors as of
// the services; Invalid if there is no such event.
func (h *Hands) Act(ctx context.Context, tx *ledger.Tx, e Event, at closing.Event) error {
	switch e.Kind {
	case "deposit", "transfer":
		return h.fund(ctx, tx, e)
	case "buy", "invest":
		return h.buy(ctx, tx, e, at)
	case "refund":
		return h.Market.Refund(ctx, tx, e.Sale)
	case "recall":
		a, err := amount(e.Amount)
		if err != nil {
			return err
		}
		return h.Market.Recall(ctx, tx, e.Claim, a)
	case "claim":
		uid, err := number(e.UID)
		if err != nil {
			return err
		}
		return h.Market.Claim(ctx, tx, at, e.Claim, uid)
	case "withdraw":
		return h.withdraw(ctx, tx, e, at)
	case "block", "unblock":
		return h.block(ctx, tx, e, at)
	case closing.PnL, closing.Settle, closing.Chargeback:
		a, err := amount(e.Amount)
		if err != nil && e.Kind != closing.Chargeback {
			return err
		}
		return h.Closing.Book(ctx, tx, at, closing.Booking{Kind: e.Kind, Line: e.Line, Sale: e.Sale, Amount: a})
	case "cancel":
		_, err := h.Closing.Cancel(ctx, tx, e.Booking, e.Reason)
		return err
	}
	return errs.New(errs.Invalid, "simulate.event_unknown", "There is no event {event}.", "event", strconv.Quote(e.Kind))
}

// known is a member's id. NotFound if there is no such member.
func (h *Hands) known(ctx context.Context, tx *ledger.Tx, s string) (int64, error) {
	uid, err := number(s)
	if err != nil {
		return 0, err
	}
	if _, found, err := h.Tree.Standing(ctx, tx, uid); err != nil || !found {
		return 0, cmp.Or(err, error(errs.New(errs.NotFound, "simulate.member_unknown", "unknown member {uid}", "uid", uid)))
	}
	return uid, nil
}

func (h *Hands) fund(ctx context.Context, tx *ledger.Tx, e Event) error {
	k, err := fund.ParseKind(e.Fund)
	if err != nil {
		return err
	}
	a, err := amount(e.Amount)
	if err != nil {
		return err
	}
	if e.Kind == "deposit" {
		uid, err := h.known(ctx, tx, e.UID)
		if err != nil {
			return err
		}
		return fund.Deposit(tx, uid, k, a, e.ID)
	}
	from, err := h.known(ctx, tx, e.From)
	if err != nil {
		return err
	}
	to, err := h.known(ctx, tx, e.To)
	if err != nil {
		return err
	}
	return fund.Transfer(tx, from, to, k, a, e.ID)
}

func (h *Hands) buy(ctx context.Context, tx *ledger.Tx, e Event, at closing.Event) error {
	uid, err := number(e.UID)
	if err != nil {
		return err
	}
	payer, err := number(e.Payer)
	if err != nil {
		return err
	}
	p := market.Purchase{Event: at, UID: uid, Payer: payer, Package: e.Package, Topup: sale.Topup(e.Topup), Line: e.Line}
	if e.Kind == "buy" {
		return h.Market.Buy(ctx, tx, p)
	}
	if p.Amount, err = amount(e.Amount); err != nil {
		return err
	}
	p.Topup = "" // the rules know positions, not how a form calls them
	return h.Market.Invest(ctx, tx, p)
}

func (h *Hands) withdraw(ctx context.Context, tx *ledger.Tx, e Event, at closing.Event) error {
	uid, err := number(e.UID)
	if err != nil {
		return err
	}
	a, err := amount(e.Amount)
	if err != nil {
		return err
	}
	m, found, err := h.Members.GetIn(ctx, tx, uid)
	switch {
	case err != nil:
		return err
	case !found:
		return errs.New(errs.NotFound, "member.not_found", "There is no member {uid}.", "uid", uid)
	case m.Blocked():
		return errs.New(errs.Refused, "simulate.under_review", "account under review")
	}
	p, day, err := h.Closing.Open(ctx, tx, at)
	if err != nil {
		return err
	}
	charge, err := withdrawal.Check(p, e.Type, a)
	if err != nil {
		return err
	}
	from, err := ledger.ParseAccount("L:INCOME:" + e.Type + ":" + strconv.FormatInt(uid, 10))
	if err != nil {
		return err
	}
	if err := tx.Enough(from, a, "wallet"); err != nil {
		return err
	}
	t, err := withdrawal.Transfer(from, a, charge, e.ID)
	if err != nil {
		return err
	}
	if _, err := tx.Post(t); err != nil {
		return err
	}
	if h.Withdrawn != nil {
		tx.AfterCommit(func() { h.Withdrawn(e, day, a, charge) })
	}
	return nil
}

func (h *Hands) block(ctx context.Context, tx *ledger.Tx, e Event, at closing.Event) error {
	uid, err := number(e.UID)
	if err != nil {
		return err
	}
	if e.Kind == "block" {
		return h.Members.Block(ctx, tx, uid, "under review", at.At)
	}
	return h.Closing.Unblock(ctx, tx, at, uid)
}
