package support_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const (
	asha     = 123456
	ravi     = 123457
	operator = 7
)

var asked = time.Date(2026, 11, 2, 9, 0, 0, 456_000, time.UTC)

// desk is a service on a running ledger.
type desk struct {
	*support.Service
	l *testkit.Ledger
}

func newDesk(t *testing.T, dsn string) desk {
	t.Helper()
	l := testkit.StartLedger(t, dsn)
	return desk{support.New(support.Options{Store: l.DB.Support()}), l}
}

// do runs fn as one command.
func (d desk) do(fn func(ctx context.Context, tx *ledger.Tx) (support.Ticket, error)) (t support.Ticket, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err = d.l.Do(ctx, ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		t, err = fn(ctx, tx)
		return nil, err
	}})
	return t, err
}

func (d desk) ask(uid int64, query string) (support.Ticket, error) {
	return d.do(func(ctx context.Context, tx *ledger.Tx) (support.Ticket, error) {
		return d.Ask(ctx, tx, uid, support.KindQuery, query, asked)
	})
}

// reply answers a ticket that nobody has done anything about.
func (d desk) reply(ticket, who int64, text string, at time.Time) (support.Ticket, error) {
	return d.do(func(ctx context.Context, tx *ledger.Tx) (support.Ticket, error) {
		_, t, err := d.Answer(ctx, tx, support.Step{Ticket: ticket, By: actor.By{Operator: who, Name: "Olga"}, At: at}, text)
		return t, err
	})
}

func (d desk) history(t *testing.T, uid, page, size int64) ([]support.Ticket, int64) {
	t.Helper()
	tickets, total, err := d.History(context.Background(), uid, page, size)
	if err != nil {
		t.Fatal(err)
	}
	return tickets, total
}

func wantCode(t *testing.T, err error, code errs.Kind) {
	t.Helper()
	if !errs.Is(err, code) {
		t.Errorf("error %v, want one of code %s", err, code)
	}
}

func TestAQueryIsTextOfUpToAThousandCharacters(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"Where is it?":               "Where is it?",
		"  a\r\nb\n ":                "a\nb",
		"नमस्ते 🙂":                   "नमस्ते 🙂",
		strings.Repeat("é", 1000):    strings.Repeat("é", 1000),
		"<script>alert(1)</script>'": "<script>alert(1)</script>'",
	} {
		if got, err := support.ParseQuery(in); err != nil || got != want {
			t.Errorf("ParseQuery(%q) = %q, %v", in, got, err)
		}
	}
	for in, want := range map[string]string{
		"":                        "Query is required",
		strings.Repeat("é", 1001): "Query should not be greater than 1000 characters",
		"a\x00b":                  "Query must not have control characters",
		"a\tb":                    "Query must not have control characters",
		"a\rb":                    "Query must not have control characters",
		"a\u0085b":                "Query must not have control characters",
		"a\xffb":                  "Query must not have control characters",
	} {
		_, err := support.ParseQuery(in)
		var e *errs.Error
		if !errors.As(err, &e) || e.Kind != errs.Invalid || e.Message != want || len(e.Fields) != 1 || e.Fields[0].Name != "query" || e.Fields[0].Message != want {
			t.Errorf("ParseQuery(%q): %v, want %q", in, err, want)
		}
	}
}

func TestABlankQueryIsNone(t *testing.T) {
	t.Parallel()
	if _, err := support.ParseQuery(" \r\n\t "); errs.MessageOf(err) != "Query is required" {
		t.Errorf("error %v", err)
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{"", "Where is it?", "a\r\nb", "\x00", "\r\r\n\n", strings.Repeat("é", 1001), "\xff", " \u2028 "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := support.ParseQuery(s)
		if err != nil {
			if !errs.Is(err, errs.Invalid) || q != "" {
				t.Errorf("ParseQuery(%q) = %q, %v", s, q, err)
			}
			return
		}
		if q == "" || !utf8.ValidString(q) || utf8.RuneCountInString(q) > 1000 || strings.ContainsFunc(q, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
			t.Errorf("ParseQuery(%q) = %q", s, q)
		}
		if again, err := support.ParseQuery(q); err != nil || again != q {
			t.Errorf("ParseQuery(%q) = %q, %v", q, again, err)
		}
	})
}

func TestTicketsAreNumberedInOrderAndListedNewestFirst(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := newDesk(t, dsn)
		if tickets, total := d.history(t, asha, 1, 10); len(tickets) != 0 || total != 0 {
			t.Errorf("before any: %v of %d", tickets, total)
		}
		for i := range int64(5) {
			uid := int64(asha)
			if i == 2 {
				uid = ravi
			}
			got, err := d.ask(uid, fmt.Sprintf(" Query %d\r\nmore ", i))
			want := support.Ticket{ID: 100_001 + i, UID: uid, Kind: support.KindQuery, Query: fmt.Sprintf("Query %d\nmore", i), Status: support.Open, CreatedAt: asked}
			if err != nil || got != want {
				t.Fatalf("%+v, %v, want %+v", got, err, want)
			}
		}
		wantIDs := func(page, size int64, want ...int64) {
			t.Helper()
			tickets, total := d.history(t, asha, page, size)
			var ids []int64
			for _, ticket := range tickets {
				ids = append(ids, ticket.ID)
			}
			if total != 4 || fmt.Sprint(ids) != fmt.Sprint(want) {
				t.Errorf("page %d of %d: %v of %d, want %v of 4", page, size, ids, total, want)
			}
		}
		wantIDs(1, 10, 100_005, 100_004, 100_002, 100_001)
		wantIDs(1, 3, 100_005, 100_004, 100_002)
		wantIDs(2, 3, 100_001)
		wantIDs(3, 3)
		wantIDs(1_000_000, 500)
		for _, bad := range [][2]int64{{0, 10}, {-1, 10}, {1, 0}, {1, -1}, {1, 501}, {1 << 62, 10}} {
			_, _, err := d.History(context.Background(), asha, bad[0], bad[1])
			wantCode(t, err, errs.Invalid)
		}
	})
}

func TestTwoOperatorsDoNotAnswerOverEachOther(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		d := newDesk(t, dsn)
		ticket, err := d.ask(asha, "Where is it?")
		if err != nil {
			t.Fatal(err)
		}
		at := asked.Add(time.Hour)
		_, err = d.reply(ticket.ID, operator, " \n", at)
		wantCode(t, err, errs.Invalid)
		_, err = d.reply(ticket.ID, operator, strings.Repeat("a", 4001), at)
		wantCode(t, err, errs.Invalid)
		_, err = d.reply(ticket.ID, 0, "Here", at)
		wantCode(t, err, errs.Forbidden)
		_, err = d.reply(ticket.ID+1, operator, "Here", at)
		wantCode(t, err, errs.NotFound)

		want := ticket
		want.Reply, want.Status, want.Operator, want.RepliedAt, want.AnsweredAt, want.Acts = "Here", support.Replied, operator, at, at, 1
		if got, err := d.reply(ticket.ID, operator, "Here", at); err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
		_, err = d.reply(ticket.ID, operator+1, "There", at.Add(time.Hour))
		wantCode(t, err, errs.Conflict)
		if tickets, _ := d.history(t, asha, 1, 10); len(tickets) != 1 || tickets[0] != want {
			t.Errorf("%+v, want %+v", tickets, want)
		}
	})
}

func TestAMemberHasTwentyOpenTicketsAtMost(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		d := newDesk(t, dsn)
		// All at once: many of these commands share a group.
		var wg sync.WaitGroup
		failures := make([]error, 30)
		for i := range failures {
			wg.Go(func() { _, failures[i] = d.ask(asha, "Where is it?") })
		}
		wg.Wait()
		refused := 0
		for _, err := range failures {
			if err != nil {
				wantCode(t, err, errs.Refused)
				refused++
			}
		}
		tickets, total := d.history(t, asha, 1, 100)
		if refused != 10 || total != 20 || len(tickets) != 20 || tickets[0].ID != 100_020 || tickets[19].ID != 100_001 {
			t.Fatalf("%d refused, %d tickets %+v", refused, total, tickets)
		}
		if _, err := d.ask(ravi, "And I?"); err != nil {
			t.Errorf("another member: %v", err)
		}
		if _, err := d.reply(100_001, operator, "Here", asked); err != nil {
			t.Fatal(err)
		}
		if _, err := d.ask(asha, "And now?"); err != nil {
			t.Errorf("after a reply: %v", err)
		}
		_, err := d.ask(asha, "And now?")
		wantCode(t, err, errs.Refused)
	})
}

func TestATicketOfAFailedCommandIsUndone(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		d := newDesk(t, dsn)
		failed := errors.New("no")
		_, err := d.do(func(ctx context.Context, tx *ledger.Tx) (support.Ticket, error) {
			if _, err := d.Ask(ctx, tx, asha, support.KindQuery, "Where is it?", asked); err != nil {
				return support.Ticket{}, err
			}
			return support.Ticket{}, failed
		})
		if !errors.Is(err, failed) {
			t.Errorf("error %v", err)
		}
		if ticket, err := d.ask(ravi, "Where is it?"); err != nil || ticket.ID != 100_001 {
			t.Errorf("%+v, %v, want the first number", ticket, err)
		}
		if _, total := d.history(t, asha, 1, 10); total != 0 {
			t.Errorf("%d tickets, want none", total)
		}
	})
}
