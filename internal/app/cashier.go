package app

import (
	"context"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/xpub"
)

// openCashier puts together how money comes in and goes out.
func (a *App) openCashier(ctx context.Context, _ *prometheus.Registry) error {
	c := &a.people.calls
	secret, err := a.signer.Derive("one-time codes")
	if err != nil {
		return err
	}
	keys := make([]*xpub.Key, len(a.cfg.DepositXpub))
	for i, text := range a.cfg.DepositXpub {
		if keys[i], err = xpub.Parse(text); err != nil {
			return err
		}
	}
	if len(keys) > 0 {
		first, err := keys[0].Address(0, 0)
		if err != nil {
			return err
		}
		a.log.Info("members get deposit addresses", "key", keys[0].ID(), "path", keys[0].Path(0, 0), "address", first)
	}
	begun, err := readBranches(branchFile(a.cfg))
	if err != nil {
		return err
	}
	a.deposits = deposit.New(deposit.Options{
		Store: a.db.Deposit(), Keys: keys, Wait: a.cfg.DepositIntentTime, Begun: begun,
		Begin: func(root string, branch int64) error {
			a.log.Info("deposit addresses begin a branch", "key", root, "branch", branch)
			return job.AppendLine(branchFile(a.cfg), branchLine(root, branch))
		},
	})
	if err := a.keysOfAll(ctx); err != nil {
		return err
	}
	c.Cashier = cashier.New(cashier.Options{
		Second: a.second, Verify: a.verifyPayment, Others: a.otherConfirmers, Demo: a.cfg.Demo,
		Deposits: a.deposits, Receiver: a.watched, Ours: a.ours, PaysFrom: a.paysFrom, Minimum: a.cfg.DepositMinimum, Log: a.log,
		Do: a.ledger, Auth: c.Auth, Members: c.Members, Mail: a.people.mail, Plans: a.closing, AuditLog: c.AuditLog, Settings: c.Settings, Clock: a.clock,
		Open:        func(ctx context.Context, tx *ledger.Tx, id int64) error { return c.Payout.Open(ctx, tx, id) },
		Funds:       a.funds,
		Withdrawals: withdrawal.New(withdrawal.Options{Store: a.db.Withdrawal(), Secret: secret}),
	})
	return nil
}

// keysOfAll refuses to serve while members may pay to addresses that nobody watches.
func (a *App) keysOfAll(ctx context.Context) error {
	if a.desk {
		return nil
	}
	roots, err := a.deposits.Unwatched(ctx)
	if err == nil && len(roots) > 0 {
		err = errs.New(errs.Refused, "deposit.xpub_missing", "Members have deposit addresses of an extended public key that is not configured ({keys}): add it to deposit_xpub, after the one for new addresses.", "keys", strings.Join(roots, ", "))
	}
	return err
}

// watched is the company's address that payments are looked for at; "" where no chain
// is configured, or there is no address.
func (a *App) watched() string {
	if len(a.cfg.ChainURLs) == 0 {
		return ""
	}
	if r := a.receiver(); r != "" {
		return r
	}
	return a.people.calls.Settings.Current().USDT
}

// ours tells whether an address is, or ever was, the company's: that money comes from
// it is no deposit, and it is no member's wallet.
func (a *App) ours(ctx context.Context, address string) (bool, error) {
	now := append(a.people.calls.Settings.Addresses(), a.cfg.ChainReceiver, a.cfg.ChainToken, a.hotAddress)
	former, err := a.people.calls.Settings.EverAddresses(ctx)
	if err != nil {
		return false, err
	}
	for _, other := range append(now, former...) {
		if strings.EqualFold(address, other) {
			return true, nil
		}
	}
	return a.deposits.Ours(ctx, address)
}

// paysFrom tells whether the company pays from an address: its receiver or USDT
// address, a hot wallet of any time, a deposit address. An address that one operator
// has merely proposed is none: a payment out of it proves nothing.
func (a *App) paysFrom(ctx context.Context, address string) (bool, error) {
	for _, own := range []string{a.cfg.ChainReceiver, a.hotAddress, a.people.calls.Settings.Current().USDT} {
		if own != "" && strings.EqualFold(address, own) {
			return true, nil
		}
	}
	return a.deposits.Ours(ctx, address)
}
