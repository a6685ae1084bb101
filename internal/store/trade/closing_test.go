package trade_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func TestEventsOfADayAreListedByTheirTime(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) { s.Is(time.Time{}, plan.Day(0))(store.Beginning(ctx, tx)) })
		event := func(id string, minute int, day plan.Day, refused string) closing.Noted {
			return testkit.Full(int64(minute+1), func(e *closing.Noted) {
				e.ID, e.Day, e.At, e.Refused, e.Body = id, day, testkit.Epoch.Add(time.Duration(minute)*time.Minute), refused, []byte(`{"id":"`+id+`"}`)
			})
		}
		all := []closing.Noted{event("c", 1, 20, ""), event("B", 2, 20, "why"), event("b", 2, 20, ""), event("a", 3, 20, "")}
		other := event("d", 1, 21, "")
		write(s, add([]closing.Noted{all[3], all[2], all[1], all[0], other}, store.Note))
		for _, again := range []closing.Noted{all[0], all[1]} {
			s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.Note(ctx, tx, again) })
		}
		all[3].Refused = "later"
		write(s, add(all[3:], store.Refuse))
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.Refuse(ctx, tx, all[1]) })
		h, err := s.DB.History(t.Context())
		s.Is()(err)
		byID := map[string]closing.Recorded{}
		for _, e := range h.Events {
			byID[e.ID] = e
		}
		for _, e := range append(all, other) {
			s.Is(closing.Recorded{ID: e.ID, Day: e.Day, At: e.At, Rec: e.Recorded, Body: e.Body})(byID[e.ID])
		}
		for i := range all {
			all[i].Recorded, all[i].Body = time.Time{}, nil
		}
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(all)(store.Events(ctx, tx, 20))
			s.Is(nil)(store.Events(ctx, tx, 22))
		})
		plant(s)
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(testkit.Epoch.Add(time.Hour), plan.Day(20))(store.Beginning(ctx, tx))
		})
	})
}

func booked(id, kind string, minute int, day plan.Day) closing.Booking {
	return testkit.Full(int64(minute)+int64(len(id)), func(b *closing.Booking) {
		b.ID, b.Kind, b.Day, b.At = id, kind, day, testkit.Epoch.Add(time.Duration(minute)*time.Minute)
	})
}

func TestABookingIsOpenUntilAClose(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		all := []closing.Booking{booked("f", "pnl", 9, 19), booked("c", "pnl", 1, 20), booked("B", "settle", 2, 20), booked("b", "chargeback", 2, 20), booked("a", "pnl", 3, 20)}
		write(s, add([]closing.Booking{all[4], all[3], all[0], all[2], all[1]}, store.AddBooking))
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.AddBooking(ctx, tx, all[0]) })
		ofEach := func(a, b closing.Booking) int {
			return cmp.Or(cmp.Compare(a.Day, b.Day), a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
		}
		is := func(open ...closing.Booking) {
			t.Helper()
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				s.Is(chosen(open, func(b *closing.Booking) bool { return b.Day == 20 }))(store.Bookings(ctx, tx, 20))
				s.Is(nil)(store.Bookings(ctx, tx, 21))
			})
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				found, err := store.OpenBookings(ctx, tx)
				slices.SortFunc(found, ofEach) // engines sort the ids of one moment differently
				s.Is(open)(found, err)
			})
		}
		is(all...)
		found, err := store.OpenBookings(t.Context(), nil)
		s.Is("f", "c", "a")(found[0].ID, found[1].ID, found[4].ID, err)
		end := func(id, refused string) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.CloseBooking(ctx, tx, id, refused) }
		}
		write(s, end("f", ""), end("B", "not final"), end("a", ""))
		s.Refused(end("f", "again"))
		s.Refused(end("nothing", ""))
		is(all[1], all[3])
		totals, err := s.DB.Totals(t.Context())
		s.Is(map[string]string{"B": "not final"})(totals.Refused, err)
		// A replay takes those that a close did or refused, but not those that were taken back.
		write(s, func(ctx context.Context, tx *ledger.Tx) error {
			return store.Refuse(ctx, tx, closing.Noted{ID: "a", Day: 20, Refused: "taken back"})
		})
		s.Is([]closing.Booking{all[2], all[0]})(s.DB.Past().BookingsDone(t.Context(), 20))
		s.Is([]closing.Booking{all[0]})(s.DB.Past().BookingsDone(t.Context(), 19))
		s.Is(nil)(s.DB.Past().BookingsDone(t.Context(), 18))
	})
}

func TestBookingsAreGivenWithTheEventThatTheyCameBy(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		all := []closing.Booking{booked("a", "pnl", 1, 20), booked("b", "settle", 2, 20)}
		event := testkit.Full(1, func(e *closing.Noted) { e.ID, e.Refused, e.Body = "b", "", []byte(`{"kind":"settle"}`) })
		write(s, add(all, s.DB.Closing().AddBooking), add([]closing.Noted{event}, s.DB.Closing().Note))
		s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
			events := map[string]string{}
			got, err := values(nil, func(yield func(closing.Booking) error) error {
				return m.Booked(t.Context(), func(b closing.Booking, event []byte) error {
					events[b.ID] = string(event)
					return yield(b)
				})
			})
			for i, b := range all {
				all[i] = closing.Booking{ID: b.ID, Kind: b.Kind, Line: b.Line, Sale: b.Sale, Amount: b.Amount}
			}
			s.Is(all, map[string]string{"a": "", "b": string(event.Body)})(got, events, err)
			return nil
		}))
	})
}

func TestMembersAreGivenByTheirNumber(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		plant(s)
		want := []closing.Member{{No: 1, UID: uidOf(1)}, {No: 2, UID: uidOf(2), Sponsor: 1, Parent: 1, Side: 1}, {No: 3, UID: uidOf(3), Sponsor: 2}, {No: 4, UID: uidOf(4), Sponsor: 2, Parent: 1, Side: 2}}
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			for after := range int64(5) {
				s.Is(want[after:])(values(nil, func(yield func(closing.Member) error) error { return s.DB.Closing().Members(ctx, tx, after, yield) }))
			}
			stops(s, func(yield func(closing.Member) error) error { return s.DB.Closing().Members(ctx, tx, 0, yield) })
		})
		s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
			s.Is(want)(values(nil, func(yield func(closing.Member) error) error { return m.Members(t.Context(), yield) }))
			return nil
		}))
	})
}

func TestMembersUnderReviewAreKnownAndVerified(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		plant(s)
		var all []member.Member
		for no := range int64(4) {
			m := member.Member{UID: uidOf(no + 1), Name: "Ann", Email: fmt.Sprintf("m%d@mail.example", no), JoinedAt: testkit.Epoch}
			if no == 1 || no == 3 {
				m.BlockedAt = testkit.Epoch
			}
			all = append(all, m)
		}
		write(s, add(all, s.DB.Member().Add), add([]closing.Closed{{Day: 20, At: testkit.Epoch}}, s.DB.Closing().AddDay))
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			blocked, err := s.DB.Closing().Blocked(ctx, tx)
			slices.Sort(blocked)
			s.Is([]int64{2, 4})(blocked, err)
		})
		verify := func(members ...int64) error {
			return s.Try(func(ctx context.Context, tx *ledger.Tx) error {
				return s.DB.Closing().VerifyReviews(ctx, tx, members, 20)
			})
		}
		s.Is()(verify(1, 2, 3, 4))
		s.Tamper("UPDATE member SET blocked_at = 0 WHERE uid = $1", uidOf(2))
		var tampered *ledger.TamperedError
		if err := verify(1, 2); !errors.As(err, &tampered) {
			t.Errorf("a review that somebody ended: %v", err)
		}
		s.Is()(verify(1, 3))
	})
}

func TestCarriedValuesAreOverwritten(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		carried := func(seed, no int64) closing.Carried {
			return testkit.Full(seed, func(c *closing.Carried) {
				c.No, c.Rank, c.Reward, c.Months, c.Left = no, 1+seed%200, 2+seed%200, 3+seed%200, -seed
			})
		}
		var all []closing.Carried
		for no := range int64(600) { // more than one statement writes
			all = append(all, carried(no+1, no+1))
		}
		all[5].Active, all[6].Debt = false, -5
		keep := func(some ...closing.Carried) func(ctx context.Context, tx *ledger.Tx) error {
			return func(ctx context.Context, tx *ledger.Tx) error { return store.Keep(ctx, tx, some) }
		}
		is := func() {
			t.Helper()
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				s.Is(all)(values(by(func(c closing.Carried) int64 { return c.No }), func(yield func(closing.Carried) error) error { return store.Carried(ctx, tx, yield) }))
			})
			s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
				s.Is(all)(values(nil, func(yield func(closing.Carried) error) error { return m.Carried(t.Context(), yield) }))
				return nil
			}))
		}
		write(s, keep(all[300:]...), keep(all[:300]...), keep())
		is()
		for i := range all[:550] {
			all[i] = carried(int64(1000+i), all[i].No)
		}
		write(s, keep(all[:550]...))
		is()
	})
}

func TestChangesOfWhoIsActiveKeepTheirOrder(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		flips := []closing.Flip{{No: 3, Day: 20, Active: true}, {No: 1, Day: 20, Active: true}, {No: 3, Day: 21}, {No: 1, Day: 19}}
		for _, some := range [][]closing.Flip{flips[:2], nil, flips[2:]} {
			write(s, func(ctx context.Context, tx *ledger.Tx) error { return s.DB.Closing().AddFlips(ctx, tx, some) })
		}
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(flips)(s.DB.Closing().Flips(ctx, tx)) })
		s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
			s.Is(flips)(values(nil, func(yield func(closing.Flip) error) error { return m.Flips(t.Context(), yield) }))
			return nil
		}))
	})
}

func TestATallyIsWrittenOver(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Closing()
		for _, n := range []int64{5, -7, 0} {
			write(s, func(ctx context.Context, tx *ledger.Tx) error {
				return errors.Join(store.SetTally(ctx, tx, "a", n), store.SetTally(ctx, tx, "b", 9))
			})
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				s.Is(n)(store.Tally(ctx, tx, "a"))
				s.Is(9)(store.Tally(ctx, tx, "b"))
				s.Is(0)(store.Tally(ctx, tx, "c"))
			})
			s.Is()(s.DB.Books().Moment(t.Context(), func(m closing.Moment) error {
				s.Is(map[string]int64{"a": n, "b": 9})(m.Tallies(t.Context()))
				return nil
			}))
		}
	})
}
