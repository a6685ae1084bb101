package trade

import (
	"context"
	"database/sql"
	"sort"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

type investStore struct{ db *engine.DB }

var (
	positionSigned = evidence.NewSignedTable("invest_position", "id, line, no, payer, package, topup, principal, day, term, at", evidence.SignedOptions{Checked: true})
	claimSigned    = evidence.NewSignedTable("claim", ClaimColumns, evidence.SignedOptions{Checked: true})
)

// Invest is the store of positions and claims.
func Invest(db *engine.DB) invest.Store { return investStore{db} }

const positionColumns = "id, line, no, payer, package, topup, principal, loss, day, term, at, state"

func scanPosition(r *sql.Rows) (p invest.Position, err error) {
	var principal, loss, at int64
	err = r.Scan(&p.ID, &p.Line, &p.No, &p.Payer, &p.Package, &p.Topup, &principal, &loss, &p.Day, &p.Term, &at, &p.State)
	p.Principal, p.Loss, p.At = money.Micro(principal), money.Micro(loss), engine.Instant(at)
	return p, err
}

// positionFacts are what is signed of a position.
func positionFacts(p *invest.Position) []any {
	return []any{p.ID, p.Line, p.No, p.Payer, p.Package, p.Topup, p.Principal.Micros(), int64(p.Day), p.Term, engine.Micros(p.At)}
}

func (investStore) Add(ctx context.Context, tx *ledger.Tx, p invest.Position) error {
	evidence.SignRow(engine.GroupOf(tx), positionSigned, positionFacts(&p)...)
	_, err := engine.GroupOf(tx).Exec(ctx, "INSERT INTO invest_position ("+positionColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		p.ID, p.Line, p.No, p.Payer, p.Package, p.Topup, p.Principal.Micros(), p.Loss.Micros(), int64(p.Day), p.Term, engine.Micros(p.At), string(p.State))
	if err != nil || p.State != invest.Open {
		return err
	}
	_, err = engine.GroupOf(tx).Exec(ctx, `INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('position', 'open', $1, 0, 1, $2), ('position_loss', 'open', $1, 0, 1, $3)
		ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = list_sum.n + 1, amount = list_sum.amount + excluded.amount`, p.Line, p.Principal.Micros(), p.Loss.Micros())
	return err
}

// SetOpen writes sums that a trigger for each position would add up, which a close
// that changes all of them would wait for.
func (investStore) SetOpen(ctx context.Context, tx *ledger.Tx, line string, o invest.Standing) error {
	_, err := engine.GroupOf(tx).Exec(ctx, `INSERT INTO list_sum (list, state, kind, waits, n, amount) VALUES ('position', 'open', $1, 0, $2, $3), ('position_loss', 'open', $1, 0, $2, $4)
		ON CONFLICT (list, state, kind, waits) DO UPDATE SET n = excluded.n, amount = excluded.amount`, line, o.Positions, o.Principal.Micros(), o.Loss.Micros())
	return err
}

func (investStore) Get(ctx context.Context, tx *ledger.Tx, id string) (invest.Position, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanPosition, "SELECT "+positionColumns+" FROM invest_position WHERE id = $1", id)
}

func (investStore) Held(ctx context.Context, tx *ledger.Tx, no int64, line string) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COUNT(*) FROM invest_position WHERE no = $1 AND line = $2 AND state <> 'claimed'", no, line)
}

// All sorts here: databases sort text by rules of their own.
func (investStore) All(ctx context.Context, tx *ledger.Tx, line string) ([]invest.Position, error) {
	all, err := engine.List(ctx, engine.GroupOf(tx), scanPosition, "SELECT "+positionColumns+" FROM invest_position WHERE line = $1", line)
	var open []*invest.Position
	for i := range all {
		if all[i].State != invest.Claimed { // that is paid out for good
			open = append(open, &all[i])
		}
	}
	if err == nil {
		err = evidence.VerifierIn(engine.GroupOf(tx)).VerifyPart(ctx, positionSigned, "positions of "+line, len(open), func(i int) []any { return positionFacts(open[i]) })
	}
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	return all, err
}

func (m moment) Open(ctx context.Context, line string, on plan.Day) ([]closing.OpenPosition, error) {
	scan := func(r *sql.Rows) (p closing.OpenPosition, err error) {
		err = r.Scan(&p.ID, &p.Loss)
		return p, err
	}
	all, err := engine.List(ctx, m.q, scan, "SELECT id, loss FROM invest_position WHERE line = $1 AND state = 'open' AND day <= $2", line, int64(on))
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	return all, err
}

func (investStore) SetPosition(ctx context.Context, tx *ledger.Tx, id string, loss money.Amount, s invest.State) error {
	return engine.ExecOne(ctx, engine.GroupOf(tx), "position "+id, "UPDATE invest_position SET loss = $1, state = $2 WHERE id = $3", loss.Micros(), string(s), id)
}

func (investStore) SetPositions(ctx context.Context, tx *ledger.Tx, all []invest.Position) error {
	return engine.GroupOf(tx).Change(ctx, "positions", "id, loss, state", []string{"TEXT", "BIGINT", "TEXT"}, len(all), func(i int) []any {
		return []any{all[i].ID, all[i].Loss.Micros(), string(all[i].State)}
	}, "invest_position SET loss = v.loss, state = v.state FROM v WHERE invest_position.id = v.id")
}

const ClaimColumns = "id, position_id, line, no, amount, income, net, day, recalled, state, claim_day"

func ScanClaim(r *sql.Rows) (c invest.Claim, err error) {
	var amount, income, net, recalled int64
	var state string
	err = r.Scan(&c.ID, &c.Position, &c.Line, &c.No, &amount, &income, &net, &c.Day, &recalled, &state, &c.ClaimDay)
	c.Amount, c.Income, c.Net, c.Recalled = money.Micro(amount), money.Micro(income), money.Micro(net), money.Micro(recalled)
	c.Done = state == "Claimed"
	return c, err
}

func (investStore) AddClaims(ctx context.Context, tx *ledger.Tx, all []invest.Claim) error {
	g := engine.GroupOf(tx)
	return g.Insert(ctx, claimTable, len(all), func(i int, r *engine.Rows) {
		c := &all[i]
		vals := []any{c.ID, c.Position, c.Line, c.No, c.Amount.Micros(), c.Income.Micros(), c.Net.Micros(), int64(c.Day), int64(0), "Pending", int64(0)}
		evidence.SignRow(g, claimSigned, vals...)
		r.Add(vals...)
	})
}

func (investStore) GetClaim(ctx context.Context, tx *ledger.Tx, id string) (invest.Claim, bool, error) {
	if err := evidence.VerifierIn(engine.GroupOf(tx)).Row(ctx, claimSigned, id); err != nil {
		return invest.Claim{}, false, err
	}
	return engine.First(ctx, engine.GroupOf(tx), ScanClaim, "SELECT "+ClaimColumns+" FROM claim WHERE id = $1", id)
}

func (investStore) Recall(ctx context.Context, tx *ledger.Tx, id string, amount money.Amount) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), claimSigned, []any{id}, "UPDATE claim SET recalled = recalled + $1 WHERE id = $2", amount.Micros(), id)
}

// ClaimState is what a claim waits for, as invest.Claim says it.
const ClaimState = "CASE WHEN state = 'Claimed' THEN 'Claimed' WHEN recalled < net THEN 'Open' ELSE 'Funded' END"

// claimIs are the states as the indexes know them.
var claimIs = map[invest.ClaimState]string{
	invest.ClaimOpen:   "state = 'Pending' AND recalled < net",
	invest.ClaimFunded: "state = 'Pending' AND recalled >= net",
	invest.ClaimDone:   "state = 'Claimed'",
}

func (s investStore) Claims(ctx context.Context, f invest.ClaimFilter) ([]invest.Claim, int64, money.Amount, error) {
	var w engine.Conditions
	if f.State != "" {
		w.Parts = append(w.Parts, claimIs[f.State])
	}
	switch {
	case f.No != 0 && f.Line != "":
		w.Add("line || '' =", f.Line) // see ofClaims
	case f.Line != "":
		w.Add("line =", f.Line)
	}
	if f.No != 0 {
		w.Add("no =", f.No)
	}
	if f.From != 0 {
		w.Add("day >=", int64(f.From))
	}
	if f.To != 0 {
		w.Add("day <=", int64(f.To))
	}
	var t engine.Total
	var err error
	if f.No == 0 && f.From == 0 && f.To == 0 {
		t, err = s.db.ListSum(ctx, engine.ListKey{List: "claim", State: string(f.State), Kind: f.Line})
	} else {
		t, _, err = engine.First(ctx, s.db.Committed(), engine.ScanTotal, "SELECT COUNT(*), COALESCE(CAST(SUM(net - recalled) AS BIGINT), 0) FROM claim"+w.Text(), w.Args...)
	}
	if err != nil {
		return nil, 0, money.Amount{}, err
	}
	found, err := engine.PagedBy(ctx, s.db.Committed(), ScanClaim, ClaimColumns, "claim", []string{"day", "id"}, w, f.Newest, t.Count, f.Limit, f.Offset)
	return found, t.Count, money.Micro(t.Sum), err
}

func (s investStore) Cash(ctx context.Context) (map[string]money.Amount, error) {
	type cash struct {
		line   string
		amount int64
	}
	scan := func(r *sql.Rows) (c cash, err error) {
		err = r.Scan(&c.line, &c.amount)
		return c, err
	}
	codes := make([]any, len(plan.LineNames))
	for i, line := range plan.LineNames {
		codes[i] = "A:TRADING:" + line
	}
	all, err := engine.List(ctx, s.db.Committed(), scan, "SELECT substr(code, 11), posted - held FROM account WHERE code IN "+engine.Placeholders(1, len(codes)), codes...)
	out := map[string]money.Amount{}
	for _, c := range all {
		out[c.line] = money.Micro(c.amount)
	}
	return out, err
}

func (investStore) RecalledBy(ctx context.Context, tx *ledger.Tx, ids []string) (sum, count int64, err error) {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	scan := func(r *sql.Rows) (struct{}, error) { return struct{}{}, r.Scan(&sum, &count) }
	_, _, err = engine.First(ctx, engine.GroupOf(tx), scan, "SELECT CAST(COALESCE(SUM(e.delta), 0) AS BIGINT), COUNT(*) FROM transfer t JOIN entry e ON e.seq = t.seq WHERE t.kind = 'recall' AND e.kind = 'A:CLIENT' AND t.id IN "+engine.Placeholders(1, len(ids)), args...)
	return sum, count, err
}

func (investStore) Done(ctx context.Context, tx *ledger.Tx, id string, day plan.Day) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), claimSigned, []any{id}, "UPDATE claim SET state = 'Claimed', claim_day = $1 WHERE id = $2 AND state = 'Pending'", int64(day), id)
}

func (investStore) Pending(ctx context.Context, tx *ledger.Tx, line string) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COUNT(*) FROM claim WHERE line = $1 AND state = 'Pending'", line)
}

var claimTable = engine.NewTable("claim", engine.Texts("id", "position_id", "line"), engine.Ints("no", "amount", "income", "net", "day", "recalled"), engine.Texts("state"), engine.Ints("claim_day"))
