package core

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// Most of a start is reading a million places, and most of that is the cost of each column
// in the driver. So several columns are packed into one, none is converted, and rows are
// fetched while earlier ones are used.

// packedColumns fit: join numbers stay below 2^31, ids below 2^32 (see tree).
const packedColumns = "no, uid * 8 + side * 2 + active, sponsor * 4294967296 + parent, joined_at, robot, forex, crypto"

func scanPacked(r *sql.Rows, p *tree.Place) error {
	var v [7]any
	if err := r.Scan(&v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6]); err != nil {
		return err
	}
	var n [len(v)]int64
	for i := range v {
		var ok bool
		if n[i], ok = v[i].(int64); !ok {
			return fmt.Errorf("place: column %d is a %T", i+1, v[i])
		}
	}
	*p = tree.Place{
		No: tree.No(n[0]), UID: n[1] >> 3, Side: tree.Side(n[1] >> 1 & 3), Active: n[1]&1 == 1,
		Sponsor: tree.No(n[2] >> 32), Parent: tree.No(n[2] & (1<<32 - 1)), Joined: time.UnixMicro(n[3]).UTC(),
		Business: tree.Business{tree.Robot: money.Micro(n[4]), tree.Forex: money.Micro(n[5]), tree.Crypto: money.Micro(n[6])},
	}
	return nil
}

func (s treeStore) Read(ctx context.Context, yield func(tree.Place) error) (last int64, err error) {
	err = s.db.Snapshot(ctx, func(q engine.Querier) error {
		seq, _, err := engine.First(ctx, q, engine.ScanID, "SELECT COALESCE(MAX(seq), 0) FROM place_change")
		if err != nil {
			return err
		}
		last = seq
		return readAhead(ctx, q, yield)
	})
	return last, err
}

// readAhead calls yield for every place while the next ones are fetched. It returns after
// the last fetch has ended.
func readAhead(ctx context.Context, q engine.Querier, yield func(tree.Place) error) error {
	const batchLen, batches = 1024, 8
	fetched, used := make(chan []tree.Place, batches), make(chan []tree.Place, batches)
	for range batches {
		used <- make([]tree.Place, 0, batchLen)
	}
	var failed, refused error
	stop := make(chan struct{})
	go func() {
		defer close(fetched)
		failed = fetch(ctx, q, fetched, used, stop)
	}()
	for batch := range fetched {
		for i := range batch {
			if refused == nil {
				if refused = yield(batch[i]); refused != nil {
					close(stop)
				}
			}
		}
		used <- batch[:0]
	}
	return errors.Join(refused, failed)
}

// fetch fills batches until there are no more places or stop is closed.
func fetch(ctx context.Context, q engine.Querier, fetched chan<- []tree.Place, used <-chan []tree.Place, stop <-chan struct{}) (err error) {
	found, err := q.Query(ctx, "SELECT "+packedColumns+" FROM place ORDER BY no")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	batch := <-used
	for found.Next() {
		batch = batch[:len(batch)+1]
		if err := scanPacked(found, &batch[len(batch)-1]); err != nil {
			return err
		}
		if len(batch) < cap(batch) {
			continue
		}
		fetched <- batch
		select {
		case batch = <-used:
		case <-stop:
			return nil
		}
	}
	fetched <- batch
	return found.Err()
}
