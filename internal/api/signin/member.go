package signin

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerAccess(api huma.API) {
	httpx.Post(api, httpx.TagAccess, "login", "Sign in a member", c.login)
	httpx.Post(api, httpx.TagAccess, "loginAdmin", "Start a session as a member by an operator's one-time ticket", c.visit)
	httpx.Post(api, httpx.TagAccess, "logout", "End this session", c.logout)
	httpx.Get(api, httpx.TagAccess, "sessions", "List the member's open sessions", c.sessions)
	httpx.Post(api, httpx.TagAccess, "sessions/end", "End one session of the member", c.endSession)
	httpx.Post(api, httpx.TagAccess, "sessions/endOthers", "End all other sessions of the member", c.endOthers)
}

type loginBody struct {
	UID       httpx.StringOrInt `json:"uid,omitempty" doc:"The user id, up to 10 digits."`
	Password  string            `json:"password,omitempty" doc:"The password, up to 30 characters; for loginAdmin, the ticket."`
	IPAddress string            `json:"ipaddress,omitempty" doc:"The client's view of its IP address; recorded, not trusted."`
}

type loginInput struct {
	Agent string `header:"User-Agent"`
	Body  loginBody
}

type loginResult struct {
	Result string `json:"result" doc:"'Successfull', or a message for the user."`
	httpx.MessageCode
	ResultID   string      `json:"resultid,omitempty"`
	Username   string      `json:"resultusername,omitempty"`
	MustChange bool        `json:"mustChange,omitempty" doc:"Whether the password is temporary and must be changed first."`
	Visit      string      `json:"visit,omitempty" doc:"The reason of an operator's visit; empty in a member's own session."`
	Second     *secondStep `json:"second,omitempty" doc:"The second step, if the password was correct and login/factor must follow; there is no token yet."`
	Over       bool        `json:"over,omitempty" doc:"login/factor only: whether sign-in must start again with the password."`
}

type loginAnswer struct {
	Data  loginResult `json:"data"`
	Token string      `json:"token,omitempty" doc:"The token for the Authorization header."`
}

type loginOutput struct{ Body loginAnswer }

// Limits of the sign-in form.
const (
	MaxLoginUID      = 10
	MaxLoginPassword = 30
	maxTicket        = 2000
)

const bothRequired = "Please enter both User ID and password."

func (b loginBody) parse(maxPassword int) (uid int64, err error) {
	var f httpx.FieldErrors
	if b.UID == "" || b.Password == "" {
		if b.UID == "" {
			f.Add("uid", "auth.both_required", bothRequired)
		}
		if b.Password == "" {
			f.Add("password", "auth.both_required", bothRequired)
		}
		return 0, f.Err()
	}
	uid = f.AnyUserID("uid", b.UID)
	if len(b.UID) > MaxLoginUID {
		f.Add("uid", "auth.user_id_long", "A user id has at most 10 digits.")
	}
	if len([]rune(b.Password)) > maxPassword {
		f.Add("password", "auth.password_long", "The password is too long.")
	}
	return uid, f.Err()
}

func (c *Calls) login(ctx context.Context, in *loginInput) (*loginOutput, error) {
	uid, err := in.Body.parse(MaxLoginPassword)
	if err != nil {
		return nil, err
	}
	g, err := c.Auth.Login(ctx, auth.LoginRequest{UID: uid, Password: in.Body.Password, From: httpx.RequestOrigin(ctx, in.Body.IPAddress, in.Agent)})
	if errors.Is(err, auth.ErrWrongPassword) {
		return &loginOutput{loginAnswer{Data: loginResult{Result: errs.MessageOf(err), MessageCode: httpx.CodeOf(errs.TextOf(err))}}}, nil
	}
	if err != nil {
		return nil, err
	}
	if g.Second != nil {
		return &loginOutput{loginAnswer{Data: loginResult{Result: httpx.SecondWanted.Message, MessageCode: httpx.CodeOf(httpx.SecondWanted), Second: stepOf(g.Second)}}}, nil
	}
	return c.granted(ctx, uid, g)
}

func (c *Calls) visit(ctx context.Context, in *loginInput) (*loginOutput, error) {
	uid, err := in.Body.parse(maxTicket)
	if err != nil {
		return nil, err
	}
	g, err := c.Auth.Visit(ctx, auth.VisitRequest{UID: uid, Enpass: in.Body.Password, From: httpx.RequestOrigin(ctx, in.Body.IPAddress, in.Agent)})
	if errors.Is(err, auth.ErrWrongTicket) {
		return &loginOutput{loginAnswer{Data: loginResult{Result: errs.MessageOf(err), MessageCode: httpx.CodeOf(errs.TextOf(err))}}}, nil
	}
	if err != nil {
		return nil, err
	}
	return c.granted(ctx, uid, g)
}

func (c *Calls) granted(ctx context.Context, uid int64, g auth.Grant) (*loginOutput, error) {
	m, _, err := c.Members.Get(ctx, uid)
	if err != nil {
		return nil, err
	}
	r := loginResult{Result: httpx.Successful.Message, MessageCode: httpx.CodeOf(httpx.Successful), ResultID: httpx.FormatID(uid), Username: m.Name, MustChange: g.MustChange, Visit: g.Session.Reason}
	return &loginOutput{loginAnswer{Data: r, Token: g.Token}}, nil
}

func (c *Calls) logout(ctx context.Context, _ *struct{}) (*httpx.MessageReply, error) {
	return httpx.NewMessage(httpx.Successful), c.Auth.Logout(ctx, httpx.SessionOf(ctx))
}

type SessionRow struct {
	ID      string          `json:"id"`
	Kind    string          `json:"kind" enum:"member,visit" doc:"The kind of session; visit: an operator's."`
	Reason  string          `json:"reason" doc:"The reason of an operator's visit."`
	Current bool            `json:"current" doc:"Whether this is the caller's session."`
	Peer    string          `json:"address" doc:"The IP address that opened the session."`
	Agent   string          `json:"agent"`
	Created httpx.Timestamp `json:"created"`
	Seen    httpx.Timestamp `json:"seen"`
}

type sessionRows struct {
	Data [][]SessionRow `json:"data" nullable:"false"`
}

func (c *Calls) sessions(ctx context.Context, _ *struct{}) (*struct{ Body sessionRows }, error) {
	me := httpx.SessionOf(ctx)
	rows := []SessionRow{}
	for _, kind := range []auth.Kind{auth.KindMember, auth.KindVisit} {
		open, err := c.Auth.Sessions(ctx, kind, me.Owner)
		if err != nil {
			return nil, err
		}
		for _, s := range open {
			rows = append(rows, SessionRow{s.ID, string(s.Kind), s.Reason, s.ID == me.ID, s.Peer, s.Agent, httpx.ToTimestamp(s.Created), httpx.ToTimestamp(s.Seen)})
		}
	}
	return &struct{ Body sessionRows }{sessionRows{[][]SessionRow{rows}}}, nil
}

type endBody struct {
	ID string `json:"id" minLength:"1" maxLength:"100"`
}

func (c *Calls) endSession(ctx context.Context, in *httpx.Body[endBody]) (*httpx.MessageReply, error) {
	me := httpx.SessionOf(ctx)
	err := c.Auth.EndSession(ctx, auth.KindMember, me.Owner, in.Body.ID)
	if errs.Is(err, errs.NotFound) { // a member may end an operator's session
		err = c.Auth.EndSession(ctx, auth.KindVisit, me.Owner, in.Body.ID)
	}
	return httpx.NewMessage(httpx.Successful), err
}

func (c *Calls) endOthers(ctx context.Context, _ *struct{}) (*httpx.MessageReply, error) {
	me := httpx.SessionOf(ctx)
	for _, kind := range []auth.Kind{auth.KindMember, auth.KindVisit} {
		if err := c.Auth.EndOthers(ctx, kind, me.Owner, me.ID); err != nil {
			return nil, err
		}
	}
	return httpx.NewMessage(httpx.Successful), nil
}
