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

// Anchorer writes the head of the chain outside of the database soon after every
// commit, so that a write-ahead log that is removed or cut after a crash, and an
// older copy that is put back, are noticed at the next start. Commits do not wait
// for it: what a commit of the last half second had is told by nothing if the log
// that has it is lost.
type Anchorer struct {
	opt        AnchorOptions
	poke       chan struct{}
	hurry      chan struct{}
	stop, done chan struct{}
	once       sync.Once

	mu     sync.Mutex // guards what follows, and the file
	epoch  int64      // in which the file was held against the ledger
	last   int64      // batch of the last head that was written
	writes int64
	state  Anchored
}

// AnchorOptions say what an Anchorer works on.
type AnchorOptions struct {
	File   string
	Ledger string // the ledger's id, which the last head carries
	State  func() ledger.State
	// BatchHash is the hash of a batch, or false when there is none.
	BatchHash func(ctx context.Context, no int64) (ledger.Hash, bool, error)
	// Known tells whether the signed chain says that there is an anchor.
	Known func(ctx context.Context) (bool, error)
	// Found is told, on a goroutine of its own, that the ledger is not what was
	// anchored; may be nil.
	Found func()
	Clock clock.Clock
	Log   *slog.Logger
}

// Anchored is how the anchor stands. While one of these is set nothing is
// anchored: it would hide what is wrong.
type Anchored struct {
	Behind  *audit.Gap     // the ledger ends before what was anchored
	Finding *audit.Finding // that, or a batch that is another one, as a wrong row
	Missing []string       // files that are not there, although the chain says that there is an anchor
}

// anchorEvery is the least time between two writes of the head.
const anchorEvery = 500 * time.Millisecond

// NewAnchorer makes an Anchorer. Check comes next, and then Start.
func NewAnchorer(opt AnchorOptions) *Anchorer {
	return &Anchorer{opt: opt, last: -1, poke: make(chan struct{}, 1), hurry: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
}

// State is how the anchor stands.
func (a *Anchorer) State() Anchored {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state
}

// Held tells that nothing may be anchored.
func (a *Anchorer) Held() bool {
	s := a.State()
	return s.Finding != nil || len(s.Missing) > 0
}

// Check holds the anchor against the ledger of the process that leads, once for
// each time that it begins to lead. An error is one of the file or the database.
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
		a.opt.Log.Error("the ledger is not what was anchored", "finding", state.Finding.Error())
	}
	a.state, a.epoch = state, st.Head.Epoch
	return nil
}

// Start begins to follow the head.
func (a *Anchorer) Start() { go a.loop() }

// Poke says that something was committed. It never blocks.
func (a *Anchorer) Poke() { wake(a.poke) }

// Hurry says that the write-ahead log begins anew: the next commit is the first
// that is in no other place, and is anchored at once. It never blocks.
func (a *Anchorer) Hurry() { wake(a.hurry) }

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Close anchors the head once more and stops.
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

// Write anchors the head now, if it has moved.
func (a *Anchorer) Write() {
	st := a.opt.State()
	if !st.Leading {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), markTime)
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

// markTime bounds how long the database is waited for.
const markTime = 10 * time.Second
