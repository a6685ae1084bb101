package store

import (
	"context"

	"github.com/bifolia/bifolia/internal/invest"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/sale"
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
func (db *DB) LoadPurchases(ctx context.Context, r ledger.Rows, sales []sale.Sale, positions []invest.Position) error {
	sold, opened, events := &rows{t: saleTable}, &rows{t: positionTable}, &rows{t: eventTable}
	for i := range sales {
		s := &sales[i]
		sold.add(s.ID, s.No, s.Payer, s.Package, string(s.Topup), s.Amount.Micros(), s.Volume.Micros(), int64(s.Day), micros(s.At), string(s.State), int64(s.FinalDay))
		events.add(s.ID, int64(s.Day), micros(s.At))
	}
	for i := range positions {
		p := &positions[i]
		opened.add(p.ID, p.Line, p.No, p.Payer, p.Package, p.Topup, p.Principal.Micros(), p.Loss.Micros(), int64(p.Day), p.Term, micros(p.At), string(p.State))
		events.add(p.ID, int64(p.Day), micros(p.At))
	}
	for _, add := range []*rows{sold, opened, events} {
		if err := in(r).insert(ctx, add); err != nil {
			return err
		}
	}
	return nil
}
