package cashier

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// heldMoney is money that must stay in a member's accounts for now.
type heldMoney struct {
	keep  map[ledger.Account]money.Amount
	sum   money.Amount
	until time.Time
}

// held returns the part of a wallet that cannot be withdrawn yet, because it came from a
// member whose money is held. Incomes are never held.
func (s *Service) held(ctx context.Context, tx *ledger.Tx, uid int64, wallet string) (h heldMoney, err error) {
	if wallet != withdrawal.FundBalance {
		return h, nil
	}
	h.keep = map[ledger.Account]money.Amount{}
	for _, k := range []fund.Kind{fund.Robot, fund.Forex, fund.Crypto} {
		_, of, err := s.opt.Funds.Free(ctx, tx, uid, k)
		if err != nil {
			return h, err
		}
		account, err := k.Account(uid)
		if err != nil {
			return h, err
		}
		h.keep[account] = of.Amount
		if h.sum, err = h.sum.Add(of.Amount); err != nil {
			return h, err
		}
		if of.Until.After(h.until) {
			h.until = of.Until
		}
	}
	return h, nil
}

// explain extends a refusal by the amount that is held.
func (h heldMoney) explain(err error) error {
	if h.sum.IsZero() || !errs.Is(err, errs.Refused) {
		return err
	}
	return errs.New(errs.Refused, "fund.insufficient_with_held", "{reason} {amount} USDT of your funds cannot leave before {until}, because it came from a member whose account was changed shortly after.", "reason", errs.TextOf(err), "amount", h.sum.Short(), "until", h.until.UTC().Format("2 January 2006 at 15:04 UTC"))
}

// covered returns Refused if the accounts of a withdrawal have less than their held
// amount beside it, because the payment would include held money.
func (s *Service) covered(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal) error {
	h, err := s.held(ctx, tx, w.UID, w.Wallet)
	if err != nil || h.sum.IsZero() {
		return err
	}
	for _, p := range w.Parts {
		b, err := tx.Balance(p.Account)
		if err != nil {
			return err
		}
		if b.Available.Less(h.keep[p.Account]) {
			return errs.New(errs.Refused, "withdrawal.money_held", "Withdrawal {id} cannot be paid before {until}, because its money came from a member whose account was changed shortly after.", "id", w.ID, "until", h.until.UTC().Format("2006-01-02 15:04 UTC"))
		}
	}
	return nil
}
