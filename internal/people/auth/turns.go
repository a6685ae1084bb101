package auth

import (
	"context"
	"sync"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
)

// turns serializes work per member. Only the leading process verifies transaction
// passwords, so turns in memory are enough.
type turns struct {
	mu   sync.Mutex
	by   map[int64]*turn
	owed map[int64]int64 // wrong tries not in the database yet
}

// owe adds n to the wrong tries to be counted for a member, and returns them; the
// caller has the member's turn.
func (t *turns) owe(uid, n int64) (owed int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.owed == nil {
		t.owed = map[int64]int64{}
	}
	if owed = t.owed[uid] + n; owed == 0 {
		delete(t.owed, uid)
		return 0
	}
	t.owed[uid] = owed
	return owed
}

type turn struct {
	taken  chan struct{}
	people int // callers that have it or wait
}

// maxTurns is how many callers may wait for one member.
const maxTurns = 100

// enter waits for the member's turn; leave ends it. Limited if too many wait;
// Unavailable if ctx ends before.
func (t *turns) enter(ctx context.Context, uid int64) (leave func(), err error) {
	t.mu.Lock()
	if t.by == nil {
		t.by = map[int64]*turn{}
	}
	x := t.by[uid]
	if x == nil {
		x = &turn{taken: make(chan struct{}, 1)}
		t.by[uid] = x
	}
	x.people++
	full := x.people > maxTurns
	t.mu.Unlock()
	done := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if x.people--; x.people == 0 {
			delete(t.by, uid)
		}
	}
	if full {
		done()
		return nil, ratelimit.NewLimited(busyWait, "auth.account_busy", "Too much is asked for this account at this moment. Try again in a few seconds.")
	}
	select {
	case x.taken <- struct{}{}:
		return func() { <-x.taken; done() }, nil
	case <-ctx.Done():
		done()
		return nil, errs.Wrap(errs.Unavailable, ctx.Err(), "auth.no_answer", "No answer in time. Try again in a few seconds.")
	}
}
