package httpapi

import (
	"context"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/export"
)

func (c *Calls) registerSupport(api huma.API) {
	post(api, tagSupport, "Helpdesk_By_User", "Ask the help desk", c.ask)
	post(api, tagSupport, "UserHelpDeskHistory", "The member's tickets", c.tickets)
}

type askInput struct {
	Keyed
	Body askBody
}

type askBody struct {
	UID   text   `json:"uid,omitempty"`
	Query string `json:"query,omitempty" doc:"Up to 1000 characters."`
	Kind  string `json:"kind,omitempty" enum:"query,complaint," doc:"A complaint is answered within 48 hours and settled within 30 days; a query unless given."`
}

func (c *Calls) ask(ctx context.Context, in *askInput) (*sentence, error) {
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
		return say(text), err
	}
	return say(querySent), err
}

type ticketsInput struct {
	Body ticketsBody
}

type ticketsBody struct {
	UID  text   `json:"uid,omitempty"`
	Page text   `json:"page,omitempty"`
	Size text   `json:"size,omitempty"`
	Sort string `json:"sort,omitempty" enum:"-ee," doc:"Newest first; there is no other order."`
}

type ticketRow struct {
	Row     int    `json:"row"`
	ID      string `json:"ticket_id"`
	Query   string `json:"query"`
	Reply   string `json:"reply_message"`
	Status  string `json:"status" enum:"open,replied,closed" doc:"open until it is answered."`
	Asked   moment `json:"ee"`
	Replied moment `json:"rd"`
}

func (c *Calls) tickets(ctx context.Context, in *ticketsInput) (*list[ticketRow], error) {
	uid, err := ownBody{in.Body.UID}.parse(ctx)
	if err != nil {
		return nil, err
	}
	var f fields
	number, size := f.code("page", in.Body.Page, 1, 1, 1_000_000), f.code("size", in.Body.Size, defaultSize, 1, 500)
	if err := f.err(); err != nil {
		return nil, err
	}
	found, total, err := c.Support.History(ctx, uid, number, size)
	if err != nil {
		return nil, err
	}
	rows := make([]ticketRow, 0, len(found))
	for i, t := range found {
		rows = append(rows, ticketRow{int((number-1)*size) + i + 1, id(t.ID), t.Query, t.Reply, string(t.Status), at(t.CreatedAt), at(t.RepliedAt)})
	}
	return pageOf(rows, int(total), int(number), int(size)), nil
}

var ticketColumns = []column[support.Ticket]{
	numberColumn[support.Ticket]("S.No"),
	textColumn("Ticket Id", 12, func(t support.Ticket) string { return id(t.ID) }),
	textColumn("Query", 60, func(t support.Ticket) string { return t.Query }),
	textColumn("Admin Reply", 60, func(t support.Ticket) string { return t.Reply }),
	timeColumn("Request Date", func(t support.Ticket) time.Time { return t.CreatedAt }),
	textColumn("Status", 10, func(t support.Ticket) string { return string(t.Status) }),
	timeColumn("Reply Date", func(t support.Ticket) time.Time { return t.RepliedAt }),
}

func (c *Calls) exportTickets(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	uid := sessionOf(ctx).Owner // exportReport has compared it
	return sheet(in.Report, ticketColumns, func(yield func(support.Ticket) error) error { return c.Support.Each(ctx, uid, yield) }, c.Team.Zone())
}
