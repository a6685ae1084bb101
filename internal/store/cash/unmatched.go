package cash

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

const unmatchedColumns = "id, hash, n, receiver, sender, amount, block, mined_at, reason, at"

var unmatchedSigned = evidence.NewSignedTable("unmatched_payment", unmatchedColumns, evidence.SignedOptions{})

func scanUnmatched(r *sql.Rows) (u deposit.Unmatched, err error) {
	var amount, mined, at int64
	err = r.Scan(&u.ID, &u.Hash, &u.N, &u.To, &u.From, &amount, &u.Block, &mined, &u.Reason, &at, &u.UID)
	u.Amount, u.Mined, u.At = money.Micro(amount), engine.Instant(mined), engine.Instant(at)
	return u, err
}

func (s depositStore) HasUnmatched(ctx context.Context, tx *ledger.Tx, hash string, n int) (bool, error) {
	_, found, err := engine.First(ctx, s.db.From(tx), engine.ScanCount, "SELECT 1 FROM unmatched_payment WHERE hash = $1 AND n = $2", hash, int64(n))
	return found, err
}

func (depositStore) AddUnmatched(ctx context.Context, tx *ledger.Tx, u deposit.Unmatched) error {
	id, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM unmatched_payment")
	if err != nil {
		return err
	}
	return evidence.InsertRow(ctx, engine.GroupOf(tx), unmatchedSigned, id, u.Hash, int64(u.N), u.To, u.From, u.Amount.Micros(), u.Block, engine.Micros(u.Mined), string(u.Reason), engine.Micros(u.At))
}

func (s depositStore) Unmatched(ctx context.Context, f deposit.UnmatchedFilter) ([]deposit.Unmatched, int64, error) {
	var where []string
	var args []any
	add := func(condition string, value any) {
		args = append(args, value)
		where = append(where, condition+" $"+strconv.Itoa(len(args)))
	}
	if f.Reason != "" {
		add("u.reason =", string(f.Reason))
	}
	if f.UID != 0 {
		add("a.uid =", f.UID)
	}
	if f.Hash != "" {
		add("u.hash =", f.Hash)
	}
	from := " FROM unmatched_payment u LEFT JOIN deposit_address a ON a.address = u.receiver"
	if len(where) > 0 {
		from += " WHERE " + strings.Join(where, " AND ")
	}
	total, _, err := engine.First(ctx, s.db.Committed(), engine.ScanCount, "SELECT COUNT(*)"+from, args...)
	if err != nil {
		return nil, 0, err
	}
	order := " ORDER BY u.id DESC"
	if f.Oldest {
		order = " ORDER BY u.id"
	}
	limit := " LIMIT $" + strconv.Itoa(len(args)+1) + " OFFSET $" + strconv.Itoa(len(args)+2)
	columns := "u." + strings.ReplaceAll(unmatchedColumns, ", ", ", u.") + ", COALESCE(a.uid, 0)"
	all, err := engine.List(ctx, s.db.Committed(), scanUnmatched, "SELECT "+columns+from+order+limit, append(args, f.Limit, f.Offset)...)
	return all, total, err
}
