package cash

import (
	"context"
	"database/sql"
	"math"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

const heldColumns = "uid, fund, giver, amount, until_at"

var heldSigned = evidence.NewSignedTable("fund_held", heldColumns, evidence.SignedOptions{Keys: 3, Checked: true})

func scanHeld(r *sql.Rows) (h fund.Held, err error) {
	var amount, until int64
	err = r.Scan(&h.UID, &h.Fund, &h.Giver, &amount, &until)
	h.Amount, h.Until = money.Micro(amount), engine.Instant(until)
	return h, err
}

func heldValues(h fund.Held) []any {
	return []any{h.UID, string(h.Fund), h.Giver, h.Amount.Micros(), engine.Micros(h.Until)}
}

func (s fundStore) Held(ctx context.Context, tx *ledger.Tx, uid int64) ([]fund.Held, error) {
	all, err := engine.List(ctx, s.db.From(tx), scanHeld, "SELECT "+heldColumns+" FROM fund_held WHERE uid = $1", uid)
	if err != nil || tx == nil {
		return all, err
	}
	return all, verifyFunds(ctx, engine.GroupOf(tx), all)
}

// maxAsked is how many members one statement asks for; a power of two, see engine.ListSize.
const maxAsked = 256

// heldOf are the rows of a giver that end after t.
const heldOf = "SELECT " + heldColumns + " FROM fund_held WHERE giver = $1 AND until_at > $2"

// ExtendHeld changes all rows by one statement, however many there are.
func (fundStore) ExtendHeld(ctx context.Context, tx *ledger.Tx, giver int64, t, until time.Time) error {
	g := engine.GroupOf(tx)
	all, err := engine.List(ctx, g, scanHeld, heldOf, giver, engine.Micros(t))
	if err != nil || len(all) == 0 {
		return err
	}
	if err := verifyFunds(ctx, g, all); err != nil {
		return err
	}
	n, err := g.Exec(ctx, "UPDATE fund_held SET until_at = $1 WHERE giver = $2 AND until_at > $3", engine.Micros(until), giver, engine.Micros(t))
	if err != nil {
		return err
	}
	if n != int64(len(all)) {
		return &engine.MissedError{What: "held money", Hit: n, Want: len(all)}
	}
	for _, h := range all {
		h.Until = until
		evidence.SignRow(g, heldSigned, heldValues(h)...)
	}
	return nil
}

// PutHeld writes some rows by each statement.
func (s fundStore) PutHeld(ctx context.Context, tx *ledger.Tx, giver int64, all []fund.Held) error {
	g := engine.GroupOf(tx)
	if err := engine.InChunks(all, func(some []fund.Held) error { return verifyBefore(ctx, g, giver, some) }); err != nil {
		return err
	}
	types := []string{"BIGINT", "TEXT", "BIGINT", "BIGINT", "BIGINT"}
	for size := engine.RowsPerStatement; len(all) > 0; {
		for size > len(all) {
			size /= 2
		}
		args := make([]any, 0, size*len(types))
		for _, h := range all[:size] {
			args = append(args, heldValues(h)...)
		}
		n, err := g.Exec(ctx, "INSERT INTO fund_held ("+heldColumns+") "+g.Values(types, size)+
			" ON CONFLICT (uid, fund, giver) DO UPDATE SET amount = excluded.amount, until_at = excluded.until_at", args...)
		if err != nil {
			return err
		}
		if n != int64(size) {
			return &engine.MissedError{What: "held money", Hit: n, Want: size}
		}
		for _, h := range all[:size] {
			evidence.SignRow(g, heldSigned, heldValues(h)...)
		}
		all = all[size:]
	}
	return nil
}

// verifyBefore verifies the rows that are about to be written over. Of a row that is not
// there only a note of where its line is tells: to search the whole chain for rows that
// were never written would let everybody wait.
func verifyBefore(ctx context.Context, g *engine.Group, giver int64, some []fund.Held) error {
	args, at, checks := []any{giver}, map[string]int{}, make([]evidence.RowCheck, len(some))
	for i, h := range some {
		args = append(args, h.UID)
		checks[i] = heldSigned.CheckAbsent(heldValues(h), false)
		at[checks[i].Row] = i
	}
	for range engine.ListSize(len(some)) - len(some) {
		args = append(args, some[0].UID)
	}
	found, err := engine.List(ctx, g, scanHeld, "SELECT "+heldColumns+" FROM fund_held WHERE giver + 0 = $1 AND uid IN "+engine.Placeholders(2, len(args)-1), args...)
	if err != nil {
		return err
	}
	for _, h := range found {
		c := heldSigned.Check(heldValues(h))
		if i, wanted := at[c.Row]; wanted {
			checks[i] = c
		}
	}
	return evidence.VerifierIn(g).Compare(ctx, heldSigned, checks)
}

func verifyFunds(ctx context.Context, g *engine.Group, all []fund.Held) error {
	checks := make([]evidence.RowCheck, len(all))
	for i, h := range all {
		checks[i] = heldSigned.Check(heldValues(h))
	}
	return evidence.VerifierIn(g).Compare(ctx, heldSigned, checks)
}

// back is the funds of members with an entry before the window's first one: versions
// are counted without gaps, so that it is found by going back in ever larger steps, and
// older entries are not read, however many there are.
func back(whose string) string {
	return `WITH RECURSIVE back (account, owner, code, step, low) AS (
		SELECT a.id, a.owner, a.code, CAST(64 AS BIGINT), a.version - 64 FROM account a WHERE a.owner ` + whose + ` AND a.kind = 'L:FUND'
		UNION ALL
		SELECT b.account, b.owner, b.code, b.step * 4, b.low - b.step * 4 FROM back b WHERE b.low > 0 AND NOT EXISTS (
			SELECT 1 FROM entry e JOIN transfer t ON t.seq = e.seq
			WHERE e.account = b.account AND e.version = b.low AND (e.seq <= $1 OR t.recorded_at <= $2))
	), near AS (SELECT account, owner, code, MIN(low) AS low FROM back GROUP BY account, owner, code) `
}

// Gave asks for some members at a time.
func (fundStore) Gave(ctx context.Context, tx *ledger.Tx, uids []int64, after int64, since time.Time) (all []int64, err error) {
	for len(uids) > 0 && err == nil {
		some := uids[:min(len(uids), maxAsked)]
		uids = uids[len(some):]
		args := []any{after, engine.Micros(since)}
		for i := range engine.ListSize(len(some)) {
			args = append(args, some[min(i, len(some)-1)])
		}
		var gave []int64
		gave, err = engine.List(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT owner FROM ("+back("IN "+engine.Placeholders(3, len(args)-2))+`
			SELECT n.owner AS owner FROM near n WHERE EXISTS (SELECT 1 FROM entry e WHERE e.account = n.account AND e.version > n.low AND e.delta < 0 AND e.seq + 0 > $1)) g`, args...)
		all = append(all, gave...)
	}
	return all, err
}

// given selects the transfers from members' funds to others. Without the + 0, here and in
// other queries of this file, PostgreSQL would use an index that finds far too many rows,
// and SQLite would prepare the statement again for another LIMIT.
func given(uids int) string {
	return "(" + back("IN "+engine.Placeholders(6, uids)) + `
	SELECT e.seq AS seq, n.code AS code, -e.delta AS amount,
		COALESCE((SELECT o.owner FROM entry o WHERE o.seq = e.seq AND o.kind = 'L:FUND' AND o.account <> e.account ORDER BY o.leg LIMIT 1), 0) AS receiver
	FROM near n JOIN entry e ON e.account = n.account AND e.version > n.low
	WHERE e.delta < 0 AND e.seq + 0 > $1 AND (SELECT t.recorded_at FROM transfer t WHERE t.seq = e.seq AND t.kind = 'transfer') > $2) g
	WHERE amount < $3 OR (amount = $3 AND seq > $4) `
}

// Given reads the largest transfers, and of the others the largest sums.
func (fundStore) Given(ctx context.Context, tx *ledger.Tx, of fund.GiftsOf) (all fund.Gifts, err error) {
	scan := func(r *sql.Rows) (x fund.Gift, err error) {
		var code string
		var amount int64
		err = r.Scan(&x.Seq, &x.To, &code, &amount)
		x.Fund, x.Amount = fund.KindOf(code), money.Micro(amount)
		return x, err
	}
	from := given(engine.ListSize(len(of.UIDs)))
	read := func(query string, limit int) ([]fund.Gift, error) {
		least := fund.Gift{Amount: money.Micro(math.MaxInt64)}
		if len(all.Each) > 0 {
			least = all.Each[len(all.Each)-1]
		}
		args := []any{of.After, engine.Micros(of.Since), least.Amount.Micros(), least.Seq, limit}
		for i := range engine.ListSize(len(of.UIDs)) {
			args = append(args, of.UIDs[min(i, len(of.UIDs)-1)])
		}
		return engine.List(ctx, engine.GroupOf(tx), scan, query, args...)
	}
	if of.Each > 0 {
		all.Each, err = read("SELECT seq, receiver, code, amount FROM "+from+"ORDER BY amount DESC, seq LIMIT $5 + 0", of.Each)
	}
	if err != nil || len(all.Each) < of.Each {
		return all, err
	}
	all.Sums, err = read("SELECT MIN(seq), receiver, code, CAST(SUM(amount) AS BIGINT) FROM "+from+"GROUP BY receiver, code ORDER BY 4 DESC, 1 LIMIT $5 + 0", of.Sums+1)
	if len(all.Sums) > of.Sums {
		all.Sums, all.More = all.Sums[:of.Sums], true
	}
	for i := range all.Sums {
		all.Sums[i].Sum = true
	}
	return all, err
}
