package closing

import (
	"fmt"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Company is what a close takes from the company's own money: losses that their
// line's reserve and positions could not bear.
type Company struct {
	Lines []LinePays   `json:"lines"`
	Pays  money.Amount `json:"pays"` // for all lines together
	Has   money.Amount `json:"has"`  // after the close, whatever else it moved
}

// LinePays is what the company pays for one line.
type LinePays struct {
	Line string       `json:"line"`
	Pays money.Amount `json:"pays"`
}

// company tells it of a day that is posted.
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

// Short tells whether the company has less than nothing after a close that takes
// from it.
func (c Company) Short() bool { return c.Pays.Sign() > 0 && c.Has.Sign() < 0 }

// Warnings say it in words, the figures of each line and of all together; none if
// the lines bear their losses themselves.
func (c Company) Warnings() (all []string) {
	for _, l := range c.Lines {
		all = append(all, fmt.Sprintf("The company pays %s of what %s has lost out of its own money: the line's reserve and positions do not bear it.", l.Pays, l.Line))
	}
	if c.Short() {
		all = append(all, fmt.Sprintf("The company pays %s in all and does not have it: after this close its own money would stand at %s.", c.Pays, c.Has))
	}
	return all
}
