package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
)

func (c *Calls) registerOperators(api huma.API) {
	get(api, tagOperator, "operator/operators", "Who runs the installation", c.operators)
	postProved(api, tagOperator, "operator/invite", "Invite an operator, who may read until another owner approves the role", c.inviteOperator)
	postProved(api, tagOperator, "operator/invite/again", "Mail an operator a new link to choose a password", c.inviteAgain)
	post(api, tagOperator, "operator/accept", "Choose a password by the link of an invitation", c.acceptInvitation)
	postProved(api, tagOperator, "operator/role", "Propose another role for an operator", c.proposeRole)
	postProved(api, tagOperator, "operator/end", "End an operator; an owner, when another owner approves", c.endOperator)
	get(api, tagOperator, "operator/proposals", "Changes of operators, waiting and decided, newest first", c.proposals)
	postProved(api, tagOperator, "operator/proposals/decide", "Approve or refuse another owner's proposal, or withdraw one's own", c.decideProposal)
}

type operatorRow struct {
	ID       string `json:"id"`
	Email    string `json:"email"`
	Name     string `json:"name"`
	Role     string `json:"role" enum:"owner,finance,support,compliance,readonly"`
	Created  moment `json:"created"`
	Ended    moment `json:"ended"`
	Password bool   `json:"password" doc:"A password was chosen."`
	Factor   moment `json:"factorSet"`
	Invited  moment `json:"invitedUntil" doc:"Until when a mailed link can be used."`
	Seen     moment `json:"seen"`
}

func (c *Calls) operators(ctx context.Context, _ *struct{}) (*list[operatorRow], error) {
	all, err := c.Auth.Standings(ctx)
	if err != nil {
		return nil, err
	}
	rows := []operatorRow{}
	for _, o := range all {
		rows = append(rows, operatorRow{id(o.ID), o.Email, o.Name, string(o.Role), at(o.Created), at(o.Ended), o.Password, at(o.Factor), at(o.Invited), at(o.Seen)})
	}
	return pageOf(rows, len(rows), 1, max(len(rows), 1)), nil
}

type proposalRow struct {
	ID       string `json:"id"`
	Kind     string `json:"kind" enum:"role,end"`
	Operator string `json:"operator"`
	Was      string `json:"was"`
	Wanted   string `json:"wanted"`
	Reason   string `json:"reason"`
	By       string `json:"by" doc:"The owner who proposed it."`
	At       moment `json:"at"`
	State    string `json:"state" enum:"waiting,approved,refused,withdrawn"`
	Decided  string `json:"decidedBy"`
	DecideAt moment `json:"decidedAt"`
	Alone    string `json:"alone" doc:"Why one owner was enough."`
	Digest   string `json:"digest" doc:"Of what is proposed: whoever decides names it."`
}

func proposalOf(p auth.Proposal) *proposalRow {
	return &proposalRow{
		id(p.ID), string(p.Kind), id(p.Operator), string(p.Was), string(p.Wanted), p.Reason, id(p.By), at(p.At), string(p.State), id(p.Decided), at(p.DecidedAt), string(p.Alone), p.Digest(),
	}
}

type inviteInput struct {
	Keyed
	Body struct {
		Email  string `json:"email" maxLength:"254"`
		Name   string `json:"name" maxLength:"200"`
		Role   string `json:"role" doc:"owner, finance, support, compliance or readonly."`
		Reason string `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
	}
}

type invitedResult struct {
	Operator string       `json:"operator"`
	Proposal *proposalRow `json:"proposal,omitempty" doc:"Of the role; none for a reader."`
}

func (c *Calls) inviteOperator(ctx context.Context, in *inviteInput) (*reply[invitedResult], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	b := in.Body
	done, err := c.Office.Invite(ctx, by, in.Key, b.Email, b.Name, b.Role, b.Reason)
	if err != nil {
		return nil, err
	}
	out := invitedResult{Operator: id(done.Operator)}
	if done.Proposal != nil {
		out.Proposal = proposalOf(*done.Proposal)
	}
	return answer(out), nil
}

// about reads a call about an operator.
func (c *Calls) about(ctx context.Context, in *aboutOperatorInput) (by actor.By, operator int64, err error) {
	var f fields
	operator = f.number("operator", in.Body.Operator)
	if err := f.err(); err != nil {
		return by, 0, err
	}
	by, err = c.by(ctx)
	return by, operator, err
}

func (c *Calls) inviteAgain(ctx context.Context, in *aboutOperatorInput) (*sentence, error) {
	by, operator, err := c.about(ctx, in)
	if err != nil {
		return nil, err
	}
	return say(successful), c.Office.InviteAgain(ctx, by, in.Key, operator, in.Body.Reason)
}

type acceptInput struct {
	Body struct {
		Operator text   `json:"operator" doc:"As in the link."`
		Token    string `json:"token" minLength:"1" maxLength:"100" doc:"As in the link."`
		Password string `json:"password" minLength:"1" maxLength:"200"`
	}
}

func (c *Calls) acceptInvitation(ctx context.Context, in *acceptInput) (*sentence, error) {
	var f fields
	operator := f.number("operator", in.Body.Operator)
	if err := f.err(); err != nil {
		return nil, err
	}
	err := c.Office.Accept(ctx, auth.Acceptance{Operator: operator, Token: in.Body.Token, Password: in.Body.Password, Peer: Peer(ctx)})
	return say(successful), err
}

type roleInput struct {
	Keyed
	Body struct {
		Operator text   `json:"operator" doc:"The operator's number."`
		Role     string `json:"role" doc:"owner, finance, support, compliance or readonly."`
		Reason   string `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
	}
}

func (c *Calls) proposeRole(ctx context.Context, in *roleInput) (*reply[proposalRow], error) {
	by, operator, err := c.about(ctx, &aboutOperatorInput{Body: aboutOperator{in.Body.Operator, in.Body.Reason}})
	if err != nil {
		return nil, err
	}
	p, err := c.Office.ProposeRole(ctx, by, in.Key, operator, in.Body.Role, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return answer(*proposalOf(p)), nil
}

type endedResult struct {
	Done     bool         `json:"done" doc:"Ended at once."`
	Proposal *proposalRow `json:"proposal,omitempty" doc:"An owner: it waits for another owner."`
}

func (c *Calls) endOperator(ctx context.Context, in *aboutOperatorInput) (*reply[endedResult], error) {
	by, operator, err := c.about(ctx, in)
	if err != nil {
		return nil, err
	}
	done, err := c.Office.End(ctx, by, in.Key, operator, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	out := endedResult{Done: done.Done}
	if done.Proposal != nil {
		out.Proposal = proposalOf(*done.Proposal)
	}
	return answer(out), nil
}

func (c *Calls) proposals(ctx context.Context, _ *struct{}) (*list[proposalRow], error) {
	all, err := c.Auth.Proposals(ctx)
	if err != nil {
		return nil, err
	}
	rows := []proposalRow{}
	for _, p := range all {
		rows = append(rows, *proposalOf(p))
	}
	return pageOf(rows, len(rows), 1, max(len(rows), 1)), nil
}

type decideInput struct {
	Keyed
	Body struct {
		ID      text   `json:"id"`
		Digest  string `json:"digest" maxLength:"64" doc:"Of what was seen."`
		Approve bool   `json:"approve" doc:"false refuses, or withdraws one's own."`
	}
}

func (c *Calls) decideProposal(ctx context.Context, in *decideInput) (*reply[proposalRow], error) {
	var f fields
	number := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := c.Office.Decide(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve)
	if err != nil {
		return nil, err
	}
	return answer(*proposalOf(p)), nil
}
