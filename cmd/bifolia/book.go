package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

// Operators' HTTP calls as commands, while no server runs.
var (
	pnlCommand        = actCommand(booking.PnL, "propose a line's trading result of the day", "line", "amount", "reference", "at")
	settleCommand     = actCommand(booking.Settle, "propose a settlement of a line's booked profit to the account that pays it", "line", "amount", "reference", "at")
	chargebackCommand = actCommand(booking.Chargeback, "propose to reverse a final sale", "sale", "reference")
	recallCommand     = actCommand(booking.Recall, "move a line's cash to cover a claim", "claim", "amount", "reference")
	cancelCommand     = actCommand(booking.Cancel, "cancel a booking before a close executes it", "booking", "reason")
	blockCommand      = actCommand(booking.Block, "put a member under review", "uid", "reason")
	unblockCommand    = actCommand(booking.Unblock, "end a member's review and release income on Hold", "uid", "reason")
)

// actFlags are the descriptions of the flags of actions.
var actFlags = map[string]string{
	"line":      "FOREX or CRYPTO: the `line`",
	"amount":    "the `amount` in dollars; negative for a loss",
	"reference": "the reference to the evidence, as `text`",
	"at":        "the `time` of the event, as 2026-01-31T09:30:00Z; default: now",
	"sale":      "the `id` of the sale",
	"claim":     "the `id` of the claim",
	"booking":   "the `id` of the booking",
	"uid":       "the member's user `id`",
	"reason":    "why, as `text`",
}

func actCommand(kind booking.Kind, summary string, flags ...string) command {
	return command{name: string(kind), summary: summary, run: func(ctx context.Context, e env) int { return actOnce(ctx, e, kind, flags) }}
}

// actOnce runs one action.
func actOnce(ctx context.Context, e env, kind booking.Kind, flags []string) int {
	name, given := string(kind), map[string]*string{}
	var asJSON, alone bool
	cfg, rest, err := config.Load(name, e.args, e.environ, func(f *flag.FlagSet) {
		for _, flag := range flags {
			given[flag] = f.String(flag, "", actFlags[flag])
		}
		if kind.TakesTwo() {
			f.BoolVar(&alone, "alone", false, "book it at once; the audit log records that no second operator approved it")
		}
		f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage(fmt.Sprintf("%s takes flags only; \"bifolia help %s\" lists them.", name, name))
	}
	act, err := parseAct(kind, given)
	if err != nil {
		return e.usage(errs.MessageOf(err))
	}
	desk, err := app.OpenDesk(ctx, cfg, cfg.Logger(e.stderr), name)
	if err != nil {
		return e.fail(err)
	}
	done, words, err := doAct(ctx, desk, act, alone)
	if err = errors.Join(err, desk.Close()); err != nil {
		return e.fail(err)
	}
	if asJSON {
		return e.print(done)
	}
	_, _ = fmt.Fprintln(e.stdout, words)
	return exitOK
}

// proposedBooking is a proposed booking as JSON.
type proposedBooking struct {
	Proposal int64  `json:"proposal"`
	Day      string `json:"day"`
	Digest   string `json:"digest"`
	Warning  string `json:"warning,omitempty"`
	Payload  string `json:"payload"`
}

// doAct runs an action, or proposes it if it needs a second operator, and returns the
// result.
func doAct(ctx context.Context, desk *app.Desk, act booking.Act, alone bool) (done any, words string, err error) {
	if act.Kind.TakesTwo() && !alone {
		p, err := desk.Propose(ctx, act)
		words = fmt.Sprintf("Proposed: %s of %s is proposal %d, SHA-256 %s; it takes effect once an operator approves it in the console.", act.Kind, p.Day, p.ID, p.Digest())
		if w := p.Warning().Message; w != "" {
			words += " " + w
		}
		return proposedBooking{p.ID, p.Day.String(), p.Digest(), p.Warning().Message, string(p.Payload())}, words, err
	}
	d, err := desk.Do(ctx, act)
	return d, fmt.Sprintf("Done: %s is event %s of %s.", act.Kind, d.ID, d.Day), err
}

// parseAct reads the flags. The Invalid error names every wrong one.
func parseAct(kind booking.Kind, given map[string]*string) (booking.Act, error) {
	text := func(name string) string {
		if v := given[name]; v != nil {
			return *v
		}
		return ""
	}
	var wrong []errs.Field
	a := booking.Act{Kind: kind, Line: text("line"), Sale: text("sale"), Claim: text("claim"), Booking: text("booking"), Reference: text("reference") + text("reason")}
	var err error
	if given["amount"] != nil {
		if a.Amount, err = money.Parse(text("amount")); err != nil {
			wrong = append(wrong, errs.NewField("--amount", "booking.amount_digits", "An amount is digits with up to six places."))
		}
	}
	if given["uid"] != nil {
		if a.UID, err = strconv.ParseInt(text("uid"), 10, 64); err != nil || a.UID <= 0 {
			wrong = append(wrong, errs.NewField("--uid", "member.id_not_digits", "A user id is digits only."))
		}
	}
	if text("at") != "" {
		if a.At, err = time.Parse(time.RFC3339, text("at")); err != nil {
			wrong = append(wrong, errs.NewField("--at", "request.not_a_time", "A time is written as 2026-01-31T09:30:00Z."))
		}
		a.At = a.At.UTC()
	}
	return a, errs.Fields(wrong)
}
