package signin

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Second factors of members.

func (c *Calls) registerFactor(api huma.API) {
	httpx.Post(api, httpx.TagAccess, "login/factor", "Complete a member's sign-in with a code or a passkey", c.loginSecond)
	httpx.Get(api, httpx.TagAccess, "factor", "Retrieve the state of the member's second factor", c.factor)
	httpx.Post(api, httpx.TagAccess, "factor/prove", "Create a passkey challenge that complements the password", c.beginProof)
	httpx.Post(api, httpx.TagAccess, "factor/begin", "Create a secret for the authenticator app, shown once", c.beginMemberFactor)
	httpx.Post(api, httpx.TagAccess, "factor/confirm", "Confirm the authenticator app by a code; returns the recovery codes, shown once", c.confirmMemberFactor)
	httpx.Post(api, httpx.TagAccess, "factor/recovery", "Create new recovery codes, shown once", c.renewRecovery)
	httpx.Post(api, httpx.TagAccess, "factor/disable", "Turn off the second factor, passkeys included", c.disableFactor)
	httpx.Post(api, httpx.TagAccess, "factor/passkeys/begin", "Create the options for a new passkey", c.beginMemberPasskey)
	httpx.Post(api, httpx.TagAccess, "factor/passkeys/add", "Add a passkey created by the browser", c.addMemberPasskey)
	httpx.Post(api, httpx.TagAccess, "factor/passkeys/rename", "Rename a passkey of the member", c.renamePasskey)
	httpx.Post(api, httpx.TagAccess, "factor/passkeys/remove", "Remove a passkey of the member", c.removeMemberPasskey)
}

// secondStep tells the browser what to ask for after the password.
type secondStep struct {
	Flow    string             `json:"flow" doc:"The id of the sign-in, to be sent with the code or passkey."`
	App     bool               `json:"app" doc:"Whether a code of the authenticator app or a recovery code is accepted."`
	Until   httpx.Timestamp    `json:"until" doc:"The expiry; after it, sign-in starts again with the password."`
	Origin  string             `json:"origin" doc:"The origin where passkeys work; empty if there is none."`
	Passkey *passkeyGetOptions `json:"passkey,omitempty" doc:"The input of PublicKeyCredential.parseRequestOptionsFromJSON; absent without a passkey."`
}

func stepOf(s *auth.SecondStep) *secondStep {
	out := &secondStep{Flow: s.Flow, App: s.App, Until: httpx.ToTimestamp(s.Until), Origin: s.Site.Origin}
	if len(s.Have) > 0 {
		o := SignInOf(s.SignInOptions).Options
		out.Passkey = &o
	}
	return out
}

type secondInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Flow      string       `json:"flow" minLength:"1" maxLength:"100" doc:"The flow of the first step."`
		Code      string       `json:"code,omitempty" maxLength:"30" doc:"A code of the authenticator app, or a recovery code."`
		Passkey   *PasskeySaid `json:"passkey,omitempty" doc:"The passkey's response, instead of the code."`
		IPAddress string       `json:"ipaddress,omitempty" doc:"The client's view of its IP address; recorded, not trusted."`
	}
}

func (c *Calls) loginSecond(ctx context.Context, in *secondInput) (*loginOutput, error) {
	g, err := c.Auth.LoginSecond(ctx, auth.SecondLogin{
		Flow: in.Body.Flow, Code: in.Body.Code, Passkey: in.Body.Passkey.Assertion(), From: httpx.RequestOrigin(ctx, in.Body.IPAddress, in.Agent),
	})
	if errors.Is(err, auth.ErrWrongSecond) || errors.Is(err, auth.ErrSecondOver) {
		return &loginOutput{loginAnswer{Data: loginResult{Result: errs.MessageOf(err), MessageCode: httpx.CodeOf(errs.TextOf(err)), Over: errors.Is(err, auth.ErrSecondOver) || in.Body.Passkey != nil}}}, nil
	}
	if err != nil {
		return nil, err
	}
	return c.granted(ctx, g.Session.Owner, g)
}

type factorAnswer struct {
	Set          httpx.Timestamp `json:"set" doc:"The time since which a second factor is set; empty if there is none."`
	App          bool            `json:"app" doc:"Whether an authenticator app is set."`
	RecoveryLeft int             `json:"recoveryLeft" doc:"The number of unused recovery codes."`
	Waits        httpx.Timestamp `json:"waits" doc:"The time until which withdrawals pause after a change; empty if they do not."`
	Above        *httpx.USD      `json:"above" nullable:"true" doc:"The amount above which withdrawals need a second factor; null if none do."`
	Origin       string          `json:"origin" doc:"The origin where passkeys work; empty if there is none."`
	Refusal      string          `json:"refusal" doc:"Why passkeys do not work; empty if they do."`
	httpx.MessageCode
	Passkeys []passkeyRow `json:"passkeys" nullable:"false"`
}

func (c *Calls) factor(ctx context.Context, _ *struct{}) (*httpx.Reply[factorAnswer], error) {
	s := httpx.SessionOf(ctx)
	e, err := c.Auth.MemberEnrolment(ctx, s.Owner)
	if err != nil {
		return nil, err
	}
	list, err := c.passkeys(ctx, nil)
	if err != nil {
		return nil, err
	}
	out := factorAnswer{Set: httpx.ToTimestamp(e.Set), App: e.App, RecoveryLeft: e.RecoveryLeft, Origin: list.Body.Data.Origin, Refusal: list.Body.Data.Refusal, MessageCode: list.Body.Data.MessageCode, Passkeys: list.Body.Data.Passkeys}
	if above := c.Cashier.Limits().FactorAbove; !above.IsZero() {
		limit := httpx.ToUSD(above)
		out.Above = &limit
	}
	wait, err := c.Auth.Wait(ctx, s.Owner)
	if err != nil {
		return nil, err
	}
	if !wait.Over(c.Clock.Now()) {
		out.Waits = httpx.ToTimestamp(wait.Until)
	}
	return httpx.NewReply(out), nil
}

func (c *Calls) beginMemberFactor(ctx context.Context, in *ProofInput) (*httpx.Reply[factorBegun], error) {
	return c.beginFactorOf(ctx, in, auth.Account{Product: c.Settings.Current().Site.Name, Name: httpx.FormatID(httpx.SessionOf(ctx).Owner)})
}

func recoveryCodes(codes []string, err error) (*httpx.Reply[factorConfirmed], error) {
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(factorConfirmed{codes}), nil
}

func (c *Calls) confirmMemberFactor(ctx context.Context, in *factorCodeInput) (*httpx.Reply[factorConfirmed], error) {
	return recoveryCodes(c.Profile.ConfirmFactor(ctx, httpx.SessionOf(ctx), in.Body.Code, httpx.RequestOrigin(ctx, "", in.Agent)))
}

func (c *Calls) renewRecovery(ctx context.Context, in *ProofInput) (*httpx.Reply[factorConfirmed], error) {
	return recoveryCodes(c.Profile.RenewRecovery(ctx, httpx.SessionOf(ctx), in.Body.Evidence(), httpx.RequestOrigin(ctx, "", in.Agent)))
}

func (c *Calls) disableFactor(ctx context.Context, in *ProofInput) (*httpx.MessageReply, error) {
	return httpx.NewMessage(httpx.Successful), c.Profile.DisableFactor(ctx, httpx.SessionOf(ctx), in.Body.Evidence(), httpx.RequestOrigin(ctx, "", in.Agent))
}

func (c *Calls) beginMemberPasskey(ctx context.Context, in *beginPasskeyInput) (*httpx.Reply[passkeyBegun], error) {
	return c.beginPasskeyOf(ctx, in, httpx.FormatID(httpx.SessionOf(ctx).Owner))
}

type passkeyAdded struct {
	Passkey  passkeyRow `json:"passkey"`
	Recovery []string   `json:"recovery" nullable:"false" doc:"Recovery codes, shown once, if this is the first second factor; else empty."`
}

func (c *Calls) addMemberPasskey(ctx context.Context, in *addPasskeyInput) (*httpx.Reply[passkeyAdded], error) {
	p, recovery, err := c.Profile.AddPasskey(ctx, httpx.SessionOf(ctx), in.made())
	if err != nil {
		return nil, err
	}
	if recovery == nil {
		recovery = []string{}
	}
	return httpx.NewReply(passkeyAdded{rowOfPasskey(p), recovery}), nil
}

type renamePasskeyInput struct {
	Body struct {
		ID   httpx.StringOrInt `json:"id"`
		Name string            `json:"name" maxLength:"200" doc:"The name, 1 to 60 characters."`
	}
}

func (c *Calls) renamePasskey(ctx context.Context, in *renamePasskeyInput) (*httpx.MessageReply, error) {
	var f httpx.FieldErrors
	which := f.RecordID("id", in.Body.ID)
	if err := f.Err(); err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Auth.RenamePasskey(ctx, httpx.SessionOf(ctx), which, in.Body.Name)
}

func (c *Calls) removeMemberPasskey(ctx context.Context, in *removePasskeyInput) (*httpx.MessageReply, error) {
	var f httpx.FieldErrors
	which := f.RecordID("id", in.Body.ID)
	if err := f.Err(); err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Profile.RemovePasskey(ctx, httpx.SessionOf(ctx), which, in.Body.Evidence(), httpx.RequestOrigin(ctx, "", in.Agent))
}
