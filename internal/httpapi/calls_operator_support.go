package httpapi

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/support"
)

func (c *Calls) registerOperatorSupport(api huma.API) {
	get(api, tagOperator, "operator/tickets", "Support tickets of all members; what waits comes by what is due first", inTurn(c, c.allTickets))
	get(api, tagOperator, "operator/tickets/thread", "One ticket with everything that was done about it", inTurn(c, c.ticketThread))
	post(api, tagOperator, "operator/tickets/answer", "Answer a ticket; the member is mailed and sees it in the history", c.ticketAct(support.ActAnswer))
	post(api, tagOperator, "operator/tickets/close", "Close a ticket that has been answered: a complaint is settled by that", c.ticketAct(support.ActClose))
	post(api, tagOperator, "operator/tickets/reopen", "Open a closed ticket again, with the reason", c.ticketAct(support.ActReopen))
	post(api, tagOperator, "operator/tickets/assign", "Take a ticket on oneself", c.ticketAct(support.ActAssign))
	post(api, tagOperator, "operator/tickets/complaint", "Make a query a complaint, with its clocks; there is no way back", c.ticketAct(support.ActComplaint))
}

type ticketListInput struct {
	State   string `query:"state" enum:"waiting,open,replied,closed," doc:"waiting: open ones, and complaints that are not settled. All unless given."`
	Kind    string `query:"kind" enum:"query,complaint,"`
	Overdue string `query:"overdue" enum:"true," doc:"true: only those whose deadline is past."`
	Search  string `query:"q" maxLength:"400" doc:"The number of a ticket or of a member, or up to 8 words: a ticket is found that has, in its query or answers, for each of them a word that begins with it; up to 100 characters."`
	Page    string `query:"page" doc:"From 1."`
	Size    string `query:"size" doc:"Rows of a page, up to 500; 100 unless given."`
}

const ticketsWaiting = "waiting"

type operatorTicketRow struct {
	ID       string `json:"id"`
	UID      string `json:"uid"`
	Name     string `json:"name" doc:"The member's."`
	Kind     string `json:"kind" enum:"query,complaint"`
	Query    string `json:"query"`
	Status   string `json:"status" enum:"open,replied,closed"`
	Assignee string `json:"assignee" doc:"The operator who has taken it on; empty for nobody."`
	Mine     bool   `json:"mine" doc:"That is who asks."`
	Asked    moment `json:"asked"`
	Answered moment `json:"answered" doc:"First answer."`
	Closed   moment `json:"closed"`
	Due      moment `json:"due" doc:"By when the next thing has to be done: a complaint's first answer, then its settlement. Empty for what has no deadline."`
	DueFor   string `json:"dueFor" enum:"answer,settlement," doc:"What is due."`
	Overdue  bool   `json:"overdue"`
	Seen     int64  `json:"seen" doc:"How many acts its thread has: calls that change it say what they saw."`
}

func operatorTicket(ctx context.Context, t support.Ticket, name string, now time.Time) operatorTicketRow {
	row := operatorTicketRow{
		ID: id(t.ID), UID: id(t.UID), Name: name, Kind: string(t.Kind), Query: t.Query, Status: string(t.Status), Assignee: t.Assignee.Name,
		Mine: t.Assignee.Operator != 0 && t.Assignee.Operator == sessionOf(ctx).Operator, Asked: at(t.CreatedAt), Answered: at(t.AnsweredAt), Closed: at(t.ClosedAt),
		Due: at(t.Due()), Overdue: t.Overdue(now), Seen: t.Acts,
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
	Data    [][]operatorTicketRow `json:"data" nullable:"false" doc:"The first element is the page's rows."`
	Total   int                   `json:"total" doc:"How many rows there are in all."`
	Page    int                   `json:"page"`
	Size    int                   `json:"size"`
	Partial bool                  `json:"partial" doc:"So many tickets have the words searched for that there may be more than total says."`
}

type ticketList struct{ Body ticketListing }

func (c *Calls) allTickets(ctx context.Context, in *ticketListInput) (*ticketList, error) {
	var f fields
	number, size := f.page(text(in.Page), text(in.Size))
	if err := f.err(); err != nil {
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
	Kind string `json:"kind" enum:"answer,close,reopen,assign,complaint"`
	By   string `json:"by" doc:"The operator."`
	Text string `json:"text" doc:"The answer, or why it was reopened."`
	At   moment `json:"at"`
}

type ticketThread struct {
	Ticket operatorTicketRow `json:"ticket"`
	Acts   []ticketActRow    `json:"acts" nullable:"false" doc:"In order."`
}

type ticketIDInput struct {
	ID string `query:"id" doc:"The ticket's number."`
}

func (c *Calls) ticketThread(ctx context.Context, in *ticketIDInput) (*reply[ticketThread], error) {
	var f fields
	number := f.number("id", text(in.ID))
	if err := f.err(); err != nil {
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
		out.Acts = append(out.Acts, ticketActRow{string(a.Kind), a.Name, a.Text, at(a.At)})
	}
	return answer(out), nil
}

type ticketActInput struct {
	Keyed
	Body ticketActBody
}

type ticketActBody struct {
	ID     text   `json:"id"`
	Seen   int64  `json:"seen" minimum:"0" doc:"What the ticket said in seen. If somebody has acted since, nothing is done."`
	Reply  string `json:"reply,omitempty" doc:"Of an answer: up to 4000 characters."`
	Reason string `json:"reason,omitempty" doc:"Why it is reopened: 5 to 200 characters."`
}

// ticketAct is the call by which an operator does something about a ticket.
func (c *Calls) ticketAct(kind support.ActKind) func(context.Context, *ticketActInput) (*reply[operatorTicketRow], error) {
	return func(ctx context.Context, in *ticketActInput) (*reply[operatorTicketRow], error) {
		var f fields
		number := f.number("id", in.Body.ID)
		if err := f.err(); err != nil {
			return nil, err
		}
		by, err := c.by(ctx)
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
		t, err := c.Office.WorkTicket(ctx, by, in.Key, step)
		if err != nil {
			return nil, err
		}
		cards, err := c.Members.Cards(ctx, []int64{t.UID})
		if err != nil {
			return nil, err
		}
		return answer(operatorTicket(ctx, t, cards[t.UID].Name, c.Clock.Now())), nil
	}
}
