package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/tools/pgserver"
)

// environment is the environment of a benchmark: a folder, a PostgreSQL server if needed, the output
// and the missed targets.
type environment struct {
	out, log io.Writer
	dir      string
	server   *pgserver.Server
	missed   []string
}

// open makes a temporary folder, unless keep names one, starts PostgreSQL if it is among the
// engines, and runs work.
func (y *environment) open(ctx context.Context, keep string, engines []string, work func() error) (missed []string, err error) {
	if y.dir = keep; keep == "" {
		if y.dir, err = os.MkdirTemp("", "bifolia-bench-"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(y.dir)) }()
	}
	if slices.Contains(engines, "postgres") {
		opts := pgserver.Options{}
		if keep != "" {
			opts = pgserver.Options{Dir: filepath.Join(keep, "postgres"), Keep: true}
		}
		if y.server, err = pgserver.Start(ctx, opts); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, y.server.Stop()) }()
	}
	err = work()
	return y.missed, err
}

// each is open, with work done on one engine after the other.
func (y *environment) each(ctx context.Context, keep string, engines []string, work func(engine string) error) ([]string, error) {
	return y.open(ctx, keep, engines, func() error {
		for _, engine := range engines {
			if err := work(engine); err != nil {
				return fmt.Errorf("%s: %w", engine, err)
			}
		}
		return nil
	})
}

func (y *environment) say(format string, args ...any) {
	_, _ = fmt.Fprintf(y.log, format+"\n", args...)
}

// line writes one result. missed describes a missed target; "" if all are reached.
func (y *environment) line(v any, missed string) {
	if raw, err := json.Marshal(v); err == nil {
		_, _ = fmt.Fprintf(y.out, "%s\n", raw)
	}
	if missed != "" {
		y.missed = append(y.missed, missed)
	}
}

// vacuum runs VACUUM, so that autovacuum does not run during a measurement.
func (y *environment) vacuum(ctx context.Context, engine, name string) error {
	if engine != "postgres" {
		return nil
	}
	_, err := y.server.Query(ctx, name, "VACUUM ANALYZE")
	return err
}

// plot makes an empty database with a name.
func (y *environment) plot(ctx context.Context, engine, shape, name string) (*installation, error) {
	g := &installation{engine: engine, shape: shape, dir: filepath.Join(y.dir, engine+"_"+name)}
	g.dsn = "sqlite:" + filepath.Join(g.dir, "bifolia.db")
	g.remove = func() { _ = os.RemoveAll(g.dir) }
	if engine == "postgres" {
		if err := y.server.CreateDB(ctx, name, ""); err != nil {
			return nil, err
		}
		g.dsn = y.server.DSN(name)
		g.remove = func() {
			_ = y.server.DropDB(context.WithoutCancel(ctx), name)
			_ = os.RemoveAll(g.dir)
		}
	}
	return g, nil
}

// do runs f as a command.
func do(ctx context.Context, seq *ledger.Sequencer, f func(context.Context, *ledger.Tx) error) error {
	_, err := seq.Do(ctx, ledger.Command{Actor: "bench", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, f(ctx, tx)
	}})
	return err
}
