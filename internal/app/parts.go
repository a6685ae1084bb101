package app

import (
	"context"
	"crypto/ed25519"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
)

// reconcileInterval is the interval of ledger checks while it is in use.
const reconcileInterval = time.Minute

// closeInterval is the interval at which the schedule checks whether a day is over.
const closeInterval = time.Minute

// startLimit is how long a start waits for the ledger to lead. If another process leads,
// this one does not wait but becomes a standby.
const startLimit = 15 * time.Second

func (a *App) openStore(ctx context.Context, _ *prometheus.Registry) error {
	db, err := store.Open(ctx, a.cfg.DB)
	if err != nil {
		return sentence(err)
	}
	a.db = db
	a.onClose("store", func(context.Context) error { return db.Close() })
	if err := checkDatabase(ctx, a.cfg, db, a.existing); err != nil {
		return err
	}
	steps, err := db.Migrate(ctx)
	if err != nil {
		return sentence(err)
	}
	if steps > 0 {
		a.log.Info("database migrated", "steps", steps, "engine", db.Engine())
	}
	if err := a.requireWholeDemo(ctx); err != nil {
		return err
	}
	guarded, err := db.Guarded(ctx)
	if err != nil {
		return sentence(err)
	}
	if !guarded {
		a.log.Warn("the database user can modify the ledger's history: let an administrator run CREATE ROLE bifolia_app NOLOGIN and GRANT bifolia_app TO the user, then start again")
	}
	a.onReady("store", db.Ping)
	return nil
}

func (a *App) openLedger(ctx context.Context, registry *prometheus.Registry) error {
	head, err := a.db.Ledger().Head(ctx)
	if err != nil {
		return sentence(err)
	}
	if err := a.openKey(ctx, head); err != nil {
		return err
	}
	if err := a.db.KindSigned(ctx); err != nil {
		return err
	}
	count := ledgerMetrics(registry, func() ledger.State { return a.ledger.State() })
	id, err := a.db.Identity(ctx)
	if err != nil {
		return sentence(err)
	}
	a.anchor = a.newAnchorer(ctx, id.Ledger)
	a.ledger = ledger.Start(ledger.Options{
		Store: a.db.Ledger(), Signer: a.signer, Clock: a.clock, Log: a.log, Holder: a.AdvertiseURL(),
		Whole: func(ends int64) error {
			// A standby takes over long after its start.
			if err := checkFileOwners(a.cfg, id.Ledger); err != nil {
				return err
			}
			return checkNotTruncated(a.cfg, ends)
		},
		Watch: func(commands, transfers, entries int, took time.Duration) {
			a.anchor.Poke()
			count(commands, transfers, entries, took)
		},
	})
	a.onClose("ledger", func(ctx context.Context) error { return closeWithin(ctx, a.ledger.Close) })
	a.onReady("ledger", a.writable)
	limit, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for limit.Err() == nil && a.ledger.Ready() != nil && !a.isStandby() {
		time.Sleep(2 * time.Millisecond)
	}
	if err := a.ledger.Ready(); err != nil && !a.isStandby() {
		if cut, cerr := truncation(ctx, a.cfg, a.db); cerr == nil && cut != nil {
			return errs.Wrap(errs.Refused, err, "anchor.ledger_cut", "The ledger is not what was anchored: {finding}", "finding", cut)
		}
		return sentence(err)
	}
	// Before the first write: a batch written where others are missing would be taken for
	// one of them.
	if err := a.anchor.Check(ctx); err != nil {
		return errs.New(errs.Refused, "anchor.unusable", "The anchor file cannot be used: {reason}.", "reason", err)
	}
	return a.settleKind(ctx)
}

// openKey loads the signing key of the chain. A new ledger gets one; an existing ledger
// whose key is missing is never signed with another.
func (a *App) openKey(ctx context.Context, head ledger.Head) error {
	path := a.cfg.KeyFile
	if head.Batch == 0 {
		id, err := a.db.Identity(ctx)
		if err == nil {
			err = a.claimFiles(id.Ledger)
		}
		if err != nil {
			return err
		}
	}
	signer, err := ledger.LoadSigner(path)
	if errors.Is(err, fs.ErrNotExist) {
		if head.Batch > 0 {
			return errs.New(errs.Refused, "key.missing", "The ledger's key {path} is missing, and {batches} batches are signed with it: restore it from your backup, or name it with --key-file.", "path", path, "batches", head.Batch)
		}
		if signer, err = ledger.CreateSigner(path); errors.Is(err, fs.ErrExist) {
			signer, err = ledger.LoadSigner(path) // another process was faster
		} else if err == nil {
			a.log.Info("created the ledger's signing key: back it up separately from the database", "file", path, "key", signer.KeyID())
		}
	}
	if err != nil {
		return errs.New(errs.Refused, "key.unusable", "The ledger's key cannot be used: {reason}.", "reason", err)
	}
	a.signer = signer
	if a.publicKeys, err = ledger.ReadPublicKeys(ledger.PublicKeyFile(path)); err != nil {
		return errs.New(errs.Refused, "key.list_unreadable", "The list of the ledger's public keys cannot be read: {reason}.", "reason", err)
	}
	if last, err := a.db.LastKey(ctx); err != nil {
		return sentence(err)
	} else if last != "" && a.publicKeys[last] == nil {
		return errs.New(errs.Refused, "key.signer_not_listed", "The ledger was signed by key {key}, which is not listed in {list}: these are the key files of another ledger.", "key", last, "list", ledger.PublicKeyFile(path))
	}
	if err := checkKeyListed(path, signer, a.publicKeys); err != nil {
		return err
	}
	a.db.Trust(a.publicKeys)
	return sealWith(a.db, path)
}

// checkKeyListed rejects a key of the ledger that is not in the list next to it.
func checkKeyListed(path string, signer *ledger.Signer, keys map[string]ed25519.PublicKey) error {
	if keys[signer.KeyID()] == nil {
		return errs.New(errs.Refused, "key.not_listed", "The ledger's key {path} is not listed in {list}: one of the two files belongs to another ledger.", "path", path, "list", ledger.PublicKeyFile(path))
	}
	return nil
}

// checkKeyOwner rejects a key of another ledger, if there is a key. Without a list there are no
// trusted keys, which the check of the chain reports.
func checkKeyOwner(path string, keys map[string]ed25519.PublicKey) error {
	signer, err := ledger.LoadSigner(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return errs.New(errs.Refused, "key.unusable", "The ledger's key cannot be used: {reason}.", "reason", err)
	case keys == nil:
		return nil
	}
	return checkKeyListed(path, signer, keys)
}

// sealWith gives the database the keys for sealed data, derived from the ledger's key and
// from the previous one if it is kept.
func sealWith(db *store.DB, path string) error {
	var keys [][]byte
	for _, file := range []string{path, path + ".old"} {
		signer, err := ledger.LoadSigner(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return errs.New(errs.Refused, "key.file_unusable", "The ledger's key {path} cannot be used: {reason}.", "path", file, "reason", err)
		}
		key, err := signer.Derive("sealed rows")
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil
	}
	return db.SealWith(keys...)
}

// isStandby reports whether another process leads and this one forwards to it.
func (a *App) isStandby() bool {
	return errors.Is(a.ledger.Leading(), ledger.ErrLeased)
}

// writable checks that this process can write, or that the leader can be reached. After a
// leader is killed, its lease lasts some seconds without a leader.
func (a *App) writable(ctx context.Context) error {
	if !a.isStandby() {
		return a.ledger.Ready()
	}
	leader := a.leader(ctx)
	if leader == nil {
		return errs.New(errs.Unavailable, "server.lease_without_address", "another process holds the lease and does not say where it listens")
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	// A connection alone proves nothing: another program may listen there.
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, leader.JoinPath("/readyz").String(), http.NoBody)
	if err != nil {
		return errs.Wrap(errs.Unavailable, err, "server.lease_address_unusable", "the address of the process that holds the lease is not usable")
	}
	res, err := newProbe().Do(req)
	if err != nil {
		return errs.Wrap(errs.Unavailable, err, "server.lease_holder_silent", "the process that holds the lease does not answer")
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return errs.New(errs.Unavailable, "server.lease_holder_answers", "the process that holds the lease answers {status}", "status", res.Status)
	}
	return nil
}

// newProbe returns a client for asking another process of this installation whether it is
// ready. It follows no redirects and keeps no connection, which a stopping process would
// break.
func newProbe() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DialContext: new(net.Dialer).DialContext},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// leader returns the address of the leader; nil if unknown.
func (a *App) leader(ctx context.Context) *url.URL {
	holder, err := a.db.Holder(ctx)
	if err != nil {
		return nil
	}
	target, err := url.Parse(holder)
	if err != nil || target.Host == "" || holder == a.AdvertiseURL() {
		return nil
	}
	return target
}

// forward sends writes to the leader.
func (a *App) forward(r *http.Request) (*url.URL, bool) {
	if !a.isStandby() {
		return nil, false
	}
	return a.leader(r.Context()), true
}

// audit reads the ledger as of one moment, and then the data of its tables.
func (a *App) audit(ctx context.Context, read func(audit.Reader) error) error {
	if err := a.db.Audit(ctx, read); err != nil {
		return err
	}
	return a.db.CheckObjects(ctx)
}

func (a *App) openJobs(ctx context.Context, registry *prometheus.Registry) error {
	reconcile := job.NewReconciler(job.ReconcileOptions{
		Ledger: a.ledger, Audit: a.audit, PublicKeys: a.publicKeys, AnchorFile: a.cfg.AnchorFile, Anchor: a.anchor, Clock: a.clock, Log: a.log,
		Watch: reconcileMetrics(registry),
	})
	a.reconcile = reconcile
	a.openHealth(registry)
	// Before the first write: evidence of a truncated or changed ledger must not be
	// overwritten.
	if a.ledger.Ready() == nil {
		if err := reconcile.Run(ctx); err != nil {
			return sentence(err)
		}
		if wrong := reconcile.Status().Finding; wrong != "" {
			a.log.Error("the ledger is wrong: payments are frozen until 'bifolia verify --thaw' passes", "finding", wrong)
		}
	}
	if err := a.startAnchor(ctx); err != nil {
		return sentence(err)
	}
	if a.ledger.Ready() == nil { // before any request is served
		if err := a.holdIfRestored(ctx); err != nil {
			return sentence(err)
		}
	}
	more := []job.Task{a.sealing()}
	if !a.desk {
		more = append(more, job.Task{Name: "close days", Every: closeInterval, Run: func(ctx context.Context) error { return a.closing.CatchUp(ctx, a.cfg.AutoClose) }})
		more = append(more, a.tasks...)
	}
	jobs, err := job.Start(a.ledger, reconcile, reconcileInterval, a.log, more...)
	if err != nil {
		return err
	}
	a.onClose("jobs", func(ctx context.Context) error {
		err := jobs.Close()
		if a.ledger.Ready() == nil { // anchor the heads of the ledger and the audit log at the stop
			err = errors.Join(err, a.services.AuditLog.Seal(ctx), reconcile.Run(ctx))
		}
		return errors.Join(err, closeWithin(ctx, a.anchor.Close))
	})
	return nil
}

// closeWithin waits for f until ctx is done: a database that does not answer must not
// block the end of the process. Unacknowledged work is then whole or absent, as after a
// crash.
func closeWithin(ctx context.Context, f func()) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errs.New(errs.Unavailable, "server.database_late", "the database did not answer in time; what was not acknowledged may be asked again")
	}
}

// Ledger returns the sequencer of this process.
func (a *App) Ledger() *ledger.Sequencer { return a.ledger }

// sentence turns an error of the database into one line.
func sentence(err error) error {
	var e *errs.Error
	if !errors.As(err, &e) || errors.Unwrap(e) == nil {
		return err
	}
	return errs.New(e.Kind, "server.because", "{what}: {reason}.", "what", e.Text, "reason", errors.Unwrap(e))
}
