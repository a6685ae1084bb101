// Package pgserver runs a private PostgreSQL for tests and benchmarks.
//
// Start makes a new cluster with initdb in a separate directory and starts postgres on a
// free port of 127.0.0.1. It uses no socket file, no system service and no existing cluster.
// The settings that make a commit durable stay on, so that crash tests and benchmarks are
// valid for real installations.
//
// A cluster ends in one of three ways: Stop (shut down and remove everything), Kill (crash,
// data kept), or the death of the process that started it, after which a guard removes the
// rest.
//
// PostgreSQL refuses to run as root, so root starts it as another user.
package pgserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/bifolia/bifolia/internal/platform/pgprograms"
)

const (
	superuser = "postgres"

	// startLimit bounds a start whose context has no deadline: long enough for recovery
	// after a crash under load, short enough for a build.
	startLimit = 2 * time.Minute

	// stopLimit is the time limit of a fast shutdown; then it is forced.
	stopLimit = 30 * time.Second
)

// Options are the options of Start. The zero value is a durable cluster in a temporary
// directory on a free port.
type Options struct {
	// Dir is the directory of the data and the log. It may exist, but must not contain a
	// cluster. Empty means a new temporary directory.
	Dir string

	// Settings are added to postgresql.conf. fsync, synchronous_commit and
	// full_page_writes are on unless they are turned off here by name.
	Settings map[string]string

	// Keep leaves the data in Dir when the cluster ends in any way, and reuses an existing
	// cluster, with the settings of its first start.
	Keep bool

	// parent holds the temporary directory; empty means the system's.
	parent string
}

// Server is one running or stopped cluster. Its methods may be called from
// several goroutines.
type Server struct {
	bin      string // where initdb and postgres are
	base     string // holds data and log
	data     string
	log      string
	madeBase bool // base did not exist before Start
	keep     bool // the data stays
	found    bool // the data was there
	account  *syscall.Credential
	port     int
	guard    *guard
	tempDBs  atomic.Int64

	mu      sync.Mutex // guards the fields below
	proc    *process   // nil if not running
	removed bool
}

// Start makes a cluster and returns when it accepts connections. The context
// bounds the start only: the cluster runs until Stop, or until this process ends.
func Start(ctx context.Context, opts Options) (*Server, error) {
	bin, err := pgprograms.Find(os.Getenv, "initdb", "postgres")
	if err != nil {
		return nil, err
	}
	ctx, cancel := withLimit(ctx)
	defer cancel()

	s := &Server{bin: bin, keep: opts.Keep}
	if err := s.makeDirs(opts); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	if err := s.create(ctx, opts); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (s *Server) create(ctx context.Context, opts Options) error {
	var err error
	if s.guard, err = startGuard(s.data, s.leftovers()); err != nil {
		return err
	}
	if !s.found {
		if err := s.initdb(ctx); err != nil {
			return err
		}
		if err := s.configure(opts.Settings); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.launchFirst(ctx)
}

// Restart starts the cluster again on the same data and port after Kill, and
// returns when recovery is over and it accepts connections. A running cluster is
// shut down first. Refused after Stop, which leaves no data.
func (s *Server) Restart(ctx context.Context) error {
	ctx, cancel := withLimit(ctx)
	defer cancel()

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed {
		return errors.New("pgserver: the cluster was stopped and its data removed")
	}
	if err := s.shutdown(); err != nil {
		return err
	}
	return s.launch(ctx)
}

// Kill crashes the cluster: the postmaster and every backend get SIGKILL at once, so that
// nothing is flushed, rolled back or closed. It returns when all of them are gone.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc == nil {
		return nil
	}
	err := s.proc.crash()
	s.proc = nil
	return err
}

// Stop shuts the cluster down and removes everything that Start made, except data to keep.
// It may be called more than once.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.shutdown()
	s.guard.stop()
	if s.removed {
		return err
	}
	s.removed = true
	freeSharedMemory(s.data)
	return errors.Join(err, s.remove())
}

// shutdown needs s.mu.
func (s *Server) shutdown() error {
	if s.proc == nil {
		return nil
	}
	err := s.proc.end(stopLimit)
	s.proc = nil
	return err
}

// DSN is the address of a database in this cluster.
func (s *Server) DSN(db string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", superuser, s.port, url.PathEscape(db))
}

// Port is the port on 127.0.0.1. It stays the same through Restart.
func (s *Server) Port() int { return s.port }

// PgBench is the path of pgbench. Refused where the PostgreSQL in use comes
// without it and PATH has none.
func (s *Server) PgBench() (string, error) {
	for _, name := range []string{filepath.Join(s.bin, "pgbench"), "pgbench"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("pgbench was not found in %s or in PATH: install PostgreSQL's client programs (apt install postgresql-contrib, brew install postgresql)", s.bin)
}

// Query runs SQL on a new connection and returns the rows of all its statements as text; NULL
// is the empty string.
func (s *Server) Query(ctx context.Context, db, sql string) (rows [][]string, err error) {
	conn, err := pgconn.Connect(ctx, s.DSN(db))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	results, err := conn.Exec(ctx, sql).ReadAll()
	for _, r := range results {
		for _, values := range r.Rows {
			row := make([]string, len(values))
			for i, v := range values {
				row[i] = string(v)
			}
			rows = append(rows, row)
		}
	}
	return rows, err
}

func quoteIdent(name string) string { return pgx.Identifier{name}.Sanitize() }

// CreateDB makes a database as a copy of template, or an empty one if
// template is "". Refused if the name is taken or the template is in use.
func (s *Server) CreateDB(ctx context.Context, name, template string) error {
	sql := "CREATE DATABASE " + quoteIdent(name)
	if template != "" {
		sql += " TEMPLATE " + quoteIdent(template)
	}
	_, err := s.Query(ctx, superuser, sql)
	return err
}

// DropDB removes a database and ends its connections. A missing database is not an error.
func (s *Server) DropDB(ctx context.Context, name string) error {
	_, err := s.Query(ctx, superuser, "DROP DATABASE IF EXISTS "+quoteIdent(name)+" WITH (FORCE)")
	return err
}

// leftovers lists the files that Start makes and that are not kept.
func (s *Server) leftovers() []string {
	if s.keep {
		return nil
	}
	if s.madeBase {
		return []string{s.base}
	}
	return []string{s.data, s.log}
}

func (s *Server) remove() error {
	var errs []error
	for _, path := range s.leftovers() {
		if path != "" {
			errs = append(errs, os.RemoveAll(path))
		}
	}
	return errors.Join(errs...)
}

func withLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, startLimit)
}
