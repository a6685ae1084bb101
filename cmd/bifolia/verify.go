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
		f.BoolVar(&o.Thaw, "thaw", false, "if all is right, let money move again after a freeze")
		f.BoolVar(&o.NewAnchor, "new-anchor", false, "verify without the anchor; if all is right, put what is left of it aside and make a new one")
		f.BoolVar(&elsewhere, "no-anchor", false, "a missing anchor is no finding: this is a copy in another place")
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
		err = &audit.Finding{Table: "anchor", Row: strings.Join(v.NoAnchor, ", "), Problem: "it is missing, although the chain says that an anchor is kept: nothing tells whether the end of the ledger was cut off. " +
			"Put it back; if it is lost, use --new-anchor; for a copy in another place, --no-anchor"}
	}
	return e.verified(v, err, asJSON)
}

// verified tells what a verification found.
func (e env) verified(v app.Verified, err error, asJSON bool) int {
	if sentence, wrong := foundWrong(err); wrong != nil {
		if asJSON {
			_ = json.NewEncoder(e.stdout).Encode(wrong)
		}
		_, _ = fmt.Fprintln(e.stderr, sentence)
		return exitFailed
	}
	if err != nil {
		return e.fail(unread(err))
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
		_, _ = fmt.Fprintf(e.stdout, "The head is anchored anew in %s.\nPayouts are held when a server starts: settle the wallet and adopt the state, from the beginning where that was under way or done.\n", v.Anchored)
	}
	if v.Frozen != "" {
		_, _ = fmt.Fprintf(e.stdout, "Money stands still (%s). Let it move again with --thaw.\n", v.Frozen)
	}
	return exitOK
}

// unread says what an error of the database itself means: whatever the product
// left there can be read.
func unread(err error) error {
	if !errs.Is(err, errs.Internal) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("The check cannot come to its end (%w). If the database can be reached, it is damaged or its tables were changed past the product: restore a backup into a new place and verify that.", err) //nolint:staticcheck // a sentence for people
}

// foundWrong is the first wrong row, for people and for --json; nil if err is no
// such finding.
func foundWrong(err error) (sentence string, wrong map[string]any) {
	var row *audit.Finding
	if errors.As(err, &row) {
		return fmt.Sprintf("The ledger is wrong. %v", row), map[string]any{"ok": false, "table": row.Table, "row": row.Row, "problem": row.Problem}
	}
	var damage *audit.Damage
	if errors.As(err, &damage) {
		return damage.Error(), map[string]any{"ok": false, "check": damage.Check, "problem": damage.Problem}
	}
	var place *tree.Finding
	if errors.As(err, &place) {
		return fmt.Sprintf("The tree is wrong. %v", place), map[string]any{"ok": false, "table": "place", "row": place.No, "problem": place.What}
	}
	var person *enrol.Finding
	if errors.As(err, &person) {
		return fmt.Sprintf("The members are wrong. %v", person), map[string]any{"ok": false, "table": "member", "row": person.UID, "problem": person.What}
	}
	var entry *auditlog.Finding
	if errors.As(err, &entry) {
		return fmt.Sprintf("The operators' record is wrong. %v", entry), map[string]any{"ok": false, "table": "trail", "row": entry.No, "problem": entry.What}
	}
	var sum *closing.Finding
	if errors.As(err, &sum) {
		return fmt.Sprintf("The incomes are wrong. %v", sum), map[string]any{"ok": false, "table": "income_sum", "row": sum.Sum.First, "problem": sum.Error()}
	}
	var day *closing.DayFinding
	if errors.As(err, &day) {
		return fmt.Sprintf("The days are wrong. %v", day), map[string]any{"ok": false, "table": "day_sum", "row": int64(day.Off.Day), "problem": day.Error()}
	}
	var rule *closing.Broken
	if errors.As(err, &rule) {
		return rule.Error(), map[string]any{"ok": false, "row": rule.Of, "problem": rule.Rule}
	}
	return "", nil
}

// bar shows progress on a terminal, and anywhere else nothing unless it is told to.
type bar struct {
	w    io.Writer
	last int64

	lines io.Writer // who gets a line at each quarter where there is no terminal; may be nil
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

// tell shows a percentage with a few words.
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
