package payout

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Run does one round: it checks the payments on their way, broadcasts missing ones again,
// and signs and sends new ones. It may be interrupted at any point; the next round
// continues from the stored state. Only one process may run it at a time. Another one
// could sign, but not store, and nothing is broadcast before it is stored.
func (s *Service) Run(ctx context.Context) error {
	if s.opt.Chain == nil {
		return nil
	}
	s.round.Lock()
	defer s.round.Unlock()
	if held, err := s.holding(ctx); held || err != nil {
		return err
	}
	onWay := 0
	for _, state := range []State{Signed, Sent} {
		all, err := s.opt.Store.Open(ctx, state, maxPayouts)
		if err != nil {
			return err
		}
		for _, p := range all {
			over, err := s.follow(ctx, p)
			if errors.As(err, new(*ledger.TamperedError)) {
				return s.setBlocked(errs.WithKind(errs.Refused, err))
			}
			if err != nil {
				return err
			}
			if !over && p.Way == Hot {
				onWay++
			}
		}
	}
	failed, err := s.opt.Store.Open(ctx, Failed, maxPayouts)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.failed = len(failed)
	s.mu.Unlock()
	if s.opt.Chain.Sender() == "" {
		return nil
	}
	waiting, err := s.opt.Store.Open(ctx, Waiting, maxPayouts)
	if err != nil {
		return err
	}
	return s.payAll(ctx, waiting, onWay)
}

// payAll signs and sends as many payouts as may be on their way at once. Payouts refused
// before come last, and only some of them are tried in a round.
func (s *Service) payAll(ctx context.Context, waiting []Payout, onWay int) error {
	waiting = slices.DeleteFunc(waiting, func(p Payout) bool { return p.Way != Hot })
	slices.SortStableFunc(waiting, func(a, b Payout) int { return cmp.Compare(min(len(a.Note), 1), min(len(b.Note), 1)) })
	if len(waiting) == 0 {
		s.setTrouble(errs.Text{})
	}
	refused := 0
	for _, p := range waiting {
		if onWay >= inFlight || refused >= mostRefused {
			return nil
		}
		signed, stop, err := s.pay(ctx, p)
		if err != nil || stop {
			return err
		}
		if signed {
			onWay++
		} else {
			refused++
		}
	}
	return nil
}

// command runs one step of a round as a command.
func (s *Service) command(ctx context.Context, run work) error {
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: "payout", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}})
	return err
}

// pay signs one payout, stores the payment and broadcasts it. stop ends the round,
// because the next payout would fail likewise.
func (s *Service) pay(ctx context.Context, p Payout) (signed, stop bool, err error) {
	nonce, err := s.nextNonce(ctx)
	if err != nil {
		return false, true, s.setBlocked(err)
	}
	signature, err := s.opt.Chain.Sign(ctx, evm.Order{To: p.Address, Amount: p.Amount, Nonce: nonce})
	switch {
	case errs.Is(err, errs.Refused), errs.Is(err, errs.Invalid):
		s.setTrouble(errs.Text{})
		return false, false, s.note(ctx, p, errs.MessageOf(err))
	case err != nil:
		return false, true, s.setBlocked(err)
	}
	t := Transaction{Hash: signature.Hash, Batch: p.Batch, Withdrawal: p.Withdrawal, N: 1, Chain: s.opt.Chain.ChainID(), Sender: s.opt.Chain.Sender(), Nonce: nonce, Raw: signature.Raw, By: "server"}
	err = s.command(ctx, func(ctx context.Context, tx *ledger.Tx) error { return s.store(ctx, tx, t, p) })
	switch {
	case errors.Is(err, errCap):
		s.setTrouble(errs.TextOf(err))
		return false, true, s.note(ctx, p, errs.MessageOf(err))
	case errors.As(err, new(*ledger.TamperedError)):
		return false, true, s.setBlocked(errs.WithKind(errs.Refused, err))
	case errs.Is(err, errs.Refused), errs.Is(err, errs.Conflict): // nothing was stored, so nothing is broadcast
		return false, false, s.note(ctx, p, errs.MessageOf(err))
	case err != nil:
		return false, true, err
	}
	s.setTrouble(errs.Text{})
	kept, err := s.payout(ctx, nil, p.Batch, p.Withdrawal)
	if err != nil {
		return true, true, err
	}
	return true, false, s.send(ctx, kept)
}

// setBlocked stores why nothing is paid if the cause is outside of the program, and
// returns other errors.
func (s *Service) setBlocked(err error) error {
	if errs.Is(err, errs.Unavailable) || errs.Is(err, errs.Refused) {
		s.setTrouble(errs.TextOf(err))
		return nil
	}
	return err
}

// nextNonce returns the next nonce. Refused if the wallet's use on the chain does not
// match the database; Unavailable if the chain does not answer.
func (s *Service) nextNonce(ctx context.Context) (int64, error) {
	sender := s.opt.Chain.Sender()
	w, found, err := s.opt.Store.Wallet(ctx, nil, sender)
	if err != nil {
		return 0, err
	}
	used, err := s.opt.Chain.Used(ctx, sender)
	switch {
	case err != nil:
		return 0, err
	case found && w.Chain != s.opt.Chain.ChainID():
		return 0, errs.New(errs.Refused, "payout.wallet_of_other_chain", "The hot wallet {wallet} was used on chain {used}, not on {chain}. Use another key.", "wallet", sender, "used", w.Chain, "chain", s.opt.Chain.ChainID())
	case used.Pending > w.Next: // a pending one counts as mined
		detail := errs.Say("payout.hold_unknown_transactions", "The hot wallet {wallet} has sent {sent} transactions, of which this database knows {known}: somebody else uses its key, or the database is an older copy.",
			"wallet", sender, "sent", used.Pending, "known", w.Next)
		if err := s.holdForChain(ctx, w, detail); err != nil {
			return 0, err
		}
		return 0, errHeld
	}
	return w.Next, nil
}

var errCap = errs.New(errs.Refused, "payout.daily_cap", "The cap of what the hot wallet pays in 24 hours is reached: the rest waits.")

// store writes a signed transaction in one command with all its consequences. signed is
// the payout that the transaction was made for: the stored payout must still pay the same
// amount to the same address and match the signed chain.
func (s *Service) store(ctx context.Context, tx *ledger.Tx, t Transaction, signed Payout) error {
	if err := tx.Frozen(); err != nil {
		return err
	}
	if err := s.Open(ctx, tx, t.Withdrawal); err != nil {
		return err
	}
	p, err := s.payout(ctx, tx, t.Batch, t.Withdrawal)
	if err != nil {
		return err
	}
	if _, err := s.batch(ctx, tx, t.Batch, BatchApproved); err != nil {
		return err
	}
	if p.State != Waiting || p.Way != Hot {
		return wrongState(p)
	}
	if err := s.opt.Store.Verify(ctx, tx, t.Batch, []int64{t.Withdrawal}); err != nil {
		return err
	}
	if err := s.owed(ctx, tx, p); err != nil {
		return err
	}
	if p.Address != signed.Address || p.Amount != signed.Amount {
		return errs.New(errs.Conflict, "payout.differs_from_signed", "The payout of withdrawal {withdrawal} is not what was signed.", "withdrawal", t.Withdrawal)
	}
	if err := s.mayLeave(ctx, tx, p); err != nil {
		return err
	}
	w, _, err := s.opt.Store.Wallet(ctx, tx, t.Sender)
	if err != nil {
		return err
	}
	if w.Next != t.Nonce {
		return errs.New(errs.Conflict, "payout.nonce_differs", "The hot wallet's next nonce is {next}, not {nonce}.", "next", w.Next, "nonce", t.Nonce)
	}
	t.At = tx.Now()
	if err := s.opt.Store.PutWallet(ctx, tx, Wallet{Sender: t.Sender, Chain: t.Chain, Next: t.Nonce + 1, By: t.By, At: t.At}); err != nil {
		return err
	}
	if err := s.opt.Store.AddTransaction(ctx, tx, t); err != nil {
		return err
	}
	p.State, p.Sender, p.Nonce, p.Hash, p.SignedAt, p.Note = Signed, t.Sender, t.Nonce, t.Hash, t.At, ""
	if err := s.opt.Store.SavePayout(ctx, tx, p, Waiting); err != nil {
		return err
	}
	return s.opt.Cashier.SentIn(ctx, tx, server, t.Withdrawal, t.Hash)
}

// mayLeave returns Refused for a payout that may not leave, or exceeds the daily cap.
func (s *Service) mayLeave(ctx context.Context, tx *ledger.Tx, p Payout) error {
	w, err := s.opt.Withdrawals.Get(ctx, tx, p.Withdrawal)
	if err != nil {
		return err
	}
	if err := agrees(p, w); err != nil {
		return err
	}
	if err := s.opt.Cashier.MayLeave(ctx, tx, w); err != nil {
		return err
	}
	before, err := s.opt.Store.SignedSince(ctx, tx, tx.Now().Add(-capWindow))
	if err != nil {
		return err
	}
	sum, err := before.Add(p.Amount)
	if err != nil {
		return err
	}
	if s.opt.DailyCap.Less(sum) {
		return errCap
	}
	return nil
}

// send broadcasts the newest stored transaction and notes that the nodes have it.
func (s *Service) send(ctx context.Context, p Payout) error {
	all, err := s.opt.Store.Transactions(ctx, nil, p.Batch, p.Withdrawal)
	all = slices.DeleteFunc(all, func(t Transaction) bool { return len(t.Raw) == 0 })
	if err != nil || len(all) == 0 {
		return err
	}
	err = s.opt.Chain.Broadcast(ctx, all[0].Raw)
	if err != nil {
		return s.note(ctx, p, errs.MessageOf(err))
	}
	if p.State != Signed {
		return nil
	}
	return s.command(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		now, err := s.payout(ctx, tx, p.Batch, p.Withdrawal)
		if err != nil || now.State != Signed {
			return err
		}
		now.State, now.SentAt, now.Note = Sent, tx.Now(), ""
		return s.opt.Store.SavePayout(ctx, tx, now, Signed)
	})
}

// note writes why a payout waits, if that has changed.
func (s *Service) note(ctx context.Context, p Payout, text string) error {
	if r := []rune(text); len(r) > maxNote {
		text = string(r[:maxNote])
	}
	if p.Note == text {
		return nil
	}
	err := s.command(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		now, err := s.payout(ctx, tx, p.Batch, p.Withdrawal)
		if err != nil || now.State != p.State {
			return err
		}
		now.Note = text
		return s.opt.Store.SavePayout(ctx, tx, now, now.State)
	})
	if errors.As(err, new(*ledger.TamperedError)) {
		return s.setBlocked(errs.WithKind(errs.Refused, err))
	}
	return err
}
