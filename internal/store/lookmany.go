package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// A close starts from every open position, every sale whose cooling-off ends and
// every income on Hold: whoever changes one of them before the close, and back after
// it, is paid. They are too many to be looked up one by one, so they are held against
// the chain by the batch, and what was found right is remembered by its fingerprint
// until the next close has read it.

// soundRows are fingerprints that the chain vouches for: of rows whose facts never
// change, by the part of the house they are of, and of what is on Hold, by its batch.
type soundRows struct {
	mu    sync.Mutex
	facts map[string]map[[witnessedBytes]byte]struct{}
	holds map[string][witnessedBytes]byte
}

// known are the fingerprints of a part that were right the last time.
func (s *soundRows) known(part string) map[[witnessedBytes]byte]struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.facts[part]
}

// keep replaces them: nobody writes to what known has given out.
func (s *soundRows) keep(part string, sums map[[witnessedBytes]byte]struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.facts == nil {
		s.facts = map[string]map[[witnessedBytes]byte]struct{}{}
	}
	s.facts[part] = sums
}

func (s *soundRows) holdsAs(batch string, sum [witnessedBytes]byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	was, ok := s.holds[batch]
	return ok && was == sum
}

func (s *soundRows) keepHold(batch string, sum [witnessedBytes]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holds == nil {
		s.holds = map[string][witnessedBytes]byte{}
	}
	s.holds[batch] = sum
}

// looked is a row on its way to be held against the chain.
type looked struct {
	id    string
	sum   [witnessedBytes]byte
	batch int64 // of its line
}

// manyLooks holds a part of a table's rows against the chain, of which what is vouched
// for never changes: each is added, and a *ledger.TamperedError names the first that
// differs. Within a command, or outside of one.
type manyLooks struct {
	l      *looker
	w      *witnessed
	part   string
	before map[[witnessedBytes]byte]struct{}
	now    map[[witnessedBytes]byte]struct{}
	fresh  []looked
}

func (l *looker) looksAt(w *witnessed, part string) *manyLooks {
	return &manyLooks{l: l, w: w, part: part, before: l.db.sound.known(part), now: map[[witnessedBytes]byte]struct{}{}}
}

// add takes the facts of a row.
func (m *manyLooks) add(facts []any) error {
	id, sum := m.w.of(facts)
	if _, ok := m.before[sum]; ok {
		m.now[sum] = struct{}{}
		return nil
	}
	if said, ok := m.l.written(m.w.name + " " + id); ok { // not durable yet, so it is asked again the next time
		return judge(m.w, id, sum, said)
	}
	m.fresh = append(m.fresh, looked{id: id, sum: sum})
	return nil
}

// end looks up what was not known, and remembers all.
func (m *manyLooks) end(ctx context.Context) error {
	if err := m.l.many(ctx, m.w, m.fresh); err != nil {
		return err
	}
	for _, x := range m.fresh {
		m.now[x.sum] = struct{}{}
	}
	m.l.db.sound.keep(m.part, m.now)
	return nil
}

// Foresee looks up what the first close after a start would have to, outside of its
// command, for which everybody else waits. What it finds wrong the close finds again.
func (s closingStore) Foresee(ctx context.Context) error {
	err := s.db.snapshot(ctx, func(q querier) error {
		l := s.db.glance(q)
		if s.db.sound.known(coolingSales) == nil {
			looks := l.looksAt(saleWitness, coolingSales)
			if err := each(ctx, q, scanSale, func(x sale.Sale) error { return looks.add(saleFacts(&x)) }, "SELECT "+saleColumns+" FROM sale WHERE state = 'cooling'"); err != nil {
				return err
			}
			if err := looks.end(ctx); err != nil {
				return err
			}
		}
		for _, line := range plan.LineNames {
			if s.db.sound.known(positionsOf(line)) != nil {
				continue
			}
			looks := l.looksAt(positionWitness, positionsOf(line))
			if err := each(ctx, q, scanPosition, func(x invest.Position) error { return looks.add(positionFacts(&x)) }, "SELECT "+positionColumns+" FROM invest_position WHERE line = $1 AND state <> 'claimed'", line); err != nil {
				return err
			}
			if err := looks.end(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.As(err, new(*ledger.TamperedError)) {
		return nil
	}
	return err
}

// The parts of what closes start from.
const coolingSales = "cooling sales"

func positionsOf(line string) string { return "positions of " + line }

// many holds rows against their lines, some batches of the chain at a time.
func (l *looker) many(ctx context.Context, w *witnessed, all []looked) error {
	if err := inChunks(all, func(part []looked) error { return l.placed(ctx, w, part) }); err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b looked) int { return cmp.Compare(a.batch, b.batch) })
	lost, _ := slices.BinarySearchFunc(all, 1, func(x looked, batch int64) int { return cmp.Compare(x.batch, batch) })
	if err := l.search(ctx, w, all[:lost]); err != nil {
		return err
	}
	return inChunks(all[lost:], func(part []looked) error {
		var batches []int64
		for _, x := range part {
			batches = append(batches, x.batch)
		}
		lines, err := l.linesOf(ctx, slices.Compact(batches))
		if err != nil {
			return unsigned(w, part[0].id, err)
		}
		for _, x := range part {
			if err := judge(w, x.id, x.sum, lines[x.batch][w.name+" "+x.id]); err != nil {
				return err
			}
		}
		return nil
	})
}

// missing is many for rows that are not there: a *ledger.TamperedError if the chain
// says otherwise where the last line of one is noted.
func (l *looker) missing(ctx context.Context, w *witnessed, all []looked) error {
	return inChunks(all, func(part []looked) error {
		if err := l.placed(ctx, w, part); err != nil {
			return err
		}
		for _, x := range part {
			if x.batch == 0 {
				continue
			}
			said, known, err := l.in(ctx, w.name+" "+x.id, x.batch)
			if err != nil {
				return unsigned(w, x.id, err)
			}
			if known && said != hex.EncodeToString(goneSum[:]) {
				return tampered(w, x.id, "it is missing")
			}
		}
		return nil
	})
}

// placed finds in which batches the lines of rows are.
func (l *looker) placed(ctx context.Context, w *witnessed, part []looked) error {
	args, at := make([]any, len(part)), make(map[string]*looked, len(part))
	for i := range part {
		what := w.name + " " + part[i].id
		args[i], at[what] = what, &part[i]
	}
	return each(ctx, l.q, scanLineAt, func(x lineAt) error {
		at[x.what].batch = x.batch
		return nil
	}, "SELECT what, batch FROM witness_at WHERE what IN "+placeholders(1, len(args)), args...)
}

// lineAt is where the last line of a row is.
type lineAt struct {
	what  string
	batch int64
}

func scanLineAt(r *sql.Rows) (x lineAt, err error) {
	err = r.Scan(&x.what, &x.batch)
	return x, err
}

// search is many for rows whose lines are somewhere, or nowhere: it reads all lines
// once.
func (l *looker) search(ctx context.Context, w *witnessed, all []looked) error {
	if len(all) == 0 {
		return nil
	}
	wanted := make(map[string]int64, len(all))
	for _, x := range all {
		wanted[w.name+" "+x.id] = 0
	}
	if err := l.lastLines(ctx, wanted); err != nil {
		return unsigned(w, all[0].id, err)
	}
	for _, x := range all {
		batch := wanted[w.name+" "+x.id]
		if batch == 0 {
			return judge(w, x.id, x.sum, "")
		}
		lines, err := l.lines(ctx, batch)
		if err != nil {
			return unsigned(w, x.id, err)
		}
		if err := judge(w, x.id, x.sum, lines[w.name+" "+x.id]); err != nil {
			return err
		}
	}
	return nil
}

// heldRight is nil if what was read of a batch on Hold is what the close of its day
// wrote: sum is the fingerprint of what was read. If it is new, all incomes of the
// day are held against their one line.
func (g *groupTx) heldRight(ctx context.Context, batch string, sum [witnessedBytes]byte) error {
	if g.db.sound.holdsAs(batch, sum) {
		return nil
	}
	day, found, err := first(ctx, g, scanID, "SELECT day FROM roi_batch WHERE id = $1", batch)
	if err == nil && found {
		err = g.incomesRight(ctx, day)
	}
	if err == nil {
		g.db.sound.keepHold(batch, sum)
	}
	return err
}

// incomesRight is nil if the incomes of a closed day are what its close wrote. They
// have one line together, in the batch of the close's command; a day without incomes
// has none.
func (g *groupTx) incomesRight(ctx context.Context, day int64) error {
	of, l := plan.Day(day).String(), newLooker(g)
	c, closed, err := first(ctx, g, scanCommand, commandsWhere+"actor = 'closing' AND command_key = $1", "close "+of)
	switch {
	case err != nil:
		return err
	case !closed:
		return ledger.Tampered("The incomes of "+of, "no command has closed the day")
	}
	if err := l.answered(ctx, c); err != nil { // or it could be said to be of another batch
		return err
	}
	lines, err := l.lines(ctx, c.Batch)
	if err != nil {
		return err
	}
	said, known := lines[incomeWitness+" "+of]
	sum, some := newFingerprint(), false
	if err := each(ctx, g, scanAny(strings.Count(incomeColumns, ",")), func(vals []any) error {
		sum.add(vals...)
		some = true
		return nil
	}, "SELECT "+incomeColumns[:strings.LastIndex(incomeColumns, ",")]+` FROM income
		WHERE row_no >= (SELECT rows_first FROM close_day WHERE day = $1) AND row_no <= (SELECT rows_last FROM close_day WHERE day = $1) ORDER BY row_no`, day); err != nil {
		return err
	}
	if got := sum.bytes(); known != some || (known && hex.EncodeToString(got[:]) != said) {
		return ledger.Tampered("The incomes of "+of, "they are not what the signed chain says of them")
	}
	return nil
}
