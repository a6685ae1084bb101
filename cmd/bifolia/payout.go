package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/platform/config"
)

var payoutCommand = command{
	name:    "payout",
	summary: "list, show, make, approve, send, export or import batches of payouts; lift a hold",
	run:     payoutBatches,
}

var payoutForms = forms{"payout", []form{
	{"list", "lists the batches, the newest first"},
	{"show BATCH", "shows a batch and its payouts"},
	{"make [WITHDRAWAL ...] [--way manual|hot]", "proposes a batch of these withdrawals, or of all that may leave"},
	{"approve BATCH --digest SHA-256 --operator E-MAIL", "approves a batch that show showed, by another operator than who proposed it"},
	{"send", "pays what approved batches of the hot wallet still have to pay"},
	{"export FILE --batch N", "writes a batch as a list for people to pay by"},
	{"import FILE --batch N", "reads what they have paid"},
	{"hold", "shows whether payouts are held after a restore, and what was found"},
	{"settle --reason TEXT --operator E-MAIL", "uses up the nonces that lost payments may have, and looks what the chain knows"},
	{"adopt --digest SHA-256 --reason TEXT --operator E-MAIL", "adopts the state that hold showed; it takes two operators"},
}, "- is stdout or stdin"}

// payoutCalls are, by what is done, the operator's call to use while a server
// runs.
var payoutCalls = map[string]string{"list": "payouts", "show": "payouts/batch", "make": "payouts/propose", "approve": "payouts/approve", "send": "payouts", "export": "payouts/export", "import": "payouts/import", "settle": "payouts/hold/settle", "adopt": "payouts/hold/adopt"}

// payoutOrder is what the command line asks for.
type payoutOrder struct {
	what   string
	args   []string
	ids    []int64 // of show, make and approve
	batch  int64   // of export and import
	way    string
	digest string // of approve and adopt: what was shown
	email  string // of approve, settle and adopt: who does
	reason string // of settle and adopt
	asJSON bool
}

// payoutBatches does one thing with batches while no server runs; who only looks
// need not stop it. Approving
// takes an operator, who signs in.
func payoutBatches(ctx context.Context, e env) int {
	o, cfg, err := e.parsePayout()
	if err != nil {
		return e.fail(payoutForms.inHelp(err))
	}
	if !o.fits() {
		return e.usage(payoutForms.sentence())
	}
	open := func() (*app.Desk, error) {
		return app.OpenDesk(ctx, cfg, cfg.Logger(e.stderr), payoutCalls[o.what])
	}
	if o.what == "list" || o.what == "show" || o.what == "hold" { // beside a server that runs, too
		open = func() (*app.Desk, error) { return app.OpenReading(ctx, cfg, cfg.Logger(e.stderr)) }
	}
	desk, err := open()
	if err != nil {
		return e.fail(err)
	}
	code := e.doPayout(ctx, desk, o)
	if err := desk.Close(); err != nil {
		return e.fail(err)
	}
	return code
}

func (e env) parsePayout() (o payoutOrder, cfg config.Config, err error) {
	args := e.args
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		o.what, args = args[0], args[1:]
	}
	for len(args) > 0 && (args[0] == "-" || args[0] == "" || args[0][0] != '-') { // flags may stand after
		o.args, args = append(o.args, args[0]), args[1:]
	}
	cfg, rest, err := config.Load("payout", args, e.environ, func(f *flag.FlagSet) {
		f.Int64Var(&o.batch, "batch", 0, "the `number` of the batch to export or import")
		f.StringVar(&o.way, "way", "", "manual, by people from a list, or hot, by the server: the `way` a new batch is paid; manual unless given")
		f.StringVar(&o.digest, "digest", "", "the `SHA-256` of what is approved or adopted, as show and hold show it")
		f.StringVar(&o.email, "operator", "", "the `e-mail` of the operator who decides; password and code are asked for")
		f.StringVar(&o.reason, "reason", "", "why a hold is settled or adopted; the audit log keeps it")
		f.BoolVar(&o.asJSON, "json", false, "print the result as JSON")
	})
	o.args = append(o.args, rest...)
	return o, cfg, err
}

// fits says that the order is one of payoutForms, and reads its numbers.
func (o *payoutOrder) fits() bool {
	if o.what == "show" || o.what == "make" || o.what == "approve" {
		for _, arg := range o.args {
			id, err := strconv.ParseInt(arg, 10, 64)
			if err != nil || id <= 0 {
				return false
			}
			o.ids = append(o.ids, id)
		}
	}
	file := o.what == "export" || o.what == "import"
	approve, settle, adopt := o.what == "approve", o.what == "settle", o.what == "adopt"
	if (o.batch != 0) != file || o.batch < 0 || (o.way != "" && o.what != "make") || (o.digest != "") != (approve || adopt) ||
		(o.email != "") != (approve || settle || adopt) || (o.reason != "") != (settle || adopt) {
		return false
	}
	switch o.what {
	case "list", "send", "hold", "settle", "adopt":
		return len(o.args) == 0
	case "show", "approve":
		return len(o.ids) == 1
	case "make":
		return true
	}
	return file && len(o.args) == 1
}

func (e env) doPayout(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	switch o.what {
	case "list":
		return e.listBatches(ctx, desk, o)
	case "show":
		return e.showBatch(ctx, desk, o)
	case "make":
		return e.makeBatch(ctx, desk, o)
	case "approve":
		return e.approveBatch(ctx, desk, o)
	case "send":
		return e.sendPayouts(ctx, desk, o)
	case "export":
		return e.exportBatch(ctx, desk, o)
	case "hold":
		return e.showHold(ctx, desk, o)
	case "settle", "adopt":
		return e.decideHold(ctx, desk, o)
	}
	return e.importBatch(ctx, desk, o)
}

// mostBatches is how many list shows: the newest.
const mostBatches = 100

func (e env) listBatches(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	all, total, err := desk.Payouts().Batches(ctx, 0, mostBatches)
	if err != nil {
		return e.fail(err)
	}
	if o.asJSON {
		return e.print(all)
	}
	for _, b := range all {
		e.tellBatch(b)
	}
	_, _ = fmt.Fprintf(e.stdout, "%d of %d batches.\n", len(all), total)
	return exitOK
}

func (e env) tellBatch(b payout.Batch) {
	_, _ = fmt.Fprintf(e.stdout, "batch %d: %s, %s, %d payouts of %s, proposed by %s", b.ID, b.State, b.Way, b.Payouts, b.Total, b.Proposed.Name)
	if b.Approved.Name != "" {
		_, _ = fmt.Fprintf(e.stdout, ", approved by %s", b.Approved.Name)
	}
	_, _ = fmt.Fprintln(e.stdout)
}

func (e env) showBatch(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	b, all, err := desk.Payouts().Batch(ctx, o.ids[0])
	if err != nil {
		return e.fail(err)
	}
	if o.asJSON {
		return e.print(map[string]any{"batch": b, "payouts": all, "payload": string(desk.Payouts().Payload(b, all)), "digest": desk.Payouts().Digest(b, all)})
	}
	e.tellBatch(b)
	for _, p := range all {
		_, _ = fmt.Fprintf(e.stdout, "  withdrawal %d: %s, %s to %s %s %s\n", p.Withdrawal, p.State, p.Amount, p.Address, p.Hash, p.Note)
	}
	_, _ = fmt.Fprintf(e.stdout, "  payload: %s\n  digest:  %s\n", desk.Payouts().Payload(b, all), desk.Payouts().Digest(b, all))
	return exitOK
}

func (e env) makeBatch(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	way := payout.Manual
	if o.way != "" {
		way = payout.Way(o.way)
	}
	b, err := desk.MakeBatch(ctx, way, o.ids)
	if err != nil {
		return e.fail(err)
	}
	if o.asJSON {
		return e.print(b)
	}
	_, _ = fmt.Fprintf(e.stdout, "Batch %d is proposed: %d payouts of %s. An operator has to approve it.\n", b.ID, b.Payouts, b.Total)
	return exitOK
}

func (e env) exportBatch(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	path := o.args[0]
	if path == "-" {
		raw, err := desk.ExportBatch(ctx, o.batch)
		if err == nil {
			_, err = e.stdout.Write(raw)
		}
		if err != nil {
			return e.fail(err)
		}
		return exitOK
	}
	// The file comes first: a list that cannot be written must not count as
	// exported. One that is there stays: it may hold hashes.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return e.fail(fmt.Errorf("the list cannot be written: %w", err))
	}
	raw, err := desk.ExportBatch(ctx, o.batch)
	if err == nil {
		_, err = f.Write(raw)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path) // it is empty or half a list
		return e.fail(err)
	}
	_, _ = fmt.Fprintf(e.stdout, "Batch %d is written to %s: pay it, fill in the hashes, and import it.\n", o.batch, path)
	return exitOK
}

func (e env) importBatch(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	raw, err := readInput(e, "list of hashes", o.args[0])
	if err != nil {
		return e.fail(err)
	}
	added, err := desk.ImportBatch(ctx, o.batch, raw)
	if err != nil {
		return e.mistakes(err)
	}
	if o.asJSON {
		return e.print(map[string]int{"added": added})
	}
	_, _ = fmt.Fprintf(e.stdout, "%d hashes of batch %d are new.\n", added, o.batch)
	return exitOK
}
