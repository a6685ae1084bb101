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

// What the command line does on a database without serving it.

// Migrate brings the configured database to this program's schema. It tells
// how many steps that took and which schema it has now. NotFound where no
// installation was begun: a mistyped place is given no schema. Refused where the
// database ends before its anchor.
func Migrate(ctx context.Context, cfg config.Config) (steps int, schema int64, err error) {
	return migrate(ctx, cfg, func(ends int64) error { return notCutOff(cfg, ends) })
}

// migrate is Migrate of a database whose end passes a check.
func migrate(ctx context.Context, cfg config.Config, whole func(ends int64) error) (steps int, schema int64, err error) {
	if err := unmade(cfg, true); err != nil {
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

// Verified is what Verify found in order.
type Verified struct {
	Ledger   audit.Summary    `json:"ledger"`
	Tree     tree.Summary     `json:"tree"`
	AuditLog auditlog.Summary `json:"trail"`
	Frozen   string           `json:"frozen"` // why money still stands still
	// NoAnchor names the files of the anchor that are missing, although the chain
	// says that there is one. A copy that is verified elsewhere has none.
	NoAnchor []string `json:"no_anchor,omitempty"`
	// Unsealed: sealed rows were not checked, because the key is not here.
	Unsealed bool `json:"unsealed,omitempty"`
	// EngineSkipped is why the engine's own check was not run, and how to enable it.
	EngineSkipped string `json:"engine_skipped,omitempty"`
	// Anchored is the file of a new anchor that was made.
	Anchored string `json:"new_anchor,omitempty"`
}

// VerifyOptions say what is done besides verifying.
type VerifyOptions struct {
	Thaw bool // a ledger that passes is unfrozen
	// NewAnchor verifies without the anchor that is there, if any. A ledger that
	// passes gets a new one; the old one is kept beside it.
	NewAnchor bool
	Progress  func(done, total int64)
}

// Verify runs the engine's own check, replays the whole ledger of the configured
// database, recounts the tree,
// the members and the operators' record, adds the sums of incomes and of days up
// again, and holds sales, positions, claims, incomes, bookings and corrections against
// the ledger.
// The error is the Finding of one of them if a row is wrong.
// With thaw, a ledger that passes is unfrozen.
func Verify(ctx context.Context, cfg config.Config, thaw bool, progress func(done, total int64)) (v Verified, err error) {
	return VerifyWith(ctx, cfg, VerifyOptions{Thaw: thaw, Progress: progress})
}

// VerifyWith is Verify with options.
func VerifyWith(ctx context.Context, cfg config.Config, o VerifyOptions) (v Verified, err error) {
	if err := thereIs(cfg); err != nil {
		return v, err
	}
	db, err := store.Open(ctx, cfg.DB)
	if err != nil {
		return v, sentence(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := rightSchema(ctx, db, o.NewAnchor); err != nil {
		return v, sentence(err)
	}
	id, err := db.Identity(ctx)
	if err == nil {
		err = ownFiles(cfg, id.Ledger)
	}
	if err != nil {
		return v, err
	}
	opts, err := auditOptions(cfg)
	if err == nil {
		err = ownKey(cfg.KeyFile, opts.PublicKeys)
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
	} else if v.NoAnchor, err = noAnchor(ctx, cfg, db); err != nil {
		return v, err
	} else if cut, err := cutOff(ctx, cfg, db); err != nil || cut != nil {
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

// rightSchema refuses a database of another schema. One that ends before its anchor is
// brought to this program's by whoever accepts that: 'bifolia migrate' refuses it.
func rightSchema(ctx context.Context, db *store.DB, accepted bool) error {
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

// verifyAll checks one part after the other, up to the first that is wrong.
func verifyAll(ctx context.Context, db *store.DB, opts audit.Options, v *Verified) error {
	var err error
	if v.EngineSkipped, err = db.CheckEngine(ctx); err != nil { // first: what follows reads by the engine's indexes
		return err
	}
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
		v.AuditLog, err = auditlog.Check(ctx, db.AuditLog())
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
		err = booking.CheckCorrections(ctx, db.CorrectionBooks())
	}
	if err == nil {
		err = asRow(db.CheckLists(ctx))
	}
	if err == nil {
		err = asRow(db.CheckWords(ctx))
	}
	if err == nil {
		err = db.CheckEvidence(ctx)
	}
	if err == nil {
		err = db.CheckSealed(ctx)
	}
	if err == nil {
		err = db.CheckObjects(ctx)
	}
	return err
}

// asRow names what the store found in its own lists as a wrong row.
func asRow(err error) error {
	var list *store.ListFinding
	if errors.As(err, &list) {
		return &audit.Finding{Table: "list_sum", Row: list.List + " " + list.State, Problem: list.Error()}
	}
	var word *store.WordFinding
	if errors.As(err, &word) {
		return &audit.Finding{Table: "support_word", Row: "ticket " + strconv.FormatInt(word.Ticket, 10), Problem: word.Error()}
	}
	return err
}

// asError is nil for no finding.
func asError(f *audit.Finding) error {
	if f == nil {
		return nil
	}
	return f
}

// auditOptions are the public keys and the anchors that a ledger is checked
// against.
func auditOptions(cfg config.Config) (opts audit.Options, err error) {
	opts.PublicKeys, err = ledger.ReadPublicKeys(ledger.PublicKeyFile(cfg.KeyFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return opts, errs.New(errs.Refused, "key.list_unreadable", "The list of the ledger's public keys cannot be read: {reason}.", "reason", err)
	}
	if opts.Anchors, err = audit.ReadAnchors(cfg.AnchorFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return opts, errs.New(errs.Refused, "anchor.unusable", "The anchor file cannot be used: {reason}.", "reason", err)
	}
	return opts, nil
}
