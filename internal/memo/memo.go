// Package memo remembers for a moment what is asked again and again: what pages
// show, and what cannot change. Nothing else that decides may come from here.
package memo

import (
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/clock"
)

// Brief remembers values for a second, so that what was changed through another
// process shows in time. The zero value remembers nothing.
type Brief[K comparable, V any] struct {
	clock clock.Clock
	mu    sync.RWMutex
	young map[K]remembered[V]
	old   map[K]remembered[V]
}

type remembered[V any] struct {
	value V
	until time.Time
}

const (
	life = time.Second
	room = 50_000 // of each of the two generations
)

// New makes a Brief; without a clock it remembers nothing.
func New[K comparable, V any](c clock.Clock) *Brief[K, V] { return &Brief[K, V]{clock: c} }

// Get gives the values that are remembered, and the keys that are not.
func (b *Brief[K, V]) Get(keys []K) (found map[K]V, missing []K) {
	found = make(map[K]V, len(keys))
	if b.clock == nil {
		return found, keys
	}
	now := b.clock.Latest()
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, key := range keys {
		if v, ok := b.one(key, now); ok {
			found[key] = v
		} else {
			missing = append(missing, key)
		}
	}
	return found, missing
}

// One is Get for one key.
func (b *Brief[K, V]) One(key K) (V, bool) {
	if b.clock == nil {
		var none V
		return none, false
	}
	now := b.clock.Latest()
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.one(key, now)
}

func (b *Brief[K, V]) one(key K, now time.Time) (V, bool) {
	r, ok := b.young[key]
	if !ok {
		r, ok = b.old[key]
	}
	return r.value, ok && now.Before(r.until)
}

// Now is the time to give to Put: ask before reading.
func (b *Brief[K, V]) Now() time.Time {
	if b.clock == nil {
		return time.Time{}
	}
	return b.clock.Latest()
}

// Put remembers values that were just read. read is when reading began.
func (b *Brief[K, V]) Put(all map[K]V, read time.Time) {
	if b.clock == nil || len(all) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.young)+len(all) > room || b.young == nil {
		b.old, b.young = b.young, make(map[K]remembered[V], 1024)
	}
	for key, value := range all {
		b.young[key] = remembered[V]{value, read.Add(life)}
	}
}

// Drop forgets what is about to change.
func (b *Brief[K, V]) Drop(key K) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.young, key)
	delete(b.old, key)
}
