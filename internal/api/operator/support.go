package operator

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/support"
)

func (c *Calls) registerSupport(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/tickets", "List support tickets; waiting ones by deadline", httpx.WithReadSlot(c.Base, c.allTickets))
	httpx.Get(api, httpx.TagOperator, "operator/tickets/thread", "Retrieve a ticket with its thread", httpx.WithReadSlot(c.Base, c.ticketThread))
	httpx.Post(api, httpx.TagOperator, "operator/tickets/answer", "Answer a ticket; the member gets a mail and sees the answer in the history", c.ticketAct(support.ActAnswer))
	httpx.Post(api, httpx.TagOperator, "operator/tickets/close", "Close an answered ticket, which settles a complaint", c.ticketAct(support.ActClose))
	httpx.Post(api, httpx.TagOperator, "operator/tickets/reopen", "Reopen a closed ticket, with a reason", c.ticketAct(support.ActReopen))
	httpx.Post(api, httpx.TagOperator, "operator/tickets/assign", "Assign a ticket to the calling operator", c.ticketAct(support.ActAssign))
	httpx.Post(api, httpx.TagOperator, "operator/tickets/complaint", "Turn a query into a complaint, with its deadlines, for good", c.ticketAct(support.ActComplaint))
}

type ticketListInput struct {
	State   string `query:"state" enum:"waiting,open,replied,closed," doc:"waiting: open tickets and unsettled complaints. Default: all."`
	Kind    string `query:"kind" enum:"query,complaint,"`
	Overdue string `query:"overdue" enum:"true," doc:"true: only overdue tickets."`
	Search  string `query:"q" maxLength:"400" doc:"The id of a ticket or member, or up to 8 prefixes of words: every prefix must match a word in the query or the answers. At most 100 characters."`
	Page    string `query:"page" doc:"Page number, from 1."`
	Size    string `query:"size" doc:"Rows per page, at most 500; default 100."`
}

const ticketsWaiting = "waiting"

type operatorTicketRow struct {
	ID       string          `json:"id"`
	UID      string          `json:"uid"`
	Name     string          `json:"name" doc:"The member's name."`
	Kind     string          `json:"kind" enum:"query,complaint"`
	Query    string          `json:"query"`
	Status   string          `json:"status" enum:"open,replied,closed"`
	Assignee string          `json:"assignee" doc:"The assigned operator; empty if there is none."`
	Mine     bool            `json:"mine" doc:"Whether the ticket is assigned to the caller."`
	Asked    httpx.Timestamp `json:"asked"`
	Answered httpx.Timestamp `json:"answered" doc:"The time of the first answer."`
	Closed   httpx.Timestamp `json:"closed"`
	Due      httpx.Timestamp `json:"due" doc:"The next deadline: a complaint's first answer, then its settlement. Empty if there is none."`
	DueFor   string          `json:"dueFor" enum:"answer,settlement," doc:"The action that is due."`
	Overdue  bool            `json:"overdue"`
	Seen     int64           `json:"seen" doc:"The number of actions in the thread, to be sent as seen with a change."`
}

func operatorTicket(ctx context.Context, t support.Ticket, name string, now time.Time) operatorTicketRow {
	row := operatorTicketRow{
		ID: httpx.FormatID(t.ID), UID: httpx.FormatID(t.UID), Name: name, Kind: string(t.Kind), Query: t.Query, Status: string(t.Status), Assignee: t.Assignee.Name,
		Mine: t.Assignee.Operator != 0 && t.Assignee.Operator == httpx.SessionOf(ctx).Operator, Asked: httpx.ToTimestamp(t.CreatedAt), Answered: httpx.ToTimestamp(t.AnsweredAt), Closed: httpx.ToTimestamp(t.ClosedAt),
		Due: httpx.ToTimestamp(t.Due()), Overdue: t.Overdue(now), Seen: t.Acts,
	}
	if row.Due != "" {
		row.DueFor = "settlement"
		if t.AnsweredAt.IsZero() {
			row.DueFor = "answer"
		}
	}
	return row
}

type ticketListing struct {
	Data    [][]operatorTicketRow `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
	Total   int                   `json:"total" doc:"The total number of rows."`
	Page    int                   `json:"page"`
	Size    int                   `json:"size"`
	Partial bool                  `json:"partial" doc:"Whether the search matched too many tickets, so that total may be too small."`
}

type ticketList struct{ Body ticketListing }

func (c *Calls) allTickets(ctx context.Context, in *ticketListInput) (*ticketList, error) {
	var f httpx.FieldErrors
	number, size := f.Page(httpx.StringOrInt(in.Page), httpx.StringOrInt(in.Size))
	if err := f.Err(); err != nil {
		return nil, err
	}
	now := c.Clock.Now()
	filter := support.Filter{Kind: support.Kind(in.Kind), Search: in.Search, Offset: int64((number - 1) * size), Limit: int64(size)}
	if in.State == ticketsWaiting {
		filter.Waiting = true
	} else {
		filter.Status = support.Status(in.State)
	}
	if in.Overdue != "" {
		filter.Overdue = now
	}
	found, err := c.Support.Find(ctx, filter)
	if err != nil {
		return nil, err
	}
	uids := make([]int64, len(found.Tickets))
	for i, t := range found.Tickets {
		uids[i] = t.UID
	}
	cards, err := c.Members.Cards(ctx, uids)
	if err != nil {
		return nil, err
	}
	rows := make([]operatorTicketRow, 0, len(found.Tickets))
	for _, t := range found.Tickets {
		rows = append(rows, operatorTicket(ctx, t, cards[t.UID].Name, now))
	}
	return &ticketList{ticketListing{[][]operatorTicketRow{rows}, int(found.Total), number, size, found.Partial}}, nil
}

type ticketActRow struct {
	Kind string          `json:"kind" enum:"answer,close,reopen,assign,complaint,message"`
	By   string          `json:"by" doc:"The operator, or the member of a message."`
	Text string          `json:"text" doc:"The answer, the message, or the reason for reopening."`
	At   httpx.Timestamp `json:"at"`
}

type ticketThread struct {
	Ticket operatorTicketRow `json:"ticket"`
	Acts   []ticketActRow    `json:"acts" nullable:"false" doc:"The actions in order."`
}

type ticketIDInput struct {
	ID string `query:"id" doc:"The id of the ticket."`
}

func (c *Calls) ticketThread(ctx context.Context, in *ticketIDInput) (*httpx.Reply[ticketThread], error) {
	var f httpx.FieldErrors
	number := f.RecordID("id", httpx.StringOrInt(in.ID))
	if err := f.Err(); err != nil {
		return nil, err
	}
	t, acts, err := c.Support.Thread(ctx, number)
	if err != nil {
		return nil, err
	}
	cards, err := c.Members.Cards(ctx, []int64{t.UID})
	if err != nil {
		return nil, err
	}
	out := ticketThread{operatorTicket(ctx, t, cards[t.UID].Name, c.Clock.Now()), []ticketActRow{}}
	for _, a := range acts {
		if a.Kind == support.ActMessage {
			a.Name = cards[t.UID].Name
		}
		out.Acts = append(out.Acts, ticketActRow{string(a.Kind), a.Name, a.Text, httpx.ToTimestamp(a.At)})
	}
	return httpx.NewReply(out), nil
}

type ticketActBody struct {
	ID     httpx.StringOrInt `json:"id"`
	Seen   int64             `json:"seen" minimum:"0" doc:"The value of seen of the ticket. The call fails if another action happened since."`
	Reply  string            `json:"reply,omitempty" doc:"Answers only: up to 4000 characters."`
	Reason string            `json:"reason,omitempty" doc:"The reason for reopening, 5 to 200 characters."`
}

// ticketAct returns the call for an operator's action on a ticket.
func (c *Calls) ticketAct(kind support.ActKind) func(context.Context, *httpx.KeyedBody[ticketActBody]) (*httpx.Reply[operatorTicketRow], error) {
	return func(ctx context.Context, in *httpx.KeyedBody[ticketActBody]) (*httpx.Reply[operatorTicketRow], error) {
		var f httpx.FieldErrors
		number := f.RecordID("id", in.Body.ID)
		if err := f.Err(); err != nil {
			return nil, err
		}
		by, err := c.CallingOperator(ctx)
		if err != nil {
			return nil, err
		}
		step := staff.TicketStep{Ticket: number, Seen: in.Body.Seen, Kind: kind}
		switch kind {
		case support.ActAnswer:
			step.Text = in.Body.Reply
		case support.ActReopen:
			step.Text = in.Body.Reason
		}
		t, err := c.Staff.WorkTicket(ctx, by, in.Key, step)
		if err != nil {
			return nil, err
		}
		cards, err := c.Members.Cards(ctx, []int64{t.UID})
		if err != nil {
			return nil, err
		}
		return httpx.NewReply(operatorTicket(ctx, t, cards[t.UID].Name, c.Clock.Now())), nil
	}
}
