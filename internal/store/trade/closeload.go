package trade

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

var (
	saleTable     = engine.NewTable("sale", engine.Texts("id"), engine.Ints("no", "payer", "package"), engine.Texts("topup"), engine.Ints("amount", "volume", "day", "at"), engine.Texts("state"), engine.Ints("final_day"))
	positionTable = engine.NewTable("invest_position", engine.Texts("id", "line"), engine.Ints("no", "payer", "package"), engine.Texts("topup"), engine.Ints("principal", "loss", "day", "term", "at"), engine.Texts("state"))
	eventTable    = engine.NewTable("day_event", engine.Texts("id"), engine.Ints("day", "at"))
)

// LoadPurchases adds sales and positions within a command as if they had been
// bought one by one; the caller posts their money. Like LoadTree it is for
// benchmarks and tests: the server does not call it.
func LoadPurchases(ctx context.Context, db *engine.DB, tx *ledger.Tx, sales []sale.Sale, positions []invest.Position) error {
	g := engine.GroupOf(tx)
	for i := range sales {
		evidence.SignRow(g, saleSigned, saleFacts(&sales[i])...)
		evidence.SignRow(g, eventSigned, sales[i].ID, int64(sales[i].Day), engine.Micros(sales[i].At), int64(0), "")
	}
	for i := range positions {
		evidence.SignRow(g, positionSigned, positionFacts(&positions[i])...)
		evidence.SignRow(g, eventSigned, positions[i].ID, int64(positions[i].Day), engine.Micros(positions[i].At), int64(0), "")
	}
	at := func(sold bool, i int) []any {
		if sold {
			return []any{sales[i].ID, int64(sales[i].Day), engine.Micros(sales[i].At)}
		}
		return []any{positions[i].ID, int64(positions[i].Day), engine.Micros(positions[i].At)}
	}
	return errors.Join(
		g.Insert(ctx, saleTable, len(sales), func(i int, r *engine.Rows) {
			s := &sales[i]
			r.Add(s.ID, s.No, s.Payer, s.Package, string(s.Topup), s.Amount.Micros(), s.Volume.Micros(), int64(s.Day), engine.Micros(s.At), string(s.State), int64(s.FinalDay))
		}),
		g.Insert(ctx, eventTable, len(sales), func(i int, r *engine.Rows) { r.Add(at(true, i)...) }),
		g.Insert(ctx, positionTable, len(positions), func(i int, r *engine.Rows) {
			p := &positions[i]
			r.Add(p.ID, p.Line, p.No, p.Payer, p.Package, p.Topup, p.Principal.Micros(), p.Loss.Micros(), int64(p.Day), p.Term, engine.Micros(p.At), string(p.State))
		}),
		g.Insert(ctx, eventTable, len(positions), func(i int, r *engine.Rows) { r.Add(at(false, i)...) }),
	)
}
