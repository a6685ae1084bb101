package operator

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func (c *Calls) registerPlan(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/plan", "Retrieve the current plan, approved plans and proposals", c.plans)
	httpx.PostRead(api, httpx.TagOperator, "operator/plan/validate", "Validate a plan and list its changes", c.validatePlan)
	httpx.Get(api, httpx.TagOperator, "operator/plan/proposal", "Retrieve a proposed plan with its file, changes and digest", c.planProposal)
	httpx.Post(api, httpx.TagOperator, "operator/plan/propose", "Propose a plan from a future day", c.proposePlan)
	httpx.PostProved(api, httpx.TagOperator, "operator/plan/approve", "Approve a plan that another operator proposed", c.approvePlan)
	httpx.Post(api, httpx.TagOperator, "operator/plan/cancel", "Cancel a plan before its first day", c.cancelPlan)
}

type planVersion struct {
	Version string          `json:"version"`
	From    string          `json:"from" doc:"The first day of the plan; empty for the initial plan."`
	Bound   plan.Bound      `json:"bound" doc:"The bound proved by the validator."`
	Plan    json.RawMessage `json:"plan" doc:"The plan's file."`
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
	Version     string          `json:"version"`
	From        string          `json:"from"`
	State       string          `json:"state" doc:"proposed, approved or cancelled."`
	ProposedBy  string          `json:"proposed_by"`
	ProposedAt  httpx.Timestamp `json:"proposed_at"`
	ApprovedBy  string          `json:"approved_by"`
	ApprovedAt  httpx.Timestamp `json:"approved_at"`
	CancelledBy string          `json:"cancelled_by"`
	CancelledAt httpx.Timestamp `json:"cancelled_at"`
	Alone       string          `json:"alone" doc:"Why a single approval was enough; empty if two operators approved."`
	Digest      string          `json:"digest" doc:"The SHA-256 of the plan's file and its first day; an approval must name it."`
	Reason      string          `json:"reason" doc:"The reason of the proposal."`
	Warning     string          `json:"warning" doc:"A warning about unusual values at the time of the proposal, such as a first day more than a year away; empty if there is none."`
	httpx.MessageCode
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
		p.Name, p.First.String(), state, p.ByName, httpx.ToTimestamp(p.At), p.ApprovedName, httpx.ToTimestamp(p.ApprovedAt), p.CancelledName, httpx.ToTimestamp(p.CancelledAt), string(p.Alone), p.Digest(),
		p.Reason, warning.Message, httpx.CodeOf(warning),
	}
}

type planProposalInput struct {
	Version string `query:"version" required:"true" minLength:"1" maxLength:"40"`
}

type planProposalAnswer struct {
	Proposal planProposal    `json:"proposal"`
	Plan     json.RawMessage `json:"plan" doc:"The plan's file."`
	Changes  []plan.Change   `json:"changes" nullable:"false" doc:"The differences from today's plan."`
}

func (c *Calls) planProposal(ctx context.Context, in *planProposalInput) (*httpx.Reply[planProposalAnswer], error) {
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
		return httpx.NewReply(planProposalAnswer{shownProposal(p), p.Body, append([]plan.Change{}, changes...)}), nil
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

func (c *Calls) plans(ctx context.Context, _ *struct{}) (*httpx.Reply[plansAnswer], error) {
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
	return httpx.NewReply(out), nil
}

type validatePlanBody struct {
	From string          `json:"from,omitempty" example:"2026-02-01" doc:"The intended first day; validated if given."`
	Plan json.RawMessage `json:"plan" doc:"The plan's file."`
}

type planCheck struct {
	Valid   bool   `json:"valid"`
	Warning string `json:"warning" doc:"A warning about unusual values, such as a first day more than a year away; empty if there is none."`
	httpx.MessageCode
	Mistakes []errs.Field  `json:"mistakes" nullable:"false" doc:"The errors, by path."`
	Bound    *plan.Bound   `json:"bound,omitempty" doc:"The bound proved by the validator; only for a valid plan."`
	Changes  []plan.Change `json:"changes" nullable:"false" doc:"The differences from today's plan."`
}

func (c *Calls) validatePlan(ctx context.Context, in *httpx.Body[validatePlanBody]) (*httpx.Reply[planCheck], error) {
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
	out.Warning, out.MessageCode = warning.Message, httpx.CodeOf(warning)
	changes, err := plan.Changes(now.Current.Body, in.Body.Plan)
	if err != nil {
		return nil, err
	}
	out.Changes = append(out.Changes, changes...)
	return httpx.NewReply(out), nil
}

// firstDay reads the first day of a plan, which must be a calendar day.
func firstDay(text string) (plan.Day, []errs.Field) {
	day, err := plan.ParseDay(text)
	if err != nil {
		return 0, []errs.Field{{Name: "from", Text: errs.TextOf(err)}}
	}
	return day, nil
}

type proposePlanBody struct {
	From   string          `json:"from" example:"2026-02-01" doc:"The first day of the plan: a future day."`
	Plan   json.RawMessage `json:"plan" doc:"The plan's file."`
	Reason string          `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log and shown to the approver."`
}

func (c *Calls) proposePlan(ctx context.Context, in *httpx.KeyedBody[proposePlanBody]) (*httpx.Reply[planProposal], error) {
	from, wrong := firstDay(in.Body.From)
	if err := errs.Fields(wrong); err != nil {
		return nil, err
	}
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(shownProposal)(c.Closing.ProposePlan(ctx, by, in.Key, in.Body.Plan, from, in.Body.Reason))
}

type planVersionBody struct {
	Version string `json:"version" minLength:"1" maxLength:"40"`
	Reason  string `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
}

type approvePlanBody struct {
	Version string `json:"version" minLength:"1" maxLength:"40"`
	Digest  string `json:"digest" minLength:"64" maxLength:"64" doc:"The digest of the proposal that the operator has seen."`
	Reason  string `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
}

func (c *Calls) changePlan(ctx context.Context, change func(by actor.By) (closing.PlanProposal, error)) (*httpx.Reply[planProposal], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(shownProposal)(change(by))
}

func (c *Calls) approvePlan(ctx context.Context, in *httpx.KeyedBody[approvePlanBody]) (*httpx.Reply[planProposal], error) {
	return c.changePlan(ctx, func(by actor.By) (closing.PlanProposal, error) {
		return c.Closing.ApprovePlan(ctx, by, in.Key, in.Body.Version, in.Body.Digest, in.Body.Reason)
	})
}

func (c *Calls) cancelPlan(ctx context.Context, in *httpx.KeyedBody[planVersionBody]) (*httpx.Reply[planProposal], error) {
	return c.changePlan(ctx, func(by actor.By) (closing.PlanProposal, error) {
		return c.Closing.CancelPlan(ctx, by, in.Key, in.Body.Version, in.Body.Reason)
	})
}
