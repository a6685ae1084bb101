package job

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

// Reconciler checks the ledger every minute with the verifier's code: new batches
// at once, old ones slice by slice. A wrong row freezes the ledger. The checked
// head is written to a file outside the database, because the chain itself does
// not show that its end was cut off.
type Reconciler struct {
	opt ReconcileOptions

	mu       sync.Mutex // one run at a time; guards follower and status
	follower *audit.Follower
	status   Status

	shown atomic.Pointer[Status] // a copy of status, read without waiting for a run
}

type ReconcileOptions struct {
	Ledger     Ledger
	Audit      func(context.Context, func(audit.Reader) error) error
	PublicKeys map[string]ed25519.PublicKey
	AnchorFile string
	Anchor     *Anchorer // may be nil
	Clock      clock.Clock
	Log        *slog.Logger
	Watch      func(Status) // called after each run; may be nil
}

// Status is the result of the last run.
type Status struct {
	At      time.Time
	Report  audit.Report
	Finding string // the wrong row; "" if there is none
}

// NewReconciler makes a Reconciler that starts at the last anchor.
func NewReconciler(opt ReconcileOptions) *Reconciler { return &Reconciler{opt: opt} }

// Status returns the result of the last run; zero before the first.
func (r *Reconciler) Status() Status {
	if s := r.shown.Load(); s != nil {
		return *s
	}
	return Status{}
}

// Run checks once. A wrong row freezes the ledger and is not an error of Run; a
// failure of the database is.
func (r *Reconciler) Run(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.begin(); err != nil {
		return err
	}
	if a := r.opt.Anchor; a != nil {
		if err := a.Check(ctx); err != nil {
			return fmt.Errorf("reconcile: %w", err)
		}
		if wrong := a.State().Finding; wrong != nil {
			return r.freeze(ctx, wrong)
		}
	}
	var report audit.Report
	err := r.opt.Audit(ctx, func(reader audit.Reader) (err error) {
		report, err = r.follower.Step(ctx, reader)
		return err
	})
	if finding, ok := errors.AsType[*audit.Finding](err); ok {
		return r.freeze(ctx, finding)
	}
	if err != nil {
		return fmt.Errorf("reconcile: %w", err)
	}
	if err := r.anchor(report); err != nil {
		return fmt.Errorf("reconcile: %w", err)
	}
	r.note(Status{At: r.opt.Clock.Now(), Report: report})
	return nil
}

func (r *Reconciler) begin() error {
	if r.follower != nil {
		return nil
	}
	anchors, err := audit.ReadChecked(r.opt.AnchorFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r.follower, err = audit.NewFollower(audit.FollowOptions{PublicKeys: r.opt.PublicKeys, Anchors: anchors, Reread: 2000, Window: 20_000})
	return err
}

func (r *Reconciler) freeze(ctx context.Context, finding *audit.Finding) error {
	r.opt.Log.Error("reconcile: the ledger is wrong", "table", finding.Table, "row", finding.Row, "problem", finding.Problem)
	r.note(Status{At: r.opt.Clock.Now(), Finding: finding.Error()})
	if r.opt.Ledger.State().Head.Frozen != "" {
		return nil
	}
	why := "The reconciliation found a wrong row on " + r.opt.Clock.Now().UTC().Format("2006-01-02 15:04 MST") + ": " + finding.Error()
	return r.opt.Ledger.Freeze(ctx, plain(why, 450))
}

// plain makes any text valid as a reason of the ledger. The text of a wrong row
// may come from an attacker and must not be able to prevent the freeze.
func plain(text string, limit int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\x00", "?")
	for len(text) > limit {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

func (r *Reconciler) note(s Status) {
	r.status = s
	r.shown.Store(&s)
	if r.opt.Watch != nil {
		r.opt.Watch(s)
	}
}

// anchor durably appends the head to the anchor file, if the head has changed.
func (r *Reconciler) anchor(report audit.Report) error {
	if report.Head == r.status.Report.Head || (r.opt.Anchor != nil && r.opt.Anchor.Held()) {
		return nil
	}
	head := audit.Anchor{Batch: report.Batch, Seq: report.Seq, At: r.opt.Clock.Now()}
	hash, err := hex.DecodeString(report.Head)
	if err != nil || copy(head.Hash[:], hash) != len(head.Hash) {
		return fmt.Errorf("the head's hash is %q: %w", report.Head, err)
	}
	line, err := head.Line()
	if err != nil {
		return err
	}
	return AppendLine(r.opt.AnchorFile, line)
}

// AppendLine durably appends a line to a file. It first removes an incomplete line
// that a crash left, so that readers find complete lines only.
func AppendLine(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	end, err := endOfLines(f)
	if err == nil {
		err = f.Truncate(end)
	}
	if err == nil {
		_, err = f.WriteAt(append(line, '\n'), end)
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// endOfLines returns the offset after the last complete line of f.
func endOfLines(f *os.File) (int64, error) {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	tail := make([]byte, min(end, 4096)) // a line has less than 200 bytes
	if _, err := f.ReadAt(tail, end-int64(len(tail))); err != nil {
		return 0, err
	}
	if at := bytes.LastIndexByte(tail, '\n'); at >= 0 || end <= int64(len(tail)) {
		return end - int64(len(tail)) + int64(at) + 1, nil
	}
	return 0, errors.New("the anchor file is not a text file of lines")
}
