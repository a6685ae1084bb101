package store

import (
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// When SQLite splits a page it lets pages of a tree change numbers, so that they
// stay in order in the file, and parks one of them meanwhile under a number that
// no page ever has. Its table of pages keeps that number for the highest it holds:
// the commit then believes that there are pages beyond the file's end, and looks
// through every page in memory for them. Groups of transfers split pages all the time,
// so that this was up to a fifth of the server's work, in a file of up to one GiB.
//
// Here the parked number is not kept. Nothing else differs: the page gets its real
// number two steps later, and neither step can fail.

type rekeyFunc = func(tls *libc.TLS, cache, page uintptr, from, to uint32)

var (
	usualRekey      rekeyFunc // SQLite's own
	commitsAreQuick = quickCommits()
)

// pendingByte is where the locks of a file are: the page around it is never used.
const pendingByte = 1 << 30

// quickCommits must come before the first connection. If SQLite does not take it,
// commits are slower and otherwise the same.
func quickCommits() bool {
	tls := libc.NewTLS()
	defer tls.Close()
	methods := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(sqlite3.Tsqlite3_pcache_methods2{})))
	args := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(methods)))
	if methods == 0 || args == 0 {
		return false
	}
	defer libc.Xfree(tls, methods)
	defer libc.Xfree(tls, args)
	if sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_GETPCACHE2, libc.VaList(args, methods)) != sqlite3.SQLITE_OK {
		return false
	}
	m := at[sqlite3.Tsqlite3_pcache_methods2](methods)
	usualRekey = *(*rekeyFunc)(unsafe.Pointer(&m.FxRekey)) //nolint:gosec // SQLite's own memory, which does not move
	rekey := quickRekey
	m.FxRekey = *(*uintptr)(unsafe.Pointer(&rekey)) //nolint:gosec // SQLite's own memory, which does not move
	return sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_PCACHE2, libc.VaList(args, methods)) == sqlite3.SQLITE_OK
}

func quickRekey(tls *libc.TLS, cache, page uintptr, from, to uint32) {
	c := at[sqlite3.TPCache1](cache)
	highest := c.FiMaxKey
	usualRekey(tls, cache, page, from, to)
	if to == parked(c) {
		c.FiMaxKey = highest
	}
}

// parked is the number of the page that is never used.
func parked(c *sqlite3.TPCache1) uint32 { return pendingByte/uint32(c.FszPage) + 1 } // 512 to 65,536

// at is what SQLite has at an address: memory of its own, which does not move.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) } //nolint:gosec // SQLite's own memory, which does not move
