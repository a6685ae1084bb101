package member

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/team"
)

func (c *Calls) registerTeam(api huma.API) {
	httpx.PostRead(api, httpx.TagTeam, "DirectReport", "List the member's direct referrals", httpx.WithReadSlot(c.Base, c.directReport))
	httpx.PostRead(api, httpx.TagTeam, "DownlineReport", "List the member's downline in the binary tree", httpx.WithReadSlot(c.Base, c.downlineReport))
	httpx.PostRead(api, httpx.TagTeam, "LevelDetails", "List the member's sponsor downline by level", httpx.WithReadSlot(c.Base, c.levelDetails))
	httpx.PostRead(api, httpx.TagTeam, "DirectLegBusiness", "List the business of each direct referral and its downline", httpx.WithReadSlot(c.Base, c.legBusiness))
}

// listBody has the common input of lists.
type listBody struct {
	UID      httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
	From     string            `json:"fdate,omitempty" doc:"First local day, such as 2026-01-31; empty for no limit."`
	To       string            `json:"tdate,omitempty" doc:"Last local day, inclusive."`
	Status   httpx.StringOrInt `json:"status,omitempty" doc:"2: all; 1: active; 0: inactive."`
	Position httpx.StringOrInt `json:"position,omitempty" doc:"0: all; 1: left; 2: right; ignored by LevelDetails."`
	Level    httpx.StringOrInt `json:"leveltype,omitempty" doc:"0 for all levels, or 1 to 20; LevelDetails only."`
	Page     httpx.StringOrInt `json:"page,omitempty" doc:"Page number, from 1."`
	Size     httpx.StringOrInt `json:"size,omitempty" doc:"Rows per page, at most 500; default 100."`
	Sort     string            `json:"sort,omitempty" maxLength:"40" doc:"registrationDate, uid, leveltype, RobotInvet, forexInvest or CryptoInvest; prefix - for descending."`
}

// query reads the filters of a list and collects all errors. LevelDetails filters by level
// and other lists by side: the wrong filter is an error, since an ignored one would return
// unfiltered rows.
func (c *Calls) query(ctx context.Context, b listBody, levels bool) (q team.Query, level int, err error) {
	var f httpx.FieldErrors
	q.UID = f.UserID("uid", b.UID)
	zone := c.Team.Zone()
	q.From, q.To = f.Day("fdate", b.From, zone), f.Day("tdate", b.To, zone)
	if status := f.Int("status", b.Status, 2, 0, 2); status != 2 {
		active := status == 1
		q.Active = &active
	}
	q.Side = tree.Side(f.Int("position", b.Position, 0, 0, 2))
	level = int(f.Int("leveltype", b.Level, 0, 0, team.MaxLevel))
	q.Page, q.Size = int(f.Int("page", b.Page, 1, 1, 1_000_000)), int(f.Int("size", b.Size, httpx.DefaultPageSize, 1, team.MaxSize))
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
	return q, level, httpx.RequireOwner(ctx, q.UID)
}

// person is a member in a list.
type person struct {
	Row        int             `json:"row"`
	UID        string          `json:"uid"`
	Name       string          `json:"f_name"`
	Mobile     string          `json:"mobile,omitempty" doc:"Only for the member's direct referrals."`
	Status     string          `json:"status" enum:"Active,Inactive"`
	Registered httpx.Timestamp `json:"registrationDate"`
	Activated  httpx.Timestamp `json:"activationDate"`
	Robot      httpx.USD       `json:"RobotInvet"`
	Forex      httpx.USD       `json:"forexInvest"`
	Crypto     httpx.USD       `json:"CryptoInvest"`
	Position   string          `json:"position" doc:"Left or Right, seen from the caller."`
	Level      int             `json:"leveltype"`
	Sponsor    string          `json:"sid"`
}

func people(p team.Page[team.Person], q team.Query, mobile bool) *httpx.List[person] {
	rows := make([]person, 0, len(p.Rows))
	for i, m := range p.Rows {
		r := person{
			Row: p.First + i, UID: httpx.FormatID(m.Row.UID), Name: m.Name, Status: status(m.Active),
			Registered: httpx.ToTimestamp(m.Joined), Activated: httpx.ToTimestamp(m.ActivatedAt),
			Robot: httpx.ToUSD(m.Business[tree.Robot]), Forex: httpx.ToUSD(m.Business[tree.Forex]), Crypto: httpx.ToUSD(m.Business[tree.Crypto]),
			Position: m.Leg.String(), Level: m.Level, Sponsor: httpx.FormatID(m.SponsorUID),
		}
		if mobile {
			r.Mobile = m.Mobile
		}
		rows = append(rows, r)
	}
	return httpx.NewList(rows, p.Total, q.Page, q.Size)
}

func status(active bool) string {
	if active {
		return "Active"
	}
	return "Inactive"
}

func (c *Calls) directReport(ctx context.Context, in *httpx.Body[listBody]) (*httpx.List[person], error) {
	q, _, err := c.query(ctx, in.Body, false)
	if err != nil {
		return nil, err
	}
	p, err := c.Team.Referrals(ctx, q)
	return people(p, q, true), err
}

func (c *Calls) downlineReport(ctx context.Context, in *httpx.Body[listBody]) (*httpx.List[person], error) {
	q, _, err := c.query(ctx, in.Body, false)
	if err != nil {
		return nil, err
	}
	p, err := c.Team.Team(ctx, q)
	return people(p, q, false), err
}

func (c *Calls) levelDetails(ctx context.Context, in *httpx.Body[listBody]) (*httpx.List[person], error) {
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

func (c *Calls) legBusiness(ctx context.Context, in *httpx.Body[listBody]) (*httpx.List[legRow], error) {
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
			p.First + i, httpx.FormatID(l.UID), httpx.ToUSD(l.Self[tree.Forex]), httpx.ToUSD(l.Team[tree.Forex]), httpx.ToUSD(l.Self[tree.Crypto]), httpx.ToUSD(l.Team[tree.Crypto]),
		})
	}
	return httpx.NewList(rows, p.Total, q.Page, q.Size), nil
}
