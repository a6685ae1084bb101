package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// approveBatch approves a batch as an operator; it asks for the password and code without
// echo.
func (e env) approveBatch(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	who, code := e.signIn(o.email)
	if code != exitOK {
		return code
	}
	b, err := desk.ApproveBatch(ctx, who, o.ids[0], o.digest)
	if err != nil {
		return e.fail(err)
	}
	if o.asJSON {
		return e.print(b)
	}
	next := "export it, pay it, and import the hashes"
	if b.Way == "hot" {
		next = "the server pays it, or 'bifolia payout send'"
	}
	return e.say("Batch %d is approved by %s: %s.\n", b.ID, b.Approved.Name, next)
}

// signIn asks for an operator's password and code.
func (e env) signIn(email string) (who auth.OperatorLogin, code int) {
	who.Email = email
	in := bufio.NewReader(e.stdin)
	var err error
	for _, q := range []struct {
		question
		to *string
	}{
		{question{ask: "Password of " + email, secret: true}, &who.Password},
		{question{ask: "Code of the authenticator app, or a recovery code", secret: true}, &who.Code},
	} {
		if *q.to, err = q.read(e, in); err != nil {
			_, _ = fmt.Fprintln(e.stderr, "There is no answer.")
			return who, exitUsage
		}
	}
	return who, exitOK
}

// sendPayouts does one round of the hot wallet and prints the newest batches.
func (e env) sendPayouts(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	trouble, err := desk.SendPayouts(ctx)
	if err != nil {
		return e.fail(err)
	}
	if trouble != "" {
		_, _ = fmt.Fprintln(e.stderr, trouble)
		return exitFailed
	}
	return e.listBatches(ctx, desk, o)
}
