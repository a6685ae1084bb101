package ledger

import (
	"math"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// balance is an account in memory, owned by the sequencer's goroutine.
type balance struct {
	row   AccountRow
	group *group // the group that last changed it, which lists it once
}

// newRecent makes a cache that evicts nothing by itself: a group relies on the
// accounts it has loaded. Between groups, trim evicts the least recently used
// items, which can be read again from the store.
func newRecent[K comparable, V any]() *simplelru.LRU[K, V] {
	c, err := simplelru.NewLRU[K, V](math.MaxInt, nil)
	if err != nil {
		panic(err) // impossible: the size is above zero
	}
	return c
}

func trim[K comparable, V any](c *simplelru.LRU[K, V], limit int) {
	for c.Len() > limit {
		c.RemoveOldest()
	}
}
