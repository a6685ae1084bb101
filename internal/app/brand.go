package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/brand"
	"github.com/bifolia/bifolia/internal/newsletter"
)

// openBrand reads the brand, follows its file, and opens what visitors find
// beside it.
func (a *App) openBrand(context.Context, *prometheus.Registry) error {
	source, err := brand.Open(a.cfg.BrandFile, a.log)
	if err != nil {
		return err
	}
	secret, err := a.signer.Derive("newsletter")
	if err != nil {
		return err
	}
	c := &a.people.calls
	c.Brand = source
	c.News = newsletter.New(newsletter.Options{
		Do: a.ledger, Store: a.db.Newsletter(), Mail: a.people.mail, Clock: a.clock, Secret: secret, PublicURL: a.publicURL(),
	})
	a.background("brand", source.Follow)
	return nil
}
