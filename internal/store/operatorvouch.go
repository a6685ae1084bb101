package store

import (
	"context"
	"sync"

	"github.com/bifolia/bifolia/internal/people/auth"
)

// What an operator may do is read with each request, so that their row is held
// against the chain with each request too, and not only when they sign in. That
// costs reading the row, once a second: what was found right is remembered by its
// fingerprint, and the chain is asked when the row has another one.

// vouchedOperators are the operators that were found to be what the chain says.
type vouchedOperators struct {
	mu sync.Mutex
	by map[int64]vouchedOperator
}

type vouchedOperator struct {
	sum   [witnessedBytes]byte
	batch int64 // of its line
}

func (v *vouchedOperators) get(id int64) (vouchedOperator, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	o, ok := v.by[id]
	return o, ok
}

func (v *vouchedOperators) put(id int64, o vouchedOperator) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.by == nil {
		v.by = map[int64]vouchedOperator{}
	}
	v.by[id] = o
}

// vouchedRole is the role of an operator who is what the signed chain says, and not
// what it said before something that this process has seen already; none of one
// who has ended. A *ledger.TamperedError if somebody has changed the row.
func (db *DB) vouchedRole(ctx context.Context, id int64) (auth.Role, error) {
	known, seen := db.operators.get(id)
	role, sum, err := operatorNow(ctx, &db.rows, id)
	if err != nil || (seen && sum == known.sum) {
		return role, err
	}
	// Row and line are of one moment: somebody may just be given another role.
	err = db.snapshot(ctx, func(q querier) error {
		l := db.glance(q)
		if err := l.there(ctx, operatorWitness, id); err != nil {
			return err
		}
		if role, sum, err = operatorNow(ctx, q, id); err != nil {
			return err
		}
		if seen && sum != known.sum && l.at < known.batch {
			return tampered(operatorWitness, operatorWitness.id([]any{id}), "it was put back to what it once was")
		}
		db.operators.put(id, vouchedOperator{sum, l.at})
		return nil
	})
	return role, err
}

func operatorNow(ctx context.Context, q querier, id int64) (role auth.Role, sum [witnessedBytes]byte, err error) {
	vals, there, err := first(ctx, q, scanAny(len(operatorWitness.columns)), operatorWitness.read, id)
	if !there || err != nil {
		return "", sum, err
	}
	_, sum = operatorWitness.of(vals)
	if name, _ := vals[2].(string); vals[4] == int64(0) {
		role = auth.Role(name)
	}
	return role, sum, nil
}
