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

// Types of requests and responses. Clients send numbers as numbers or strings; both are
// accepted. Responses carry ids as strings, money as decimal strings, counts as numbers
// and times as ISO 8601 in UTC.

// StringOrInt is a number or word that clients send as a JSON string or number.
type StringOrInt string

// UnmarshalJSON accepts a string, a number or null.
func (t *StringOrInt) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		*t = ""
		return nil
	}
	if len(b) > 0 && b[0] != '"' {
		*t = StringOrInt(b)
		return nil
	}
	return json.Unmarshal(b, (*string)(t))
}

// Schema declares both forms in the contract.
func (StringOrInt) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeInteger}}}
}

// FieldErrors reads fields of a request and collects their errors.
type FieldErrors []errs.Field

func (f *FieldErrors) Add(name, code, text string, params ...any) {
	*f = append(*f, errs.NewField(name, code, text, params...))
}

// AddText adds an error with a prepared text.
func (f *FieldErrors) AddText(name string, t errs.Text) {
	*f = append(*f, errs.Field{Name: name, Text: t})
}

func (f *FieldErrors) UserID(name string, t StringOrInt) int64 {
	return f.digits(name, t, errs.Say("request.user_id", "A user id is digits only, the first of them not 0."))
}

// AnyUserID reads a user id for a lookup. Digits that no id can have become 0, which no
// member has, so the lookup answers as for any unknown id.
func (f *FieldErrors) AnyUserID(name string, t StringOrInt) int64 {
	if t != "" && strings.Trim(string(t), "0123456789") == "" && (t[0] == '0' || len(t) > maxDigits) {
		return 0
	}
	return f.UserID(name, t)
}

// RecordID reads the id of a record such as a request, a withdrawal or a proposal.
func (f *FieldErrors) RecordID(name string, t StringOrInt) int64 {
	return f.digits(name, t, errs.Say("request.id", "An id is digits only."))
}

// maxDigits is the maximum length of an id.
const maxDigits = 15

func (f *FieldErrors) digits(name string, t StringOrInt, wrong errs.Text) int64 {
	n, err := strconv.ParseInt(string(t), 10, 64)
	if err != nil || n <= 0 || len(t) > maxDigits || t[0] == '0' || t[0] == '+' {
		f.AddText(name, wrong)
		return 0
	}
	return n
}

// Int reads a small number; otherwise is the default.
func (f *FieldErrors) Int(name string, t StringOrInt, otherwise, least, most int64) int64 {
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

// Day reads a local day; empty gives the zero time.
func (f *FieldErrors) Day(name, s string, zone *time.Location) time.Time {
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

func (f *FieldErrors) notDay(name, s string) {
	text, ok := plan.NoDay(s)
	if !ok {
		text = errs.Say("request.not_a_day", "A day is written as 2026-01-31.")
	}
	f.AddText(name, text)
}

// Sort reads a column to sort by, with the prefix - for descending. Empty means newest
// first.
func (f *FieldErrors) Sort(s string, columns ...string) (column string, down bool) {
	column, down = strings.CutPrefix(s, "-")
	if s == "" {
		return "", true
	}
	if !slices.Contains(columns, column) {
		f.Add("sort", "field.not_sortable", "This list cannot be sorted by {column}.", "column", column)
	}
	return column, down
}

// Err returns all errors together.
func (f *FieldErrors) Err() error { return errs.Fields(*f) }

// Envelope wraps the body of every response.
type Envelope[T any] struct {
	Data T `json:"data"`
}

type Reply[T any] struct{ Body Envelope[T] }

func NewReply[T any](v T) *Reply[T] { return &Reply[T]{Envelope[T]{v}} }

// ReplyAs turns the result of a service into a reply:
//
//	return httpx.ReplyAs(batchOf)(c.Payout.Cancel(ctx, by, key, id))
func ReplyAs[T, R any](convert func(T) R) func(T, error) (*Reply[R], error) {
	return func(v T, err error) (*Reply[R], error) {
		if err != nil {
			return nil, err
		}
		return NewReply(convert(v)), nil
	}
}

// Rows converts the elements of a list; the result is never nil.
func Rows[T, R any](all []T, convert func(T) R) []R {
	rows := make([]R, 0, len(all))
	for _, x := range all {
		rows = append(rows, convert(x))
	}
	return rows
}

// listing is a page of rows; the first element of data is the list.
type listing[T any] struct {
	Data  [][]T `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
	Total int   `json:"total" doc:"The total number of rows."`
	Page  int   `json:"page"`
	Size  int   `json:"size"`
}

// List is a response that is a page of rows.
type List[T any] struct{ Body listing[T] }

// NewList responds with a page of rows.
func NewList[T any](rows []T, total, number, size int) *List[T] {
	if rows == nil {
		rows = []T{}
	}
	return &List[T]{listing[T]{[][]T{rows}, total, number, size}}
}

// USD is an amount in responses: a decimal string with up to six places.
type USD string

// Schema declares the format in the contract.
func (USD) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Pattern: `^-?\d+(\.\d{1,6})?$`, Examples: []any{"1250.5"}, Description: "Dollars, exact: up to six places."}
}

func ToUSD(a money.Amount) USD { return USD(a.String()) }

// Timestamp is a time in responses; "" for the zero time.
type Timestamp string

// Schema declares the format in the contract.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Examples: []any{"2026-01-31T09:30:00Z"}, Description: "ISO 8601 in UTC; empty for never."}
}

func ToTimestamp(t time.Time) Timestamp {
	if t.IsZero() {
		return ""
	}
	return Timestamp(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// FormatID formats an id; "" for 0.
func FormatID(uid int64) string {
	if uid == 0 {
		return ""
	}
	return strconv.FormatInt(uid, 10)
}

// PlanDay reads a day of the plan; empty gives 0.
func (f *FieldErrors) PlanDay(name, s string) plan.Day {
	if s == "" {
		return 0
	}
	day, err := plan.ParseDay(s)
	if err != nil {
		f.notDay(name, s)
	}
	return day
}

// Format reads a file format.
func (f *FieldErrors) Format(s string, known ...export.Format) export.Format {
	if !slices.Contains(known, export.Format(s)) {
		f.Add("format", "export.format_one_of", "The format is one of {formats}.", "formats", known)
	}
	return export.Format(s)
}

func (f *FieldErrors) Page(page, size StringOrInt) (number, rows int) {
	return int(f.Int("page", page, 1, 1, 1_000_000)), int(f.Int("size", size, DefaultPageSize, 1, maxPageSize))
}

func (f *FieldErrors) Amount(name string, t StringOrInt) money.Amount {
	a, err := money.Parse(string(t))
	if err != nil {
		f.Add(name, "booking.amount_digits", "An amount is digits with up to six places.")
	}
	return a
}

// OptionalPlanDay reads a day of the plan; empty gives nil.
func (f *FieldErrors) OptionalPlanDay(name, s string) *plan.Day {
	t := f.Day(name, s, time.UTC)
	if t.IsZero() {
		return nil
	}
	day := plan.Day(t.Unix() / (24 * 60 * 60))
	return &day
}

// DefaultPageSize is the size of a page if none is given.
const DefaultPageSize = 100

// MicroToUSD formats an amount in millionths of a dollar.
func MicroToUSD(n int64) USD { return ToUSD(money.Micro(n)) }

// DayPointer formats a day for an optional field.
func DayPointer(d plan.Day) *string {
	s := d.String()
	return &s
}

// maxPageSize is the largest page of a list.
const maxPageSize = 500

// KindName is the name of a kind of income; the contract lists the kinds of the plan.
type KindName string

func (KindName) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for k := range plan.Kind(plan.Kinds) {
		s.Enum = append(s.Enum, k.Name())
	}
	return s
}

// IncomeName is the name of an income; income from trading has a name for each line.
type IncomeName string

func (IncomeName) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, x := range plan.Incomes() {
		s.Enum = append(s.Enum, x.Name())
	}
	return s
}
