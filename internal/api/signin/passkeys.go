package signin

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerPasskeys(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/passkey/begin", "Create a challenge for an operator's passkey", c.beginPasskeyLogin)
	httpx.Post(api, httpx.TagOperator, "operator/passkey/login", "Sign in an operator by a passkey", c.loginPasskey)
	httpx.Post(api, httpx.TagOperator, "operator/passkey/prove", "Create a passkey challenge that complements the operator's password", c.beginProof)
	httpx.Get(api, httpx.TagOperator, "operator/passkeys", "List the operator's passkeys and their origin", c.passkeys)
	httpx.Post(api, httpx.TagOperator, "operator/passkeys/begin", "Create the options for a new passkey", c.beginPasskey)
	httpx.Post(api, httpx.TagOperator, "operator/passkeys/add", "Add a passkey created by the browser", c.addPasskey)
	httpx.Post(api, httpx.TagOperator, "operator/passkeys/remove", "Remove a passkey of the operator", c.removePasskey)
}

// challengeMillis is how long browsers wait for the user: the lifetime of a challenge.
const challengeMillis = 5 * 60 * 1000

type agentInput struct {
	Agent string `header:"User-Agent"`
}

type PasskeySignIn struct {
	Flow    string            `json:"flow" doc:"The id of the challenge, to be sent back with the response."`
	Origin  string            `json:"origin" doc:"The origin where passkeys work; browsers refuse it on other pages."`
	Options passkeyGetOptions `json:"options" doc:"The input of PublicKeyCredential.parseRequestOptionsFromJSON."`
}

type passkeyGetOptions struct {
	Challenge        bytes64             `json:"challenge"`
	RPID             string              `json:"rpId"`
	Timeout          int                 `json:"timeout"`
	UserVerification string              `json:"userVerification" enum:"required"`
	Allow            []passkeyDescriptor `json:"allowCredentials" nullable:"false" doc:"The passkeys that may sign; empty for any."`
}

// SignInOf returns the input for a browser to sign with a passkey.
func SignInOf(o auth.SignInOptions) PasskeySignIn {
	return PasskeySignIn{o.Flow, o.Site.Origin, passkeyGetOptions{o.Challenge, o.Site.Host, challengeMillis, "required", descriptors(o.Have)}}
}

func descriptors(all []auth.PasskeyRow) []passkeyDescriptor {
	out := []passkeyDescriptor{}
	for _, p := range all {
		out = append(out, passkeyDescriptor{publicKey, p.Credential, p.Transports})
	}
	return out
}

// beginProof serves operators and members.
func (c *Calls) beginProof(ctx context.Context, _ *agentInput) (*httpx.Reply[PasskeySignIn], error) {
	return httpx.ReplyAs(SignInOf)(c.Auth.BeginProof(ctx, httpx.SessionOf(ctx)))
}

func (c *Calls) beginPasskeyLogin(ctx context.Context, in *agentInput) (*httpx.Reply[PasskeySignIn], error) {
	return httpx.ReplyAs(SignInOf)(c.Auth.BeginPasskeyLogin(ctx, httpx.RequestOrigin(ctx, "", in.Agent)))
}

type PasskeySaid struct {
	Flow          string  `json:"flow" minLength:"1" maxLength:"100"`
	Credential    bytes64 `json:"id" maxLength:"1400" doc:"The id of the credential."`
	ClientData    bytes64 `json:"clientDataJSON" maxLength:"8000"`
	Authenticator bytes64 `json:"authenticatorData" maxLength:"4000"`
	Signature     bytes64 `json:"signature" maxLength:"4000"`
	Handle        bytes64 `json:"userHandle,omitempty" maxLength:"100"`
}

func (b *PasskeySaid) Assertion() *auth.Assertion {
	if b == nil {
		return nil
	}
	return &auth.Assertion{Flow: b.Flow, Credential: b.Credential, ClientData: b.ClientData, Authenticator: b.Authenticator, Signature: b.Signature, Handle: b.Handle}
}

// Proof proves the caller's presence again. It is exported because huma ignores embedded
// types that are not.
type Proof struct {
	Password string       `json:"password,omitempty" maxLength:"200" doc:"The caller's password."`
	Code     string       `json:"code,omitempty" maxLength:"30" doc:"A code of the authenticator app or a recovery code, which is used up; required with a second factor."`
	Passkey  *PasskeySaid `json:"passkey,omitempty" doc:"Instead of the code: the response of a passkey of the caller."`
}

func (p *Proof) Evidence() auth.Evidence {
	if p == nil { // an operator's first sign-in has no passkey
		return auth.Evidence{}
	}
	return auth.Evidence{Password: p.Password, Code: p.Code, Passkey: p.Passkey.Assertion()}
}

type passkeyLoginInput struct {
	Agent string `header:"User-Agent"`
	Body  PasskeySaid
}

func (c *Calls) loginPasskey(ctx context.Context, in *passkeyLoginInput) (*operatorLoginOutput, error) {
	g, err := c.Auth.LoginPasskey(ctx, auth.PasskeyLogin{Assertion: *in.Body.Assertion(), From: httpx.RequestOrigin(ctx, "", in.Agent)})
	if errors.Is(err, auth.ErrWrongPasskey) {
		return &operatorLoginOutput{operatorLoginAnswer{Data: operatorLoginResult{Result: errs.MessageOf(err), MessageCode: httpx.CodeOf(errs.TextOf(err))}}}, nil
	}
	if err != nil {
		return nil, err
	}
	r := operatorLoginResult{Result: httpx.Successful.Message, MessageCode: httpx.CodeOf(httpx.Successful), ResultID: httpx.FormatID(g.Session.Owner), Role: string(g.Session.Role)}
	return &operatorLoginOutput{operatorLoginAnswer{Data: r, Token: g.Token}}, nil
}

type ownPasskeys struct {
	Origin  string `json:"origin" doc:"The origin where passkeys work; empty if there is none."`
	Refusal string `json:"refusal" doc:"Why passkeys do not work; empty if they do."`
	httpx.MessageCode
	Passkeys []passkeyRow `json:"passkeys" nullable:"false"`
}

type passkeyRow struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Created httpx.Timestamp `json:"created"`
	Used    httpx.Timestamp `json:"used" doc:"The time of the last sign-in with it."`
}

func rowOfPasskey(p auth.PasskeyRow) passkeyRow {
	return passkeyRow{httpx.FormatID(p.ID), p.Name, httpx.ToTimestamp(p.Created), httpx.ToTimestamp(p.Used)}
}

func (c *Calls) passkeys(ctx context.Context, _ *struct{}) (*httpx.Reply[ownPasskeys], error) {
	all, err := c.Auth.Passkeys(ctx, httpx.SessionOf(ctx))
	if err != nil {
		return nil, err
	}
	out := ownPasskeys{Passkeys: []passkeyRow{}}
	site, refused := c.Auth.PasskeySite()
	if out.Origin = site.Origin; refused != nil {
		out.Refusal, out.MessageCode = errs.MessageOf(refused), httpx.CodeOf(errs.TextOf(refused))
	}
	for _, p := range all {
		out.Passkeys = append(out.Passkeys, rowOfPasskey(p))
	}
	return httpx.NewReply(out), nil
}

type beginPasskeyInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof
		Name string `json:"name" maxLength:"200" doc:"The name of the device, 1 to 60 characters."`
	}
}

type passkeyBegun struct {
	Flow    string               `json:"flow" doc:"The id of the challenge, to be sent back with the response."`
	Origin  string               `json:"origin" doc:"The origin where passkeys work; browsers refuse it on other pages."`
	Options passkeyCreateOptions `json:"options" doc:"The input of PublicKeyCredential.parseCreationOptionsFromJSON."`
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

func (c *Calls) beginPasskey(ctx context.Context, in *beginPasskeyInput) (*httpx.Reply[passkeyBegun], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	return c.beginPasskeyOf(ctx, in, by.Name)
}

// beginPasskeyOf starts adding a passkey; account is the name shown on devices.
func (c *Calls) beginPasskeyOf(ctx context.Context, in *beginPasskeyInput, account string) (*httpx.Reply[passkeyBegun], error) {
	o, err := c.Auth.BeginPasskey(ctx, httpx.SessionOf(ctx), in.Body.Name, in.Body.Evidence(), httpx.RequestOrigin(ctx, "", in.Agent))
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
	return httpx.NewReply(passkeyBegun{o.Flow, o.Site.Origin, x}), nil
}

type addPasskeyInput struct {
	Body struct {
		Flow       string   `json:"flow" minLength:"1" maxLength:"100"`
		Credential bytes64  `json:"id" maxLength:"1400" doc:"The id of the credential."`
		ClientData bytes64  `json:"clientDataJSON" maxLength:"8000"`
		Object     bytes64  `json:"attestationObject" maxLength:"20000"`
		Transports []string `json:"transports,omitempty" maxItems:"20" nullable:"false"`
	}
}

func (in *addPasskeyInput) made() auth.NewPasskey {
	b := in.Body
	return auth.NewPasskey{Flow: b.Flow, Credential: b.Credential, ClientData: b.ClientData, Object: b.Object, Transports: b.Transports}
}

func (c *Calls) addPasskey(ctx context.Context, in *addPasskeyInput) (*httpx.Reply[passkeyRow], error) {
	return httpx.ReplyAs(rowOfPasskey)(c.Staff.AddPasskey(ctx, httpx.SessionOf(ctx), in.made()))
}

type removePasskeyInput struct {
	Agent string `header:"User-Agent"`
	Body  struct {
		Proof
		ID httpx.StringOrInt `json:"id"`
	}
}

func (c *Calls) removePasskey(ctx context.Context, in *removePasskeyInput) (*httpx.MessageReply, error) {
	var f httpx.FieldErrors
	which := f.RecordID("id", in.Body.ID)
	if err := f.Err(); err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Staff.RemovePasskey(ctx, httpx.SessionOf(ctx), which, in.Body.Evidence(), httpx.RequestOrigin(ctx, "", in.Agent))
}

// bytes64 is encoded as browsers encode bytes of passkeys: base64url without padding.
type bytes64 []byte

func (b bytes64) MarshalJSON() ([]byte, error) {
	return json.Marshal(base64.RawURLEncoding.EncodeToString(b))
}

// UnmarshalJSON accepts malformed input as empty, which no passkey has signed.
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

func (bytes64) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Description: "base64url without padding"}
}
