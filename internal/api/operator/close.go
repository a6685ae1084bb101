package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func (c *Calls) registerClose(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/close/preview", "Preview the close of a day without committing it", c.previewClose)
	httpx.Post(api, httpx.TagOperator, "operator/close/propose", "Propose a close by the digest of its preview", c.proposeClose)
	httpx.PostProved(api, httpx.TagOperator, "operator/close/commit", "Commit a close that another operator proposed", c.commitClose)
	httpx.Get(api, httpx.TagOperator, "operator/close/days", "List closed days and the next day to close", c.closeDays)
	httpx.GetFromLeader(api, httpx.TagOperator, "operator/close/progress", "Retrieve the progress of the running close", c.closeProgress)
	httpx.PostProved(api, httpx.TagOperator, "operator/block", "Put a member under review", c.blockMember)
	httpx.PostProved(api, httpx.TagOperator, "operator/unblock", "End a member's review and release income on Hold", c.unblockMember)
}

// closing reads the day of a close and the signed-in operator.
func (c *Calls) closing(ctx context.Context, day string) (plan.Day, actor.By, error) {
	on, err := plan.ParseDay(day)
	if err != nil {
		return 0, actor.By{}, err
	}
	o, err := c.CallingOperator(ctx)
	return on, o, err
}

type previewBody struct {
	Day  string `json:"day" example:"2026-01-31"`
	Only string `json:"only,omitempty" enum:"capped,scaled,held,taken" doc:"Only rows of this kind; used with size."`
	Page int    `json:"page,omitempty" minimum:"1" doc:"Page number, from 1; used with size."`
	Size int    `json:"size,omitempty" minimum:"0" maximum:"500" doc:"Rows per page; without it, no rows are returned."`
}

type refusedEvent struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

type closeSummary struct {
	Day     string               `json:"day"`
	Plan    string               `json:"plan"`
	Digest  string               `json:"digest"`
	Rows    int                  `json:"rows" doc:"The number of income rows of the day."`
	Events  int                  `json:"events"`
	Sales   int                  `json:"sales" doc:"The number of sales that become final."`
	Changes int                  `json:"changes" doc:"The number of older rows whose status changes."`
	Paid    httpx.USD            `json:"paid"`
	Totals  map[string]httpx.USD `json:"totals" doc:"The totals by kind of income."`
	Pools   map[string]string    `json:"pools" doc:"The balances of the pools after the close."`
	Refused []refusedEvent       `json:"refused" nullable:"false"`
	Already bool                 `json:"already" doc:"Whether the day was already closed with this digest; then nothing happens and there are no figures."`
	Waiting int                  `json:"waiting" doc:"The number of pending bookings for the day; after the close they can only be rejected."`
	Page    []map[string]any     `json:"page,omitempty" doc:"The requested rows."`
	CloseLook
	List  []closeRow `json:"list" nullable:"false" doc:"The same rows in the format of close/day."`
	Found int        `json:"found" doc:"The total number of matching rows."`
}

func summarise(r *closing.Report) (*closeSummary, error) {
	s, err := r.Summary()
	if err != nil {
		return nil, err
	}
	out := &closeSummary{
		Day: s.Day, Plan: s.Plan, Digest: s.Digest, Rows: s.Rows, Events: s.Events, Sales: s.Sales, Changes: s.Moved,
		Paid: httpx.ToUSD(s.Paid), Totals: map[string]httpx.USD{}, Pools: s.Pools, Refused: []refusedEvent{},
		CloseLook: noLook(), List: []closeRow{}, Already: r.Already,
	}
	for kind, sum := range s.Totals {
		out.Totals[kind] = httpx.ToUSD(sum)
	}
	for _, e := range s.Refused {
		out.Refused = append(out.Refused, refusedEvent{e[0], e[1]})
	}
	return out, nil
}

func (c *Calls) previewClose(ctx context.Context, in *httpx.Body[previewBody]) (*httpx.Reply[*closeSummary], error) {
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
	if out.Waiting, err = c.Bookings.WaitingFor(ctx, day); err != nil {
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
	return httpx.NewReply(out), nil
}

type closeBody struct {
	Day    string `json:"day" example:"2026-01-31"`
	Digest string `json:"digest" minLength:"64" maxLength:"64" doc:"The digest of the preview."`
}

type proposed struct {
	Result string `json:"result"`
	httpx.MessageCode
}

func (c *Calls) proposeClose(ctx context.Context, in *httpx.Body[closeBody]) (*httpx.Reply[proposed], error) {
	day, by, err := c.closing(ctx, in.Body.Day)
	if err != nil {
		return nil, err
	}
	if err := c.Closing.Propose(ctx, by, day, in.Body.Digest); err != nil {
		return nil, err
	}
	if c.Demo {
		return httpx.NewReply(proposed{httpx.CloseProposedAlone.Message, httpx.CodeOf(httpx.CloseProposedAlone)}), nil
	}
	return httpx.NewReply(proposed{httpx.CloseProposed.Message, httpx.CodeOf(httpx.CloseProposed)}), nil
}

func (c *Calls) commitClose(ctx context.Context, in *httpx.Body[closeBody]) (*httpx.Reply[*closeSummary], error) {
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
	return httpx.NewReply(out), nil
}

type closeDaysInput struct {
	Before string `query:"before" doc:"Only days before this one."`
	Size   int    `query:"size" minimum:"1" maximum:"366" default:"31"`
}

type closedDay struct {
	Day        string          `json:"day"`
	Plan       string          `json:"plan"`
	Digest     string          `json:"digest"`
	Rows       int64           `json:"rows"`
	ProposedBy string          `json:"proposed_by"`
	ApprovedBy string          `json:"approved_by"`
	Alone      string          `json:"alone" doc:"Why a single approval was enough; empty if two operators approved."`
	At         httpx.Timestamp `json:"at"`
}

type nextDay struct {
	Day        string          `json:"day" doc:"The day; empty before the first event."`
	Over       bool            `json:"over" doc:"Whether the day is over."`
	Due        bool            `json:"due" doc:"Whether the day can be closed: when it is over; in a demo, when it has begun."`
	From       httpx.Timestamp `json:"from" doc:"The time when the day is over."`
	Digest     string          `json:"digest" doc:"The digest of the proposal."`
	ProposedBy string          `json:"proposed_by"`
	ProposedAt httpx.Timestamp `json:"proposed_at"`
	Scheduled  bool            `json:"scheduled" doc:"Whether the schedule, not an operator, suggests the close."`
	Waiting    int             `json:"waiting" doc:"The number of pending bookings for the day."`
}

type closeDays struct {
	Next nextDay     `json:"next"`
	Days []closedDay `json:"days" nullable:"false"`
}

func (c *Calls) closeDays(ctx context.Context, in *closeDaysInput) (*httpx.Reply[closeDays], error) {
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
			d.Day.String(), d.Plan, d.Digest, d.LastRow - d.FirstRow + 1, d.Proposal.Name, d.Proposal.ApprovedName, string(d.Proposal.Alone), httpx.ToTimestamp(d.At),
		})
	}
	n, err := c.Closing.Next(ctx)
	switch {
	case errs.Is(err, errs.NotFound):
	case err != nil:
		return nil, err
	default:
		p := n.Proposal
		waiting, err := c.Bookings.WaitingFor(ctx, n.Day)
		if err != nil {
			return nil, err
		}
		out.Next = nextDay{n.Day.String(), n.Over, n.Due, httpx.ToTimestamp(n.From), p.Digest, p.Name, httpx.ToTimestamp(p.At), p.Digest != "" && p.By == 0, waiting}
	}
	return httpx.NewReply(out), nil
}

type closeProgress struct {
	Running bool   `json:"running"`
	Day     string `json:"day"`
	Preview bool   `json:"preview" doc:"Whether the run is a preview that commits nothing."`
	Phase   string `json:"phase" doc:"The phase: load, compute, post, persist, report or commit."`
	Done    int64  `json:"done" doc:"The finished part of the phase."`
	Total   int64  `json:"total"`
	Rows    int64  `json:"rows" doc:"The number of income rows computed."`
	Percent int64  `json:"percent" doc:"The progress in percent."`
	Millis  int64  `json:"millis" doc:"The elapsed time in milliseconds."`
}

func (c *Calls) closeProgress(context.Context, *struct{}) (*httpx.Reply[closeProgress], error) {
	p, running := c.Closing.Progress()
	if !running {
		return httpx.NewReply(closeProgress{}), nil
	}
	return httpx.NewReply(closeProgress{
		true, p.Day.String(), p.Preview, p.Phase, p.Done, p.Total, p.Rows, p.Percent, c.Clock.Latest().Sub(p.Started).Milliseconds(),
	}), nil
}

// act runs a booking action of an operator.
func (c *Calls) act(ctx context.Context, key string, a booking.Act) (*httpx.Reply[booking.Done], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	done, err := c.Bookings.Do(ctx, by, key, a)
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(done), nil
}

type blockBody struct {
	UID    httpx.StringOrInt `json:"uid"`
	Reason string            `json:"reason" doc:"The reason, 1 to 200 characters."`
}

func (c *Calls) blockMember(ctx context.Context, in *httpx.KeyedBody[blockBody]) (*httpx.Reply[booking.Done], error) {
	return c.review(ctx, in.Key, booking.Block, in.Body.UID, in.Body.Reason)
}

type unblockBody struct {
	UID    httpx.StringOrInt `json:"uid"`
	Reason string            `json:"reason" doc:"The reason, 1 to 200 characters; shown to the member."`
}

func (c *Calls) unblockMember(ctx context.Context, in *httpx.KeyedBody[unblockBody]) (*httpx.Reply[booking.Done], error) {
	return c.review(ctx, in.Key, booking.Unblock, in.Body.UID, in.Body.Reason)
}

// review starts or ends a member's review.
func (c *Calls) review(ctx context.Context, key string, kind booking.Kind, uid httpx.StringOrInt, reason string) (*httpx.Reply[booking.Done], error) {
	var f httpx.FieldErrors
	a := booking.Act{Kind: kind, UID: f.UserID("uid", uid), Reference: reason}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return c.act(ctx, key, a)
}
