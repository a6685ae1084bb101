package store

import (
	"context"
	"database/sql"
	"strconv"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Income rows and ROI batches, as the close writes them.

func (closingStore) LastRow(ctx context.Context, tx *ledger.Tx) (int64, error) {
	n, _, err := first(ctx, groupOf(tx), scanID, "SELECT COALESCE(MAX(row_no), 0) FROM income")
	return n, err
}

func (closingStore) AddIncomes(ctx context.Context, tx *ledger.Tx, n int, at func(i int) closing.Income) error {
	if n == 0 {
		return nil
	}
	day, sum := at(0).Day, newFingerprint()
	err := groupOf(tx).insert(ctx, bulk{incomeTable, n, func(i int, r *rows) {
		x := at(i)
		from := len(r.vals)
		r.add(x.Row, int64(x.Day), int64(x.Kind), x.Line, x.Earner, x.Of, x.Level, x.Position, x.Paid, x.Nominal, x.On, x.A, x.B,
			flag(x.Capped), flag(x.Scaled), flag(x.Held), x.Reverses, x.Source, int64(x.Released))
		sum.add(r.vals[from : len(r.vals)-1]...) // when it is released is told by another line
	}})
	groupOf(tx).vouch(incomeWitness, day.String(), sum.bytes())
	return err
}

const incomeColumns = "row_no, day, kind, line, earner, source_no, level, position_id, paid, nominal, on_amount, a, b, capped, scaled, held, reverses, source, released_day"

func scanIncome(r *sql.Rows) (x closing.Income, err error) {
	var capped, scaled, held int64
	err = r.Scan(&x.Row, &x.Day, &x.Kind, &x.Line, &x.Earner, &x.Of, &x.Level, &x.Position, &x.Paid, &x.Nominal, &x.On, &x.A, &x.B,
		&capped, &scaled, &held, &x.Reverses, &x.Source, &x.Released)
	x.Capped, x.Scaled, x.Held = capped == 1, scaled == 1, held == 1
	return x, err
}

func (closingStore) SaleIncomes(ctx context.Context, tx *ledger.Tx, sale string) ([]closing.Income, error) {
	all, err := list(ctx, groupOf(tx), scanIncome, "SELECT "+incomeColumns+` FROM income i WHERE source = $1 AND kind = `+levelKind+` AND reverses = 0
		AND NOT EXISTS (SELECT 1 FROM income r WHERE r.source = $1 AND r.kind = `+levelKind+` AND r.reverses = i.row_no) ORDER BY row_no`, sale)
	if err == nil && len(all) > 0 { // one close wrote all of them
		err = groupOf(tx).incomesRight(ctx, int64(all[0].Day))
	}
	return all, err
}

func (closingStore) Incomes(ctx context.Context, tx *ledger.Tx) ([]closing.IncomeState, error) {
	return list(ctx, groupOf(tx), scanIncomeState, "SELECT "+stateColumns+stateJoins+" ORDER BY i.row_no")
}

// Changed asks three times, each along an index: for all at once the databases
// would read every row there is.
func (s closingStore) Changed(ctx context.Context, tx *ledger.Tx, day plan.Day, batches []string, yield func(closing.IncomeState) error) error {
	const columns = "SELECT i.row_no, i.kind, i.held, i.released_day, i.source, COALESCE(b.released_day, 0), COALESCE(c.day, 0), COALESCE(c.claim_day, 0)"
	scan := func(r *sql.Rows) (x closing.IncomeState, err error) {
		var held int64
		err = r.Scan(&x.Row, &x.Kind, &held, &x.Released, &x.Source, &x.BatchReleased, &x.ClaimMade, &x.Claimed)
		x.Held = held == 1
		return x, err
	}
	g := s.db.from(tx)
	if err := each(ctx, g, scan, yield, columns+stateJoins+" WHERE i.released_day = $1 AND i.released_day > 0", int64(day)); err != nil {
		return err
	}
	for _, id := range batches {
		if err := each(ctx, g, scan, yield, columns+stateJoins+" WHERE "+ofBatch+" AND kind "+tradingKinds, id); err != nil {
			return err
		}
	}
	return each(ctx, g, scan, yield, columns+` FROM claim c JOIN income i ON i.position_id = c.position_id AND i.kind = `+roiKind+` LEFT JOIN roi_batch b ON b.id = i.source
		WHERE c.claim_day = $1 AND c.claim_day > 0`, int64(day))
}

func (closingStore) HeldIncomes(ctx context.Context, tx *ledger.Tx, no int64) ([]closing.Income, error) {
	return list(ctx, groupOf(tx), scanIncome, "SELECT "+incomeColumns+` FROM income i WHERE earner = $1 AND kind `+networkKinds+` AND held = 1 AND released_day = 0 AND reverses = 0
		AND NOT EXISTS (SELECT 1 FROM income r WHERE r.earner = $1 AND r.kind = `+levelKind+` AND r.reverses = i.row_no) ORDER BY row_no`, no)
}

func (closingStore) Release(ctx context.Context, tx *ledger.Tx, all []int64, day plan.Day) error {
	return inChunks(all, func(part []int64) error {
		args := []any{int64(day)}
		for _, n := range part {
			args = append(args, n)
			groupOf(tx).vouch(releaseOfHold, strconv.FormatInt(n, 10), releasedOn(n, int64(day)))
		}
		_, err := groupOf(tx).Exec(ctx, "UPDATE income SET released_day = $1 WHERE row_no IN "+placeholders(2, len(part)), args...)
		return err
	})
}

// ofBatch are a batch's rows, all made by the close of its day: they are found
// along that day's rows and need no index of their own.
const ofBatch = `row_no >= (SELECT d.rows_first FROM close_day d JOIN roi_batch x ON x.day = d.day WHERE x.id = $1)
	AND row_no <= (SELECT d.rows_last FROM close_day d JOIN roi_batch x ON x.day = d.day WHERE x.id = $1) AND source = $1`

func (closingStore) AddBatch(ctx context.Context, tx *ledger.Tx, b closing.Batch) error {
	_, err := groupOf(tx).changeOne(ctx, batchWitness, []any{b.ID}, `INSERT INTO roi_batch (id, line, n, day, fee, roi, released_day, fee_day)
		SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), COALESCE(MAX(n), 0) + 1, CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS BIGINT), CAST($7 AS BIGINT) FROM roi_batch`,
		b.ID, b.Line, int64(b.Day), b.Fee, b.ROI, int64(b.Released), int64(b.FeeDay))
	return err
}

func (closingStore) Batches(ctx context.Context, tx *ledger.Tx, line string) ([]closing.Batch, error) {
	scan := func(r *sql.Rows) (b closing.Batch, err error) {
		err = r.Scan(&b.ID, &b.Line, &b.N, &b.Day, &b.Fee, &b.ROI, &b.Released, &b.FeeDay)
		return b, err
	}
	all, err := list(ctx, groupOf(tx), scan, "SELECT id, line, n, day, fee, roi, released_day, fee_day FROM roi_batch WHERE line = $1 AND (released_day = 0 OR fee_day = 0) ORDER BY n", line)
	if err == nil {
		err = newLooker(groupOf(tx)).each(ctx, batchWitness, len(all), func(i int) any { return all[i].ID })
	}
	return all, err
}

func (closingStore) BatchShares(ctx context.Context, tx *ledger.Tx, batch string) ([]closing.PositionShare, []closing.EarnerShare, error) {
	roi, err := list(ctx, groupOf(tx), func(r *sql.Rows) (s closing.PositionShare, err error) {
		err = r.Scan(&s.Position, &s.Amount)
		return s, err
	}, "SELECT position_id, paid FROM income WHERE "+ofBatch+" AND kind = "+roiKind+" ORDER BY row_no", batch)
	if err != nil {
		return nil, nil, err
	}
	levels, err := list(ctx, groupOf(tx), func(r *sql.Rows) (s closing.EarnerShare, err error) {
		err = r.Scan(&s.No, &s.Amount)
		return s, err
	}, "SELECT earner, CAST(SUM(paid) AS BIGINT) FROM income WHERE "+ofBatch+" AND kind = "+roiLevelKind+" GROUP BY earner ORDER BY earner", batch)
	if err != nil {
		return nil, nil, err
	}
	sum := newFingerprint()
	for _, x := range roi {
		sum.add(x.Position, x.Amount)
	}
	for _, x := range levels {
		sum.add(x.No, x.Amount)
	}
	return roi, levels, groupOf(tx).heldRight(ctx, batch, sum.bytes())
}

func (closingStore) SetBatch(ctx context.Context, tx *ledger.Tx, b closing.Batch) error {
	n, err := groupOf(tx).changeOne(ctx, batchWitness, []any{b.ID}, "UPDATE roi_batch SET released_day = $1, fee_day = $2 WHERE id = $3", int64(b.Released), int64(b.FeeDay), b.ID)
	if err != nil {
		return err
	}
	return mustHit(n, "batch "+b.ID)
}
