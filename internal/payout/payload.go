package payout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/shape"
	"github.com/bifolia/bifolia/internal/withdrawal"
)

// network is what batches pay in, and on which chain if one is configured.
func (s *Service) network() string {
	const token = "USDT (BEP-20)"
	if s.opt.Chain == nil {
		return token
	}
	return fmt.Sprintf("%s, chain %d", token, s.opt.Chain.ChainID())
}

// Payload is all that a batch pays and to whom, in the one form that Digest is
// taken of. Nothing of it changes while the batch lives.
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

// Digest is the SHA-256 of Payload. Who approves names it, so that nobody
// approves other addresses or amounts than they saw.
func (s *Service) Digest(b Batch, all []Payout) string {
	sum := sha256.Sum256(s.Payload(b, all))
	return hex.EncodeToString(sum[:])
}

// vouched are a batch's payouts. Conflict if somebody has changed the batch, one
// of them or one of their withdrawals past the product.
func (s *Service) vouched(ctx context.Context, rows ledger.Rows, batch int64) ([]Payout, error) {
	all, err := s.opt.Store.Payouts(ctx, rows, batch)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(all))
	for i, p := range all {
		ids[i] = p.Withdrawal
	}
	return all, s.opt.Store.Vouched(ctx, rows, batch, ids)
}

// agrees is Conflict unless a payout pays what its withdrawal asks for.
func agrees(p Payout, w withdrawal.Withdrawal) error {
	if p.Amount != w.Net || !strings.EqualFold(p.Address, w.Address) {
		return errs.New(errs.Conflict, "The payout of withdrawal %d is not what the withdrawal asks for.", w.ID)
	}
	return nil
}
