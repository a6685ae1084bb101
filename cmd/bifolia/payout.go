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
	{"list", "lists the batches, newest first"},
	{"show BATCH", "shows a batch and its payouts"},
	{"make [WITHDRAWAL ...] [--way manual|hot]", "proposes a batch of these withdrawals, or of all payable ones"},
	{"approve BATCH --digest SHA-256 --operator E-MAIL", "approves a batch with the digest from show, by another operator than the proposer"},
	{"send", "pays the outstanding payouts of approved hot-wallet batches"},
	{"export FILE --batch N", "writes a batch as a list for manual payment"},
	{"import FILE --batch N", "reads what they have paid"},
	{"hold", "shows whether payouts are held after a restore, and what was found"},
	{"settle --reason TEXT --operator E-MAIL", "uses up the nonces of possibly lost payments, then compares with the chain"},
	{"adopt --digest SHA-256 --reason TEXT --operator E-MAIL", "adopts the state with the digest from hold; two operators must adopt it"},
}, "- is stdout or stdin"}

// payoutCalls maps each action to the operator call to use while a server runs.
var payoutCalls = map[string]string{"list": "payouts", "show": "payouts/batch", "make": "payouts/propose", "approve": "payouts/approve", "send": "payouts", "export": "payouts/export", "import": "payouts/import", "settle": "payouts/hold/settle", "adopt": "payouts/hold/adopt"}

// payoutOrder is the parsed command line.
type payoutOrder struct {
	what   string
	args   []string
	ids    []int64 // show, make and approve
	batch  int64   // export and import
	way    string
	digest string // approve and adopt: the digest seen
	email  string // approve, settle and adopt: the operator
	reason string // settle and adopt
	asJSON bool
}

// payoutBatches runs an action on batches while no server runs; reading actions also work
// while one runs. Approving needs an operator's sign-in.
func payoutBatches(ctx context.Context, e env) int {
	o, cfg, err := e.parsePayout()
	if err != nil {
		return e.fail(payoutForms.inHelp(err))
	}
	if !o.fits() {
		return e.usage(payoutForms.sentence())
	}
	reads := o.what == "list" || o.what == "show" || o.what == "hold"
	return e.withDesk(ctx, cfg, payoutCalls[o.what], reads, func(desk *app.Desk) int { return e.doPayout(ctx, desk, o) })
}

// withDesk runs work on a desk; if reads is set, a server may run meanwhile. call is as for
// OpenDesk.
func (e env) withDesk(ctx context.Context, cfg config.Config, call string, reads bool, work func(*app.Desk) int) int {
	open := func() (*app.Desk, error) { return app.OpenDesk(ctx, cfg, cfg.Logger(e.stderr), call) }
	if reads {
		open = func() (*app.Desk, error) { return app.OpenReading(ctx, cfg, cfg.Logger(e.stderr)) }
	}
	desk, err := open()
	if err != nil {
		return e.fail(err)
	}
	code := work(desk)
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
	for len(args) > 0 && (args[0] == "-" || args[0] == "" || args[0][0] != '-') { // flags may follow
		o.args, args = append(o.args, args[0]), args[1:]
	}
	cfg, rest, err := config.Load("payout", args, e.environ, func(f *flag.FlagSet) {
		f.Int64Var(&o.batch, "batch", 0, "the `number` of the batch to export or import")
		f.StringVar(&o.way, "way", "", "the `way` a new batch is paid: manual, from a list, or hot, by the server; default: manual")
		f.StringVar(&o.digest, "digest", "", "the `SHA-256` to approve or adopt, as printed by show and hold")
		f.StringVar(&o.email, "operator", "", "the `e-mail` of the deciding operator; password and code are prompted for")
		f.StringVar(&o.reason, "reason", "", "why a hold is settled or adopted; saved in the audit log")
		f.BoolVar(&o.asJSON, "json", false, "print the result as JSON")
	})
	o.args = append(o.args, rest...)
	return o, cfg, err
}

// fits checks that the command line matches one of payoutForms, and parses its numbers.
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
	return map[string]func(context.Context, *app.Desk, payoutOrder) int{
		"list": e.listBatches, "show": e.showBatch, "make": e.makeBatch, "approve": e.approveBatch, "send": e.sendPayouts, "export": e.exportBatch,
		"import": e.importBatch, "hold": e.showHold, "settle": e.decideHold, "adopt": e.decideHold,
	}[o.what](ctx, desk, o)
}

// maxBatches is the number of batches in list, newest first.
const maxBatches = 100

func (e env) listBatches(ctx context.Context, desk *app.Desk, o payoutOrder) int {
	all, total, err := desk.Payouts().Batches(ctx, 0, maxBatches)
	if err != nil {
		return e.fail(err)
	}
	if o.asJSON {
		return e.print(all)
	}
	for _, b := range all {
		e.tellBatch(b)
	}
	return e.say("%d of %d batches.\n", len(all), total)
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
	return e.say("  payload: %s\n  digest:  %s\n", desk.Payouts().Payload(b, all), desk.Payouts().Digest(b, all))
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
	return e.answer(o.asJSON, b, "Batch %d is proposed: %d payouts of %s. An operator has to approve it.\n", b.ID, b.Payouts, b.Total)
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
	// The file comes first: a list that cannot be written must not count as exported. An
	// existing file is kept, because it may hold hashes.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return e.fail(fmt.Errorf("the list cannot be written: %w", err))
	}
	raw, err := desk.ExportBatch(ctx, o.batch)
	if err == nil {
		_, err = f.Write(raw)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path) // it is empty or incomplete
		return e.fail(err)
	}
	return e.say("Batch %d is written to %s: pay it, fill in the hashes, and import it.\n", o.batch, path)
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
	return e.answer(o.asJSON, map[string]int{"added": added}, "%d hashes of batch %d are new.\n", added, o.batch)
}
