package bench

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

type ExportOptions struct {
	Out     io.Writer // one JSON line per case
	Log     io.Writer // progress, for people
	Program string    // the bifolia binary, started as the server
	Engines []string  // sqlite, postgres; both when empty
	Only    []string  // ExportCases; all when empty
	Rows    int
}

// ExportCases are the cases: a member's level incomes and the statement of its fund.
var ExportCases = []string{"incomes", "statement"}

type ExportLine struct {
	Bench   string  `json:"bench"`
	Engine  string  `json:"engine"`
	Case    string  `json:"case"`
	Format  string  `json:"format"`
	Rows    int     `json:"rows"`
	Seconds float64 `json:"seconds"`
	First   float64 `json:"first_byte_s"`
	Bytes   int64   `json:"bytes"`
	CPU     float64 `json:"cpu_s"` // of the server's process: what a busy machine does not change
	Rest    float64 `json:"rest_rss_mb"`
	Peak    float64 `json:"peak_rss_mb"`
	Grew    float64 `json:"grew_mb"` // what the export took on top
	Must    string  `json:"must_reach"`
}

// The targets of an export of a million rows.
const (
	needExport   = 20  // seconds
	needExportMB = 100 // what the server may grow by meanwhile
)

// Export measures downloads of whole files over HTTP. missed lists the missed targets.
func Export(ctx context.Context, o ExportOptions) (missed []string, err error) {
	b := newTreeBench(TreeOptions{Out: o.Out, Log: o.Log, Program: o.Program, Engines: o.Engines})
	if len(o.Only) == 0 {
		o.Only = ExportCases
	}
	return b.each(ctx, "", b.Engines, func(engine string) error { return b.exports(ctx, engine, o) })
}

func (b *treeBench) exports(ctx context.Context, engine string, o ExportOptions) error {
	g, err := b.build(ctx, engine, "random", 200)
	if err != nil {
		return err
	}
	defer g.remove()
	root, err := g.earn(ctx, o)
	if err != nil {
		return err
	}
	if err := b.vacuum(ctx, engine, "random_200"); err != nil {
		return err
	}
	b.say("%s: %d rows are there", engine, o.Rows)
	if root, err = b.token(ctx, g, root); err != nil {
		return err
	}
	paths := map[string]string{
		"incomes":   "/api/export?report=GetIncomeReport&type=LevelIncome",
		"statement": "/api/statement?wallet=FUNDS",
	}
	for _, name := range o.Only {
		for _, format := range []string{"csv", "xlsx"} {
			// Each export uses a new process, so that memory of earlier work, such as
			// checking a password, is neither counted nor reused.
			l, err := b.export(ctx, g, root, paths[name]+"&format="+format, format)
			if err != nil {
				return err
			}
			l.Bench, l.Engine, l.Case, l.Format = "export", engine, name, format
			l.Must = fmt.Sprintf("at most %d s, growing by at most %d MB", needExport, needExportMB)
			missed := ""
			if l.Seconds > needExport || l.Grew > needExportMB {
				missed = fmt.Sprintf("%s %s %s: %v s, %v MB, needed %s", engine, name, format, l.Seconds, l.Grew, l.Must)
			}
			b.line(l, missed)
			if l.Rows != o.Rows {
				return fmt.Errorf("the file of %s has %d rows, not %d", name, l.Rows, o.Rows)
			}
		}
	}
	return nil
}

// token signs a member in.
func (b *treeBench) token(ctx context.Context, g *installation, who caller) (caller, error) {
	s, err := b.serve(ctx, g)
	if err != nil {
		return who, err
	}
	defer s.stop()
	one := []caller{who}
	err = s.signIn(one, password)
	return one[0], err
}

// earn gives the first member the requested number of incomes and deposits, through the ledger
// and the close's store.
func (g *installation) earn(ctx context.Context, o ExportOptions) (root caller, err error) {
	w, err := g.enter(ctx)
	if err != nil {
		return root, err
	}
	defer w.leave()
	if err := w.tree.Load(ctx); err != nil {
		return root, err
	}
	root.uid = w.uid(1)
	today := plan.Day(time.Now().Unix() / (24 * 60 * 60))
	const at = 5000
	for first := 1; first <= o.Rows; first += at {
		last := min(first+at-1, o.Rows)
		if err := do(ctx, w.seq, func(ctx context.Context, tx *ledger.Tx) error {
			incomes := make([]closing.Income, 0, at)
			for n := first; n <= last; n++ {
				incomes = append(incomes, closing.Income{
					Row: int64(n), Day: today - plan.Day((o.Rows-n)%365), Kind: plan.KindLevel, Earner: 1, Of: int64(2 + n%190), Level: int64(1 + n%20),
					Paid: int64(n) * 1000, Nominal: int64(n) * 1000, On: 500_000_000, A: 80_000, Source: "s" + strconv.Itoa(n),
				})
				if !slices.Contains(o.Only, "statement") {
					continue
				}
				if err := fund.Deposit(tx, root.uid, fund.Robot, money.Micro(int64(n)), "TRX"+strconv.Itoa(n)); err != nil {
					return err
				}
			}
			return w.db.Closing().AddIncomes(ctx, tx, len(incomes), func(i int) closing.Income { return incomes[i] })
		}); err != nil {
			return root, err
		}
	}
	return root, nil
}

// export downloads a file and counts its rows.
func (b *treeBench) export(ctx context.Context, g *installation, root caller, path, format string) (l ExportLine, err error) {
	s, err := b.serve(ctx, g)
	if err != nil {
		return l, err
	}
	defer s.stop()
	before, err := s.forget()
	if err != nil {
		return l, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.addr+path+"&uid="+strconv.FormatInt(root.uid, 10), nil)
	if err != nil {
		return l, err
	}
	r.Header.Set("Authorization", "Bearer "+root.token)
	name := filepath.Join(g.dir, "file."+format)
	started := time.Now()
	first, err := download(r, name)
	if err != nil {
		return l, err
	}
	l.Seconds, l.First = round(time.Since(started).Seconds()), round(first.Sub(started).Seconds())
	if l.Peak, err = s.rss("VmHWM"); err != nil {
		return l, err
	}
	l.Rest, l.Grew = before, round(l.Peak-before)
	s.stop()
	l.CPU = round((s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()).Seconds())
	l.Rows, l.Bytes, err = countRows(name, format, strings.Contains(path, "statement"))
	return l, err
}

func round(f float64) float64 { return math.Round(f*100) / 100 }

// download writes an answer to a file and returns when its first byte arrived.
func download(r *http.Request, name string) (first time.Time, err error) {
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return first, err
	}
	defer func() { err = errors.Join(err, res.Body.Close()) }()
	first = time.Now()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 2000))
		return first, fmt.Errorf("%s answered %d: %s", r.URL.Path, res.StatusCode, text)
	}
	f, err := os.Create(name)
	if err != nil {
		return first, err
	}
	_, err = io.Copy(f, res.Body)
	return first, errors.Join(err, f.Close())
}

// countRows counts the rows of a file below its head; of a statement without
// its first and last line.
func countRows(name, format string, statement bool) (rows int, size int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	in, mark := io.Reader(f), []byte("\n")
	if format == "xlsx" {
		z, err := zip.NewReader(f, info.Size())
		if err != nil {
			return 0, 0, err
		}
		sheet, err := z.Open("xl/worksheets/sheet1.xml")
		if err != nil {
			return 0, 0, err
		}
		defer func() { _ = sheet.Close() }()
		in, mark = sheet, []byte("</row>")
	}
	count := bufio.NewScanner(in)
	count.Buffer(make([]byte, 64<<10), 1<<20)
	count.Split(func(data []byte, end bool) (int, []byte, error) {
		if i := bytes.Index(data, mark); i >= 0 {
			return i + len(mark), data[:1], nil
		}
		if end {
			return len(data), nil, nil
		}
		return 0, nil, nil
	})
	for count.Scan() {
		rows++
	}
	if rows--; statement {
		rows -= 2
	}
	return rows, info.Size(), count.Err()
}

// forget resets the process's peak memory and returns the current memory, in MB.
func (s *served) forget() (float64, error) {
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.cmd.Process.Pid), []byte("5"), 0o600); err != nil {
		return 0, err
	}
	return s.rss("VmRSS")
}

// rss returns a figure of the process's memory, in MB.
func (s *served) rss(name string) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 64)
			return round(kb / 1000), err
		}
	}
	return 0, fmt.Errorf("the kernel does not tell %s", name)
}
