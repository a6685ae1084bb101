package evidence

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// The signed chain has a line for each session that has ended, whatever its row says.
// Every process keeps these lines for longer than a token is valid, and reads them from the
// chain again when it starts.

// sessionEnd names the lines.
const sessionEnd = "session_end/1"

const (
	// endedKept is how long an ended session is kept in memory: twice the lifetime of a
	// token, which is not renewed meanwhile.
	endedKept = time.Hour
	// endedEvery is how often a process that does not write looks for new lines.
	endedEvery = time.Second
)

// endedSessions are those that have ended lately, by their ids.
type endedSessions struct {
	mu         sync.Mutex
	young, old map[string]bool
	turned     time.Time
	after      string    // the last command of the chain that was read
	read       time.Time // when; zero before the first time
	epoch      int64     // of the lease under which this process writes the lines after it; 0 without one
}

func (e *endedSessions) has(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.young[id] || e.old[id]
}

func (e *endedSessions) put(now time.Time, ids ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now.Sub(e.turned) > endedKept {
		e.old, e.young, e.turned = e.young, nil, now
	}
	if e.young == nil {
		e.young = map[string]bool{}
	}
	for _, id := range ids {
		e.young[id] = true
	}
}

// due tells whether the chain may have lines that this process has not seen.
func (e *endedSessions) due(now time.Time, epoch int64) (after string, yes bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if epoch != 0 {
		return e.after, epoch != e.epoch
	}
	return e.after, now.Sub(e.read) >= endedEvery
}

func (e *endedSessions) seen(after string, now time.Time, epoch int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.after, e.read, e.epoch = max(e.after, after), now, epoch
}

// SessionEnded reports whether the chain records the end of a session.
func SessionEnded(db *engine.DB, id string) bool { return ChainOf(db).ended.has(id) }

// RecordEndedSessions adds a line for each session that a command ends.
func RecordEndedSessions(g *engine.Group, ids ...string) {
	for _, id := range ids {
		h := NewRowHasher()
		h.Add(sessionEnd, id)
		AddLine(g, sessionEnd, id, h.Sum())
	}
}

// endedIn are the sessions that lines say have ended.
func endedIn(lines []engine.Line) (ids []string) {
	for _, l := range lines {
		if id, ok := strings.CutPrefix(l.Row, sessionEnd+" "); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// lastBefore is the last command with lines that is older than the last batch by some
// time. Times of commands only grow in the order of their keys.
const lastBefore = `SELECT command_key FROM command WHERE actor = $1 AND recorded_at < (SELECT recorded_at FROM head WHERE id = 1) - $2
	ORDER BY command_key DESC LIMIT 1`

// ReadEndedSessions reads the lines about sessions that are newer than its last call. In
// the process that writes, only the first call reads.
func ReadEndedSessions(ctx context.Context, db *engine.DB) error {
	ended, now, epoch := &ChainOf(db).ended, clock.System().Now(), db.Epoch.Load()
	after, due := ended.due(now, epoch)
	if !due {
		return nil
	}
	if after == "" {
		var err error
		if after, _, err = engine.First(ctx, db.Committed(), engine.ScanText, lastBefore, linesActor, endedKept.Microseconds()); err != nil {
			return err
		}
	}
	for more := true; more; {
		more = false
		err := engine.Each(ctx, db.Committed(), scanLines, func(c linesCommand) error {
			after, more = c.key, true
			return parseLines(c.response, c.batch, func(l chainLine) error {
				if name, id := l.name(); name == sessionEnd {
					ended.put(now, id)
				}
				return nil
			})
		}, nextLines, linesActor, after)
		if err != nil {
			return err
		}
	}
	ended.seen(after, now, epoch)
	return nil
}
