package trade_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func TestAPlanIsValidFromItsDayUntilItIsCancelled(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		s.Is([]byte{}, false)(store.Plan(t.Context(), nil, 9))
		versions := []closing.Version{{Name: "late", First: 30, Body: []byte(`{"n":1}`)}, {Name: "first", First: 10, Body: []byte(`{"n":2}`)}, {Name: "again", First: 10, Body: []byte(`{"n":3}`)}, {Name: "next", First: 20, Body: []byte(`{"n":4}`)}}
		write(s, add(versions, func(ctx context.Context, tx *ledger.Tx, v closing.Version) error {
			return store.AddPlan(ctx, tx, v.Name, v.First, v.Body, testkit.Epoch)
		}))
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error {
			return store.AddPlan(ctx, tx, "next", 40, []byte("x"), testkit.Epoch)
		})
		cancel := func(version string) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error {
				return store.CancelPlan(ctx, tx, version, testkit.Epoch)
			}
		}
		hold := func(versions []closing.Version, byDay map[plan.Day]string) {
			t.Helper()
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				for day, body := range byDay {
					s.Is([]byte(body), body != "")(store.Plan(ctx, tx, day))
				}
				s.Is(versions)(store.Versions(ctx, tx))
			})
			s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
				s.Is(versions)(m.Versions(t.Context()))
				return nil
			}))
		}
		hold([]closing.Version{versions[1], versions[2], versions[3], versions[0]}, map[plan.Day]string{9: "", 10: `{"n":3}`, 19: `{"n":3}`, 20: `{"n":4}`, 29: `{"n":4}`, 30: `{"n":1}`, 99: `{"n":1}`})
		write(s, cancel("again"), cancel("late"))
		s.Refused(cancel("late"))
		s.Refused(cancel("nothing"))
		hold([]closing.Version{versions[1], versions[3]}, map[plan.Day]string{9: "", 10: `{"n":2}`, 99: `{"n":4}`})
	})
}

func TestAPlanProposalIsReadBackUnchanged(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		alone := func(p *closing.PlanProposal) { p.Alone = "demo" }
		all := []closing.PlanProposal{testkit.Full(3, alone), testkit.Full(2, alone), testkit.Full(1, alone)}
		all[0].At = all[1].At // of two of one moment the names decide
		all[0].Name, all[1].Name = "a", "b"
		put := func(p closing.PlanProposal) {
			t.Helper()
			write(s, func(ctx context.Context, tx *ledger.Tx) error { return store.SetPlanProposal(ctx, tx, p) })
		}
		for _, p := range all {
			put(p)
		}
		is := func() {
			t.Helper()
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				s.Is(all)(store.PlanProposals(ctx, tx))
				for _, p := range all {
					s.Is(p, true)(store.PlanProposal(ctx, tx, p.Name))
				}
				s.Is(closing.PlanProposal{}, false)(store.PlanProposal(ctx, tx, "nothing"))
			})
		}
		is()
		now := testkit.Full(9, func(p *closing.PlanProposal) { p.Name, p.Alone = all[1].Name, "command line" })
		put(now)
		was := all[1]
		all[1] = now
		all[1].Version, all[1].By, all[1].ByName, all[1].At, all[1].Reason = was.Version, was.By, was.ByName, was.At, was.Reason
		is()
	})
}

func TestAClosedDayIsReadWithItsProposal(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, ctx := s.DB.Closing(), t.Context()
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) { s.Is(plan.Day(0), false)(store.LastDay(ctx, tx)) })
		var days []closing.Closed
		for i := range 5 {
			days = append(days, testkit.Full(int64(i+1), func(d *closing.Closed) { d.Day = plan.Day(10 + i) }))
		}
		write(s, add([]closing.Closed{days[1], days[0], days[4], days[2], days[3]}, store.AddDay))
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.AddDay(ctx, tx, days[2]) })
		proposal := testkit.Full(9, func(p *closing.Proposal) {
			p.Day, p.Alone, p.Approved, p.ApprovedName, p.ApprovedAt = 12, "demo", 0, "", time.Time{}
		})
		set := func(p closing.Proposal) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.SetProposal(ctx, tx, p) }
		}
		is := func(want closing.Proposal) {
			t.Helper()
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				s.Is(want, true)(store.Proposal(ctx, tx, 12))
				s.Is(closing.Proposal{}, false)(store.Proposal(ctx, tx, 13))
				s.Is(plan.Day(14), true)(store.LastDay(ctx, tx))
			})
			var listed []closing.ClosedBy // the latest first
			for _, d := range days {
				l := closing.ClosedBy{Closed: d}
				if d.Day == 12 {
					l.Proposal = closing.Proposal{Name: want.Name, ApprovedName: want.ApprovedName, Alone: want.Alone}
				}
				listed = append([]closing.ClosedBy{l}, listed...)
			}
			s.Is(listed)(store.Days(ctx, 0, 9))
			s.Is(listed[:2])(store.Days(ctx, 0, 2))
			s.Is(listed[2:4])(store.Days(ctx, 13, 2))
			s.Is(nil)(store.Days(ctx, 10, 9))
		}
		write(s, set(proposal))
		is(proposal)
		approved := testkit.Full(8, func(p *closing.Proposal) { p.Day, p.Alone = 12, "schedule" })
		write(s, set(approved))
		is(approved)
		s.Refused(set(proposal)) // the day is closed
		is(approved)
		for _, d := range days {
			d.Proposed, d.Approved = 0, 0
			s.Is(d, true)(store.ClosedDay(ctx, d.Day))
		}
		s.Is(closing.Closed{}, false)(store.ClosedDay(ctx, 77))
	})
}

func TestTheAnswerOfACloseIsReadByItsKey(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		for _, actor := range []string{"closing", "another"} {
			if _, err := s.Do(t.Context(), ledger.Command{Actor: actor, Key: "close 1970-01-11", Run: func(context.Context, *ledger.Tx) ([]byte, error) { return []byte("by " + actor), nil }}); err != nil {
				t.Fatal(err)
			}
		}
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is([]byte("by closing"), true)(s.DB.Closing().Answered(ctx, tx, "close 1970-01-11"))
			s.Is([]byte(nil), false)(s.DB.Closing().Answered(ctx, tx, "close 1970-01-12"))
		})
		write(s, add([]closing.Closed{{Day: 11, Plan: "p", Digest: "d"}, {Day: 10, Plan: "q", Digest: "e"}}, s.DB.Closing().AddDay))
		s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
			var days []closing.Closed
			var answers []string
			err := m.Closes(t.Context(), func(c closing.Closed, answer []byte) error {
				days, answers = append(days, c), append(answers, string(answer))
				return nil
			})
			s.Is([]closing.Closed{{Day: 10, Plan: "q", Digest: "e"}, {Day: 11, Plan: "p", Digest: "d"}}, []string{"by closing", ""})(days, answers, err)
			enough := errors.New("enough")
			if err := m.Closes(t.Context(), func(closing.Closed, []byte) error { return enough }); !errors.Is(err, enough) {
				t.Errorf("the caller's error is %v", err)
			}
			return nil
		}))
	})
}
