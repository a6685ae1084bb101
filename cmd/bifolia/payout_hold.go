package main

import (
	"context"
	"fmt"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/cash/payout"
)

// showHold prints whether payouts are held; it exits 0 in both cases.
func (e env) showHold(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	s, err := desk.Payouts().Standing(ctx)
	if err != nil {
		return e.fail(err)
	}
	digest := ""
	if s.Hold.State == payout.Settled {
		digest = payout.HoldDigest(s.Hold, s.Found, s.Waiting)
	}
	if o.asJSON {
		return e.print(map[string]any{"standing": s, "digest": digest})
	}
	if !s.Held {
		return e.say("Payouts are not held.\n")
	}
	_, _ = fmt.Fprintf(e.stdout, "Payouts are held (%s): %s\n", s.Hold.State, s.Hold.Detail)
	if s.Unknown {
		_, _ = fmt.Fprintln(e.stdout, "The chain does not answer.")
	} else if s.Hold.Sender != "" {
		_, _ = fmt.Fprintf(e.stdout, "The hot wallet %s: %d transactions final, %d mined, %d including pending ones; this database knows %d; settled at %d.\n",
			s.Hold.Sender, s.Nonces.ForGood, s.Nonces.Latest, s.Nonces.Pending, s.Nonces.Known, s.Hold.Until)
	}
	for _, f := range s.Found {
		what := "fits no withdrawal: correct the member's wallet"
		if f.Withdrawal != 0 {
			what = fmt.Sprintf("paid withdrawal %d", f.Withdrawal)
		}
		if f.Dismissed.Name != "" {
			what = "dismissed by " + f.Dismissed.Name
		}
		_, _ = fmt.Fprintf(e.stdout, "  found %d: %s from %s to %s, %s: %s\n", f.N, f.Amount, f.From, f.To, f.Hash, what)
	}
	for _, w := range s.Waiting {
		_, _ = fmt.Fprintf(e.stdout, "  to pay: withdrawal %d of member %d, %s to %s\n", w.ID, w.UID, w.Amount, w.Address)
	}
	if digest != "" {
		_, _ = fmt.Fprintf(e.stdout, "  payload: %s\n  digest:  %s\n", payout.HoldPayload(s.Hold, s.Found, s.Waiting), digest)
	}
	return exitOK
}

// decideHold settles or adopts as the operator who signs in.
func (e env) decideHold(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	who, code := e.signIn(o.email)
	if code != exitOK {
		return code
	}
	if o.what == "settle" {
		if err := desk.SettleHold(ctx, who, o.reason); err != nil {
			return e.fail(err)
		}
		return e.say("Settling has started. The server or 'bifolia payout send' continues it until 'bifolia payout hold' shows settled.\n")
	}
	lifted, err := desk.AdoptHold(ctx, who, o.digest, o.reason)
	if err != nil {
		return e.fail(err)
	}
	if !lifted {
		return e.say("Recorded: a second operator must adopt the same state.\n")
	}
	return e.say("The state is adopted: payouts resume.\n")
}
