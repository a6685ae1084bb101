package pgserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
)

// One cluster serves all tests of a process: making a cluster takes a second
// or two, making a database in it some milliseconds.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

// Default returns the cluster of this process and starts it when first asked.
// A failed start is remembered, so that a hundred tests fail at once and not
// one after the other. The process must end through Main, which stops it.
func Default(ctx context.Context) (*Server, error) {
	shared.once.Do(func() {
		// Every later caller gets this cluster, so the first one's
		// cancellation must not decide about it.
		// Tests kill processes, never the machine, so PostgreSQL need not wait for a
		// disk. Its databases exist for seconds: autovacuum would take a tenth of the
		// time, and change statistics at random moments. In memory, because making and removing some hundred
		// files for each database took a sixth of what tests of the whole site cost.
		shared.server, shared.err = Start(context.WithoutCancel(ctx), Options{parent: inMemory(), Settings: map[string]string{
			"fsync": "off", "full_page_writes": "off", "max_wal_size": "4GB", "checkpoint_timeout": "1h", "autovacuum": "off",
		}})
	})
	return shared.server, shared.err
}

// Main is for TestMain: it runs the tests, stops the cluster if one of them
// started it, and returns the exit code.
//
//	func TestMain(m *testing.M) { os.Exit(pgserver.Main(m.Run)) }
func Main(run func() int) (code int) {
	defer func() {
		// A goroutine that outlives the tests must not start one now.
		shared.once.Do(func() { shared.err = errors.New("pgserver: the tests are over") })
		if shared.server == nil {
			return
		}
		if err := shared.server.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}()
	return run()
}

// TempDB makes a database with a new name, as a copy of template or
// empty if template is "". drop removes it and throws out open connections.
func (s *Server) TempDB(ctx context.Context, template string) (dsn string, drop func(), err error) {
	name := fmt.Sprintf("temp_%d", s.tempDBs.Add(1))
	if err := s.CreateDB(ctx, name, template); err != nil {
		return "", nil, err
	}
	drop = func() {
		// The test's own context is often over by now.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopLimit)
		defer cancel()
		// The cluster may have been killed on purpose, and Stop removes the
		// database in any case.
		_ = s.DropDB(ctx, name)
	}
	return s.DSN(name), drop, nil
}
