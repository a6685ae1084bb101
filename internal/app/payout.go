package app

import (
	"context"

	"github.com/bifolia/bifolia/internal/payout"
)

// Payouts are the batches, for the person at the command line. What is approved
// takes an operator: nothing is paid by one person alone.
func (d *Desk) Payouts() *payout.Service { return d.app.people.calls.Payout }

// payer is the person at the command line, as payouts know them.
func payer() payout.By { return payout.By{Name: systemUser()} }

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
