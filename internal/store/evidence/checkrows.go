package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Comparing all rows with the chain, for 'bifolia verify'. The last line of every row is
// in memory, as two short hashes; of many rows only a part at a time, so that the memory
// is bounded whatever a database holds.

// rowsAtOnce is how many rows are in memory at a time: 191 MB, and 216 while they are
// read (measured).
const rowsAtOnce = 2_000_000

// rowKey is the hash of a row's name.
type rowKey [16]byte

func keyOf(row string) (k rowKey) {
	sum := sha256.Sum256([]byte(row))
	copy(k[:], sum[:])
	return k
}

// RowsCheck compares a part of all rows.
type RowsCheck struct {
	Q           engine.Querier
	part, parts int
	recorded    map[rowKey]recordedHash
	open        map[string]bool // sessions whose rows say that they have not ended
}

// recordedHash is what the chain says last of a row, and where.
type recordedHash struct {
	hash  RowHash
	batch int64
}

// CheckRows is the first row that is not what the chain says of it; nil if there is none.
// The checks of other packages run once, after those of the tables.
func CheckRows(ctx context.Context, q engine.Querier, others ...func(context.Context, *RowsCheck) error) (*closing.Broken, error) {
	rows := int64(0)
	for _, t := range signedTables() {
		n, err := engine.Value(ctx, q, engine.ScanCount, "SELECT COUNT(*) FROM "+t.Table)
		if err != nil {
			return nil, err
		}
		rows += n
	}
	parts := int(rows/rowsAtOnce) + 1
	for part := range parts {
		c := &RowsCheck{Q: q, part: part, parts: parts, recorded: map[rowKey]recordedHash{}}
		if b, err := Caught(c.check(ctx, others)); b != nil || err != nil {
			return b, err
		}
	}
	return nil, nil
}

func (c *RowsCheck) check(ctx context.Context, others []func(context.Context, *RowsCheck) error) error {
	if c.part == 0 {
		open, err := engine.List(ctx, c.Q, engine.ScanText, "SELECT id FROM session WHERE ended_at = 0")
		if err != nil {
			return err
		}
		c.open = map[string]bool{}
		for _, id := range open {
			c.open[id] = true
		}
	}
	if err := c.loadHashes(ctx); err != nil {
		return err
	}
	if err := c.notes(ctx); err != nil {
		return err
	}
	for _, t := range signedTables() {
		if err := c.table(ctx, t); err != nil {
			return err
		}
	}
	if c.part == 0 {
		for _, check := range others {
			if err := check(ctx, c); err != nil {
				return err
			}
		}
	}
	return c.missing(ctx)
}

// mine tells whether a row is of this part. Incomes, which are read in their order, are
// all of the first.
func (c *RowsCheck) mine(row string, k rowKey) bool {
	if name, _, _ := strings.Cut(row, " "); name == IncomeLine || name == ReleaseLine {
		return c.part == 0
	}
	return (int(k[0])<<8|int(k[1]))%c.parts == c.part
}

// known tells whether lines of a name are about rows that are compared.
func known(name string) bool {
	return name == IncomeLine || name == ReleaseLine || tablesByName[name] != nil
}

// loadHashes reads what the chain says last of every row.
func (c *RowsCheck) loadHashes(ctx context.Context) error {
	return eachLine(ctx, c.Q, func(l chainLine) error {
		name, id := l.name()
		switch {
		case name == sessionEnd && c.open[id]:
			return WrongRow("a session that has ended stays ended", "session "+id, "open", "ended")
		case id == "" || !known(name):
			return nil
		}
		k := keyOf(l.row)
		if !c.mine(l.row, k) {
			return nil
		}
		raw, err := hex.DecodeString(l.hash)
		if err != nil || len(raw) != len(RowHash{}) {
			return fmt.Errorf("the chain's line about %s cannot be read", l.row)
		}
		now := recordedHash{RowHash(raw), l.batch}
		// Where the newest entry was deleted, the next one takes its number.
		if was, twice := c.recorded[k]; twice && name == "trail/1" && was.hash != now.hash {
			return WrongRow("an entry of the audit log is written once", "trail "+id, "written twice", "as it was first")
		}
		c.recorded[k] = now
		return nil
	})
}

// notes compares the notes of where lines are with where they are: by a wrong one the
// server would take a row for changed, or an old one for right.
func (c *RowsCheck) notes(ctx context.Context) error {
	return engine.Each(ctx, c.Q, scanNote, func(n note) error {
		name, _, _ := strings.Cut(n.row, " ")
		k := keyOf(n.row)
		if !known(name) || !c.mine(n.row, k) {
			return nil
		}
		// compare finds a row without a line.
		if r, known := c.recorded[k]; known && r.batch != n.batch {
			return WrongRow("a line of the chain is where it is noted to be", "witness_at "+n.row, fmt.Sprintf("batch %d", n.batch), fmt.Sprintf("batch %d", r.batch))
		}
		return nil
	}, "SELECT what, batch FROM witness_at")
}

const unlike = "a row is what the chain says of it"

// Changed is the error about a row that differs from its line.
func Changed(table, id string) error {
	return WrongRow(unlike, table+" "+id, "changed", "as it was written")
}

// Compare compares one row with the chain, and crosses it off.
func (c *RowsCheck) Compare(name, table, id string, sum RowHash) error {
	row := name + " " + id
	k := keyOf(row)
	if !c.mine(row, k) {
		return nil
	}
	r, known := c.recorded[k]
	switch {
	case known && r.hash != sum:
		return Changed(table, id)
	case !known:
		return WrongRow(unlike, table+" "+id, "there", "written by a command")
	}
	delete(c.recorded, k)
	return nil
}

// found is a row that is wrong, on its way out of reading rows.
type found struct{ b *closing.Broken }

func (f found) Error() string { return f.b.Error() }

// WrongRow is the error about a row that breaks a rule. Caught gives it to the caller.
func WrongRow(rule, of, have, want string) error {
	return found{&closing.Broken{Rule: rule, Of: of, Have: have, Want: want}}
}

// Caught separates a finding of WrongRow from an error of reading.
func Caught(err error) (*closing.Broken, error) {
	var f found
	if errors.As(err, &f) {
		return f.b, nil
	}
	return nil, err
}

func (c *RowsCheck) table(ctx context.Context, t *SignedTable) error {
	return engine.Each(ctx, c.Q, ScanAny(len(t.Columns)), func(vals []any) error {
		id, sum := t.hash(vals)
		return c.Compare(t.name, t.Table, id, sum)
	}, "SELECT "+strings.Join(t.Columns, ", ")+" FROM "+t.Table)
}

// missing names a row that the chain knows and that is not there.
func (c *RowsCheck) missing(ctx context.Context) error {
	if len(c.recorded) == 0 {
		return nil
	}
	return eachLine(ctx, c.Q, func(l chainLine) error {
		if r, left := c.recorded[keyOf(l.row)]; left && r.hash != deletedHash {
			name, id := l.name()
			table, _, _ := strings.Cut(name, "/")
			return WrongRow(unlike, table+" "+id, "missing", "there")
		}
		return nil
	})
}
