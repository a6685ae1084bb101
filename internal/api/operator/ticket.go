package operator

import (
	"context"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

func (c *Calls) registerTicket(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/ticket", "Create a one-time ticket for a session as a member, with a reason", c.mintTicket)
}

type ticketBody struct {
	UID    httpx.StringOrInt `json:"uid"`
	Reason string            `json:"reason" doc:"The reason, 5 to 200 characters; shown in the session."`
}

type ticketResult struct {
	Enpass string `json:"enpass" doc:"The ticket; valid once, for two minutes."`
	Link   string `json:"link" doc:"The page that redeems the ticket."`
}

func (c *Calls) mintTicket(ctx context.Context, in *httpx.Body[ticketBody]) (*httpx.Reply[ticketResult], error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", in.Body.UID)
	if err := f.Err(); err != nil {
		return nil, err
	}
	enpass, err := c.Auth.MintTicket(ctx, httpx.SessionOf(ctx), uid, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	link := "/AdminLogin#" + url.Values{"user_id": {httpx.FormatID(uid)}, "enpass": {enpass}}.Encode()
	return httpx.NewReply(ticketResult{enpass, link}), nil
}
