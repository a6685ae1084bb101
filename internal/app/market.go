package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/market"
	"github.com/bifolia/bifolia/internal/operate"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/report"
	"github.com/bifolia/bifolia/internal/store"
)

// openMarket puts together what members buy and what closes days.
func (a *App) openMarket(ctx context.Context, _ *prometheus.Registry) error {
	c := &a.people.calls
	a.closing = closing.New(closing.Options{
		Do: a.ledger, Store: a.db.Closing(), Sales: a.db.Sale(), Positions: a.db.Invest(), Tree: c.Tree, Members: c.Members, Clock: a.clock, Log: a.log, Trail: c.Trail, Demo: a.cfg.Demo,
	})
	c.Market = market.New(market.Options{
		Do: a.ledger, Auth: c.Auth, Closing: a.closing, Sales: a.db.Sale(), Positions: a.db.Invest(), Tree: c.Tree, Members: c.Members, Licences: a.licences(),
	})
	c.Closing, c.Demo = a.closing, a.cfg.Demo
	c.Operate = operate.New(operate.Options{Do: a.ledger, Closing: a.closing, Market: c.Market, Members: c.Members, Store: a.db.Operate(), Corrections: a.db.Corrections(), Trail: c.Trail, Demo: a.cfg.Demo, Licences: a.licences()})
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
	// Before anything else is written: what earlier releases did not vouch for.
	for _, key := range store.AdoptKeys() {
		if _, err := a.ledger.Do(ctx, ledger.Command{Actor: key.Actor, Key: key.Key, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
			rows, err := tx.Rows(ctx)
			if err != nil {
				return nil, err
			}
			return nil, a.db.Adopt(ctx, rows, key)
		}}); err != nil {
			return err
		}
	}
	_, err := a.ledger.Do(ctx, ledger.Command{Actor: "plan", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		rows, err := tx.Rows(ctx)
		if err != nil {
			return nil, err
		}
		return nil, a.closing.Begin(ctx, rows, body, tx.Now())
	}})
	return err
}

// licences are the references under which lines are offered.
func (a *App) licences() map[string]string {
	l := map[string]string{"FOREX": a.cfg.ForexLicence, "CRYPTO": a.cfg.CryptoLicence}
	for line, reference := range l {
		if reference == "" && a.cfg.Demo {
			l[line] = "DEMO"
		}
	}
	return l
}
