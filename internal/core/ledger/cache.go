package ledger

import (
	"math"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// balance is an account in memory, owned by the sequencer's goroutine.
type balance struct {
	row   AccountRow
	group *group // the group that last changed it: it is listed there once
}

// newRecent makes a cache that evicts nothing by itself: a group relies on what
// it has loaded. Between groups trim evicts what was used longest ago; it can be
// read back from the store.
func newRecent[K comparable, V any]() *simplelru.LRU[K, V] {
	c, err := simplelru.NewLRU[K, V](math.MaxInt, nil)
	if err != nil {
		panic(err) // a size below one only
	}
	return c
}

func trim[K comparable, V any](c *simplelru.LRU[K, V], limit int) {
	for c.Len() > limit {
		c.RemoveOldest()
	}
}
