package auth

import (
	"time"

	"github.com/bifolia/bifolia/internal/platform/cache"
)

const (
	cacheSize = 20_000
	cacheAge  = time.Second
)

// cachedSession saves a database read per request. It is at most cacheAge old, so
// that a session ended by another process is refused within that time; a session
// ended here is dropped at once. An older entry still holds the last use.
type cachedSession struct {
	session Session
	read    time.Time // from the store
	seen    time.Time // last use, in this process
	noted   time.Time // when the last use was queued to be stored
}

func newCache() *cache.Cache[string, cachedSession] {
	return cache.New[string, cachedSession](cacheSize)
}

func (e cachedSession) fresh(now time.Time) bool { return now.Sub(e.read) < cacheAge }
