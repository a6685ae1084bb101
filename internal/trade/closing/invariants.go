package closing

import (
	"context"
	"fmt"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Invariants after every command: every kind of cash equals what it is for, so that
// nobody is paid with another's deposit. A close that breaks one commits nothing, and
// 'bifolia verify' checks them too.

// Standing is the state of the books: sums of accounts, and of the tables that explain
// them.
type Standing struct {
	Accounts map[string]int64 // by Class
	Cooling  int64            // sales in cooling-off
	Lines    [len(plan.LineNames)]LineStanding
}

// LineStanding is the part of a line in the tables.
type LineStanding struct {
	Open, Matured int64 // principals minus carried losses
	Fees          int64 // not paid yet
	Settled       int64
	Frozen        int64 // held rows of positions that wait for their claim
	Recalled      int64 // for claims that are not paid yet
}

// Class is the key of an account's sum: its kind and, for accounts of a line, the line.
func Class(kind, code string) string {
	switch kind {
	case "L:PRINCIPAL", "L:ROI_HELD", "L:FEE_HELD", "L:LINE_RESERVE", "A:TRADING":
		line, _, _ := strings.Cut(code[len(kind)+1:], ":")
		return kind + ":" + line
	}
	return kind
}

// Broken is a broken invariant with both values.
type Broken struct {
	Rule       string
	Of         string // the row; empty for a sum
	Have, Want string
}

func (b *Broken) Error() string {
	of := ""
	if b.Of != "" {
		of = " (" + b.Of + ")"
	}
	return fmt.Sprintf("The books do not agree: %s%s; it is %s, not %s.", b.Rule, of, b.Have, b.Want)
}

func broken(rule, of string, have, want int64) *Broken {
	return &Broken{rule, of, money.Micro(have).String(), money.Micro(want).String()}
}

// sum adds classes up.
func (s *Standing) sum(classes ...string) (n int64) {
	for _, c := range classes {
		n += s.Accounts[c]
	}
	return n
}

// side adds all classes of one side up.
func (s *Standing) side(prefixes ...string) (n int64) {
	for class, x := range s.Accounts {
		for _, p := range prefixes {
			if strings.HasPrefix(class, p) {
				n += x
			}
		}
	}
	return n
}

// Check returns the first broken invariant, or nil.
func (s *Standing) Check() *Broken {
	settled, recalled := int64(0), int64(0)
	for i, name := range plan.LineNames {
		l := &s.Lines[i]
		if b := s.checkLine(name, l); b != nil {
			return b
		}
		settled, recalled = settled+l.Settled, recalled+l.Recalled
	}
	for _, c := range []struct {
		rule       string
		have, want int64
	}{
		{"client cash is fund wallets, cooling-off sales and recalled claims", s.sum("A:CLIENT"), s.sum("L:FUND", "L:DEFERRED") + recalled},
		{"deferred money is that of sales that cool off", s.sum("L:DEFERRED"), s.Cooling},
		{"field cash is pools, income wallets, held incomes and settled profit", s.sum("A:FIELD"), s.side("P:") + s.sum("L:INCOME", "L:HELD") + settled},
		{"operating cash is what the company has", s.sum("A:OPERATING"), s.sum("E:COMPANY")},
		{"assets are liabilities, pools and equity", s.side("A:"), s.side("L:", "P:", "E:")},
	} {
		if c.have != c.want {
			return broken(c.rule, "", c.have, c.want)
		}
	}
	for class, n := range s.Accounts {
		if n < 0 && class != "E:COMPANY" && class != "A:OPERATING" {
			return broken("no account but the company's is below zero", class, n, 0)
		}
	}
	return nil
}

func (s *Standing) checkLine(name string, l *LineStanding) *Broken {
	cash, principals := s.sum("A:TRADING:"+name), s.sum("L:PRINCIPAL:"+name)
	owed := principals + s.sum("L:ROI_HELD:"+name, "L:FEE_HELD:"+name, "L:LINE_RESERVE:"+name)
	for _, c := range []struct {
		rule       string
		have, want int64
	}{
		{"a line's principals are those of its positions", principals, l.Open + l.Matured},
		{"a line's held fees are those of its batches", s.sum("L:FEE_HELD:" + name), l.Fees},
		{"a line's cash is principals, held profit, held fees and reserve, less what was settled and recalled", cash, owed - l.Settled - l.Recalled},
	} {
		if c.have != c.want {
			return broken(c.rule, name, c.have, c.want)
		}
	}
	switch {
	case l.Settled < 0 || l.Frozen < 0 || l.Recalled < 0:
		return broken("what a line has settled, frozen and recalled is not below zero", name, min(l.Settled, l.Frozen, l.Recalled), 0)
	case cash < l.Open:
		return broken("a line's cash covers its open positions", name, cash, l.Open)
	case cash+l.Recalled < principals+l.Frozen:
		return broken("a line's cash covers its positions and frozen rows", name, cash+l.Recalled, principals+l.Frozen)
	}
	return nil
}

// check checks every invariant after the close has posted and written everything. It
// returns the first broken one as Refused.
func (d *day) check(ctx context.Context) error {
	s, err := d.s.opt.Store.Standing(ctx, d.tx)
	if err != nil {
		return err
	}
	d.tx.Unwritten(func(_ *ledger.TransferRow, e *ledger.EntryRow) { s.Accounts[Class(e.Kind, e.Code)] += e.Delta })
	wrong := s.Check()
	if wrong == nil {
		wrong = d.agrees(&s)
	}
	if wrong != nil {
		return errs.Wrap(errs.Refused, wrong, "close.check_failed", "The close of {day} is not committed: {finding} An operator must run 'bifolia verify'.", "day", d.day, "finding", wrong.Error())
	}
	return nil
}

// agrees checks that the plan's balances equal the ledger's.
func (d *day) agrees(s *Standing) *Broken {
	for k := plan.LEVEL; k <= plan.RESERVE; k++ {
		if have, want := s.sum("P:"+k.Name()), d.book.Pools[k]; have != want {
			return broken("a pool has what the close left in it", k.Name(), have, want)
		}
	}
	for i, name := range plan.LineNames {
		l := &d.book.Lines[i]
		if have := s.sum("L:LINE_RESERVE:" + name); have != l.Reserve {
			return broken("a line's reserve is what the close left", name, have, l.Reserve)
		}
		if have := s.sum("L:ROI_HELD:" + name); have != l.Held {
			return broken("a line's held profit is that of its batches", name, have, l.Held)
		}
	}
	return nil
}
