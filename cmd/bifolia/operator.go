package main

import (
	"cmp"
	"context"
	"flag"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/platform/config"
)

var operatorCommand = command{
	name:    "operator",
	summary: "reset an operator's second factor when no owner can",
	run:     resetOperator,
}

// resetOperator restores access for an owner who has lost the app and the recovery codes,
// while no server runs.
func resetOperator(ctx context.Context, e env) int {
	var email, reason string
	cfg, rest, err := config.Load("operator", e.args, e.environ, func(f *flag.FlagSet) {
		f.StringVar(&email, "reset-factor", "", "the `e-mail` of the operator whose second factor is lost")
		f.StringVar(&reason, "reason", "", "why, in 5 to 200 characters; saved in the audit log")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 || email == "" {
		return e.usage("operator takes --reset-factor E-MAIL and --reason; \"bifolia help operator\" lists the flags.")
	}
	desk, err := app.OpenDesk(ctx, cfg, cfg.Logger(e.stderr), "factor/reset")
	if err != nil {
		return e.fail(err)
	}
	if err = cmp.Or(desk.ResetFactor(ctx, email, reason), desk.Close()); err != nil {
		return e.fail(err)
	}
	return e.say("The second factor of %s is reset: the next sign-in, by the password alone, sets a new one.\n", email)
}
