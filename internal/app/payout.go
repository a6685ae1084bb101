package app

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Payouts returns the payout service for the command line. Approving needs an operator's
// sign-in: no payment is made by one person alone.
func (d *Desk) Payouts() *payout.Service { return d.app.services.Payout }

// payer is the actor of payouts from the command line.
func payer() actor.By { return actor.CommandLine(systemUser()) }

// MakeBatch proposes a batch of the given withdrawals, or of all payable ones.
func (d *Desk) MakeBatch(ctx context.Context, way payout.Way, ids []int64) (payout.Batch, error) {
	return d.Payouts().Propose(ctx, payer(), "", way, ids)
}

// ExportBatch returns the list of an approved manual batch.
func (d *Desk) ExportBatch(ctx context.Context, id int64) ([]byte, error) {
	return d.Payouts().Export(ctx, payer(), id)
}

// ImportBatch imports the transaction hashes of a batch and returns how many were new.
func (d *Desk) ImportBatch(ctx context.Context, id int64, list []byte) (int, error) {
	return d.Payouts().Import(ctx, payer(), "", id, list)
}

// ApproveBatch approves a batch as the given operator, by the rules of the console:
// password and code, a role for money, not the proposer, and the digest seen. It ends the
// session.
func (d *Desk) ApproveBatch(ctx context.Context, who auth.OperatorLogin, id int64, digest string) (b payout.Batch, err error) {
	by, done, err := d.signIn(ctx, who, "/api/operator/payouts/approve")
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, done()) }()
	return d.Payouts().Approve(ctx, by, "", id, digest)
}

// SendPayouts does one round of the server's payouts: it checks sent payments, resends
// those that the chain does not have, and pays approved ones. It returns Refused without a
// chain; trouble says why nothing was paid, if so.
func (d *Desk) SendPayouts(ctx context.Context) (trouble string, err error) {
	if len(d.app.cfg.ChainURLs) == 0 {
		return "", errs.New(errs.Refused, "payout.manual_only", "No chain is configured: payouts are lists for people.")
	}
	if err := d.Payouts().Run(ctx); err != nil {
		return "", err
	}
	return d.Payouts().Trouble().Message, nil
}
