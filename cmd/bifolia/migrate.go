package main

import (
	"context"
	"fmt"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/platform/config"
)

var migrateCommand = command{
	name:    "migrate",
	summary: "bring the database to this program's schema",
	run:     migrate,
}

func migrate(ctx context.Context, e env) int {
	cfg, rest, err := config.Load("migrate", e.args, e.environ, nil)
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("migrate takes flags only; \"bifolia help migrate\" lists them.")
	}
	steps, schema, err := app.Migrate(ctx, cfg)
	if err != nil {
		return e.fail(err)
	}
	_, _ = fmt.Fprintf(e.stdout, "The database has schema %d; %d migrations were applied.\n", schema, steps)
	return exitOK
}
