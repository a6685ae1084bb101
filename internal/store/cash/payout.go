package cash

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// payoutStore keeps batches, payouts and the transactions that pay them.
type payoutStore struct{ db *engine.DB }

var (
	payoutBatchSigned = evidence.NewSignedTable("payout_batch", batchColumns, evidence.SignedOptions{Checked: true})
	payoutSigned      = evidence.NewSignedTable("payout", payoutColumns, evidence.SignedOptions{Keys: 2, Checked: true})
	transactionSigned = evidence.NewSignedTable("payout_tx", transactionColumns, evidence.SignedOptions{})
	hotWalletSigned   = evidence.NewSignedTable("payout_wallet", "sender, chain, next, by_name, at", evidence.SignedOptions{Checked: true})
)

func Payout(db *engine.DB) payout.Store { return payoutStore{db} }

const batchColumns = `id, way, state, payouts, total, proposed_by, proposed_name, proposed_at, approved_by, approved_name, approved_at,
	alone, exported_at, ended_at`

func scanBatch(r *sql.Rows) (b payout.Batch, err error) {
	var total, proposed, approved, exported, ended int64
	err = r.Scan(&b.ID, &b.Way, &b.State, &b.Payouts, &total, &b.Proposed.Operator, &b.Proposed.Name, &proposed, &b.Approved.Operator, &b.Approved.Name, &approved,
		&b.Alone, &exported, &ended)
	b.Total, b.Proposed.At, b.Approved.At, b.ExportedAt, b.EndedAt = money.Micro(total), engine.Instant(proposed), engine.Instant(approved), engine.Instant(exported), engine.Instant(ended)
	return b, err
}

func (payoutStore) LastBatch(ctx context.Context, tx *ledger.Tx) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT COALESCE(MAX(id), 0) FROM payout_batch")
}

func (payoutStore) AddBatch(ctx context.Context, tx *ledger.Tx, b payout.Batch, all []payout.Payout) error {
	_, err := evidence.ChangeOne(ctx, engine.GroupOf(tx), payoutBatchSigned, []any{b.ID}, "INSERT INTO payout_batch ("+batchColumns+") VALUES "+engine.Placeholders(1, 14),
		b.ID, string(b.Way), string(b.State), b.Payouts, b.Total.Micros(), b.Proposed.Operator, b.Proposed.Name, engine.Micros(b.Proposed.At),
		b.Approved.Operator, b.Approved.Name, engine.Micros(b.Approved.At), b.Alone, engine.Micros(b.ExportedAt), engine.Micros(b.EndedAt))
	for _, p := range all {
		if err != nil {
			return err
		}
		_, err = evidence.ChangeOne(ctx, engine.GroupOf(tx), payoutSigned, []any{p.Batch, p.Withdrawal}, "INSERT INTO payout ("+payoutColumns+") VALUES "+engine.Placeholders(1, 14),
			p.Batch, p.Withdrawal, string(p.Way), p.UID, p.Address, p.Amount.Micros(), string(p.State), p.Sender, p.Nonce, p.Hash, p.Note,
			engine.Micros(p.SignedAt), engine.Micros(p.SentAt), engine.Micros(p.EndedAt))
	}
	return err
}

func (payoutStore) SaveBatch(ctx context.Context, tx *ledger.Tx, b payout.Batch, from payout.BatchState) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), payoutBatchSigned, []any{b.ID}, `UPDATE payout_batch SET state = $1, approved_by = $2, approved_name = $3, approved_at = $4, alone = $5,
		exported_at = $6, ended_at = $7 WHERE id = $8 AND state = $9`,
		string(b.State), b.Approved.Operator, b.Approved.Name, engine.Micros(b.Approved.At), b.Alone, engine.Micros(b.ExportedAt), engine.Micros(b.EndedAt), b.ID, string(from))
}

func (s payoutStore) Batch(ctx context.Context, tx *ledger.Tx, id int64) (payout.Batch, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanBatch, "SELECT "+batchColumns+" FROM payout_batch WHERE id = $1", id)
}

func (s payoutStore) Batches(ctx context.Context, offset, limit int64) ([]payout.Batch, int64, error) {
	n, _, err := engine.First(ctx, s.db.Committed(), engine.ScanCount, "SELECT COUNT(*) FROM payout_batch")
	if err != nil {
		return nil, 0, err
	}
	all, err := engine.List(ctx, s.db.Committed(), scanBatch, "SELECT "+batchColumns+" FROM payout_batch ORDER BY id DESC LIMIT $1 OFFSET $2", limit, offset)
	return all, n, err
}

const payoutColumns = "batch, withdrawal, way, uid, address, amount, state, sender, nonce, hash, note, signed_at, sent_at, ended_at"

func scanPayout(r *sql.Rows) (p payout.Payout, err error) {
	var amount, signed, sent, ended int64
	err = r.Scan(&p.Batch, &p.Withdrawal, &p.Way, &p.UID, &p.Address, &amount, &p.State, &p.Sender, &p.Nonce, &p.Hash, &p.Note, &signed, &sent, &ended)
	p.Amount, p.SignedAt, p.SentAt, p.EndedAt = money.Micro(amount), engine.Instant(signed), engine.Instant(sent), engine.Instant(ended)
	return p, err
}

func (s payoutStore) Payouts(ctx context.Context, tx *ledger.Tx, batch int64) ([]payout.Payout, error) {
	return engine.List(ctx, s.db.From(tx), scanPayout, "SELECT "+payoutColumns+" FROM payout WHERE batch = $1 ORDER BY withdrawal", batch)
}

func (s payoutStore) Payout(ctx context.Context, tx *ledger.Tx, batch, withdrawal int64) (payout.Payout, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanPayout, "SELECT "+payoutColumns+" FROM payout WHERE batch = $1 AND withdrawal = $2", batch, withdrawal)
}

func (payoutStore) SavePayout(ctx context.Context, tx *ledger.Tx, p payout.Payout, from payout.State) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), payoutSigned, []any{p.Batch, p.Withdrawal}, `UPDATE payout SET state = $1, sender = $2, nonce = $3, hash = $4, note = $5, signed_at = $6, sent_at = $7, ended_at = $8
		WHERE batch = $9 AND withdrawal = $10 AND state = $11`,
		string(p.State), p.Sender, p.Nonce, p.Hash, p.Note, engine.Micros(p.SignedAt), engine.Micros(p.SentAt), engine.Micros(p.EndedAt), p.Batch, p.Withdrawal, string(from))
}

func (s payoutStore) Open(ctx context.Context, state payout.State, limit int64) ([]payout.Payout, error) {
	return engine.List(ctx, s.db.Committed(), scanPayout, `SELECT p.batch, p.withdrawal, p.way, p.uid, p.address, p.amount, p.state, p.sender, p.nonce, p.hash, p.note,
		p.signed_at, p.sent_at, p.ended_at FROM payout p JOIN payout_batch b ON b.id = p.batch
		WHERE p.state = $1 AND b.state = 'approved' ORDER BY p.batch, p.withdrawal LIMIT $2`, string(state), limit)
}

func (payoutStore) Live(ctx context.Context, tx *ledger.Tx, withdrawal int64) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT batch FROM payout WHERE withdrawal = $1 AND state NOT IN ('returned', 'cancelled')", withdrawal)
}

func (payoutStore) SignedSince(ctx context.Context, tx *ledger.Tx, t time.Time) (money.Amount, error) {
	n, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT COALESCE(CAST(SUM(amount) AS BIGINT), 0) FROM payout WHERE signed_at > $1", max(engine.Micros(t), 0))
	return money.Micro(n), err
}

const transactionColumns = "hash, batch, withdrawal, n, chain, sender, nonce, raw, by_name, at"

func scanTransaction(r *sql.Rows) (t payout.Transaction, err error) {
	var at int64
	err = r.Scan(&t.Hash, &t.Batch, &t.Withdrawal, &t.N, &t.Chain, &t.Sender, &t.Nonce, &t.Raw, &t.By, &at)
	t.At = engine.Instant(at)
	return t, err
}

func (payoutStore) AddTransaction(ctx context.Context, tx *ledger.Tx, t payout.Transaction) error {
	if t.Raw == nil {
		t.Raw = []byte{}
	}
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), transactionSigned, []any{t.Hash}, "INSERT INTO payout_tx ("+transactionColumns+") VALUES "+engine.Placeholders(1, 10),
		t.Hash, t.Batch, t.Withdrawal, t.N, t.Chain, t.Sender, t.Nonce, t.Raw, t.By, engine.Micros(t.At))
}

func (s payoutStore) Transactions(ctx context.Context, tx *ledger.Tx, batch, withdrawal int64) ([]payout.Transaction, error) {
	return engine.List(ctx, s.db.From(tx), scanTransaction, "SELECT "+transactionColumns+" FROM payout_tx WHERE batch = $1 AND withdrawal = $2 ORDER BY n DESC", batch, withdrawal)
}

func (s payoutStore) Used(ctx context.Context, tx *ledger.Tx, hash string) (payout.Transaction, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanTransaction, "SELECT "+transactionColumns+" FROM payout_tx WHERE hash = $1", hash)
}

func (s payoutStore) Wallet(ctx context.Context, tx *ledger.Tx, sender string) (payout.Wallet, bool, error) {
	scan := func(r *sql.Rows) (w payout.Wallet, err error) {
		var at int64
		err = r.Scan(&w.Sender, &w.Chain, &w.Next, &w.By, &at)
		w.At = engine.Instant(at)
		return w, err
	}
	return engine.First(ctx, s.db.From(tx), scan, "SELECT sender, chain, next, by_name, at FROM payout_wallet WHERE sender = $1", sender)
}

func (payoutStore) PutWallet(ctx context.Context, tx *ledger.Tx, w payout.Wallet) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), hotWalletSigned, []any{w.Sender}, `INSERT INTO payout_wallet (sender, chain, next, by_name, at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (sender) DO UPDATE SET chain = excluded.chain, next = excluded.next, by_name = excluded.by_name, at = excluded.at`,
		w.Sender, w.Chain, w.Next, w.By, engine.Micros(w.At))
}

func (payoutStore) Verify(ctx context.Context, tx *ledger.Tx, batch int64, withdrawals []int64) error {
	v := evidence.VerifierIn(engine.GroupOf(tx))
	if err := v.Row(ctx, payoutBatchSigned, batch); err != nil {
		return err
	}
	if err := v.Rows(ctx, payoutSigned, evidence.KeysOf(withdrawals, func(id int64) any { return id }, batch)); err != nil {
		return err
	}
	return v.Rows(ctx, withdrawalSigned, evidence.KeysOf(withdrawals, func(id int64) any { return id }))
}
