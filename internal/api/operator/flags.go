package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/platform/actor"
)

func (c *Calls) registerFlags(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/member/flags", "List changes of a member's flags, newest first", httpx.WithReadSlot(c.Base, c.memberFlags))
	httpx.Post(api, httpx.TagOperator, "operator/member/flag", "Set or clear a flag of a member", c.flagMember)
	httpx.Post(api, httpx.TagOperator, "operator/member/legalHold", "Set or lift the legal hold on a member's data", c.holdMember)
	httpx.Get(api, httpx.TagOperator, "operator/member/duplicates", "List possible duplicates of a member", httpx.WithReadSlot(c.Base, c.duplicates))
	httpx.Post(api, httpx.TagOperator, "operator/member/sessions/end", "End one or all sessions of a member", c.signOutMember)
}

type flagRow struct {
	ID       int64           `json:"id"`
	Flag     string          `json:"flag" enum:"watch,duplicate,documents,vulnerable,legal hold"`
	Raised   bool            `json:"raised"`
	Operator string          `json:"operator"`
	Name     string          `json:"name"`
	Reason   string          `json:"reason"`
	At       httpx.Timestamp `json:"at"`
}

func flagOf(f staff.FlagRow) flagRow {
	return flagRow{f.ID, string(f.Flag), f.Raised, httpx.FormatID(f.Operator), f.Name, f.Reason, httpx.ToTimestamp(f.At)}
}

func (c *Calls) memberFlags(ctx context.Context, in *notesInput) (*keyset[flagRow], error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(in.UID))
	if err := f.Err(); err != nil {
		return nil, err
	}
	found, more, err := c.Staff.FlagHistory(ctx, uid, in.Before, in.Size)
	if err != nil {
		return nil, err
	}
	rows := httpx.Rows(found, flagOf)
	return keysetOf(rows, more, func(r flagRow) int64 { return r.ID }), nil
}

type flagInput struct {
	httpx.Idempotent
	Body struct {
		UID    httpx.StringOrInt `json:"uid"`
		Flag   string            `json:"flag" maxLength:"40" doc:"The flag: watch, duplicate, documents or vulnerable."`
		Raise  bool              `json:"raise" doc:"true sets the flag; false clears it."`
		Reason string            `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
	}
}

func (c *Calls) flagMember(ctx context.Context, in *flagInput) (*httpx.Reply[flagRow], error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(flagOf)(c.Staff.SetFlag(ctx, by, in.Key, uid, staff.Flag(in.Body.Flag), in.Body.Raise, in.Body.Reason))
}

// aboutMember reads the member that an operator's call is about, and the operator.
func (c *Calls) aboutMember(ctx context.Context, given httpx.StringOrInt) (uid int64, by actor.By, err error) {
	var f httpx.FieldErrors
	uid = f.UserID("uid", given)
	if err := f.Err(); err != nil {
		return 0, by, err
	}
	by, err = c.CallingOperator(ctx)
	return uid, by, err
}

type holdInput struct {
	httpx.Idempotent
	Body struct {
		UID    httpx.StringOrInt `json:"uid"`
		Hold   bool              `json:"hold" doc:"true sets the hold; false lifts it."`
		Reason string            `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
	}
}

func (c *Calls) holdMember(ctx context.Context, in *holdInput) (*httpx.Reply[flagRow], error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(flagOf)(c.Staff.SetHold(ctx, by, in.Key, uid, in.Body.Hold, in.Body.Reason))
}

type alikeRow struct {
	UID     string          `json:"uid"`
	Name    string          `json:"name"`
	Joined  httpx.Timestamp `json:"joined"`
	Blocked httpx.Timestamp `json:"blocked"`
	Ways    []string        `json:"ways" nullable:"false" enum:"mobile,wallet,bank,e-mail,address" doc:"The attributes that both have; address is the IP address of a device."`
}

func (c *Calls) duplicates(ctx context.Context, in *memberInput) (*httpx.List[alikeRow], error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(in.UID))
	if err := f.Err(); err != nil {
		return nil, err
	}
	found, err := c.Staff.Duplicates(ctx, uid)
	if err != nil {
		return nil, err
	}
	rows := []alikeRow{}
	for _, a := range found {
		r := alikeRow{UID: httpx.FormatID(a.UID), Name: a.Name, Joined: httpx.ToTimestamp(a.JoinedAt), Blocked: httpx.ToTimestamp(a.BlockedAt), Ways: []string{}}
		for _, w := range a.Ways {
			r.Ways = append(r.Ways, string(w))
		}
		rows = append(rows, r)
	}
	return httpx.NewList(rows, len(rows), 1, max(len(rows), 1)), nil
}

type signOutInput struct {
	httpx.Idempotent
	Body struct {
		UID    httpx.StringOrInt `json:"uid"`
		ID     string            `json:"id,omitempty" maxLength:"100" doc:"The id of the session; default: all sessions."`
		Reason string            `json:"reason" doc:"The reason, 5 to 200 characters; shown to the member."`
	}
}

func (c *Calls) signOutMember(ctx context.Context, in *signOutInput) (*httpx.MessageReply, error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Staff.SignOut(ctx, by, in.Key, uid, in.Body.ID, in.Body.Reason)
}

// aboutRecord reads the record that an operator's call is about, and the operator.
func (c *Calls) aboutRecord(ctx context.Context, given httpx.StringOrInt) (id int64, by actor.By, err error) {
	var f httpx.FieldErrors
	id = f.RecordID("id", given)
	if err := f.Err(); err != nil {
		return 0, by, err
	}
	by, err = c.CallingOperator(ctx)
	return id, by, err
}
