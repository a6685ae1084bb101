package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/team"
)

func (c *Calls) registerTeam(api huma.API) {
	post(api, tagTeam, "DirectReport", "Whom the member invited", inTurn(c, c.directReport))
	post(api, tagTeam, "DownlineReport", "Who hangs below the member", inTurn(c, c.downlineReport))
	post(api, tagTeam, "LevelDetails", "The downline along sponsors, by level", inTurn(c, c.levelDetails))
	post(api, tagTeam, "DirectLegBusiness", "What each invitation and its downline bring", inTurn(c, c.legBusiness))
}

// listBody is what every list takes.
type listBody struct {
	UID      text   `json:"uid,omitempty" doc:"The caller's own user id."`
	From     string `json:"fdate,omitempty" doc:"First local day, 2026-01-31; empty is open."`
	To       string `json:"tdate,omitempty" doc:"Last local day, included."`
	Status   text   `json:"status,omitempty" doc:"2 all, 1 active, 0 inactive."`
	Position text   `json:"position,omitempty" doc:"0 all, 1 left, 2 right; not of LevelDetails."`
	Level    text   `json:"leveltype,omitempty" doc:"0 all levels, or 1 to 20; of LevelDetails only."`
	Page     text   `json:"page,omitempty" doc:"From 1."`
	Size     text   `json:"size,omitempty" doc:"Rows of a page, up to 500; 100 unless given."`
	Sort     string `json:"sort,omitempty" maxLength:"40" doc:"registrationDate, uid, leveltype, RobotInvet, forexInvest or CryptoInvest; - before it for descending."`
}

type listInput struct{ Body listBody }

const defaultSize = 100

// query reads a list's filters; every wrong field is named. Levels are filtered by
// level and other lists by side: who asks for the other would take all for some.
func (c *Calls) query(ctx context.Context, b listBody, levels bool) (q team.Query, level int, err error) {
	var f fields
	q.UID = f.uid("uid", b.UID)
	zone := c.Team.Zone()
	q.From, q.To = f.day("fdate", b.From, zone), f.day("tdate", b.To, zone)
	if status := f.code("status", b.Status, 2, 0, 2); status != 2 {
		active := status == 1
		q.Active = &active
	}
	q.Side = tree.Side(f.code("position", b.Position, 0, 0, 2))
	level = int(f.code("leveltype", b.Level, 0, 0, team.MaxLevel))
	q.Page, q.Size = int(f.code("page", b.Page, 1, 1, 1_000_000)), int(f.code("size", b.Size, defaultSize, 1, team.MaxSize))
	q.Sort = b.Sort
	if levels && q.Side != tree.NoSide {
		f.add("position", "team.side_without_levels", "Levels are not listed by side.")
	}
	if !levels && level != 0 {
		f.add("leveltype", "team.level_only_details", "Only LevelDetails are listed by level.")
	}
	if err := f.err(); err != nil {
		return q, 0, err
	}
	return q, level, own(ctx, q.UID)
}

// person is a member in a list.
type person struct {
	Row        int    `json:"row"`
	UID        string `json:"uid"`
	Name       string `json:"f_name"`
	Mobile     string `json:"mobile,omitempty" doc:"Of the member's own invitations only."`
	Status     string `json:"status" enum:"Active,Inactive"`
	Registered moment `json:"registrationDate"`
	Activated  moment `json:"activationDate"`
	Robot      usd    `json:"RobotInvet"`
	Forex      usd    `json:"forexInvest"`
	Crypto     usd    `json:"CryptoInvest"`
	Position   string `json:"position" doc:"Left or Right, as seen by the caller."`
	Level      int    `json:"leveltype"`
	Sponsor    string `json:"sid"`
}

func people(p team.Page[team.Person], q team.Query, mobile bool) *list[person] {
	rows := make([]person, 0, len(p.Rows))
	for i, m := range p.Rows {
		r := person{
			Row: p.First + i, UID: id(m.Row.UID), Name: m.Name, Status: status(m.Active),
			Registered: at(m.Joined), Activated: at(m.ActivatedAt),
			Robot: dollars(m.Business[tree.Robot]), Forex: dollars(m.Business[tree.Forex]), Crypto: dollars(m.Business[tree.Crypto]),
			Position: m.Leg.String(), Level: m.Level, Sponsor: id(m.SponsorUID),
		}
		if mobile {
			r.Mobile = m.Mobile
		}
		rows = append(rows, r)
	}
	return pageOf(rows, p.Total, q.Page, q.Size)
}

func status(active bool) string {
	if active {
		return "Active"
	}
	return "Inactive"
}

func (c *Calls) directReport(ctx context.Context, in *listInput) (*list[person], error) {
	q, _, err := c.query(ctx, in.Body, false)
	if err != nil {
		return nil, err
	}
	p, err := c.Team.Referrals(ctx, q)
	return people(p, q, true), err
}

func (c *Calls) downlineReport(ctx context.Context, in *listInput) (*list[person], error) {
	q, _, err := c.query(ctx, in.Body, false)
	if err != nil {
		return nil, err
	}
	p, err := c.Team.Team(ctx, q)
	return people(p, q, false), err
}

func (c *Calls) levelDetails(ctx context.Context, in *listInput) (*list[person], error) {
	q, level, err := c.query(ctx, in.Body, true)
	if err != nil {
		return nil, err
	}
	p, err := c.Team.Levels(ctx, q, level)
	return people(p, q, false), err
}

type legRow struct {
	Row        int    `json:"row"`
	UID        string `json:"uid"`
	SelfForex  usd    `json:"SelfBusinessForex"`
	TeamForex  usd    `json:"TeamBusinessForex"`
	SelfCrypto usd    `json:"SelfBusinessCrypto"`
	TeamCrypto usd    `json:"TeamBusinessCrypto"`
}

func (c *Calls) legBusiness(ctx context.Context, in *listInput) (*list[legRow], error) {
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
			p.First + i, id(l.UID), dollars(l.Self[tree.Forex]), dollars(l.Team[tree.Forex]), dollars(l.Self[tree.Crypto]), dollars(l.Team[tree.Crypto]),
		})
	}
	return pageOf(rows, p.Total, q.Page, q.Size), nil
}
