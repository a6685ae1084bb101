package pgserver

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Standby makes a copy of a running cluster that follows it as a hot standby, and
// returns when it streams. The cluster's commits do not wait for it until
// Synchronous.
func (s *Server) Standby(ctx context.Context) (*Server, error) {
	ctx, cancel := withLimit(ctx)
	defer cancel()
	standby := &Server{bin: s.bin}
	if err := standby.makeDirs(Options{parent: inMemory()}); err != nil {
		return nil, errors.Join(err, standby.remove())
	}
	if err := standby.follow(ctx, s); err != nil {
		return nil, errors.Join(err, standby.Stop())
	}
	return standby, nil
}

func (s *Server) follow(ctx context.Context, primary *Server) (err error) {
	if s.guard, err = startGuard(s.data, s.leftovers()); err != nil {
		return err
	}
	p, err := s.run("pg_basebackup", "-D", s.data, "--write-recovery-conf", "--checkpoint=fast", "--no-sync", "-d",
		fmt.Sprintf("host=127.0.0.1 port=%d user=%s application_name=standby", primary.port, superuser))
	if err != nil {
		return err
	}
	select {
	case <-p.exited:
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("pgserver: pg_basebackup: %w", ctx.Err()), p.crash())
	}
	if p.err != nil {
		return fmt.Errorf("pgserver: pg_basebackup failed: %w: %s", p.err, s.logTail(0))
	}
	s.mu.Lock()
	err = s.launchFirst(ctx, 0)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return primary.until(ctx, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")
}

// Synchronous makes every commit wait for a standby, and returns when one is in
// step.
func (s *Server) Synchronous(ctx context.Context) error {
	for _, sql := range []string{"ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"} {
		if _, err := s.Query(ctx, superuser, sql); err != nil {
			return err
		}
	}
	return s.until(ctx, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
}

// Promote makes a standby a primary whose commits wait for nobody.
func (s *Server) Promote(ctx context.Context) error {
	for _, sql := range []string{"SELECT pg_promote(true)", "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()"} {
		if _, err := s.Query(ctx, superuser, sql); err != nil {
			return err
		}
	}
	return s.until(ctx, "SELECT 1 WHERE current_setting('synchronous_standby_names') = ''")
}

// until waits until a question has an answer.
func (s *Server) until(ctx context.Context, sql string) error {
	for {
		rows, err := s.Query(ctx, superuser, sql)
		if err != nil || len(rows) > 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}
