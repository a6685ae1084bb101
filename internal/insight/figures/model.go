// Package figures makes the operators' reports on the whole installation: revenue,
// payouts, members, legs and the concentration of incomes. A report is one or more exact
// tables, the same on screens and in files. It reads the closes' sums by day and the
// tree's index, and caches what no longer changes, so that its cost does not grow with
// the number of entries.
package figures

import (
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

type Kind string

const (
	Revenue       Kind = "revenue"       // what came in, by source
	Payouts       Kind = "payouts"       // incomes, by kind and by what they were paid from
	People        Kind = "people"        // registrations and activations
	Retention     Kind = "retention"     // of each month's members: active and buying later
	Legs          Kind = "legs"          // how even legs are
	Retail        Kind = "retail"        // customers' purchases beside members' own
	Concentration Kind = "concentration" // what the highest earners have
	Disclosure    Kind = "disclosure"    // what members really earned
	Coverage      Kind = "coverage"      // how far cash covers what is owed
)

func Kinds() []Kind {
	return []Kind{Revenue, Payouts, People, Retention, Legs, Retail, Concentration, Disclosure, Coverage}
}

// Bucket is the period of a row in a report over time.
type Bucket string

const (
	ByDay   Bucket = "day"
	ByWeek  Bucket = "week"
	ByMonth Bucket = "month"
)

// Query selects a report of local days, both included. Reports of one moment ignore them.
type Query struct {
	Kind     Kind
	From, To plan.Day
	Bucket   Bucket
}

// maxBuckets is the maximum number of rows of a report over time.
const maxBuckets = 1100

// check names every wrong field.
func (q Query) check() error {
	var wrong []errs.Field
	if !slices.Contains(Kinds(), q.Kind) {
		wrong = append(wrong, errs.NewField("kind", "report.unknown", "There is no such report."))
	}
	switch {
	case q.Bucket != ByDay && q.Bucket != ByWeek && q.Bucket != ByMonth:
		wrong = append(wrong, errs.NewField("bucket", "report.bucket_unknown", "The bucket is day, week or month."))
	case q.To < q.From:
		wrong = append(wrong, errs.NewField("to", "report.last_day_not_before_first", "The last day is not before the first."))
	case int64(q.To-q.From) > maxBuckets*31 || len(q.starts()) > maxBuckets:
		wrong = append(wrong, errs.NewField("from", "report.period_too_long", "Choose a shorter period, or larger steps."))
	}
	return errs.Fields(wrong)
}

// Report is the answer to a query.
type Report struct {
	Query
	Closed plan.Day // the last closed day; 0 before the first
	Tables []Table
}

// Table is a table of figures. Its first column names the row.
type Table struct {
	Name    string
	Columns []Column
	Rows    [][]Cell
	Total   []Cell // below the rows; nil where rows are not added up
}

// Column is a column of a table. Title is for files; screens have their own names.
type Column struct {
	Name, Title string
	Unit        Unit
}

type Unit string

const (
	Text  Unit = "text"
	Start Unit = "day"   // the first day of a bucket
	Month Unit = "month" // its first day
	UID   Unit = "member"
	Count Unit = "count"
	Money Unit = "money" // micro-dollars
	Share Unit = "share" // ppm
)

// Cell is one figure, or a word.
type Cell struct {
	Text string
	N    int64
	None bool // there is no figure, which is not the same as zero
}

func word(s string) Cell  { return Cell{Text: s} }
func number(n int64) Cell { return Cell{N: n} }

var none = Cell{None: true}

// start is the first day of a day's bucket.
func (b Bucket) start(d plan.Day) plan.Day {
	switch b {
	case ByWeek: // 1970-01-01 was a Thursday
		return d - (d+3)%7
	case ByMonth:
		return d - plan.Day(date(d).Day()) + 1
	case ByDay:
	}
	return d
}

// next is the first day of the bucket after the one that begins on d.
func (b Bucket) next(d plan.Day) plan.Day {
	switch b {
	case ByWeek:
		return d + 7
	case ByMonth:
		return plan.Day(date(d).AddDate(0, 1, 0).Unix() / secondsOfDay)
	case ByDay:
	}
	return d + 1
}

const secondsOfDay = 24 * 60 * 60

func date(d plan.Day) time.Time { return time.Unix(int64(d)*secondsOfDay, 0).UTC() }

// starts are the first days of all buckets of a query.
func (q Query) starts() (all []plan.Day) {
	for d := q.Bucket.start(q.From); d <= q.To && len(all) <= maxBuckets; d = q.Bucket.next(d) {
		all = append(all, d)
	}
	return all
}

// timeline is a table over time under construction.
type timeline struct {
	q       Query
	table   Table
	at      map[plan.Day]int
	columns map[string]int
}

// over makes a table of zeros with a row for each bucket.
func over(q Query, columns ...Column) *timeline {
	t := &timeline{q: q, at: map[plan.Day]int{}, columns: map[string]int{}}
	t.table = Table{Name: "time", Columns: append([]Column{{string(q.Bucket), "Beginning", Start}}, columns...)}
	for i, c := range t.table.Columns {
		t.columns[c.Name] = i
	}
	for i, d := range q.starts() {
		t.at[d] = i
		row := make([]Cell, len(t.table.Columns))
		row[0] = number(int64(d))
		t.table.Rows = append(t.table.Rows, row)
	}
	return t
}

// add adds to a day's figure; days outside of the query do not count.
func (t *timeline) add(d plan.Day, column string, n int64) {
	if d < t.q.From || d > t.q.To {
		return
	}
	t.table.Rows[t.at[t.q.Bucket.start(d)]][t.columns[column]].N += n
}

// summed is the table with the totals of its summable columns.
func (t *timeline) summed() Table {
	t.table.Total = make([]Cell, len(t.table.Columns))
	for i, c := range t.table.Columns {
		if c.Unit != Money && c.Unit != Count {
			t.table.Total[i] = none
			continue
		}
		for _, row := range t.table.Rows {
			t.table.Total[i].N += row[i].N
		}
	}
	return t.table
}
