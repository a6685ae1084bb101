package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Ledger is the ledger's store on this database.
func (db *DB) Ledger() ledger.Store { return ledgerStore{db} }

type ledgerStore struct{ db *DB }

const headColumns = "epoch, holder, seq, batch, accounts, holds, entries, recorded_at, hash, frozen"

func scanHead(row interface{ Scan(...any) error }) (ledger.Head, error) {
	var h ledger.Head
	var hash []byte
	err := row.Scan(&h.Epoch, &h.Holder, &h.Seq, &h.Batch, &h.Accounts, &h.Holds, &h.Entries, &h.Recorded, &hash, &h.Frozen)
	if errors.Is(err, sql.ErrNoRows) {
		return h, errors.New("the head row is missing")
	}
	if err == nil {
		err = Fill(&h.Hash, hash, "head.hash")
	}
	return h, err
}

func Fill(dst *ledger.Hash, src []byte, what string) error {
	if len(src) != len(dst) {
		return fmt.Errorf("%s has %d bytes, not %d", what, len(src), len(dst))
	}
	copy(dst[:], src)
	return nil
}

func (s ledgerStore) TakeOver(ctx context.Context, holder string) (head ledger.Head, err error) {
	err = s.db.replicated(ctx, func(q queryer) error {
		head, err = scanHead(q.QueryRowContext(ctx, "UPDATE head SET epoch = epoch + 1, holder = $1 WHERE id = 1 RETURNING "+headColumns, holder))
		return err
	})
	if err != nil {
		s.db.Epoch.Store(0)
		return head, err
	}
	s.db.Epoch.Store(head.Epoch)
	return head, nil
}

func (s ledgerStore) Head(ctx context.Context) (ledger.Head, error) {
	query := "SELECT " + headColumns + " FROM head WHERE id = 1"
	if s.db.engine == Postgres {
		query += " FOR UPDATE" // waits for a group that is just committing
	}
	return scanHead(s.db.Write.QueryRowContext(ctx, query))
}

// Fence writes the row whatever the epoch is by now: a statement that changes
// nothing would not wait for a synchronous standby, and what is read after it
// might be known to this server alone.
func (s ledgerStore) Fence(ctx context.Context, epoch int64) error {
	return s.db.replicated(ctx, func(q queryer) error {
		var now int64
		return q.QueryRowContext(ctx, "UPDATE head SET epoch = CASE WHEN epoch = $1 THEN epoch + 1 ELSE epoch END WHERE id = 1 RETURNING epoch", epoch).Scan(&now)
	})
}

func (s ledgerStore) LastBatch(ctx context.Context) (ledger.BatchRow, bool, error) {
	var b ledger.BatchRow
	var hash []byte
	err := s.db.Write.QueryRowContext(ctx, "SELECT no, epoch, last_seq, recorded_at, hash FROM batch ORDER BY no DESC LIMIT 1").Scan(&b.No, &b.Epoch, &b.Last, &b.Recorded, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return b, false, nil
	}
	if err == nil {
		err = Fill(&b.Hash, hash, "batch.hash")
	}
	return b, err == nil, err
}

func (s ledgerStore) BatchHash(ctx context.Context, no int64) (ledger.Hash, bool, error) {
	var raw []byte
	var h ledger.Hash
	err := s.db.Write.QueryRowContext(ctx, "SELECT hash FROM batch WHERE no = $1", no).Scan(&raw)
	if errors.Is(err, sql.ErrNoRows) {
		return h, false, nil
	}
	if err != nil {
		return h, false, err
	}
	return h, true, Fill(&h, raw, "batch.hash")
}

// Holder is where the sequencer says it can be reached. Any process may ask.
func (db *DB) Holder(ctx context.Context) (string, error) {
	var holder string
	err := db.read.QueryRowContext(ctx, "SELECT holder FROM head WHERE id = 1").Scan(&holder)
	return holder, err
}

func (s ledgerStore) Begin(ctx context.Context) (ledger.GroupTx, error) {
	w, err := s.db.takeWriter(ctx)
	if err != nil {
		return nil, Classify(err)
	}
	return &Group{DB: s.db, w: w}, nil
}

func (s ledgerStore) Lead(ctx context.Context) (<-chan struct{}, func(), error) {
	lease := func() (<-chan struct{}, func(), error) { return leadSQLite(s.db) }
	if s.db.engine == Postgres {
		lease = func() (<-chan struct{}, func(), error) { return leadPostgres(ctx, s.db) }
	}
	lost, release, err := lease()
	if err != nil {
		return nil, nil, err
	}
	return lost, func() {
		s.db.Epoch.Store(0)
		release()
	}, nil
}

// AnchorKey is the command by which the chain says that there is an anchor.
func (db *DB) AnchorKey() ledger.CommandID { return ledger.CommandID{Actor: "anchor", Key: "kept"} }

// Anchored tells whether the chain says so.
func (db *DB) Anchored(ctx context.Context) (bool, error) {
	key := db.AnchorKey()
	n, _, err := First(ctx, db.Committed(), ScanCount, "SELECT COUNT(*) FROM command WHERE actor = $1 AND command_key = $2", key.Actor, key.Key)
	return n > 0, err
}

// LastKey is the id of the key that signed the last batch; "" before the first.
func (db *DB) LastKey(ctx context.Context) (string, error) {
	var key string
	err := db.read.QueryRowContext(ctx, "SELECT key_id FROM batch ORDER BY no DESC LIMIT 1").Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return key, err
}

// Frozen is why money stands still; "" when it does not. It waits for nobody.
func (db *DB) Frozen(ctx context.Context) (why string, err error) {
	err = db.read.QueryRowContext(ctx, "SELECT frozen FROM head WHERE id = 1").Scan(&why)
	return why, err
}

// Thaw lifts a freeze. A running sequencer notices before its next posting.
func (db *DB) Thaw(ctx context.Context) error {
	_, err := db.Write.ExecContext(ctx, "UPDATE head SET frozen = '' WHERE id = 1")
	return Classify(err)
}
