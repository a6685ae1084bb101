package signin

import (
	"context"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerOffice(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/login", "Sign in an operator by e-mail, password and code", c.loginOperator)
	httpx.Post(api, httpx.TagOperator, "operator/logout", "End this operator's session", c.logout)
	httpx.Get(api, httpx.TagOperator, "operator/me", "Retrieve the signed-in operator and the state of the second factor", c.operatorMe)
	httpx.Post(api, httpx.TagOperator, "operator/factor/begin", "Create a secret for the authenticator app, shown once; replacing a factor needs the password and the old factor", c.beginFactor)
	httpx.Post(api, httpx.TagOperator, "operator/factor/confirm", "Confirm the authenticator app by a code; returns the recovery codes, shown once", c.confirmFactor)
	httpx.Post(api, httpx.TagOperator, "operator/password", "Change the operator's password, given the old one and the second factor; all other sessions end", c.changeOperatorPassword)
	httpx.Get(api, httpx.TagOperator, "operator/sessions", "List an operator's open sessions", c.operatorSessions)
	httpx.Post(api, httpx.TagOperator, "operator/sessions/end", "End one session of an operator", c.endOperatorSession)
	httpx.Post(api, httpx.TagOperator, "operator/sessions/endOthers", "End all other sessions of the operator", c.endOtherOperatorSessions)
}

type operatorLoginInput struct {
	Agent string `header:"User-Agent"`
	Body  operatorLoginBody
}

type operatorLoginBody struct {
	Email    string `json:"email" minLength:"1" maxLength:"100"`
	Password string `json:"password" minLength:"1" maxLength:"200"`
	Code     string `json:"code,omitempty" maxLength:"30" doc:"A code of the authenticator app, or a recovery code; empty until a second factor is set."`
}

type operatorLoginResult struct {
	Result string `json:"result" doc:"'Successfull', or a message for the user."`
	httpx.MessageCode
	ResultID  string `json:"resultid,omitempty"`
	Username  string `json:"resultusername,omitempty"`
	Role      string `json:"role,omitempty"`
	MustEnrol bool   `json:"mustEnrol,omitempty" doc:"Whether the session can only set a second factor, because there is none yet."`
}

type operatorLoginAnswer struct {
	Data  operatorLoginResult `json:"data"`
	Token string              `json:"token,omitempty" doc:"The token for the Authorization header."`
}

type operatorLoginOutput struct{ Body operatorLoginAnswer }

func (c *Calls) loginOperator(ctx context.Context, in *operatorLoginInput) (*operatorLoginOutput, error) {
	g, err := c.Auth.LoginOperator(ctx, auth.OperatorLogin{Email: in.Body.Email, Password: in.Body.Password, Code: in.Body.Code, From: httpx.RequestOrigin(ctx, "", in.Agent)})
	if errors.Is(err, auth.ErrWrongOperator) {
		return &operatorLoginOutput{operatorLoginAnswer{Data: operatorLoginResult{Result: errs.MessageOf(err), MessageCode: httpx.CodeOf(errs.TextOf(err))}}}, nil
	}
	if err != nil {
		return nil, err
	}
	r := operatorLoginResult{httpx.Successful.Message, httpx.CodeOf(httpx.Successful), httpx.FormatID(g.Session.Owner), in.Body.Email, string(g.Session.Role), g.MustChange}
	return &operatorLoginOutput{operatorLoginAnswer{Data: r, Token: g.Token}}, nil
}

type operatorMe struct {
	ID           string          `json:"id"`
	Email        string          `json:"email"`
	Name         string          `json:"name"`
	Role         string          `json:"role"`
	MustEnrol    bool            `json:"mustEnrol" doc:"Whether a second factor must be set first."`
	FactorSet    httpx.Timestamp `json:"factorSet"`
	RecoveryLeft int             `json:"recoveryLeft" doc:"The number of unused recovery codes."`
	IdleSeconds  int             `json:"idleSeconds" doc:"The seconds without a call after which the session ends."`
	Expires      httpx.Timestamp `json:"expires" doc:"The expiry of the session."`
	Frozen       string          `json:"frozen" doc:"Why and since when payments are frozen; absent if they are not."`
}

func (c *Calls) operatorMe(ctx context.Context, _ *struct{}) (*httpx.Reply[operatorMe], error) {
	s := httpx.SessionOf(ctx)
	e, err := c.Auth.Enrolment(ctx, s.Operator)
	if err != nil {
		return nil, err
	}
	all, err := c.Auth.Operators(ctx)
	if err != nil {
		return nil, err
	}
	me := operatorMe{
		ID: httpx.FormatID(s.Operator), Role: string(s.Role), MustEnrol: s.MustChange, FactorSet: httpx.ToTimestamp(e.Set), RecoveryLeft: e.RecoveryLeft,
		IdleSeconds: int(c.Auth.OperatorIdle() / time.Second), Expires: httpx.ToTimestamp(s.Expires),
	}
	if me.Frozen, err = c.Frozen(ctx); err != nil {
		return nil, err
	}
	for _, o := range all {
		if o.ID == s.Operator {
			me.Email, me.Name = o.Email, o.Name
		}
	}
	return httpx.NewReply(me), nil
}

type factorBegun struct {
	Secret string `json:"secret" doc:"The secret for typing into the app."`
	URI    string `json:"uri" doc:"The URI to show as a QR code."`
}

type ProofInput struct {
	Agent string `header:"User-Agent"`
	Body  *Proof
}

func (c *Calls) beginFactor(ctx context.Context, in *ProofInput) (*httpx.Reply[factorBegun], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	return c.beginFactorOf(ctx, in, auth.Account{Product: staff.Product, Name: by.Name})
}

// beginFactorOf starts enrolling an authenticator app; account is the name shown in the
// app.
func (c *Calls) beginFactorOf(ctx context.Context, in *ProofInput, account auth.Account) (*httpx.Reply[factorBegun], error) {
	secret, uri, err := c.Auth.BeginFactor(ctx, httpx.SessionOf(ctx), account, in.Body.Evidence(), httpx.RequestOrigin(ctx, "", in.Agent))
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(factorBegun{secret, uri}), nil
}

type factorCodeInput struct {
	Agent string `header:"User-Agent"`
	Body  factorCode
}

type factorCode struct {
	Code string `json:"code" minLength:"6" maxLength:"12"`
}

type factorConfirmed struct {
	Recovery []string `json:"recovery" nullable:"false" doc:"Recovery codes, shown once; each replaces a code once."`
}

func (c *Calls) confirmFactor(ctx context.Context, in *factorCodeInput) (*httpx.Reply[factorConfirmed], error) {
	codes, err := c.Staff.ConfirmFactor(ctx, httpx.SessionOf(ctx), in.Body.Code, httpx.RequestOrigin(ctx, "", in.Agent))
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(factorConfirmed{codes}), nil
}

type operatorPasswordInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof
		NewPassword string `json:"newPassword" minLength:"1" maxLength:"200" doc:"The new password, 10 to 128 characters."`
	}
}

func (c *Calls) changeOperatorPassword(ctx context.Context, in *operatorPasswordInput) (*httpx.MessageReply, error) {
	return httpx.NewMessage(httpx.Successful), c.Staff.ChangePassword(ctx, httpx.SessionOf(ctx), in.Body.Evidence(), in.Body.NewPassword, httpx.RequestOrigin(ctx, "", in.Agent))
}

type operatorSessionsInput struct {
	Operator int64 `query:"operator" minimum:"0" doc:"Another operator's id; owners only."`
}

type operatorSessionRow struct {
	ID      string          `json:"id"`
	Current bool            `json:"current" doc:"Whether this is the caller's session."`
	Peer    string          `json:"address" doc:"The IP address that opened the session."`
	Agent   string          `json:"agent"`
	Created httpx.Timestamp `json:"created"`
	Seen    httpx.Timestamp `json:"seen"`
	Expires httpx.Timestamp `json:"expires"`
}

func (c *Calls) operatorSessions(ctx context.Context, in *operatorSessionsInput) (*httpx.List[operatorSessionRow], error) {
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
		rows = append(rows, operatorSessionRow{s.ID, s.ID == httpx.SessionOf(ctx).ID, s.Peer, s.Agent, httpx.ToTimestamp(s.Created), httpx.ToTimestamp(s.Seen), httpx.ToTimestamp(s.Expires)})
	}
	return httpx.NewList(rows, len(rows), 1, max(len(rows), 1)), nil
}

// aboutWhom returns the operator that a call is about: the caller, or for owners any
// operator.
func aboutWhom(ctx context.Context, operator int64) (int64, error) {
	me := httpx.SessionOf(ctx)
	switch {
	case operator == 0 || operator == me.Operator:
		return me.Operator, nil
	case me.Role != auth.RoleOwner:
		return 0, errs.New(errs.Forbidden, "operator.owners_look_at_sessions", "Only owners can see the sessions of other operators.")
	}
	return operator, nil
}

type endOperatorSessionInput struct {
	Body struct {
		ID       string `json:"id" minLength:"1" maxLength:"100"`
		Operator int64  `json:"operator,omitempty" minimum:"0" doc:"Another operator's id; owners only."`
	}
}

func (c *Calls) endOperatorSession(ctx context.Context, in *endOperatorSessionInput) (*httpx.MessageReply, error) {
	whose, err := aboutWhom(ctx, in.Body.Operator)
	if err != nil {
		return nil, err
	}
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	if whose != by.Operator {
		return httpx.NewMessage(httpx.Successful), c.Staff.EndSession(ctx, by, whose, in.Body.ID)
	}
	return httpx.NewMessage(httpx.Successful), c.Auth.EndSession(ctx, auth.KindOperator, whose, in.Body.ID)
}

func (c *Calls) endOtherOperatorSessions(ctx context.Context, _ *struct{}) (*httpx.MessageReply, error) {
	me := httpx.SessionOf(ctx)
	return httpx.NewMessage(httpx.Successful), c.Auth.EndOthers(ctx, auth.KindOperator, me.Operator, me.ID)
}

func (c *Calls) registerProve(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/prove", "Prove the operator's presence again, for calls that need a proof", c.prove)
}

type proveInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof   string       `json:"proof,omitempty" maxLength:"200" doc:"The operator's password, or a code of the authenticator app."`
		Passkey *PasskeySaid `json:"passkey,omitempty" doc:"Instead of proof: the passkey's response to the challenge of operator/passkey/prove."`
	}
}

type provedUntil struct {
	Until httpx.Timestamp `json:"until" doc:"The expiry of the proof in this session."`
}

func (c *Calls) prove(ctx context.Context, in *proveInput) (*httpx.Reply[provedUntil], error) {
	if in.Body.Proof == "" && in.Body.Passkey == nil {
		return nil, errs.BadField("proof", "auth.proof_missing", "Enter your password or a code of your app, or use a passkey.")
	}
	until, err := c.Auth.Prove(ctx, httpx.SessionOf(ctx), in.Body.Proof, in.Body.Passkey.Assertion(), httpx.RequestOrigin(ctx, "", in.Agent))
	if err != nil {
		return nil, errs.About("proof", err)
	}
	return httpx.NewReply(provedUntil{httpx.ToTimestamp(until)}), nil
}
