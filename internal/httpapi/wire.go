package httpapi

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
	"github.com/bifolia/bifolia/internal/platform/money"
)

// What requests and answers are made of. Clients send numbers as numbers or as
// text; both are taken. Ids go out as text, money as decimal text, counts as
// numbers, times as ISO 8601 in UTC.

// text is what a client sent for a number or a word: either spelling.
type text string

// UnmarshalJSON takes a string, a number or null.
func (t *text) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*t = ""
		return nil
	}
	if len(b) > 0 && b[0] != '"' {
		*t = text(b)
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// Schema tells the contract that either will do.
func (text) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeInteger}}}
}

// fields collects what is wrong with a request, by field.
type fields []errs.Field

func (f *fields) add(name, code, text string, params ...any) {
	*f = append(*f, errs.NewField(name, code, text, params...))
}

// say is add of a text.
func (f *fields) say(name string, t errs.Text) { *f = append(*f, errs.Field{Name: name, Text: t}) }

// uid reads a user id.
func (f *fields) uid(name string, t text) int64 {
	return f.digits(name, t, errs.Say("request.user_id", "A user id is digits only, the first of them not 0."))
}

// anyUID is uid where it is asked whose an id is: digits that nobody can have are
// 0, nobody's, and answered like any other id that nobody has.
func (f *fields) anyUID(name string, t text) int64 {
	if t != "" && strings.Trim(string(t), "0123456789") == "" && (t[0] == '0' || len(t) > maxDigits) {
		return 0
	}
	return f.uid(name, t)
}

// number reads the number of something else: a request, a withdrawal, a proposal.
func (f *fields) number(name string, t text) int64 {
	return f.digits(name, t, errs.Say("request.id", "An id is digits only."))
}

// maxDigits is how long a number may be.
const maxDigits = 15

func (f *fields) digits(name string, t text, wrong errs.Text) int64 {
	n, err := strconv.ParseInt(string(t), 10, 64)
	if err != nil || n <= 0 || len(t) > maxDigits || t[0] == '0' || t[0] == '+' {
		f.say(name, wrong)
		return 0
	}
	return n
}

// code reads a small number; what is missing is otherwise.
func (f *fields) code(name string, t text, otherwise, least, most int64) int64 {
	if t == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(string(t), 10, 64)
	if err != nil || n < least || n > most {
		f.add(name, "field.number_range", "This is a number from {least} to {most}.", "least", strconv.FormatInt(least, 10), "most", strconv.FormatInt(most, 10))
		return otherwise
	}
	return n
}

// day reads a local day; what is missing is open.
func (f *fields) day(name, s string, zone *time.Location) time.Time {
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

func (f *fields) notDay(name, s string) {
	text, ok := plan.NoDay(s)
	if !ok {
		text = errs.Say("request.not_a_day", "A day is written as 2026-01-31.")
	}
	f.say(name, text)
}

// sort reads a column to sort by, with - before it for descending; nothing is
// newest first.
func (f *fields) sort(s string, columns ...string) (column string, down bool) {
	column, down = strings.CutPrefix(s, "-")
	if s == "" {
		return "", true
	}
	if !slices.Contains(columns, column) {
		f.add("sort", "field.not_sortable", "This list cannot be sorted by {column}.", "column", column)
	}
	return column, down
}

// err is everything that is wrong, together.
func (f *fields) err() error { return errs.Fields(*f) }

// envelope is what every answer is wrapped in.
type envelope[T any] struct {
	Data T `json:"data"`
}

type reply[T any] struct{ Body envelope[T] }

func answer[T any](v T) *reply[T] { return &reply[T]{envelope[T]{v}} }

// listing is a page of rows: the first element of data is the list.
type listing[T any] struct {
	Data  [][]T `json:"data" nullable:"false" doc:"The first element is the page's rows."`
	Total int   `json:"total" doc:"How many rows there are in all."`
	Page  int   `json:"page"`
	Size  int   `json:"size"`
}

type list[T any] struct{ Body listing[T] }

func pageOf[T any](rows []T, total, number, size int) *list[T] {
	if rows == nil {
		rows = []T{}
	}
	return &list[T]{listing[T]{[][]T{rows}, total, number, size}}
}

// usd is money on the wire: a decimal text with up to six places.
type usd string

// Schema tells the contract what money looks like.
func (usd) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Pattern: `^-?\d+(\.\d{1,6})?$`, Examples: []any{"1250.5"}, Description: "Dollars, exact: up to six places."}
}

func dollars(a money.Amount) usd { return usd(a.String()) }

// moment is a time on the wire; "" for never.
type moment string

// Schema tells the contract what a time looks like.
func (moment) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Examples: []any{"2026-01-31T09:30:00Z"}, Description: "ISO 8601 in UTC; empty for never."}
}

func at(t time.Time) moment {
	if t.IsZero() {
		return ""
	}
	return moment(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

func id(uid int64) string {
	if uid == 0 {
		return ""
	}
	return strconv.FormatInt(uid, 10)
}
