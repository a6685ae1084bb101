package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
)

// newAnchorer returns the job that anchors the head of the ledger.
func (a *App) newAnchorer(ctx context.Context, ledgerID string) *job.Anchorer {
	lasting := context.WithoutCancel(ctx)
	anchor := job.NewAnchorer(job.AnchorOptions{
		File: a.cfg.AnchorFile, Ledger: ledgerID, State: func() ledger.State { return a.ledger.State() },
		BatchHash: a.db.Ledger().BatchHash, Known: a.db.Anchored, Clock: a.clock, Log: a.log,
		Found: func() {
			if err := a.reconcile.Run(lasting); err != nil {
				a.log.Error("job failed", "job", "reconcile", "err", err)
			}
		},
	})
	a.db.OnCheckpoint(anchor.Hurry)
	return anchor
}

// truncation returns a finding if the database ends before its anchor, else nil. It reads only
// the head of the database: a truncated log may leave tables that contradict each other.
func truncation(ctx context.Context, cfg config.Config, db *store.DB) (*audit.Finding, error) {
	anchors, err := readAnchors(cfg)
	if err != nil {
		return nil, err
	}
	head, err := db.Ledger().Head(ctx)
	if err != nil {
		return nil, err
	}
	if gap, behind := audit.Behind(anchors, head.Batch); behind {
		return gap.Finding(), nil
	}
	return nil, nil
}

// checkNotTruncated returns Refused if the database ends before its anchor. Nothing may be written
// then, not even a hold or a freeze: new batches would reuse the numbers of the missing
// ones, and the missing write-ahead log could no longer be put back.
func checkNotTruncated(cfg config.Config, ends int64) error {
	anchors, err := readAnchors(cfg)
	if err != nil {
		return err
	}
	gap, behind := audit.Behind(anchors, ends)
	if !behind {
		return nil
	}
	missing := "what is missing"
	if path, is := strings.CutPrefix(cfg.DB, "sqlite:"); is {
		missing = "the file " + path + "-wal"
	}
	return errs.New(errs.Refused, "anchor.writes_missing", "Acknowledged writes are missing, so nothing is written: {gap}. Put {file} back, or restore a backup. To go on without them, run 'bifolia verify --new-anchor'.", "gap", gap, "file", missing)
}

// startAnchor starts anchoring, and records in the chain that an anchor exists, so that a
// lost anchor is not silently replaced.
func (a *App) startAnchor(ctx context.Context) error {
	a.anchor.Start()
	known, err := a.db.Anchored(ctx)
	if err != nil || known || !a.ledger.State().Leading || a.anchor.Held() {
		return err
	}
	a.anchor.Write()
	if missing, err := audit.Missing(a.cfg.AnchorFile); err != nil || len(missing) > 0 {
		return err
	}
	id := a.db.AnchorKey()
	_, err = a.ledger.Do(ctx, ledger.Command{Actor: id.Actor, Key: id.Key, Thaw: true, Run: func(context.Context, *ledger.Tx) ([]byte, error) { return nil, nil }})
	return err
}

// anchorProblem returns why nothing is anchored; "" if it is.
func (a *App) anchorProblem() string {
	s := a.anchor.State()
	switch {
	case s.Finding != nil:
		return "The ledger is not what was anchored: " + s.Finding.Error() + "."
	case len(s.Missing) > 0:
		return "The anchor is missing: " + strings.Join(s.Missing, ", ") + ". Put it back. If it is lost, stop the server and run 'bifolia verify --new-anchor'."
	}
	return ""
}

// missingAnchor returns the missing files of an anchor that exists according to the chain.
func missingAnchor(ctx context.Context, cfg config.Config, db *store.DB) ([]string, error) {
	missing, err := audit.Missing(cfg.AnchorFile)
	if err != nil || len(missing) == 0 {
		return nil, err
	}
	if known, err := db.Anchored(ctx); err != nil || !known {
		return nil, err
	}
	return missing, nil
}

// newAnchor moves existing anchor files away and anchors the verified head. No server may
// write meanwhile.
func newAnchor(ctx context.Context, cfg config.Config, db *store.DB) (string, error) {
	_, release, err := db.Ledger().Lead(ctx)
	if err != nil {
		return "", errs.New(errs.Unavailable, "anchor.database_in_use", "A Bifolia process writes to this database: stop it first, to make a new anchor.")
	}
	defer release()
	head, err := db.Ledger().Head(ctx)
	if err != nil {
		return "", err
	}
	// The old anchor may have known more than the database, so payouts are held until
	// operators have checked.
	if err := db.NoteRestore(ctx, payout.NewNote(time.UnixMicro(head.Recorded), head.Batch, clock.System().Now())); err != nil {
		return "", err
	}
	ending := ".replaced-" + clock.System().Now().UTC().Format("20060102T150405.000000Z")
	for _, name := range []string{cfg.AnchorFile, audit.LastFile(cfg.AnchorFile)} {
		if err := os.Rename(name, name+ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", errs.New(errs.Refused, "anchor.not_put_aside", "The old anchor {file} cannot be put aside: {reason}.", "file", name, "reason", reason(err))
		}
	}
	id, err := db.Identity(ctx)
	if err == nil {
		err = job.AppendLine(cfg.AnchorFile, audit.OwnerLine(id.Ledger))
	}
	if err != nil {
		return "", errs.New(errs.Refused, "anchor.not_written", "The anchor file {file} cannot be written: {reason}.", "file", cfg.AnchorFile, "reason", reason(err))
	}
	now := audit.Anchor{Batch: head.Batch, Seq: head.Seq, Hash: head.Hash, At: clock.System().Now()}
	line, err := now.Line()
	if err == nil {
		err = job.AppendLine(cfg.AnchorFile, line)
	}
	if err == nil {
		now.Ledger = id.Ledger
		err = audit.WriteLast(cfg.AnchorFile, 0, now)
	}
	return cfg.AnchorFile, err
}
