package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerProve(api huma.API) {
	post(api, tagOperator, "operator/prove", "Prove again within the session that its operator is there, for calls that need it", c.prove)
}

type proveInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof   string       `json:"proof,omitempty" maxLength:"200" doc:"The operator's password, or a code of the authenticator app."`
		Passkey *passkeySaid `json:"passkey,omitempty" doc:"In place of proof: what one of the operator's passkeys has signed for operator/passkey/prove."`
	}
}

type provedUntil struct {
	Until moment `json:"until" doc:"Until when calls that need a proof are answered in this session."`
}

func (c *Calls) prove(ctx context.Context, in *proveInput) (*reply[provedUntil], error) {
	if in.Body.Proof == "" && in.Body.Passkey == nil {
		return nil, errs.BadField("proof", "auth.proof_missing", "Enter your password or a code of your app, or use a passkey.")
	}
	until, err := c.Auth.Prove(ctx, sessionOf(ctx), in.Body.Proof, in.Body.Passkey.assertion(), from(ctx, "", in.Agent))
	if err != nil {
		return nil, errs.About("proof", err)
	}
	return answer(provedUntil{at(until)}), nil
}
