package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/country"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerEnrol(api huma.API) {
	post(api, tagEnrol, "registration", "Join under a sponsor", c.registration)
	get(api, tagEnrol, "check_sponsorid", "Whose id it is", c.checkSponsor)
	post(api, tagEnrol, "ForgetPassword", "Mail a temporary password", c.forgetPassword)
	post(api, tagEnrol, "ResetPassword", "Set a new password by a mailed link", c.resetPassword)
	get(api, tagEnrol, "countryList", "All countries", c.countries)
	get(api, tagEnrol, "GetcountrybyID", "One country with its dialling code", c.countryByID)
	get(api, tagEnrol, "WelcomeDetails", "The welcome letter", c.welcome)
	get(api, tagEnrol, "limits", "How long the forms' inputs may be", c.inputLimits)
	get(api, tagEnrol, "ip", "The address that the request came from", c.ip)
}

type registrationInput struct {
	Keyed
	Body registrationBody
}

type registrationBody struct {
	Sponsor  text   `json:"sid,omitempty" doc:"The sponsor's user id."`
	Name     string `json:"name,omitempty" doc:"4 to 20 letters and spaces."`
	Position text   `json:"position,omitempty" doc:"1 is left, 2 is right."`
	Email    string `json:"email,omitempty"`
	Password string `json:"password,omitempty" doc:"6 to 20 characters."`
	Mobile   text   `json:"mobile,omitempty" doc:"9 to 12 digits."`
	Country  text   `json:"countryid,omitempty"`
}

type registrationResult struct {
	Result string `json:"result" doc:"'Successfull', or what to tell the person."`
	Said
	UID   string `json:"uid_output,omitempty" doc:"The new member's user id."`
	Field string `json:"field,omitempty" doc:"The field that the result is about."`
}

type registrationOutput struct {
	Cookie []http.Cookie `header:"Set-Cookie"` // none unless somebody joined
	Body   envelope[registrationResult]
}

func (c *Calls) registration(ctx context.Context, in *registrationInput) (*registrationOutput, error) {
	if err := perPeer(ctx, c.limits.register); err != nil {
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
	may := func(count bool) error { return c.mayJoin(ctx, count) }
	joined, err := c.Enrol.Register(ctx, enrol.Request{Registration: r, Key: in.Key, Peer: Peer(ctx).String(), May: may})
	out := &registrationOutput{}
	switch {
	case errs.Is(err, errs.NotFound), errs.Is(err, errs.Refused): // the sponsor
		out.Body.Data = registrationResult{Result: errs.MessageOf(err), Said: codeOf(errs.TextOf(err)), Field: "sid"}
	case err != nil:
		return nil, err
	default:
		out.Body.Data = registrationResult{Result: successful.Message, Said: codeOf(successful), UID: id(joined.UID)}
		out.Cookie = []http.Cookie{c.welcomeCookie(ctx, joined.UID)}
	}
	return out, nil
}

type sponsorInput struct {
	Authorization string `header:"Authorization"`
	Sponsor       string `query:"sid"`
}

type sponsorResult struct {
	Result string `json:"result" doc:"The name, or 'Sponsor Id doesnot exists !!'. Strangers see initials."`
	Said
	Name   string `json:"name"`
	Robot  *int64 `json:"RobotStatus,omitempty" doc:"0 not activated, 1 activated; only for signed-in members."`
	Forex  *int64 `json:"ForexStatus,omitempty"`
	Crypto *int64 `json:"CryptoStatus,omitempty"`
}

func (c *Calls) checkSponsor(ctx context.Context, in *sponsorInput) (*reply[sponsorResult], error) {
	asks, known := c.signedIn(ctx, in.Authorization)
	if err := c.mayAskNames(ctx, asks, known); err != nil {
		return nil, err
	}
	var f fields
	uid := f.anyUID("sid", text(in.Sponsor))
	if err := f.err(); err != nil {
		return nil, err
	}
	cards, err := c.Members.Cards(ctx, []int64{uid})
	if err != nil {
		return nil, err
	}
	card, found := cards[uid]
	if !found {
		return answer(sponsorResult{Result: noSponsor.Message, Said: codeOf(noSponsor)}), nil
	}
	if !known {
		return answer(sponsorResult{Result: initials(card.Name), Name: initials(card.Name)}), nil
	}
	r := sponsorResult{Result: card.Name, Name: card.Name}
	n, err := c.Team.Node(ctx, uid)
	if err != nil {
		return nil, err
	}
	r.Robot, r.Forex, r.Crypto = standing(n)
	return answer(r), nil
}

// signedIn is the session of a public call, if it has one.
func (c *Calls) signedIn(ctx context.Context, authorization string) (auth.Session, bool) {
	token := bearer(authorization)
	if token == "" {
		return auth.Session{}, false
	}
	s, _, err := c.Auth.Check(ctx, token)
	return s, err == nil
}

// standing tells what a member holds: whether money calls activate or upgrade.
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

type forgetInput struct {
	Keyed
	Body forgetBody
}

type forgetBody struct {
	UID text   `json:"uid,omitempty" doc:"The user id, digits only."`
	OTP string `json:"otp,omitempty" maxLength:"6"`
}

func (c *Calls) forgetPassword(ctx context.Context, in *forgetInput) (*sentence, error) {
	var f fields
	uid := f.anyUID("uid", in.Body.UID)
	if most := c.longestID(); len(in.Body.UID) > most {
		f.add("uid", "member.id_digits", "A user id has at most {most} digits.", "most", strconv.Itoa(most))
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	if c.Features.ForgotPasswordOTP && in.Body.OTP != "" {
		return c.forgetByCode(ctx, in.Key, uid, in.Body.OTP)
	}
	if err := c.limits.forgot(ctx, uid); err != nil {
		return nil, err
	}
	if c.Features.ForgotPasswordOTP {
		return say(codeSent), c.Enrol.SendCode(ctx, uid, auth.ForForgotten)
	}
	return say(passwordSent), c.Enrol.Forgot(ctx, in.Key, uid)
}

// forgetByCode sends the password to who has the mailed code. Tries at the code
// are counted with it, so that they need no limit by id here.
func (c *Calls) forgetByCode(ctx context.Context, key string, uid int64, code string) (*sentence, error) {
	if err := perPeer(ctx, c.limits.forgotPeer); err != nil {
		return nil, err
	}
	err := c.Auth.UseMailedCode(ctx, uid, auth.ForForgotten, code)
	if errors.Is(err, auth.ErrWrongMailedCode) {
		return say(errs.TextOf(err)), nil
	}
	if err != nil {
		return nil, err
	}
	return say(passwordSent), c.Enrol.Forgot(ctx, key, uid)
}

type resetInput struct {
	Body resetBody
}

type resetBody struct {
	UID      text   `json:"uid"`
	Token    string `json:"token" minLength:"1" maxLength:"200" doc:"From the link."`
	Password string `json:"password" doc:"The new password, 6 to 20 characters."`
}

func (c *Calls) resetPassword(ctx context.Context, in *resetInput) (*sentence, error) {
	var f fields
	uid := f.uid("uid", in.Body.UID)
	if err := f.err(); err != nil {
		return nil, err
	}
	return say(successful), c.Enrol.Reset(ctx, auth.ResetRequest{UID: uid, Token: in.Body.Token, New: in.Body.Password, Peer: Peer(ctx)})
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
	var f fields
	n := f.code("id", text(in.ID), 0, 1, 1_000_000)
	if in.ID == "" {
		f.add("id", "member.country_which", "Which country?")
	}
	if err := f.err(); err != nil {
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
	ip := Peer(ctx).String()
	return &struct{ Body addressBody }{addressBody{ip, addressResult{ip}}}, nil
}

// longestID is how many digits user ids have by now: six until those run out.
func (c *Calls) longestID() int {
	const six = 900_000
	n := 6
	for joined, _ := c.Tree.State(); int64(joined) > six; joined /= 10 {
		n++
	}
	return n
}

type inputLimits struct {
	Login       int  `json:"login" doc:"User id at sign-in."`
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
	AskOTP      bool `json:"askOtp" doc:"A mailed code is asked for before a password is sent or changed."`
}

func (c *Calls) inputLimits(context.Context, *struct{}) (*reply[inputLimits], error) {
	n := c.longestID()
	return answer(inputLimits{
		Login: maxLoginUID, Password: maxLoginPassword, Forgot: n, Sponsor: 15, NameMin: 4, Name: 20, MobileMin: 9, Mobile: 12, Email: 50,
		PasswordMin: 6, PasswordMax: 20, OTP: 6, Transfer: n, Tree: max(8, n), Transaction: 10, AskOTP: c.Features.ForgotPasswordOTP,
	}), nil
}

// initials is a name as strangers see it.
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
