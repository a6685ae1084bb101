package store

import (
	"context"
	"strings"
	"sync"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
)

// A close starts from every open position, every sale whose cooling-off ends and every
// income on Hold: whoever changes one of them before the close, and back after it, is
// paid. They are too many to be compared with the chain at each close, so that the hashes
// that were right are remembered until the next close has read them.

// verifiedRows are hashes that the chain confirms, by the part of the tables that they are
// of. The rows of a part never change in what is hashed.
type verifiedRows struct {
	mu   sync.Mutex
	part map[string]map[rowHash]struct{}
}

// of is never written to.
func (r *verifiedRows) of(part string) map[rowHash]struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.part[part]
}

func (r *verifiedRows) set(part string, sums map[rowHash]struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.part == nil {
		r.part = map[string]map[rowHash]struct{}{}
	}
	r.part[part] = sums
}

// verifyPart compares the n rows of a part, of which what is hashed never changes, with
// the chain where they were not verified before.
func (v rowVerifier) verifyPart(ctx context.Context, t *signedTable, part string, n int, facts func(i int) []any) error {
	before, now := v.chain.verified.of(part), make(map[rowHash]struct{}, n)
	var fresh []rowCheck
	for i := range n {
		c := t.check(facts(i))
		if _, known := before[c.hash]; known {
			now[c.hash] = struct{}{}
		} else {
			fresh = append(fresh, c)
		}
	}
	if err := v.compare(ctx, t, fresh); err != nil {
		return err
	}
	for i := range fresh {
		if fresh[i].batch > 0 { // the lines of this group are not durable yet
			now[fresh[i].hash] = struct{}{}
		}
	}
	v.chain.verified.set(part, now)
	return nil
}

// verifyHeld is nil if what was read of a batch on Hold is what the close of its day
// wrote: sum is the hash of what was read. If that is new, all incomes of the day are
// compared with their one line.
func verifyHeld(ctx context.Context, g *groupTx, batch string, sum rowHash) error {
	known, part := &chainOf(g.db).verified, "hold "+batch
	if _, ok := known.of(part)[sum]; ok {
		return nil
	}
	day, found, err := first(ctx, g, scanID, "SELECT day FROM roi_batch WHERE id = $1", batch)
	if err == nil && found {
		err = verifyIncomes(ctx, g, day)
	}
	if err == nil {
		known.set(part, map[rowHash]struct{}{sum: {}})
	}
	return err
}

// verifyIncomes is nil if the incomes of a closed day are what its close wrote. They
// have one line together, in the batch of the close's command; a day without incomes
// has none.
func verifyIncomes(ctx context.Context, g *groupTx, day int64) error {
	of, v := plan.Day(day).String(), verifierIn(g)
	c, closed, err := first(ctx, g, scanCommand, commandsWhere+"actor = 'closing' AND command_key = $1", "close "+of)
	switch {
	case err != nil:
		return err
	case !closed:
		return ledger.Tampered("The incomes of "+of, "no command has closed the day")
	}
	if err := v.answered(ctx, c); err != nil { // or it could be said to be of another batch
		return err
	}
	lines, err := v.signedLines(ctx, []int64{c.Batch})
	if err != nil {
		return err
	}
	recorded, known := lines[c.Batch][incomeLine+" "+of]
	h, some := newRowHasher(), false
	if err := each(ctx, g, scanAny(strings.Count(incomeColumns, ",")), func(vals []any) error {
		h.add(vals...)
		some = true
		return nil
	}, "SELECT "+incomeColumns[:strings.LastIndex(incomeColumns, ",")]+` FROM income
		WHERE row_no >= (SELECT rows_first FROM close_day WHERE day = $1) AND row_no <= (SELECT rows_last FROM close_day WHERE day = $1) ORDER BY row_no`, day); err != nil {
		return err
	}
	if known != some || (known && h.sum().String() != recorded) {
		return ledger.Tampered("The incomes of "+of, "they are not what the signed chain says of them")
	}
	return nil
}
