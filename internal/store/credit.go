package store

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/payout"
)

// maxCredits is how many credits of an account, of each kind, are looked at.
const maxCredits = 200

// creditQueries list what came into a member's wallet, the latest first: what
// operators approved, and what others transferred. $1 is the member, $2 the wallet, $3
// the account's code.
var creditQueries = []string{
	`SELECT 'fund request ' || id, amount, CASE WHEN first_name <> '' AND first_name <> decided_name THEN first_name || ' and ' || decided_name ELSE decided_name END, '', decided_at
		FROM fund_request WHERE uid = $1 AND fund = $2 AND $3 <> '' AND state = 'Approved' AND decided_by > 0 ORDER BY decided_at DESC, id DESC`,
	`SELECT 'correction ' || id, amount, CASE WHEN proposed_name <> decided_name THEN proposed_name || ' and ' || decided_name ELSE decided_name END, '', decided_at
		FROM correction WHERE uid = $1 AND $3 <> '' AND state = 'approved' AND ((direction = 'credit' AND wallet = $2) OR (direction = 'move' AND into_wallet = $2)) ORDER BY id DESC`,
	`SELECT 'transfer ' || t.seq, e.delta, '', g.code, t.recorded_at
		FROM account a JOIN entry e ON e.account = a.id JOIN transfer t ON t.seq = e.seq JOIN entry o ON o.seq = e.seq AND o.delta < 0 JOIN account g ON g.id = o.account
		WHERE a.code = $3 AND $2 <> '' AND a.owner = $1 AND e.delta > 0 AND t.kind = 'transfer' ORDER BY e.version DESC`,
}

func (s payoutStore) Credits(ctx context.Context, account string) (out []payout.Credit, err error) {
	parts := strings.Split(account, ":")
	if len(parts) != 4 {
		return nil, nil
	}
	uid, err := strconv.ParseInt(parts[3], 10, 64)
	if err != nil {
		return nil, nil //nolint:nilerr // it is no member's
	}
	scan := func(r *sql.Rows) (c payout.Credit, err error) {
		var amount, at int64
		err = r.Scan(&c.ID, &amount, &c.By, &c.From, &at)
		c.Amount, c.At = money.Micro(amount), instant(at)
		return c, err
	}
	for _, query := range creditQueries {
		found, err := list(ctx, &s.db.rows, scan, query+" LIMIT "+strconv.Itoa(maxCredits), uid, parts[2], account)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}
