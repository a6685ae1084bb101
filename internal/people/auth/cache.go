package auth

import (
	"time"

	"github.com/bifolia/bifolia/internal/platform/cache"
)

const (
	cacheSize = 20_000
	cacheAge  = time.Second
)

// cachedSession spares the database a read per request. It is at most cacheAge
// old, so that a session ended elsewhere is known here within that time; a
// session ended here is dropped at once. An older one still tells when the
// session was used last.
type cachedSession struct {
	session Session
	read    time.Time // when it was read from the store
	seen    time.Time // when it was used last, here
	noted   time.Time // when that was last sent to be stored
}

func newCache() *cache.Cache[string, cachedSession] {
	return cache.New[string, cachedSession](cacheSize)
}

func (e cachedSession) fresh(now time.Time) bool { return now.Sub(e.read) < cacheAge }
