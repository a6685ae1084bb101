package httpapi

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerPasskeys(api huma.API) {
	post(api, tagOperator, "operator/passkey/begin", "Get a challenge that an operator's passkey signs", c.beginPasskeyLogin)
	post(api, tagOperator, "operator/passkey/login", "Sign an operator in by a passkey that has signed the challenge", c.loginPasskey)
	post(api, tagOperator, "operator/passkey/prove", "Get a challenge that one's own passkey signs beside the password", c.beginProof)
	get(api, tagOperator, "operator/passkeys", "One's own passkeys, and where they can be used", c.passkeys)
	post(api, tagOperator, "operator/passkeys/begin", "Get what a browser needs to make a passkey", c.beginPasskey)
	post(api, tagOperator, "operator/passkeys/add", "Add the passkey that the browser made", c.addPasskey)
	post(api, tagOperator, "operator/passkeys/remove", "Remove one of one's own passkeys", c.removePasskey)
}

// challengeMillis is how long browsers wait for the person, as long as a
// challenge is good.
const challengeMillis = 5 * 60 * 1000

type agentInput struct {
	Agent string `header:"User-Agent"`
}

type passkeySignIn struct {
	Flow    string            `json:"flow" doc:"To be sent back with the answer."`
	Origin  string            `json:"origin" doc:"Where passkeys can be used: the page's own origin, or browsers refuse."`
	Options passkeyGetOptions `json:"options" doc:"For PublicKeyCredential.parseRequestOptionsFromJSON."`
}

type passkeyGetOptions struct {
	Challenge        bytes64             `json:"challenge"`
	RPID             string              `json:"rpId"`
	Timeout          int                 `json:"timeout"`
	UserVerification string              `json:"userVerification" enum:"required"`
	Allow            []passkeyDescriptor `json:"allowCredentials" nullable:"false" doc:"Which passkeys may sign; empty for any."`
}

// signInOf is what a browser needs to have a passkey sign.
func signInOf(o auth.SignInOptions) passkeySignIn {
	return passkeySignIn{o.Flow, o.Site.Origin, passkeyGetOptions{o.Challenge, o.Site.Host, challengeMillis, "required", descriptors(o.Have)}}
}

func descriptors(all []auth.PasskeyRow) []passkeyDescriptor {
	out := []passkeyDescriptor{}
	for _, p := range all {
		out = append(out, passkeyDescriptor{publicKey, p.Credential, p.Transports})
	}
	return out
}

// beginProof is for operators and members.
func (c *Calls) beginProof(ctx context.Context, _ *agentInput) (*reply[passkeySignIn], error) {
	o, err := c.Auth.BeginProof(ctx, sessionOf(ctx))
	if err != nil {
		return nil, err
	}
	return answer(signInOf(o)), nil
}

func (c *Calls) beginPasskeyLogin(ctx context.Context, in *agentInput) (*reply[passkeySignIn], error) {
	o, err := c.Auth.BeginPasskeyLogin(ctx, from(ctx, "", in.Agent))
	if err != nil {
		return nil, err
	}
	return answer(signInOf(o)), nil
}

// passkeySaid is what a browser's passkey has signed.
type passkeySaid struct {
	Flow          string  `json:"flow" minLength:"1" maxLength:"100"`
	Credential    bytes64 `json:"id" maxLength:"1400" doc:"The credential's id."`
	ClientData    bytes64 `json:"clientDataJSON" maxLength:"8000"`
	Authenticator bytes64 `json:"authenticatorData" maxLength:"4000"`
	Signature     bytes64 `json:"signature" maxLength:"4000"`
	Handle        bytes64 `json:"userHandle,omitempty" maxLength:"100"`
}

func (b *passkeySaid) assertion() *auth.Assertion {
	if b == nil {
		return nil
	}
	return &auth.Assertion{Flow: b.Flow, Credential: b.Credential, ClientData: b.ClientData, Authenticator: b.Authenticator, Signature: b.Signature, Handle: b.Handle}
}

// Proof is how a caller proves again who they are; exported because huma does not
// look into embedded types that are not.
type Proof struct {
	Password string       `json:"password,omitempty" maxLength:"200" doc:"The caller's password."`
	Code     string       `json:"code,omitempty" maxLength:"30" doc:"Of the authenticator app, or a recovery code, which is used up; where there is a second factor."`
	Passkey  *passkeySaid `json:"passkey,omitempty" doc:"In place of the code: what one of the caller's passkeys has signed."`
}

func (p *Proof) evidence() auth.Evidence {
	if p == nil { // an operator's first sign-in sends none
		return auth.Evidence{}
	}
	return auth.Evidence{Password: p.Password, Code: p.Code, Passkey: p.Passkey.assertion()}
}

type passkeyLoginInput struct {
	Agent string `header:"User-Agent"`
	Body  passkeySaid
}

func (c *Calls) loginPasskey(ctx context.Context, in *passkeyLoginInput) (*operatorLoginOutput, error) {
	g, err := c.Auth.LoginPasskey(ctx, auth.PasskeyLogin{Assertion: *in.Body.assertion(), From: from(ctx, "", in.Agent)})
	if errors.Is(err, auth.ErrWrongPasskey) {
		return &operatorLoginOutput{operatorLoginAnswer{Data: operatorLoginResult{Result: errs.MessageOf(err), Said: codeOf(errs.TextOf(err))}}}, nil
	}
	if err != nil {
		return nil, err
	}
	r := operatorLoginResult{Result: successful.Message, Said: codeOf(successful), ResultID: id(g.Session.Owner), Role: string(g.Session.Role)}
	return &operatorLoginOutput{operatorLoginAnswer{Data: r, Token: g.Token}}, nil
}

type ownPasskeys struct {
	Origin  string `json:"origin" doc:"Where passkeys can be used; empty if nowhere."`
	Refusal string `json:"refusal" doc:"Why they cannot be used; empty if they can."`
	Said
	Passkeys []passkeyRow `json:"passkeys" nullable:"false"`
}

type passkeyRow struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Created moment `json:"created"`
	Used    moment `json:"used" doc:"At the last sign-in."`
}

func rowOfPasskey(p auth.PasskeyRow) passkeyRow {
	return passkeyRow{id(p.ID), p.Name, at(p.Created), at(p.Used)}
}

func (c *Calls) passkeys(ctx context.Context, _ *struct{}) (*reply[ownPasskeys], error) {
	all, err := c.Auth.Passkeys(ctx, sessionOf(ctx))
	if err != nil {
		return nil, err
	}
	out := ownPasskeys{Passkeys: []passkeyRow{}}
	site, refused := c.Auth.PasskeySite()
	if out.Origin = site.Origin; refused != nil {
		out.Refusal, out.Said = errs.MessageOf(refused), codeOf(errs.TextOf(refused))
	}
	for _, p := range all {
		out.Passkeys = append(out.Passkeys, rowOfPasskey(p))
	}
	return answer(out), nil
}

type beginPasskeyInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof
		Name string `json:"name" maxLength:"200" doc:"What the caller calls the device; 1 to 60 characters."`
	}
}

type passkeyBegun struct {
	Flow    string               `json:"flow" doc:"To be sent back with the answer."`
	Origin  string               `json:"origin" doc:"Where passkeys can be used: the page's own origin, or browsers refuse."`
	Options passkeyCreateOptions `json:"options" doc:"For PublicKeyCredential.parseCreationOptionsFromJSON."`
}

type passkeyCreateOptions struct {
	RP struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"rp"`
	User struct {
		ID          bytes64 `json:"id"`
		Name        string  `json:"name"`
		DisplayName string  `json:"displayName"`
	} `json:"user"`
	Challenge  bytes64             `json:"challenge"`
	Parameters []passkeyAlgorithm  `json:"pubKeyCredParams" nullable:"false"`
	Timeout    int                 `json:"timeout"`
	Exclude    []passkeyDescriptor `json:"excludeCredentials" nullable:"false"`
	Selection  struct {
		ResidentKey        string `json:"residentKey" enum:"required"`
		RequireResidentKey bool   `json:"requireResidentKey"`
		UserVerification   string `json:"userVerification" enum:"required"`
	} `json:"authenticatorSelection"`
	Attestation string `json:"attestation" enum:"none"`
}

type passkeyAlgorithm struct {
	Type string `json:"type" enum:"public-key"`
	Alg  int64  `json:"alg"`
}

type passkeyDescriptor struct {
	Type       string   `json:"type" enum:"public-key"`
	ID         bytes64  `json:"id"`
	Transports []string `json:"transports,omitempty" nullable:"false"`
}

const publicKey = "public-key"

func (c *Calls) beginPasskey(ctx context.Context, in *beginPasskeyInput) (*reply[passkeyBegun], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	return c.beginPasskeyOf(ctx, in, by.Name)
}

// beginPasskeyOf begins for an account as devices name it.
func (c *Calls) beginPasskeyOf(ctx context.Context, in *beginPasskeyInput, account string) (*reply[passkeyBegun], error) {
	o, err := c.Auth.BeginPasskey(ctx, sessionOf(ctx), in.Body.Name, in.Body.evidence(), from(ctx, "", in.Agent))
	if err != nil {
		return nil, err
	}
	var x passkeyCreateOptions
	x.RP.ID, x.RP.Name = o.Site.Host, o.Site.Host
	x.User.ID, x.User.Name, x.User.DisplayName = o.Handle, account, account
	x.Challenge, x.Timeout, x.Attestation = o.Challenge, challengeMillis, "none"
	x.Selection.ResidentKey, x.Selection.RequireResidentKey, x.Selection.UserVerification = "required", true, "required"
	for _, a := range o.Algorithms {
		x.Parameters = append(x.Parameters, passkeyAlgorithm{publicKey, a})
	}
	x.Exclude = descriptors(o.Have)
	return answer(passkeyBegun{o.Flow, o.Site.Origin, x}), nil
}

type addPasskeyInput struct {
	Body struct {
		Flow       string   `json:"flow" minLength:"1" maxLength:"100"`
		Credential bytes64  `json:"id" maxLength:"1400" doc:"The credential's id."`
		ClientData bytes64  `json:"clientDataJSON" maxLength:"8000"`
		Object     bytes64  `json:"attestationObject" maxLength:"20000"`
		Transports []string `json:"transports,omitempty" maxItems:"20" nullable:"false"`
	}
}

func (in *addPasskeyInput) made() auth.NewPasskey {
	b := in.Body
	return auth.NewPasskey{Flow: b.Flow, Credential: b.Credential, ClientData: b.ClientData, Object: b.Object, Transports: b.Transports}
}

func (c *Calls) addPasskey(ctx context.Context, in *addPasskeyInput) (*reply[passkeyRow], error) {
	p, err := c.Office.AddPasskey(ctx, sessionOf(ctx), in.made())
	if err != nil {
		return nil, err
	}
	return answer(rowOfPasskey(p)), nil
}

type removePasskeyInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof
		ID text `json:"id"`
	}
}

func (c *Calls) removePasskey(ctx context.Context, in *removePasskeyInput) (*sentence, error) {
	var f fields
	which := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	return say(successful), c.Office.RemovePasskey(ctx, sessionOf(ctx), which, in.Body.evidence(), from(ctx, "", in.Agent))
}

// bytes64 is bytes as browsers write those of passkeys: base64url, not padded.
type bytes64 []byte

// MarshalJSON writes them.
func (b bytes64) MarshalJSON() ([]byte, error) {
	return json.Marshal(base64.RawURLEncoding.EncodeToString(b))
}

// UnmarshalJSON reads them. What is not written like that is nothing, which no
// passkey has signed.
func (b *bytes64) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	var err error
	if *b, err = base64.RawURLEncoding.DecodeString(s); err != nil {
		*b = nil
	}
	return nil
}

// Schema tells the contract how they are written.
func (bytes64) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Description: "base64url without padding"}
}
