package people_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// vocabulary are words of which the first are in most tickets and the last in few.
var vocabulary = strings.Fields("money my wallet walls fund funds funded request पैसा पैसे late lately zebra zoo")

// searched is a database with tickets to search.
type searched struct {
	*testkit.Stores
	r       *rand.Rand
	tickets []support.Ticket
}

// randomTickets fills a database with tickets of random words.
func randomTickets(l *searched, n int) {
	l.T.Helper()
	l.Write(func(ctx context.Context, tx *ledger.Tx) error {
		for i := range n {
			words := []string{fmt.Sprintf("Number%d.", i)}
			for w, word := range vocabulary {
				if l.r.IntN(w+1) == 0 || w == 0 {
					words = append(words, strings.ToUpper(word))
				}
			}
			x := support.Ticket{ID: int64(i + 1), UID: int64(100001 + i%3), Kind: support.KindQuery, Query: strings.Join(words, ", "), Status: support.Open, CreatedAt: testkit.Epoch.Add(time.Duration(l.r.IntN(1000)) * time.Hour)}
			if i%5 == 0 {
				x.Kind = support.KindComplaint
			}
			if i%3 == 0 {
				x.Status, x.ClosedAt = support.Closed, x.CreatedAt
			}
			l.tickets = append(l.tickets, x)
			if err := l.DB.Support().Add(ctx, tx, x); err != nil {
				return err
			}
		}
		return nil
	})
}

// fitting are the tickets that a filter fits, in its order, by reading them all.
func (l *searched) fitting(f support.Filter) (ids []int64) {
	var all []support.Ticket
	for _, x := range l.tickets {
		fits := (!f.Waiting || x.Waits()) && (f.Status == "" || x.Status == f.Status) && (f.Kind == "" || x.Kind == f.Kind) && (f.Overdue.IsZero() || x.Overdue(f.Overdue))
		words := x.Words()
		for _, p := range support.Words(f.Search) {
			fits = fits && slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, p) })
		}
		if fits {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(a, b support.Ticket) int {
		if !f.DueFirst() {
			return cmp.Compare(b.ID, a.ID)
		}
		none := func(x support.Ticket) int {
			if x.Due().IsZero() {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(none(a), none(b)), a.Due().Compare(b.Due()), cmp.Compare(a.ID, b.ID))
	})
	for _, x := range all {
		ids = append(ids, x.ID)
	}
	return ids
}

// mostFound is how many a search gives.
const mostFound = 200

// finds reads every page of a search and compares it with a scan of all tickets; above the
// limit the search returns the first ones and reports that it is partial.
func (l *searched) finds(f support.Filter, wantPartial bool) {
	l.T.Helper()
	want := l.fitting(f)
	if wantPartial {
		want = want[:mostFound]
	}
	for _, offset := range []int{0, 7, len(want) - 2, len(want) + 3} {
		f.Offset, f.Limit = int64(max(offset, 0)), 150
		found, err := l.DB.Support().Find(l.T.Context(), f)
		var got []int64
		for _, x := range found.Tickets {
			got = append(got, x.ID)
		}
		from := min(int(f.Offset), len(want))
		if page := want[from:min(from+150, len(want))]; err != nil || found.Total != int64(len(want)) || found.Partial != wantPartial || !slices.Equal(got, page) {
			l.T.Errorf("%+v: %v of %d, partial %v; want %v of %d; %v", f, got, found.Total, found.Partial, page, len(want), err)
		}
	}
}

func TestTicketsAreFoundByHowTheirWordsBegin(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		l := &searched{Stores: s, r: rand.New(rand.NewPCG(5, 6))}
		randomTickets(l, 2100)
		now := testkit.Epoch.Add(500 * time.Hour)
		for _, search := range []string{"zebra", "zebr WALLET", "wal fundED my zoo", "पैस late z", "number17", "money number2099 my", "nothing", "onkey", "late money zoo funded"} {
			for _, f := range []support.Filter{{}, {Waiting: true}, {Status: support.Closed}, {Kind: support.KindComplaint, Status: support.Open}, {Overdue: now}} {
				f.Search = search
				l.finds(f, false)
			}
		}
		if found, err := l.DB.Support().Find(s.T.Context(), support.Filter{Search: "_", Limit: 10}); err != nil || found.Total != 0 || found.Partial {
			s.T.Errorf("no word: %+v, %v", found, err)
		}
		// More than it gives: by a rare word, by a common one, by one that begins many
		// others, and by the other filters, whose order it keeps.
		l.finds(support.Filter{Search: "z"}, true)
		l.finds(support.Filter{Search: "money"}, true)
		l.finds(support.Filter{Search: "mon my"}, true)
		l.finds(support.Filter{Search: "number"}, true)
		l.finds(support.Filter{Search: "money", Waiting: true, Kind: support.KindComplaint}, true)
		// Common words that are seldom together are found among the newest of one.
		if found, err := l.DB.Support().Find(s.T.Context(), support.Filter{Search: "money number", Status: support.Closed, Kind: support.KindQuery, Limit: 10}); err != nil || found.Total != mostFound || !found.Partial {
			s.T.Errorf("among the closed: %+v, %v", found.Total, err)
		}
		if err := l.DB.CheckWords(s.T.Context()); err != nil {
			s.T.Error(err)
		}
	})
}

func TestWordsOfTicketsAreThoseThatARecountFinds(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		l := &searched{Stores: s, r: rand.New(rand.NewPCG(7, 8))}
		randomTickets(l, 1100)
		l.Write(func(ctx context.Context, tx *ledger.Tx) error {
			for _, text := range []string{"Money came back", "came again"} {
				x := &l.tickets[1]
				x.Reply, x.Status, x.Acts = strings.TrimSpace(x.Reply+"\n\n"+text), support.Replied, x.Acts+1
				if err := l.DB.Support().Save(ctx, tx, *x, support.Act{Ticket: x.ID, No: x.Acts, Kind: support.ActAnswer, Text: text, At: testkit.Epoch}); err != nil {
					return err
				}
			}
			return nil
		})
		l.finds(support.Filter{Search: "came mon"}, false)
		l.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return l.DB.Office().EraseTexts(ctx, tx, 100001, nil)
		})
		if err := l.DB.CheckWords(s.T.Context()); err != nil {
			s.T.Error(err)
		}
		if found, err := l.DB.Support().Find(s.T.Context(), support.Filter{Search: "number3", Limit: 500}); err != nil || slices.ContainsFunc(found.Tickets, func(x support.Ticket) bool { return x.UID == 100001 }) {
			s.T.Errorf("somebody erased is found by what they wrote: %+v, %v", found, err)
		}
		db := testkit.Raw(s.T, s.DSN)
		for _, x := range []struct {
			query string
			first int64
		}{
			{"INSERT INTO support_word (ticket, word) VALUES (999999, 'ghost')", 999999},
			{"DELETE FROM support_word WHERE ticket = 1002 AND word LIKE 'number%'", 1002},
			{"UPDATE support_ticket SET query = query || ' more' WHERE id IN (5, 12)", 5},
		} {
			if _, err := db.ExecContext(s.T.Context(), x.query); err != nil {
				s.T.Fatal(err)
			}
			var wrong *store.WordFinding
			if err := l.DB.CheckWords(s.T.Context()); !errors.As(err, &wrong) || wrong.Ticket != x.first {
				s.T.Errorf("after %s it says %v", x.query, err)
			}
		}
	})
}
