package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Holding rows against what the chain vouches for. The last line of every row
// is kept in memory, as two short fingerprints; of many rows only a part at a
// time, so that it is bounded whatever a database holds.

// witnessedAtOnce is how many rows are kept at a time: 191 MB, and 216 while
// they come (measured).
const witnessedAtOnce = 2_000_000

// witnessKey stands for the name of a row.
type witnessKey [witnessedBytes]byte

func keyOf(name, id string) (k witnessKey) {
	sum := sha256.Sum256([]byte(name + " " + id))
	copy(k[:], sum[:])
	return k
}

// vouched is a part of what the chain says.
type vouched struct {
	m           moment
	part, parts int
	said        map[witnessKey]saying
	open        map[string]bool // sessions whose rows say that they have not ended
}

// saying is what the chain says last of a row, and where.
type saying struct {
	sum   [witnessedBytes]byte
	batch int64
}

const unlike = "a row is what the chain says of it"

func (m moment) Unwitnessed(ctx context.Context) (*closing.Broken, error) {
	rows := int64(0)
	for _, w := range witnessedTables {
		n, _, err := first(ctx, m.q, scanCount, "SELECT COUNT(*) FROM "+w.table)
		if err != nil {
			return nil, err
		}
		rows += n
	}
	parts := int(rows/witnessedAtOnce) + 1
	for part := range parts {
		v := &vouched{m: m, part: part, parts: parts, said: map[witnessKey]saying{}}
		if b, err := v.check(ctx); b != nil || err != nil {
			return b, err
		}
	}
	return nil, nil
}

func (v *vouched) check(ctx context.Context) (*closing.Broken, error) {
	if v.part == 0 {
		open, err := list(ctx, v.m.q, scanText, "SELECT id FROM session WHERE ended_at = 0")
		if err != nil {
			return nil, err
		}
		v.open = map[string]bool{}
		for _, id := range open {
			v.open[id] = true
		}
	}
	if b, err := caught(v.listen(ctx)); b != nil || err != nil {
		return b, err
	}
	if b, err := v.places(ctx); b != nil || err != nil {
		return b, err
	}
	for _, w := range witnessedTables {
		if b, err := v.table(ctx, w); b != nil || err != nil {
			return b, err
		}
	}
	if v.part == 0 {
		if b, err := v.incomes(ctx); b != nil || err != nil {
			return b, err
		}
		if b, err := v.owned(ctx); b != nil || err != nil {
			return b, err
		}
	}
	return v.missing(ctx)
}

// owned holds the recovery codes and passkeys against their factors, for whose
// rows the chain vouches. Those of nobody are named too.
func (v *vouched) owned(ctx context.Context) (*closing.Broken, error) {
	for _, o := range []struct {
		table, column string
		sum           func(context.Context, querier, auth.Owner) ([]byte, error)
	}{{"factor_recovery", "recovery", recoverySum}, {"passkey", "passkeys", passkeySum}} {
		type factor struct {
			owner auth.Owner
			said  []byte
		}
		factors, err := list(ctx, v.m.q, func(r *sql.Rows) (f factor, err error) {
			err = r.Scan(&f.owner.Kind, &f.owner.ID, &f.said)
			return f, err
		}, "SELECT kind, owner, "+o.column+" FROM factor UNION SELECT x.kind, x.owner, $1 FROM "+o.table+` x
			WHERE NOT EXISTS (SELECT 1 FROM factor f WHERE f.kind = x.kind AND f.owner = x.owner) ORDER BY kind, owner`, []byte{})
		if err != nil {
			return nil, err
		}
		for _, f := range factors {
			have, err := o.sum(ctx, v.m.q, f.owner)
			if err != nil {
				return nil, err
			}
			if !bytes.Equal(have, f.said) {
				return &closing.Broken{Rule: unlike, Of: fmt.Sprintf("%s of %s %d", o.table, f.owner.Kind, f.owner.ID), Have: "changed", Want: "as it was written"}, nil
			}
		}
	}
	return nil, nil
}

// each gives the lines of the chain, oldest first.
func (v *vouched) each(ctx context.Context, yield func(name, id, sum string, batch int64) error) error {
	return each(ctx, v.m.q, scanWitness, func(c witnessCommand) error {
		for text := range strings.Lines(string(c.response)) {
			text = strings.TrimSuffix(text, "\n")
			name, rest, _ := strings.Cut(text, " ")
			at := strings.LastIndexByte(rest, ' ')
			id, sum := "", rest
			if at >= 0 {
				id, sum = rest[:at], rest[at+1:]
			}
			if err := yield(name, id, sum, c.batch); err != nil {
				return err
			}
		}
		return nil
	}, allWitness, witnessActor)
}

// mine tells whether a row is of this part. Incomes, which are read in their
// order, are all of the first.
func (v *vouched) mine(name string, k witnessKey) bool {
	if name == incomeWitness || name == releaseOfHold {
		return v.part == 0
	}
	return (int(k[0])<<8|int(k[1]))%v.parts == v.part
}

// listen reads what the chain says last of every row.
func (v *vouched) listen(ctx context.Context) error {
	return v.each(ctx, func(name, id, sum string, batch int64) error {
		switch {
		case name == sessionEnd && v.open[id]:
			return found{&closing.Broken{Rule: "a session that has ended stays ended", Of: "session " + id, Have: "open", Want: "ended"}}
		case id == "" || !witnessNames()[name]:
			return nil
		}
		k := keyOf(name, id)
		if !v.mine(name, k) {
			return nil
		}
		raw, err := hex.DecodeString(sum)
		if err != nil || len(raw) != witnessedBytes {
			return fmt.Errorf("the chain's line about %s %s cannot be read", name, id)
		}
		said := saying{[witnessedBytes]byte(raw), batch}
		// Where the newest entry was deleted, the next one takes its number.
		if was, twice := v.said[k]; twice && name == trailWitness.name && was.sum != said.sum {
			return found{&closing.Broken{Rule: "an entry of the audit log is written once", Of: "trail " + id, Have: "written twice", Want: "as it was first"}}
		}
		v.said[k] = said
		return nil
	})
}

// places holds the notes of where lines are against where they are: by a wrong one
// the server would take a row for changed, or an old one for right.
func (v *vouched) places(ctx context.Context) (*closing.Broken, error) {
	type place struct {
		what  string
		batch int64
	}
	scan := func(r *sql.Rows) (p place, err error) {
		err = r.Scan(&p.what, &p.batch)
		return p, err
	}
	return caught(each(ctx, v.m.q, scan, func(p place) error {
		name, id, _ := strings.Cut(p.what, " ")
		k := keyOf(name, id)
		if !witnessNames()[name] || !v.mine(name, k) {
			return nil
		}
		// A row without a line is compare's matter.
		if said, known := v.said[k]; known && said.batch != p.batch {
			return found{&closing.Broken{Rule: "a line of the chain is where it is noted to be", Of: "witness_at " + p.what, Have: fmt.Sprintf("batch %d", p.batch), Want: fmt.Sprintf("batch %d", said.batch)}}
		}
		return nil
	}, "SELECT what, batch FROM witness_at"))
}

// compare holds one row against the chain, and crosses it off.
func (v *vouched) compare(name, table, id string, sum [witnessedBytes]byte) *closing.Broken {
	k := keyOf(name, id)
	if !v.mine(name, k) {
		return nil
	}
	said, known := v.said[k]
	switch {
	case known && said.sum != sum:
		return &closing.Broken{Rule: unlike, Of: table + " " + id, Have: "changed", Want: "as it was written"}
	case !known:
		return &closing.Broken{Rule: unlike, Of: table + " " + id, Have: "there", Want: "written by a command"}
	}
	delete(v.said, k)
	return nil
}

// found is a row that is wrong, on its way out of reading rows.
type found struct{ b *closing.Broken }

func (f found) Error() string { return f.b.Error() }

// caught is what was found, or the error of reading.
func caught(err error) (*closing.Broken, error) {
	var f found
	if errors.As(err, &f) {
		return f.b, nil
	}
	return nil, err
}

func (v *vouched) table(ctx context.Context, w *witnessed) (*closing.Broken, error) {
	return caught(each(ctx, v.m.q, scanAny(len(w.columns)), func(vals []any) error {
		id, sum := w.of(vals)
		if b := v.compare(w.name, w.table, id, sum); b != nil {
			return found{b}
		}
		return nil
	}, "SELECT "+strings.Join(w.columns, ", ")+" FROM "+w.table))
}

// incomeDays reads incomes day by day.
type incomeDays struct {
	v         *vouched
	day, next int64
	sum       *fingerprint
}

// incomes holds the rows of every day against its one line, and when they left
// Hold. Their numbers have no gaps and their days only grow.
func (v *vouched) incomes(ctx context.Context) (*closing.Broken, error) {
	x := &incomeDays{v: v, next: 1, sum: newFingerprint()}
	err := each(ctx, v.m.q, scanAny(strings.Count(incomeColumns, ",")+1), x.add, "SELECT "+incomeColumns+" FROM income ORDER BY row_no")
	if err == nil {
		err = x.end()
	}
	return caught(err)
}

func (x *incomeDays) add(vals []any) error {
	row, _ := vals[0].(int64)
	day, _ := vals[1].(int64)
	released := vals[len(vals)-1]
	if row != x.next || day < x.day {
		return found{&closing.Broken{
			Rule: "incomes are numbered without gaps, in the order of their days", Of: fmt.Sprintf("income %v", vals[0]),
			Have: fmt.Sprintf("%d of %s", row, plan.Day(day)), Want: fmt.Sprintf("%d of %s or later", x.next, plan.Day(x.day)),
		}}
	}
	if day != x.day {
		if err := x.end(); err != nil {
			return err
		}
		x.day = day
	}
	x.next++
	x.sum.add(vals[:len(vals)-1]...)
	if on, _ := released.(int64); on != 0 {
		if b := x.v.compare(releaseOfHold, "the release of income", strconv.FormatInt(row, 10), releasedOn(row, on)); b != nil {
			return found{b}
		}
	}
	return nil
}

// end compares the day that was read.
func (x *incomeDays) end() error {
	if x.day == 0 {
		return nil
	}
	if b := x.v.compare(incomeWitness, "incomes of", plan.Day(x.day).String(), x.sum.bytes()); b != nil {
		return found{b}
	}
	x.sum = newFingerprint()
	return nil
}

// missing names a row that the chain knows and that is not there.
func (v *vouched) missing(ctx context.Context) (*closing.Broken, error) {
	if len(v.said) == 0 {
		return nil, nil
	}
	return caught(v.each(ctx, func(name, id, _ string, _ int64) error {
		if said, left := v.said[keyOf(name, id)]; left && said.sum != goneSum {
			table, _, _ := strings.Cut(name, "/")
			return found{&closing.Broken{Rule: unlike, Of: table + " " + id, Have: "missing", Want: "there"}}
		}
		return nil
	}))
}
