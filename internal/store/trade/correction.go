package trade

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

type correctionStore struct{ db *engine.DB }

var correctionSigned = evidence.NewSignedTable("correction", correctionColumns, evidence.SignedOptions{Checked: true, Remembered: true})

// Corrections is what corrections are kept by.
func Corrections(db *engine.DB) booking.CorrectionStore { return correctionStore{db} }

// CorrectionBooks is what checks them.
func CorrectionBooks(db *engine.DB) booking.CorrectionBooks { return correctionStore{db} }

const (
	correctionColumns = `id, uid, wallet, direction, into_wallet, amount, against, reason, corrects, proposed_by, proposed_name, proposed_at,
	state, decided_by, decided_name, decided_at, answer, alone`
	corrections = "SELECT " + correctionColumns + " FROM correction "
)

func scanCorrection(r *sql.Rows) (c booking.Correction, err error) {
	var amount, at, decided int64
	err = r.Scan(&c.ID, &c.UID, &c.Wallet, &c.Direction, &c.Into, &amount, &c.Against, &c.Reason, &c.Corrects, &c.By.Operator, &c.By.Name, &at,
		&c.State, &c.Decided.Operator, &c.Decided.Name, &decided, &c.Answer, &c.Alone)
	c.Amount, c.At, c.DecidedAt = money.Micro(amount), engine.Instant(at), engine.Instant(decided)
	return c, err
}

func (correctionStore) AddCorrection(ctx context.Context, tx *ledger.Tx, c booking.Correction) (int64, error) {
	id, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM correction")
	if err != nil {
		return 0, err
	}
	return id, evidence.ChangeRow(ctx, engine.GroupOf(tx), correctionSigned, []any{id}, "INSERT INTO correction ("+correctionColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, '', 0, '', '')",
		id, c.UID, c.Wallet, string(c.Direction), c.Into, c.Amount.Micros(), string(c.Against), c.Reason, c.Corrects, c.By.Operator, c.By.Name, engine.Micros(c.At), string(c.State))
}

func (correctionStore) DecideCorrection(ctx context.Context, tx *ledger.Tx, c booking.Correction) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), correctionSigned, []any{c.ID}, `UPDATE correction SET state = $2, decided_by = $3, decided_name = $4, decided_at = $5, answer = $6, alone = $7
		WHERE id = $1 AND state = 'waiting'`, c.ID, string(c.State), c.Decided.Operator, c.Decided.Name, engine.Micros(c.DecidedAt), c.Answer, string(c.Alone))
}

func (s correctionStore) Correction(ctx context.Context, tx *ledger.Tx, id int64) (booking.Correction, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanCorrection, corrections+"WHERE id = $1", id)
}

func (s correctionStore) CorrectionsWaiting(ctx context.Context, uid int64) ([]booking.Correction, error) {
	if uid == 0 {
		return engine.List(ctx, s.db.Committed(), scanCorrection, corrections+"WHERE state = 'waiting' ORDER BY id")
	}
	return engine.List(ctx, s.db.Committed(), scanCorrection, corrections+"WHERE uid = $1 AND state = 'waiting' ORDER BY id", uid)
}

func (s correctionStore) CorrectionsDecided(ctx context.Context, uid int64, limit int) ([]booking.Correction, error) {
	if uid == 0 {
		return engine.List(ctx, s.db.Committed(), scanCorrection, corrections+"WHERE state <> 'waiting' ORDER BY decided_at DESC, id DESC LIMIT $1", int64(limit))
	}
	return engine.List(ctx, s.db.Committed(), scanCorrection, corrections+"WHERE uid = $1 AND state <> 'waiting' ORDER BY decided_at DESC, id DESC LIMIT $2", uid, int64(limit))
}

func (s correctionStore) Standing(ctx context.Context, codes []string) (map[string]ledger.Balance, error) {
	all := map[string]ledger.Balance{}
	scan := func(r *sql.Rows) (b ledger.Balance, err error) {
		var posted, held int64
		err = r.Scan(&posted, &held, &b.Version)
		b.Posted, b.Held, b.Available = money.Micro(posted), money.Micro(held), money.Micro(posted-held)
		return b, err
	}
	for _, code := range codes {
		b, found, err := engine.First(ctx, s.db.Committed(), scan, "SELECT posted, held, version FROM account WHERE code = $1", code)
		if err != nil {
			return nil, err
		}
		if found {
			all[code] = b
		}
	}
	return all, nil
}

func (s correctionStore) Wrong(ctx context.Context, tx *ledger.Tx, transfer, account string) (booking.Wrong, bool, error) {
	scan := func(r *sql.Rows) (w booking.Wrong, err error) {
		var delta, others int64
		err = r.Scan(&w.Kind, &delta, &others)
		w.Delta, w.Cash = money.Micro(delta), others == 0
		return w, err
	}
	return engine.First(ctx, s.db.From(tx), scan, `SELECT t.kind, e.delta, (SELECT COUNT(*) FROM entry o WHERE o.seq = e.seq AND o.account <> e.account AND o.kind <> 'A:CLIENT')
		FROM transfer t JOIN entry e ON e.seq = t.seq JOIN account a ON a.id = e.account WHERE t.id = $1 AND a.code = $2`, transfer, account)
}

func (s correctionStore) CorrectedBefore(ctx context.Context, tx *ledger.Tx, c booking.Correction) (money.Amount, error) {
	n, _, err := engine.First(ctx, s.db.From(tx), engine.ScanID, `SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM correction
		WHERE corrects = $1 AND uid = $2 AND wallet = $3 AND state IN ('waiting', 'approved') AND id <> $4`, c.Corrects, c.UID, c.Wallet, c.ID)
	return money.Micro(n), err
}

// Corrections gives both lists of one moment. The legs of a transfer follow one
// another.
func (s correctionStore) Corrections(ctx context.Context, correction func(booking.Correction) error, transfer func(booking.CorrectionTransfer) error) error {
	type leg struct {
		booking.CorrectionTransfer
		seq, delta int64
		code       string
	}
	scan := func(r *sql.Rows) (l leg, err error) {
		err = r.Scan(&l.seq, &l.ID, &l.Actor, &l.Reason, &l.Reference, &l.code, &l.delta)
		return l, err
	}
	return s.db.Snapshot(ctx, func(q engine.Querier) error {
		if err := engine.Each(ctx, q, scanCorrection, correction, corrections+"ORDER BY id"); err != nil {
			return err
		}
		all, err := engine.List(ctx, q, scan, `SELECT t.seq, t.id, t.actor, t.reason, t.reference, a.code, e.delta FROM transfer t JOIN entry e ON e.seq = t.seq
			JOIN account a ON a.id = e.account WHERE t.kind = 'correction' ORDER BY t.seq, e.leg`)
		for i := 0; i < len(all) && err == nil; {
			t, seq := all[i].CorrectionTransfer, all[i].seq
			t.Legs = map[string]int64{}
			for ; i < len(all) && all[i].seq == seq; i++ {
				t.Legs[all[i].code] += all[i].delta
			}
			err = transfer(t)
		}
		return err
	})
}
