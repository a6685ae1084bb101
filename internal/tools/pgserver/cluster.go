package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// defaults are the settings of every cluster. The first three are PostgreSQL's own defaults,
// listed for readers of a benchmark.
var defaults = []string{
	"fsync = on",
	"synchronous_commit = on",
	"full_page_writes = on",
	"timezone = 'UTC'",
	"log_timezone = 'UTC'",
	"logging_collector = off",
}

const hba = "# TYPE  DATABASE     USER  ADDRESS       METHOD\nhost    all          all   127.0.0.1/32  trust\nhost    replication  all   127.0.0.1/32  trust\n"

// initdb makes the cluster without syncing it to disk, which halves the time: a power loss
// here only loses a test.
func (s *Server) initdb(ctx context.Context) error {
	p, err := s.run("initdb",
		"-D", s.data, "-U", superuser, "-A", "trust",
		"--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
	if err != nil {
		return err
	}
	select {
	case <-p.exited:
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("pgserver: initdb: %w", ctx.Err()), p.crash())
	}
	if p.err != nil {
		return fmt.Errorf("pgserver: initdb failed: %w: %s", p.err, s.logTail(0))
	}
	return nil
}

func (s *Server) configure(settings map[string]string) error {
	lines := slices.Clone(defaults)
	for _, name := range slices.Sorted(maps.Keys(settings)) { // after the defaults: the last line wins
		lines = append(lines, name+" = '"+strings.ReplaceAll(settings[name], "'", "''")+"'")
	}
	f, err := os.OpenFile(filepath.Join(s.data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("pgserver: %w", err)
	}
	_, err = f.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("pgserver: %w", err)
	}
	// The file exists already, so its owner and mode stay as initdb set them.
	if err := os.WriteFile(filepath.Join(s.data, "pg_hba.conf"), []byte(hba), 0o600); err != nil {
		return fmt.Errorf("pgserver: %w", err)
	}
	return nil
}

var errPortTaken = errors.New("pgserver: the port is taken")

// launchFirst finds a port and starts the cluster on it. If another process takes the free
// port first, it finds another. The caller holds s.mu.
func (s *Server) launchFirst(ctx context.Context) error {
	var err error
	for range 8 {
		if s.port, err = freePort(ctx); err != nil {
			return err
		}
		if err = s.launch(ctx); !errors.Is(err, errPortTaken) {
			return err
		}
	}
	return err
}

// freePort picks a port below the range of the system's ephemeral ports: otherwise a client
// that retries during Kill could itself occupy the port that Restart needs.
func freePort(ctx context.Context) (int, error) {
	const low, high = 15000, 32000
	var err error
	for range 64 {
		port := low + rand.IntN(high-low)
		var l net.Listener
		if l, err = new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, fmt.Errorf("pgserver: no free port on 127.0.0.1: %w", err)
}

// launch starts postgres and waits until it answers. The caller holds s.mu.
func (s *Server) launch(ctx context.Context) error {
	from := s.logSize()
	// Arguments on the command line override postgresql.conf.
	p, err := s.run("postgres",
		"-D", s.data,
		"-p", strconv.Itoa(s.port),
		"-c", "listen_addresses=127.0.0.1",
		"-c", "unix_socket_directories=")
	if err != nil {
		return err
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := s.answers(ctx)
		if err == nil {
			s.proc = p
			return nil
		}
		select {
		case <-p.exited:
			tail := s.logTail(from)
			if strings.Contains(tail, "could not bind") {
				return fmt.Errorf("%w: %d on 127.0.0.1", errPortTaken, s.port)
			}
			return fmt.Errorf("pgserver: postgres did not start (%v): %s", p.cmd.ProcessState, tail)
		case <-ctx.Done():
			tail := s.logTail(from)
			return errors.Join(fmt.Errorf("pgserver: postgres is not ready: %w (%w): %s", ctx.Err(), err, tail), p.crash())
		case <-tick.C:
		}
	}
}

// answers queries the data directory, because the cluster of another process may have taken
// the port.
func (s *Server) answers(ctx context.Context) error {
	// Another program on the port may accept the connection and not answer.
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	rows, err := s.Query(ctx, superuser, "SHOW data_directory")
	if err != nil {
		return err
	}
	if len(rows) != 1 || len(rows[0]) != 1 || rows[0][0] != s.data {
		return fmt.Errorf("pgserver: port %d belongs to another cluster", s.port)
	}
	return nil
}

func (s *Server) logSize() int64 {
	info, err := os.Stat(s.log)
	if err != nil {
		return 0
	}
	return info.Size()
}

// logTail returns the end of the log after from, for an error message.
func (s *Server) logTail(from int64) string {
	const limit = 2000
	f, err := os.Open(s.log)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = f.Close() }()
	from = max(from, s.logSize()-limit)
	text, err := io.ReadAll(io.NewSectionReader(f, from, limit))
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}
