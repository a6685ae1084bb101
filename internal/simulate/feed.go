package simulate

import (
	"cmp"
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/fund"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/market"
	"github.com/bifolia/bifolia/internal/member"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/sale"
	"github.com/bifolia/bifolia/internal/tree"
	"github.com/bifolia/bifolia/internal/withdrawal"
)

// feed does one event. One that is refused is noted with the reason, and
// nothing else remains of it.
func (w *World) feed(ctx context.Context, e Event) error {
	w.clock.SetWall(e.Rec.UTC())
	at := closing.Event{ID: e.ID, At: e.At.UTC(), Recorded: e.Rec.UTC(), Body: e.raw}
	err := w.do(ctx, e.ID, e.raw, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows) error {
		if err := w.act(ctx, tx, rows, e, at); err != nil {
			return err
		}
		return w.closing.Note(ctx, rows, at, "")
	})
	switch errs.CodeOf(err) {
	case errs.Refused, errs.Invalid, errs.NotFound, errs.Conflict:
		reason := errs.MessageOf(err)
		return w.do(ctx, "", nil, func(ctx context.Context, _ *ledger.Tx, rows ledger.Rows) error {
			return w.closing.Note(ctx, rows, at, reason)
		})
	}
	return err
}

func number(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 {
		return 0, errs.New(errs.Invalid, "%q is no user id.", s)
	}
	return n, nil
}

func amount(s string) (money.Amount, error) {
	a, err := money.Parse(s)
	if err != nil {
		return a, errs.Wrap(errs.Invalid, err, "The amount is malformed.")
	}
	return a, nil
}

func (w *World) act(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, e Event, at closing.Event) error {
	switch e.Kind {
	case "register", "customer":
		return w.join(ctx, tx, rows, e)
	case "deposit", "transfer":
		return w.fund(ctx, tx, rows, e)
	case "buy", "invest":
		return w.buy(ctx, tx, rows, e, at)
	case "refund":
		return w.market.Refund(ctx, tx, rows, e.Sale)
	case "recall":
		a, err := amount(e.Amount)
		if err != nil {
			return err
		}
		return w.market.Recall(ctx, tx, rows, e.Claim, a)
	case "claim":
		uid, err := number(e.UID)
		if err != nil {
			return err
		}
		return w.market.Claim(ctx, tx, rows, at, e.Claim, uid)
	case "withdraw":
		return w.withdraw(ctx, tx, rows, e, at)
	case "block", "unblock":
		return w.block(ctx, tx, rows, e, at)
	case "pnl", "settle", "chargeback":
		a, err := amount(e.Amount)
		if err != nil && e.Kind != "chargeback" {
			return err
		}
		return w.closing.Book(ctx, rows, at, closing.Booking{Kind: e.Kind, Line: e.Line, Sale: e.Sale, Amount: a})
	}
	return errs.New(errs.Invalid, "There is no event %q.", e.Kind)
}

func (w *World) join(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, e Event) error {
	uid, err := number(e.UID)
	if err != nil {
		return err
	}
	if _, taken, err := w.tree.Standing(ctx, rows, uid); err != nil || taken {
		return cmp.Or(err, error(errs.New(errs.Conflict, "member %d is there already", uid)))
	}
	id := func(tree.No) int64 { return uid }
	var p tree.Place
	if e.Sponsor == "" {
		p, err = w.tree.PlaceRoot(ctx, tx, rows, id)
	} else {
		sponsor, serr := number(e.Sponsor)
		side := map[string]tree.Side{"Left": tree.Left, "Right": tree.Right}[e.Side]
		switch {
		case serr != nil:
			return serr
		case e.Kind == "customer":
			p, err = w.tree.PlaceCustomer(ctx, tx, rows, sponsor, id)
		case side == tree.NoSide:
			return errs.New(errs.Invalid, "The side is Left or Right.")
		default:
			p, err = w.tree.Place(ctx, tx, rows, sponsor, side, id)
		}
	}
	if err != nil {
		return err
	}
	return w.members.Add(ctx, rows, member.Member{UID: uid, Name: "Member " + e.UID, Email: e.UID + "@example.org", JoinedAt: p.Joined})
}

// known is a member's id. NotFound if there is no such member.
func (w *World) known(ctx context.Context, rows ledger.Rows, s string) (int64, error) {
	uid, err := number(s)
	if err != nil {
		return 0, err
	}
	if _, found, err := w.tree.Standing(ctx, rows, uid); err != nil || !found {
		return 0, cmp.Or(err, error(errs.New(errs.NotFound, "unknown member %d", uid)))
	}
	return uid, nil
}

func (w *World) fund(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, e Event) error {
	k, err := fund.ParseKind(e.Fund)
	if err != nil {
		return err
	}
	a, err := amount(e.Amount)
	if err != nil {
		return err
	}
	if e.Kind == "deposit" {
		uid, err := w.known(ctx, rows, e.UID)
		if err != nil {
			return err
		}
		return fund.Deposit(tx, uid, k, a, e.ID)
	}
	from, err := w.known(ctx, rows, e.From)
	if err != nil {
		return err
	}
	to, err := w.known(ctx, rows, e.To)
	if err != nil {
		return err
	}
	return fund.Transfer(tx, from, to, k, a, e.ID)
}

func (w *World) buy(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, e Event, at closing.Event) error {
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
		return w.market.Buy(ctx, tx, rows, p)
	}
	if p.Amount, err = amount(e.Amount); err != nil {
		return err
	}
	return w.market.Invest(ctx, tx, rows, p)
}

func (w *World) withdraw(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, e Event, at closing.Event) error {
	uid, err := number(e.UID)
	if err != nil {
		return err
	}
	a, err := amount(e.Amount)
	if err != nil {
		return err
	}
	m, found, err := w.members.GetIn(ctx, rows, uid)
	switch {
	case err != nil:
		return err
	case !found:
		return errs.New(errs.NotFound, "There is no member %d.", uid)
	case m.Blocked():
		return errs.New(errs.Refused, "account under review")
	}
	p, day, err := w.closing.Open(ctx, rows, at)
	if err != nil {
		return err
	}
	charge, err := withdrawal.Check(p, e.Type, a)
	if err != nil {
		return err
	}
	if err := withdrawal.Pay(tx, uid, e.Type, a, charge, e.ID); err != nil {
		return err
	}
	tx.AfterCommit(func() { w.withdrawn = append(w.withdrawn, withdrawn{e.ID, e.UID, e.Type, day, at.At, a, charge}) })
	return nil
}

func (w *World) block(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, e Event, at closing.Event) error {
	uid, err := number(e.UID)
	if err != nil {
		return err
	}
	if e.Kind == "block" {
		return w.members.Block(ctx, rows, uid, "under review", at.At)
	}
	return w.closing.Unblock(ctx, tx, rows, at, uid)
}
