package member

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerNotice(api huma.API) {
	httpx.Get(api, httpx.TagMember, "notices", "List the member's notices, newest first", httpx.WithReadSlot(c.Base, c.notices))
	httpx.Post(api, httpx.TagMember, "notices/read", "Mark notices up to a time as read", c.readNotices)
}

type noticesInput struct {
	UID  string `query:"uid" doc:"The caller's user id."`
	Size int    `query:"size" minimum:"1" maximum:"100" default:"20" doc:"The maximum number of notices."`
}

type noticeRow struct {
	Kind   string          `json:"kind" enum:"bank,usdt,received,withdrawal,answer,claim"`
	ID     string          `json:"id" doc:"The id of the request, transfer, withdrawal, query or claim."`
	State  string          `json:"state" doc:"The current state; a claim is Ready when its money is available."`
	Name   string          `json:"name" doc:"The fund, wallet or trading line."`
	From   string          `json:"from" doc:"The sender of a transfer; else empty."`
	Sender string          `json:"f_name" doc:"The name of the sender of a transfer; else empty."`
	Amount string          `json:"amount"`
	Remark string          `json:"remark"`
	At     httpx.Timestamp `json:"at"`
	Unread bool            `json:"unread"`
}

type noticesAnswer struct {
	Data   [][]noticeRow `json:"data" nullable:"false" doc:"The first element holds the rows."`
	Unread int           `json:"unread"`
}

func (c *Calls) notices(ctx context.Context, in *noticesInput) (*struct{ Body noticesAnswer }, error) {
	uid, err := httpx.OwnUserID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	all, unread, err := c.Notices.List(ctx, uid, in.Size)
	if err != nil {
		return nil, err
	}
	var senders []int64
	for _, n := range all {
		if n.From != 0 {
			senders = append(senders, n.From)
		}
	}
	cards, err := c.Members.Cards(ctx, senders)
	if err != nil {
		return nil, err
	}
	rows := []noticeRow{}
	for i, n := range all {
		rows = append(rows, noticeRow{string(n.Kind), n.ID, n.State, n.Name, httpx.FormatID(n.From), cards[n.From].Name, n.Amount.String(), n.Remark, httpx.ToTimestamp(n.At), i < unread})
	}
	return &struct{ Body noticesAnswer }{noticesAnswer{[][]noticeRow{rows}, unread}}, nil
}

type readInput struct {
	Body struct {
		UID  httpx.StringOrInt `json:"uid"`
		Upto string            `json:"upto" maxLength:"40" doc:"The time of the newest notice shown."`
	}
}

func (c *Calls) readNotices(ctx context.Context, in *readInput) (*httpx.MessageReply, error) {
	uid, err := httpx.OwnUserID(ctx, string(in.Body.UID))
	if err != nil {
		return nil, err
	}
	upto, err := time.Parse(time.RFC3339, in.Body.Upto)
	if err != nil {
		return nil, errs.BadField("upto", "request.not_a_moment", "This is not a time such as 2026-01-31T09:30:00Z.")
	}
	// Responses round times to milliseconds; stored times are finer.
	return httpx.NewMessage(httpx.Successful), c.Notices.Read(ctx, uid, upto.Add(time.Millisecond-time.Microsecond))
}
