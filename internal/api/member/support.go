package member

import (
	"context"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/export"
)

func (c *Calls) registerSupport(api huma.API) {
	httpx.Post(api, httpx.TagSupport, "Helpdesk_By_User", "Create a support ticket", c.ask)
	httpx.PostRead(api, httpx.TagSupport, "UserHelpDeskHistory", "List the member's support tickets", c.tickets)
}

type askBody struct {
	UID   httpx.StringOrInt `json:"uid,omitempty"`
	Query string            `json:"query,omitempty" doc:"Up to 1000 characters."`
	Kind  string            `json:"kind,omitempty" enum:"query,complaint," doc:"query or complaint; default query. A complaint is answered within 48 hours and settled within 30 days."`
}

func (c *Calls) ask(ctx context.Context, in *httpx.KeyedBody[askBody]) (*httpx.MessageReply, error) {
	uid, err := ownBody{in.Body.UID}.parse(ctx)
	if err != nil {
		return nil, err
	}
	kind, err := support.ParseKind(in.Body.Kind)
	if err != nil {
		return nil, err
	}
	body := []byte(in.Body.Query)
	if kind != support.KindQuery {
		body = fmt.Appendf(nil, "%s: %s", kind, body)
	}
	_, err = c.Do.Do(ctx, ledger.Command{Actor: actor.Member(uid), Key: in.Key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		_, err := c.Support.Ask(ctx, tx, uid, kind, in.Body.Query, tx.Now())
		return nil, err
	}})
	switch errs.KindOf(err) {
	case errs.Invalid, errs.Refused:
		text, _, err := outcome(errs.Text{}, err)
		return httpx.NewMessage(text), err
	}
	return httpx.NewMessage(httpx.QuerySent), err
}

type ticketsBody struct {
	UID  httpx.StringOrInt `json:"uid,omitempty"`
	Page httpx.StringOrInt `json:"page,omitempty"`
	Size httpx.StringOrInt `json:"size,omitempty"`
	Sort string            `json:"sort,omitempty" enum:"-ee," doc:"Ignored: the order is always newest first."`
}

type ticketRow struct {
	Row     int             `json:"row"`
	ID      string          `json:"ticket_id"`
	Query   string          `json:"query"`
	Reply   string          `json:"reply_message"`
	Status  string          `json:"status" enum:"open,replied,closed" doc:"The status; open until the ticket is answered."`
	Asked   httpx.Timestamp `json:"ee"`
	Replied httpx.Timestamp `json:"rd"`
}

func (c *Calls) tickets(ctx context.Context, in *httpx.Body[ticketsBody]) (*httpx.List[ticketRow], error) {
	uid, err := ownBody{in.Body.UID}.parse(ctx)
	if err != nil {
		return nil, err
	}
	var f httpx.FieldErrors
	number, size := f.Int("page", in.Body.Page, 1, 1, 1_000_000), f.Int("size", in.Body.Size, httpx.DefaultPageSize, 1, 500)
	if err := f.Err(); err != nil {
		return nil, err
	}
	found, total, err := c.Support.History(ctx, uid, number, size)
	if err != nil {
		return nil, err
	}
	rows := make([]ticketRow, 0, len(found))
	for i, t := range found {
		rows = append(rows, ticketRow{int((number-1)*size) + i + 1, httpx.FormatID(t.ID), t.Query, t.Reply, string(t.Status), httpx.ToTimestamp(t.CreatedAt), httpx.ToTimestamp(t.RepliedAt)})
	}
	return httpx.NewList(rows, int(total), int(number), int(size)), nil
}

var ticketColumns = []httpx.Column[support.Ticket]{
	httpx.NumberColumn[support.Ticket]("site.table.serial"),
	httpx.TextColumn("member.support.ticket", 12, func(t support.Ticket) string { return httpx.FormatID(t.ID) }),
	httpx.TextColumn("member.support.query", 60, func(t support.Ticket) string { return t.Query }),
	httpx.TextColumn("member.support.reply", 60, func(t support.Ticket) string { return t.Reply }),
	httpx.TimeColumn("member.support.requested", func(t support.Ticket) time.Time { return t.CreatedAt }),
	httpx.TextColumn("member.support.status", 10, func(t support.Ticket) string { return string(t.Status) }),
	httpx.TimeColumn("member.support.replied", func(t support.Ticket) time.Time { return t.RepliedAt }),
}

func (c *Calls) exportTickets(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	uid := httpx.SessionOf(ctx).Owner // exportReport has checked the owner
	return httpx.NewTable(in.Report, ticketColumns, func(yield func(support.Ticket) error) error { return c.Support.Each(ctx, uid, yield) }, c.Team.Zone())
}
