package httpx

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/messages"
)

// column is one of a list of T. Its heading is a key of package messages. no counts the
// rows from 1.
type Column[T any] struct {
	title heading
	width int
	cell  func(x T, no int64, zone *time.Location) export.Cell
}

// heading is the key of one that is there. Columns are made when the program starts: a key
// that no message file has ends it then, and not the first file that has it.
type heading string

func headed(key string) heading {
	messages.Text(messages.English, key, nil)
	return heading(key)
}

// sheet is a file of a list.
func Sheet[T any](title string, columns []Column[T], each func(yield func(T) error) error, zone *time.Location) (export.Table, export.Source, error) {
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

// ofCaller puts the number and the caller's id before columns.
func OfCaller[T any](uid string, columns []Column[T]) []Column[T] {
	return append([]Column[T]{NumberColumn[T]("site.table.serial"), userColumn[T](uid)}, columns...)
}

// every is a list that is here already.
func Every[T any](all []T) func(yield func(T) error) error {
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

func TimeColumn[T any](key string, of func(T) time.Time) Column[T] {
	return Column[T]{headed(key), 20, func(x T, _ int64, zone *time.Location) export.Cell { return export.Text(inZone(of(x), zone)) }}
}

// inZone is a time in the plan's zone; "" for never.
func inZone(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateTime)
}

func DayOrNone(d plan.Day) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// userColumn says whose rows they are, where all are the caller's.
func userColumn[T any](uid string) Column[T] {
	return TextColumn("member.team.userId", 12, func(T) string { return uid })
}
