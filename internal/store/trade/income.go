package trade

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Income rows and ROI batches, as the close writes them.

var batchSigned = evidence.NewSignedTable("roi_batch", "id, line, n, day, fee, roi, released_day, fee_day", evidence.SignedOptions{Checked: true})

func (closingStore) LastRow(ctx context.Context, tx *ledger.Tx) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(row_no), 0) FROM income")
}

func (closingStore) AddIncomes(ctx context.Context, tx *ledger.Tx, n int, at func(i int) closing.Income) error {
	if n == 0 {
		return nil
	}
	day, hash := at(0).Day, evidence.NewRowHasher()
	err := engine.GroupOf(tx).Insert(ctx, incomeTable, n, func(i int, r *engine.Rows) {
		x := at(i)
		from := len(r.Vals)
		r.Add(x.Row, int64(x.Day), int64(x.Kind), x.Line, x.Earner, x.Of, x.Level, x.Position, x.Paid, x.Nominal, x.On, x.A, x.B,
			engine.BoolInt(x.Capped), engine.BoolInt(x.Scaled), engine.BoolInt(x.Held), x.Reverses, x.Source, int64(x.Released))
		hash.Add(r.Vals[from : len(r.Vals)-1]...) // another line signs the release
	})
	evidence.AddLine(engine.GroupOf(tx), evidence.IncomeLine, day.String(), hash.Sum())
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
	all, err := engine.List(ctx, engine.GroupOf(tx), scanIncome, "SELECT "+incomeColumns+` FROM income i WHERE source = $1 AND kind = `+core.LevelKind+` AND reverses = 0
		AND NOT EXISTS (SELECT 1 FROM income r WHERE r.source = $1 AND r.kind = `+core.LevelKind+` AND r.reverses = i.row_no) ORDER BY row_no`, sale)
	if err == nil && len(all) > 0 { // one close wrote all of them
		err = verifyIncomes(ctx, engine.GroupOf(tx), int64(all[0].Day))
	}
	return all, err
}

func (closingStore) Incomes(ctx context.Context, tx *ledger.Tx) ([]closing.IncomeState, error) {
	return engine.List(ctx, engine.GroupOf(tx), ScanIncomeState, "SELECT "+StateColumns+StateJoins+" ORDER BY i.row_no")
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
	g := s.db.From(tx)
	if err := engine.Each(ctx, g, scan, yield, columns+StateJoins+" WHERE i.released_day = $1 AND i.released_day > 0", int64(day)); err != nil {
		return err
	}
	for _, id := range batches {
		if err := engine.Each(ctx, g, scan, yield, columns+StateJoins+" WHERE "+ofBatch+" AND kind "+core.TradingKinds, id); err != nil {
			return err
		}
	}
	return engine.Each(ctx, g, scan, yield, columns+` FROM claim c JOIN income i ON i.position_id = c.position_id AND i.kind = `+core.RoiKind+` LEFT JOIN roi_batch b ON b.id = i.source
		WHERE c.claim_day = $1 AND c.claim_day > 0`, int64(day))
}

func (closingStore) HeldIncomes(ctx context.Context, tx *ledger.Tx, no int64) ([]closing.Income, error) {
	return engine.List(ctx, engine.GroupOf(tx), scanIncome, "SELECT "+incomeColumns+` FROM income i WHERE earner = $1 AND kind `+core.NetworkKinds+` AND held = 1 AND released_day = 0 AND reverses = 0
		AND NOT EXISTS (SELECT 1 FROM income r WHERE r.earner = $1 AND r.kind = `+core.LevelKind+` AND r.reverses = i.row_no) ORDER BY row_no`, no)
}

func (closingStore) Release(ctx context.Context, tx *ledger.Tx, all []int64, day plan.Day) error {
	return engine.InChunks(all, func(part []int64) error {
		args := []any{int64(day)}
		for _, n := range part {
			args = append(args, n)
			evidence.AddLine(engine.GroupOf(tx), evidence.ReleaseLine, strconv.FormatInt(n, 10), evidence.ReleasedOn(n, int64(day)))
		}
		_, err := engine.GroupOf(tx).Exec(ctx, "UPDATE income SET released_day = $1 WHERE row_no IN "+engine.Placeholders(2, len(part)), args...)
		return err
	})
}

// ofBatch are a batch's rows, all made by the close of its day: they are found
// along that day's rows and need no index of their own.
const ofBatch = `row_no >= (SELECT d.rows_first FROM close_day d JOIN roi_batch x ON x.day = d.day WHERE x.id = $1)
	AND row_no <= (SELECT d.rows_last FROM close_day d JOIN roi_batch x ON x.day = d.day WHERE x.id = $1) AND source = $1`

func (closingStore) AddBatch(ctx context.Context, tx *ledger.Tx, b closing.Batch) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), batchSigned, []any{b.ID}, `INSERT INTO roi_batch (id, line, n, day, fee, roi, released_day, fee_day)
		SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), COALESCE(MAX(n), 0) + 1, CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS BIGINT), CAST($7 AS BIGINT) FROM roi_batch`,
		b.ID, b.Line, int64(b.Day), b.Fee, b.ROI, int64(b.Released), int64(b.FeeDay))
}

func (closingStore) Batches(ctx context.Context, tx *ledger.Tx, line string) ([]closing.Batch, error) {
	scan := func(r *sql.Rows) (b closing.Batch, err error) {
		err = r.Scan(&b.ID, &b.Line, &b.N, &b.Day, &b.Fee, &b.ROI, &b.Released, &b.FeeDay)
		return b, err
	}
	all, err := engine.List(ctx, engine.GroupOf(tx), scan, "SELECT id, line, n, day, fee, roi, released_day, fee_day FROM roi_batch WHERE line = $1 AND (released_day = 0 OR fee_day = 0) ORDER BY n", line)
	if err == nil {
		err = evidence.VerifierIn(engine.GroupOf(tx)).Rows(ctx, batchSigned, evidence.KeysOf(all, func(b closing.Batch) any { return b.ID }))
	}
	return all, err
}

func (closingStore) BatchShares(ctx context.Context, tx *ledger.Tx, batch string) ([]closing.PositionShare, []closing.EarnerShare, error) {
	roi, err := engine.List(ctx, engine.GroupOf(tx), func(r *sql.Rows) (s closing.PositionShare, err error) {
		err = r.Scan(&s.Position, &s.Amount)
		return s, err
	}, "SELECT position_id, paid FROM income WHERE "+ofBatch+" AND kind = "+core.RoiKind+" ORDER BY row_no", batch)
	if err != nil {
		return nil, nil, err
	}
	levels, err := engine.List(ctx, engine.GroupOf(tx), func(r *sql.Rows) (s closing.EarnerShare, err error) {
		err = r.Scan(&s.No, &s.Amount)
		return s, err
	}, "SELECT earner, CAST(SUM(paid) AS BIGINT) FROM income WHERE "+ofBatch+" AND kind = "+core.RoiLevelKind+" GROUP BY earner ORDER BY earner", batch)
	if err != nil {
		return nil, nil, err
	}
	hash := evidence.NewRowHasher()
	for _, x := range roi {
		hash.Add(x.Position, x.Amount)
	}
	for _, x := range levels {
		hash.Add(x.No, x.Amount)
	}
	return roi, levels, verifyHeld(ctx, engine.GroupOf(tx), batch, hash.Sum())
}

func (closingStore) SetBatch(ctx context.Context, tx *ledger.Tx, b closing.Batch) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), batchSigned, []any{b.ID}, "UPDATE roi_batch SET released_day = $1, fee_day = $2 WHERE id = $3", int64(b.Released), int64(b.FeeDay), b.ID)
}

// verifyHeld is nil if what was read of a batch on Hold is what the close of its day
// wrote: sum is the hash of what was read. If that is new, all incomes of the day are
// compared with their one line.
func verifyHeld(ctx context.Context, g *engine.Group, batch string, sum evidence.RowHash) error {
	known, part := &evidence.ChainOf(g.DB).Verified, "hold "+batch
	if _, ok := known.Of(part)[sum]; ok {
		return nil
	}
	day, found, err := engine.First(ctx, g, engine.ScanID, "SELECT day FROM roi_batch WHERE id = $1", batch)
	if err == nil && found {
		err = verifyIncomes(ctx, g, day)
	}
	if err == nil {
		known.Set(part, map[evidence.RowHash]struct{}{sum: {}})
	}
	return err
}

// verifyIncomes is nil if the incomes of a closed day are what its close wrote. They
// have one line together, in the batch of the close's command; a day without incomes
// has none.
func verifyIncomes(ctx context.Context, g *engine.Group, day int64) error {
	of, v := plan.Day(day).String(), evidence.VerifierIn(g)
	c, closed, err := engine.First(ctx, g, engine.ScanCommand, engine.SelectCommands+"actor = 'closing' AND command_key = $1", "close "+of)
	switch {
	case err != nil:
		return err
	case !closed:
		return ledger.Tampered("The incomes of "+of, "no command has closed the day")
	}
	if err := v.Answered(ctx, c); err != nil { // or it could be said to be of another batch
		return err
	}
	lines, err := v.SignedLines(ctx, []int64{c.Batch})
	if err != nil {
		return err
	}
	recorded, known := lines[c.Batch][evidence.IncomeLine+" "+of]
	h, some := evidence.NewRowHasher(), false
	if err := engine.Each(ctx, g, evidence.ScanAny(strings.Count(incomeColumns, ",")), func(vals []any) error {
		h.Add(vals...)
		some = true
		return nil
	}, "SELECT "+incomeColumns[:strings.LastIndex(incomeColumns, ",")]+` FROM income
		WHERE row_no >= (SELECT rows_first FROM close_day WHERE day = $1) AND row_no <= (SELECT rows_last FROM close_day WHERE day = $1) ORDER BY row_no`, day); err != nil {
		return err
	}
	if known != some || (known && h.Sum().String() != recorded) {
		return ledger.Tampered("The incomes of "+of, "they are not what the signed chain says of them")
	}
	return nil
}

// incomeDays reads incomes day by day.
type incomeDays struct {
	c         *evidence.RowsCheck
	day, next int64
	hash      *evidence.RowHasher
}

// checkIncomes compares the rows of every day with its one line, and when they left Hold.
// Their numbers have no gaps and their days only grow.
func checkIncomes(ctx context.Context, c *evidence.RowsCheck) error {
	x := &incomeDays{c: c, next: 1, hash: evidence.NewRowHasher()}
	if err := engine.Each(ctx, c.Q, evidence.ScanAny(strings.Count(incomeColumns, ",")+1), x.add, "SELECT "+incomeColumns+" FROM income ORDER BY row_no"); err != nil {
		return err
	}
	return x.end()
}

func (x *incomeDays) add(vals []any) error {
	row, _ := vals[0].(int64)
	day, _ := vals[1].(int64)
	released := vals[len(vals)-1]
	if row != x.next || day < x.day {
		return evidence.WrongRow("incomes are numbered without gaps, in the order of their days", fmt.Sprintf("income %v", vals[0]),
			fmt.Sprintf("%d of %s", row, plan.Day(day)), fmt.Sprintf("%d of %s or later", x.next, plan.Day(x.day)))
	}
	if day != x.day {
		if err := x.end(); err != nil {
			return err
		}
		x.day = day
	}
	x.next++
	x.hash.Add(vals[:len(vals)-1]...)
	if on, _ := released.(int64); on != 0 {
		return x.c.Compare(evidence.ReleaseLine, "the release of income", strconv.FormatInt(row, 10), evidence.ReleasedOn(row, on))
	}
	return nil
}

// end compares the day that was read.
func (x *incomeDays) end() error {
	if x.day == 0 {
		return nil
	}
	sum := x.hash.Sum()
	x.hash = evidence.NewRowHasher()
	return x.c.Compare(evidence.IncomeLine, "incomes of", plan.Day(x.day).String(), sum)
}

var incomeTable = engine.NewTable("income",
	engine.Ints("row_no", "day", "kind"),
	engine.Texts("line"),
	engine.Ints("earner", "source_no", "level"),
	engine.Texts("position_id"),
	engine.Ints("paid", "nominal", "on_amount", "a", "b", "capped", "scaled", "held", "reverses"),
	engine.Texts("source"),
	engine.Ints("released_day"),
)

var StateJoins = ` FROM income i LEFT JOIN roi_batch b ON i.kind ` + core.TradingKinds + ` AND b.id = i.source LEFT JOIN claim c ON i.kind = ` + core.RoiKind + ` AND c.id = 'C-' || i.position_id`

// Each row is joined with the rows that decide its status: trading incomes with their
// batch, and ROI with the claim of its position.
var (
	// released is closing.IncomeState.Status in SQL: true for Release.
	released = `((i.kind ` + core.NetworkKinds + ` AND (i.held = 0 OR i.released_day <> 0))
		OR (i.kind ` + core.TradingKinds + ` AND b.released_day > 0 AND (i.kind = ` + core.RoiLevelKind + ` OR c.day IS NULL OR c.day >= b.released_day)))`
)

const StateColumns = `i.row_no, i.day, i.kind, i.line, i.earner, i.source_no, i.level, i.position_id, i.paid, i.nominal, i.on_amount, i.a, i.b,
	i.capped, i.scaled, i.held, i.reverses, i.source, i.released_day, COALESCE(b.released_day, 0), COALESCE(c.day, 0), COALESCE(c.claim_day, 0)`

func ScanIncomeState(r *sql.Rows) (x closing.IncomeState, err error) {
	var capped, scaled, held int64
	err = r.Scan(&x.Row, &x.Day, &x.Kind, &x.Line, &x.Earner, &x.Of, &x.Level, &x.Position, &x.Paid, &x.Nominal, &x.On, &x.A, &x.B,
		&capped, &scaled, &held, &x.Reverses, &x.Source, &x.Released, &x.BatchReleased, &x.ClaimMade, &x.Claimed)
	x.Capped, x.Scaled, x.Held = capped == 1, scaled == 1, held == 1
	return x, err
}

const (
	OfMember = ` WHERE i.earner = $1 AND i.kind = $2 AND i.line = $3 AND i.row_no >= $4 AND i.row_no <= $5`
)
