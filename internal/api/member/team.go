package member

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/team"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

func (c *Calls) registerTeam(api huma.API) {
	httpx.Post(api, httpx.TagTeam, "DirectReport", "List the member's direct referrals", httpx.InTurn(c.Base, c.directReport))
	httpx.Post(api, httpx.TagTeam, "DownlineReport", "List the member's downline in the binary tree", httpx.InTurn(c.Base, c.downlineReport))
	httpx.Post(api, httpx.TagTeam, "LevelDetails", "List the member's sponsor downline by level", httpx.InTurn(c.Base, c.levelDetails))
	httpx.Post(api, httpx.TagTeam, "DirectLegBusiness", "List the business of each direct referral and its downline", httpx.InTurn(c.Base, c.legBusiness))
}

// listBody is what every list takes.
type listBody struct {
	UID      httpx.Text `json:"uid,omitempty" doc:"The caller's user id."`
	From     string     `json:"fdate,omitempty" doc:"First local day, such as 2026-01-31; empty for no limit."`
	To       string     `json:"tdate,omitempty" doc:"Last local day, inclusive."`
	Status   httpx.Text `json:"status,omitempty" doc:"2: all; 1: active; 0: inactive."`
	Position httpx.Text `json:"position,omitempty" doc:"0: all; 1: left; 2: right; ignored by LevelDetails."`
	Level    httpx.Text `json:"leveltype,omitempty" doc:"0 for all levels, or 1 to 20; LevelDetails only."`
	Page     httpx.Text `json:"page,omitempty" doc:"Page number, from 1."`
	Size     httpx.Text `json:"size,omitempty" doc:"Rows per page, at most 500; default 100."`
	Sort     string     `json:"sort,omitempty" maxLength:"40" doc:"registrationDate, uid, leveltype, RobotInvet, forexInvest or CryptoInvest; prefix - for descending."`
}

type listInput struct{ Body listBody }

// query reads a list's filters; every wrong field is named. Levels are filtered by
// level and other lists by side: who asks for the other would take all for some.
func (c *Calls) query(ctx context.Context, b listBody, levels bool) (q team.Query, level int, err error) {
	var f httpx.Fields
	q.UID = f.Uid("uid", b.UID)
	zone := c.Team.Zone()
	q.From, q.To = f.Day("fdate", b.From, zone), f.Day("tdate", b.To, zone)
	if status := f.Code("status", b.Status, 2, 0, 2); status != 2 {
		active := status == 1
		q.Active = &active
	}
	q.Side = tree.Side(f.Code("position", b.Position, 0, 0, 2))
	level = int(f.Code("leveltype", b.Level, 0, 0, team.MaxLevel))
	q.Page, q.Size = int(f.Code("page", b.Page, 1, 1, 1_000_000)), int(f.Code("size", b.Size, httpx.DefaultSize, 1, team.MaxSize))
	q.Sort = b.Sort
	if levels && q.Side != tree.NoSide {
		f.Add("position", "team.side_without_levels", "Levels are not listed by side.")
	}
	if !levels && level != 0 {
		f.Add("leveltype", "team.level_only_details", "Only LevelDetails are listed by level.")
	}
	if err := f.Err(); err != nil {
		return q, 0, err
	}
	return q, level, httpx.Own(ctx, q.UID)
}

// person is a member in a list.
type person struct {
	Row        int          `json:"row"`
	UID        string       `json:"uid"`
	Name       string       `json:"f_name"`
	Mobile     string       `json:"mobile,omitempty" doc:"Only for the member's direct referrals."`
	Status     string       `json:"status" enum:"Active,Inactive"`
	Registered httpx.Moment `json:"registrationDate"`
	Activated  httpx.Moment `json:"activationDate"`
	Robot      httpx.USD    `json:"RobotInvet"`
	Forex      httpx.USD    `json:"forexInvest"`
	Crypto     httpx.USD    `json:"CryptoInvest"`
	Position   string       `json:"position" doc:"Left or Right, seen from the caller."`
	Level      int          `json:"leveltype"`
	Sponsor    string       `json:"sid"`
}

func people(p team.Page[team.Person], q team.Query, mobile bool) *httpx.List[person] {
	rows := make([]person, 0, len(p.Rows))
	for i, m := range p.Rows {
		r := person{
			Row: p.First + i, UID: httpx.ID(m.Row.UID), Name: m.Name, Status: status(m.Active),
			Registered: httpx.At(m.Joined), Activated: httpx.At(m.ActivatedAt),
			Robot: httpx.Dollars(m.Business[tree.Robot]), Forex: httpx.Dollars(m.Business[tree.Forex]), Crypto: httpx.Dollars(m.Business[tree.Crypto]),
			Position: m.Leg.String(), Level: m.Level, Sponsor: httpx.ID(m.SponsorUID),
		}
		if mobile {
			r.Mobile = m.Mobile
		}
		rows = append(rows, r)
	}
	return httpx.PageOf(rows, p.Total, q.Page, q.Size)
}

func status(active bool) string {
	if active {
		return "Active"
	}
	return "Inactive"
}

func (c *Calls) directReport(ctx context.Context, in *listInput) (*httpx.List[person], error) {
	q, _, err := c.query(ctx, in.Body, false)
	if err != nil {
		return nil, err
	}
	p, err := c.Team.Referrals(ctx, q)
	return people(p, q, true), err
}

func (c *Calls) downlineReport(ctx context.Context, in *listInput) (*httpx.List[person], error) {
	q, _, err := c.query(ctx, in.Body, false)
	if err != nil {
		return nil, err
	}
	p, err := c.Team.Team(ctx, q)
	return people(p, q, false), err
}

func (c *Calls) levelDetails(ctx context.Context, in *listInput) (*httpx.List[person], error) {
	q, level, err := c.query(ctx, in.Body, true)
	if err != nil {
		return nil, err
	}
	p, err := c.Team.Levels(ctx, q, level)
	return people(p, q, false), err
}

type legRow struct {
	Row        int       `json:"row"`
	UID        string    `json:"uid"`
	SelfForex  httpx.USD `json:"SelfBusinessForex"`
	TeamForex  httpx.USD `json:"TeamBusinessForex"`
	SelfCrypto httpx.USD `json:"SelfBusinessCrypto"`
	TeamCrypto httpx.USD `json:"TeamBusinessCrypto"`
}

func (c *Calls) legBusiness(ctx context.Context, in *listInput) (*httpx.List[legRow], error) {
	q, _, err := c.query(ctx, in.Body, false)
	if err != nil {
		return nil, err
	}
	p, err := c.Team.LegBusiness(ctx, q)
	if err != nil {
		return nil, err
	}
	rows := make([]legRow, 0, len(p.Rows))
	for i, l := range p.Rows {
		rows = append(rows, legRow{
			p.First + i, httpx.ID(l.UID), httpx.Dollars(l.Self[tree.Forex]), httpx.Dollars(l.Team[tree.Forex]), httpx.Dollars(l.Self[tree.Crypto]), httpx.Dollars(l.Team[tree.Crypto]),
		})
	}
	return httpx.PageOf(rows, p.Total, q.Page, q.Size), nil
}
