package audit_test

import (
	"context"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A verification sees one moment, whatever is written meanwhile.
func TestAuditSeesOneMoment(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := story()
		l := openLedger(t, dsn, false, m.sealed[6])
		ctx := context.Background()
		err := l.db.Audit(ctx, func(r audit.Reader) error {
			before, _, err := r.Head(ctx)
			if err != nil {
				return err
			}
			l.write(t, m)
			after, _, err := r.Head(ctx)
			if err != nil {
				return err
			}
			if before.Batch != 7 || after.Batch != 7 {
				t.Errorf("the head moved from %d to %d", before.Batch, after.Batch)
			}
			s, err := audit.Verify(ctx, r, audit.Options{PublicKeys: trusted(m.key)})
			if s.Batches != 7 {
				t.Errorf("verified %d batches", s.Batches)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if s, err := l.verify(audit.Options{PublicKeys: trusted(m.key)}); err != nil || s.Batches != 10 {
			t.Errorf("%d batches, %v", s.Batches, err)
		}
	})
}

func TestVerifyStopsWhenAsked(t *testing.T) {
	m := story()
	l := openLedger(t, testkit.EmptySQLite(t), false, m)
	ctx, cancel := context.WithCancel(context.Background())
	err := l.db.Audit(context.Background(), func(r audit.Reader) error {
		_, err := audit.Verify(ctx, r, audit.Options{PublicKeys: trusted(m.key), Progress: func(int64, int64) { cancel() }})
		return err
	})
	if err == nil || ctx.Err() == nil {
		t.Errorf("went on: %v", err)
	}
}
