package store

import (
	"context"
	"database/sql"
	"math"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
)

const heldColumns = "uid, fund, giver, amount, until_at"

func scanHeld(r *sql.Rows) (h fund.Held, err error) {
	var amount, until int64
	err = r.Scan(&h.UID, &h.Fund, &h.Giver, &amount, &until)
	h.Amount, h.Until = money.Micro(amount), instant(until)
	return h, err
}

func heldValues(h fund.Held) []any {
	return []any{h.UID, string(h.Fund), h.Giver, h.Amount.Micros(), micros(h.Until)}
}

func (s fundStore) Held(ctx context.Context, tx *ledger.Tx, uid int64) ([]fund.Held, error) {
	all, err := list(ctx, s.db.from(tx), scanHeld, "SELECT "+heldColumns+" FROM fund_held WHERE uid = $1", uid)
	if err != nil || tx == nil {
		return all, err
	}
	for _, h := range all {
		if err := newLooker(groupOf(tx)).values(ctx, heldWitness, heldValues(h)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// maxAsked is how many members one statement asks for; a power of two, see listSize.
const maxAsked = 256

// heldOf are the rows of a giver that end after t.
const heldOf = "SELECT " + heldColumns + " FROM fund_held WHERE giver = $1 AND until_at > $2"

// ExtendHeld changes all rows by one statement, however many there are.
func (fundStore) ExtendHeld(ctx context.Context, tx *ledger.Tx, giver int64, t, until time.Time) error {
	g := groupOf(tx)
	all, err := list(ctx, g, scanHeld, heldOf, giver, micros(t))
	if err != nil || len(all) == 0 {
		return err
	}
	if err := g.heldSound(ctx, all, nil); err != nil {
		return err
	}
	n, err := g.Exec(ctx, "UPDATE fund_held SET until_at = $1 WHERE giver = $2 AND until_at > $3", micros(until), giver, micros(t))
	if err != nil {
		return err
	}
	if n != int64(len(all)) {
		return &missedError{what: "held money", hit: n, want: len(all)}
	}
	for _, h := range all {
		h.Until = until
		g.witness(heldWitness, heldValues(h)...)
	}
	return nil
}

// PutHeld writes some rows by each statement.
func (s fundStore) PutHeld(ctx context.Context, tx *ledger.Tx, giver int64, all []fund.Held) error {
	g := groupOf(tx)
	if err := inChunks(all, func(some []fund.Held) error { return g.heldBefore(ctx, giver, some) }); err != nil {
		return err
	}
	types := []string{"BIGINT", "TEXT", "BIGINT", "BIGINT", "BIGINT"}
	for size := largest; len(all) > 0; {
		for size > len(all) {
			size /= 2
		}
		args := make([]any, 0, size*len(types))
		for _, h := range all[:size] {
			args = append(args, heldValues(h)...)
		}
		n, err := g.Exec(ctx, "INSERT INTO fund_held ("+heldColumns+") "+g.values(types, size)+
			" ON CONFLICT (uid, fund, giver) DO UPDATE SET amount = excluded.amount, until_at = excluded.until_at", args...)
		if err != nil {
			return err
		}
		if n != int64(size) {
			return &missedError{what: "held money", hit: n, want: size}
		}
		for _, h := range all[:size] {
			g.witness(heldWitness, heldValues(h)...)
		}
		all = all[size:]
	}
	return nil
}

// heldBefore holds the rows that are about to be written over against the chain.
func (g *groupTx) heldBefore(ctx context.Context, giver int64, some []fund.Held) error {
	args, wanted := []any{giver}, map[string]bool{}
	for _, h := range some {
		args = append(args, h.UID)
		wanted[heldWitness.id(heldValues(h))] = true
	}
	for range listSize(len(some)) - len(some) {
		args = append(args, some[0].UID)
	}
	found, err := list(ctx, g, scanHeld, "SELECT "+heldColumns+" FROM fund_held WHERE giver + 0 = $1 AND uid IN "+placeholders(2, len(args)-1), args...)
	if err != nil {
		return err
	}
	var there []fund.Held
	for _, h := range found {
		if id := heldWitness.id(heldValues(h)); wanted[id] {
			there = append(there, h)
			delete(wanted, id)
		}
	}
	return g.heldSound(ctx, there, wanted)
}

// heldSound is nil if rows are what the signed chain says of them, and it knows
// nothing of others, which are not there. Where the last line of each is stands beside
// the rows: to look for the lines of rows that were never written through the whole
// chain would let everybody wait.
func (g *groupTx) heldSound(ctx context.Context, there []fund.Held, others map[string]bool) error {
	l, name := newLooker(g), heldWitness.name+" "
	said := map[string]string{} // by commands of this group
	for _, text := range g.lines {
		if rest, ok := strings.CutPrefix(text, name); ok {
			at := strings.LastIndexByte(rest, ' ')
			said[rest[:at]] = rest[at+1:]
		}
	}
	var fresh, gone []looked
	for _, h := range there {
		id, sum := heldWitness.of(heldValues(h))
		if now, ok := said[id]; !ok {
			fresh = append(fresh, looked{id: id, sum: sum})
		} else if err := judge(heldWitness, id, sum, now); err != nil {
			return err
		}
	}
	for id := range others {
		if _, ok := said[id]; ok {
			return tampered(heldWitness, id, "it is missing")
		}
		gone = append(gone, looked{id: id, sum: goneSum})
	}
	if err := l.many(ctx, heldWitness, fresh); err != nil {
		return err
	}
	return l.missing(ctx, heldWitness, gone)
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
		args := []any{after, micros(since)}
		for i := range listSize(len(some)) {
			args = append(args, some[min(i, len(some)-1)])
		}
		var gave []int64
		gave, err = list(ctx, groupOf(tx), scanID, "SELECT owner FROM ("+back("IN "+placeholders(3, len(args)-2))+`
			SELECT n.owner AS owner FROM near n WHERE EXISTS (SELECT 1 FROM entry e WHERE e.account = n.account AND e.version > n.low AND e.delta < 0 AND e.seq + 0 > $1)) g`, args...)
		all = append(all, gave...)
	}
	return all, err
}

// given is what members' funds gave to others. What stands beside + 0, here and in other
// queries of this file, PostgreSQL would look up by an index that finds far too much, and
// for another LIMIT SQLite would prepare the statement again.
func given(uids int) string {
	return "(" + back("IN "+placeholders(6, uids)) + `
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
	from := given(listSize(len(of.UIDs)))
	read := func(query string, limit int) ([]fund.Gift, error) {
		least := fund.Gift{Amount: money.Micro(math.MaxInt64)}
		if len(all.Each) > 0 {
			least = all.Each[len(all.Each)-1]
		}
		args := []any{of.After, micros(of.Since), least.Amount.Micros(), least.Seq, limit}
		for i := range listSize(len(of.UIDs)) {
			args = append(args, of.UIDs[min(i, len(of.UIDs)-1)])
		}
		return list(ctx, groupOf(tx), scan, query, args...)
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
