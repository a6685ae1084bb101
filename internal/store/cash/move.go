package cash

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// Moves of money into a member's funds and from them to others, read from the ledger
// itself, so that no list can differ. Holds move nothing and are left out.

// funds is how many funds a member has at most.
const funds = 3

// purse is the account of one fund. Its entries are numbered by version.
type purse struct {
	id, version int64
	fund        fund.Kind
}

func scanPurse(r *sql.Rows) (p purse, err error) {
	var code string
	err = r.Scan(&p.id, &p.version, &code)
	p.fund = fund.KindOf(code)
	return p, err
}

// countedMoves remembers how many moves each account has up to a version. Entries are
// only ever added, so that what was counted stays right and only those after it
// are looked at.
type countedMoves struct {
	mu sync.Mutex
	of map[movesOf]upTo
}

type (
	movesOf struct {
		account int64
		sent    bool
	}
	upTo struct{ version, n int64 }
)

const maxMoved = 100_000

func (m *countedMoves) get(k movesOf) upTo {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.of[k]
}

func (m *countedMoves) put(k movesOf, v upTo) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil || len(m.of) >= maxMoved {
		m.of = map[movesOf]upTo{}
	}
	m.of[k] = v
}

// movesFrom are the entries that are moves. Only the transfer has its purpose, and it is
// not looked up for incoming money.
func movesFrom(f fund.MoveFilter) string {
	if f.Sent {
		return " FROM entry e JOIN transfer t ON t.seq = e.seq WHERE e.delta < 0 AND t.kind = 'transfer'"
	}
	if f.From.IsZero() && f.Before.IsZero() {
		return " FROM entry e WHERE e.delta > 0"
	}
	return " FROM entry e JOIN transfer t ON t.seq = e.seq WHERE e.delta > 0"
}

// countMoves is how many there are in all.
func (s fundStore) countMoves(ctx context.Context, f fund.MoveFilter, all []purse, w engine.Conditions) (total int64, err error) {
	if !f.From.IsZero() || !f.Before.IsZero() {
		total, _, err = engine.First(ctx, s.db.Committed(), engine.ScanCount, "SELECT COUNT(*) FROM "+movesOfEach(f, w, ""), w.Args...)
		return total, err
	}
	for _, p := range all {
		k := movesOf{p.id, f.Sent}
		known := engine.StateOf[countedMoves](s.db).get(k)
		if known.version < p.version {
			n, _, err := engine.First(ctx, s.db.Committed(), engine.ScanCount, "SELECT COUNT(*)"+movesFrom(f)+" AND e.account = $1 AND e.version > $2 AND e.version <= $3", p.id, known.version, p.version)
			if err != nil {
				return 0, err
			}
			known = upTo{p.version, known.n + n}
			engine.StateOf[countedMoves](s.db).put(k, known)
		}
		total += known.n
	}
	return total, nil
}

// Moves takes of each fund as many entries as may be on the page, from whichever
// end of the list is nearer, and looks up the purpose of those on the page only;
// of transfers between members, the other entry names the other member.
func (s fundStore) Moves(ctx context.Context, f fund.MoveFilter) (out []fund.Move, count int64, err error) {
	all, err := engine.List(ctx, s.db.Committed(), scanPurse, "SELECT id, version, code FROM account WHERE owner = $1 AND kind = 'L:FUND' ORDER BY id", f.UID)
	if err != nil {
		return nil, 0, err
	}
	// One statement for any number of funds: those that are missing are account 0,
	// which has no entries.
	w, kinds := engine.Conditions{Args: slices.Repeat([]any{int64(0)}, 2*funds)}, map[int64]fund.Kind{}
	for i, p := range all[:min(len(all), funds)] {
		if f.Upto != 0 {
			if p.version, _, err = engine.First(ctx, s.db.Committed(), engine.ScanID, versionOf, p.id, p.version, f.Upto); err != nil {
				return nil, 0, err
			}
		}
		w.Args[i], w.Args[funds+i], kinds[p.id] = p.id, p.version, p.fund
	}
	w.During("t.effective_at", f.From, f.Before)
	back := false
	if f.Upto == 0 { // a list that is read on from a row is not counted again
		if count, err = s.countMoves(ctx, f, all, w); err != nil || f.Offset >= count {
			return nil, count, err
		}
		f.Limit = min(f.Limit, count-f.Offset)
		if left := count - f.Offset - f.Limit; left < f.Offset {
			back, f.Ascending, f.Offset = true, !f.Ascending, left
		}
	}
	scan := func(r *sql.Rows) (m fund.Move, err error) {
		var account, delta, at int64
		err = r.Scan(&m.Seq, &account, &delta, &m.What, &at, &m.Other)
		m.Fund, m.Amount, m.At = kinds[account], money.Micro(max(delta, -delta)), engine.Instant(at)
		return m, err
	}
	text, args := movesPage(f, w)
	out, err = engine.List(ctx, s.db.Committed(), scan, text, args...)
	if back {
		slices.Reverse(out)
	}
	return out, count, err
}

// versionOf is the last entry of account $1, of which there are $2, that belongs
// to transfer $3 or one before. Entries follow in the order of transfers, so that
// it is found by halves.
const (
	half      = "(b.lo + b.hi + 1) / 2"
	isEarly   = "(SELECT e.seq FROM entry e WHERE e.account = $1 AND e.version = " + half + ") <= $3"
	versionOf = "WITH RECURSIVE b (lo, hi) AS (SELECT CAST(0 AS BIGINT), CAST($2 AS BIGINT) UNION ALL SELECT CASE WHEN " + isEarly + " THEN " + half + " ELSE b.lo END, CASE WHEN " + isEarly +
		" THEN b.hi ELSE " + half + " - 1 END FROM b WHERE b.lo < b.hi) SELECT lo FROM b WHERE lo >= hi"
)

// movesOfEach are the moves of each fund, with what follows on each.
func movesOfEach(f fund.MoveFilter, w engine.Conditions, rest string) string {
	parts := make([]string, funds)
	for i := range parts {
		n := strconv.Itoa(i + 1)
		parts[i] = "SELECT * FROM (SELECT e.account, e.version, e.seq, e.leg, e.delta" + movesFrom(f) + " AND e.account = $" + n + " AND e.version <= $" + strconv.Itoa(funds+i+1) + w.And() + rest + ") x" + n
	}
	return "(" + strings.Join(parts, " UNION ALL ") + ") e"
}

// movesPage takes from each fund what could be on the page, merges it and cuts it.
func movesPage(f fund.MoveFilter, w engine.Conditions) (string, []any) {
	inner, outer := []string{"e.version"}, []string{"e.seq", "e.leg"}
	if f.Order == fund.ByAmount {
		inner, outer = append([]string{"ABS(e.delta)"}, inner...), append([]string{"ABS(e.delta)"}, outer...)
	}
	page, args := w.Page(f.Limit, f.Offset)
	limit := " LIMIT CAST($" + strconv.Itoa(len(args)-1) + " AS BIGINT) + CAST($" + strconv.Itoa(len(args)) + " AS BIGINT)"
	sorted := engine.Ordered(!f.Ascending, outer...)
	return `SELECT e.seq, e.account, e.delta, t.kind, t.effective_at,
		COALESCE((SELECT MAX(o.owner) FROM entry o WHERE o.seq = e.seq AND o.account <> e.account AND o.kind = 'L:FUND' AND t.kind = 'transfer'), 0)
		FROM (SELECT * FROM ` + movesOfEach(f, w, engine.Ordered(!f.Ascending, inner...)+limit) + sorted + page + ") e JOIN transfer t ON t.seq = e.seq" + sorted, args
}
