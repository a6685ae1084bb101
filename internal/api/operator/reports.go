package operator

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/insight/figures"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (c *Calls) registerReports(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/reports", "Retrieve a report on the whole installation", httpx.WithReadSlot(c.Base, c.houseFigures))
	content := map[string]*huma.MediaType{}
	for _, f := range []export.Format{export.CSV, export.XLSX} {
		content[strings.TrimSuffix(f.Type(), "; charset=utf-8")] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	huma.Register(api, huma.Operation{
		OperationID: "operatorReportsExport", Method: http.MethodGet, Path: "/api/operator/reports/export", Summary: "Export a table of a report", Tags: []string{httpx.TagOperator},
		Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: content}},
	}, func(ctx context.Context, in *figuresFileInput) (*huma.StreamResponse, error) {
		return c.figuresFile(ctx, api, in)
	})
}

// FiguresQuery is exported because huma ignores embedded types that are not.
type FiguresQuery struct {
	Kind   string `query:"kind" required:"true" enum:"revenue,payouts,people,retention,legs,retail,concentration,disclosure,coverage"`
	From   string `query:"from" doc:"First local day, such as 2026-01-31; default: ninety days before the last one. legs, concentration and disclosure describe one moment and ignore days."`
	To     string `query:"to" doc:"Last local day, inclusive; default: today."`
	Bucket string `query:"bucket" enum:"day,week,month" default:"day" doc:"The period to aggregate by; retention always uses months."`
}

func (q FiguresQuery) read() (figures.Query, error) {
	var f httpx.FieldErrors
	out := figures.Query{Kind: figures.Kind(q.Kind), Bucket: figures.Bucket(q.Bucket)}
	if day := f.OptionalPlanDay("from", q.From); day != nil {
		out.From = *day
	}
	if day := f.OptionalPlanDay("to", q.To); day != nil {
		out.To = *day
	}
	return out, f.Err()
}

type figureColumn struct {
	Name string `json:"name"`
	Unit string `json:"unit" enum:"text,day,month,member,count,money,share" doc:"money: exact dollars; share: parts per million; day and month: the first day of the period."`
}

type figureTable struct {
	Name    string         `json:"name"`
	Columns []figureColumn `json:"columns" nullable:"false" doc:"The columns; the first one identifies the row."`
	Rows    [][]string     `json:"rows" nullable:"false" doc:"The values by column; empty if there is no figure."`
	Total   []string       `json:"total" nullable:"false" doc:"The total row; without cells if the table has no totals."`
}

type figureReport struct {
	Kind   string        `json:"kind"`
	From   string        `json:"from"`
	To     string        `json:"to"`
	Bucket string        `json:"bucket"`
	Closed string        `json:"closed" doc:"The last closed day; empty before the first. Booked figures are complete up to it."`
	Tables []figureTable `json:"tables" nullable:"false"`
}

func (c *Calls) houseFigures(ctx context.Context, in *FiguresQuery) (*httpx.Reply[figureReport], error) {
	q, err := in.read()
	if err != nil {
		return nil, err
	}
	r, err := c.Figures.Make(ctx, q)
	if err != nil {
		return nil, err
	}
	out := figureReport{string(r.Kind), r.From.String(), r.To.String(), string(r.Bucket), httpx.FormatDay(r.Closed), []figureTable{}}
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
	return httpx.NewReply(out), nil
}

// onWire is a row of the response.
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
	Table  string `query:"table" doc:"The name of the table; default: the first one."`
	Format string `query:"format" doc:"csv or xlsx."`
}

func (c *Calls) figuresFile(ctx context.Context, api huma.API, in *figuresFileInput) (*huma.StreamResponse, error) {
	var f httpx.FieldErrors
	format := f.Format(in.Format, export.CSV, export.XLSX)
	if err := f.Err(); err != nil {
		return nil, err
	}
	q, err := in.read()
	if err != nil {
		return nil, err
	}
	return c.SendFile(ctx, api, func() (httpx.File, error) {
		r, err := c.Figures.Make(ctx, q)
		if err != nil {
			return httpx.File{}, err
		}
		for _, t := range r.Tables {
			if t.Name == in.Table || in.Table == "" {
				name := strings.Join([]string{"report", string(r.Kind), t.Name, r.From.String(), r.To.String()}, "-")
				table, rows := figureSheet(r, t)
				return httpx.File{Name: name, Format: format, Table: table, Rows: rows}, nil
			}
		}
		f.Add("table", "report.table_unknown", "The report has no such table.")
		return httpx.File{}, f.Err()
	})
}

// figureSheet is a table as a file. Shares stay integers, so that nothing is rounded.
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
		return export.Text(httpx.FormatID(cell.N))
	}
	return export.Text(figures.Word(cell.Text))
}
