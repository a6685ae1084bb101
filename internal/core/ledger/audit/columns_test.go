package audit_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// primary lists the ledger's tables and how their rows are told apart.
var primary = map[string][]string{
	"head": {"id"}, "account": {"id"}, "transfer": {"seq"}, "entry": {"account", "version"},
	"hold": {"id"}, "command": {"actor", "command_key"}, "batch": {"no"},
}

// uncovered columns say nothing about money or history.
var uncovered = map[string]string{
	"head.holder": "where the sequencer can be reached: changes with every start",
	"head.frozen": "set and cleared by operators",
}

// Every column of every row of every table, changed in several ways, is found.
func TestVerifyFindsAChangeInAnyColumn(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := story()
		l := openLedger(t, dsn, true, m)
		for table := range primary {
			t.Run(table, func(t *testing.T) {
				opts := audit.Options{PublicKeys: trusted(m.key)}
				check := func() error {
					_, err := l.verify(opts)
					return err
				}
				for _, column := range l.columns(t, table) {
					if uncovered[table+"."+column] == "" {
						l.changeColumn(t, table, column, check, func(f *audit.Finding) bool { return f.Table == table })
					}
				}
				if err := check(); err != nil {
					t.Errorf("put back, the ledger should be in order: %v", err)
				}
			})
		}
	})
}

func (l *ledgerDB) columns(t *testing.T, table string) []string {
	t.Helper()
	rows, err := l.raw.Query("SELECT * FROM " + table + " WHERE 1 = 0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil || rows.Err() != nil || len(names) == 0 {
		t.Fatalf("%s has no columns: %v, %v", table, err, rows.Err())
	}
	return names
}

// values reads one column of all rows, with their primary keys.
func (l *ledgerDB) values(t *testing.T, table, column string) (values []any, keys [][]any) {
	t.Helper()
	key := primary[table]
	rows, err := l.raw.Query("SELECT " + column + ", " + strings.Join(key, ", ") + " FROM " + table + " ORDER BY " + strings.Join(key, ", "))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		row := make([]any, 1+len(key))
		to := make([]any, len(row))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		values, keys = append(values, row[0]), append(keys, row[1:])
	}
	if rows.Err() != nil || len(values) == 0 {
		t.Fatalf("%s has no rows: %v", table, rows.Err())
	}
	return values, keys
}

// others are values that a column could be changed to.
func others(value any) []any {
	switch v := value.(type) {
	case int64:
		return []any{v + 1, v - 1, v + 1<<40, -v - 3}
	case string:
		return []any{v + "x", "zz:" + v}
	case []byte:
		flipped := append([]byte{}, v...)
		if len(flipped) == 0 {
			return []any{[]byte{7}}
		}
		flipped[len(flipped)-1] ^= 1
		return []any{flipped, append(bytes.Clone(v), 0), v[:len(v)-1]}
	}
	panic(fmt.Sprintf("a value of type %T", value))
}

// changeColumn changes the column in each row in turn. check must find it, and
// right approve of what it names.
func (l *ledgerDB) changeColumn(t *testing.T, table, column string, check func() error, right func(*audit.Finding) bool) {
	t.Helper()
	values, keys := l.values(t, table, column)
	primaryAt := slices.Index(primary[table], column)
	for i, value := range values {
		changes := others(value)
		if i%4 != 0 || l.engine != "sqlite" {
			changes = changes[:1] // every row once, some in every way
		}
		for _, other := range changes {
			if table+"."+column == "head.epoch" && other.(int64) > value.(int64) {
				continue // a newer sequencer that has written nothing yet
			}
			if primaryAt >= 0 && taken(keys, keys[i], primaryAt, other) {
				continue // the key is another row's
			}
			now := append([]any{}, keys[i]...)
			l.set(t, table, column, other, keys[i])
			if primaryAt >= 0 {
				now[primaryAt] = other
			}
			err := check()
			if err == nil {
				t.Errorf("%s.%s of %v changed from %v to %v: not found", table, column, keys[i], value, other)
			} else if f := finding(t, err); !right(f) && !onlyOnce(table, column, keys[i], f) {
				t.Errorf("%s.%s of %v changed from %v to %v: named as %v", table, column, keys[i], value, other, f)
			}
			l.set(t, table, column, value, now)
		}
	}
}

// onlyOnce reports an account whose code is in one transfer only: a change of it cannot be
// distinguished from a change of the transfer's fields. The finding then names both.
func onlyOnce(table, column string, key []any, f *audit.Finding) bool {
	return table+"."+column == "account.code" && f.Table == "transfer" && strings.Contains(f.Problem, fmt.Sprintf("or the code of account id %d was", key[0]))
}

func taken(keys [][]any, of []any, column int, other any) bool {
	want := append([]any{}, of...)
	want[column] = other
	return slices.ContainsFunc(keys, func(key []any) bool { return slices.Equal(key, want) })
}

func (l *ledgerDB) set(t *testing.T, table, column string, value any, key []any) {
	t.Helper()
	if b, ok := value.([]byte); ok && b == nil {
		value = []byte{}
	}
	where := make([]string, len(key))
	for i, name := range primary[table] {
		where[i] = fmt.Sprintf("%s = $%d", name, i+2)
	}
	res, err := l.raw.Exec("UPDATE "+table+" SET "+column+" = $1 WHERE "+strings.Join(where, " AND "), append([]any{value}, key...)...)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		t.Fatalf("%s.%s of %v: %d rows changed, %v", table, column, key, n, err)
	}
}
