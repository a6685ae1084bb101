package people_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func aTicket(id, uid int64) support.Ticket {
	x := testkit.Full[support.Ticket](id)
	x.ID, x.UID, x.Kind, x.Status = id, uid, support.KindComplaint, support.Replied
	return x
}

// anAct is the latest act of a ticket.
func anAct(x support.Ticket, kind support.ActKind) support.Act {
	a := testkit.Full[support.Act](100*x.ID + x.Acts)
	a.Ticket, a.No, a.Kind = x.ID, x.Acts, kind
	return a
}

func addTickets(s *testkit.Stores, all ...support.Ticket) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, x := range all {
			err = errors.Join(err, s.DB.Support().Add(ctx, tx, x))
		}
		return err
	})
}

func TestATicketIsReadBackWithItsThread(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Support(), s.T.Context()
		x, other := aTicket(5, 7), aTicket(6, 7)
		x.Acts = 0
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Same("none yet", s.Read(store.Last(ctx, tx)), int64(0))
			s.Missing(store.Get(ctx, tx, 5))
			return nil
		})
		addTickets(s, x, other)
		s.Duplicate("the same id", s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.Add(ctx, tx, x) }))
		read := func(want support.Ticket, acts ...support.Act) {
			s.T.Helper()
			got, thread, found, err := store.Thread(ctx, want.ID)
			s.Same("the ticket", s.Found(got, found, err), want)
			s.Same("its thread", thread, acts)
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				s.Same("within a command", s.Found(store.Get(ctx, tx, want.ID)), want)
				return nil
			})
		}
		read(x)
		changed := testkit.Full[support.Ticket](9)
		changed.ID, changed.UID, changed.Query, changed.CreatedAt = x.ID, x.UID, x.Query, x.CreatedAt
		changed.Kind, changed.Status, changed.Acts = support.KindQuery, support.Open, 1
		first := anAct(changed, support.ActAnswer)
		save := func(x support.Ticket, a support.Act) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error { return store.Save(ctx, tx, x, a) })
		}
		s.Read(nil, save(changed, first))
		read(changed, first)
		if save(changed, anAct(changed, support.ActClose)) == nil {
			s.T.Error("two acts have one number")
		}
		changed.Acts, changed.Status = 2, support.Closed
		second := anAct(changed, support.ActClose)
		s.Read(nil, save(changed, second))
		read(changed, first, second)
		read(other)
		s.Exec("INSERT INTO support_act (ticket, no, kind, operator, name, text, at) VALUES (5, 3, 'close', 1, 'n', 't', 1)")
		read(changed, first, second) // an act that the ticket does not count came later
		if _, _, found, err := store.Thread(ctx, 1); found || err != nil {
			s.T.Errorf("an unknown ticket: %v, %v", found, err)
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Same("the last id", s.Read(store.Last(ctx, tx)), int64(6))
			s.Same("answers", s.Read(store.CountActs(ctx, tx, 5, support.ActAnswer)), int64(1))
			s.Same("answers of the other", s.Read(store.CountActs(ctx, tx, 6, support.ActAnswer)), int64(0))
			return nil
		})
		s.Exec("UPDATE support_ticket SET query = 'planted' WHERE id = 6")
		other.Acts++
		s.Tampered("a changed ticket", save(other, anAct(other, support.ActClose)))
		s.Read(nil, s.DB.CheckLists(ctx))
	})
}

func TestAMembersTicketsAreListedNewestFirst(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Support(), s.T.Context()
		var mine []support.Ticket
		for id := int64(1); id <= 5; id++ {
			x := aTicket(id, 7)
			if id%2 == 1 {
				x.Status = support.Open
			}
			mine = append(mine, x)
		}
		other := aTicket(6, 8)
		other.Status = support.Open
		addTickets(s, append(slices.Clone(mine), other)...)
		slices.Reverse(mine)
		for _, c := range []struct{ offset, limit, from, to int64 }{{0, 10, 0, 5}, {0, 2, 0, 2}, {3, 2, 3, 5}, {4, 2, 4, 5}, {5, 2, 5, 5}, {9, 2, 5, 5}} {
			got, total, err := store.History(ctx, 7, c.offset, c.limit)
			s.Same("a page", s.Read(got, err), mine[c.from:c.to])
			if total != 5 {
				s.T.Errorf("%d tickets", total)
			}
		}
		for _, c := range []struct{ before, limit, from, to int64 }{{100, 10, 0, 5}, {5, 10, 1, 5}, {5, 2, 1, 3}, {1, 10, 5, 5}} {
			s.Same("before one", s.Read(store.Before(ctx, 7, c.before, c.limit)), mine[c.from:c.to])
		}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			s.Same("open ones", s.Read(store.CountOpen(ctx, tx, 7)), int64(3))
			s.Same("of nobody", s.Read(store.CountOpen(ctx, tx, 9)), int64(0))
			return nil
		})
		if got, total, err := store.History(ctx, 9, 0, 10); len(got) != 0 || total != 0 || err != nil {
			s.T.Errorf("of nobody: %v, %d, %v", got, total, err)
		}
	})
}

func TestTicketsAreFoundByEveryFilter(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		store, ctx := s.DB.Support(), s.T.Context()
		hours := func(n int) time.Time { return testkit.Epoch.Add(time.Duration(n) * time.Hour) }
		var all []support.Ticket
		for i, c := range []struct {
			kind     support.Kind
			status   support.Status
			created  int
			answered bool
		}{
			{support.KindQuery, support.Open, 1, false},
			{support.KindComplaint, support.Open, 9, false},
			{support.KindComplaint, support.Replied, 2, true},
			{support.KindComplaint, support.Open, 3, false},
			{support.KindQuery, support.Replied, 4, true},
			{support.KindComplaint, support.Closed, 5, true},
			{support.KindQuery, support.Open, 6, false},
			{support.KindComplaint, support.Open, 3, false}, // due with the fourth
		} {
			x := support.Ticket{ID: int64(i + 1), UID: int64(100 + i%3), Kind: c.kind, Status: c.status, CreatedAt: hours(c.created), Query: "q"}
			if c.answered {
				x.AnsweredAt = hours(c.created + 1)
			}
			all = append(all, x)
		}
		addTickets(s, all...)
		for _, c := range []struct {
			f    support.Filter
			want []int64
		}{
			{support.Filter{}, []int64{8, 7, 6, 5, 4, 3, 2, 1}},
			{support.Filter{Waiting: true}, []int64{4, 8, 2, 3, 1, 7}},
			{support.Filter{Status: support.Open}, []int64{4, 8, 2, 1, 7}},
			{support.Filter{Status: support.Replied}, []int64{5, 3}},
			{support.Filter{Status: support.Closed}, []int64{6}},
			{support.Filter{Kind: support.KindQuery}, []int64{7, 5, 1}},
			{support.Filter{Kind: support.KindComplaint, Waiting: true}, []int64{4, 8, 2, 3}},
			{support.Filter{Kind: support.KindQuery, Status: support.Open}, []int64{1, 7}},
			{support.Filter{Overdue: hours(51)}, nil}, // due at that moment
			{support.Filter{Overdue: hours(52)}, []int64{4, 8}},
			{support.Filter{Overdue: hours(58)}, []int64{4, 8, 2}},
			{support.Filter{Search: "101"}, []int64{8, 5, 2}},
			{support.Filter{Search: "3"}, []int64{3}},
			{support.Filter{Search: "101", Status: support.Open}, []int64{8, 2}},
			{support.Filter{Search: "101", Kind: support.KindQuery}, []int64{5}},
			{support.Filter{Search: "999"}, nil},
		} {
			for _, page := range []struct{ offset, limit int }{{0, 100}, {0, 2}, {1, 2}, {len(c.want), 2}, {len(c.want) + 3, 2}} {
				f := c.f
				f.Offset, f.Limit = int64(page.offset), int64(page.limit)
				found, err := store.Find(ctx, f)
				var got []int64
				for _, x := range found.Tickets {
					got = append(got, x.ID)
					s.Same("a found ticket", x, all[x.ID-1])
				}
				from := min(page.offset, len(c.want))
				s.Same("found", s.Read(got, err), c.want[from:min(from+page.limit, len(c.want))])
				if found.Total != int64(len(c.want)) || found.Partial {
					s.T.Errorf("%+v: %d in all, partial %v", f, found.Total, found.Partial)
				}
			}
		}
	})
}
