// Package cache caches values that are read often. A cache holds a bounded number of
// values, for a time or until they are dropped; code that changes a value must drop it.
// Decisions about money must not rely on a cache that another process's write does not
// invalidate.
package cache

import (
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/bifolia/bifolia/internal/platform/clock"
)

// Cache is a cache that evicts the least recently used values. It is safe for concurrent
// use.
type Cache[K comparable, V any] struct {
	clock clock.Clock   // nil: values do not expire
	life  time.Duration // 0 with a nil clock

	mu    sync.Mutex
	lru   *simplelru.LRU[K, entry[V]]
	drops uint64 // number of calls of Drop
}

type entry[V any] struct {
	value V
	until time.Time
}

// New makes a cache of at most size values.
func New[K comparable, V any](size int) *Cache[K, V] {
	lru, err := simplelru.NewLRU[K, entry[V]](max(size, 1), nil)
	if err != nil {
		panic(err) // the size is below one
	}
	return &Cache[K, V]{lru: lru}
}

// NewExpiring makes a cache whose values expire a fixed time after they were read, so
// that changes by other processes become visible. With a nil clock it caches nothing.
func NewExpiring[K comparable, V any](size int, life time.Duration, c clock.Clock) *Cache[K, V] {
	out := New[K, V](size)
	out.clock, out.life = c, life
	if c == nil {
		out.lru = nil
	}
	return out
}

// Mark is taken before a value is read from the store; Put needs it.
type Mark struct {
	at    time.Time
	drops uint64
}

// Mark begins a read.
func (c *Cache[K, V]) Mark() Mark {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := Mark{drops: c.drops}
	if c.clock != nil {
		m.at = c.clock.Latest()
	}
	return m
}

// Get returns the value of key, if it is cached.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	found, _ := c.Many([]K{key})
	v, ok := found[key]
	return v, ok
}

// Many returns the cached values of keys, and the keys that are not cached.
func (c *Cache[K, V]) Many(keys []K) (found map[K]V, missing []K) {
	found = make(map[K]V, len(keys))
	if c.lru == nil {
		return found, keys
	}
	var now time.Time
	if c.clock != nil {
		now = c.clock.Latest()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		if e, ok := c.lru.Get(key); ok && (c.clock == nil || now.Before(e.until)) {
			found[key] = e.value
		} else {
			missing = append(missing, key)
		}
	}
	return found, missing
}

// Put caches a value that was read after mark, unless a value was dropped since mark:
// the value may then be stale.
func (c *Cache[K, V]) Put(key K, value V, mark Mark) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lru != nil && c.drops == mark.drops {
		c.lru.Add(key, entry[V]{value, mark.at.Add(c.life)})
	}
}

// Drop removes values.
func (c *Cache[K, V]) Drop(keys ...K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops++
	for _, key := range keys {
		if c.lru != nil {
			c.lru.Remove(key)
		}
	}
}
