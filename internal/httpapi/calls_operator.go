package httpapi

import (
	"context"
	"errors"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/errs"
)

func (c *Calls) registerOperator(api huma.API) {
	post(api, tagOperator, "operator/login", "Sign an operator in", c.loginOperator)
	post(api, tagOperator, "operator/logout", "End this operator's session", c.logout)
	post(api, tagOperator, "operator/ticket", "Mint a one-time ticket into a member's session, with a reason", c.mintTicket)
}

type operatorLoginInput struct {
	Agent string `header:"User-Agent"`
	Body  operatorLoginBody
}

type operatorLoginBody struct {
	Email    string `json:"email" minLength:"1" maxLength:"100"`
	Password string `json:"password" minLength:"1" maxLength:"200"`
}

func (c *Calls) loginOperator(ctx context.Context, in *operatorLoginInput) (*loginOutput, error) {
	g, err := c.Auth.LoginOperator(ctx, auth.OperatorLogin{Email: in.Body.Email, Password: in.Body.Password, From: from(ctx, "", in.Agent)})
	if errors.Is(err, auth.ErrWrongPassword) {
		return &loginOutput{loginAnswer{Data: loginResult{Result: errs.MessageOf(err)}}}, nil
	}
	if err != nil {
		return nil, err
	}
	return &loginOutput{loginAnswer{Data: loginResult{Result: successful, ResultID: id(g.Session.Owner), Username: in.Body.Email}, Token: g.Token}}, nil
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

func (c *Calls) mintTicket(ctx context.Context, in *ticketInput) (*reply[ticketResult], error) {
	var f fields
	uid := f.uid("uid", in.Body.UID)
	if err := f.err(); err != nil {
		return nil, err
	}
	enpass, err := c.Auth.MintTicket(ctx, sessionOf(ctx), uid, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	link := "/AdminLogin?" + url.Values{"user_id": {id(uid)}, "enpass": {enpass}}.Encode()
	return answer(ticketResult{enpass, link}), nil
}
