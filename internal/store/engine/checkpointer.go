package engine

import (
	"context"
	"database/sql"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// checkpointer moves the write-ahead log into the database on a separate connection:
// passively while commits continue, and when the log has grown past a limit, by making the
// next commit restart it. The log's file keeps its size, because a durable overwrite is
// three times as fast as an append; only a very large file is truncated.
type checkpointer struct {
	path    string
	db      *sql.DB
	work    chan struct{}
	quit    chan struct{}
	done    chan struct{}
	stopped sync.Once
	moved   atomic.Pointer[func()] // told that what was committed is in the database itself
}

const (
	walPause   = time.Second
	walRest    = 2 // rounds
	walRestart = 64 << 20
	walCut     = 256 << 20
	walFrame   = pageSize + 24
)

func startCheckpointer(path string) *checkpointer {
	db, err := sql.Open("sqlite", sqliteAddress(path, checkpointPatience))
	if err != nil {
		return nil // Open has just succeeded with the same address
	}
	db.SetMaxOpenConns(1)
	c := &checkpointer{path: path, db: db, work: make(chan struct{}, 1), quit: make(chan struct{}), done: make(chan struct{})}
	go c.run()
	return c
}

// poke says that something was committed.
func (c *checkpointer) poke() {
	select {
	case c.work <- struct{}{}:
	default:
	}
}

func (c *checkpointer) run() {
	defer close(c.done)
	rest := 0 // rounds for which the log only grows, because somebody still reads it
	for {
		select {
		case <-c.quit:
			return
		case <-c.work:
		}
		frames, _ := c.Checkpoint("PASSIVE")
		mode := ""
		switch {
		case rest > 0:
			rest--
		case c.fileSize() > walCut:
			mode = "TRUNCATE"
		case frames*walFrame > walRestart:
			mode = "RESTART"
		}
		if mode != "" {
			if _, busy := c.Checkpoint(mode); busy {
				rest = walRest
			}
		}
		if f := c.moved.Load(); f != nil {
			(*f)()
		}
		select {
		case <-c.quit:
			return
		case <-time.After(walPause):
		}
	}
}

// OnCheckpoint has f called after each time that what was committed was moved out of
// the write-ahead log. f must not block. PostgreSQL does that by itself, unasked.
func (db *DB) OnCheckpoint(f func()) {
	if db.Checkpointer != nil {
		db.Checkpointer.moved.Store(&f)
	}
}

func (c *checkpointer) fileSize() int64 {
	info, err := os.Stat(c.path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}

// Checkpoint gives how many frames the log holds, and whether somebody was in the
// way. Its errors are left: a full disk or a busy log is tried again, and no commit
// depends on it.
func (c *checkpointer) Checkpoint(mode string) (frames int64, busy bool) {
	var blocked, moved int64
	err := c.db.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint("+mode+")").Scan(&blocked, &frames, &moved)
	return frames, err != nil || blocked != 0
}

func (c *checkpointer) stop() {
	c.stopped.Do(func() {
		close(c.quit)
		<-c.done
		c.Checkpoint("PASSIVE")
		_ = c.db.Close()
	})
}
