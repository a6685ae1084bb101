package member

import (
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/clock"
)

// cards remembers for a moment what lists show of members: a page of the tree
// shows the same few people again and again. Nothing is older than a second, so
// that a name changed through another process shows there in time.
type cards struct {
	clock clock.Clock
	mu    sync.RWMutex
	young map[int64]remembered
	old   map[int64]remembered
}

type remembered struct {
	card  Card
	until time.Time
}

const (
	cardLife = time.Second
	cardRoom = 50_000 // of each of the two generations
)

// get gives the cards that are remembered, and who is missing.
func (c *cards) get(uids []int64) (found map[int64]Card, missing []int64) {
	found = make(map[int64]Card, len(uids))
	if c.clock == nil {
		return found, uids
	}
	now := c.clock.Latest()
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, uid := range uids {
		r, ok := c.young[uid]
		if !ok {
			r, ok = c.old[uid]
		}
		if ok && now.Before(r.until) {
			found[uid] = r.card
		} else {
			missing = append(missing, uid)
		}
	}
	return found, missing
}

func (c *cards) now() time.Time {
	if c.clock == nil {
		return time.Time{}
	}
	return c.clock.Latest()
}

// put remembers cards that were just read. read is when reading began.
func (c *cards) put(all []Card, read time.Time) {
	if c.clock == nil || len(all) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.young)+len(all) > cardRoom || c.young == nil {
		c.old, c.young = c.young, make(map[int64]remembered, 1024)
	}
	for _, card := range all {
		c.young[card.UID] = remembered{card, read.Add(cardLife)}
	}
}

// drop forgets a member who is about to change.
func (c *cards) drop(uid int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.young, uid)
	delete(c.old, uid)
}
