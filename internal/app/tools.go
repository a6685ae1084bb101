package app

import (
	"context"
	"errors"
	"io/fs"

	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/config"
	"github.com/bifolia/bifolia/internal/enrol"
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/ledger/audit"
	"github.com/bifolia/bifolia/internal/operate"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/trail"
	"github.com/bifolia/bifolia/internal/tree"
)

// What the command line does on a database without serving it.

// Migrate brings the configured database to this program's schema. It tells
// how many steps that took and which schema it has now.
func Migrate(ctx context.Context, cfg config.Config) (steps int, schema int64, err error) {
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return 0, 0, sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if steps, err = db.Migrate(ctx); err != nil {
		return steps, 0, sentence(err)
	}
	schema, _, err = db.Schema(ctx)
	return steps, schema, err
}

// Verified is what Verify found in order.
type Verified struct {
	Ledger audit.Summary `json:"ledger"`
	Tree   tree.Summary  `json:"tree"`
	Trail  trail.Summary `json:"trail"`
	Frozen string        `json:"frozen"` // why money still stands still
}

// Verify replays the whole ledger of the configured database, recounts the tree,
// the members and the operators' record, adds the sums of incomes and of days up
// again, and holds sales, positions, claims, incomes, bookings and corrections against
// the ledger.
// The error is the Finding of one of them if a row is wrong.
// With thaw, a ledger that passes is unfrozen.
func Verify(ctx context.Context, cfg config.Config, thaw bool, progress func(done, total int64)) (v Verified, err error) {
	if err := thereIs(cfg); err != nil {
		return v, err
	}
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return v, sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.CheckSchema(ctx); err != nil {
		return v, sentence(err)
	}
	opts, err := auditOptions(cfg)
	if err != nil {
		return v, err
	}
	opts.Progress = progress
	err = db.Audit(ctx, func(r audit.Reader) (err error) {
		v.Ledger, err = audit.Verify(ctx, r, opts)
		return err
	})
	if err == nil {
		v.Tree, err = tree.Check(ctx, db.Tree())
	}
	if err == nil {
		err = enrol.Check(ctx, db.Enrol())
	}
	if err == nil {
		v.Trail, err = trail.Check(ctx, db.Trail())
	}
	if err == nil {
		err = closing.CheckSums(ctx, db.Sums())
	}
	if err == nil {
		err = closing.CheckDays(ctx, db.Days())
	}
	if err == nil {
		err = closing.CheckBooks(ctx, db.Books())
	}
	if err == nil {
		err = operate.CheckCorrections(ctx, db.CorrectionBooks())
	}
	if err == nil {
		err = db.CheckLists(ctx)
	}
	if err == nil {
		err = db.CheckWords(ctx)
	}
	if err == nil && thaw {
		err = db.Thaw(ctx)
	}
	if err != nil {
		return v, err
	}
	head, err := db.Ledger().Head(ctx)
	v.Frozen = head.Frozen
	return v, err
}

// auditOptions are the public keys and the anchors that a ledger is checked
// against.
func auditOptions(cfg config.Config) (opts audit.Options, err error) {
	opts.PublicKeys, err = ledger.ReadPublicKeys(ledger.PublicKeyFile(cfg.KeyFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return opts, errs.New(errs.Refused, "The list of the ledger's public keys cannot be read: %v.", err)
	}
	if opts.Anchors, err = audit.ReadAnchors(cfg.AnchorFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return opts, errs.New(errs.Refused, "The anchor file cannot be used: %v.", err)
	}
	return opts, nil
}
