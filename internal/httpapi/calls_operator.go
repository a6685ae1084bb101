package httpapi

import (
	"context"
	"net/url"

	"github.com/danielgtaylor/huma/v2"
)

func (c *OperatorCalls) registerOperator(api huma.API) {
	post(api, tagOperator, "operator/ticket", "Mint a one-time ticket into a member's session, with a reason", c.mintTicket)
}

type ticketInput struct {
	Body ticketBody
}

type ticketBody struct {
	UID    text   `json:"uid"`
	Reason string `json:"reason" doc:"Why; 5 to 200 characters. The member's session shows it."`
}

type ticketResult struct {
	Enpass string `json:"enpass" doc:"Valid for two minutes and once."`
	Link   string `json:"link" doc:"The page that uses it."`
}

func (c *OperatorCalls) mintTicket(ctx context.Context, in *ticketInput) (*reply[ticketResult], error) {
	var f fields
	uid := f.uid("uid", in.Body.UID)
	if err := f.err(); err != nil {
		return nil, err
	}
	enpass, err := c.Auth.MintTicket(ctx, sessionOf(ctx), uid, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	link := "/AdminLogin#" + url.Values{"user_id": {id(uid)}, "enpass": {enpass}}.Encode()
	return answer(ticketResult{enpass, link}), nil
}
