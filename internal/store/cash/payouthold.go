package cash

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

const holdColumns = `id, cause, note, detail, since, at, state, sender, until, settled_by, settled_name, settled_at,
	first_by, first_name, first_at, digest, lifted_by, lifted_name, lifted_at, alone, reason`

var (
	payoutHoldSigned  = evidence.NewSignedTable("payout_hold", holdColumns, evidence.SignedOptions{Checked: true})
	payoutFoundSigned = evidence.NewSignedTable("payout_found", foundColumns, evidence.SignedOptions{Keys: 2, Checked: true})
)

func scanPayoutHold(r *sql.Rows) (h payout.Hold, err error) {
	var since, at, begun, first, lifted int64
	err = r.Scan(&h.ID, &h.Cause, &h.Note, &h.Detail, &since, &at, &h.State, &h.Sender, &h.Until, &h.Begun.Operator, &h.Begun.Name, &begun,
		&h.First.Operator, &h.First.Name, &first, &h.Digest, &h.Lifted.Operator, &h.Lifted.Name, &lifted, &h.Alone, &h.Reason)
	h.Since, h.At, h.Begun.At, h.First.At, h.Lifted.At = engine.Instant(since), engine.Instant(at), engine.Instant(begun), engine.Instant(first), engine.Instant(lifted)
	return h, err
}

// Holds within a command compares the last one with the chain, in any state: a row that
// was lifted without the server lifts no hold.
func (s payoutStore) Holds(ctx context.Context, tx *ledger.Tx) ([]payout.Hold, error) {
	if tx != nil {
		ids, err := engine.List(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT id FROM payout_hold ORDER BY id")
		if err != nil {
			return nil, err
		}
		if err := evidence.VerifierIn(engine.GroupOf(tx)).Rows(ctx, payoutHoldSigned, evidence.KeysOf(ids, func(id int64) any { return id })); err != nil {
			return nil, err
		}
	}
	return engine.List(ctx, s.db.From(tx), scanPayoutHold, "SELECT "+holdColumns+" FROM payout_hold WHERE state <> 'lifted' ORDER BY id")
}

func (s payoutStore) LastHold(ctx context.Context) (payout.Hold, bool, error) {
	return engine.First(ctx, s.db.Committed(), scanPayoutHold, "SELECT "+holdColumns+" FROM payout_hold ORDER BY id DESC LIMIT 1")
}

func (payoutStore) AddHold(ctx context.Context, tx *ledger.Tx, h payout.Hold) error {
	id, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT COALESCE(MAX(id), 0) + 1 FROM payout_hold")
	if err != nil {
		return err
	}
	_, err = evidence.ChangeOne(ctx, engine.GroupOf(tx), payoutHoldSigned, []any{id}, "INSERT INTO payout_hold ("+holdColumns+") VALUES "+engine.Placeholders(1, 21),
		id, string(h.Cause), h.Note, h.Detail.Encode(), engine.Micros(h.Since), engine.Micros(h.At), string(h.State), h.Sender, h.Until, h.Begun.Operator, h.Begun.Name, engine.Micros(h.Begun.At),
		h.First.Operator, h.First.Name, engine.Micros(h.First.At), h.Digest, h.Lifted.Operator, h.Lifted.Name, engine.Micros(h.Lifted.At), h.Alone, h.Reason)
	return err
}

func (payoutStore) SaveHold(ctx context.Context, tx *ledger.Tx, h payout.Hold, from payout.HoldState) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), payoutHoldSigned, []any{h.ID}, `UPDATE payout_hold SET since = $1, state = $2, sender = $3, until = $4, settled_by = $5, settled_name = $6, settled_at = $7,
		first_by = $8, first_name = $9, first_at = $10, digest = $11, lifted_by = $12, lifted_name = $13, lifted_at = $14, alone = $15, reason = $16 WHERE id = $17 AND state = $18`,
		engine.Micros(h.Since), string(h.State), h.Sender, h.Until, h.Begun.Operator, h.Begun.Name, engine.Micros(h.Begun.At), h.First.Operator, h.First.Name, engine.Micros(h.First.At), h.Digest,
		h.Lifted.Operator, h.Lifted.Name, engine.Micros(h.Lifted.At), h.Alone, h.Reason, h.ID, string(from))
}

func (s payoutStore) Notes(ctx context.Context, tx *ledger.Tx) ([]payout.Note, error) {
	scan := func(r *sql.Rows) (n payout.Note, err error) {
		var made, at int64
		err = r.Scan(&n.ID, &made, &n.Batch, &at)
		n.Made, n.At = engine.Instant(made), engine.Instant(at)
		return n, err
	}
	return engine.List(ctx, s.db.From(tx), scan, `SELECT id, made_at, batch, at FROM restore_note n
		WHERE NOT EXISTS (SELECT 1 FROM payout_hold h WHERE h.note = n.id) ORDER BY at, id`)
}

const foundColumns = "hold, n, hash, sender, address, amount, block, withdrawal, own, dismissed_by, dismissed_name, dismissed_at, reason"

func scanFound(r *sql.Rows) (f payout.Found, err error) {
	var amount, own, dismissed int64
	err = r.Scan(&f.Hold, &f.N, &f.Hash, &f.From, &f.To, &amount, &f.Block, &f.Withdrawal, &own, &f.Dismissed.Operator, &f.Dismissed.Name, &dismissed, &f.DismissedFor)
	f.Amount, f.Own, f.Dismissed.At = money.Micro(amount), own == 1, engine.Instant(dismissed)
	return f, err
}

func (s payoutStore) Found(ctx context.Context, tx *ledger.Tx, hold int64) ([]payout.Found, error) {
	return s.verifiedFound(ctx, tx, "WHERE hold = $1 ORDER BY n", hold)
}

func (s payoutStore) FoundFor(ctx context.Context, tx *ledger.Tx, withdrawal int64) ([]payout.Found, error) {
	return s.verifiedFound(ctx, tx, "WHERE withdrawal = $1 ORDER BY hold, n", withdrawal)
}

// verifiedFound within a command are what the signed chain says of them.
func (s payoutStore) verifiedFound(ctx context.Context, tx *ledger.Tx, where string, arg int64) ([]payout.Found, error) {
	all, err := engine.List(ctx, s.db.From(tx), scanFound, "SELECT "+foundColumns+" FROM payout_found "+where, arg)
	if tx == nil || err != nil || len(all) == 0 {
		return all, err
	}
	keys := make([][]any, len(all))
	for i, f := range all {
		keys[i] = []any{f.Hold, f.N}
	}
	return all, evidence.VerifierIn(engine.GroupOf(tx)).Rows(ctx, payoutFoundSigned, keys)
}

func (payoutStore) AddFound(ctx context.Context, tx *ledger.Tx, all []payout.Found) error {
	for _, f := range all {
		own := int64(0)
		if f.Own {
			own = 1
		}
		_, err := evidence.ChangeOne(ctx, engine.GroupOf(tx), payoutFoundSigned, []any{f.Hold, f.N}, "INSERT INTO payout_found ("+foundColumns+") VALUES "+engine.Placeholders(1, 13),
			f.Hold, f.N, f.Hash, f.From, f.To, f.Amount.Micros(), f.Block, f.Withdrawal, own, f.Dismissed.Operator, f.Dismissed.Name, engine.Micros(f.Dismissed.At), f.DismissedFor)
		if err != nil {
			return err
		}
	}
	return nil
}

func (payoutStore) SaveFound(ctx context.Context, tx *ledger.Tx, f payout.Found) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), payoutFoundSigned, []any{f.Hold, f.N}, `UPDATE payout_found SET dismissed_by = $1, dismissed_name = $2, dismissed_at = $3, reason = $4
		WHERE hold = $5 AND n = $6`, f.Dismissed.Operator, f.Dismissed.Name, engine.Micros(f.Dismissed.At), f.DismissedFor, f.Hold, f.N)
}

func (s payoutStore) Approved(ctx context.Context, tx *ledger.Tx) ([]payout.Unpaid, error) {
	scan := func(r *sql.Rows) (w payout.Unpaid, err error) {
		var net int64
		err = r.Scan(&w.ID, &w.UID, &w.Batch, &w.Address, &net)
		w.Amount = money.Micro(net)
		return w, err
	}
	return engine.List(ctx, s.db.From(tx), scan, "SELECT id, uid, batch, address, net FROM withdrawal WHERE state = 'Approved' ORDER BY id")
}

func (s payoutStore) Candidates(ctx context.Context) (open []payout.Candidate, known map[string]int64, err error) {
	scan := func(r *sql.Rows) (c payout.Candidate, err error) {
		var net int64
		err = r.Scan(&c.ID, &c.Batch, &c.State, &c.Address, &net)
		c.Amount = money.Micro(net)
		return c, err
	}
	open, err = engine.List(ctx, s.db.Committed(), scan, `SELECT id, batch, state, address, net FROM withdrawal
		WHERE state IN ('Pending', 'Approved') OR (state = 'Sent' AND batch <> 0) ORDER BY id`)
	if err != nil {
		return nil, nil, err
	}
	known = map[string]int64{}
	type used struct {
		hash       string
		withdrawal int64
	}
	return open, known, engine.Each(ctx, s.db.Committed(), func(r *sql.Rows) (u used, err error) {
		err = r.Scan(&u.hash, &u.withdrawal)
		return u, err
	}, func(u used) error {
		known[u.hash] = u.withdrawal
		return nil
	}, "SELECT hash, withdrawal FROM payout_tx UNION SELECT hash, id FROM withdrawal WHERE hash <> ''")
}

func (s payoutStore) OldestOpen(ctx context.Context, tx *ledger.Tx) (time.Time, error) {
	at, _, err := engine.First(ctx, s.db.From(tx), engine.ScanCount, "SELECT COALESCE(MIN(requested_at), 0) FROM withdrawal WHERE state IN ($1, $2, $3)",
		string(withdrawal.Pending), string(withdrawal.Approved), string(withdrawal.Sent))
	return engine.Instant(at), err
}

// NoteRestore records that this database was restored from a backup. It is not a command,
// because the ledger's key may not be here. The note holds payouts until it is a signed
// row; a forged note can do no more.
func NoteRestore(ctx context.Context, db *engine.DB, n payout.Note) error {
	_, err := db.Write.ExecContext(ctx, "INSERT INTO restore_note (id, made_at, batch, at) VALUES ($1, $2, $3, $4)", n.ID, engine.Micros(n.Made), n.Batch, engine.Micros(n.At))
	return engine.Classify(err)
}
