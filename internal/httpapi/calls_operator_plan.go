package httpapi

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func (c *Calls) registerOperatorPlan(api huma.API) {
	get(api, tagOperator, "operator/plan", "The plan that holds, those that will, and proposals", c.plans)
	post(api, tagOperator, "operator/plan/validate", "Name every mistake of a plan, and what it changes", c.validatePlan)
	get(api, tagOperator, "operator/plan/proposal", "A proposed plan: its file, what it changes, and its fingerprint", c.planProposal)
	post(api, tagOperator, "operator/plan/propose", "Propose a plan from a day to come", c.proposePlan)
	postProved(api, tagOperator, "operator/plan/approve", "Approve a plan that another operator proposed", c.approvePlan)
	post(api, tagOperator, "operator/plan/cancel", "Call a plan off before its first day", c.cancelPlan)
}

type planVersion struct {
	Version string          `json:"version"`
	From    string          `json:"from" doc:"The first day it holds; empty for the plan since the beginning."`
	Bound   plan.Bound      `json:"bound" doc:"What the validator proved of it."`
	Plan    json.RawMessage `json:"plan" doc:"Its file."`
}

func shownVersion(v closing.Version) (planVersion, error) {
	p, err := plan.Parse(v.Body)
	if err != nil {
		return planVersion{}, err
	}
	out := planVersion{Version: v.Name, Bound: p.Bound(), Plan: v.Body}
	if v.First > 0 {
		out.From = v.First.String()
	}
	return out, nil
}

type planProposal struct {
	Version     string `json:"version"`
	From        string `json:"from"`
	State       string `json:"state" doc:"proposed, approved or cancelled."`
	ProposedBy  string `json:"proposed_by"`
	ProposedAt  moment `json:"proposed_at"`
	ApprovedBy  string `json:"approved_by"`
	ApprovedAt  moment `json:"approved_at"`
	CancelledBy string `json:"cancelled_by"`
	CancelledAt moment `json:"cancelled_at"`
	Alone       string `json:"alone" doc:"Why one was enough; empty when two approved it."`
	Digest      string `json:"digest" doc:"The SHA-256 of the plan's file and its first day: whoever approves names it."`
	Reason      string `json:"reason" doc:"Why it was proposed."`
	Warning     string `json:"warning" doc:"What was unusual about it when it was proposed, in words; empty for nothing. A first day more than a year away is."`
	Said
}

func shownProposal(p closing.PlanProposal) planProposal {
	state := "proposed"
	switch {
	case !p.CancelledAt.IsZero():
		state = "cancelled"
	case !p.ApprovedAt.IsZero():
		state = "approved"
	}
	warning := p.Warning()
	return planProposal{
		p.Name, p.First.String(), state, p.ByName, at(p.At), p.ApprovedName, at(p.ApprovedAt), p.CancelledName, at(p.CancelledAt), string(p.Alone), p.Digest(),
		p.Reason, warning.Message, codeOf(warning),
	}
}

type planProposalInput struct {
	Version string `query:"version" required:"true" minLength:"1" maxLength:"40"`
}

type planProposalAnswer struct {
	Proposal planProposal    `json:"proposal"`
	Plan     json.RawMessage `json:"plan" doc:"The plan's file."`
	Changes  []plan.Change   `json:"changes" nullable:"false" doc:"What differs from the plan that holds today."`
}

func (c *Calls) planProposal(ctx context.Context, in *planProposalInput) (*reply[planProposalAnswer], error) {
	all, err := c.Closing.Plans(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range all.Proposals {
		if p.Name != in.Version {
			continue
		}
		changes, err := plan.Changes(all.Current.Body, p.Body)
		if err != nil {
			return nil, err
		}
		return answer(planProposalAnswer{shownProposal(p), p.Body, append([]plan.Change{}, changes...)}), nil
	}
	return nil, errs.New(errs.NotFound, "plan.not_proposed", "Nobody has proposed a plan {plan}.", "plan", strconv.Quote(in.Version))
}

type plansAnswer struct {
	Today     string         `json:"today"`
	Current   planVersion    `json:"current"`
	Past      []planVersion  `json:"past" nullable:"false"`
	Scheduled []planVersion  `json:"scheduled" nullable:"false"`
	Proposals []planProposal `json:"proposals" nullable:"false"`
}

func (c *Calls) plans(ctx context.Context, _ *struct{}) (*reply[plansAnswer], error) {
	p, err := c.Closing.Plans(ctx)
	if err != nil {
		return nil, err
	}
	out := plansAnswer{Today: p.Today.String(), Past: []planVersion{}, Scheduled: []planVersion{}, Proposals: []planProposal{}}
	if out.Current, err = shownVersion(p.Current); err != nil {
		return nil, err
	}
	for into, all := range map[*[]planVersion][]closing.Version{&out.Past: p.Past, &out.Scheduled: p.Scheduled} {
		for _, v := range all {
			shown, err := shownVersion(v)
			if err != nil {
				return nil, err
			}
			*into = append(*into, shown)
		}
	}
	for _, x := range p.Proposals {
		out.Proposals = append(out.Proposals, shownProposal(x))
	}
	return answer(out), nil
}

type validatePlanInput struct{ Body validatePlanBody }

type validatePlanBody struct {
	From string          `json:"from,omitempty" example:"2026-02-01" doc:"The first day it should hold; checked if given."`
	Plan json.RawMessage `json:"plan" doc:"The plan's file."`
}

type planCheck struct {
	Valid   bool   `json:"valid"`
	Warning string `json:"warning" doc:"What is unusual about it, in words; empty for nothing. A first day more than a year away is."`
	Said
	Mistakes []errs.Field  `json:"mistakes" nullable:"false" doc:"Every mistake, by its path."`
	Bound    *plan.Bound   `json:"bound,omitempty" doc:"What the validator proved; only of a valid plan."`
	Changes  []plan.Change `json:"changes" nullable:"false" doc:"What differs from the plan that holds today."`
}

func (c *Calls) validatePlan(ctx context.Context, in *validatePlanInput) (*reply[planCheck], error) {
	from, late := firstDay(in.Body.From)
	if in.Body.From == "" {
		late = nil
	}
	p, wrong, err := c.Closing.CheckPlan(ctx, in.Body.Plan, from)
	if err != nil {
		return nil, err
	}
	wrong = append(wrong, late...)
	out := planCheck{Valid: len(wrong) == 0, Mistakes: append([]errs.Field{}, wrong...), Changes: []plan.Change{}}
	if out.Valid {
		b := p.Bound()
		out.Bound = &b
	}
	now, err := c.Closing.Plans(ctx)
	if err != nil {
		return nil, err
	}
	warning := closing.WarnFrom(now.Today, from)
	out.Warning, out.Said = warning.Message, codeOf(warning)
	changes, err := plan.Changes(now.Current.Body, in.Body.Plan)
	if err != nil {
		return nil, err
	}
	out.Changes = append(out.Changes, changes...)
	return answer(out), nil
}

// firstDay reads on which day a plan should begin: one that a calendar has.
func firstDay(text string) (plan.Day, []errs.Field) {
	day, err := plan.ParseDay(text)
	if err != nil {
		return 0, []errs.Field{{Name: "from", Text: errs.TextOf(err)}}
	}
	return day, nil
}

type proposePlanInput struct {
	Keyed
	Body proposePlanBody
}

type proposePlanBody struct {
	From   string          `json:"from" example:"2026-02-01" doc:"The first day it should hold: a day to come."`
	Plan   json.RawMessage `json:"plan" doc:"The plan's file."`
	Reason string          `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record, and whoever approves it reads it."`
}

func (c *Calls) proposePlan(ctx context.Context, in *proposePlanInput) (*reply[planProposal], error) {
	from, wrong := firstDay(in.Body.From)
	if err := errs.Fields(wrong); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := c.Closing.ProposePlan(ctx, by, in.Key, in.Body.Plan, from, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return answer(shownProposal(p)), nil
}

type planVersionInput struct {
	Keyed
	Body planVersionBody
}

type planVersionBody struct {
	Version string `json:"version" minLength:"1" maxLength:"40"`
	Reason  string `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
}

type approvePlanInput struct {
	Keyed
	Body approvePlanBody
}

type approvePlanBody struct {
	Version string `json:"version" minLength:"1" maxLength:"40"`
	Digest  string `json:"digest" minLength:"64" maxLength:"64" doc:"Of what was seen."`
	Reason  string `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
}

func (c *Calls) changePlan(ctx context.Context, change func(by actor.By) (closing.PlanProposal, error)) (*reply[planProposal], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := change(by)
	if err != nil {
		return nil, err
	}
	return answer(shownProposal(p)), nil
}

func (c *Calls) approvePlan(ctx context.Context, in *approvePlanInput) (*reply[planProposal], error) {
	return c.changePlan(ctx, func(by actor.By) (closing.PlanProposal, error) {
		return c.Closing.ApprovePlan(ctx, by, in.Key, in.Body.Version, in.Body.Digest, in.Body.Reason)
	})
}

func (c *Calls) cancelPlan(ctx context.Context, in *planVersionInput) (*reply[planProposal], error) {
	return c.changePlan(ctx, func(by actor.By) (closing.PlanProposal, error) {
		return c.Closing.CancelPlan(ctx, by, in.Key, in.Body.Version, in.Body.Reason)
	})
}
