package httpx

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/messages"
)

// Column is a column of a list of T. Its heading is a key of package messages; no counts
// the rows from 1.
type Column[T any] struct {
	title heading
	width int
	cell  func(x T, no int64, zone *time.Location) export.Cell
}

// heading is the key of a message. Columns are made when the program starts, so that a key
// without a message ends the program then and not at the first export.
type heading string

func headed(key string) heading {
	messages.Text(messages.English, key, nil)
	return heading(key)
}

// NewTable returns a list as a table for a file.
func NewTable[T any](title string, columns []Column[T], each func(yield func(T) error) error, zone *time.Location) (export.Table, export.Source, error) {
	t := export.Table{Title: title}
	for _, c := range columns {
		t.Columns = append(t.Columns, export.Column{Title: messages.Text(messages.English, string(c.title), nil), Width: c.width})
	}
	cells := make([]export.Cell, len(columns))
	return t, func(yield func([]export.Cell) error) error {
		no := int64(0)
		return each(func(x T) error {
			no++
			for i, c := range columns {
				cells[i] = c.cell(x, no, zone)
			}
			return yield(cells)
		})
	}, nil
}

// WithCallerColumns prepends the row number and the caller's id.
func WithCallerColumns[T any](uid string, columns []Column[T]) []Column[T] {
	return append([]Column[T]{NumberColumn[T]("site.table.serial"), userColumn[T](uid)}, columns...)
}

// FromSlice yields the elements of a slice.
func FromSlice[T any](all []T) func(yield func(T) error) error {
	return func(yield func(T) error) error {
		for _, x := range all {
			if err := yield(x); err != nil {
				return err
			}
		}
		return nil
	}
}

func NumberColumn[T any](key string) Column[T] {
	return Column[T]{headed(key), 8, func(_ T, no int64, _ *time.Location) export.Cell { return export.Count(no) }}
}

func TextColumn[T any](key string, width int, of func(T) string) Column[T] {
	return Column[T]{headed(key), width, func(x T, _ int64, _ *time.Location) export.Cell { return export.Text(of(x)) }}
}

func MoneyColumn[T any](key string, of func(T) money.Amount) Column[T] {
	return Column[T]{headed(key), 16, func(x T, _ int64, _ *time.Location) export.Cell { return export.Money(of(x)) }}
}

func CountColumn[T any](key string, of func(T) int64) Column[T] {
	return Column[T]{headed(key), 8, func(x T, _ int64, _ *time.Location) export.Cell { return export.Count(of(x)) }}
}

// TimeColumn is a column of times in the plan's zone.
func TimeColumn[T any](key string, of func(T) time.Time) Column[T] {
	return Column[T]{headed(key), 20, func(x T, _ int64, zone *time.Location) export.Cell { return export.Text(inZone(of(x), zone)) }}
}

// inZone formats a time in the plan's zone; "" for the zero time.
func inZone(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateTime)
}

// FormatDay formats a day; "" for 0.
func FormatDay(d plan.Day) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// userColumn is the caller's id in every row.
func userColumn[T any](uid string) Column[T] {
	return TextColumn("member.team.userId", 12, func(T) string { return uid })
}
