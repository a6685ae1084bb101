package pgserver

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestQuery(t *testing.T) {
	s, err := Default(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows := query(t, s, "postgres", "SELECT n, NULL, 'ü' || n FROM generate_series(1, 2) n; SELECT 'x'")
	if got := fmt.Sprintf("%q", rows); got != `[["1" "" "ü1"] ["2" "" "ü2"] ["x"]]` {
		t.Errorf("got %s", got)
	}
	if rows := query(t, s, "postgres", ""); len(rows) != 0 {
		t.Errorf("the empty query: %v", rows)
	}
	var refused *pgconn.PgError
	if _, err := s.Query(t.Context(), "postgres", "SELECT 1/0"); !errors.As(err, &refused) || refused.Code != "22012" || refused.Message != "division by zero" || refused.Severity != "ERROR" {
		t.Errorf("got %v", err)
	}
	if _, err := s.Query(t.Context(), "postgres", "SELECT '\x00'"); err == nil {
		t.Error("the zero byte was not refused")
	}
}

func TestQueryEndsWithItsContext(t *testing.T) {
	s, err := Default(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := s.Query(ctx, "postgres", "SELECT pg_sleep(20)"); err == nil || time.Since(began) > 10*time.Second {
		t.Errorf("got %v after %s", err, time.Since(began))
	}
}
