package core_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// when is a time n microseconds after the clocks of tests start.
func when(n int) time.Time { return testkit.Epoch.Add(time.Duration(n) * time.Microsecond) }

func TestAnEntryIsReadBackWithEveryColumn(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.AuditLog(), s.T.Context()
		last := func(tx *ledger.Tx, want auditlog.Entry) {
			s.T.Helper()
			no, hash, err := store.Last(s.T.Context(), tx)
			s.Same("the last number", s.Read(no, err), want.No)
			s.Same("the last hash", hash, want.Hash)
		}
		first, second := testkit.Full[auditlog.Entry](1), testkit.Full[auditlog.Entry](2)
		first.No, second.No, second.Shown = 1, 2, false
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			last(tx, auditlog.Entry{})
			err := errors.Join(store.Add(ctx, tx, first), store.Add(ctx, tx, second))
			last(tx, second)
			last(nil, auditlog.Entry{})
			return err
		})
		last(nil, second)
		all := []auditlog.Entry{first, second}
		each := func() (got []auditlog.Entry) {
			s.Read(nil, store.Each(ctx, func(e auditlog.Entry) error {
				got = append(got, e)
				return nil
			}))
			return got
		}
		s.Same("each", each(), all)
		stop := errors.New("stop")
		if err := store.Each(ctx, func(auditlog.Entry) error { return stop }); !errors.Is(err, stop) {
			s.T.Errorf("an error of the caller: %v", err)
		}
		s.Duplicate("the same number", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.Add(ctx, tx, second) }))
		for _, query := range []string{"UPDATE trail SET reason = 'x'", "DELETE FROM trail"} {
			if s.Try(func(ctx context.Context, tx *ledger.Tx) error {
				_, err := tx.Rows().(testkit.Rows).Exec(ctx, query)
				return err
			}) == nil {
				s.T.Errorf("%s: it is done", query)
			}
		}
		s.Same("after the errors", each(), all)
	})
}

func TestEntriesAreListedByEveryFilter(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store := s.DB.AuditLog()
		var all []auditlog.Entry
		for i := range 24 {
			e := testkit.Full[auditlog.Entry](int64(i + 1))
			e.No, e.Operator, e.Member, e.Act, e.Shown, e.At = int64(i+1), int64(i%3), int64(i%4), []string{"block", "unblock"}[i%2], i%5 == 0, when(i/2)
			all = append(all, e)
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for _, e := range all {
				err = errors.Join(err, store.Add(ctx, tx, e))
			}
			return err
		})
		slices.Reverse(all)
		for _, f := range []auditlog.Filter{
			{},
			{Operator: 1},
			{Member: 2},
			{Operator: 2, Member: 3},
			{Act: "block"},
			{Act: "unblock", Member: 1},
			{Act: "block", Operator: 1},
			{Act: "block", Operator: 1, Member: 2, Shown: true},
			{Shown: true},
			{From: when(3)},
			{To: when(3)},
			{From: when(3), To: when(5)},
			{Before: 7},
			{Before: 7, Member: 1},
			{Operator: 9},
		} {
			var want []auditlog.Entry
			for _, e := range all {
				if (f.Operator == 0 || e.Operator == f.Operator) && (f.Member == 0 || e.Member == f.Member) && (f.Act == "" || e.Act == f.Act) && (!f.Shown || e.Shown) &&
					(f.From.IsZero() || !e.At.Before(f.From)) && (f.To.IsZero() || e.At.Before(f.To)) && (f.Before == 0 || e.No < f.Before) {
					want = append(want, e)
				}
			}
			for _, f.Limit = range []int{1, 2, 100} {
				s.Same("entries", s.Read(store.List(s.T.Context(), f)), want[:min(f.Limit, len(want))])
			}
		}
	})
}

func TestTheLatestActOfAKindIsFound(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store := s.DB.AuditLog()
		act := func(id, kind, subject string, at int) auditlog.Act {
			a := testkit.Full[auditlog.Act](int64(at))
			a.ID, a.Kind, a.Subject, a.At = id, kind, subject, when(at)
			return a
		}
		all := []auditlog.Act{act("a", "block", "7", 2), act("b", "block", "7", 3), act("c", "block", "7", 1), act("d", "unblock", "7", 9), act("e", "block", "8", 9)}
		s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for _, a := range all {
				err = errors.Join(err, store.AddAct(ctx, tx, a))
			}
			s.Missing(store.LastAct(ctx, tx, "block", "9"))
			s.Missing(store.LastAct(ctx, tx, "unblock", "8"))
			return err
		})
		last := func() error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error {
				a, found, err := store.LastAct(ctx, tx, "block", "7")
				if err == nil {
					s.Same("the latest", s.Found(a, found, nil), auditlog.Act{ID: "b", Kind: "block", Subject: "7", Operator: all[1].Operator, Name: all[1].Name})
				}
				return err
			})
		}
		s.Read(nil, last())
		s.Duplicate("the same act", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.AddAct(ctx, tx, all[0]) }))
		raw := testkit.Raw(s.T, s.DSN)
		for i, a := range all {
			var got auditlog.Act
			var amount, at int64
			s.Read(nil, raw.QueryRow("SELECT kind, subject, amount, reference, operator, name, at FROM operator_act WHERE id = $1", a.ID).Scan(&got.Kind, &got.Subject, &amount, &got.Reference, &got.Operator, &got.Name, &at))
			got.ID, got.Amount, got.At = a.ID, money.Micro(amount), time.UnixMicro(at).UTC()
			a.Member, a.Shown, a.Was, a.Became = 0, false, "", "" // these are of the entry alone
			s.Same("a stored act", got, a)
			all[i] = a
		}
		s.Exec("UPDATE operator_act SET operator = operator + 1 WHERE id = 'b'")
		s.Tampered("a changed act", last())
	})
}

func TestSealsAreTheAnswersOfAnActor(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		answer := func(actor, key, text string) {
			if _, err := s.Do(s.T.Context(), ledger.Command{Actor: actor, Key: key, Run: func(context.Context, *ledger.Tx) ([]byte, error) { return []byte(text), nil }}); err != nil {
				s.T.Fatal(err)
			}
		}
		answer("seal", "1", "one")
		answer("seal", "2", "two")
		answer("another", "1", "three")
		var got []string
		s.Read(nil, s.DB.AuditLog().Seals(s.T.Context(), "seal", func(answer []byte) error {
			got = append(got, string(answer))
			return nil
		}))
		slices.Sort(got)
		s.Same("seals", got, []string{"one", "two"})
		stop := errors.New("stop")
		if err := s.DB.AuditLog().Seals(s.T.Context(), "seal", func([]byte) error { return stop }); !errors.Is(err, stop) {
			s.T.Errorf("an error of the caller: %v", err)
		}
	})
}
