package app

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Payouts are the batches, for the person at the command line. What is approved
// takes an operator who signs in: nothing is paid by one person alone.
func (d *Desk) Payouts() *payout.Service { return d.app.people.calls.Payout }

// payer is the person at the command line, as payouts know them.
func payer() actor.By { return actor.CommandLine(systemUser()) }

// MakeBatch proposes a batch of withdrawals: those given, or all that may leave.
func (d *Desk) MakeBatch(ctx context.Context, way payout.Way, ids []int64) (payout.Batch, error) {
	return d.Payouts().Propose(ctx, payer(), "", way, ids)
}

// ExportBatch is the list of an approved batch that people pay.
func (d *Desk) ExportBatch(ctx context.Context, id int64) ([]byte, error) {
	return d.Payouts().Export(ctx, payer(), id)
}

// ImportBatch takes the hashes that paid a batch, and tells how many were new.
func (d *Desk) ImportBatch(ctx context.Context, id int64, list []byte) (int, error) {
	return d.Payouts().Import(ctx, payer(), "", id, list)
}

// ApproveBatch approves a batch as the operator who signs in for it, by the rules
// of the console: password and code, a role that moves money, not who proposed
// it, and the digest of what was seen. The session ends with it.
func (d *Desk) ApproveBatch(ctx context.Context, who auth.OperatorLogin, id int64, digest string) (b payout.Batch, err error) {
	by, done, err := d.signIn(ctx, who, "/api/operator/payouts/approve")
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, done()) }()
	return d.Payouts().Approve(ctx, by, "", id, digest)
}

// SendPayouts does one round of what the server does by itself: it looks what
// became of payments on their way, sends again what the chain does not have, and
// pays what two have approved. Refused without a chain; otherwise trouble says why
// nothing was paid, if that is so.
func (d *Desk) SendPayouts(ctx context.Context) (trouble string, err error) {
	if len(d.app.cfg.ChainURLs) == 0 {
		return "", errs.New(errs.Refused, "payout.manual_only", "No chain is configured: payouts are lists for people.")
	}
	if err := d.Payouts().Run(ctx); err != nil {
		return "", err
	}
	return d.Payouts().Trouble(), nil
}
