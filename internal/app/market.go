package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/market"
)

// openMarket builds the services for purchases and closes.
func (a *App) openMarket(ctx context.Context, _ *prometheus.Registry) error {
	c := &a.services
	a.closing = closing.New(closing.Options{
		Second: a.second,
		Do:     a.ledger, Store: a.db.Closing(), Sales: a.db.Sale(), Positions: a.db.Invest(), Tree: c.Tree, Members: c.Members, Clock: a.clock, Log: a.log, AuditLog: c.AuditLog, Demo: a.cfg.Demo,
	})
	c.Market = market.New(market.Options{
		Do: a.ledger, Auth: c.Auth, Closing: a.closing, Sales: a.db.Sale(), Positions: a.db.Invest(), Tree: c.Tree, Members: c.Members, Funds: a.funds, Mail: a.services.Mail, Licences: a.licences(),
	})
	c.Closing = a.closing
	c.Bookings = booking.New(booking.Options{Second: a.second, Do: a.ledger, Closing: a.closing, Market: c.Market, Members: c.Members, Store: a.db.Operate(), Corrections: a.db.Corrections(), AuditLog: c.AuditLog, Demo: a.cfg.Demo, Licences: a.licences()})
	c.Report = report.New(report.Options{
		Store: a.db.Report(), Places: c.Team, Tree: c.Tree, Members: c.Members, Clock: a.clock, Licences: a.licences(),
	})
	c.Figures = a.figures()
	if !a.ledger.State().Leading {
		return nil
	}
	body := a.firstPlan
	if body == nil {
		body = plan.DefaultBody()
	}
	return a.write(ctx, ledger.CommandID{Actor: "plan"}, func(ctx context.Context, tx *ledger.Tx) error {
		return a.closing.Begin(ctx, tx, body, tx.Now())
	})
}

// write runs a command without a result.
func (a *App) write(ctx context.Context, id ledger.CommandID, run func(context.Context, *ledger.Tx) error) error {
	_, err := a.ledger.Do(ctx, ledger.Command{Actor: id.Actor, Key: id.Key, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}})
	return err
}

// licences returns the references under which lines are offered.
func (a *App) licences() map[string]string {
	l := map[string]string{"FOREX": a.cfg.ForexLicence, "CRYPTO": a.cfg.CryptoLicence}
	for line, reference := range l {
		if reference == "" && a.cfg.Demo {
			l[line] = "DEMO"
		}
	}
	return l
}
