package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

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
		err = SetHash(&h.Hash, hash, "head.hash")
	}
	return h, err
}

// SetHash copies the bytes of a column, and fails if they are not as many as a hash has.
func SetHash(dst *ledger.Hash, src []byte, what string) error {
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
		err = SetHash(&b.Hash, hash, "batch.hash")
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
	return h, true, SetHash(&h, raw, "batch.hash")
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
	expired, release, err := lease()
	if err != nil {
		return nil, nil, err
	}
	return expired, func() {
		s.db.Epoch.Store(0)
		release()
	}, nil
}

// AnchorKey is the command by which the chain records that an anchor exists.
func (db *DB) AnchorKey() ledger.CommandID { return ledger.CommandID{Actor: "anchor", Key: "kept"} }

// Anchored reports whether the chain has this command.
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

// Frozen returns why payments are frozen; "" if they are not. It does not wait for the
// sequencer.
func (db *DB) Frozen(ctx context.Context) (why string, err error) {
	err = db.read.QueryRowContext(ctx, "SELECT frozen FROM head WHERE id = 1").Scan(&why)
	return why, err
}

// Thaw lifts a freeze. A running sequencer notices before its next posting.
func (db *DB) Thaw(ctx context.Context) error {
	_, err := db.Write.ExecContext(ctx, "UPDATE head SET frozen = '' WHERE id = 1")
	return Classify(err)
}

var (
	transferTable = NewTable("transfer",
		Ints("seq"),
		Texts("id"),
		Ints("batch"),
		Texts("actor", "command_key", "kind", "reason", "reference"),
		Ints("effective_at", "recorded_at", "reverses", "legs"),
		blobs("leaf"),
	)
	entryTable = NewTable("entry",
		Ints("account", "version", "seq", "leg"),
		Texts("kind"),
		Ints("owner", "beneficiary", "delta", "held_delta", "balance_after", "held_after", "hold"),
	)
	accountTable = NewTable("account", Ints("id"), Texts("code", "kind"), Ints("owner", "posted", "held", "floor", "version"))
	holdTable    = NewTable("hold", Ints("id", "account", "amount"), Texts("state"), Ints("expires_at", "placed", "resolved"))
	commandTable = NewTable("command",
		Texts("actor", "command_key"),
		Ints("batch", "n"),
		blobs("request", "response"),
		Ints("first_seq", "last_seq", "recorded_at"),
		blobs("leaf"),
	)
)

// MaxIn bounds how many values one IN list carries.
const MaxIn = 500

func (g *Group) Accounts(ctx context.Context, accounts []ledger.Account) ([]ledger.AccountRow, error) {
	var out []ledger.AccountRow
	for len(accounts) > 0 {
		n := min(len(accounts), MaxIn)
		args := make([]any, n)
		for i, a := range accounts[:n] {
			args[i] = a.String()
		}
		accounts = accounts[n:]
		found, err := List(ctx, g, scanAccount, readAccounts+g.among(n), args...)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// among is the n values of an IN list that has all arguments of its statement.
// SQLite looks numbered ones up by name, each along all others.
func (g *Group) among(n int) string {
	if g.DB.engine == SQLite {
		return "(" + strings.Repeat("?, ", n-1) + "?)"
	}
	return Placeholders(1, n)
}

// readAccounts reads accounts beside their latest entries, which prove them.
const readAccounts = `SELECT a.id, a.code, a.kind, a.owner, a.posted, a.held, a.floor, a.version,
	COALESCE(e.balance_after = a.posted AND e.held_after = a.held AND e.kind = a.kind AND e.owner = a.owner, FALSE)
	FROM account a LEFT JOIN entry e ON e.account = a.id AND e.version = a.version WHERE a.code IN `

func scanAccount(r *sql.Rows) (a ledger.AccountRow, err error) {
	err = r.Scan(&a.ID, &a.Code, &a.Kind, &a.Owner, &a.Posted, &a.Held, &a.Floor, &a.Version, &a.Proved)
	return a, err
}

func (g *Group) Commands(ctx context.Context, ids []ledger.CommandID) ([]ledger.CommandRow, error) {
	var out []ledger.CommandRow
	for _, id := range ids {
		found, err := List(ctx, g, ScanCommand,
			"SELECT actor, command_key, batch, n, request, response, first_seq, last_seq, recorded_at, leaf FROM command WHERE actor = $1 AND command_key = $2",
			id.Actor, id.Key)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// ScanCommand reads a row of SelectCommands.
func ScanCommand(r *sql.Rows) (c ledger.CommandRow, err error) {
	var request, leaf []byte
	err = r.Scan(&c.Actor, &c.Key, &c.Batch, &c.N, &request, &c.Response, &c.First, &c.Last, &c.Recorded, &leaf)
	if err != nil {
		return c, err
	}
	return c, errors.Join(SetHash(&c.Request, request, "command.request"), SetHash(&c.Leaf, leaf, "command.leaf"))
}

func (g *Group) Holds(ctx context.Context, ids []int64) ([]ledger.HoldRow, error) {
	var out []ledger.HoldRow
	for _, id := range ids {
		found, err := List(ctx, g, scanHold,
			`SELECT h.id, h.account, a.code, h.amount, h.state, h.expires_at, h.placed, h.resolved,
				COALESCE(e.held_delta = h.amount AND e.account = h.account AND e.hold = h.id, FALSE)
				FROM hold h JOIN account a ON a.id = h.account LEFT JOIN entry e ON e.seq = h.placed AND e.leg = 1 WHERE h.id = $1`, id)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

func scanHold(r *sql.Rows) (h ledger.HoldRow, err error) {
	var state string
	err = r.Scan(&h.ID, &h.Account, &h.Code, &h.Amount, &state, &h.Expires, &h.Placed, &h.Resolved, &h.Proved)
	h.State = ledger.HoldState(state)
	return h, err
}

// ScanID reads a row of one number.
func ScanID(r *sql.Rows) (id int64, err error) {
	err = r.Scan(&id)
	return id, err
}

func (g *Group) ReversedBy(ctx context.Context, seq int64) (int64, error) {
	found, err := List(ctx, g, ScanID, "SELECT seq FROM transfer WHERE reverses = $1 AND reverses > 0", seq)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

func (g *Group) DueHolds(ctx context.Context, t int64, limit int) ([]int64, error) {
	return List(ctx, g, ScanID, "SELECT id FROM hold WHERE state = 'open' AND expires_at <= $1 ORDER BY expires_at, id LIMIT $2", t, limit)
}

func (g *Group) Transfer(ctx context.Context, seq int64) (t ledger.TransferRow, entries []ledger.EntryRow, found bool, err error) {
	cols := strings.Join(transferTable.names(), ", ")
	transfers, err := List(ctx, g, scanTransfer, "SELECT "+cols+" FROM transfer WHERE seq = $1", seq)
	if err != nil || len(transfers) == 0 {
		return t, nil, false, err
	}
	entries, err = List(ctx, g, scanEntry,
		"SELECT e.account, e.version, e.seq, e.leg, e.kind, e.owner, e.beneficiary, e.delta, e.held_delta, e.balance_after, e.held_after, e.hold, a.code FROM entry e JOIN account a ON a.id = e.account WHERE e.seq = $1 ORDER BY e.leg", seq)
	return transfers[0], entries, err == nil, err
}

func scanTransfer(r *sql.Rows) (t ledger.TransferRow, err error) {
	var leaf []byte
	err = r.Scan(&t.Seq, &t.ID, &t.Batch, &t.Actor, &t.Key, &t.Kind, &t.Reason, &t.Reference, &t.Effective, &t.Recorded, &t.Reverses, &t.Legs, &leaf)
	if err != nil {
		return t, err
	}
	return t, SetHash(&t.Leaf, leaf, "transfer.leaf")
}

func scanEntry(r *sql.Rows) (e ledger.EntryRow, err error) {
	err = r.Scan(&e.Account, &e.Version, &e.Seq, &e.Leg, &e.Kind, &e.Owner, &e.Beneficiary, &e.Delta, &e.HeldDelta, &e.BalanceAfter, &e.HeldAfter, &e.Hold, &e.Code)
	return e, err
}

// SelectCommands reads commands; the condition follows.
const SelectCommands = "SELECT actor, command_key, batch, n, request, response, first_seq, last_seq, recorded_at, leaf FROM command WHERE "

// Identity is whose database this is. It can be read of any database, before a
// migration too.
type Identity struct {
	Ledger  string      // its name; "" while there is no ledger
	Batch   int64       // the last batch
	LastKey string      // the id of the key that signed it; "" before the first
	Kind    ledger.Kind // what the ledger is for, as stored; "" if it does not say
}

// Identity reads it and writes nothing.
func (db *DB) Identity(ctx context.Context) (id Identity, err error) {
	var raw []byte
	err = db.read.QueryRowContext(ctx, "SELECT batch, genesis FROM head WHERE id = 1").Scan(&id.Batch, &raw)
	if errors.Is(err, sql.ErrNoRows) || noTable(err) {
		return Identity{}, nil
	}
	var genesis ledger.Hash
	if err == nil {
		err = SetHash(&genesis, raw, "head.genesis")
	}
	if err != nil {
		return id, Classify(err)
	}
	id.Ledger = ledger.ID(genesis)
	if id.LastKey, err = db.LastKey(ctx); err != nil {
		return id, Classify(err)
	}
	row, said, err := db.KindRow(ctx)
	if said && row.Batch == 1 {
		id.Kind = ledger.Kind(row.Response)
	}
	return id, err
}

// KindRow is the command that records whether the ledger is real or a demo.
func (db *DB) KindRow(ctx context.Context) (ledger.CommandRow, bool, error) {
	return First(ctx, db.Committed(), ScanCommand, SelectCommands+"actor = $1 AND command_key = $2", ledger.KindID.Actor, ledger.KindID.Key)
}

// noTable tells whether err says that a table is not there.
func noTable(err error) bool {
	return err != nil && (pgCode(err) == "42P01" || strings.Contains(err.Error(), "no such table"))
}
