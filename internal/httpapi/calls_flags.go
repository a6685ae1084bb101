package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/platform/actor"
)

func (c *Calls) registerFlags(api huma.API) {
	get(api, tagOperator, "operator/member/flags", "What became of a member's flags, newest first", inTurn(c, c.memberFlags))
	post(api, tagOperator, "operator/member/flag", "Raise or lower a flag of a member", c.flagMember)
	post(api, tagOperator, "operator/member/legalHold", "Put a member's data under legal hold, or lift it", c.holdMember)
	get(api, tagOperator, "operator/member/duplicates", "Members who may be the same person: hints, no proof", inTurn(c, c.duplicates))
	post(api, tagOperator, "operator/member/sessions/end", "Sign a member out, of one session or all", c.signOutMember)
}

type flagRow struct {
	ID       int64  `json:"id"`
	Flag     string `json:"flag" enum:"watch,duplicate,documents,vulnerable,legal hold"`
	Raised   bool   `json:"raised"`
	Operator string `json:"operator"`
	Name     string `json:"name"`
	Reason   string `json:"reason"`
	At       moment `json:"at"`
}

func flagOf(f staff.FlagRow) flagRow {
	return flagRow{f.ID, string(f.Flag), f.Raised, id(f.Operator), f.Name, f.Reason, at(f.At)}
}

func (c *Calls) memberFlags(ctx context.Context, in *notesInput) (*keyset[flagRow], error) {
	var f fields
	uid := f.uid("uid", text(in.UID))
	if err := f.err(); err != nil {
		return nil, err
	}
	found, more, err := c.Office.FlagHistory(ctx, uid, in.Before, in.Size)
	if err != nil {
		return nil, err
	}
	rows := []flagRow{}
	for _, f := range found {
		rows = append(rows, flagOf(f))
	}
	return keysetOf(rows, more, func(r flagRow) int64 { return r.ID }), nil
}

type flagInput struct {
	Keyed
	Body struct {
		UID    text   `json:"uid"`
		Flag   string `json:"flag" maxLength:"40" doc:"watch, duplicate, documents or vulnerable."`
		Raise  bool   `json:"raise" doc:"false lowers it."`
		Reason string `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
	}
}

func (c *Calls) flagMember(ctx context.Context, in *flagInput) (*reply[flagRow], error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	f, err := c.Office.SetFlag(ctx, by, in.Key, uid, staff.Flag(in.Body.Flag), in.Body.Raise, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return answer(flagOf(f)), nil
}

// aboutMember reads whom an operator's call is about, and who asks.
func (c *Calls) aboutMember(ctx context.Context, given text) (uid int64, by actor.By, err error) {
	var f fields
	uid = f.uid("uid", given)
	if err := f.err(); err != nil {
		return 0, by, err
	}
	by, err = c.by(ctx)
	return uid, by, err
}

type holdInput struct {
	Keyed
	Body struct {
		UID    text   `json:"uid"`
		Hold   bool   `json:"hold" doc:"false lifts it."`
		Reason string `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
	}
}

func (c *Calls) holdMember(ctx context.Context, in *holdInput) (*reply[flagRow], error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	f, err := c.Office.SetHold(ctx, by, in.Key, uid, in.Body.Hold, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return answer(flagOf(f)), nil
}

type alikeRow struct {
	UID     string   `json:"uid"`
	Name    string   `json:"name"`
	Joined  moment   `json:"joined"`
	Blocked moment   `json:"blocked"`
	Ways    []string `json:"ways" nullable:"false" enum:"mobile,wallet,bank,e-mail,address" doc:"What both have: address is that of a device on the net."`
}

func (c *Calls) duplicates(ctx context.Context, in *memberInput) (*list[alikeRow], error) {
	var f fields
	uid := f.uid("uid", text(in.UID))
	if err := f.err(); err != nil {
		return nil, err
	}
	found, err := c.Office.Duplicates(ctx, uid)
	if err != nil {
		return nil, err
	}
	rows := []alikeRow{}
	for _, a := range found {
		r := alikeRow{UID: id(a.UID), Name: a.Name, Joined: at(a.JoinedAt), Blocked: at(a.BlockedAt), Ways: []string{}}
		for _, w := range a.Ways {
			r.Ways = append(r.Ways, string(w))
		}
		rows = append(rows, r)
	}
	return pageOf(rows, len(rows), 1, max(len(rows), 1)), nil
}

type signOutInput struct {
	Keyed
	Body struct {
		UID    text   `json:"uid"`
		ID     string `json:"id,omitempty" maxLength:"100" doc:"Of one session; all without it."`
		Reason string `json:"reason" doc:"Why; 5 to 200 characters. The member sees it."`
	}
}

func (c *Calls) signOutMember(ctx context.Context, in *signOutInput) (*sentence, error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return say(successful), c.Office.SignOut(ctx, by, in.Key, uid, in.Body.ID, in.Body.Reason)
}
