package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/figures"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (c *Calls) registerReports(api huma.API) {
	get(api, tagOperator, "operator/reports", "A report of the whole house", inTurn(c, c.houseFigures))
	content := map[string]*huma.MediaType{}
	for _, f := range []export.Format{export.CSV, export.XLSX} {
		content[strings.TrimSuffix(f.Type(), "; charset=utf-8")] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	huma.Register(api, huma.Operation{
		OperationID: "operatorReportsExport", Method: http.MethodGet, Path: "/api/operator/reports/export", Summary: "A table of a report as a file", Tags: []string{tagOperator},
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: content}},
	}, func(ctx context.Context, in *figuresFileInput) (*huma.StreamResponse, error) {
		return c.figuresFile(ctx, api, in)
	})
}

// FiguresQuery is exported because huma does not look into embedded types that
// are not.
type FiguresQuery struct {
	Kind   string `query:"kind" required:"true" enum:"revenue,payouts,people,retention,legs,retail,concentration,disclosure,coverage"`
	From   string `query:"from" doc:"First local day, 2026-01-31; ninety days up to the last one without. Of legs, concentration and disclosure, which are of one moment, days mean nothing."`
	To     string `query:"to" doc:"Last local day, included; today without."`
	Bucket string `query:"bucket" enum:"day,week,month" default:"day" doc:"What is added up. Of retention always months."`
}

func (q FiguresQuery) read() (figures.Query, error) {
	var f fields
	out := figures.Query{Kind: figures.Kind(q.Kind), Bucket: figures.Bucket(q.Bucket)}
	if day := f.localDay("from", q.From); day != nil {
		out.From = *day
	}
	if day := f.localDay("to", q.To); day != nil {
		out.To = *day
	}
	return out, f.err()
}

type figureColumn struct {
	Name string `json:"name"`
	Unit string `json:"unit" enum:"text,day,month,member,count,money,share" doc:"money: dollars, exact; share: parts per million; day and month: the first day."`
}

type figureTable struct {
	Name    string         `json:"name"`
	Columns []figureColumn `json:"columns" nullable:"false" doc:"The first one says what a row is of."`
	Rows    [][]string     `json:"rows" nullable:"false" doc:"By column; empty where there is no figure."`
	Total   []string       `json:"total" nullable:"false" doc:"Below the rows; no cells where they are not added up."`
}

type figureReport struct {
	Kind   string        `json:"kind"`
	From   string        `json:"from"`
	To     string        `json:"to"`
	Bucket string        `json:"bucket"`
	Closed string        `json:"closed" doc:"The last closed day; empty before the first. What closes book is known up to it."`
	Tables []figureTable `json:"tables" nullable:"false"`
}

func (c *Calls) houseFigures(ctx context.Context, in *FiguresQuery) (*reply[figureReport], error) {
	q, err := in.read()
	if err != nil {
		return nil, err
	}
	r, err := c.Figures.Make(ctx, q)
	if err != nil {
		return nil, err
	}
	out := figureReport{string(r.Kind), r.From.String(), r.To.String(), string(r.Bucket), dayOrNone(r.Closed), []figureTable{}}
	for _, t := range r.Tables {
		table := figureTable{Name: t.Name, Columns: []figureColumn{}, Rows: [][]string{}, Total: onWire(t.Columns, t.Total)}
		for _, column := range t.Columns {
			table.Columns = append(table.Columns, figureColumn{column.Name, string(column.Unit)})
		}
		for _, row := range t.Rows {
			table.Rows = append(table.Rows, onWire(t.Columns, row))
		}
		out.Tables = append(out.Tables, table)
	}
	return answer(out), nil
}

// onWire is a row as it is sent.
func onWire(columns []figures.Column, row []figures.Cell) []string {
	out := make([]string, len(row))
	for i, cell := range row {
		if cell.None {
			continue
		}
		switch columns[i].Unit {
		case figures.Text:
			out[i] = cell.Text
		case figures.Start, figures.Month:
			out[i] = plan.Day(cell.N).String()
		case figures.Money:
			out[i] = money.Micro(cell.N).String()
		case figures.UID, figures.Count, figures.Share:
			out[i] = strconv.FormatInt(cell.N, 10)
		}
	}
	return out
}

type figuresFileInput struct {
	FiguresQuery
	Table  string `query:"table" doc:"The name of the table; the first one without."`
	Format string `query:"format" doc:"csv or xlsx."`
}

func (c *Calls) figuresFile(ctx context.Context, api huma.API, in *figuresFileInput) (*huma.StreamResponse, error) {
	var f fields
	format := f.format(in.Format, export.CSV, export.XLSX)
	if err := f.err(); err != nil {
		return nil, err
	}
	q, err := in.read()
	if err != nil {
		return nil, err
	}
	by := -sessionOf(ctx).Owner // operators have turns of their own
	return c.send(ctx, api, by, func() (file, error) {
		r, err := c.Figures.Make(ctx, q)
		if err != nil {
			return file{}, err
		}
		for _, t := range r.Tables {
			if t.Name == in.Table || in.Table == "" {
				name := strings.Join([]string{"report", string(r.Kind), t.Name, r.From.String(), r.To.String()}, "-")
				table, rows := figureSheet(r, t)
				return file{name, format, table, rows}, nil
			}
		}
		f.add("table", "report.table_unknown", "The report has no such table.")
		return file{}, f.err()
	})
}

// figureSheet is a table as a file. Shares stay whole numbers there, so that
// nothing is rounded.
func figureSheet(r figures.Report, t figures.Table) (export.Table, export.Source) {
	out := export.Table{Title: string(r.Kind) + " " + t.Name}
	for _, column := range t.Columns {
		title, width := column.Title, 18
		if column.Unit == figures.Share {
			title += " (ppm)"
		}
		out.Columns = append(out.Columns, export.Column{Title: title, Width: max(width, len(title))})
	}
	rows := t.Rows
	if t.Total != nil {
		rows = append(rows[:len(rows):len(rows)], t.Total)
	}
	return out, func(yield func([]export.Cell) error) error {
		for n, row := range rows {
			cells := make([]export.Cell, len(row))
			for i, cell := range row {
				cells[i] = inFile(t.Columns[i].Unit, cell)
			}
			if n == len(t.Rows) {
				cells[0] = export.Text("Total")
			}
			if err := yield(cells); err != nil {
				return err
			}
		}
		return nil
	}
}

func inFile(unit figures.Unit, cell figures.Cell) export.Cell {
	switch {
	case cell.None:
		return export.Text("")
	case unit == figures.Money:
		return export.Money(money.Micro(cell.N))
	case unit == figures.Count || unit == figures.Share:
		return export.Count(cell.N)
	case unit == figures.Start || unit == figures.Month:
		return export.Text(plan.Day(cell.N).String())
	case unit == figures.UID:
		return export.Text(id(cell.N))
	}
	return export.Text(figures.Word(cell.Text))
}
