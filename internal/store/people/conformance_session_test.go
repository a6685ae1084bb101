package people_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// aSession is an open session of a kind and owner, created at a time.
func aSession(id string, kind auth.Kind, owner int64, created int) auth.Session {
	n := testkit.Full[auth.Session](int64(created))
	n.ID, n.Kind, n.Owner, n.Operator, n.Role, n.Ended = id, kind, owner, 0, "", time.Time{}
	n.Created, n.Seen, n.Expires = when(created), when(created+1), when(created+1000)
	return n
}

func addSessions(s *testkit.Stores, all ...auth.Session) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, n := range all {
			err = errors.Join(err, s.DB.Auth().AddSession(ctx, tx, n))
		}
		return err
	})
}

func ids(all []auth.Session) (out []string) {
	for _, n := range all {
		out = append(out, n.ID)
	}
	return out
}

func TestASessionIsReadBackWithTheRoleOfItsOperator(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		member := aSession("member", auth.KindMember, 7, 1)
		operator := aSession("operator", auth.KindOperator, 1, 2)
		visit := aSession("visit", auth.KindVisit, 7, 3)
		operator.Operator, visit.Operator, operator.MustChange = 1, 1, false
		o := anOperator(1, auth.RoleSupport)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := store.AddOperator(ctx, tx, o)
			return err
		})
		addSessions(s, member, operator, visit)
		operator.Role, visit.Role = auth.RoleSupport, auth.RoleSupport
		for _, want := range []auth.Session{member, operator, visit} {
			s.Same(want.ID, s.Found(store.Session(ctx, want.ID)), want)
		}
		s.Missing(store.Session(ctx, "unknown"))
		s.Duplicate("the same session", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.AddSession(ctx, tx, member) }))
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.EndOperator(ctx, tx, 1, when(9)) })
		visit.Role = ""
		s.Same("the operator has ended", s.Found(store.Session(ctx, "visit")), visit)
	})
}

func TestSessionsAreListedNewestFirst(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		first, tie, tieToo, last := aSession("1", auth.KindMember, 7, 10), aSession("2", auth.KindMember, 7, 20), aSession("3", auth.KindMember, 7, 20), aSession("4", auth.KindMember, 7, 30)
		ended := aSession("ended", auth.KindMember, 7, 40)
		addSessions(s, tie, last, first, tieToo, ended, aSession("visit", auth.KindVisit, 7, 50), aSession("other", auth.KindMember, 8, 60))
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := store.EndSession(ctx, tx, auth.KindMember, 7, "ended", when(41))
			return err
		})
		ended.Ended = when(41)
		all := []auth.Session{ended, last, tieToo, tie, first}
		for _, c := range []struct {
			at, seen, limit int
			want            []auth.Session
		}{
			{0, 0, 10, all[1:]},
			{0, 0, 2, all[1:3]},
			{1009, 0, 10, all[1:]},
			{1010, 0, 10, all[1:4]}, // expired at its last moment
			{0, 10, 10, all[1:]},
			{0, 11, 10, all[1:4]},
		} {
			s.Same("sessions", s.Read(store.Sessions(ctx, auth.KindMember, 7, when(c.at), when(c.seen), c.limit)), c.want)
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Same("ended ones too", s.Read(store.SessionsOf(ctx, tx, auth.KindMember, 7, 10)), all)
			s.Same("the newest", s.Read(store.SessionsOf(ctx, tx, auth.KindMember, 7, 2)), all[:2])
			s.Same("of nobody", s.Read(store.SessionsOf(ctx, tx, auth.KindMember, 9, 2)), all[:0])
			return nil
		})
	})
}

func TestSessionsEndForWhomTheyBelongTo(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		visit := func(id string, operator int64, created int) auth.Session {
			n := aSession(id, auth.KindVisit, 7, created)
			n.Operator = operator
			return n
		}
		addSessions(s, aSession("a", auth.KindMember, 7, 1), aSession("b", auth.KindMember, 7, 2), aSession("c", auth.KindMember, 7, 3), aSession("d", auth.KindMember, 8, 4),
			visit("v1", 1, 1), visit("v2", 1, 500), visit("v3", 2, 500), visit("v4", 1, 501))
		open := func(id string) bool { return s.Found(store.Session(ctx, id)).(auth.Session).Ended.IsZero() }
		end := func(kind auth.Kind, owner int64, id string) (ended bool) {
			s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
				ended, err = store.EndSession(ctx, tx, kind, owner, id, when(100))
				return err
			})
			return ended
		}
		if end(auth.KindMember, 8, "a") || end(auth.KindVisit, 7, "a") || end(auth.KindMember, 7, "unknown") || !open("a") {
			s.T.Error("a session of somebody else ends")
		}
		if !end(auth.KindMember, 7, "a") || end(auth.KindMember, 7, "a") || open("a") {
			s.T.Error("a session does not end, once")
		}
		if at := s.Found(store.Session(ctx, "a")).(auth.Session).Ended; !at.Equal(when(100)) {
			s.T.Errorf("it ended at %v", at)
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			got := s.Read(store.EndSessions(ctx, tx, auth.KindMember, 7, "b", when(101)))
			s.Same("all but one", got, []string{"c"})
			visits := s.Read(store.EndVisits(ctx, tx, 1, when(1001))).([]string)
			slices.Sort(visits)
			s.Same("visits that are not over", visits, []string{"v2", "v4"})
			return nil
		})
		for id, want := range map[string]bool{"b": true, "c": false, "d": true, "v1": true, "v2": false, "v3": true, "v4": false} {
			if open(id) != want {
				s.T.Errorf("%s is open: %v", id, !want)
			}
		}
		s.Exec("UPDATE session SET ended_at = 0 WHERE id = 'c'")
		if open("c") {
			s.T.Error("a session whose end is removed is open")
		}
		s.Exec("UPDATE session SET owner = 7 WHERE id = 'd'")
		if open("d") {
			s.T.Error("a session that was given to somebody else is open")
		}
	})
}

func TestASessionIsUsedAndItsPasswordChanged(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Auth(), s.T.Context()
		m, o := aSession("m", auth.KindMember, 7, 1), aSession("o", auth.KindOperator, 1, 2)
		ended := aSession("ended", auth.KindMember, 7, 3)
		addSessions(s, m, o, ended)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := store.EndSession(ctx, tx, auth.KindMember, 7, "ended", when(4))
			for _, c := range []struct {
				uid int64
				id  string
			}{{8, "m"}, {7, "ended"}, {7, "unknown"}, {1, "o"}} {
				if done, cerr := store.Changed(ctx, tx, c.uid, c.id); done || cerr != nil {
					s.T.Errorf("%+v: %v, %v", c, done, cerr)
				}
			}
			return errors.Join(err, store.Enrolled(ctx, tx, 7, "m"), store.Enrolled(ctx, tx, 2, "o"), store.Saw(ctx, tx, "m", when(50)), store.Saw(ctx, tx, "m", when(40)), store.Saw(ctx, tx, "ended", when(50)))
		})
		m.Seen, ended.Ended = when(50), when(4)
		for _, want := range []auth.Session{m, o, ended} {
			s.Same("before", s.Found(store.Session(ctx, want.ID)), want)
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			done, err := store.Changed(ctx, tx, 7, "m")
			if !done {
				s.T.Error("the password is not changed")
			}
			return errors.Join(err, store.Enrolled(ctx, tx, 1, "o"))
		})
		m.MustChange, o.MustChange = false, false
		for _, want := range []auth.Session{m, o, ended} {
			s.Same("after", s.Found(store.Session(ctx, want.ID)), want)
		}
		s.Read(nil, s.DB.CheckSealed(ctx))
	})
}

func TestSessionsThatAreOverAreDropped(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store := s.DB.Auth()
		addSessions(s, aSession("1", auth.KindMember, 7, 1), aSession("2", auth.KindMember, 7, 2), aSession("3", auth.KindMember, 7, 3), aSession("4", auth.KindMember, 7, 100),
			aSession("o1", auth.KindOperator, 1, 1), aSession("o2", auth.KindOperator, 1, 4), aSession("o3", auth.KindOperator, 2, 1))
		left := func() []string {
			var all []string
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				all = nil
				for owner := int64(1); owner <= 7; owner++ {
					kind := auth.KindOperator
					if owner == 7 {
						kind = auth.KindMember
					}
					some, err := store.SessionsOf(ctx, tx, kind, owner, 10)
					if err != nil {
						return err
					}
					all = append(all, ids(some)...)
				}
				return nil
			})
			slices.Sort(all)
			return all
		}
		for _, c := range []struct {
			at, limit int
			n         int64
			left      []string
		}{
			{1001, 10, 0, []string{"1", "2", "3", "4", "o1", "o2", "o3"}}, // expires at that moment
			{1003, 2, 2, nil}, // two of 1, 2 and o1
			{1003, 10, 1, []string{"3", "4", "o2", "o3"}},
			{5000, 10, 2, []string{"o2", "o3"}},
		} {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				if n, err := store.DropSessions(ctx, tx, when(c.at), c.limit); n != c.n || err != nil {
					s.T.Errorf("%d dropped before %d, not %d; %v", n, c.at, c.n, err)
				}
				return nil
			})
			if c.left != nil {
				s.Same("left", left(), c.left)
			}
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.DropSession(ctx, tx, "o2"), store.DropSession(ctx, tx, "unknown"))
		})
		s.Same("one is dropped", left(), []string{"o3"})
	})
}
