package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
)

func (c *Calls) registerOperators(api huma.API) {
	httpx.PostProved(api, httpx.TagOperator, "operator/factor/reset", "Reset another operator's second factor", c.resetFactor)
	httpx.Get(api, httpx.TagOperator, "operator/operators", "List operators", c.operators)
	httpx.PostProved(api, httpx.TagOperator, "operator/invite", "Invite an operator, limited to reading until another owner approves the role", c.inviteOperator)
	httpx.PostProved(api, httpx.TagOperator, "operator/invite/again", "Resend an operator's invitation", c.inviteAgain)
	httpx.Post(api, httpx.TagOperator, "operator/accept", "Accept an invitation and choose a password", c.acceptInvitation)
	httpx.PostProved(api, httpx.TagOperator, "operator/role", "Propose a new role for an operator", c.proposeRole)
	httpx.PostProved(api, httpx.TagOperator, "operator/end", "Deactivate an operator; deactivating an owner needs another owner's approval", c.endOperator)
	httpx.Get(api, httpx.TagOperator, "operator/proposals", "List proposed changes of operators, newest first", c.proposals)
	httpx.PostProved(api, httpx.TagOperator, "operator/proposals/decide", "Approve or reject another owner's proposal, or withdraw the owner's own", c.decideProposal)
}

type operatorRow struct {
	ID       string          `json:"id"`
	Email    string          `json:"email"`
	Name     string          `json:"name"`
	Role     string          `json:"role" enum:"owner,finance,support,compliance,readonly"`
	Created  httpx.Timestamp `json:"created"`
	Ended    httpx.Timestamp `json:"ended"`
	Password bool            `json:"password" doc:"Whether a password is set."`
	Factor   httpx.Timestamp `json:"factorSet"`
	Invited  httpx.Timestamp `json:"invitedUntil" doc:"The expiry of the mailed link."`
	Seen     httpx.Timestamp `json:"seen"`
}

func (c *Calls) operators(ctx context.Context, _ *struct{}) (*httpx.List[operatorRow], error) {
	all, err := c.Auth.Standings(ctx)
	if err != nil {
		return nil, err
	}
	rows := []operatorRow{}
	for _, o := range all {
		rows = append(rows, operatorRow{httpx.FormatID(o.ID), o.Email, o.Name, string(o.Role), httpx.ToTimestamp(o.Created), httpx.ToTimestamp(o.Ended), o.Password, httpx.ToTimestamp(o.Factor), httpx.ToTimestamp(o.Invited), httpx.ToTimestamp(o.Seen)})
	}
	return httpx.NewList(rows, len(rows), 1, max(len(rows), 1)), nil
}

type proposalRow struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind" enum:"role,end"`
	Operator string          `json:"operator"`
	Was      string          `json:"was"`
	Wanted   string          `json:"wanted"`
	Reason   string          `json:"reason"`
	By       string          `json:"by" doc:"The owner who proposed it."`
	At       httpx.Timestamp `json:"at"`
	State    string          `json:"state" enum:"waiting,approved,refused,withdrawn"`
	Decided  string          `json:"decidedBy"`
	DecideAt httpx.Timestamp `json:"decidedAt"`
	Alone    string          `json:"alone" doc:"Why a single owner's approval was enough."`
	Digest   string          `json:"digest" doc:"The digest of the proposal; a decision must name it."`
}

func proposalOf(p auth.Proposal) proposalRow {
	return proposalRow{
		httpx.FormatID(p.ID), string(p.Kind), httpx.FormatID(p.Operator), string(p.Was), string(p.Wanted), p.Reason, httpx.FormatID(p.By), httpx.ToTimestamp(p.At), string(p.State), httpx.FormatID(p.Decided), httpx.ToTimestamp(p.DecidedAt), string(p.Alone), p.Digest(),
	}
}

type inviteInput struct {
	httpx.Idempotent
	Body struct {
		Email  string `json:"email" maxLength:"254"`
		Name   string `json:"name" maxLength:"200"`
		Role   string `json:"role" doc:"owner, finance, support, compliance or readonly."`
		Reason string `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
	}
}

type invitedResult struct {
	Operator string       `json:"operator"`
	Proposal *proposalRow `json:"proposal,omitempty" doc:"The proposal of the role; absent for a reader."`
}

func (c *Calls) inviteOperator(ctx context.Context, in *inviteInput) (*httpx.Reply[invitedResult], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	b := in.Body
	done, err := c.Staff.Invite(ctx, by, in.Key, b.Email, b.Name, b.Role, b.Reason)
	if err != nil {
		return nil, err
	}
	out := invitedResult{Operator: httpx.FormatID(done.Operator)}
	if done.Proposal != nil {
		row := proposalOf(*done.Proposal)
		out.Proposal = &row
	}
	return httpx.NewReply(out), nil
}

// about reads a call about an operator.
func (c *Calls) about(ctx context.Context, in *httpx.KeyedBody[aboutOperator]) (by actor.By, operator int64, err error) {
	var f httpx.FieldErrors
	operator = f.RecordID("operator", in.Body.Operator)
	if err := f.Err(); err != nil {
		return by, 0, err
	}
	by, err = c.CallingOperator(ctx)
	return by, operator, err
}

func (c *Calls) inviteAgain(ctx context.Context, in *httpx.KeyedBody[aboutOperator]) (*httpx.MessageReply, error) {
	by, operator, err := c.about(ctx, in)
	if err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Staff.InviteAgain(ctx, by, in.Key, operator, in.Body.Reason)
}

type acceptInput struct {
	Body struct {
		Operator httpx.StringOrInt `json:"operator" doc:"The value in the link."`
		Token    string            `json:"token" minLength:"1" maxLength:"100" doc:"The value in the link."`
		Password string            `json:"password" minLength:"1" maxLength:"200"`
	}
}

func (c *Calls) acceptInvitation(ctx context.Context, in *acceptInput) (*httpx.MessageReply, error) {
	var f httpx.FieldErrors
	operator := f.RecordID("operator", in.Body.Operator)
	if err := f.Err(); err != nil {
		return nil, err
	}
	err := c.Staff.Accept(ctx, auth.Acceptance{Operator: operator, Token: in.Body.Token, Password: in.Body.Password, Peer: httpx.Peer(ctx)})
	return httpx.NewMessage(httpx.Successful), err
}

type roleInput struct {
	httpx.Idempotent
	Body struct {
		Operator httpx.StringOrInt `json:"operator" doc:"The operator's id."`
		Role     string            `json:"role" doc:"owner, finance, support, compliance or readonly."`
		Reason   string            `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
	}
}

func (c *Calls) proposeRole(ctx context.Context, in *roleInput) (*httpx.Reply[proposalRow], error) {
	by, operator, err := c.about(ctx, &httpx.KeyedBody[aboutOperator]{Body: aboutOperator{in.Body.Operator, in.Body.Reason}})
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(proposalOf)(c.Staff.ProposeRole(ctx, by, in.Key, operator, in.Body.Role, in.Body.Reason))
}

type endedResult struct {
	Done     bool         `json:"done" doc:"Whether the operator was deactivated immediately."`
	Proposal *proposalRow `json:"proposal,omitempty" doc:"The proposal, if the operator is an owner: another owner must approve."`
}

func (c *Calls) endOperator(ctx context.Context, in *httpx.KeyedBody[aboutOperator]) (*httpx.Reply[endedResult], error) {
	by, operator, err := c.about(ctx, in)
	if err != nil {
		return nil, err
	}
	done, err := c.Staff.End(ctx, by, in.Key, operator, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	out := endedResult{Done: done.Done}
	if done.Proposal != nil {
		row := proposalOf(*done.Proposal)
		out.Proposal = &row
	}
	return httpx.NewReply(out), nil
}

func (c *Calls) proposals(ctx context.Context, _ *struct{}) (*httpx.List[proposalRow], error) {
	all, err := c.Auth.Proposals(ctx)
	if err != nil {
		return nil, err
	}
	rows := httpx.Rows(all, proposalOf)
	return httpx.NewList(rows, len(rows), 1, max(len(rows), 1)), nil
}

type decideInput struct {
	httpx.Idempotent
	Body struct {
		ID      httpx.StringOrInt `json:"id"`
		Digest  string            `json:"digest" maxLength:"64" doc:"The digest of the proposal that the operator has seen."`
		Approve bool              `json:"approve" doc:"true approves; false rejects, or withdraws the operator's own proposal."`
	}
}

func (c *Calls) decideProposal(ctx context.Context, in *decideInput) (*httpx.Reply[proposalRow], error) {
	number, by, err := c.aboutRecord(ctx, in.Body.ID)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(proposalOf)(c.Staff.Decide(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve))
}

func (c *Calls) resetFactor(ctx context.Context, in *httpx.KeyedBody[aboutOperator]) (*httpx.MessageReply, error) {
	by, operator, err := c.about(ctx, in)
	if err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Staff.ResetFactor(ctx, by, in.Key, operator, in.Body.Reason)
}

type aboutOperator struct {
	Operator httpx.StringOrInt `json:"operator" doc:"The operator's id."`
	Reason   string            `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
}
