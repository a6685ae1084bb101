package pgserver

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestDefaultIsOne(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the first caller's end is not the cluster's
	servers := make([]*Server, 4)
	var wg sync.WaitGroup
	for i := range servers {
		wg.Go(func() {
			var err error
			if servers[i], err = Default(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, s := range servers[1:] {
		if s != servers[0] {
			t.Error("there are several")
		}
	}
}

func TestTempDB(t *testing.T) {
	s, err := Default(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CreateDB(t.Context(), `odd "name"`, ""); err != nil {
		t.Fatal(err)
	}
	query(t, s, `odd "name"`, "CREATE TABLE pattern AS SELECT 7 AS n")
	err = s.CreateDB(t.Context(), `odd "name"`, "")
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "42P04" {
		t.Errorf("the same name again: %v", err)
	}

	var wg sync.WaitGroup
	for range 4 { // several copies of one template at once, as parallel tests do
		wg.Go(func() {
			dsn, drop, err := s.TempDB(context.Background(), `odd "name"`)
			if err != nil {
				t.Error(err)
				return
			}
			drop()
			drop()
			if dsn == "" {
				t.Error("no DSN")
			}
		})
	}
	wg.Wait()

	dsn, drop, err := s.TempDB(t.Context(), `odd "name"`)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	if dsn != s.DSN(name) {
		t.Errorf("dsn is %s, want %s", dsn, s.DSN(name))
	}
	if rows := query(t, s, name, "SELECT n FROM pattern"); rows[0][0] != "7" {
		t.Errorf("the copy holds %v", rows)
	}
	drop()
	if _, err := s.Query(t.Context(), name, "SELECT 1"); !errors.As(err, &refused) || refused.Code != "3D000" {
		t.Errorf("after drop: %v", err)
	}
	if err := s.DropDB(t.Context(), `odd "name"`); err != nil {
		t.Error(err)
	}
}
