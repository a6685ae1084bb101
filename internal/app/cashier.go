package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/cashier"
	"github.com/bifolia/bifolia/internal/fund"
	"github.com/bifolia/bifolia/internal/withdrawal"
)

// openCashier puts together how money comes in and goes out.
func (a *App) openCashier(context.Context, *prometheus.Registry) error {
	c := &a.people.calls
	secret, err := a.signer.Derive("one-time codes")
	if err != nil {
		return err
	}
	c.Cashier = cashier.New(cashier.Options{
		Do: a.ledger, Auth: c.Auth, Members: c.Members, Mail: a.people.mail, Closing: a.closing, Settings: c.Settings, Clock: a.clock,
		Funds:       fund.New(fund.Options{Store: a.db.Fund()}),
		Withdrawals: withdrawal.New(withdrawal.Options{Store: a.db.Withdrawal(), Secret: secret}),
	})
	return nil
}
