package cash

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// depositStore keeps where members pay to, what they announced, and how far the
// chain was read.
type depositStore struct{ db *engine.DB }

var (
	addressSigned = evidence.NewSignedTable("deposit_address", addressColumns, evidence.SignedOptions{Keys: 3, Checked: true})
	intentSigned  = evidence.NewSignedTable("deposit_intent", intentColumns, evidence.SignedOptions{Checked: true})
	cursorSigned  = evidence.NewSignedTable("deposit_cursor", "token, block, at", evidence.SignedOptions{Checked: true})
)

func Deposit(db *engine.DB) deposit.Store { return depositStore{db} }

const (
	addressColumns = "root, branch, idx, uid, address, at"
	intentColumns  = "id, uid, fund, amount, address, opened_at, expires_at, request"
)

func scanAddress(r *sql.Rows) (a deposit.Address, err error) {
	var at int64
	err = r.Scan(&a.Root, &a.Branch, &a.Index, &a.UID, &a.Address, &at)
	a.At = engine.Instant(at)
	return a, err
}

func scanIntent(r *sql.Rows) (i deposit.Intent, err error) {
	var amount, opened, expires int64
	err = r.Scan(&i.ID, &i.UID, &i.Fund, &amount, &i.Address, &opened, &expires, &i.Request)
	i.Amount, i.OpenedAt, i.Expires = money.Micro(amount), engine.Instant(opened), engine.Instant(expires)
	return i, err
}

func addressKey(a deposit.Address) []any { return []any{a.Root, a.Branch, a.Index} }

func (s depositStore) Address(ctx context.Context, tx *ledger.Tx, root string, uid int64) (deposit.Address, bool, error) {
	return evidence.VerifiedRow(ctx, s.db, tx, addressSigned, addressKey, scanAddress, "SELECT "+addressColumns+" FROM deposit_address WHERE uid = $1 AND root = $2", uid, root)
}

func (s depositStore) Owner(ctx context.Context, tx *ledger.Tx, address string) (deposit.Address, bool, error) {
	return evidence.VerifiedRow(ctx, s.db, tx, addressSigned, addressKey, scanAddress, "SELECT "+addressColumns+" FROM deposit_address WHERE address = $1", address)
}

func (depositStore) Last(ctx context.Context, tx *ledger.Tx, root string) (deposit.Place, bool, error) {
	a, found, err := engine.First(ctx, engine.GroupOf(tx), scanAddress, "SELECT "+addressColumns+" FROM deposit_address WHERE root = $1 ORDER BY branch DESC, idx DESC LIMIT 1", root)
	return a.Place, found, err
}

func (depositStore) AddAddress(ctx context.Context, tx *ledger.Tx, a deposit.Address) error {
	return evidence.InsertRow(ctx, engine.GroupOf(tx), addressSigned, a.Root, a.Branch, a.Index, a.UID, a.Address, engine.Micros(a.At))
}

func (s depositStore) Addresses(ctx context.Context, root string, after deposit.Place, limit int64) ([]deposit.Address, error) {
	return engine.List(ctx, s.db.Committed(), scanAddress, "SELECT "+addressColumns+" FROM deposit_address WHERE root = $1 AND (branch, idx) > ($2, $3) ORDER BY branch, idx LIMIT $4", root, after.Branch, after.Index, limit)
}

func (s depositStore) Roots(ctx context.Context) ([]string, error) {
	return engine.List(ctx, s.db.Committed(), engine.ScanText, "SELECT DISTINCT root FROM deposit_address ORDER BY root")
}

func (s depositStore) Ours(ctx context.Context, address string) (bool, error) {
	_, found, err := engine.First(ctx, s.db.Committed(), engine.ScanCount, `SELECT 1 FROM deposit_address WHERE address = $1
		UNION ALL SELECT 1 FROM payout_wallet WHERE sender = $1 LIMIT 1`, address)
	return found, err
}

func (s depositStore) Received(ctx context.Context, addresses []string) (map[string]money.Amount, error) {
	type sum struct {
		address string
		micros  int64
	}
	out := map[string]money.Amount{}
	err := engine.InChunks(addresses, func(part []string) error {
		args := make([]any, len(part))
		for i, a := range part {
			args[i] = a
		}
		found, err := engine.List(ctx, s.db.Committed(), func(r *sql.Rows) (x sum, err error) {
			err = r.Scan(&x.address, &x.micros)
			return x, err
		}, "SELECT source, CAST(SUM(amount) AS BIGINT) FROM fund_request WHERE source <> '' AND source IN "+engine.Placeholders(1, len(part))+" GROUP BY source", args...)
		for _, x := range found {
			out[x.address] = money.Micro(x.micros)
		}
		return err
	})
	return out, err
}

func (depositStore) LastIntent(ctx context.Context, tx *ledger.Tx) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT COALESCE(MAX(id), 0) FROM deposit_intent")
}

func (depositStore) AddIntent(ctx context.Context, tx *ledger.Tx, i deposit.Intent) error {
	return evidence.InsertRow(ctx, engine.GroupOf(tx), intentSigned, i.ID, i.UID, i.Fund, i.Amount.Micros(), i.Address, engine.Micros(i.OpenedAt), engine.Micros(i.Expires), i.Request)
}

func (s depositStore) Intent(ctx context.Context, tx *ledger.Tx, id int64) (deposit.Intent, bool, error) {
	return evidence.VerifiedRow(ctx, s.db, tx, intentSigned, func(i deposit.Intent) []any { return []any{i.ID} }, scanIntent, "SELECT "+intentColumns+" FROM deposit_intent WHERE id = $1", id)
}

func (s depositStore) Intents(ctx context.Context, tx *ledger.Tx, uid int64, after time.Time) ([]deposit.Intent, error) {
	query, args := "SELECT "+intentColumns+" FROM deposit_intent WHERE expires_at > $1", []any{engine.Micros(after)}
	if uid != 0 {
		query, args = query+" AND uid = $2", append(args, uid)
	}
	return engine.List(ctx, s.db.From(tx), scanIntent, query+" ORDER BY id DESC", args...)
}

func (s depositStore) Between(ctx context.Context, tx *ledger.Tx, after time.Time, least, most money.Amount) ([]deposit.Intent, error) {
	return engine.List(ctx, s.db.From(tx), scanIntent, "SELECT "+intentColumns+" FROM deposit_intent WHERE expires_at > $1 AND amount >= $2 AND amount <= $3", engine.Micros(after), least.Micros(), most.Micros())
}

func (depositStore) EndIntent(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), intentSigned, []any{id}, "UPDATE deposit_intent SET expires_at = $1 WHERE id = $2 AND request = 0", engine.Micros(at), id)
}

func (depositStore) Settle(ctx context.Context, tx *ledger.Tx, id, request int64) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), intentSigned, []any{id}, "UPDATE deposit_intent SET request = $1 WHERE id = $2 AND request = 0", request, id)
}

func (s depositStore) Cursor(ctx context.Context, token string) (int64, bool, error) {
	return evidence.VerifiedRow(ctx, s.db, nil, cursorSigned, func(int64) []any { return []any{token} }, engine.ScanCount, "SELECT block FROM deposit_cursor WHERE token = $1", token)
}

func (depositStore) SetCursor(ctx context.Context, tx *ledger.Tx, token string, block int64, at time.Time) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), cursorSigned, []any{token}, `INSERT INTO deposit_cursor (token, block, at) VALUES ($1, $2, $3)
		ON CONFLICT (token) DO UPDATE SET block = excluded.block, at = excluded.at`, token, block, engine.Micros(at))
}
