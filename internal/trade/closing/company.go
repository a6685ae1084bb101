package closing

import (
	"fmt"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Company is what a close takes from the company's own money: losses beyond the reserve
// and the positions of their line.
type Company struct {
	Lines []LinePays   `json:"lines"`
	Pays  money.Amount `json:"pays"` // of all lines
	Has   money.Amount `json:"has"`  // after the close
}

// LinePays is what the company pays for one line.
type LinePays struct {
	Line string       `json:"line"`
	Pays money.Amount `json:"pays"`
}

// company returns it for a posted day.
func (d *day) company() (c Company, err error) {
	var sum int64
	c.Lines = []LinePays{}
	for line, name := range plan.LineNames {
		var pays int64
		for _, x := range d.out.Losses {
			if x.Line == line {
				pays += x.Company
			}
		}
		if pays > 0 {
			c.Lines = append(c.Lines, LinePays{name, money.Micro(pays)})
		}
		sum += pays
	}
	b, err := d.tx.Balance(ledger.MustAccount("A:OPERATING"))
	c.Pays, c.Has = money.Micro(sum), b.Posted
	return c, err
}

// Short reports whether a close takes from the company's money and leaves it negative.
func (c Company) Short() bool { return c.Pays.Sign() > 0 && c.Has.Sign() < 0 }

// Warnings returns texts with the figures of each line and of all lines; none if the
// lines bear their losses themselves.
func (c Company) Warnings() (all []string) {
	for _, l := range c.Lines {
		all = append(all, fmt.Sprintf("The company pays %s of what %s has lost out of its own money: the line's reserve and positions do not bear it.", l.Pays, l.Line))
	}
	if c.Short() {
		all = append(all, fmt.Sprintf("The company pays %s in all and does not have it: after this close its own money would stand at %s.", c.Pays, c.Has))
	}
	return all
}
