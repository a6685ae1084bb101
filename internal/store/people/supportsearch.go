package people

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// The words that tickets are searched by are in the table support_word, written
// with the tickets. A search takes some tickets among which to look, by its rarest
// word or by its other filters, whichever leaves fewer, and looks for the other
// words in these until it has found enough: it costs the same whatever the number
// of tickets.

var wordTable = engine.NewTable("support_word", engine.Ints("ticket"), engine.Texts("word"))

const (
	fewTickets = 1000 // that a search reads
	mostFound  = 200  // that it returns
	spellings  = 8    // words that begin alike and are still looked up one by one
	together   = 128  // tickets that one statement reads
)

// addWords writes the words of a ticket that are not there yet.
func addWords(ctx context.Context, tx *ledger.Tx, t support.Ticket) error {
	has, err := engine.List(ctx, engine.GroupOf(tx), engine.ScanText, "SELECT word FROM support_word WHERE ticket = $1 ORDER BY word", t.ID)
	if err != nil {
		return err
	}
	words := slices.DeleteFunc(t.Words(), func(w string) bool { return slices.Contains(has, w) })
	return engine.GroupOf(tx).Insert(ctx, wordTable, len(words), func(i int, r *engine.Rows) { r.Add(t.ID, words[i]) })
}

// match is a ticket that a search found.
type match struct{ id, due int64 }

func scanMatch(rows *sql.Rows) (m match, err error) {
	err = rows.Scan(&m.id, &m.due)
	return m, err
}

// begin are the bounds between which the words lie that begin with one.
func begin(word string) (from, before any) { return word, word + string(utf8.MaxRune) }

// search lists the tickets that have all words of a filter.
func (s supportStore) search(ctx context.Context, f support.Filter) (support.Found, error) {
	words := f.Words()
	if len(words) == 0 {
		return support.Found{}, nil
	}
	ids, words, partial, err := s.candidates(ctx, f, words)
	if err != nil {
		return support.Found{}, err
	}
	inTurn := func(a, b match) int {
		if !f.DueFirst() {
			return cmp.Compare(b.id, a.id)
		}
		return cmp.Or(cmp.Compare(engine.BoolInt(a.due == 0), engine.BoolInt(b.due == 0)), cmp.Compare(a.due, b.due), cmp.Compare(a.id, b.id))
	}
	var found []match
	for chunk := range slices.Chunk(ids, together) {
		matches, err := s.matching(ctx, f, chunk, words)
		if err != nil {
			return support.Found{}, err
		}
		if found = append(found, matches...); len(found) > mostFound {
			break
		}
	}
	slices.SortFunc(found, inTurn)
	if len(found) > mostFound {
		found, partial = found[:mostFound], true
	}
	out := support.Found{Total: int64(len(found)), Partial: partial}
	if f.Offset < out.Total {
		out.Tickets, err = s.inOrder(ctx, found[f.Offset:min(f.Offset+f.Limit, out.Total)])
	}
	return out, err
}

// candidates are the tickets among which to look, and the words that are left to
// look for in them, the rarest first; partial if others may have them too.
func (s supportStore) candidates(ctx context.Context, f support.Filter, words []string) (ids []int64, left []string, partial bool, err error) {
	counts := map[string]int64{}
	for _, w := range words {
		from, before := begin(w)
		if counts[w], _, err = engine.First(ctx, s.db.Committed(), engine.ScanCount, "SELECT COUNT(*) FROM (SELECT 1 FROM support_word WHERE word >= $1 AND word < $2 ORDER BY word LIMIT $3) AS few", from, before, int64(fewTickets+1)); err != nil {
			return nil, nil, false, err
		}
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(counts[a], counts[b]) })
	if counts[words[0]] <= fewTickets {
		from, before := begin(words[0])
		ids, err = engine.List(ctx, s.db.Committed(), engine.ScanCount, "SELECT DISTINCT ticket FROM support_word WHERE word >= $1 AND word < $2 ORDER BY ticket DESC", from, before)
		return ids, words[1:], false, err
	}
	where, args := conditions(f)
	filtered := fmt.Sprintf("SELECT id FROM support_ticket WHERE %s ORDER BY %s LIMIT $%d", where, orderOf(f), len(args)+1)
	g := f
	g.Search = ""
	n, err := s.count(ctx, g, where, args)
	if err != nil {
		return nil, nil, false, err
	}
	if n > fewTickets {
		if ids, err = s.newest(ctx, words[0]); err != nil || ids != nil {
			return ids, words[1:], true, err
		}
	}
	ids, err = engine.List(ctx, s.db.Committed(), engine.ScanCount, filtered, append(args, int64(fewTickets))...)
	return ids, words, n > fewTickets, err
}

// newest are the newest tickets that have a word that begins with one; none if
// too many different words do.
func (s supportStore) newest(ctx context.Context, word string) (ids []int64, err error) {
	from, before := begin(word)
	at := ">="
	for range spellings {
		w, found, err := engine.First(ctx, s.db.Committed(), engine.ScanText, "SELECT word FROM support_word WHERE word "+at+" $1 AND word < $2 ORDER BY word LIMIT 1", from, before)
		if err != nil {
			return nil, err
		}
		if !found {
			slices.SortFunc(ids, func(a, b int64) int { return cmp.Compare(b, a) })
			ids = slices.Compact(ids)
			return ids[:min(len(ids), fewTickets)], nil
		}
		some, err := engine.List(ctx, s.db.Committed(), engine.ScanCount, "SELECT ticket FROM support_word WHERE word = $1 ORDER BY ticket DESC LIMIT $2", w, int64(fewTickets))
		if err != nil {
			return nil, err
		}
		ids, from, at = append(ids, some...), w, ">"
	}
	return nil, nil
}

// matching are those of some tickets that a filter lets through and that have all
// words. Its text depends on the filters and on how many words there are, not on
// how many tickets. The words are looked up one by one for each ticket: PostgreSQL
// would make a join of EXISTS, and read all tickets that have a word for it.
func (s supportStore) matching(ctx context.Context, f support.Filter, ids []int64, words []string) ([]match, error) {
	where, args := conditions(f)
	text := "SELECT id, due_at FROM support_ticket WHERE " + where
	for _, w := range words {
		from, before := begin(w)
		args = append(args, from, before)
		text += fmt.Sprintf(" AND (SELECT 1 FROM support_word WHERE ticket = support_ticket.id AND word >= $%d AND word < $%d LIMIT 1) = 1", len(args)-1, len(args))
	}
	among, args := oneOf(args, ids)
	return engine.List(ctx, s.db.Committed(), scanMatch, text+" AND id IN "+among, args...)
}

// oneOf is a list of up to together ids, filled up with none.
func oneOf(args []any, ids []int64) (string, []any) {
	text := engine.Placeholders(len(args)+1, together)
	for i := range together {
		id := int64(0)
		if i < len(ids) {
			id = ids[i]
		}
		args = append(args, id)
	}
	return text, args
}

// inOrder reads tickets in a given order.
func (s supportStore) inOrder(ctx context.Context, page []match) ([]support.Ticket, error) {
	at := map[int64]int{}
	out := make([]support.Ticket, len(page))
	for chunk := range slices.Chunk(page, together) {
		ids := make([]int64, len(chunk))
		for i, m := range chunk {
			ids[i], at[m.id] = m.id, len(at)
		}
		among, args := oneOf(nil, ids)
		tickets, err := engine.List(ctx, s.db.Committed(), scanTicket, "SELECT "+ticketColumns+" FROM support_ticket WHERE id IN "+among, args...)
		if err != nil {
			return nil, err
		}
		for _, t := range tickets {
			out[at[t.ID]] = t
		}
	}
	return out, nil
}

// scanWorded reads a ticket's number and what its words are made from.
func scanWorded(r *sql.Rows) (t support.Ticket, err error) {
	err = r.Scan(&t.ID, &t.Query, &t.Reply)
	return t, err
}

const (
	wordedPage  = 1000
	wordedAfter = "SELECT id, query, reply FROM support_ticket WHERE id > $1 ORDER BY id LIMIT $2"
)

// WordFinding is a ticket that is not found by the words it has.
type WordFinding struct{ Ticket int64 }

func (f *WordFinding) Error() string {
	return fmt.Sprintf("The words that ticket %d is found by are not those it has.", f.Ticket)
}

// CheckWords compares the words that tickets are found by with what they say.
// The error is a *WordFinding for the first that differs.
func CheckWords(ctx context.Context, db *engine.DB) error {
	return db.Snapshot(ctx, func(q engine.Querier) error {
		for last := int64(0); ; {
			page, err := engine.List(ctx, q, scanWorded, wordedAfter, last, int64(wordedPage))
			if err != nil {
				return err
			}
			upto := int64(math.MaxInt64) // a word without its ticket is wrong
			if len(page) > 0 {
				upto = page[len(page)-1].ID
			}
			kept, err := wordsBetween(ctx, q, last, upto)
			if err != nil {
				return err
			}
			for _, t := range page {
				if !slices.Equal(kept[t.ID], t.Words()) {
					return &WordFinding{t.ID}
				}
				delete(kept, t.ID)
			}
			for id := range kept {
				return &WordFinding{id}
			}
			if len(page) == 0 {
				return nil
			}
			last = upto
		}
	})
}

func wordsBetween(ctx context.Context, q engine.Querier, after, upto int64) (map[int64][]string, error) {
	all := map[int64][]string{}
	_, err := engine.List(ctx, q, func(r *sql.Rows) (none struct{}, err error) {
		var id int64
		var w string
		err = r.Scan(&id, &w)
		all[id] = append(all[id], w)
		return none, err
	}, "SELECT ticket, word FROM support_word WHERE ticket > $1 AND ticket <= $2 ORDER BY ticket, word", after, upto)
	return all, err
}
