package demo

import (
	"context"
	"fmt"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// action makes the command of a step. Amounts that depend on incomes of earlier closes are
// computed within the command, so that the command is the same when an interrupted build
// continues.
type action interface {
	command(b *builder, x step) (ledger.Command, error)
}

// keyed is a command under the step's own key.
func (x step) keyed(who string, run func(ctx context.Context, tx *ledger.Tx) error) (ledger.Command, error) {
	return ledger.Command{Actor: who, Key: "demo " + x.id, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}}, nil
}

func (x step) event() closing.Event { return closing.Event{ID: x.id, At: x.at, Recorded: x.at} }

// join registers a member.
type join struct{ p *person }

func (d join) command(b *builder, x step) (ledger.Command, error) {
	r, err := member.ParseRegistration(d.p.form())
	if err != nil {
		return ledger.Command{}, err
	}
	return b.Enrol.Admission(enrol.Request{Registration: r, Key: "demo " + x.id}, b.secrets[d.p.no])
}

// memberEvent is a member's event, as in scenarios.
type memberEvent struct{ e simulate.Event }

func (d memberEvent) command(b *builder, x step) (ledger.Command, error) {
	who := d.e.UID
	if who == "" {
		who = d.e.From
	}
	return x.keyed("member:"+who, func(ctx context.Context, tx *ledger.Tx) error {
		return b.do(ctx, tx, d.e, x)
	})
}

// do runs an event and records it in the list of its day.
func (b *builder) do(ctx context.Context, tx *ledger.Tx, e simulate.Event, x step) error {
	if err := b.Events.Act(ctx, tx, e, x.event()); err != nil {
		return err
	}
	event, err := e.Of(x.event())
	if err != nil {
		return err
	}
	return b.Events.Closing.Note(ctx, tx, event, "")
}

type operatorAct struct{ a booking.Act }

func (d operatorAct) command(b *builder, x step) (ledger.Command, error) {
	return x.keyed(b.by.Key(), func(ctx context.Context, tx *ledger.Tx) error {
		_, err := b.Operate.Act(ctx, tx, b.by, x.id, d.a)
		return err
	})
}

// settle settles a part of the unsettled profit.
type settle struct {
	line      string
	percent   int64
	reference string
}

func (d settle) command(b *builder, x step) (ledger.Command, error) {
	return x.keyed(b.by.Key(), func(ctx context.Context, tx *ledger.Tx) error {
		free, err := b.Events.Closing.Unsettled(ctx, tx, d.line)
		if err != nil {
			return err
		}
		a := money.Micro(free.Micros() / 100 * d.percent)
		if a.Sign() <= 0 {
			return nil
		}
		_, err = b.Operate.Act(ctx, tx, b.by, x.id, booking.Act{Kind: booking.Settle, Line: d.line, Amount: a, Reference: d.reference})
		return err
	})
}

// recall recalls the cash that a claim needs.
type recall struct{ claim string }

func (d recall) command(b *builder, x step) (ledger.Command, error) {
	return x.keyed(b.by.Key(), func(ctx context.Context, tx *ledger.Tx) error {
		c, err := b.Events.Market.FindClaim(ctx, tx, d.claim)
		if err != nil || c.Net.Sign() <= 0 {
			return err
		}
		_, err = b.Operate.Act(ctx, tx, b.by, x.id, booking.Act{Kind: booking.Recall, Claim: d.claim, Amount: c.Net, Reference: "Called back for " + d.claim})
		return err
	})
}

// adopt makes the default plan effective from a day on.
type adopt struct{ from plan.Day }

func (d adopt) command(b *builder, x step) (ledger.Command, error) {
	return x.keyed(b.by.Key(), func(ctx context.Context, tx *ledger.Tx) error {
		return b.Events.Closing.SetPlan(ctx, tx, plan.DefaultBody(), d.from, tx.Now())
	})
}

// ask opens a ticket.
type ask struct {
	uid    string
	query  string
	ticket *int64 // its number
}

func (d ask) command(b *builder, x step) (ledger.Command, error) {
	uid, err := strconv.ParseInt(d.uid, 10, 64)
	if err != nil {
		return ledger.Command{}, err
	}
	return x.keyed(actor.Member(uid), func(ctx context.Context, tx *ledger.Tx) error {
		t, err := b.Support.Ask(ctx, tx, uid, kindOf(d.query), d.query, tx.Now())
		if err == nil && t.ID != *d.ticket {
			err = fmt.Errorf("demo: ticket %d has number %d", *d.ticket, t.ID)
		}
		return err
	})
}

// reply answers a ticket, and closes it if it is a complaint.
type reply struct {
	text   string
	ticket *int64
}

func (d reply) command(b *builder, x step) (ledger.Command, error) {
	return x.keyed(b.by.Key(), func(ctx context.Context, tx *ledger.Tx) error {
		answer := support.Step{Ticket: *d.ticket, By: actor.By{Operator: b.by.Operator, Name: b.by.Name}, At: tx.Now()}
		_, t, err := b.Support.Answer(ctx, tx, answer, d.text)
		if err != nil || t.Kind != support.KindComplaint {
			return err
		}
		settle := answer
		settle.Seen = t.Acts
		_, _, err = b.Support.Close(ctx, tx, settle)
		return err
	})
}
