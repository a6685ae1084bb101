package auth

import (
	"sync"
	"time"
)

const (
	cacheSize = 20_000
	cacheAge  = time.Second
)

// cache spares the database a read per request. What it says is at most
// cacheAge old, so that a session ended elsewhere is known here within that
// time; a session ended here is gone from it at once.
type cache struct {
	mu      sync.Mutex
	entries *lru[string, entry]
	drops   uint64 // how often anything was dropped
}

type entry struct {
	session Session
	read    time.Time // when it was read from the store
	seen    time.Time // when it was used last, here
	noted   time.Time // when that was last sent to be stored
}

func newCache() *cache { return &cache{entries: newLRU[string, entry](cacheSize)} }

// get gives the entry of id and whether its session is fresh enough at now.
// mark is for put.
func (c *cache) get(id string, now time.Time) (e entry, fresh bool, mark uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries.get(id)
	return e, ok && now.Sub(e.read) < cacheAge, c.drops
}

// put keeps e, unless something was dropped since mark: what was read may be
// of the time before, and must not bring back a session that has ended.
func (c *cache) put(e entry, mark uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.drops == mark {
		c.entries.put(e.session.ID, e)
	}
}

func (c *cache) drop(ids ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	for _, id := range ids {
		c.entries.drop(id)
	}
}
