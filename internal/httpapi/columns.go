package httpapi

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// column is one of a list of T. no counts the rows from 1.
type column[T any] struct {
	title string
	width int
	cell  func(x T, no int64, zone *time.Location) export.Cell
}

// sheet is a file of a list.
func sheet[T any](title string, columns []column[T], each func(yield func(T) error) error, zone *time.Location) (export.Table, export.Source, error) {
	t := export.Table{Title: title}
	for _, c := range columns {
		t.Columns = append(t.Columns, export.Column{Title: c.title, Width: c.width})
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
func ofCaller[T any](uid string, columns []column[T]) []column[T] {
	return append([]column[T]{numberColumn[T]("S.No"), userColumn[T](uid)}, columns...)
}

// every is a list that is here already.
func every[T any](all []T) func(yield func(T) error) error {
	return func(yield func(T) error) error {
		for _, x := range all {
			if err := yield(x); err != nil {
				return err
			}
		}
		return nil
	}
}

func numberColumn[T any](title string) column[T] {
	return column[T]{title, 8, func(_ T, no int64, _ *time.Location) export.Cell { return export.Count(no) }}
}

func textColumn[T any](title string, width int, of func(T) string) column[T] {
	return column[T]{title, width, func(x T, _ int64, _ *time.Location) export.Cell { return export.Text(of(x)) }}
}

func moneyColumn[T any](title string, of func(T) money.Amount) column[T] {
	return column[T]{title, 16, func(x T, _ int64, _ *time.Location) export.Cell { return export.Money(of(x)) }}
}

func countColumn[T any](title string, of func(T) int64) column[T] {
	return column[T]{title, 8, func(x T, _ int64, _ *time.Location) export.Cell { return export.Count(of(x)) }}
}

func timeColumn[T any](title string, of func(T) time.Time) column[T] {
	return column[T]{title, 20, func(x T, _ int64, zone *time.Location) export.Cell { return export.Text(inZone(of(x), zone)) }}
}

// inZone is a time in the plan's zone; "" for never.
func inZone(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateTime)
}

func dayOrNone(d plan.Day) string {
	if d == 0 {
		return ""
	}
	return d.String()
}
