package app

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/ledger/audit"
	"github.com/bifolia/bifolia/internal/testkit"
)

func TestAMissingAnchorIsToldAndStaysMissingUntilAnOperatorMakesOne(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		file := s.cfg.AnchorFile
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if v, err := Verify(t.Context(), s.cfg, false, nil); err != nil || len(v.NoAnchor) > 0 {
			t.Fatalf("before: %+v, %v", v.NoAnchor, err)
		}
		if err := errors.Join(os.Remove(file), os.Remove(audit.LastFile(file))); err != nil {
			t.Fatal(err)
		}
		a := cheapApp(t, s.cfg, s.clock)
		h, err := a.Health(t.Context())
		if err != nil || !strings.Contains(h.Anchor, "missing") || h.Frozen != "" {
			t.Errorf("health: %+v, %v", h, err)
		}
		if _, err := VerifyWith(t.Context(), s.cfg, VerifyOptions{NewAnchor: true}); err == nil {
			t.Error("an anchor is made under a server that writes")
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if v, err := Verify(t.Context(), s.cfg, false, nil); err != nil || len(v.NoAnchor) != 2 {
			t.Errorf("verify: %+v, %v", v.NoAnchor, err)
		}
		if _, err := VerifyWith(t.Context(), s.cfg, VerifyOptions{NewAnchor: true}); err != nil {
			t.Fatal(err)
		}
		a = cheapApp(t, s.cfg, s.clock)
		if h, err := a.Health(t.Context()); err != nil || h.Anchor != "" {
			t.Errorf("with a new one: %+v, %v", h, err)
		}
		// Only the last head is gone, with which the end could be cut off.
		if err := errors.Join(a.Close(), os.Remove(audit.LastFile(file))); err != nil {
			t.Fatal(err)
		}
		if v, err := Verify(t.Context(), s.cfg, false, nil); err != nil || len(v.NoAnchor) != 1 {
			t.Errorf("verify: %+v, %v", v.NoAnchor, err)
		}
	})
}

func TestAnOlderCopyThatIsPutBackFreezesMoneyAtTheStart(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	path := strings.TrimPrefix(s.dsn, "sqlite:")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	older, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := cheapApp(t, s.cfg, s.clock)
	(&site{App: a, t: t, clock: s.clock, root: s.root}).login(s.root.UID, rootPassword)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path + "-wal")
	if err := os.WriteFile(path, older, 0o600); err != nil {
		t.Fatal(err)
	}
	s.clock.Advance(time.Minute)
	a = cheapApp(t, s.cfg, s.clock)
	gap, behind := a.Behind()
	h, err := a.Health(t.Context())
	if err != nil || !behind || gap.Anchored <= gap.Ends || !strings.Contains(h.Frozen, "are missing") || !strings.Contains(h.Anchor, "are missing") {
		t.Errorf("%+v, %+v, %v", gap, h, err)
	}
	if _, err := Verify(t.Context(), s.cfg, true, nil); err == nil { // it has written where others are missing
		t.Error("verify is content")
	}
}
