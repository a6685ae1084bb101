package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/bifolia/bifolia/internal/tools/pgserver"
)

// The raw measure: PostgreSQL's rate for a minimal transfer (two updates and an insert), with
// pgbench, in the same minute.

const rawSchema = `DROP TABLE IF EXISTS raw_account, raw_entry;
CREATE TABLE raw_account (id BIGINT PRIMARY KEY, posted BIGINT NOT NULL);
INSERT INTO raw_account SELECT i, 0 FROM generate_series(1, 10000) i;
CREATE TABLE raw_entry (sender BIGINT NOT NULL, receiver BIGINT NOT NULL, delta BIGINT NOT NULL, at TIMESTAMPTZ NOT NULL DEFAULT now());`

// Rows are locked in a fixed order, so that there are no deadlocks; the hot row comes last, so
// that it is locked for the shortest time.
const rawSpread = `\set a random(1, 10000)
\set b random(1, 10000)
BEGIN;
UPDATE raw_account SET posted = posted - 1 WHERE id = least(:a, :b);
UPDATE raw_account SET posted = posted + 1 WHERE id = greatest(:a, :b);
INSERT INTO raw_entry (sender, receiver, delta) VALUES (:a, :b, 1);
END;
`

const rawHot = `\set a random(2, 10000)
BEGIN;
UPDATE raw_account SET posted = posted - 1 WHERE id = :a;
UPDATE raw_account SET posted = posted + 1 WHERE id = 1;
INSERT INTO raw_entry (sender, receiver, delta) VALUES (:a, 1, 1);
END;
`

type pgbench struct {
	program string
	port    int
	dir     string
}

func newPgbench(ctx context.Context, server *pgserver.Server, dir string) (*pgbench, error) {
	program, err := server.PgBench()
	if err != nil {
		return nil, err
	}
	if err := server.CreateDB(ctx, "raw", ""); err != nil {
		return nil, err
	}
	if _, err := server.Query(ctx, "raw", rawSchema); err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"spread": rawSpread, "hot": rawHot} {
		if err := os.WriteFile(filepath.Join(dir, name+".sql"), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return &pgbench{program, server.Port(), dir}, nil
}

var (
	tpsLine = regexp.MustCompile(`tps = ([0-9.]+)`)
	stalled = regexp.MustCompile(`actually processed: 0\b`)
)

// run returns the raw transactions per second of n clients in a turn. It repeats a turn in
// which the machine stalled.
func (p *pgbench) run(ctx context.Context, n int, hot bool) (sample, error) {
	const tries = 3
	for range tries {
		out, err := p.turn(ctx, n, hot)
		if err != nil {
			return sample{}, fmt.Errorf("pgbench: %w: %s", err, out)
		}
		if stalled.Match(out) {
			continue
		}
		found := tpsLine.FindSubmatch(out)
		if found == nil {
			return sample{}, fmt.Errorf("pgbench said no tps: %s", out)
		}
		perSecond, err := strconv.ParseFloat(string(found[1]), 64)
		return sample{perSecond: perSecond}, err
	}
	return sample{}, fmt.Errorf("pgbench did nothing in %d turns of %s: the machine is too busy, try again later", tries, turn)
}

func (p *pgbench) turn(ctx context.Context, n int, hot bool) ([]byte, error) {
	script := "spread.sql"
	if hot {
		script = "hot.sql"
	}
	return exec.CommandContext(ctx, p.program, "-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-U", "postgres", "-n",
		"-f", filepath.Join(p.dir, script), "-c", strconv.Itoa(n), "-j", strconv.Itoa(min(n, 2)), "-T", strconv.Itoa(int(turn.Seconds())), "raw").CombinedOutput()
}
