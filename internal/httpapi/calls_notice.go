package httpapi

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerNotice(api huma.API) {
	get(api, tagMember, "notices", "What happened lately to what is the member's, newest first", inTurn(c, c.notices))
	post(api, tagMember, "notices/read", "The member has read its notices up to a time", c.readNotices)
}

type noticesInput struct {
	UID string `query:"uid" doc:"The caller's own user id."`
}

type noticeRow struct {
	Kind   string `json:"kind" enum:"bank,usdt,received,withdrawal,answer,claim"`
	ID     string `json:"id" doc:"The number of the request, transfer, withdrawal, query or claim."`
	State  string `json:"state" doc:"What it is now; a claim is Ready when its money is there."`
	Name   string `json:"name" doc:"The fund, the wallet or the line."`
	From   string `json:"from" doc:"Who transferred; else empty."`
	Amount string `json:"amount"`
	Remark string `json:"remark"`
	At     moment `json:"at"`
	Unread bool   `json:"unread"`
}

type noticesAnswer struct {
	Data   [][]noticeRow `json:"data" nullable:"false" doc:"The first element is the rows, twenty at most."`
	Unread int           `json:"unread"`
}

func (c *Calls) notices(ctx context.Context, in *noticesInput) (*struct{ Body noticesAnswer }, error) {
	uid, err := ownID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	all, unread, err := c.Notices.List(ctx, uid)
	if err != nil {
		return nil, err
	}
	rows := []noticeRow{}
	for i, n := range all {
		rows = append(rows, noticeRow{string(n.Kind), n.ID, n.State, n.Name, id(n.From), n.Amount.String(), n.Remark, at(n.At), i < unread})
	}
	return &struct{ Body noticesAnswer }{noticesAnswer{[][]noticeRow{rows}, unread}}, nil
}

type readInput struct {
	Body struct {
		UID  text   `json:"uid"`
		Upto string `json:"upto" maxLength:"40" doc:"The time of the newest notice that was shown."`
	}
}

func (c *Calls) readNotices(ctx context.Context, in *readInput) (*sentence, error) {
	uid, err := ownID(ctx, string(in.Body.UID))
	if err != nil {
		return nil, err
	}
	upto, err := time.Parse(time.RFC3339, in.Body.Upto)
	if err != nil {
		return nil, errs.BadField("upto", "request.not_a_moment", "This is not a time such as 2026-01-31T09:30:00Z.")
	}
	// Times are told in milliseconds and kept finer.
	return say(successful), c.Notices.Read(ctx, uid, upto.Add(time.Millisecond-time.Microsecond))
}

// ownID is the caller's own user id as the caller names it.
func ownID(ctx context.Context, named string) (int64, error) {
	var f fields
	uid := f.uid("uid", text(named))
	if err := f.err(); err != nil {
		return 0, err
	}
	return uid, own(ctx, uid)
}
