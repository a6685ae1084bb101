package job

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

// Anchorer writes the head of the chain to a file outside the database soon after
// every commit, so that the next start detects a write-ahead log that was removed or
// cut, or an older copy of the database. Commits do not wait for it: the loss of
// commits of the last half second is not detected.
type Anchorer struct {
	opt        AnchorOptions
	poke       chan struct{}
	hurry      chan struct{}
	stop, done chan struct{}
	once       sync.Once

	mu     sync.Mutex // guards the fields below, and the file
	epoch  int64      // in which the file was compared with the ledger
	last   int64      // batch of the last head written
	writes int64
	state  Anchored
}

type AnchorOptions struct {
	File   string
	Ledger string // the ledger's id, which the last head carries
	State  func() ledger.State
	// BatchHash returns the hash of a batch, or false if there is none.
	BatchHash func(ctx context.Context, no int64) (ledger.Hash, bool, error)
	// Known reports whether the signed chain records that an anchor exists.
	Known func(ctx context.Context) (bool, error)
	// Found is called in a new goroutine if the ledger does not match the anchor;
	// may be nil.
	Found func()
	Clock clock.Clock
	Log   *slog.Logger
}

// Anchored is the result of comparing the anchor with the ledger. While a field is
// set no head is anchored, because a new anchor would hide the problem.
type Anchored struct {
	Behind  *audit.Gap     // the ledger ends before the anchored batch
	Finding *audit.Finding // Behind, or a batch that differs from the anchored one, as a wrong row
	Missing []string       // missing anchor files, if the chain records an anchor
}

// anchorEvery is the minimum time between two writes of the head.
const anchorEvery = 500 * time.Millisecond

// NewAnchorer makes an Anchorer. Call Check next, then Start.
func NewAnchorer(opt AnchorOptions) *Anchorer {
	return &Anchorer{opt: opt, last: -1, poke: make(chan struct{}, 1), hurry: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
}

// State returns the result of the last Check.
func (a *Anchorer) State() Anchored {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state
}

// Held reports whether anchoring is stopped.
func (a *Anchorer) Held() bool {
	s := a.State()
	return s.Finding != nil || len(s.Missing) > 0
}

// Check compares the anchor with the ledger, once each time this process begins to
// lead. An error comes from the file or the database.
func (a *Anchorer) Check(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	st := a.opt.State()
	if !st.Leading || st.Head.Epoch == a.epoch {
		return nil
	}
	missing, err := audit.Missing(a.opt.File)
	if err != nil {
		return err
	}
	known := false
	if len(missing) > 0 {
		if known, err = a.opt.Known(ctx); err != nil {
			return err
		}
	}
	anchors, err := audit.ReadAnchors(a.opt.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var state Anchored
	if known {
		state.Missing = missing
		a.opt.Log.Error("the ledger's anchor is missing, although one was written: put it back, or run 'bifolia verify --new-anchor'", "files", strings.Join(missing, ", "))
	}
	if gap, behind := audit.Behind(anchors, st.Head.Batch); behind {
		state.Behind, state.Finding = &gap, gap.Finding()
	} else if last, err := audit.ReadLast(a.opt.File); err == nil && last.Batch > 0 {
		hash, there, err := a.opt.BatchHash(ctx, last.Batch)
		if err != nil {
			return err
		}
		if !there || hash != last.Hash {
			state.Finding = last.Rewritten(hash[:])
		}
	}
	if state.Finding != nil {
		a.opt.Log.Error("the ledger does not match its anchor", "finding", state.Finding.Error())
	}
	a.state, a.epoch = state, st.Head.Epoch
	return nil
}

// Start starts writing the head after each Poke.
func (a *Anchorer) Start() { go a.loop() }

// Poke requests that the head is anchored after a commit. It never blocks.
func (a *Anchorer) Poke() { wake(a.poke) }

// Hurry requests that the next commit is anchored at once, because the write-ahead
// log has been reset. It never blocks.
func (a *Anchorer) Hurry() { wake(a.hurry) }

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Close anchors the head a last time and stops.
func (a *Anchorer) Close() {
	a.once.Do(func() { close(a.stop) })
	<-a.done
	a.Write()
}

func (a *Anchorer) loop() {
	defer close(a.done)
	for {
		select {
		case <-a.poke:
		case <-a.stop:
			return
		}
		a.Write()
		rest := time.NewTimer(anchorEvery)
		select {
		case <-rest.C:
		case <-a.hurry:
		case <-a.stop:
		}
		rest.Stop()
	}
}

// Write anchors the head now, if it has changed.
func (a *Anchorer) Write() {
	st := a.opt.State()
	if !st.Leading {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	was := a.State().Finding
	err := a.Check(ctx)
	if a.State().Finding != was && a.opt.Found != nil {
		go a.opt.Found()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	h := st.Head
	if err == nil && a.state.Finding == nil && len(a.state.Missing) == 0 && h.Epoch == a.epoch && h.Batch > a.last {
		err = audit.WriteLast(a.opt.File, a.writes, audit.Anchor{Batch: h.Batch, Seq: h.Seq, Hash: h.Hash, At: a.opt.Clock.Now(), Ledger: a.opt.Ledger})
		if a.writes++; err == nil {
			a.last = h.Batch
		}
	}
	if err != nil {
		a.opt.Log.Error("the ledger's head cannot be anchored", "file", audit.LastFile(a.opt.File), "err", err)
	}
}

// checkTimeout bounds the database reads of Check.
const checkTimeout = 10 * time.Second
