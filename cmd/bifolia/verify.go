package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

var verifyCommand = command{
	name:    "verify",
	summary: "replay the whole ledger, recount the tree, and name the first wrong row",
	run:     verify,
}

// verify exits 0 with a summary, or 1 with the first wrong row.
func verify(ctx context.Context, e env) int {
	var asJSON, elsewhere bool
	var o app.VerifyOptions
	cfg, rest, err := config.Load("verify", e.args, e.environ, func(f *flag.FlagSet) {
		f.BoolVar(&asJSON, "json", false, "print the result as JSON")
		f.BoolVar(&o.Thaw, "thaw", false, "if everything is correct, unfreeze payments")
		f.BoolVar(&o.NewAnchor, "new-anchor", false, "verify without the anchor; if everything is correct, move its remains away and create a new one")
		f.BoolVar(&elsewhere, "no-anchor", false, "accept a missing anchor: this is a copy elsewhere")
	})
	if err != nil {
		return e.fail(err)
	}
	if len(rest) > 0 {
		return e.usage("verify takes flags only; \"bifolia help verify\" lists them.")
	}
	bar := newBar(e.stderr)
	o.Progress = bar.show
	v, err := app.VerifyWith(ctx, cfg, o)
	bar.clear()
	if err == nil && len(v.NoAnchor) > 0 && !elsewhere {
		err = &audit.Finding{Table: "anchor", Row: strings.Join(v.NoAnchor, ", "), Problem: "it is missing, although the chain records an anchor: a truncation of the ledger cannot be detected. " +
			"Put it back; if it is lost, use --new-anchor; for a copy in another place, --no-anchor"}
	}
	return e.verified(v, err, asJSON)
}

// verified prints the result of a verification.
func (e env) verified(v app.Verified, err error, asJSON bool) int {
	if sentence, wrong := findingOf(err); wrong != nil {
		if asJSON {
			_ = json.NewEncoder(e.stdout).Encode(wrong)
		}
		_, _ = fmt.Fprintln(e.stderr, sentence)
		return exitFailed
	}
	if err != nil {
		return e.fail(explainReadError(err))
	}
	if asJSON {
		_ = json.NewEncoder(e.stdout).Encode(map[string]any{"ok": true, "frozen": v.Frozen, "summary": v.Ledger, "tree": v.Tree, "trail": v.AuditLog, "unsealed": v.Unsealed, "engine_skipped": v.EngineSkipped})
		return exitOK
	}
	_, _ = fmt.Fprintln(e.stdout, v.Ledger)
	_, _ = fmt.Fprintln(e.stdout, v.Tree)
	_, _ = fmt.Fprintln(e.stdout, v.AuditLog)
	if v.Unsealed {
		_, _ = fmt.Fprintln(e.stdout, "Not checked, because the ledger's key is not here: sealed letters, bank details, sessions.")
	}
	if v.EngineSkipped != "" {
		_, _ = fmt.Fprintf(e.stdout, "PostgreSQL's own check was not run: %s.\n", v.EngineSkipped)
	}
	if v.Anchored != "" {
		_, _ = fmt.Fprintf(e.stdout, "A new anchor is in %s.\nPayouts are held when a server starts: settle the wallet and adopt the state, again if that was already started or done.\n", v.Anchored)
	}
	if v.Frozen != "" {
		_, _ = fmt.Fprintf(e.stdout, "Payments are frozen (%s). Unfreeze them with --thaw.\n", v.Frozen)
	}
	return exitOK
}

// explainReadError explains an error of the database itself: rows written by the program are always
// readable.
func explainReadError(err error) error {
	if !errs.Is(err, errs.Internal) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("The check cannot be completed (%w). If the database can be reached, it is damaged or its tables were changed outside the program: restore a backup into a new database and verify that.", err) //nolint:staticcheck // a sentence for people
}

// findingOf returns the first wrong row as text and for --json; nil if err is not a
// finding.
func findingOf(err error) (sentence string, wrong map[string]any) {
	var row *audit.Finding
	if errors.As(err, &row) {
		return fmt.Sprintf("The ledger is wrong. %v", row), map[string]any{"ok": false, "table": row.Table, "row": row.Row, "problem": row.Problem}
	}
	if damage, is := errors.AsType[*audit.Damage](err); is {
		return damage.Error(), map[string]any{"ok": false, "check": damage.Check, "problem": damage.Problem}
	}
	if place, is := errors.AsType[*tree.Finding](err); is {
		return fmt.Sprintf("The tree is wrong. %v", place), map[string]any{"ok": false, "table": "place", "row": place.No, "problem": place.What}
	}
	if person, is := errors.AsType[*enrol.Finding](err); is {
		return fmt.Sprintf("The members are wrong. %v", person), map[string]any{"ok": false, "table": "member", "row": person.UID, "problem": person.What}
	}
	if entry, is := errors.AsType[*auditlog.Finding](err); is {
		return fmt.Sprintf("The audit log is wrong. %v", entry), map[string]any{"ok": false, "table": "trail", "row": entry.No, "problem": entry.What}
	}
	if sum, is := errors.AsType[*closing.Finding](err); is {
		return fmt.Sprintf("The incomes are wrong. %v", sum), map[string]any{"ok": false, "table": "income_sum", "row": sum.Sum.First, "problem": sum.Error()}
	}
	if day, is := errors.AsType[*closing.DayFinding](err); is {
		return fmt.Sprintf("The days are wrong. %v", day), map[string]any{"ok": false, "table": "day_sum", "row": int64(day.Off.Day), "problem": day.Error()}
	}
	if rule, is := errors.AsType[*closing.Broken](err); is {
		return rule.Error(), map[string]any{"ok": false, "row": rule.Of, "problem": rule.Rule}
	}
	return "", nil
}

// bar shows progress on a terminal; elsewhere it shows nothing by default.
type bar struct {
	w    io.Writer
	last int64

	lines io.Writer // gets a line at each quarter if there is no terminal; may be nil
	next  int64
}

func newBar(w io.Writer) *bar {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &bar{w: w, last: -1}
		}
	}
	return &bar{}
}

func (b *bar) show(done, total int64) {
	if b.w == nil || total == 0 {
		return
	}
	b.tell(done*100/total, fmt.Sprintf("transfer %d of %d", done, total))
}

// tell shows a percentage with a message.
func (b *bar) tell(percent int64, words string) {
	if b.w == nil && b.lines != nil && percent >= b.next {
		_, _ = fmt.Fprintf(b.lines, "%3d %%  %s\n", percent, words)
		b.next = percent - percent%25 + 25
	}
	if b.w == nil || percent == b.last {
		return
	}
	b.last = percent
	filled := int(min(percent, 100) * 30 / 100)
	_, _ = fmt.Fprintf(b.w, "\r[%s%s] %3d %%  %-38s", strings.Repeat("█", filled), strings.Repeat("░", 30-filled), percent, words)
}

func (b *bar) clear() {
	if b.w != nil && b.last >= 0 {
		_, _ = fmt.Fprintf(b.w, "\r%80s\r", "")
	}
}
