package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func (c *Calls) registerOperatorClose(api huma.API) {
	post(api, tagOperator, "operator/close/preview", "Run the close of a day and commit nothing", c.previewClose)
	post(api, tagOperator, "operator/close/propose", "Propose a close by the digest of its preview", c.proposeClose)
	postProved(api, tagOperator, "operator/close/commit", "Commit a close that another operator proposed", c.commitClose)
	get(api, tagOperator, "operator/close/days", "Closed days, and the next one", c.closeDays)
	get(api, tagOperator, "operator/close/progress", "How far the close under way has come", c.closeProgress)
	postProved(api, tagOperator, "operator/block", "Put a member under review", c.blockMember)
	postProved(api, tagOperator, "operator/unblock", "End a member's review and release what was on Hold", c.unblockMember)
}

// by is the operator who asks, by id and, for the record, by e-mail.
func (c *Calls) by(ctx context.Context) (actor.By, error) {
	by := actor.By{Operator: sessionOf(ctx).Owner}
	all, err := c.Auth.Operators(ctx)
	for _, o := range all {
		if o.ID == by.Operator {
			by.Name = o.Email
		}
	}
	return by, err
}

// closing is what a close asks for: the day, and the signed-in operator.
func (c *Calls) closing(ctx context.Context, day string) (plan.Day, actor.By, error) {
	on, err := plan.ParseDay(day)
	if err != nil {
		return 0, actor.By{}, err
	}
	o, err := c.by(ctx)
	return on, o, err
}

type previewInput struct{ Body previewBody }

type previewBody struct {
	Day  string `json:"day" example:"2026-01-31"`
	Only string `json:"only,omitempty" enum:"capped,scaled,held,taken" doc:"With size: show only such rows."`
	Page int    `json:"page,omitempty" minimum:"1" doc:"With size: which rows to show too."`
	Size int    `json:"size,omitempty" minimum:"0" maximum:"500" doc:"How many rows a page has; none are shown without."`
}

type refusedEvent struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

type closeSummary struct {
	Day     string            `json:"day"`
	Plan    string            `json:"plan"`
	Digest  string            `json:"digest"`
	Rows    int               `json:"rows" doc:"How many income rows the day makes."`
	Events  int               `json:"events"`
	Sales   int               `json:"sales" doc:"Sales that become final."`
	Changes int               `json:"changes" doc:"Older rows whose status changes."`
	Paid    usd               `json:"paid"`
	Totals  map[string]usd    `json:"totals" doc:"By kind of income."`
	Pools   map[string]string `json:"pools" doc:"What the pools hold afterwards."`
	Refused []refusedEvent    `json:"refused" nullable:"false"`
	Already bool              `json:"already" doc:"The day was closed before with this digest: nothing was done, and there are no figures."`
	Waiting int               `json:"waiting" doc:"Bookings proposed for the day that nobody has decided: once it is closed they can only be refused."`
	Page    []map[string]any  `json:"page,omitempty" doc:"The rows that were asked for."`
	CloseLook
	List  []closeRow `json:"list" nullable:"false" doc:"The same rows, as close/day has them."`
	Found int        `json:"found" doc:"How many rows there are of those that were asked for."`
}

func summarise(r *closing.Report) (*closeSummary, error) {
	s, err := r.Summary()
	if err != nil {
		return nil, err
	}
	out := &closeSummary{
		Day: s.Day, Plan: s.Plan, Digest: s.Digest, Rows: s.Rows, Events: s.Events, Sales: s.Sales, Changes: s.Moved,
		Paid: dollars(s.Paid), Totals: map[string]usd{}, Pools: s.Pools, Refused: []refusedEvent{},
		CloseLook: noLook(), List: []closeRow{}, Already: r.Already,
	}
	for kind, sum := range s.Totals {
		out.Totals[kind] = dollars(sum)
	}
	for _, e := range s.Refused {
		out.Refused = append(out.Refused, refusedEvent{e[0], e[1]})
	}
	return out, nil
}

func (c *Calls) previewClose(ctx context.Context, in *previewInput) (*reply[*closeSummary], error) {
	day, err := plan.ParseDay(in.Body.Day)
	if err != nil {
		return nil, err
	}
	r, err := c.Closing.Look(ctx, day)
	if err != nil {
		return nil, err
	}
	out, err := summarise(r)
	if err != nil {
		return nil, err
	}
	if out.Waiting, err = c.Operate.WaitingFor(ctx, day); err != nil {
		return nil, err
	}
	if err := c.look(ctx, day, r, out); err != nil {
		return nil, err
	}
	rows, first := r.Rows, max(in.Body.Page-1, 0)*in.Body.Size
	var seen []closing.Seen
	seen, out.Found = rows.Some(closing.Mark(in.Body.Only), first, in.Body.Size)
	out.List = closeRows(seen)
	if in.Body.Only == "" {
		from := min(rows.Len(), first)
		out.Page = rows.Page(from, min(rows.Len(), from+in.Body.Size))
	}
	return answer(out), nil
}

type closeInput struct{ Body closeBody }

type closeBody struct {
	Day    string `json:"day" example:"2026-01-31"`
	Digest string `json:"digest" minLength:"64" maxLength:"64" doc:"Of the preview."`
}

type proposed struct {
	Result string `json:"result"`
	Said
}

func (c *Calls) proposeClose(ctx context.Context, in *closeInput) (*reply[proposed], error) {
	day, by, err := c.closing(ctx, in.Body.Day)
	if err != nil {
		return nil, err
	}
	if err := c.Closing.Propose(ctx, by, day, in.Body.Digest); err != nil {
		return nil, err
	}
	if c.Demo {
		return answer(proposed{closeProposedAlone.Message, codeOf(closeProposedAlone)}), nil
	}
	return answer(proposed{closeProposed.Message, codeOf(closeProposed)}), nil
}

func (c *Calls) commitClose(ctx context.Context, in *closeInput) (*reply[*closeSummary], error) {
	day, by, err := c.closing(ctx, in.Body.Day)
	if err != nil {
		return nil, err
	}
	r, err := c.Closing.Approve(ctx, by, day, in.Body.Digest)
	if err != nil {
		return nil, err
	}
	out, err := summarise(r)
	if err != nil {
		return nil, err
	}
	return answer(out), nil
}

type closeDaysInput struct {
	Before string `query:"before" doc:"Only days before this one."`
	Size   int    `query:"size" minimum:"1" maximum:"366" default:"31"`
}

type closedDay struct {
	Day        string `json:"day"`
	Plan       string `json:"plan"`
	Digest     string `json:"digest"`
	Rows       int64  `json:"rows"`
	ProposedBy string `json:"proposed_by"`
	ApprovedBy string `json:"approved_by"`
	Alone      string `json:"alone" doc:"Why one was enough; empty when two closed it."`
	At         moment `json:"at"`
}

type nextDay struct {
	Day        string `json:"day" doc:"Empty while nothing has happened."`
	Over       bool   `json:"over" doc:"Whether all of it has happened."`
	Due        bool   `json:"due" doc:"Whether it may be closed: once it is over, in a demo as soon as it has begun."`
	From       moment `json:"from" doc:"When it is over."`
	Digest     string `json:"digest" doc:"Of what was proposed."`
	ProposedBy string `json:"proposed_by"`
	ProposedAt moment `json:"proposed_at"`
	Scheduled  bool   `json:"scheduled" doc:"No operator has proposed it: the schedule only reminds of it."`
	Waiting    int    `json:"waiting" doc:"Bookings proposed for the day that nobody has decided."`
}

type closeDays struct {
	Next nextDay     `json:"next"`
	Days []closedDay `json:"days" nullable:"false"`
}

func (c *Calls) closeDays(ctx context.Context, in *closeDaysInput) (*reply[closeDays], error) {
	var before plan.Day
	if in.Before != "" {
		var err error
		if before, err = plan.ParseDay(in.Before); err != nil {
			return nil, err
		}
	}
	days, err := c.Closing.Days(ctx, before, in.Size)
	if err != nil {
		return nil, err
	}
	out := closeDays{Days: []closedDay{}}
	for _, d := range days {
		out.Days = append(out.Days, closedDay{
			d.Day.String(), d.Plan, d.Digest, d.LastRow - d.FirstRow + 1, d.Proposal.Name, d.Proposal.ApprovedName, string(d.Proposal.Alone), at(d.At),
		})
	}
	n, err := c.Closing.Next(ctx)
	switch {
	case errs.Is(err, errs.NotFound):
	case err != nil:
		return nil, err
	default:
		p := n.Proposal
		waiting, err := c.Operate.WaitingFor(ctx, n.Day)
		if err != nil {
			return nil, err
		}
		out.Next = nextDay{n.Day.String(), n.Over, n.Due, at(n.From), p.Digest, p.Name, at(p.At), p.Digest != "" && p.By == 0, waiting}
	}
	return answer(out), nil
}

type closeProgress struct {
	Running bool   `json:"running"`
	Day     string `json:"day"`
	Preview bool   `json:"preview" doc:"True when nothing will be committed."`
	Phase   string `json:"phase" doc:"load, compute, post, persist, report, commit."`
	Done    int64  `json:"done" doc:"Of the phase."`
	Total   int64  `json:"total"`
	Rows    int64  `json:"rows" doc:"Income rows made."`
	Percent int64  `json:"percent" doc:"Of the whole."`
	Millis  int64  `json:"millis" doc:"Since it began."`
}

func (c *Calls) closeProgress(context.Context, *struct{}) (*reply[closeProgress], error) {
	p, running := c.Closing.Progress()
	if !running {
		return answer(closeProgress{}), nil
	}
	return answer(closeProgress{
		true, p.Day.String(), p.Preview, p.Phase, p.Done, p.Total, p.Rows, p.Percent, c.Clock.Latest().Sub(p.Started).Milliseconds(),
	}), nil
}

// act does what an operator asks for.
func (c *Calls) act(ctx context.Context, key string, a booking.Act) (*reply[booking.Done], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	done, err := c.Operate.Do(ctx, by, key, a)
	if err != nil {
		return nil, err
	}
	return answer(done), nil
}

// amount reads money.
func (f *fields) amount(name string, t text) money.Amount {
	a, err := money.Parse(string(t))
	if err != nil {
		f.add(name, "booking.amount_digits", "An amount is digits with up to six places.")
	}
	return a
}

type blockInput struct {
	Keyed
	Body blockBody
}

type blockBody struct {
	UID    text   `json:"uid"`
	Reason string `json:"reason" doc:"Why; 1 to 200 characters."`
}

func (c *Calls) blockMember(ctx context.Context, in *blockInput) (*reply[booking.Done], error) {
	return c.review(ctx, in.Key, booking.Block, in.Body.UID, in.Body.Reason)
}

type unblockInput struct {
	Keyed
	Body unblockBody
}

type unblockBody struct {
	UID    text   `json:"uid"`
	Reason string `json:"reason" doc:"Why; 1 to 200 characters. The member sees it."`
}

func (c *Calls) unblockMember(ctx context.Context, in *unblockInput) (*reply[booking.Done], error) {
	return c.review(ctx, in.Key, booking.Unblock, in.Body.UID, in.Body.Reason)
}

// review begins or ends a member's review.
func (c *Calls) review(ctx context.Context, key string, kind booking.Kind, uid text, reason string) (*reply[booking.Done], error) {
	var f fields
	a := booking.Act{Kind: kind, UID: f.uid("uid", uid), Reference: reason}
	if err := f.err(); err != nil {
		return nil, err
	}
	return c.act(ctx, key, a)
}
