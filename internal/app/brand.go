package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/brand"
)

// openBrand reads the brand and follows its file.
func (a *App) openBrand(context.Context, *prometheus.Registry) error {
	source, err := brand.Open(a.cfg.BrandFile, a.log)
	if err != nil {
		return err
	}
	a.people.calls.Brand = source
	a.background("brand", source.Follow)
	return nil
}
