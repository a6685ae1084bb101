package httpx

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// What requests and answers are made of. Clients send numbers as numbers or as
// text; both are taken. Ids go out as text, money as decimal text, counts as
// numbers, times as ISO 8601 in UTC.

// text is what a client sent for a number or a word: either spelling.
type Text string

// UnmarshalJSON takes a string, a number or null.
func (t *Text) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*t = ""
		return nil
	}
	if len(b) > 0 && b[0] != '"' {
		*t = Text(b)
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// Schema tells the contract that either will do.
func (Text) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeInteger}}}
}

// fields collects what is wrong with a request, by field.
type Fields []errs.Field

func (f *Fields) Add(name, code, text string, params ...any) {
	*f = append(*f, errs.NewField(name, code, text, params...))
}

// say is add of a text.
func (f *Fields) Say(name string, t errs.Text) { *f = append(*f, errs.Field{Name: name, Text: t}) }

// uid reads a user id.
func (f *Fields) Uid(name string, t Text) int64 {
	return f.digits(name, t, errs.Say("request.user_id", "A user id is digits only, the first of them not 0."))
}

// anyUID is uid where it is asked whose an id is: digits that nobody can have are
// 0, nobody's, and answered like any other id that nobody has.
func (f *Fields) AnyUID(name string, t Text) int64 {
	if t != "" && strings.Trim(string(t), "0123456789") == "" && (t[0] == '0' || len(t) > maxDigits) {
		return 0
	}
	return f.Uid(name, t)
}

// number reads the number of something else: a request, a withdrawal, a proposal.
func (f *Fields) Number(name string, t Text) int64 {
	return f.digits(name, t, errs.Say("request.id", "An id is digits only."))
}

// maxDigits is how long a number may be.
const maxDigits = 15

func (f *Fields) digits(name string, t Text, wrong errs.Text) int64 {
	n, err := strconv.ParseInt(string(t), 10, 64)
	if err != nil || n <= 0 || len(t) > maxDigits || t[0] == '0' || t[0] == '+' {
		f.Say(name, wrong)
		return 0
	}
	return n
}

// code reads a small number; what is missing is otherwise.
func (f *Fields) Code(name string, t Text, otherwise, least, most int64) int64 {
	if t == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(string(t), 10, 64)
	if err != nil || n < least || n > most {
		f.Add(name, "field.number_range", "This is a number from {least} to {most}.", "least", strconv.FormatInt(least, 10), "most", strconv.FormatInt(most, 10))
		return otherwise
	}
	return n
}

// day reads a local day; what is missing is open.
func (f *Fields) Day(name, s string, zone *time.Location) time.Time {
	if s == "" {
		return time.Time{}
	}
	t, err := time.ParseInLocation(time.DateOnly, s, zone)
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		f.notDay(name, s)
		return time.Time{}
	}
	return t
}

func (f *Fields) notDay(name, s string) {
	text, ok := plan.NoDay(s)
	if !ok {
		text = errs.Say("request.not_a_day", "A day is written as 2026-01-31.")
	}
	f.Say(name, text)
}

// sort reads a column to sort by, with - before it for descending; nothing is
// newest first.
func (f *Fields) Sort(s string, columns ...string) (column string, down bool) {
	column, down = strings.CutPrefix(s, "-")
	if s == "" {
		return "", true
	}
	if !slices.Contains(columns, column) {
		f.Add("sort", "field.not_sortable", "This list cannot be sorted by {column}.", "column", column)
	}
	return column, down
}

// err is everything that is wrong, together.
func (f *Fields) Err() error { return errs.Fields(*f) }

// envelope is what every answer is wrapped in.
type Envelope[T any] struct {
	Data T `json:"data"`
}

type Reply[T any] struct{ Body Envelope[T] }

func Answer[T any](v T) *Reply[T] { return &Reply[T]{Envelope[T]{v}} }

// listing is a page of rows: the first element of data is the list.
type listing[T any] struct {
	Data  [][]T `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
	Total int   `json:"total" doc:"The total number of rows."`
	Page  int   `json:"page"`
	Size  int   `json:"size"`
}

type List[T any] struct{ Body listing[T] }

func PageOf[T any](rows []T, total, number, size int) *List[T] {
	if rows == nil {
		rows = []T{}
	}
	return &List[T]{listing[T]{[][]T{rows}, total, number, size}}
}

// usd is money on the wire: a decimal text with up to six places.
type USD string

// Schema tells the contract what money looks like.
func (USD) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Pattern: `^-?\d+(\.\d{1,6})?$`, Examples: []any{"1250.5"}, Description: "Dollars, exact: up to six places."}
}

func Dollars(a money.Amount) USD { return USD(a.String()) }

// moment is a time on the wire; "" for never.
type Moment string

// Schema tells the contract what a time looks like.
func (Moment) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Examples: []any{"2026-01-31T09:30:00Z"}, Description: "ISO 8601 in UTC; empty for never."}
}

func At(t time.Time) Moment {
	if t.IsZero() {
		return ""
	}
	return Moment(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

func ID(uid int64) string {
	if uid == 0 {
		return ""
	}
	return strconv.FormatInt(uid, 10)
}

// planDay reads a day of the plan; what is missing is open.
func (f *Fields) PlanDay(name, s string) plan.Day {
	if s == "" {
		return 0
	}
	day, err := plan.ParseDay(s)
	if err != nil {
		f.notDay(name, s)
	}
	return day
}

// format reads a file's format.
func (f *Fields) Format(s string, known ...export.Format) export.Format {
	if !slices.Contains(known, export.Format(s)) {
		f.Add("format", "export.format_one_of", "The format is one of {formats}.", "formats", known)
	}
	return export.Format(s)
}

func (f *Fields) Page(page, size Text) (number, rows int) {
	return int(f.Code("page", page, 1, 1, 1_000_000)), int(f.Code("size", size, DefaultSize, 1, maxRows))
}

// amount reads money.
func (f *Fields) Amount(name string, t Text) money.Amount {
	a, err := money.Parse(string(t))
	if err != nil {
		f.Add(name, "booking.amount_digits", "An amount is digits with up to six places.")
	}
	return a
}

// localDay reads a day of the plan; what is missing is open.
func (f *Fields) LocalDay(name, s string) *plan.Day {
	t := f.Day(name, s, time.UTC)
	if t.IsZero() {
		return nil
	}
	day := plan.Day(t.Unix() / (24 * 60 * 60))
	return &day
}

const DefaultSize = 100

func Micro(n int64) USD { return Dollars(money.Micro(n)) }

func DayText(d plan.Day) *string {
	s := d.String()
	return &s
}

// maxRows is the largest page of a list.
const maxRows = 500
