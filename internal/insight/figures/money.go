package figures

import (
	"context"
	"slices"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/disclosure"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// revenue is the final revenue: final sales less chargebacks, the operator's share of
// booked profits, and the fees of withdrawals.
func (s *Service) revenue(ctx context.Context, a asked) ([]Table, error) {
	t := over(a.Query,
		Column{"sales_members", "Final sales to members", Money}, Column{"sales_customers", "Final sales to customers", Money}, Column{"reversed", "Charged back", Money},
		Column{"fees", "Trading fees", Money}, Column{"charges", "Withdrawal charges", Money}, Column{"net", "Net revenue", Money})
	sums, err := s.sums.of(ctx, s.opt.Store, a.From, a.To)
	if err != nil {
		return nil, err
	}
	for _, x := range sums {
		switch {
		case x.Name == closing.SumFinal && x.Part == closing.PartCustomer:
			t.both(x.Day, "sales_customers", x.Amount)
		case x.Name == closing.SumFinal:
			t.both(x.Day, "sales_members", x.Amount)
		case x.Name == closing.SumReversed:
			t.both(x.Day, "reversed", -x.Amount)
		case x.Name == closing.SumFee:
			t.both(x.Day, "fees", x.Amount)
		}
	}
	costs, err := s.charges.of(ctx, s.opt.Store, a.plan, a.today)
	if err != nil {
		return nil, err
	}
	for _, c := range costs {
		t.both(c.day, "charges", c.amount)
	}
	return []Table{t.summed()}, nil
}

// both adds to a column and to the row's net.
func (t *timeline) both(d plan.Day, column string, amount int64) {
	t.add(d, column, amount)
	t.add(d, "net", amount)
}

// payouts are incomes by the day of their close, net of reversals, and their sources.
func (s *Service) payouts(ctx context.Context, a asked) ([]Table, error) {
	var columns []Column
	at := map[string]int{}
	incomes := plan.Incomes()
	for i, x := range incomes {
		columns = append(columns, Column{x.Column(), x.Title(), Money})
		at[closing.PartOf(x.Kind, x.Line)] = i
	}
	t := over(a.Query, append(columns, Column{"net", "All incomes", Money})...)
	sources := Table{Name: "sources", Columns: []Column{
		{"income", "Income", Text}, {"source", "Paid from", Text}, {"rows", "Incomes", Count}, {"paid", "Paid", Money}, {"reversed", "Taken back", Money}, {"net", "Net", Money},
	}, Total: []Cell{none, none, {}, {}, {}, {}}}
	for _, x := range incomes {
		sources.Rows = append(sources.Rows, []Cell{word(x.Column()), word(x.Source()), {}, {}, {}, {}})
	}
	sums, err := s.sums.of(ctx, s.opt.Store, a.From, a.To)
	if err != nil {
		return nil, err
	}
	for _, x := range sums {
		i, known := at[x.Part]
		if !known || x.Name != closing.SumPaid && x.Name != closing.SumTaken {
			continue
		}
		t.both(x.Day, incomes[i].Column(), x.Amount)
		for _, row := range [][]Cell{sources.Rows[i], sources.Total} {
			if x.Name == closing.SumPaid {
				row[2].N += x.N
				row[3].N += x.Amount
			} else {
				row[4].N += x.Amount
			}
			row[5].N += x.Amount
		}
	}
	sources.Rows = slices.DeleteFunc(sources.Rows, func(row []Cell) bool { return row[2].N == 0 && row[4].N == 0 })
	return []Table{t.summed(), sources}, nil
}

// retail compares customers' purchases with those of members.
func (s *Service) retail(ctx context.Context, a asked) ([]Table, error) {
	t := over(a.Query,
		Column{"members", "Final sales to members", Money}, Column{"customers", "Final sales to customers", Money}, Column{"net", "All final sales", Money},
		Column{"members_n", "Members' purchases", Count}, Column{"customers_n", "Customers' purchases", Count}, Column{"share", "Customers' share", Share})
	sums, err := s.sums.of(ctx, s.opt.Store, a.From, a.To)
	if err != nil {
		return nil, err
	}
	for _, x := range sums {
		if x.Name != closing.SumFinal {
			continue
		}
		who := "members"
		if x.Part == closing.PartCustomer {
			who = "customers"
		}
		t.both(x.Day, who, x.Amount)
		t.add(x.Day, who+"_n", x.N)
	}
	table := t.summed()
	for _, row := range append(table.Rows, table.Total) {
		if row[6] = none; row[3].N > 0 {
			row[6] = number(disclosure.Share(row[2].N, row[3].N))
		}
	}
	return []Table{table}, nil
}
