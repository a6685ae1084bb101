package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/ledger"
)

// adoptions are how often tables got lines in a later release.
const adoptions = 3

// adoptAtOnce is how many rows get their lines in one group. Who looks one of them
// up reads the lines of all of them: a million at once would be read, and their
// signature checked, by everybody who signs in.
const adoptAtOnce = 500

// Adopt vouches for the rows of tables that were not vouched for in earlier
// releases, as they stand, some in each group that write runs. Once the chain has the
// key of an adoption, with which the last of its rows go, none of them may be unknown
// to it; what was broken off before is begun again. Nobody else may write meanwhile.
func (db *DB) Adopt(ctx context.Context, write func(id ledger.CommandID, run func(*ledger.Tx)) error) error {
	for n := range adoptions {
		key := adoptKey(n + 1)
		done, err := known(ctx, &db.rows, key)
		if err != nil {
			return err
		}
		for a := (adoption{key: key}); !done; {
			if done, err = a.next(ctx, &db.rows); err != nil {
				return err
			}
			id := ledger.CommandID{Actor: key.Actor}
			if done {
				id = key
			}
			if err := write(id, a.vouch); err != nil {
				return err
			}
		}
	}
	return nil
}

func adoptKey(n int) ledger.CommandID {
	return ledger.CommandID{Actor: "witness adopt", Key: "later/" + strconv.Itoa(n)}
}

// adoption is how far one is.
type adoption struct {
	key   ledger.CommandID
	rows  []adopted
	table int   // of witnessedTables, where it goes on
	after []any // the key of the last row of that table
}

type adopted struct {
	of   *witnessed
	vals []any
}

// next finds the rows to be adopted next, and tells whether these are the last.
func (a *adoption) next(ctx context.Context, q querier) (last bool, err error) {
	a.rows = nil
	for ; a.table < len(witnessedTables); a.table, a.after = a.table+1, nil {
		w := witnessedTables[a.table]
		if w.later == 0 || adoptKey(w.later) != a.key {
			continue
		}
		query, args := w.someAfter(a.after, adoptAtOnce-len(a.rows))
		err := each(ctx, q, scanAny(len(w.columns)), func(vals []any) error {
			a.rows, a.after = append(a.rows, adopted{w, vals}), vals[:w.keys]
			return nil
		}, query, args...)
		if err != nil || len(a.rows) == adoptAtOnce {
			return false, err
		}
	}
	return true, nil
}

func (a *adoption) vouch(tx *ledger.Tx) {
	g := groupOf(tx)
	for _, row := range a.rows {
		g.witness(row.of, row.vals...)
	}
}

// someAfter asks for the rows after the one with a key; for the first without.
func (w *witnessed) someAfter(key []any, limit int) (query string, args []any) {
	by := strings.Join(w.columns[:w.keys], ", ")
	query = "SELECT " + strings.Join(w.columns, ", ") + " FROM " + w.table
	if key != nil {
		query += " WHERE (" + by + ") > " + placeholders(1, w.keys)
	}
	return query + " ORDER BY " + by + " LIMIT " + strconv.Itoa(limit), key
}

// adopted tells whether the rows of a table were.
func (w *witnessed) adopted(ctx context.Context, q querier) (bool, error) {
	if w.later == 0 {
		return true, nil
	}
	return known(ctx, q, adoptKey(w.later))
}

// known tells whether the chain has a command.
func known(ctx context.Context, q querier, key ledger.CommandID) (bool, error) {
	n, _, err := first(ctx, q, scanCount, "SELECT COUNT(*) FROM command WHERE actor = $1 AND command_key = $2", key.Actor, key.Key)
	return n > 0, err
}
