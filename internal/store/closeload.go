package store

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

var (
	saleTable = newTable("sale", []column{
		{"id", texts},
		{"no", ints},
		{"payer", ints},
		{"package", ints},
		{"topup", texts},
		{"amount", ints},
		{"volume", ints},
		{"day", ints},
		{"at", ints},
		{"state", texts},
		{"final_day", ints},
	}...)
	positionTable = newTable("invest_position", []column{
		{"id", texts},
		{"line", texts},
		{"no", ints},
		{"payer", ints},
		{"package", ints},
		{"topup", texts},
		{"principal", ints},
		{"loss", ints},
		{"day", ints},
		{"term", ints},
		{"at", ints},
		{"state", texts},
	}...)
	eventTable = newTable("day_event", []column{{"id", texts}, {"day", ints}, {"at", ints}}...)
)

// LoadPurchases adds sales and positions within a command as if they had been
// bought one by one; the caller posts their money. Like LoadTree it is for
// benchmarks and tests: nothing of the product calls it.
func (db *DB) LoadPurchases(ctx context.Context, tx *ledger.Tx, sales []sale.Sale, positions []invest.Position) error {
	g := groupOf(tx)
	for i := range sales {
		g.witness(saleWitness, saleFacts(&sales[i])...)
		g.witness(eventWitness, sales[i].ID, int64(sales[i].Day), micros(sales[i].At), int64(0), "")
	}
	for i := range positions {
		g.witness(positionWitness, positionFacts(&positions[i])...)
		g.witness(eventWitness, positions[i].ID, int64(positions[i].Day), micros(positions[i].At), int64(0), "")
	}
	for _, add := range []bulk{
		{saleTable, len(sales), func(i int, r *rows) {
			s := &sales[i]
			r.add(s.ID, s.No, s.Payer, s.Package, string(s.Topup), s.Amount.Micros(), s.Volume.Micros(), int64(s.Day), micros(s.At), string(s.State), int64(s.FinalDay))
		}},
		{eventTable, len(sales), func(i int, r *rows) { r.add(sales[i].ID, int64(sales[i].Day), micros(sales[i].At)) }},
		{positionTable, len(positions), func(i int, r *rows) {
			p := &positions[i]
			r.add(p.ID, p.Line, p.No, p.Payer, p.Package, p.Topup, p.Principal.Micros(), p.Loss.Micros(), int64(p.Day), p.Term, micros(p.At), string(p.State))
		}},
		{eventTable, len(positions), func(i int, r *rows) { r.add(positions[i].ID, int64(positions[i].Day), micros(positions[i].At)) }},
	} {
		if err := g.insert(ctx, add); err != nil {
			return err
		}
	}
	return nil
}
