package app

import (
	"context"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestRewrittenSessionIsRefused(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		other := s.register(s.root.UID, tree.Left, "Ann Other")
		raw := testkit.Raw(t, dsn)
		for name, attack := range map[string]string{
			"another owner":     "owner = " + id(other),
			"an operator's":     "kind = 'operator', operator = 1",
			"a later end":       "expires_at = expires_at + 1",
			"another duty":      "must_change = 1 - must_change",
			"opened later":      "created_at = created_at + 1",
			"a visit's words":   "reason = 'helping'",
			"without its mark":  "seal = ''",
			"as another's mark": "seal = 'AAAAAAAAAAAAAAAAAAAAAA'",
		} {
			if _, err := raw.Exec("DELETE FROM session"); err != nil {
				t.Fatal(err)
			}
			c := s.login(s.root.UID, rootPassword)
			if _, err := raw.Exec("UPDATE session SET " + attack); err != nil {
				t.Fatal(err)
			}
			c.post("userDashboard", m{"uid": s.root.UID}).unauthenticated()
			if err := s.db.CheckSealed(t.Context()); err == nil || !strings.Contains(err.Error(), "session ") {
				t.Errorf("%s: verify says %v", name, err)
			}
		}
	})
}

func TestDroppedSessionCannotBePutBack(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	raw := testkit.Raw(t, s.dsn)
	c := s.login(s.root.UID, rootPassword)
	if _, err := raw.Exec("CREATE TABLE saved AS SELECT * FROM session"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ledger.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		var id string
		if err := raw.QueryRow("SELECT id FROM session").Scan(&id); err != nil {
			return nil, err
		}
		return nil, s.db.Auth().DropSession(ctx, tx, id)
	}}); err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec("INSERT INTO session SELECT * FROM saved"); err != nil {
		t.Fatal(err)
	}
	c.post("userDashboard", m{"uid": s.root.UID}).unauthenticated()
}

func TestEndedSessionCannotBePutBack(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		raw := testkit.Raw(t, dsn)
		c := s.login(s.root.UID, rootPassword)
		c.post("userDashboard", m{"uid": s.root.UID}).into(&m{})
		c.post("logout", nil).into(&m{})
		ended := func() {
			t.Helper()
			if _, err := raw.Exec("UPDATE session SET ended_at = 0"); err != nil {
				t.Fatal(err)
			}
			c.post("userDashboard", m{"uid": s.root.UID}).unauthenticated()
		}
		ended()
		if _, err := Verify(t.Context(), s.cfg, false, nil); err == nil || !strings.Contains(err.Error(), "stays ended") {
			t.Errorf("verify says %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s.App = cheapApp(t, s.cfg, s.clock) // an App with empty caches
		ended()
	})
}
