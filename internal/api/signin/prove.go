package signin

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

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
