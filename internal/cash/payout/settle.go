package payout

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// searchMargin extends the search on the chain before the hold's time, because clocks
// differ.
const searchMargin = time.Hour

// Settle starts to use up the nonces that lost payments may have, and then to read the
// chain. It pays nobody, so one operator is enough. Conflict if payouts are not held or
// settling has begun; Unavailable if the chain does not answer.
func (s *Service) Settle(ctx context.Context, by actor.By, key, why string) error {
	why, err := parseReason(why)
	if err != nil {
		return err
	}
	body := map[string]any{"what": "payout hold settle", "why": why}
	if done, err := s.asked(ctx, by, key, body); err != nil || done {
		return err
	}
	sender, until := "", int64(0)
	if s.opt.Chain != nil && s.opt.Chain.Sender() != "" {
		sender = s.opt.Chain.Sender()
		used, err := s.opt.Chain.Used(ctx, sender)
		if err != nil {
			return err
		}
		until = used.Pending
	}
	return s.do(ctx, by, key, body, nil, func(ctx context.Context, tx *ledger.Tx) error {
		h, _, err := s.working(ctx, tx)
		switch {
		case err != nil:
			return err
		case h.ID == 0:
			return errs.New(errs.Conflict, "payout.not_held", "Payouts are not held.")
		case h.State != Held:
			return errs.New(errs.Conflict, "payout.hold_state", "The hold is {state} already.", "state", h.State)
		}
		h.State, h.Begun, h.Reason, h.Sender = Settling, Mark{by, tx.Now()}, why, sender
		if sender != "" {
			w, _, err := s.opt.Store.Wallet(ctx, tx, sender)
			if err != nil {
				return err
			}
			// No more payments of a wallet are on their way at a time.
			h.Until = max(until, w.Next) + inFlight
		}
		if s.opt.Chain == nil { // no chain to read
			h.State = Settled
		}
		if err := s.opt.Store.SaveHold(ctx, tx, h, Held); err != nil {
			return err
		}
		return s.record(ctx, tx, by, "settle", "hold "+text(h.ID), money.Amount{}, why)
	})
}

// holding runs a round while payouts are held; false if they are not.
func (s *Service) holding(ctx context.Context) (bool, error) {
	if err := s.unheld(ctx, nil); err == nil || !errs.Is(err, errs.Refused) {
		return false, err
	}
	s.setTrouble(errHeld.Text)
	h, _, err := s.working(ctx, nil)
	if err != nil || h.State != Settling {
		return true, err
	}
	err = s.settling(ctx, h)
	if err != nil && (errs.Is(err, errs.Unavailable) || errs.Is(err, errs.Refused)) {
		s.setTrouble(errs.Say("payout.held_and_stuck", "{held} {why}", "held", errHeld.Text, "why", errs.TextOf(err)))
		err = nil
	}
	return true, err
}

// settling uses up the remaining nonces and, once all are used for good, reads the chain.
func (s *Service) settling(ctx context.Context, h Hold) error {
	if sender := s.opt.Chain.Sender(); sender != h.Sender {
		return errs.New(errs.Refused, "payout.other_wallet", "The hot wallet was {before} when settling began, and is {now} now. Configure the former key again.", "before", h.Sender, "now", sender)
	}
	if h.Sender != "" {
		used, err := s.opt.Chain.Used(ctx, h.Sender)
		if err != nil {
			return err
		}
		if used.ForGood < h.Until {
			return s.useUp(ctx, h, used.Latest)
		}
	}
	open, known, err := s.opt.Store.Candidates(ctx)
	if err != nil {
		return err
	}
	search := evm.Search{From: h.Sender, Since: h.Since.Add(-searchMargin)}
	for _, c := range open {
		if !slices.Contains(search.To, c.Address) {
			search.To = append(search.To, c.Address)
		}
	}
	all, err := s.opt.Chain.Transfers(ctx, search)
	if err != nil {
		return err
	}
	return s.command(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return s.settled(ctx, tx, h, unknown(h, all, open, known), open)
	})
}

// useUp broadcasts a transaction for each unused nonce: the payment that the database
// knows, or one that pays nobody.
func (s *Service) useUp(ctx context.Context, h Hold, from int64) error {
	kept := map[int64][]byte{}
	for _, state := range []State{Signed, Sent} {
		all, err := s.opt.Store.Open(ctx, state, maxPayouts)
		if err != nil {
			return err
		}
		for _, p := range all {
			if p.Way != Hot || p.Sender != h.Sender {
				continue
			}
			ts, err := s.opt.Store.Transactions(ctx, nil, p.Batch, p.Withdrawal)
			if err != nil {
				return err
			}
			if len(ts) > 0 {
				kept[p.Nonce] = ts[0].Raw
			}
		}
	}
	for nonce := from; nonce < h.Until; nonce++ {
		raw := kept[nonce]
		if raw == nil {
			signed, err := s.opt.Chain.Void(ctx, nonce)
			if err != nil {
				return err
			}
			raw = signed.Raw
		}
		// A node refuses if it has another transaction with this nonce; either uses the
		// nonce.
		if err := s.opt.Chain.Broadcast(ctx, raw); err != nil && !errs.Is(err, errs.Refused) {
			return err
		}
	}
	return errs.New(errs.Unavailable, "payout.nonces_used_up", "The nonces from {from} to {to} are being used up.", "from", from, "to", h.Until-1)
}

// unknown returns the transfers that the database does not know, matched with the
// withdrawals that they may have paid.
func unknown(h Hold, all []evm.Transfer, open []Candidate, known map[string]int64) (out []Found) {
	paid := map[int64]bool{}
	for _, t := range all {
		paid[known[t.Hash]] = true
	}
	left := slices.DeleteFunc(slices.Clone(open), func(c Candidate) bool { return paid[c.ID] })
	for _, t := range all {
		if _, is := known[t.Hash]; is {
			continue
		}
		out = append(out, Found{Hash: t.Hash, From: t.From, To: t.To, Amount: t.Amount, Block: t.Block, Own: h.Sender != "" && strings.EqualFold(t.From, h.Sender)})
	}
	match(out, left)
	// Payments by others to a member matter only if they match a withdrawal.
	out = slices.DeleteFunc(out, func(f Found) bool { return !f.Own && f.Withdrawal == 0 })
	for i := range out {
		out[i].Hold, out[i].N = h.ID, int64(i)+1
	}
	return out
}

// settled stores the findings.
func (s *Service) settled(ctx context.Context, tx *ledger.Tx, h Hold, found []Found, seen []Candidate) error {
	now, _, err := s.working(ctx, tx)
	if err != nil || now.ID != h.ID || now.State != Settling || now.Until != h.Until {
		return err
	}
	for _, c := range seen {
		w, err := s.opt.Withdrawals.Get(ctx, tx, c.ID)
		if err != nil {
			return err
		}
		if w.State != c.State {
			return errs.New(errs.Unavailable, "payout.withdrawal_changed", "Withdrawal {withdrawal} has changed. It will be checked again.", "withdrawal", c.ID)
		}
	}
	if err := s.opt.Store.AddFound(ctx, tx, found); err != nil {
		return err
	}
	if h.Sender != "" {
		w, _, err := s.opt.Store.Wallet(ctx, tx, h.Sender)
		if err != nil {
			return err
		}
		if err := s.opt.Store.PutWallet(ctx, tx, Wallet{Sender: h.Sender, Chain: s.opt.Chain.ChainID(), Next: max(h.Until, w.Next), By: now.Begun.Name, At: tx.Now()}); err != nil {
			return err
		}
	}
	s.opt.Log.Warn("the hot wallet is settled: two operators adopt the state", "hold", h.ID, "found", len(found))
	now.State, now.Since = Settled, h.Since
	return s.opt.Store.SaveHold(ctx, tx, now, Settling)
}

// Dismiss notes that a foreign transfer did not pay the withdrawal that it matches.
// Conflict for a transfer from the hot wallet, or if the hold is not settled.
func (s *Service) Dismiss(ctx context.Context, by actor.By, key string, hold, n int64, why string) error {
	why, err := parseReason(why)
	if err != nil {
		return err
	}
	body := map[string]any{"what": "payout hold dismiss", "hold": hold, "n": n, "why": why}
	return s.do(ctx, by, key, body, nil, func(ctx context.Context, tx *ledger.Tx) error {
		h, _, err := s.working(ctx, tx)
		if err != nil {
			return err
		}
		if h.ID != hold || h.State != Settled {
			return errs.New(errs.Conflict, "payout.hold_not_settled", "This hold is not settled.")
		}
		all, err := s.opt.Store.Found(ctx, tx, hold)
		if err != nil {
			return err
		}
		for _, f := range all {
			switch {
			case f.N != n:
				continue
			case f.Own:
				return errs.New(errs.Conflict, "payout.transfer_by_hot_wallet", "The hot wallet made this transfer: it has paid withdrawal {withdrawal}.", "withdrawal", f.Withdrawal)
			case !f.Dismissed.At.IsZero():
				return errs.New(errs.Conflict, "payout.transfer_dismissed", "This transfer was dismissed already.")
			}
			f.Dismissed, f.DismissedFor = Mark{by, tx.Now()}, why
			if err := s.opt.Store.SaveFound(ctx, tx, f); err != nil {
				return err
			}
			return s.record(ctx, tx, by, "dismiss", fmt.Sprintf("hold %d, transfer %s", hold, f.Hash), f.Amount, why)
		}
		return errs.New(errs.NotFound, "payout.transfer_not_found", "There is no such transfer.")
	})
}
