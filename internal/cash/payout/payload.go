package payout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// network is the name of the token and, if a chain is configured, its id.
func (s *Service) network() string {
	const token = "USDT (BEP-20)"
	if s.opt.Chain == nil {
		return token
	}
	return fmt.Sprintf("%s, chain %d", token, s.opt.Chain.ChainID())
}

// Payload is the canonical form of everything that a batch pays, and to whom. Digest
// hashes it. It never changes while the batch is open.
func (s *Service) Payload(b Batch, all []Payout) []byte {
	type line struct {
		Withdrawal int64  `json:"withdrawal"`
		UID        int64  `json:"uid"`
		Address    string `json:"address"`
		Amount     string `json:"amount"`
	}
	lines := make([]line, 0, len(all))
	for _, p := range all {
		lines = append(lines, line{p.Withdrawal, p.UID, p.Address, p.Amount.String()})
	}
	return shape.Canonical(struct {
		ID      int64  `json:"id"`
		Kind    string `json:"kind"`
		Network string `json:"network"`
		Way     Way    `json:"way"`
		Payouts []line `json:"payouts"`
		Total   string `json:"total"`
		By      int64  `json:"by"`
		At      string `json:"at"`
	}{b.ID, "payout batch", s.network(), b.Way, lines, b.Total.String(), b.Proposed.Operator, b.Proposed.At.UTC().Format(time.RFC3339Nano)})
}

// Digest is the SHA-256 of Payload in hex. The approver sends it, so that both operators
// approve the same addresses and amounts.
func (s *Service) Digest(b Batch, all []Payout) string {
	sum := sha256.Sum256(s.Payload(b, all))
	return hex.EncodeToString(sum[:])
}

// verified returns a batch's payouts. It returns a *ledger.TamperedError if the batch,
// one of its payouts or one of their withdrawals was changed or put back to an older
// state.
func (s *Service) verified(ctx context.Context, tx *ledger.Tx, batch int64) ([]Payout, error) {
	all, err := s.opt.Store.Payouts(ctx, tx, batch)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(all))
	for i, p := range all {
		ids[i] = p.Withdrawal
	}
	if err := s.opt.Store.Verify(ctx, tx, batch, ids); err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.State != Waiting {
			continue
		}
		if err := s.owed(ctx, tx, p); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// owed checks that the ledger still holds the money of a waiting payout and that nothing
// has paid it. It returns a *ledger.TamperedError if the payout was put back to an older
// state.
func (s *Service) owed(ctx context.Context, tx *ledger.Tx, p Payout) error {
	w, err := s.opt.Withdrawals.Get(ctx, tx, p.Withdrawal)
	if err != nil {
		return err
	}
	if w.State != withdrawal.Approved || w.Batch != p.Batch {
		return ledger.Tampered(fmt.Sprintf("The payout of withdrawal %d in batch %d", w.ID, p.Batch), fmt.Sprintf("it waits, and the withdrawal is %s in batch %d", w.State, w.Batch))
	}
	if err := s.opt.Withdrawals.Held(ctx, tx, w); err != nil {
		return err
	}
	sent, err := s.opt.Store.Transactions(ctx, tx, p.Batch, p.Withdrawal)
	if err == nil && len(sent) > 0 {
		err = ledger.Tampered(fmt.Sprintf("The payout of withdrawal %d in batch %d", w.ID, p.Batch), "it waits, and transaction "+sent[0].Hash+" pays it")
	}
	return err
}

// unpaid checks that the ledger holds the money of an approved withdrawal, and that it
// has no payout in progress except in its own batch. It returns a *ledger.TamperedError
// otherwise.
func (s *Service) unpaid(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal) error {
	if err := s.opt.Withdrawals.Held(ctx, tx, w); err != nil {
		return err
	}
	batch, err := s.opt.Store.Live(ctx, tx, w.ID)
	if err == nil && batch != w.Batch {
		err = ledger.Tampered(fmt.Sprintf("Withdrawal %d", w.ID), fmt.Sprintf("its payout is in batch %d, and it says %d", batch, w.Batch))
	}
	return err
}

// agrees returns Conflict unless a payout matches its withdrawal.
func agrees(p Payout, w withdrawal.Withdrawal) error {
	if p.Amount != w.Net || !strings.EqualFold(p.Address, w.Address) {
		return errs.New(errs.Conflict, "payout.differs_from_withdrawal", "The payout of withdrawal {withdrawal} is not what the withdrawal asks for.", "withdrawal", w.ID)
	}
	return nil
}
