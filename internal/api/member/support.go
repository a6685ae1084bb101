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
	httpx.Post(api, httpx.TagSupport, "TicketMessage", "Add a message to one of the member's tickets", c.say)
	httpx.Get(api, httpx.TagSupport, "ticket", "Retrieve one of the member's tickets with its messages", httpx.WithReadSlot(c.Base, c.ticket))
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

type sayBody struct {
	UID    httpx.StringOrInt `json:"uid,omitempty"`
	Ticket httpx.StringOrInt `json:"ticket_id,omitempty"`
	Query  string            `json:"query,omitempty" doc:"The message, up to 1000 characters."`
}

func (c *Calls) say(ctx context.Context, in *httpx.KeyedBody[sayBody]) (*httpx.MessageReply, error) {
	uid, err := ownBody{in.Body.UID}.parse(ctx)
	if err != nil {
		return nil, err
	}
	var f httpx.FieldErrors
	number := f.RecordID("ticket_id", in.Body.Ticket)
	if err := f.Err(); err != nil {
		return nil, err
	}
	body := fmt.Appendf(nil, "ticket %d: %s", number, in.Body.Query)
	_, err = c.Do.Do(ctx, ledger.Command{Actor: actor.Member(uid), Key: in.Key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, c.Support.Say(ctx, tx, uid, number, in.Body.Query, tx.Now())
	}})
	switch errs.KindOf(err) {
	case errs.Invalid, errs.Refused:
		text, _, err := outcome(errs.Text{}, err)
		return httpx.NewMessage(text), err
	}
	return httpx.NewMessage(httpx.QuerySent), err
}

type ticketInput struct {
	UID string `query:"uid" doc:"The caller's user id."`
	ID  string `query:"id" doc:"The id of the ticket."`
}

type ticketMessage struct {
	Kind string          `json:"kind" enum:"message,answer,close,reopen" doc:"A message of the member, or what support did."`
	Text string          `json:"text"`
	At   httpx.Timestamp `json:"at"`
}

type ticketTalk struct {
	ID       string          `json:"ticket_id"`
	Status   string          `json:"status" enum:"open,replied,closed"`
	Messages []ticketMessage `json:"messages" nullable:"false" doc:"In order; the first is the query."`
}

func (c *Calls) ticket(ctx context.Context, in *ticketInput) (*httpx.Reply[ticketTalk], error) {
	uid, err := httpx.OwnUserID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	var f httpx.FieldErrors
	number := f.RecordID("id", httpx.StringOrInt(in.ID))
	if err := f.Err(); err != nil {
		return nil, err
	}
	t, acts, err := c.Support.ThreadOf(ctx, uid, number)
	if err != nil {
		return nil, err
	}
	out := ticketTalk{httpx.FormatID(t.ID), string(t.Status), []ticketMessage{{string(support.ActMessage), t.Query, httpx.ToTimestamp(t.CreatedAt)}}}
	for _, a := range acts {
		switch a.Kind {
		case support.ActMessage, support.ActAnswer:
			out.Messages = append(out.Messages, ticketMessage{string(a.Kind), a.Text, httpx.ToTimestamp(a.At)})
		case support.ActClose, support.ActReopen:
			out.Messages = append(out.Messages, ticketMessage{string(a.Kind), "", httpx.ToTimestamp(a.At)})
		case support.ActAssign, support.ActComplaint: // internal
		}
	}
	return httpx.NewReply(out), nil
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
