package app

import (
	"github.com/bifolia/bifolia/internal/insight/figures"
	"github.com/bifolia/bifolia/internal/insight/transparency"
)

// figures returns the service for operators' reports. The public report is opened later.
func (a *App) figures() *figures.Service {
	c := &a.services
	return figures.New(figures.Options{
		Store: a.db.Figures(), Tree: c.Tree, Plan: c.Report.Plan, Public: func() *transparency.Report { return c.Transparency.Current() }, Clock: a.clock,
	})
}
