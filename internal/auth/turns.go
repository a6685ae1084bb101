package auth

import (
	"context"
	"sync"

	"github.com/bifolia/bifolia/internal/errs"
)

// turns let one caller at a time do something for a member. Only the process
// that writes proves transaction passwords, so turns in its memory are enough.
type turns struct {
	mu sync.Mutex
	by map[int64]*turn
}

type turn struct {
	taken  chan struct{}
	people int // who has it or waits for it
}

// maxTurns is how many may wait for one member.
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
		return nil, limited(busyWait, "Too much is asked for this account at this moment. Try again in a few seconds.")
	}
	select {
	case x.taken <- struct{}{}:
		return func() { <-x.taken; done() }, nil
	case <-ctx.Done():
		done()
		return nil, errs.Wrap(errs.Unavailable, ctx.Err(), "No answer in time. Try again in a few seconds.")
	}
}
