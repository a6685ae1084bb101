package engine

import (
	"context"
	"database/sql"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Group is one group's transaction on the writer connection. It begins with
// the first statement that needs it, so that a group whose commands only use memory costs
// one round trip.
//
// On PostgreSQL only a write needs it. Nobody but the sequencer writes what
// commands read, so nothing can come between a read and the group's commit,
// and the fence stops the group if another process took over. A read that fails
// outside a transaction has no effect on others; within one it would end the transaction
// for the whole group, and is fenced by the command's savepoint.
type Group struct {
	DB       *DB
	w        *writer
	begun    bool
	ended    bool
	cacheKiB int // of the page cache, if it has grown; else 0

	inCommand    bool // a command runs that must be undone alone
	savepointSet bool // for that command
	onlyCommand  bool // all that the transaction holds was written by that command
	written      bool // the transaction holds what commands before it wrote

	lines groupLines
}

func (g *Group) begin(ctx context.Context) error {
	if g.begun {
		return nil
	}
	text := "BEGIN"
	if g.DB.engine == SQLite {
		// Immediate: a transaction that reads first and writes later would
		// fail at once when another connection wrote in between.
		text = "BEGIN IMMEDIATE"
	}
	if err := g.plain(ctx, text); err != nil {
		return err
	}
	g.begun = true
	return nil
}

// beginWrite begins, and sets the savepoint of the command that is to write. The
// first that writes needs none, being undone with the transaction: SQLite keeps a
// copy of every page that changes behind a savepoint, and a close changes all.
func (g *Group) beginWrite(ctx context.Context) error {
	if err := g.begin(ctx); err != nil || g.savepointSet || g.onlyCommand {
		return err
	}
	if !g.inCommand {
		g.written = true
		return nil
	}
	if !g.written {
		g.onlyCommand = true
		return nil
	}
	if err := g.plain(ctx, "SAVEPOINT command"); err != nil {
		return err
	}
	g.savepointSet = true
	return nil
}

// beginQuery does for a query what it needs: those that change rows and give
// them back are writes.
func (g *Group) beginQuery(ctx context.Context, query string) error {
	switch {
	case !reads(query):
		return g.beginWrite(ctx)
	case g.DB.engine == Postgres:
		return nil
	}
	return g.begin(ctx)
}

func reads(query string) bool { return strings.HasPrefix(strings.TrimSpace(query), "SELECT") }

// classify is Classify; after an error of the connection, the writer is not used
// again.
func (g *Group) classify(err error) error {
	if isConnectionError(err) {
		g.ended = true
		g.DB.dropWriter(g.w)
	}
	return Classify(err)
}

// GroupRows marks *groupTx as ledger.Rows.
func (g *Group) GroupRows() {}

func (g *Group) Rows() ledger.Rows { return g }

// Query reads within the group.
func (g *Group) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := g.beginQuery(ctx, query); err != nil {
		return nil, err
	}
	s, err := g.w.stmt(ctx, query) //nolint:sqlclosecheck // lives as long as the connection
	if err != nil {
		return nil, g.classify(err)
	}
	found, err := s.QueryContext(ctx, args...)
	if err != nil {
		return nil, g.classify(err)
	}
	return found, nil
}

// Exec runs a statement within the group and returns how many rows it changed.
func (g *Group) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := g.beginWrite(ctx); err != nil {
		return 0, err
	}
	n, err := g.w.exec(ctx, query, args...)
	if err != nil {
		return 0, g.classify(err)
	}
	return n, nil
}

// Savepoint bounds a command. It costs nothing until the command writes: one
// that only reads and posts has nothing to undo here.
func (g *Group) Savepoint(ctx context.Context) error {
	g.inCommand = true
	if g.begun && g.DB.engine == Postgres {
		return g.beginWrite(ctx) // even a read that fails would end the transaction
	}
	return nil
}

func (g *Group) Release(ctx context.Context) error {
	g.lines.confirmed = len(g.lines.all)
	savepointSet := g.endCommand()
	g.written = g.written || g.onlyCommand
	g.onlyCommand = false
	if !savepointSet {
		return nil
	}
	return g.plain(ctx, "RELEASE SAVEPOINT command")
}

func (g *Group) RollbackTo(ctx context.Context) error {
	g.lines.rollback()
	savepointSet := g.endCommand()
	first := g.onlyCommand
	g.onlyCommand = false
	switch {
	case first:
		g.begun = false // and begins anew when the next needs it
		return g.plain(ctx, "ROLLBACK")
	case savepointSet:
		return g.plain(ctx, "ROLLBACK TO SAVEPOINT command; RELEASE SAVEPOINT command")
	}
	return nil
}

// endCommand ends what Savepoint began, and reports whether there is a savepoint.
func (g *Group) endCommand() (savepointSet bool) {
	savepointSet = g.savepointSet
	g.inCommand, g.savepointSet = false, false
	return savepointSet
}

func (g *Group) plain(ctx context.Context, text string) error {
	if _, err := g.w.conn.ExecContext(ctx, text); err != nil {
		return g.classify(err)
	}
	return nil
}

func (g *Group) Commit(ctx context.Context, group *ledger.Group) error {
	commit := g.commitSQLite
	if g.DB.engine == Postgres {
		commit = g.commitPostgres
	}
	err := commit(ctx, group)
	if err == nil {
		if g.DB.hook != nil {
			g.DB.hook(g.lines.all[:g.lines.confirmed], group.Batch.No)
		}
	}
	return err
}

func (g *Group) Rollback() {
	if g.ended || !g.begun {
		g.ended = true
		return
	}
	g.ended = true
	if _, err := g.w.conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
		g.DB.dropWriter(g.w)
		return
	}
	g.shrinkCache()
}

// Lines: a package that stores rows may add lines to a group, which the ledger signs if
// the command succeeds. The group knows which row a line is about, and not what it means.

// Line is what is signed of a row.
type Line struct {
	Row   string // names the row
	Hash  string // without blanks
	Noted bool   // the batch is noted in witness_at, with the commit
}

func (l Line) String() string { return l.Row + " " + l.Hash }

// OnCommit has f called with the lines of each group that this process has committed. It
// is set before the first group.
func (db *DB) OnCommit(f func(lines []Line, batch int64)) { db.hook = f }

type groupLines struct {
	all       []Line
	confirmed int               // of all: by commands that have succeeded
	byRow     map[string]string // the last hash of each row
	indexed   int               // of all: those in byRow
	passed    map[string]bool   // see Once
}

// AddLine adds a line for the command that runs.
func (g *Group) AddLine(l Line) { g.lines.all = append(g.lines.all, l) }

// LineOf is the hash of the group's last line about a row.
func (g *Group) LineOf(row string) (hash string, found bool) {
	l := &g.lines
	if l.byRow == nil {
		l.byRow = map[string]string{}
	}
	for ; l.indexed < len(l.all); l.indexed++ {
		l.byRow[l.all[l.indexed].Row] = l.all[l.indexed].Hash
	}
	hash, found = l.byRow[row]
	return hash, found
}

// Once runs a check of what the group has locked, unless it has passed since the group
// began or a command was rolled back: then its locks are gone.
func (g *Group) Once(what string, check func() error) error {
	if g.lines.passed[what] {
		return nil
	}
	if err := check(); err != nil {
		return err
	}
	if g.lines.passed == nil {
		g.lines.passed = map[string]bool{}
	}
	g.lines.passed[what] = true
	return nil
}

func (l *groupLines) rollback() {
	*l = groupLines{all: l.all[:l.confirmed], confirmed: l.confirmed}
}

// Witness is the text of the lines of the group's commands.
func (g *Group) Witness() []string {
	out := make([]string, g.lines.confirmed)
	for i := range out {
		out[i] = g.lines.all[i].String()
	}
	return out
}

// noted are the rows whose last line is noted with the commit, which no command waits
// for: until then the group has the lines itself.
func (g *Group) noted() (rows []string) {
	seen := map[string]bool{}
	for _, l := range g.lines.all[:g.lines.confirmed] {
		if l.Noted && !seen[l.Row] {
			seen[l.Row] = true
			rows = append(rows, l.Row)
		}
	}
	return rows
}

const (
	noteUpsert = " ON CONFLICT (what) DO UPDATE SET batch = excluded.batch"
	NoteLine   = "INSERT INTO witness_at (what, batch) VALUES ($1, $2)" + noteUpsert
	noteMany   = "INSERT INTO witness_at (what, batch) SELECT unnest($1::text[]), $2::bigint" + noteUpsert
)

// Rows of a group that both engines write.

const (
	batchInsert = `INSERT INTO batch (no, epoch, first_seq, last_seq, commands, recorded_at, prev_hash, root, hash, key_id, signature)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	// The fence: it hits its one row only if the head is what this sequencer left.
	fenceUpdate = `UPDATE head SET seq = $1, batch = $2, accounts = $3, holds = $4, entries = $5, recorded_at = $6, hash = $7, frozen = $8
		WHERE id = 1 AND epoch = $9 AND seq = $10 AND batch = $11 AND hash = $12 AND frozen = $13`
)

func batchArgs(b *ledger.BatchRow) []any {
	return []any{b.No, b.Epoch, b.First, b.Last, b.Commands, b.Recorded, b.Prev[:], b.Root[:], b.Hash[:], b.KeyID, b.Signature}
}

func fenceArgs(g *ledger.Group) []any {
	h, f := &g.Head, &g.Fence
	return []any{h.Seq, h.Batch, h.Accounts, h.Holds, h.Entries, h.Recorded, h.Hash[:], h.Frozen, f.Epoch, f.Seq, f.Batch, f.Hash[:], f.Frozen}
}

// groupRows are the rows that a group adds.
func groupRows(g *ledger.Group) []bulk {
	var opened []*ledger.AccountRow
	for i := range g.Accounts {
		if g.Accounts[i].Was == 0 {
			opened = append(opened, &g.Accounts[i])
		}
	}
	var placed []*ledger.HoldRow
	for i := range g.Holds {
		if g.Holds[i].New {
			placed = append(placed, &g.Holds[i])
		}
	}
	return []bulk{
		{accountTable, len(opened), func(i int, r *Rows) {
			a := opened[i]
			r.Add(a.ID, a.Code, a.Kind, a.Owner, a.Posted, a.Held, a.Floor, a.Version)
		}},
		{transferTable, len(g.Transfers), func(i int, r *Rows) {
			t := &g.Transfers[i]
			r.Add(t.Seq, t.ID, t.Batch, t.Actor, t.Key, t.Kind, t.Reason, t.Reference, t.Effective, t.Recorded, t.Reverses, t.Legs, t.Leaf[:])
		}},
		{entryTable, len(g.Entries), func(i int, r *Rows) {
			e := &g.Entries[i]
			r.Add(e.Account, e.Version, e.Seq, e.Leg, e.Kind, e.Owner, e.Beneficiary, e.Delta, e.HeldDelta, e.BalanceAfter, e.HeldAfter, e.Hold)
		}},
		{holdTable, len(placed), func(i int, r *Rows) {
			h := placed[i]
			r.Add(h.ID, h.Account, h.Amount, string(h.State), h.Expires, h.Placed, h.Resolved)
		}},
		{commandTable, len(g.Commands), func(i int, r *Rows) {
			c := &g.Commands[i]
			r.Add(c.Actor, c.Key, c.Batch, c.N, c.Request[:], c.Response, c.First, c.Last, c.Recorded, c.Leaf[:])
		}},
	}
}

// changedAccounts are the accounts that were there before, as arrays.
func changedAccounts(g *ledger.Group) ([]any, int) {
	var id, posted, held, version, was, wasPosted, wasHeld []int64
	for i := range g.Accounts {
		if a := &g.Accounts[i]; a.Was > 0 {
			id, posted, held = append(id, a.ID), append(posted, a.Posted), append(held, a.Held)
			version, was = append(version, a.Version), append(was, a.Was)
			wasPosted, wasHeld = append(wasPosted, a.WasPosted), append(wasHeld, a.WasHeld)
		}
	}
	return []any{id, posted, held, version, was, wasPosted, wasHeld}, len(id)
}

// resolvedHolds are the holds of earlier groups that this one resolves.
func resolvedHolds(g *ledger.Group) ([]any, int) {
	var id, resolved []int64
	var state []string
	for i := range g.Holds {
		if h := &g.Holds[i]; !h.New {
			id, state, resolved = append(id, h.ID), append(state, string(h.State)), append(resolved, h.Resolved)
		}
	}
	return []any{id, state, resolved}, len(id)
}
