package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// ledgerConforms tries every behaviour on the fresh database at dsn.
func ledgerConforms(t *testing.T, dsn string) {
	ctx := context.Background()
	db, err := store.Open(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s := suite{ctx, dsn, db}
	// In this order: each leaves the database as the next expects it.
	t.Run("an empty database says how one is begun", s.emptyAsks)
	t.Run("migrating twice changes nothing", s.migrateTwice)
	t.Run("a written group is read back the same", s.writeReadBack)
	t.Run("a large group is written the same way", s.largeGroup)
	t.Run("the fence lets only the current head pass", s.fence)
	t.Run("a rolled back group leaves nothing", s.rollback)
	t.Run("a savepoint undoes one command only", s.savepoint)
	t.Run("a read that fails takes no other command down", s.failingRead)
	t.Run("a broken constraint is distinguished from other errors", s.constraints)
	t.Run("a changed row is noticed when it is written", s.guardedWrite)
	t.Run("one process leads at a time", s.lease)
	t.Run("a newer schema is refused", s.newerSchema)
}

type suite struct {
	ctx context.Context
	dsn string
	db  *store.DB
}

func (s suite) emptyAsks(t *testing.T) {
	err := s.db.CheckSchema(s.ctx)
	if !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), "bifolia init") {
		t.Errorf("CheckSchema = %v", err)
	}
}

func (s suite) migrateTwice(t *testing.T) {
	if n, err := s.db.Migrate(s.ctx); n == 0 || err != nil {
		t.Fatalf("first: %d steps, %v", n, err)
	}
	before := s.head(t)
	if n, err := s.db.Migrate(s.ctx); n != 0 || err != nil {
		t.Errorf("second: %d steps, %v", n, err)
	}
	if after := s.head(t); after != before {
		t.Errorf("the head changed from %+v to %+v", before, after)
	}
	if err := s.db.CheckSchema(s.ctx); err != nil {
		t.Error(err)
	}
}

func (s suite) head(t *testing.T) ledger.Head {
	t.Helper()
	h, err := s.db.Ledger().Head(s.ctx)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (s suite) begin(t *testing.T) ledger.GroupTx {
	t.Helper()
	tx, err := s.db.Ledger().Begin(s.ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tx.Rollback)
	return tx
}

// next makes a plain valid group of n transfers on top of h, each opening a
// new account and placing a hold there.
func next(h ledger.Head, n int) *ledger.Group {
	g := &ledger.Group{Fence: h, Head: h}
	g.Head.Batch++
	for i := range int64(n) {
		seq, id := h.Seq+1+i, h.Accounts+1+i
		code := fmt.Sprintf("L:FUND:FUNDS:%d", 1_000_000+id)
		g.Accounts = append(g.Accounts, ledger.AccountRow{ID: id, Code: code, Kind: "L:FUND", Owner: 1_000_000 + id, Posted: 7, Held: 3, Version: 1, Proved: true})
		g.Transfers = append(g.Transfers, ledger.TransferRow{
			Seq: seq, ID: fmt.Sprintf("t-%d", seq), Batch: g.Head.Batch, Actor: "a", Key: fmt.Sprint("k", seq), Kind: "x", Reason: "Grüße, 你好", Reference: "r",
			Effective: 5, Recorded: h.Recorded + 1 + i, Legs: 1,
		})
		g.Entries = append(g.Entries, ledger.EntryRow{
			Account: id, Version: 1, Seq: seq, Leg: 1, Kind: "L:FUND", Owner: 1_000_000 + id, Delta: 7, HeldDelta: 3, BalanceAfter: 7, HeldAfter: 3, Hold: h.Holds + 1 + i, Code: code,
		})
		g.Holds = append(g.Holds, ledger.HoldRow{ID: h.Holds + 1 + i, Account: id, Code: code, Amount: 3, State: ledger.HoldOpen, Expires: 50 + i, Placed: seq, New: true, Proved: true})
		g.Commands = append(g.Commands, ledger.CommandRow{
			CommandID: ledger.CommandID{Actor: "a", Key: fmt.Sprint("k", seq)}, Batch: g.Head.Batch, N: i + 1, Response: []byte{0, 255, 10}, First: seq, Last: seq, Recorded: 9,
		})
	}
	g.Head.Seq, g.Head.Accounts, g.Head.Holds, g.Head.Entries = h.Seq+int64(n), h.Accounts+int64(n), h.Holds+int64(n), h.Entries+int64(n)
	g.Head.Recorded = h.Recorded + int64(n)
	g.Head.Hash[0]++
	g.Batch = ledger.BatchRow{No: g.Head.Batch, Epoch: h.Epoch, First: h.Seq + 1, Last: g.Head.Seq, Commands: int64(n), Recorded: g.Head.Recorded, Prev: h.Hash, Hash: g.Head.Hash, KeyID: "k", Signature: []byte("s")}
	return g
}

func (s suite) write(t *testing.T, g *ledger.Group) {
	t.Helper()
	tx := s.begin(t)
	if err := tx.Commit(s.ctx, g); err != nil {
		t.Fatal(err)
	}
}

func (s suite) writeReadBack(t *testing.T) {
	g := next(s.head(t), 3)
	s.write(t, g)
	s.readBack(t, g, 0)
	if h := s.head(t); h != g.Head {
		t.Errorf("head is %+v, want %+v", h, g.Head)
	}
	if hash, there, err := s.db.Ledger().BatchHash(s.ctx, g.Batch.No); !there || err != nil || hash != g.Batch.Hash {
		t.Errorf("batch hash %x, %v, %v", hash, there, err)
	}
	if _, there, err := s.db.Ledger().BatchHash(s.ctx, 12345); there || err != nil {
		t.Errorf("a batch that is not there: %v, %v", there, err)
	}
}

// readBack compares what was written of transfer i with what is read.
func (s suite) readBack(t *testing.T, g *ledger.Group, i int) {
	t.Helper()
	tx := s.begin(t)
	defer tx.Rollback()
	transfer, entries, found, err := tx.Transfer(s.ctx, g.Transfers[i].Seq)
	if err != nil || !found || transfer != g.Transfers[i] || len(entries) != 1 || entries[0] != g.Entries[i] {
		t.Errorf("transfer %+v %+v, %v, %v", transfer, entries, found, err)
	}
	account := ledger.MustAccount(g.Accounts[i].Code)
	rows, err := tx.Accounts(s.ctx, []ledger.Account{account, ledger.MustAccount("L:FUND:FUNDS:5")})
	if err != nil || len(rows) != 1 || rows[0] != g.Accounts[i] {
		t.Errorf("accounts %+v, %v", rows, err)
	}
	want := g.Holds[i]
	want.New = false
	holds, err := tx.Holds(s.ctx, []int64{want.ID, -1})
	if err != nil || len(holds) != 1 || holds[0] != want {
		t.Errorf("holds %+v, %v", holds, err)
	}
	c := g.Commands[i]
	commands, err := tx.Commands(s.ctx, []ledger.CommandID{c.CommandID, {Actor: "a", Key: "none"}})
	if err != nil || len(commands) != 1 || commands[0].CommandID != c.CommandID || string(commands[0].Response) != string(c.Response) || commands[0].First != c.First {
		t.Errorf("commands %+v, %v", commands, err)
	}
}

// largeGroup crosses every bound at which an engine changes its way: chunks of
// rows on SQLite, COPY on PostgreSQL.
func (s suite) largeGroup(t *testing.T) {
	for _, n := range []int{1, 5, 63, 64, 257, 2000, 2001} {
		g := next(s.head(t), n)
		s.write(t, g)
		s.readBack(t, g, 0)
		s.readBack(t, g, n-1)
	}
	tx := s.begin(t)
	due, err := tx.DueHolds(s.ctx, 51, 10_000)
	if err != nil || len(due) != 2*8-1 { // two of each group, but one of the group of one
		t.Errorf("%d holds due, %v", len(due), err)
	}
}

func (s suite) fence(t *testing.T) {
	h := s.head(t)
	for name, change := range map[string]func(*ledger.Head){
		"older epoch": func(f *ledger.Head) { f.Epoch-- },
		"other seq":   func(f *ledger.Head) { f.Seq++ },
		"other batch": func(f *ledger.Head) { f.Batch-- },
		"other hash":  func(f *ledger.Head) { f.Hash[5]++ },
		"thawed":      func(f *ledger.Head) { f.Frozen = "x" },
	} {
		g := next(h, 1)
		change(&g.Fence)
		tx := s.begin(t)
		if err := tx.Commit(s.ctx, g); !errors.Is(err, ledger.ErrFenced) {
			t.Errorf("%s: %v", name, err)
		}
		tx.Rollback()
	}
	if got := s.head(t); got != h {
		t.Errorf("the head moved to %+v", got)
	}
}

func (s suite) rollback(t *testing.T) {
	h := s.head(t)
	tx := s.begin(t)
	g := next(h, 2)
	g.Fence.Seq++
	if err := tx.Commit(s.ctx, g); err == nil {
		t.Fatal("the fence let it pass")
	}
	tx.Rollback()
	tx.Rollback() // twice is harmless
	tx = s.begin(t)
	if _, _, found, err := tx.Transfer(s.ctx, h.Seq+1); found || err != nil {
		t.Errorf("found %v, %v", found, err)
	}
	tx.Rollback()
	if got := s.head(t); got != h {
		t.Errorf("the head moved to %+v", got)
	}
}

func (s suite) savepoint(t *testing.T) {
	if _, err := testkit.Raw(t, s.dsn).Exec("CREATE TABLE scratch (id BIGINT PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	if s.db.Engine() == "postgres" {
		if _, err := testkit.Raw(t, s.dsn).Exec("GRANT ALL ON scratch TO PUBLIC"); err != nil {
			t.Fatal(err)
		}
	}
	tx := s.begin(t)
	rows := tx.Rows().(testkit.Rows)
	step := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	add := func(id int) error { _, err := rows.Exec(s.ctx, "INSERT INTO scratch (id) VALUES ($1)", id); return err }
	step("first", tx.Savepoint(s.ctx))
	step("one", add(1))
	step("release", tx.Release(s.ctx))
	step("second", tx.Savepoint(s.ctx))
	step("two", add(2))
	if err := add(1); err == nil {
		t.Error("a key went in twice")
	}
	step("undo", tx.RollbackTo(s.ctx))
	step("third", tx.Savepoint(s.ctx))
	step("three", add(3))
	step("release", tx.Release(s.ctx))
	step("commit", tx.Commit(s.ctx, next(s.head2(t), 1)))
	var n, sum int
	if err := testkit.Raw(t, s.dsn).QueryRow("SELECT COUNT(*), SUM(id) FROM scratch").Scan(&n, &sum); err != nil || n != 2 || sum != 4 {
		t.Errorf("%d rows, sum %d, %v; want 1 and 3", n, sum, err)
	}
}

// Commands that only read cost no savepoint; the first write sets one. Neither
// may let a failing read end the transaction that its neighbours wrote in.
func (s suite) failingRead(t *testing.T) {
	tx := s.begin(t)
	rows := tx.Rows().(testkit.Rows)
	command := func(what string, end func(context.Context) error, run func() error) {
		t.Helper()
		err := tx.Savepoint(s.ctx)
		if err == nil {
			err = run()
		}
		if err == nil {
			err = end(s.ctx)
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	fails := func() error {
		found, err := rows.Query(s.ctx, "SELECT id FROM nowhere")
		if err == nil {
			err = found.Err()
			_ = found.Close()
		}
		if err == nil {
			return errors.New("a table that does not exist was read")
		}
		return nil
	}
	add := func(id int) func() error {
		return func() error {
			_, err := rows.Exec(s.ctx, "INSERT INTO scratch (id) VALUES ($1)", id)
			return err
		}
	}
	command("reads before anything is written", tx.RollbackTo, fails)
	command("writes", tx.Release, add(10))
	command("reads after a neighbour wrote", tx.RollbackTo, fails)
	command("writes and is undone", tx.RollbackTo, add(20))
	command("writes again", tx.Release, add(30))
	if err := tx.Commit(s.ctx, next(s.head2(t), 1)); err != nil {
		t.Fatal(err)
	}
	var n, sum int
	if err := testkit.Raw(t, s.dsn).QueryRow("SELECT COUNT(*), SUM(id) FROM scratch WHERE id >= 10").Scan(&n, &sum); err != nil || n != 2 || sum != 40 {
		t.Errorf("%d rows, sum %d, %v; want 10 and 30", n, sum, err)
	}
}

// head2 reads the head past the store, whose own read would wait for an open group.
func (s suite) head2(t *testing.T) ledger.Head {
	t.Helper()
	var h ledger.Head
	var hash []byte
	err := testkit.Raw(t, s.dsn).QueryRow("SELECT epoch, holder, seq, batch, accounts, holds, entries, recorded_at, hash, frozen FROM head").
		Scan(&h.Epoch, &h.Holder, &h.Seq, &h.Batch, &h.Accounts, &h.Holds, &h.Entries, &h.Recorded, &hash, &h.Frozen)
	if err != nil {
		t.Fatal(err)
	}
	copy(h.Hash[:], hash)
	return h
}

func (s suite) constraints(t *testing.T) {
	h := s.head(t)
	for name, c := range map[string]struct {
		break_ func(*ledger.Group)
		unique bool
	}{
		"transfer id twice": {func(g *ledger.Group) { g.Transfers[0].ID = "t-1" }, true},
		"command twice":     {func(g *ledger.Group) { g.Commands[0].Key = "k1" }, true},
		"account twice":     {func(g *ledger.Group) { g.Accounts[0].Code = "L:FUND:FUNDS:1000001" }, true},
		"version twice":     {func(g *ledger.Group) { g.Entries[0].Account = 1 }, true},
		"below the floor":   {func(g *ledger.Group) { g.Accounts[0].Posted = 2 }, false},
		"entry below zero":  {func(g *ledger.Group) { g.Entries[0].BalanceAfter = -1 }, false},
		"hold of nothing":   {func(g *ledger.Group) { g.Holds[0].Amount = 0 }, false},
	} {
		g := next(h, 1)
		c.break_(g)
		tx := s.begin(t)
		var refused *ledger.ConstraintError
		if err := tx.Commit(s.ctx, g); !errors.As(err, &refused) || refused.Unique != c.unique {
			t.Errorf("%s: %v", name, err)
		}
		tx.Rollback()
	}
	s.write(t, next(s.head(t), 1)) // and the connection is still good
}

func (s suite) guardedWrite(t *testing.T) {
	h := s.head(t)
	for name, change := range map[string]func(*ledger.Group){
		"account of another version": func(g *ledger.Group) {
			g.Accounts = append(g.Accounts, ledger.AccountRow{ID: 1, Code: "x", Posted: 7, Held: 3, Version: 9, Was: 8})
		},
		"hold that is resolved": func(g *ledger.Group) {
			g.Holds = append(g.Holds, ledger.HoldRow{ID: 999_999, State: ledger.HoldVoided, Resolved: 1})
		},
	} {
		g := next(h, 1)
		change(g)
		tx := s.begin(t)
		if err := tx.Commit(s.ctx, g); !errors.Is(err, ledger.ErrFenced) {
			t.Errorf("%s: %v", name, err)
		}
		tx.Rollback()
	}
}

func (s suite) lease(t *testing.T) {
	_, release, err := s.db.Ledger().Lead(s.ctx)
	if err != nil {
		t.Fatal(err)
	}
	other, err := store.Open(s.ctx, s.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	if _, _, err := other.Ledger().Lead(s.ctx); !errors.Is(err, ledger.ErrLeased) {
		t.Errorf("a second leader: %v", err)
	}
	release()
	_, release, err = other.Ledger().Lead(s.ctx)
	if err != nil {
		t.Fatal(err)
	}
	release()
}

func (s suite) newerSchema(t *testing.T) {
	raw := testkit.Raw(t, s.dsn)
	if _, err := raw.Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, " + map[string]string{"sqlite": "1", "postgres": "true"}[s.db.Engine()] + ")"); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{"CheckSchema": s.db.CheckSchema(s.ctx), "Migrate": func() error { _, err := s.db.Migrate(s.ctx); return err }()} {
		if !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), "newer Bifolia") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
