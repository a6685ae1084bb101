package httpapi

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerAccess(api huma.API) {
	post(api, tagAccess, "login", "Sign a member in", c.login)
	post(api, tagAccess, "loginAdmin", "Enter a member's session by an operator's one-time ticket", c.visit)
	post(api, tagAccess, "logout", "End this session", c.logout)
	get(api, tagAccess, "sessions", "The member's open sessions", c.sessions)
	post(api, tagAccess, "sessions/end", "Sign one of the member's sessions out", c.endSession)
	post(api, tagAccess, "sessions/endOthers", "Sign all other sessions out", c.endOthers)
}

type loginBody struct {
	UID       text   `json:"uid,omitempty" doc:"The user id, up to 10 digits."`
	Password  string `json:"password,omitempty" doc:"Up to 30 characters; for loginAdmin, the ticket."`
	IPAddress string `json:"ipaddress,omitempty" doc:"What the client takes for its address. It is noted, not believed."`
}

type loginInput struct {
	Agent string `header:"User-Agent"`
	Body  loginBody
}

type loginResult struct {
	Result string `json:"result" doc:"'Successfull', or what to tell the person."`
	Said
	ResultID   string      `json:"resultid,omitempty"`
	Username   string      `json:"resultusername,omitempty"`
	MustChange bool        `json:"mustChange,omitempty" doc:"Signed in by a temporary password, which must be changed first."`
	Visit      string      `json:"visit,omitempty" doc:"Why an operator is in this session; empty in a member's own."`
	Second     *secondStep `json:"second,omitempty" doc:"The password was right, and a second factor is to follow by login/factor; there is no token yet."`
	Over       bool        `json:"over,omitempty" doc:"Of login/factor: begin again with the password."`
}

type loginAnswer struct {
	Data  loginResult `json:"data"`
	Token string      `json:"token,omitempty" doc:"For the Authorization header."`
}

type loginOutput struct{ Body loginAnswer }

// Limits of the sign-in form.
const (
	maxLoginUID      = 10
	maxLoginPassword = 30
	maxTicket        = 2000
)

const bothRequired = "Please enter both User ID and password."

func (b loginBody) parse(maxPassword int) (uid int64, err error) {
	var f fields
	if b.UID == "" || b.Password == "" {
		if b.UID == "" {
			f.add("uid", "auth.both_required", bothRequired)
		}
		if b.Password == "" {
			f.add("password", "auth.both_required", bothRequired)
		}
		return 0, f.err()
	}
	uid = f.anyUID("uid", b.UID)
	if len(b.UID) > maxLoginUID {
		f.add("uid", "auth.user_id_long", "A user id has at most 10 digits.")
	}
	if len([]rune(b.Password)) > maxPassword {
		f.add("password", "auth.password_long", "The password is too long.")
	}
	return uid, f.err()
}

func (c *Calls) login(ctx context.Context, in *loginInput) (*loginOutput, error) {
	uid, err := in.Body.parse(maxLoginPassword)
	if err != nil {
		return nil, err
	}
	g, err := c.Auth.Login(ctx, auth.LoginRequest{UID: uid, Password: in.Body.Password, From: from(ctx, in.Body.IPAddress, in.Agent)})
	if errors.Is(err, auth.ErrWrongPassword) {
		return &loginOutput{loginAnswer{Data: loginResult{Result: errs.MessageOf(err), Said: codeOf(errs.TextOf(err))}}}, nil
	}
	if err != nil {
		return nil, err
	}
	if g.Second != nil {
		return &loginOutput{loginAnswer{Data: loginResult{Result: secondWanted.Message, Said: codeOf(secondWanted), Second: stepOf(g.Second)}}}, nil
	}
	return c.granted(ctx, uid, g)
}

func (c *Calls) visit(ctx context.Context, in *loginInput) (*loginOutput, error) {
	uid, err := in.Body.parse(maxTicket)
	if err != nil {
		return nil, err
	}
	g, err := c.Auth.Visit(ctx, auth.VisitRequest{UID: uid, Enpass: in.Body.Password, From: from(ctx, in.Body.IPAddress, in.Agent)})
	if errors.Is(err, auth.ErrWrongTicket) {
		return &loginOutput{loginAnswer{Data: loginResult{Result: errs.MessageOf(err), Said: codeOf(errs.TextOf(err))}}}, nil
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
	r := loginResult{Result: successful.Message, Said: codeOf(successful), ResultID: id(uid), Username: m.Name, MustChange: g.MustChange, Visit: g.Session.Reason}
	return &loginOutput{loginAnswer{Data: r, Token: g.Token}}, nil
}

func (c *Calls) logout(ctx context.Context, _ *struct{}) (*sentence, error) {
	return say(successful), c.Auth.Logout(ctx, sessionOf(ctx))
}

type sessionRow struct {
	ID      string `json:"id"`
	Kind    string `json:"kind" enum:"member,visit" doc:"visit: an operator's."`
	Reason  string `json:"reason" doc:"Why an operator visits."`
	Current bool   `json:"current" doc:"The session that asks."`
	Peer    string `json:"address" doc:"Where it was opened from."`
	Agent   string `json:"agent"`
	Created moment `json:"created"`
	Seen    moment `json:"seen"`
}

type sessionRows struct {
	Data [][]sessionRow `json:"data" nullable:"false"`
}

func (c *Calls) sessions(ctx context.Context, _ *struct{}) (*struct{ Body sessionRows }, error) {
	me := sessionOf(ctx)
	rows := []sessionRow{}
	for _, kind := range []auth.Kind{auth.KindMember, auth.KindVisit} {
		open, err := c.Auth.Sessions(ctx, kind, me.Owner)
		if err != nil {
			return nil, err
		}
		for _, s := range open {
			rows = append(rows, sessionRow{s.ID, string(s.Kind), s.Reason, s.ID == me.ID, s.Peer, s.Agent, at(s.Created), at(s.Seen)})
		}
	}
	return &struct{ Body sessionRows }{sessionRows{[][]sessionRow{rows}}}, nil
}

type endInput struct {
	Body endBody
}

type endBody struct {
	ID string `json:"id" minLength:"1" maxLength:"100"`
}

func (c *Calls) endSession(ctx context.Context, in *endInput) (*sentence, error) {
	me := sessionOf(ctx)
	err := c.Auth.EndSession(ctx, auth.KindMember, me.Owner, in.Body.ID)
	if errs.Is(err, errs.NotFound) { // a member may show an operator out
		err = c.Auth.EndSession(ctx, auth.KindVisit, me.Owner, in.Body.ID)
	}
	return say(successful), err
}

func (c *Calls) endOthers(ctx context.Context, _ *struct{}) (*sentence, error) {
	me := sessionOf(ctx)
	for _, kind := range []auth.Kind{auth.KindMember, auth.KindVisit} {
		if err := c.Auth.EndOthers(ctx, kind, me.Owner, me.ID); err != nil {
			return nil, err
		}
	}
	return say(successful), nil
}
