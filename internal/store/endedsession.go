package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// A session's row is bound to its facts by a keyed hash, so that nobody who writes
// the database opens a session, makes one last longer or gives it to somebody else.
// That it has ended is a line of the signed chain: whatever its row says afterwards,
// every process remembers it for longer than any token of it lives, and reads it
// again from the chain when it starts.

// sessionEnd names the lines.
const sessionEnd = "session_end/1"

const (
	// endedKept is how long a session that has ended is remembered: twice as long as
	// a token lives, which is not renewed meanwhile.
	endedKept = time.Hour
	// endedEvery is how often a process that does not write looks for new lines.
	endedEvery = time.Second
)

// endedSessions are those that have ended lately, by their ids, with the time at
// which that was read.
type endedSessions struct {
	mu         sync.Mutex
	young, old map[string]bool
	turned     time.Time
	after      string    // the last command of the chain that was read
	looked     time.Time // when; zero before the first time
	leads      bool      // this process writes all lines itself since it looked
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
func (e *endedSessions) due(now time.Time, leads bool) (after string, yes bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	yes = !leads || !e.leads
	if yes && !leads && now.Sub(e.looked) < endedEvery {
		yes = false
	}
	return e.after, yes
}

func (e *endedSessions) seen(after string, now time.Time, leads bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.after, e.looked, e.leads = max(e.after, after), now, leads
}

// lead says that this process begins or ceases to write.
func (e *endedSessions) lead() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.leads = false
}

// noteEnded notes sessions that a command ends.
func (g *groupTx) noteEnded(ids ...string) {
	for _, id := range ids {
		f := newFingerprint()
		f.add(sessionEnd, id)
		g.vouch(sessionEnd, id, f.bytes())
	}
}

// endedIn are the sessions that lines say have ended.
func endedIn(lines []string) (ids []string) {
	for _, text := range lines {
		if id, ok := endedBy(text); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

func endedBy(text string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(text, sessionEnd+" ")
	id, _, _ = strings.Cut(rest, " ")
	return id, ok
}

// knowEnded reads what the chain says of sessions since this process looked last. It
// costs nothing in the process that writes, once it has looked.
func (db *DB) knowEnded(ctx context.Context) error {
	now, leads := clock.System().Now(), db.leads.Load()
	after, due := db.ended.due(now, leads)
	if !due {
		return nil
	}
	if after == "" {
		var err error
		if after, err = db.linesSince(ctx, endedKept); err != nil {
			return err
		}
	}
	for more := true; more; {
		more = false
		err := each(ctx, &db.rows, scanWitness, func(c witnessCommand) error {
			after, more = c.key, true
			db.ended.put(now, endedIn(strings.Split(string(c.response), "\n"))...)
			return nil
		}, someWitness, witnessActor, after)
		if err != nil {
			return err
		}
	}
	db.ended.seen(after, now, leads)
	return nil
}

// linesSince is the key after which the chain's lines are of the time before its last
// batch. Times of batches only grow.
func (db *DB) linesSince(ctx context.Context, span time.Duration) (string, error) {
	type end struct{ no, at int64 }
	scan := func(r *sql.Rows) (e end, err error) {
		err = r.Scan(&e.no, &e.at)
		return e, err
	}
	last, _, err := first(ctx, &db.rows, scan, "SELECT no, recorded_at FROM batch ORDER BY no DESC LIMIT 1")
	low, high := int64(0), last.no // low is older, or there is none
	for err == nil && low < high {
		middle := (low + high + 1) / 2
		var at int64
		at, _, err = first(ctx, &db.rows, scanCount, "SELECT recorded_at FROM batch WHERE no = $1", middle)
		if at < last.at-span.Microseconds() {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return fmt.Sprintf("%012d.999999", low), err
}

// sealSession is the mark of a session's facts. What may change of it is not in it:
// when it was used last, which a token outlives by nothing, and where from.
func (db *DB) sealSession(s auth.Session) (string, error) {
	box, err := db.box()
	if err != nil {
		return "", err
	}
	return box.Mark(sessionFacts(s)...), nil
}

func sessionFacts(s auth.Session) []any {
	return []any{"session", s.ID, string(s.Kind), s.Owner, s.Operator, s.Reason, flag(s.MustChange), authMicros(s.Created), authMicros(s.Expires)}
}

func (db *DB) soundSession(s auth.Session, seal string) bool {
	box, err := db.box()
	return err == nil && box.Marked(seal, sessionFacts(s)...)
}

// scanSession reads a session. One that was changed past the product, or that the
// chain says has ended, has ended.
func (db *DB) scanSession(r *sql.Rows) (s auth.Session, err error) {
	var must int64
	var seal string
	err = r.Scan(&s.ID, &s.Kind, &s.Owner, &s.Operator, &s.Role, &s.Reason, &must, &s.Peer, &s.ClaimedIP, &s.Agent,
		authTime{&s.Created}, authTime{&s.Seen}, authTime{&s.Expires}, authTime{&s.Ended}, &seal)
	s.MustChange = must != 0
	if s.Ended.IsZero() && (!db.soundSession(s, seal) || db.ended.has(s.ID)) {
		s.Ended = time.Unix(0, 0)
	}
	return s, err
}

// checkSessions finds a session that was made or changed past the product.
func (db *DB) checkSessions(ctx context.Context, q querier) (*closing.Broken, error) {
	scan := func(r *sql.Rows) (id string, err error) {
		s, err := db.scanSession(r)
		if err == nil && s.Ended.Equal(time.Unix(0, 0)) {
			id = s.ID
		}
		return id, err
	}
	return caught(each(ctx, q, scan, func(id string) error {
		if id == "" {
			return nil
		}
		return found{&closing.Broken{Rule: sealedRight, Of: "session " + id, Have: "changed", Want: "as it was opened"}}
	}, authSession))
}
