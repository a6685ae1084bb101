package app

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMissingAnchorIsReportedUntilANewOneIsMade(t *testing.T) {
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

// An older copy, or a database whose write-ahead log is gone, is written to by nothing,
// whatever else is wrong: new batches would take the numbers of the missing ones.
func TestDatabaseThatEndsBeforeItsAnchorIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		head := headOf(t, dsn)
		lost := audit.Anchor{Batch: head.Batch + 7, Seq: head.Seq + 7, Hash: head.Hash, At: s.clock.Now()}
		if err := errors.Join(audit.WriteLast(s.cfg.AnchorFile, 0, lost), audit.WriteLast(s.cfg.AnchorFile, 1, lost)); err != nil {
			t.Fatal(err)
		}
		gap := fmt.Sprintf("batches %d to %d are missing", head.Batch+1, lost.Batch)
		for name, start := range map[string]func() error{
			"serve":   func() error { return notOpened(New(t.Context(), s.cfg, testkit.Log())) },
			"command": func() error { return notOpened(Open(t.Context(), s.cfg, testkit.Log())) },
			"place":   func() error { return CheckPlace(t.Context(), s.cfg) },
			"migrate": func() error { _, _, err := Migrate(t.Context(), s.cfg); return err },
			"verify":  func() error { _, err := Verify(t.Context(), s.cfg, true, nil); return err },
		} {
			if err := start(); err == nil || !strings.Contains(err.Error(), gap) || (name != "verify" && !strings.Contains(err.Error(), "bifolia verify --new-anchor")) {
				t.Errorf("%s: %v", name, err)
			}
			if now := headOf(t, dsn); now != head {
				t.Errorf("%s has written: %+v, was %+v", name, now, head)
			}
		}
		if _, err := VerifyWith(t.Context(), s.cfg, VerifyOptions{NewAnchor: true}); err != nil {
			t.Fatal(err)
		}
		a := cheapApp(t, s.cfg, s.clock)
		if h, err := a.Health(t.Context()); err != nil || h.Frozen != "" || h.Anchor != "" || h.Held.Message == "" {
			t.Errorf("once the loss is accepted: %+v, %v", h, err)
		}
	})
}

func TestExchangedDatabaseIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		head := l.State().Head
		l.Close()
		again := ledger.Start(ledger.Options{
			Store: l.DB.Ledger(), Signer: l.Signer, Clock: l.Clock, Log: testkit.Log(), Holder: "again",
			Whole: func(ends int64) error {
				return errs.New(errs.Refused, "test.error", "it ends at batch {batch}", "batch", ends)
			},
		})
		defer again.Close()
		testkit.WaitUntil(t, "the ledger refuses to lead", func() bool {
			err := again.State().Err
			return err != nil && strings.Contains(err.Error(), "it ends at batch")
		})
		if again.State().Leading {
			t.Errorf("it leads: %+v", again.State())
		}
		if now := headOf(t, dsn); now.Epoch != head.Epoch {
			t.Errorf("it has written: epoch %d, was %d", now.Epoch, head.Epoch)
		}
	})
}

func headOf(t *testing.T, dsn string) ledger.Head {
	t.Helper()
	head, err := testkit.Open(t, dsn).Ledger().Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// notOpened closes what should not have opened.
func notOpened(a *App, err error) error {
	if a != nil {
		err = errors.Join(err, a.Close())
	}
	return err
}
