package closing

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// Replayed is the comparison of a stored close with its replay.
type Replayed struct {
	Day               plan.Day
	Plan              string
	Digest, Again     string // as committed, and as replayed
	Rows, AgainRows   int64
	Before            plan.Day // the first earlier day with different rows; 0 if none
	Differences       []Difference
	MoreDifferences   int64 // not listed
	EqualRows         bool
	Refused, Finished int // refused events and final sales of the replay
}

// Equal reports whether digest and stored rows are equal.
func (r *Replayed) Equal() bool { return r.Digest == r.Again && r.EqualRows && r.Before == 0 }

// Difference is a stored item that differs from its replay.
type Difference struct {
	What          string // row, sale, plan
	ID            string
	Field         string
	Stored, Again string // empty if missing
}

// maxDifferences limits the listed differences.
const maxDifferences = 50

func (r *Replayed) differ(d Difference) {
	if len(r.Differences) < maxDifferences {
		r.Differences = append(r.Differences, d)
		return
	}
	r.MoreDifferences++
}

func (p *past) compare(ctx context.Context, d *day, was Closed, r *Replayed) error {
	report, err := d.report(ctx)
	if err != nil {
		return err
	}
	again, err := report.makeDigest()
	if err != nil {
		return err
	}
	r.Day, r.Plan, r.Digest, r.Again = d.day, d.p.Version, was.Digest, again
	r.Rows, r.AgainRows = was.LastRow-was.FirstRow+1, int64(len(d.out.Rows))
	r.Refused, r.Finished = len(d.refused), len(d.out.Finalised)
	if was.Plan != d.p.Version {
		r.differ(Difference{What: "plan", ID: d.day.String(), Field: "plan", Stored: was.Plan, Again: d.p.Version})
	}
	if err := p.compareSales(ctx, d, r); err != nil {
		return err
	}
	listed := len(r.Differences)
	if err := p.compareRows(ctx, d, r); err != nil {
		return err
	}
	r.EqualRows = listed == len(r.Differences) && r.MoreDifferences == 0
	return nil
}

// compareSales finds the sales with another final day than stored.
func (p *past) compareSales(ctx context.Context, d *day, r *Replayed) error {
	stored, err := p.FinalOn(ctx, d.day)
	if err != nil {
		return err
	}
	again := make([]string, 0, len(d.out.Finalised))
	for i := range d.out.Finalised {
		again = append(again, d.out.Finalised[i].ID)
	}
	slices.Sort(stored)
	slices.Sort(again)
	const final = "final"
	for len(stored) > 0 || len(again) > 0 {
		switch {
		case len(again) == 0 || len(stored) > 0 && stored[0] < again[0]:
			r.differ(Difference{What: "sale", ID: stored[0], Field: final, Stored: d.day.String()})
			stored = stored[1:]
		case len(stored) == 0 || again[0] < stored[0]:
			r.differ(Difference{What: "sale", ID: again[0], Field: final, Again: d.day.String()})
			again = again[1:]
		default:
			stored, again = stored[1:], again[1:]
		}
	}
	return nil
}

// compareRows finds the rows that differ from the stored ones. Both are ordered by
// number.
func (p *past) compareRows(ctx context.Context, d *day, r *Replayed) error {
	next := 0
	missing := func(until int64) {
		for ; next < len(d.out.Rows) && d.out.Rows[next].No < until; next++ {
			x := d.income(next)
			r.differ(Difference{What: "row", ID: strconv.FormatInt(x.Row, 10), Field: "row", Again: p.brief(d, &x)})
		}
	}
	if err := p.RowsOf(ctx, d.day, func(stored Income) error {
		missing(stored.Row)
		if next == len(d.out.Rows) || d.out.Rows[next].No != stored.Row {
			r.differ(Difference{What: "row", ID: strconv.FormatInt(stored.Row, 10), Field: "row", Stored: p.brief(d, &stored)})
			return nil
		}
		again := d.income(next)
		next++
		stored.Released = 0 // set later
		if stored != again {
			p.fields(d, &stored, &again, r)
		}
		return nil
	}); err != nil {
		return err
	}
	missing(int64(^uint64(0) >> 1))
	return nil
}

// brief formats a row in a few words.
func (p *past) brief(d *day, x *Income) string {
	return strings.Join([]string{p.kind(x), p.who(d, x.Earner), text(x.Paid)}, " ")
}

func (*past) kind(x *Income) string {
	return cmp.Or(x.Kind.Name(), strconv.Itoa(int(x.Kind)))
}

func (*past) who(d *day, no int64) string {
	if no < 1 || no > int64(len(d.book.UID)) {
		return "#" + strconv.FormatInt(no, 10)
	}
	return d.earner(no)
}

// fields lists the fields of a row that differ.
func (p *past) fields(d *day, stored, again *Income, r *Replayed) {
	both := func(name, a, b string) {
		if a != b {
			r.differ(Difference{What: "row", ID: strconv.FormatInt(again.Row, 10), Field: name, Stored: a, Again: b})
		}
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	both("kind", p.kind(stored), p.kind(again))
	both("line", stored.Line, again.Line)
	both("to", p.who(d, stored.Earner), p.who(d, again.Earner))
	both("of", p.who(d, stored.Of), p.who(d, again.Of))
	both("level", number(stored.Level), number(again.Level))
	both("position", stored.Position, again.Position)
	both("paid", text(stored.Paid), text(again.Paid))
	both("nominal", text(stored.Nominal), text(again.Nominal))
	both("on", text(stored.On), text(again.On))
	both("a", text(stored.A), text(again.A))
	both("b", text(stored.B), text(again.B))
	both("capped", strconv.FormatBool(stored.Capped), strconv.FormatBool(again.Capped))
	both("scaled", strconv.FormatBool(stored.Scaled), strconv.FormatBool(again.Scaled))
	both("held", strconv.FormatBool(stored.Held), strconv.FormatBool(again.Held))
	both("reverses", number(stored.Reverses), number(again.Reverses))
	both("source", stored.Source, again.Source)
}
