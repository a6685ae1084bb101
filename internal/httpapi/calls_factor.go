package httpapi

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Members' second factors.

func (c *Calls) registerFactor(api huma.API) {
	post(api, tagAccess, "login/factor", "Second step of a member's sign-in: a code or a passkey", c.loginSecond)
	get(api, tagAccess, "factor", "How the member stands with a second factor", c.factor)
	post(api, tagAccess, "factor/prove", "Get a challenge that the member's passkey signs beside the password", c.beginProof)
	post(api, tagAccess, "factor/begin", "Get a secret for the authenticator app, told once", c.beginMemberFactor)
	post(api, tagAccess, "factor/confirm", "Confirm the app by a code; answers the recovery codes, told once", c.confirmMemberFactor)
	post(api, tagAccess, "factor/recovery", "Get new recovery codes, told once", c.renewRecovery)
	post(api, tagAccess, "factor/disable", "Turn the second factor off, passkeys included", c.disableFactor)
	post(api, tagAccess, "factor/passkeys/begin", "Get what a browser needs to make a passkey", c.beginMemberPasskey)
	post(api, tagAccess, "factor/passkeys/add", "Add the passkey that the browser made", c.addMemberPasskey)
	post(api, tagAccess, "factor/passkeys/rename", "Give one of the member's passkeys another name", c.renamePasskey)
	post(api, tagAccess, "factor/passkeys/remove", "Remove one of the member's passkeys", c.removeMemberPasskey)
}

// secondStep tells a browser what to ask for after the password.
type secondStep struct {
	Flow    string             `json:"flow" doc:"To be sent with the code or passkey."`
	App     bool               `json:"app" doc:"A code of the authenticator app is taken, or a recovery code."`
	Until   moment             `json:"until" doc:"After it the password is asked for again."`
	Origin  string             `json:"origin" doc:"Where passkeys can be used; empty if nowhere."`
	Passkey *passkeyGetOptions `json:"passkey,omitempty" doc:"For PublicKeyCredential.parseRequestOptionsFromJSON; absent where there is no passkey."`
}

func stepOf(s *auth.SecondStep) *secondStep {
	out := &secondStep{Flow: s.Flow, App: s.App, Until: at(s.Until), Origin: s.Site.Origin}
	if len(s.Have) > 0 {
		o := signInOf(s.SignInOptions).Options
		out.Passkey = &o
	}
	return out
}

type secondInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Flow      string       `json:"flow" minLength:"1" maxLength:"100" doc:"Of the first step."`
		Code      string       `json:"code,omitempty" maxLength:"30" doc:"Of the authenticator app, or a recovery code."`
		Passkey   *passkeySaid `json:"passkey,omitempty" doc:"In place of the code."`
		IPAddress string       `json:"ipaddress,omitempty" doc:"What the client takes for its address. It is noted, not believed."`
	}
}

func (c *Calls) loginSecond(ctx context.Context, in *secondInput) (*loginOutput, error) {
	g, err := c.Auth.LoginSecond(ctx, auth.SecondLogin{
		Flow: in.Body.Flow, Code: in.Body.Code, Passkey: in.Body.Passkey.assertion(), From: from(ctx, in.Body.IPAddress, in.Agent),
	})
	if errors.Is(err, auth.ErrWrongSecond) || errors.Is(err, auth.ErrSecondOver) {
		return &loginOutput{loginAnswer{Data: loginResult{Result: errs.MessageOf(err), Said: codeOf(errs.TextOf(err)), Over: errors.Is(err, auth.ErrSecondOver) || in.Body.Passkey != nil}}}, nil
	}
	if err != nil {
		return nil, err
	}
	return c.granted(ctx, g.Session.Owner, g)
}

type factorAnswer struct {
	Set          moment `json:"set" doc:"Since when there is a second factor; empty while there is none."`
	App          bool   `json:"app" doc:"There is an authenticator app."`
	RecoveryLeft int    `json:"recoveryLeft" doc:"How many recovery codes are unused."`
	Waits        moment `json:"waits" doc:"Until when money waits after a change; empty if it does not."`
	Above        *usd   `json:"above" nullable:"true" doc:"Withdrawals above it take a second factor; null if none does."`
	Origin       string `json:"origin" doc:"Where passkeys can be used; empty if nowhere."`
	Refusal      string `json:"refusal" doc:"Why passkeys cannot be used; empty if they can."`
	Said
	Passkeys []passkeyRow `json:"passkeys" nullable:"false"`
}

func (c *Calls) factor(ctx context.Context, _ *struct{}) (*reply[factorAnswer], error) {
	s := sessionOf(ctx)
	e, err := c.Auth.MemberEnrolment(ctx, s.Owner)
	if err != nil {
		return nil, err
	}
	list, err := c.passkeys(ctx, nil)
	if err != nil {
		return nil, err
	}
	out := factorAnswer{Set: at(e.Set), App: e.App, RecoveryLeft: e.RecoveryLeft, Origin: list.Body.Data.Origin, Refusal: list.Body.Data.Refusal, Said: list.Body.Data.Said, Passkeys: list.Body.Data.Passkeys}
	if above := c.Cashier.Limits().FactorAbove; !above.IsZero() {
		limit := dollars(above)
		out.Above = &limit
	}
	wait, err := c.Auth.Wait(ctx, s.Owner)
	if err != nil {
		return nil, err
	}
	if !wait.Over(c.Clock.Now()) {
		out.Waits = at(wait.Until)
	}
	return answer(out), nil
}

func (c *Calls) beginMemberFactor(ctx context.Context, in *proofInput) (*reply[factorBegun], error) {
	return c.beginFactorOf(ctx, in, auth.Account{Product: c.Settings.Current().Site.Name, Name: id(sessionOf(ctx).Owner)})
}

func recoveryCodes(codes []string, err error) (*reply[factorConfirmed], error) {
	if err != nil {
		return nil, err
	}
	return answer(factorConfirmed{codes}), nil
}

func (c *Calls) confirmMemberFactor(ctx context.Context, in *factorCodeInput) (*reply[factorConfirmed], error) {
	return recoveryCodes(c.Profile.ConfirmFactor(ctx, sessionOf(ctx), in.Body.Code, from(ctx, "", in.Agent)))
}

func (c *Calls) renewRecovery(ctx context.Context, in *proofInput) (*reply[factorConfirmed], error) {
	return recoveryCodes(c.Profile.RenewRecovery(ctx, sessionOf(ctx), in.Body.evidence(), from(ctx, "", in.Agent)))
}

func (c *Calls) disableFactor(ctx context.Context, in *proofInput) (*sentence, error) {
	return say(successful), c.Profile.DisableFactor(ctx, sessionOf(ctx), in.Body.evidence(), from(ctx, "", in.Agent))
}

func (c *Calls) beginMemberPasskey(ctx context.Context, in *beginPasskeyInput) (*reply[passkeyBegun], error) {
	return c.beginPasskeyOf(ctx, in, id(sessionOf(ctx).Owner))
}

type passkeyAdded struct {
	Passkey  passkeyRow `json:"passkey"`
	Recovery []string   `json:"recovery" nullable:"false" doc:"Recovery codes, told once, when this is the first second factor; else empty."`
}

func (c *Calls) addMemberPasskey(ctx context.Context, in *addPasskeyInput) (*reply[passkeyAdded], error) {
	p, recovery, err := c.Profile.AddPasskey(ctx, sessionOf(ctx), in.made())
	if err != nil {
		return nil, err
	}
	if recovery == nil {
		recovery = []string{}
	}
	return answer(passkeyAdded{rowOfPasskey(p), recovery}), nil
}

type renamePasskeyInput struct {
	Body struct {
		ID   text   `json:"id"`
		Name string `json:"name" maxLength:"200" doc:"1 to 60 characters."`
	}
}

func (c *Calls) renamePasskey(ctx context.Context, in *renamePasskeyInput) (*sentence, error) {
	var f fields
	which := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	return say(successful), c.Auth.RenamePasskey(ctx, sessionOf(ctx), which, in.Body.Name)
}

func (c *Calls) removeMemberPasskey(ctx context.Context, in *removePasskeyInput) (*sentence, error) {
	var f fields
	which := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	return say(successful), c.Profile.RemovePasskey(ctx, sessionOf(ctx), which, in.Body.evidence(), from(ctx, "", in.Agent))
}
