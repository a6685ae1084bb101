package app

import (
	"context"
	"errors"
	"io/fs"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Commands on a database without serving it.

// Migrate brings the configured database to this program's schema. It returns the number
// of steps and the schema. It returns NotFound without an installation, so that a mistyped
// database gets no schema, and Refused if the database ends before its anchor.
func Migrate(ctx context.Context, cfg config.Config) (steps int, schema int64, err error) {
	return migrate(ctx, cfg, func(ends int64) error { return checkNotTruncated(cfg, ends) })
}

// migrate is Migrate with a check of the database's end.
func migrate(ctx context.Context, cfg config.Config, whole func(ends int64) error) (steps int, schema int64, err error) {
	if err := checkMissingDatabase(cfg, true); err != nil {
		return 0, 0, err
	}
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return 0, 0, sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	id, err := db.Identity(ctx)
	if err != nil {
		return 0, 0, sentence(errs.Wrap(errs.Unavailable, err, "database.unreadable", "The database cannot be read"))
	}
	if id.Batch == 0 {
		return 0, 0, notBegun(cfg)
	}
	if err := whole(id.Batch); err != nil {
		return 0, 0, err
	}
	if steps, err = db.Migrate(ctx); err != nil {
		return steps, 0, sentence(err)
	}
	schema, _, err = db.Schema(ctx)
	return steps, schema, err
}

// Verified is the result of a successful Verify.
type Verified struct {
	Ledger   audit.Summary    `json:"ledger"`
	Tree     tree.Summary     `json:"tree"`
	AuditLog auditlog.Summary `json:"trail"`
	Frozen   string           `json:"frozen"` // why payments are still frozen
	// NoAnchor lists the missing files of an anchor that exists according to the chain. A
	// copy that is verified elsewhere has none.
	NoAnchor []string `json:"no_anchor,omitempty"`
	// Unsealed means that sealed rows were not checked, because the key is not here.
	Unsealed bool `json:"unsealed,omitempty"`
	// EngineSkipped is why the engine's own check did not run, and how to enable it.
	EngineSkipped string `json:"engine_skipped,omitempty"`
	// Anchored is the file of the new anchor.
	Anchored string `json:"new_anchor,omitempty"`
}

type VerifyOptions struct {
	Thaw bool // unfreeze a ledger that passes
	// NewAnchor ignores an existing anchor. A ledger that passes gets a new one; the old
	// one is kept next to it.
	NewAnchor bool
	Progress  func(done, total int64)
}

// Verify runs the engine's own check, replays the whole ledger of the configured database,
// recounts the tree, the members and the audit log, adds up the sums of incomes and days
// again, and compares sales, positions, claims, incomes, bookings and corrections with the
// ledger. The error is a Finding if a row is wrong. With thaw, a ledger that passes is
// unfrozen.
func Verify(ctx context.Context, cfg config.Config, thaw bool, progress func(done, total int64)) (v Verified, err error) {
	return VerifyWith(ctx, cfg, VerifyOptions{Thaw: thaw, Progress: progress})
}

func VerifyWith(ctx context.Context, cfg config.Config, o VerifyOptions) (v Verified, err error) {
	if err := requireSQLiteFile(cfg); err != nil {
		return v, err
	}
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return v, sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := checkSchema(ctx, db, o.NewAnchor); err != nil {
		return v, sentence(err)
	}
	id, err := db.Identity(ctx)
	if err == nil {
		err = checkFileOwners(cfg, id.Ledger)
	}
	if err != nil {
		return v, err
	}
	opts, err := auditOptions(cfg)
	if err == nil {
		err = checkKeyOwner(cfg.KeyFile, opts.PublicKeys)
	}
	if err == nil {
		err = sealWith(db, cfg.KeyFile)
	}
	if err != nil {
		return v, err
	}
	v.Unsealed = !db.CanUnseal()
	opts.Progress = o.Progress
	if o.NewAnchor {
		opts.Anchors = nil
	} else if v.NoAnchor, err = missingAnchor(ctx, cfg, db); err != nil {
		return v, err
	} else if cut, err := truncation(ctx, cfg, db); err != nil || cut != nil {
		return v, errors.Join(err, asError(cut))
	}
	err = verifyAll(ctx, db, opts, &v)
	if err == nil && o.NewAnchor {
		v.Anchored, err = newAnchor(ctx, cfg, db)
	}
	if err == nil && o.Thaw {
		err = db.Thaw(ctx)
	}
	if err != nil {
		return v, err
	}
	head, err := db.Ledger().Head(ctx)
	v.Frozen = head.Frozen
	return v, err
}

// checkSchema rejects a database of another schema. With accepted, a database that ends
// before its anchor is migrated: 'bifolia migrate' refuses that.
func checkSchema(ctx context.Context, db *store.DB, accepted bool) error {
	err := db.CheckSchema(ctx)
	if err == nil || !accepted {
		return err
	}
	if id, ierr := db.Identity(ctx); ierr != nil || id.Batch == 0 {
		return err
	}
	_, err = db.Migrate(ctx)
	return err
}

// verifyAll checks the parts in order, up to the first error.
func verifyAll(ctx context.Context, db *store.DB, opts audit.Options, v *Verified) error {
	for _, check := range []func() error{
		func() (err error) { v.EngineSkipped, err = db.CheckEngine(ctx); return err }, // first: later checks read through the engine's indexes
		func() error {
			return db.Audit(ctx, func(r audit.Reader) (err error) { v.Ledger, err = audit.Verify(ctx, r, opts); return err })
		},
		func() (err error) { v.Tree, err = tree.Check(ctx, db.Tree()); return err },
		func() error { return enrol.Check(ctx, db.Enrol()) },
		func() (err error) { v.AuditLog, err = auditlog.Check(ctx, db.AuditLog()); return err },
		func() error { return closing.CheckSums(ctx, db.Sums()) },
		func() error { return closing.CheckDays(ctx, db.Days()) },
		func() error { return closing.CheckBooks(ctx, db.Books()) },
		func() error { return booking.CheckCorrections(ctx, db.CorrectionBooks()) },
		func() error { return asFinding(db.CheckLists(ctx)) },
		func() error { return asFinding(db.CheckWords(ctx)) },
		func() error { return db.CheckEvidence(ctx) },
		func() error { return db.CheckSealed(ctx) },
		func() error { return db.CheckObjects(ctx) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// asFinding turns an error in the store's own lists into a finding about a row.
func asFinding(err error) error {
	if list, ok := errors.AsType[*store.ListFinding](err); ok {
		return &audit.Finding{Table: "list_sum", Row: list.List + " " + list.State, Problem: list.Error()}
	}
	if word, ok := errors.AsType[*store.WordFinding](err); ok {
		return &audit.Finding{Table: "support_word", Row: "ticket " + strconv.FormatInt(word.Ticket, 10), Problem: word.Error()}
	}
	return err
}

// asError returns nil for no finding.
func asError(f *audit.Finding) error {
	if f == nil {
		return nil
	}
	return f
}

// auditOptions returns the public keys and anchors to check a ledger against.
func auditOptions(cfg config.Config) (opts audit.Options, err error) {
	opts.PublicKeys, err = ledger.ReadPublicKeys(ledger.PublicKeyFile(cfg.KeyFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return opts, errs.New(errs.Refused, "key.list_unreadable", "The list of the ledger's public keys cannot be read: {reason}.", "reason", err)
	}
	opts.Anchors, err = readAnchors(cfg)
	return opts, err
}

// readAnchors reads the anchor file; a missing file has none.
func readAnchors(cfg config.Config) ([]audit.Anchor, error) {
	anchors, err := audit.ReadAnchors(cfg.AnchorFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return anchors, errs.New(errs.Refused, "anchor.unusable", "The anchor file cannot be used: {reason}.", "reason", err)
	}
	return anchors, nil
}
