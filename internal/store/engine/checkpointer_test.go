package engine

import (
	"context"
	"path/filepath"
	"testing"
)

// A backup, an export or verify reads one snapshot for minutes. To restart
// the log a checkpoint blocks writers and waits for such readers.
func TestACheckpointGivesWayToALongReaderInsteadOfHoldingWritersUp(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, err := Open(ctx, "sqlite:"+filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	var patience int
	if err := db.Checkpointer.db.QueryRowContext(ctx, "PRAGMA busy_timeout").Scan(&patience); err != nil || patience > 100 {
		t.Errorf("checkpoints wait %d ms, %v", patience, err)
	}
	if err := db.Write.QueryRowContext(ctx, "PRAGMA busy_timeout").Scan(&patience); err != nil || patience < 5000 {
		t.Errorf("writers wait %d ms, %v", patience, err)
	}
	reader, err := db.read.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Rollback() }()
	if _, err := standing(ctx, reader); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Write.ExecContext(ctx, "UPDATE head SET holder = 'x' WHERE id = 1"); err != nil {
		t.Fatal(err)
	}
	if frames, busy := db.Checkpointer.Checkpoint("RESTART"); !busy || frames == 0 {
		t.Errorf("with a reader of an older moment: %d frames, busy %v", frames, busy)
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, busy := db.Checkpointer.Checkpoint("RESTART"); busy {
		t.Error("without one it is busy still")
	}
}
