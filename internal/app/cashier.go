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

// openCashier builds the services for deposits and withdrawals.
func (a *App) openCashier(ctx context.Context, _ *prometheus.Registry) error {
	c := &a.services
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
			a.log.Info("deposit addresses start a branch", "key", root, "branch", branch)
			return job.AppendLine(branchFile(a.cfg), branchLine(root, branch))
		},
	})
	if err := a.requireAllKeys(ctx); err != nil {
		return err
	}
	c.Cashier = cashier.New(cashier.Options{
		Second: a.second, Verify: a.verifyPayment, Others: a.otherConfirmers, Demo: a.cfg.Demo,
		Deposits: a.deposits, Receiver: a.watchedAddress, Ours: a.isCompanyAddress, PaysFrom: a.isPayingAddress, Minimum: a.cfg.DepositMinimum, Log: a.log,
		Do: a.ledger, Auth: c.Auth, Members: c.Members, Mail: a.services.Mail, Plans: a.closing, AuditLog: c.AuditLog, Settings: c.Settings, Clock: a.clock,
		Open:        func(ctx context.Context, tx *ledger.Tx, id int64) error { return c.Payout.Open(ctx, tx, id) },
		Funds:       a.funds,
		Withdrawals: withdrawal.New(withdrawal.Options{Store: a.db.Withdrawal(), Secret: secret}),
	})
	return nil
}

// requireAllKeys refuses to serve while members could pay to addresses that are not watched.
func (a *App) requireAllKeys(ctx context.Context) error {
	if a.desk {
		return nil
	}
	roots, err := a.deposits.Unwatched(ctx)
	if err == nil && len(roots) > 0 {
		err = errs.New(errs.Refused, "deposit.xpub_missing", "Members have deposit addresses of an extended public key that is not configured ({keys}): add it to deposit_xpub, after the one for new addresses.", "keys", strings.Join(roots, ", "))
	}
	return err
}

// watchedAddress is the company's address that is watched for payments; "" without a chain or an
// address.
func (a *App) watchedAddress() string {
	if len(a.cfg.ChainURLs) == 0 {
		return ""
	}
	if r := a.receiver(); r != "" {
		return r
	}
	return a.services.Settings.Current().USDT
}

// isCompanyAddress tells whether an address is or ever was the company's: money from it is not a
// deposit, and it is not a member's wallet.
func (a *App) isCompanyAddress(ctx context.Context, address string) (bool, error) {
	now := append(a.services.Settings.Addresses(), a.cfg.ChainReceiver, a.cfg.ChainToken, a.hotAddress)
	former, err := a.services.Settings.EverAddresses(ctx)
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

// isPayingAddress tells whether the company pays from an address: its receiver or USDT address,
// any past hot wallet, a deposit address. An address that one operator has merely proposed
// does not count, because a payment from it proves nothing.
func (a *App) isPayingAddress(ctx context.Context, address string) (bool, error) {
	for _, own := range []string{a.cfg.ChainReceiver, a.hotAddress, a.services.Settings.Current().USDT} {
		if own != "" && strings.EqualFold(address, own) {
			return true, nil
		}
	}
	return a.deposits.Ours(ctx, address)
}
