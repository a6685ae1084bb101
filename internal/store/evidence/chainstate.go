package evidence

import (
	"crypto/ed25519"
	"sync"
	"sync/atomic"

	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// chainState is what a process has in memory of the chain's lines.
type chainState struct {
	trusted  atomic.Pointer[map[string]ed25519.PublicKey]
	sealed   atomic.Pointer[sealer]
	latest   latestLines
	Verified verifiedRows
	ended    endedSessions
}

// ChainOf is the state of an open database.
func ChainOf(db *engine.DB) *chainState { return engine.StateOf[chainState](db) }

// Attach stores the lines of each commit in the state. A database that is written to needs
// it.
func Attach(db *engine.DB) { db.OnCommit(ChainOf(db).committed) }

func (c *chainState) committed(lines []engine.Line, batch int64) {
	for _, l := range lines {
		c.latest.put(l.Row, batch)
	}
	if ids := endedIn(lines); len(ids) > 0 {
		c.ended.put(clock.System().Now(), ids...)
	}
}

// Trust gives the keys by which batches are signed. Without them lines are believed
// unchecked.
func Trust(db *engine.DB, keys map[string]ed25519.PublicKey) { ChainOf(db).trusted.Store(&keys) }

// latestLines are the batches of the last lines of remembered rows, as far as this
// process has written or seen them.
type latestLines struct {
	mu    sync.Mutex
	batch map[string]int64
}

func (l *latestLines) put(row string, batch int64) {
	if t := tableOf(row); t == nil || !t.Remembered {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.batch == nil {
		l.batch = map[string]int64{}
	}
	l.batch[row] = max(l.batch[row], batch)
}

func (l *latestLines) of(row string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.batch[row]
}
