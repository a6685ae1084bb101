package cash

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// creditQueries add up what came into a member's wallet: what operators approved, by
// whom, and what others transferred, from where. $1 is the member, $2 the wallet, $3
// the account's code.
var creditQueries = []string{
	`SELECT by_name, '', CAST(SUM(amount) AS BIGINT) FROM (
		SELECT CASE WHEN first_name <> '' AND first_name <> decided_name THEN first_name || ' and ' || decided_name ELSE decided_name END AS by_name, amount
		FROM fund_request WHERE uid = $1 AND fund = $2 AND $3 <> '' AND state = 'Approved' AND decided_by > 0) AS x GROUP BY by_name ORDER BY by_name`,
	`SELECT by_name, '', CAST(SUM(amount) AS BIGINT) FROM (
		SELECT CASE WHEN proposed_name <> decided_name THEN proposed_name || ' and ' || decided_name ELSE decided_name END AS by_name, amount
		FROM correction WHERE uid = $1 AND $3 <> '' AND state = 'approved' AND ((direction = 'credit' AND wallet = $2) OR (direction = 'move' AND into_wallet = $2))) AS x GROUP BY by_name ORDER BY by_name`,
	`SELECT '', g.code, CAST(SUM(e.delta) AS BIGINT)
		FROM account a JOIN entry e ON e.account = a.id JOIN transfer t ON t.seq = e.seq JOIN entry o ON o.seq = e.seq AND o.delta < 0 JOIN account g ON g.id = o.account
		WHERE a.code = $3 AND $2 <> '' AND a.owner = $1 AND e.delta > 0 AND t.kind = 'transfer' GROUP BY g.code ORDER BY g.code`,
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
		var amount int64
		err = r.Scan(&c.By, &c.From, &amount)
		c.Amount = money.Micro(amount)
		return c, err
	}
	for _, query := range creditQueries {
		found, err := engine.List(ctx, s.db.Committed(), scan, query, uid, parts[2], account)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}
