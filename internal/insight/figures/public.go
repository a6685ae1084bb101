package figures

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Published figures are shown from the published report itself, so that both always
// agree.

// amounts parses dollars; the first failure stays as the error.
type amounts struct{ err error }

func (a *amounts) of(d transparency.Dollars) Cell {
	m, err := money.Parse(string(d))
	if err != nil && a.err == nil {
		a.err = err
	}
	return number(m.Micros())
}

// words are the texts of word cells in files. Screens have their own.
var words = func() map[string]string {
	w := map[string]string{
		"first": "Highest earner", "ten": "Ten highest", "hundred": "Hundred highest", "percent": "Highest percent", "tenth": "Highest tenth",
		"p25": "A quarter earned at most", "median": "Half earned at most", "p75": "Three quarters earned at most", "p90": "Nine tenths earned at most", "max": "The highest earned",
		"deposits": "Deposits", "incomes": "Incomes", "trading": "Trading", "held": "Held for trading in client cash and cash for incomes", "all": "All",
	}
	for _, x := range plan.Incomes() {
		w[x.Column()], w[x.Source()] = x.Title(), x.PaidFrom()
	}
	return w
}()

// Word is the text of a word cell in a file.
func Word(cell string) string {
	if w, known := words[cell]; known {
		return w
	}
	return cell
}

// concentration is the share of the highest earners in all incomes up to the last close.
// It has no rows before the first close.
func (s *Service) concentration(context.Context, asked) ([]Table, error) {
	now, read := s.opt.Public(), amounts{}
	shares := Table{Name: "tops", Columns: []Column{{"who", "Who", Text}, {"people", "People", Count}, {"earned", "Earned", Money}, {"share", "Share of all incomes", Share}}}
	facts := Table{Name: "facts", Columns: []Column{
		{"population", "Members", Count},
		{"earners", "Earners", Count},
		{"total", "Network incomes", Money},
		{"gini_earners", "Gini among earners", Share},
		{"gini_members", "Gini among members", Share},
	}}
	if c := now.Income.Concentration; c != nil && now.Day != "" {
		for _, t := range c.Tops {
			shares.Rows = append(shares.Rows, []Cell{word(t.Who), number(t.People), read.of(t.Earned), number(t.Share)})
		}
		facts.Rows = [][]Cell{{number(now.Income.Population), number(c.Earners), read.of(c.Total), number(c.Gini), number(c.GiniAll)}}
	}
	return []Table{shares, facts}, read.err
}

// disclosure is the distribution of members' incomes up to the last close.
func (s *Service) disclosure(context.Context, asked) ([]Table, error) {
	now, read := s.opt.Public(), amounts{}
	spread := Table{Name: "spread", Columns: []Column{{"percentile", "Percentile", Text}, {"earned", "Earned", Money}}}
	facts := Table{Name: "facts", Columns: []Column{
		{"population", "Members", Count},
		{"no_income", "Earned nothing", Share},
		{"exceeds", "Earned more than they bought", Share},
		{"top", "The top earner's share", Share},
		{"retail", "Customers' share of revenue", Share},
		{"payout", "Payout to revenue", Share},
	}}
	if now.Day != "" {
		x := now.Income
		for _, p := range []struct {
			name   string
			amount transparency.Dollars
		}{{"p25", x.P25}, {"median", x.Median}, {"p75", x.P75}, {"p90", x.P90}, {"max", x.Max}} {
			spread.Rows = append(spread.Rows, []Cell{word(p.name), read.of(p.amount)})
		}
		facts.Rows = [][]Cell{{number(x.Population), number(x.NoIncome), number(x.Exceeds), number(x.Top), number(x.Retail), number(now.Revenue.Payout)}}
	}
	return []Table{spread, facts}, read.err
}

// coverage is how far cash covers what is owed, as of the last close and of the end of
// each bucket. Closes without a report have none.
func (s *Service) coverage(ctx context.Context, a asked) ([]Table, error) {
	read := amounts{}
	classes := Table{Name: "classes", Columns: []Column{{"class", "Class", Text}, {"owed", "Owed", Money}, {"cash", "Cash", Money}, {"ratio", "Covered", Share}}}
	if now := s.opt.Public(); now.Day != "" {
		for _, c := range now.Coverage {
			classes.Rows = append(classes.Rows, []Cell{word(c.Class), read.of(c.Owed), read.of(c.Cash), number(c.Ratio)})
		}
	}
	t := over(a.Query, Column{"deposits", "Deposits", Share}, Column{"incomes", "Incomes", Share}, Column{"trading", "Trading", Share}, Column{"all", "All", Share})
	for _, row := range t.table.Rows {
		for i := range row[1:] {
			row[1+i] = none
		}
	}
	all, err := s.published.of(ctx, s.opt.Store)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		if x.day < a.From || x.day > a.To {
			continue
		}
		row := t.table.Rows[t.at[a.Bucket.start(x.day)]]
		for class, ratio := range x.ratios {
			if at, known := t.columns[class]; known {
				row[at] = number(ratio)
			}
		}
	}
	return []Table{classes, t.table}, read.err
}
