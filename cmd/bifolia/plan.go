package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/bifolia/bifolia/internal/app"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

var planCommand = command{
	name:    "plan",
	summary: "show, validate, compare, schedule or cancel versions of the plan",
	run:     planVersions,
}

var planForms = forms{"plan", []form{
	{"show", "prints the current plan and the scheduled versions"},
	{"validate FILE", "validates a plan; needs no database"},
	{"diff FILE", "prints what a plan changes in the current one"},
	{"schedule FILE --from 2026-01-31 --reason WHY", "schedules a plan from a future day on"},
	{"cancel VERSION --reason WHY", "cancels a version before its first day"},
}, "- is stdin"}

// planVersions runs an action on plans. Validating needs no database.
func planVersions(ctx context.Context, e env) int {
	var from, reason string
	var asJSON bool
	if len(e.args) == 0 {
		return e.usage(planForms.sentence())
	}
	what := e.args[0]
	args := e.args
	if what[0] != '-' {
		args = e.args[1:]
	}
	var files []string // flags may follow the file
	for len(args) > 0 && (args[0] == "-" || args[0] == "" || args[0][0] != '-') {
		files, args = append(files, args[0]), args[1:]
	}
	cfg, rest, err := config.Load("plan", args, e.environ, func(f *flag.FlagSet) {
		f.StringVar(&from, "from", "", "the first `day` of the plan, as 2026-01-31")
		f.StringVar(&reason, "reason", "", "`why` the plan is scheduled or cancelled; saved in the audit log")
		f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	})
	if err != nil {
		return e.fail(planForms.inHelp(err))
	}
	files = append(files, rest...)
	want, known := map[string]int{"show": 0, "validate": 1, "diff": 1, "schedule": 1, "cancel": 1}[what]
	writes := what == "schedule" || what == "cancel"
	if !known || len(files) != want || (from != "") != (what == "schedule") || (reason != "") != writes {
		return e.usage(planForms.sentence())
	}
	var body []byte
	if want == 1 && what != "cancel" {
		if body, err = readInput(e, "plan", files[0]); err != nil {
			return e.fail(err)
		}
	}
	if what == "validate" {
		return e.validatePlan(body, asJSON)
	}
	return e.withDesk(ctx, cfg, "plan/propose", what == "show" || what == "diff", func(desk *app.Desk) int {
		switch what {
		case "show":
			return e.showPlans(ctx, desk, asJSON)
		case "diff":
			return e.diffPlan(ctx, desk, body, asJSON)
		case "schedule":
			return e.schedulePlan(ctx, desk, body, from, reason)
		}
		return e.cancelPlan(ctx, desk, files[0], reason)
	})
}

// mistakes prints each error on its own line.
func (e env) mistakes(err error) int {
	var all *errs.Error
	if !errors.As(err, &all) || len(all.Fields) == 0 {
		return e.fail(err)
	}
	for _, f := range all.Fields {
		_, _ = fmt.Fprintf(e.stderr, "%s: %s\n", f.Name, f.Message)
	}
	return exitFailed
}

func (e env) validatePlan(body []byte, asJSON bool) int {
	p, err := plan.Parse(body)
	if err != nil {
		return e.mistakes(err)
	}
	b := p.Bound()
	return e.answer(asJSON, b, "Plan %s is valid: network incomes are at most %d ppm of final sales (levels %d ppm), ROI and fee at most %d ppm of booked profit.\n", p.Version, b.NetworkPPM, b.LevelPPM, b.ProfitPPM)
}

func (e env) showPlans(ctx context.Context, desk *app.Desk, asJSON bool) int {
	p, err := desk.Closing.Plans(ctx)
	if err != nil {
		return e.fail(err)
	}
	if asJSON {
		_, _ = fmt.Fprintln(e.stdout, string(p.Current.Body))
		return exitOK
	}
	show := func(word string, v closing.Version) {
		since := "the beginning"
		if v.First > 0 {
			since = v.First.String()
		}
		_, _ = fmt.Fprintf(e.stdout, "%-9s %s, from %s\n", word, v.Name, since)
	}
	for _, v := range p.Past {
		show("past", v)
	}
	show("holds", p.Current)
	for _, v := range p.Scheduled {
		show("scheduled", v)
	}
	for _, x := range p.Proposals {
		if x.ApprovedAt.IsZero() && x.CancelledAt.IsZero() {
			show("proposed", x.Version)
		}
	}
	return exitOK
}

func (e env) diffPlan(ctx context.Context, desk *app.Desk, body []byte, asJSON bool) int {
	p, err := desk.Closing.Plans(ctx)
	if err != nil {
		return e.fail(err)
	}
	changes, err := plan.Changes(p.Current.Body, body)
	if err != nil {
		return e.fail(err)
	}
	if asJSON {
		return e.print(changes)
	}
	for _, c := range changes {
		_, _ = fmt.Fprintf(e.stdout, "%s: %q becomes %q\n", c.Path, c.Before, c.After)
	}
	_, wrong, err := desk.Closing.CheckPlan(ctx, body, 0)
	if err == nil {
		err = errs.Fields(wrong)
	}
	if err != nil {
		return e.mistakes(err)
	}
	return exitOK
}

func (e env) schedulePlan(ctx context.Context, desk *app.Desk, body []byte, from, reason string) int {
	day, err := plan.ParseDay(from)
	if err != nil {
		return e.fail(err)
	}
	p, err := desk.SchedulePlan(ctx, body, day, reason)
	if err != nil {
		return e.mistakes(err)
	}
	return e.say("Plan %s is scheduled from %s, without a second operator.\n", p.Name, p.First)
}

func (e env) cancelPlan(ctx context.Context, desk *app.Desk, version, reason string) int {
	p, err := desk.CancelPlan(ctx, version, reason)
	if err != nil {
		return e.mistakes(err)
	}
	return e.say("Plan %s is cancelled.\n", p.Name)
}
