package public

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/api/signin"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/country"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerEnrol(api huma.API) {
	httpx.Post(api, httpx.TagEnrol, "registration", "Register a member under a sponsor", c.registration)
	httpx.Get(api, httpx.TagEnrol, "check_sponsorid", "Retrieve the name of a member by id", c.checkSponsor)
	httpx.Post(api, httpx.TagEnrol, "ForgetPassword", "Mail a temporary password", c.forgetPassword)
	httpx.Post(api, httpx.TagEnrol, "ResetPassword", "Set a new password by a mailed link", c.resetPassword)
	httpx.Get(api, httpx.TagEnrol, "countryList", "List countries", c.countries)
	httpx.Get(api, httpx.TagEnrol, "GetcountrybyID", "Retrieve a country with its dialling code", c.countryByID)
	httpx.Get(api, httpx.TagEnrol, "WelcomeDetails", "Retrieve the welcome letter", c.welcome)
	httpx.Get(api, httpx.TagEnrol, "limits", "Retrieve the length limits of form inputs", c.inputLimits)
	httpx.Get(api, httpx.TagEnrol, "ip", "Retrieve the caller's IP address", c.ip)
}

type registrationBody struct {
	Sponsor  httpx.StringOrInt `json:"sid,omitempty" doc:"The sponsor's user id."`
	Name     string            `json:"name,omitempty" doc:"The name, 4 to 20 letters and spaces."`
	Position httpx.StringOrInt `json:"position,omitempty" doc:"1: left; 2: right."`
	Email    string            `json:"email,omitempty"`
	Password string            `json:"password,omitempty" doc:"The password, 6 to 20 characters."`
	Mobile   httpx.StringOrInt `json:"mobile,omitempty" doc:"The mobile number, 9 to 12 digits."`
	Country  httpx.StringOrInt `json:"countryid,omitempty"`
}

type registrationResult struct {
	Result string `json:"result" doc:"'Successfull', or a message for the user."`
	httpx.MessageCode
	UID   string `json:"uid_output,omitempty" doc:"The new member's user id."`
	Field string `json:"field,omitempty" doc:"The field that the result is about."`
}

type registrationOutput struct {
	Cookie []http.Cookie `header:"Set-Cookie"` // set only after a registration
	Body   httpx.Envelope[registrationResult]
}

func (c *Calls) registration(ctx context.Context, in *httpx.KeyedBody[registrationBody]) (*registrationOutput, error) {
	if err := httpx.LimitPeer(ctx, c.Limits.Register); err != nil {
		return nil, err
	}
	b := in.Body
	r, err := member.ParseRegistration(member.RegistrationForm{
		Sponsor: string(b.Sponsor), Name: b.Name, Position: string(b.Position), Email: b.Email,
		Password: b.Password, Mobile: string(b.Mobile), Country: string(b.Country),
	})
	if err != nil {
		return nil, err
	}
	may := func(count bool) error { return c.LimitRegistration(ctx, count) }
	joined, err := c.Enrol.Register(ctx, enrol.Request{Registration: r, Key: in.Key, Peer: httpx.Peer(ctx).String(), May: may})
	out := &registrationOutput{}
	switch {
	case errs.Is(err, errs.NotFound), errs.Is(err, errs.Refused): // the sponsor
		out.Body.Data = registrationResult{Result: errs.MessageOf(err), MessageCode: httpx.CodeOf(errs.TextOf(err)), Field: "sid"}
	case err != nil:
		return nil, err
	default:
		out.Body.Data = registrationResult{Result: httpx.Successful.Message, MessageCode: httpx.CodeOf(httpx.Successful), UID: httpx.FormatID(joined.UID)}
		out.Cookie = []http.Cookie{c.welcomeCookie(httpx.OverTLS(ctx), joined.UID)}
	}
	return out, nil
}

type sponsorInput struct {
	Authorization string `header:"Authorization"`
	Sponsor       string `query:"sid"`
}

type sponsorResult struct {
	Result string `json:"result" doc:"The name, or 'Sponsor Id doesnot exists !!'. Callers without a session get initials."`
	httpx.MessageCode
	Name   string `json:"name"`
	Robot  *int64 `json:"RobotStatus,omitempty" doc:"0: not activated; 1: activated; only with a member's session."`
	Forex  *int64 `json:"ForexStatus,omitempty"`
	Crypto *int64 `json:"CryptoStatus,omitempty"`
}

func (c *Calls) checkSponsor(ctx context.Context, in *sponsorInput) (*httpx.Reply[sponsorResult], error) {
	asks, known := c.OptionalSession(ctx, in.Authorization)
	if err := c.LimitNameLookup(ctx, asks, known); err != nil {
		return nil, err
	}
	var f httpx.FieldErrors
	uid := f.AnyUserID("sid", httpx.StringOrInt(in.Sponsor))
	if err := f.Err(); err != nil {
		return nil, err
	}
	cards, err := c.Members.Cards(ctx, []int64{uid})
	if err != nil {
		return nil, err
	}
	card, found := cards[uid]
	if !found {
		return httpx.NewReply(sponsorResult{Result: httpx.NoSponsor.Message, MessageCode: httpx.CodeOf(httpx.NoSponsor)}), nil
	}
	if !known {
		return httpx.NewReply(sponsorResult{Result: initials(card.Name), Name: initials(card.Name)}), nil
	}
	r := sponsorResult{Result: card.Name, Name: card.Name}
	n, err := c.Team.Node(ctx, uid)
	if err != nil {
		return nil, err
	}
	r.Robot, r.Forex, r.Crypto = standing(n)
	return httpx.NewReply(r), nil
}

// standing returns what a member owns: whether purchases activate or upgrade.
func standing(n tree.Node) (robot, forex, crypto *int64) {
	has := func(yes bool) *int64 {
		v := int64(0)
		if yes {
			v = 1
		}
		return &v
	}
	return has(n.Active), has(n.Business[tree.Forex].Sign() > 0), has(n.Business[tree.Crypto].Sign() > 0)
}

type forgetBody struct {
	UID httpx.StringOrInt `json:"uid,omitempty" doc:"The user id, digits only."`
	OTP string            `json:"otp,omitempty" maxLength:"6"`
}

func (c *Calls) forgetPassword(ctx context.Context, in *httpx.KeyedBody[forgetBody]) (*httpx.MessageReply, error) {
	var f httpx.FieldErrors
	uid := f.AnyUserID("uid", in.Body.UID)
	if most := LongestID(c.Tree); len(in.Body.UID) > most {
		f.Add("uid", "member.id_digits", "A user id has at most {most} digits.", "most", strconv.Itoa(most))
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	if c.Features.ForgotPasswordOTP && in.Body.OTP != "" {
		return c.forgetByCode(ctx, in.Key, uid, in.Body.OTP)
	}
	if err := c.Limits.LimitReset(ctx, uid); err != nil {
		return nil, err
	}
	if c.Features.ForgotPasswordOTP {
		return httpx.NewMessage(httpx.CodeSent), c.Enrol.SendCode(ctx, uid, auth.ForForgotten)
	}
	return httpx.NewMessage(httpx.PasswordSent), c.Enrol.Forgot(ctx, in.Key, uid)
}

// forgetByCode mails the password to a caller with the mailed code. Attempts are counted
// with the code, so they need no limit by id here.
func (c *Calls) forgetByCode(ctx context.Context, key string, uid int64, code string) (*httpx.MessageReply, error) {
	if err := httpx.LimitPeer(ctx, c.Limits.ForgotPeer); err != nil {
		return nil, err
	}
	err := c.Auth.UseMailedCode(ctx, uid, auth.ForForgotten, code)
	if errors.Is(err, auth.ErrWrongMailedCode) {
		return httpx.NewMessage(errs.TextOf(err)), nil
	}
	if err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.PasswordSent), c.Enrol.Forgot(ctx, key, uid)
}

type resetBody struct {
	UID      httpx.StringOrInt `json:"uid"`
	Token    string            `json:"token" minLength:"1" maxLength:"200" doc:"The token in the link."`
	Password string            `json:"password" doc:"The new password, 6 to 20 characters."`
}

func (c *Calls) resetPassword(ctx context.Context, in *httpx.Body[resetBody]) (*httpx.MessageReply, error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", in.Body.UID)
	if err := f.Err(); err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Enrol.Reset(ctx, auth.ResetRequest{UID: uid, Token: in.Body.Token, New: in.Body.Password, Peer: httpx.Peer(ctx)})
}

type countriesBody struct {
	Data [][]country.Country `json:"data" nullable:"false"`
}

func (c *Calls) countries(context.Context, *struct{}) (*struct{ Body countriesBody }, error) {
	return &struct{ Body countriesBody }{countriesBody{[][]country.Country{country.All()}}}, nil
}

func (c *Calls) countryByID(_ context.Context, in *struct {
	ID string `query:"id"`
},
) (*struct{ Body countriesBody }, error) {
	var f httpx.FieldErrors
	n := f.Int("id", httpx.StringOrInt(in.ID), 0, 1, 1_000_000)
	if in.ID == "" {
		f.Add("id", "member.country_which", "Which country?")
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	rows := []country.Country{}
	if found, ok := country.ByID(n); ok {
		rows = append(rows, found)
	}
	return &struct{ Body countriesBody }{countriesBody{[][]country.Country{rows}}}, nil
}

type addressBody struct {
	IP   string        `json:"ip"`
	Data addressResult `json:"data"`
}

type addressResult struct {
	IP string `json:"ip"`
}

func (c *Calls) ip(ctx context.Context, _ *struct{}) (*struct{ Body addressBody }, error) {
	ip := httpx.Peer(ctx).String()
	return &struct{ Body addressBody }{addressBody{ip, addressResult{ip}}}, nil
}

// LongestID is the current number of digits of user ids: six until those run out.
func LongestID(t *tree.Service) int {
	const six = 900_000
	n := 6
	for joined, _ := t.State(); int64(joined) > six; joined /= 10 {
		n++
	}
	return n
}

type inputLimits struct {
	Login       int  `json:"login" doc:"The maximum length of the user id at sign-in."`
	Password    int  `json:"loginPassword"`
	Forgot      int  `json:"forgotPassword"`
	Sponsor     int  `json:"sponsor"`
	NameMin     int  `json:"nameMin"`
	Name        int  `json:"name"`
	MobileMin   int  `json:"mobileMin"`
	Mobile      int  `json:"mobile"`
	Email       int  `json:"email"`
	PasswordMin int  `json:"passwordMin"`
	PasswordMax int  `json:"passwordMax"`
	OTP         int  `json:"otp"`
	Transfer    int  `json:"transferUser"`
	Tree        int  `json:"treeSearch"`
	Transaction int  `json:"transactionPassword"`
	AskOTP      bool `json:"askOtp" doc:"Whether sending or changing a password needs a mailed code."`
}

func (c *Calls) inputLimits(context.Context, *struct{}) (*httpx.Reply[inputLimits], error) {
	n := LongestID(c.Tree)
	return httpx.NewReply(inputLimits{
		Login: signin.MaxLoginUID, Password: signin.MaxLoginPassword, Forgot: n, Sponsor: 15, NameMin: 4, Name: 20, MobileMin: 9, Mobile: 12, Email: 50,
		PasswordMin: 6, PasswordMax: 20, OTP: 6, Transfer: n, Tree: max(8, n), Transaction: 10, AskOTP: c.Features.ForgotPasswordOTP,
	}), nil
}

// initials is a name as callers without a session see it.
func initials(name string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(name) {
		for _, r := range word {
			b.WriteRune(r)
			b.WriteByte('.')
			break
		}
	}
	return b.String()
}
