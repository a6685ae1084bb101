package evidence

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// Rows about payouts, their recipients and operators' proposals are compared with the signed
// chain while the server runs, and not only by 'bifolia verify': before each change, which
// would otherwise sign a row that was altered in the database, and before money leaves. Rows are verified together, so that a close asks for some hundreds by a
// statement.

// RowVerifier compares rows with the last lines of the chain about them: within a
// command, or as of a snapshot.
type RowVerifier struct {
	chain *chainState
	q     engine.Querier
	g     *engine.Group // of the command; nil outside of one, where nothing is written
}

// VerifierIn verifies rows within a command.
func VerifierIn(g *engine.Group) RowVerifier { return RowVerifier{ChainOf(g.DB), g, g} }

func verifierAt(db *engine.DB, q engine.Querier) RowVerifier { return RowVerifier{ChainOf(db), q, nil} }

// Verified reads rows and verifies them: within a command, or as of one snapshot of what
// is committed.
func Verified(ctx context.Context, db *engine.DB, tx *ledger.Tx, read func(engine.Querier, RowVerifier) error) error {
	if tx != nil {
		g := engine.GroupOf(tx)
		return read(g, VerifierIn(g))
	}
	return db.Snapshot(ctx, func(q engine.Querier) error { return read(q, verifierAt(db, q)) })
}

func VerifiedRow[T any](ctx context.Context, db *engine.DB, tx *ledger.Tx, t *SignedTable, key func(T) []any, scan func(*sql.Rows) (T, error), query string, args ...any) (x T, found bool, err error) {
	err = Verified(ctx, db, tx, func(q engine.Querier, v RowVerifier) error {
		if x, found, err = engine.First(ctx, q, scan, query, args...); err != nil || !found {
			return err
		}
		return v.Row(ctx, t, key(x)...)
	})
	return x, found, err
}

// RowCheck is a row on its way to be compared.
type RowCheck struct {
	id       string
	Row      string // as lines name it
	hash     RowHash
	absent   bool   // it is not there
	search   bool   // where its line is not noted, the whole chain is read
	batch    int64  // that has its last line; 0 of lines of the command's own group
	recorded string // what that says; "" without a line
}

// Check is a row to compare, by its hashed values.
func (t *SignedTable) Check(vals []any) RowCheck {
	id, sum := t.hash(vals)
	return RowCheck{id: id, Row: t.name + " " + id, hash: sum, search: true}
}

// CheckAbsent is for a row that is not there.
func (t *SignedTable) CheckAbsent(key []any, search bool) RowCheck {
	id := t.ID(key)
	return RowCheck{id: id, Row: t.name + " " + id, absent: true, search: search}
}

// Row returns nil if a row agrees with the chain, or if there is none. If somebody has
// changed it, it returns a *ledger.TamperedError.
func (v RowVerifier) Row(ctx context.Context, t *SignedTable, key ...any) error {
	return v.Rows(ctx, t, [][]any{key})
}

// RequireRow is Row for a row that must exist if the chain has a line of it.
func (v RowVerifier) RequireRow(ctx context.Context, t *SignedTable, key ...any) error {
	return v.read(ctx, t, [][]any{key}, true)
}

// Rows is Row for several rows of a table.
func (v RowVerifier) Rows(ctx context.Context, t *SignedTable, keys [][]any) error {
	return v.read(ctx, t, keys, false)
}

// KeysOf are the keys of rows, after the parts that all of them share.
func KeysOf[T any](all []T, key func(T) any, before ...any) [][]any {
	keys := make([][]any, len(all))
	for i, x := range all {
		keys[i] = append(before[:len(before):len(before)], key(x))
	}
	return keys
}

func (v RowVerifier) read(ctx context.Context, t *SignedTable, keys [][]any, require bool) error {
	var all []RowCheck
	for _, key := range keys {
		vals, found, err := engine.First(ctx, v.q, ScanAny(len(t.Columns)), t.read, key...)
		switch {
		case err != nil:
			return err
		case found:
			all = append(all, t.Check(vals))
		case require:
			all = append(all, t.CheckAbsent(key, true))
		}
	}
	return v.Compare(ctx, t, all)
}

// Compare is nil if rows are what the chain says of them.
func (v RowVerifier) Compare(ctx context.Context, t *SignedTable, all []RowCheck) error {
	if err := v.find(ctx, t, all); err != nil {
		return err
	}
	for i := range all {
		if err := t.compareHash(&all[i]); err != nil {
			return err
		}
		if c := &all[i]; c.batch > 0 {
			v.chain.latest.put(c.Row, c.batch)
		}
	}
	return nil
}

func (t *SignedTable) compareHash(c *RowCheck) error {
	switch {
	case c.absent && (c.recorded == "" || c.recorded == deletedHash.String()), !c.absent && c.recorded == c.hash.String():
		return nil
	case c.absent:
		return Tampered(t, c.id, "it is missing")
	case c.recorded == "":
		return Tampered(t, c.id, "no command has written it")
	}
	return Tampered(t, c.id, "it is not what the signed chain says of it")
}

// Tampered names the row in an operator's words.
func Tampered(t *SignedTable, id, how string) error {
	name := strings.ReplaceAll(strings.ToUpper(t.Table[:1])+t.Table[1:], "_", " ") + " " + id
	if batch, withdrawal, ok := strings.Cut(id, "/"); ok && t.Table == "payout" {
		name = "The payout of withdrawal " + withdrawal + " in batch " + batch
	}
	return ledger.Tampered(name, how)
}

// find sets what the chain says last of rows: in this group, or in the batch that is
// noted, or else wherever the line is.
func (v RowVerifier) find(ctx context.Context, t *SignedTable, all []RowCheck) error {
	var open []*RowCheck
	for i := range all {
		c, own := &all[i], false
		if v.g != nil {
			c.recorded, own = v.g.LineOf(c.Row)
		}
		if !own {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return nil
	}
	head, _, err := engine.First(ctx, v.q, engine.ScanCount, "SELECT batch FROM head WHERE id = 1")
	if err != nil {
		return err
	}
	if err := engine.InChunks(open, func(part []*RowCheck) error { return v.place(ctx, part, head) }); err != nil {
		return err
	}
	if err := v.readLines(ctx, t, open); err != nil {
		return err
	}
	// A note of a batch that does not mention the row is as good as none.
	open = slices.DeleteFunc(open, func(c *RowCheck) bool { return c.recorded != "" || !c.search })
	if len(open) == 0 {
		return nil
	}
	if err := v.search(ctx, open); err != nil {
		return err
	}
	return v.readLines(ctx, t, open)
}

// place sets the batches in which the last lines of rows are noted to be. A note of a
// batch that does not exist yet was changed.
func (v RowVerifier) place(ctx context.Context, part []*RowCheck, head int64) error {
	args := make([]any, len(part))
	for i, c := range part {
		args[i] = c.Row
	}
	args = padded(args)
	noted := map[string]int64{}
	if err := engine.Each(ctx, v.q, scanNote, func(n note) error {
		noted[n.row] = n.batch
		return nil
	}, "SELECT what, batch FROM witness_at WHERE what IN "+engine.Placeholders(1, len(args)), args...); err != nil {
		return err
	}
	for _, c := range part {
		for _, batch := range []int64{noted[c.Row], v.chain.latest.of(c.Row)} {
			if batch <= head { // a snapshot may be older than what this process has seen
				c.batch = max(c.batch, batch)
			}
		}
	}
	return nil
}

// note says which batch has the last line of a row.
type note struct {
	row   string
	batch int64
}

func scanNote(r *sql.Rows) (n note, err error) {
	err = r.Scan(&n.row, &n.batch)
	return n, err
}

// padded repeats the last value up to a power of two, so that there are few statements.
func padded(args []any) []any {
	for size := engine.ListSize(len(args)); len(args) < size; {
		args = append(args, args[len(args)-1])
	}
	return args
}

// readLines sets what the batches of rows say of them. A batch that is not as it was
// signed hides no line: an older line would then pass an older row.
func (v RowVerifier) readLines(ctx context.Context, t *SignedTable, all []*RowCheck) error {
	slices.SortStableFunc(all, func(a, b *RowCheck) int { return cmp.Compare(a.batch, b.batch) })
	from, _ := slices.BinarySearchFunc(all, 1, func(c *RowCheck, batch int64) int { return cmp.Compare(c.batch, batch) })
	return engine.InChunks(all[from:], func(part []*RowCheck) error {
		var batches []int64
		for _, c := range part {
			batches = append(batches, c.batch)
		}
		lines, err := v.SignedLines(ctx, slices.Compact(batches))
		if errors.Is(err, errUnsigned) {
			return Tampered(t, part[0].id, "its line in the chain is not what was signed")
		}
		for _, c := range part {
			c.recorded = lines[c.batch][c.Row]
		}
		return err
	})
}

// search reads the whole chain for the batches of rows, and notes them.
func (v RowVerifier) search(ctx context.Context, all []*RowCheck) error {
	batch := make(map[string]int64, len(all))
	for _, c := range all {
		batch[c.Row], c.batch = 0, 0
	}
	if err := eachLine(ctx, v.q, func(l chainLine) error {
		if _, wanted := batch[l.row]; wanted {
			batch[l.row] = l.batch
		}
		return nil
	}); err != nil {
		return err
	}
	for _, c := range all {
		if c.batch = batch[c.Row]; c.batch == 0 || v.g == nil {
			continue
		}
		if _, err := v.g.Exec(ctx, engine.NoteLine, c.Row, c.batch); err != nil {
			return err
		}
	}
	return nil
}
