package httpapi

import (
	"context"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerOffice(api huma.API) {
	post(api, tagOperator, "operator/login", "Sign an operator in: e-mail, password and code together", c.loginOperator)
	post(api, tagOperator, "operator/logout", "End this operator's session", c.logout)
	get(api, tagOperator, "operator/me", "Who is signed in, and how the second factor stands", c.operatorMe)
	post(api, tagOperator, "operator/factor/begin", "Get a secret for the authenticator app, told once; who has a factor proves it with the password and the old one", c.beginFactor)
	post(api, tagOperator, "operator/factor/confirm", "Confirm the app by a code; answers the recovery codes, told once", c.confirmFactor)
	post(api, tagOperator, "operator/password", "Change one's own password, with the old one and the second factor; all other sessions end", c.changeOperatorPassword)
	postProved(api, tagOperator, "operator/factor/reset", "Take another operator's second factor away", c.resetFactor)
	get(api, tagOperator, "operator/sessions", "An operator's open sessions", c.operatorSessions)
	post(api, tagOperator, "operator/sessions/end", "End one of an operator's sessions", c.endOperatorSession)
	post(api, tagOperator, "operator/sessions/endOthers", "End all of one's other sessions", c.endOtherOperatorSessions)
}

type operatorLoginInput struct {
	Agent string `header:"User-Agent"`
	Body  operatorLoginBody
}

type operatorLoginBody struct {
	Email    string `json:"email" minLength:"1" maxLength:"100"`
	Password string `json:"password" minLength:"1" maxLength:"200"`
	Code     string `json:"code,omitempty" maxLength:"30" doc:"Of the authenticator app, or a recovery code; empty at the first sign-in, before there is one."`
}

type operatorLoginResult struct {
	Result string `json:"result" doc:"'Successfull', or what to tell the person."`
	Said
	ResultID  string `json:"resultid,omitempty"`
	Username  string `json:"resultusername,omitempty"`
	Role      string `json:"role,omitempty"`
	MustEnrol bool   `json:"mustEnrol,omitempty" doc:"There is no second factor yet: the session can do nothing but set one."`
}

type operatorLoginAnswer struct {
	Data  operatorLoginResult `json:"data"`
	Token string              `json:"token,omitempty" doc:"For the Authorization header."`
}

type operatorLoginOutput struct{ Body operatorLoginAnswer }

func (c *Calls) loginOperator(ctx context.Context, in *operatorLoginInput) (*operatorLoginOutput, error) {
	g, err := c.Auth.LoginOperator(ctx, auth.OperatorLogin{Email: in.Body.Email, Password: in.Body.Password, Code: in.Body.Code, From: from(ctx, "", in.Agent)})
	if errors.Is(err, auth.ErrWrongOperator) {
		return &operatorLoginOutput{operatorLoginAnswer{Data: operatorLoginResult{Result: errs.MessageOf(err), Said: codeOf(errs.TextOf(err))}}}, nil
	}
	if err != nil {
		return nil, err
	}
	r := operatorLoginResult{successful.Message, codeOf(successful), id(g.Session.Owner), in.Body.Email, string(g.Session.Role), g.MustChange}
	return &operatorLoginOutput{operatorLoginAnswer{Data: r, Token: g.Token}}, nil
}

type operatorMe struct {
	ID           string `json:"id"`
	Email        string `json:"email"`
	Name         string `json:"name"`
	Role         string `json:"role"`
	MustEnrol    bool   `json:"mustEnrol" doc:"A second factor is to be set first of all."`
	FactorSet    moment `json:"factorSet"`
	RecoveryLeft int    `json:"recoveryLeft" doc:"How many recovery codes are unused."`
	IdleSeconds  int    `json:"idleSeconds" doc:"After so long without a call the session ends."`
	Expires      moment `json:"expires" doc:"When the session ends in any case."`
	Frozen       string `json:"frozen" doc:"Why money stands still, and since when; empty while it moves."`
}

func (c *Calls) operatorMe(ctx context.Context, _ *struct{}) (*reply[operatorMe], error) {
	s := sessionOf(ctx)
	e, err := c.Auth.Enrolment(ctx, s.Operator)
	if err != nil {
		return nil, err
	}
	all, err := c.Auth.Operators(ctx)
	if err != nil {
		return nil, err
	}
	me := operatorMe{
		ID: id(s.Operator), Role: string(s.Role), MustEnrol: s.MustChange, FactorSet: at(e.Set), RecoveryLeft: e.RecoveryLeft,
		IdleSeconds: int(c.Auth.OperatorIdle() / time.Second), Expires: at(s.Expires),
	}
	if me.Frozen, err = c.Frozen(ctx); err != nil {
		return nil, err
	}
	for _, o := range all {
		if o.ID == s.Operator {
			me.Email, me.Name = o.Email, o.Name
		}
	}
	return answer(me), nil
}

type factorBegun struct {
	Secret string `json:"secret" doc:"To be typed into the app by hand."`
	URI    string `json:"uri" doc:"To be shown as a QR code."`
}

type proofInput struct {
	Agent string `header:"User-Agent"`
	Body  *Proof
}

func (c *Calls) beginFactor(ctx context.Context, in *proofInput) (*reply[factorBegun], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	return c.beginFactorOf(ctx, in, auth.Account{Product: staff.Product, Name: by.Name})
}

// beginFactorOf begins for an account as apps name it.
func (c *Calls) beginFactorOf(ctx context.Context, in *proofInput, account auth.Account) (*reply[factorBegun], error) {
	secret, uri, err := c.Auth.BeginFactor(ctx, sessionOf(ctx), account, in.Body.evidence(), from(ctx, "", in.Agent))
	if err != nil {
		return nil, err
	}
	return answer(factorBegun{secret, uri}), nil
}

type factorCodeInput struct {
	Agent string `header:"User-Agent"`
	Body  factorCode
}

type factorCode struct {
	Code string `json:"code" minLength:"6" maxLength:"12"`
}

type factorConfirmed struct {
	Recovery []string `json:"recovery" nullable:"false" doc:"Each is good once in place of a code. Told once."`
}

func (c *Calls) confirmFactor(ctx context.Context, in *factorCodeInput) (*reply[factorConfirmed], error) {
	codes, err := c.Office.ConfirmFactor(ctx, sessionOf(ctx), in.Body.Code, from(ctx, "", in.Agent))
	if err != nil {
		return nil, err
	}
	return answer(factorConfirmed{codes}), nil
}

type operatorPasswordInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof
		NewPassword string `json:"newPassword" minLength:"1" maxLength:"200" doc:"10 to 128 characters."`
	}
}

func (c *Calls) changeOperatorPassword(ctx context.Context, in *operatorPasswordInput) (*sentence, error) {
	return say(successful), c.Office.ChangePassword(ctx, sessionOf(ctx), in.Body.evidence(), in.Body.NewPassword, from(ctx, "", in.Agent))
}

type aboutOperatorInput struct {
	Keyed
	Body aboutOperator
}

type aboutOperator struct {
	Operator text   `json:"operator" doc:"The operator's number."`
	Reason   string `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
}

func (c *Calls) resetFactor(ctx context.Context, in *aboutOperatorInput) (*sentence, error) {
	by, operator, err := c.about(ctx, in)
	if err != nil {
		return nil, err
	}
	return say(successful), c.Office.ResetFactor(ctx, by, in.Key, operator, in.Body.Reason)
}

type operatorSessionsInput struct {
	Operator int64 `query:"operator" minimum:"0" doc:"Another operator's number: for owners."`
}

type operatorSessionRow struct {
	ID      string `json:"id"`
	Current bool   `json:"current" doc:"The session that asks."`
	Peer    string `json:"address" doc:"Where it was opened from."`
	Agent   string `json:"agent"`
	Created moment `json:"created"`
	Seen    moment `json:"seen"`
	Expires moment `json:"expires"`
}

func (c *Calls) operatorSessions(ctx context.Context, in *operatorSessionsInput) (*list[operatorSessionRow], error) {
	whose, err := aboutWhom(ctx, in.Operator)
	if err != nil {
		return nil, err
	}
	open, err := c.Auth.Sessions(ctx, auth.KindOperator, whose)
	if err != nil {
		return nil, err
	}
	rows := []operatorSessionRow{}
	for _, s := range open {
		rows = append(rows, operatorSessionRow{s.ID, s.ID == sessionOf(ctx).ID, s.Peer, s.Agent, at(s.Created), at(s.Seen), at(s.Expires)})
	}
	return pageOf(rows, len(rows), 1, max(len(rows), 1)), nil
}

// aboutWhom is the operator that a call is about: oneself, or for owners anybody.
func aboutWhom(ctx context.Context, operator int64) (int64, error) {
	me := sessionOf(ctx)
	switch {
	case operator == 0 || operator == me.Operator:
		return me.Operator, nil
	case me.Role != auth.RoleOwner:
		return 0, errs.New(errs.Forbidden, "operator.owners_look_at_sessions", "Only owners look at other operators' sessions.")
	}
	return operator, nil
}

type endOperatorSessionInput struct {
	Body struct {
		ID       string `json:"id" minLength:"1" maxLength:"100"`
		Operator int64  `json:"operator,omitempty" minimum:"0" doc:"Another operator's number: for owners."`
	}
}

func (c *Calls) endOperatorSession(ctx context.Context, in *endOperatorSessionInput) (*sentence, error) {
	whose, err := aboutWhom(ctx, in.Body.Operator)
	if err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	if whose != by.Operator {
		return say(successful), c.Office.EndSession(ctx, by, whose, in.Body.ID)
	}
	return say(successful), c.Auth.EndSession(ctx, auth.KindOperator, whose, in.Body.ID)
}

func (c *Calls) endOtherOperatorSessions(ctx context.Context, _ *struct{}) (*sentence, error) {
	me := sessionOf(ctx)
	return say(successful), c.Auth.EndOthers(ctx, auth.KindOperator, me.Operator, me.ID)
}
