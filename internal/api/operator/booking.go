package operator

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

func (c *Calls) registerBookings(api huma.API) {
	httpx.Post(api, httpx.TagOperator, "operator/pnl", "Propose a trading line's result", c.proposePnL)
	httpx.Post(api, httpx.TagOperator, "operator/settle", "Propose a settlement of a line's profit to the account that pays it", c.proposeSettle)
	httpx.Post(api, httpx.TagOperator, "operator/chargeback", "Propose a chargeback of a final sale", c.proposeChargeback)
	httpx.Get(api, httpx.TagOperator, "operator/booking/proposal", "Retrieve a proposed booking with its digest", c.bookingProposal)
	httpx.PostProved(api, httpx.TagOperator, "operator/booking/decide", "Approve or reject another operator's proposal, or withdraw the operator's own", c.decideBooking)
	httpx.Post(api, httpx.TagOperator, "operator/booking/cancel", "Propose to cancel a booking before a close executes it", c.cancelBooking)
	httpx.Post(api, httpx.TagOperator, "operator/recall", "Propose a recall of a line's cash to cover a claim", c.recall)
}

// bookingProposal is a booking that needs a second operator.
type bookingProposal struct {
	ID         string          `json:"id"`
	Kind       string          `json:"kind" enum:"pnl,settle,chargeback,recall,cancel"`
	Line       string          `json:"line" doc:"The trading line, also of the claim or the booking."`
	Sale       string          `json:"sale"`
	Claim      string          `json:"claim" doc:"Recalls only: the claim."`
	Cancels    string          `json:"cancels" enum:"pnl,settle,chargeback," doc:"The kind of the booking to cancel."`
	CancelsID  string          `json:"cancelsId" doc:"The id of the booking to cancel."`
	Amount     httpx.USD       `json:"amount"`
	Day        string          `json:"day" doc:"The day whose close executes the booking; for a cancellation, the day of the booking to cancel; for a recall, the day of the proposal."`
	Happened   httpx.Timestamp `json:"happened"`
	Reference  string          `json:"reference"`
	Evidence   string          `json:"evidence" doc:"The SHA-256 of the evidence file; empty if there is none."`
	ProposedBy string          `json:"proposedBy"`
	ProposedAt httpx.Timestamp `json:"proposedAt"`
	State      string          `json:"state" enum:"waiting,approved,refused,withdrawn"`
	DecidedBy  string          `json:"decidedBy"`
	DecidedAt  httpx.Timestamp `json:"decidedAt"`
	Reason     string          `json:"reason" doc:"The reason for the rejection, or the remark at the approval."`
	Alone      string          `json:"alone" doc:"Why a single approval was enough; empty if two operators approved."`
	Booking    string          `json:"booking" doc:"The id of the resulting booking or other event."`
	Own        bool            `json:"own" doc:"Whether the caller proposed it."`
	MayApprove bool            `json:"mayApprove" doc:"Whether it is pending and the caller may approve it: callers cannot approve their own proposal."`
	Warning    string          `json:"warning" doc:"A warning about unusual values; empty if there is none."`
	httpx.MessageCode
	LineHas httpx.USD `json:"lineHas" doc:"Losses only: the line's capacity to bear the loss at the time of the proposal."`
	Missing httpx.USD `json:"missing" doc:"Losses only: the shortfall of the line, which the company pays."`
	Package int64     `json:"package" doc:"Chargebacks only: the package; the amount is its price."`
	Buyer   string    `json:"buyer" doc:"Chargebacks only: the buyer."`
	Payer   string    `json:"payer" doc:"Chargebacks only: the member who is refunded."`
	Takes   []take    `json:"takes" nullable:"false" doc:"Chargebacks only: the level incomes to reverse, as known at the proposal."`
	Payload string    `json:"payload" doc:"The whole proposal in canonical form, the input of the digest."`
	Digest  string    `json:"digest" doc:"The SHA-256 of payload; a decision must name it."`
}

// take is an income that a chargeback reverses.
type take struct {
	UID    string `json:"uid"`
	Amount string `json:"amount"`
}

func (c *Calls) bookingRow(ctx context.Context, p booking.Proposal) bookingProposal {
	own := p.By.Operator == httpx.SessionOf(ctx).Operator
	f, takes, warning := p.Facts(), []take{}, p.Warning()
	for _, t := range f.Takes {
		takes = append(takes, take{httpx.FormatID(t.UID), t.Amount})
	}
	return bookingProposal{
		httpx.FormatID(p.ID), string(p.Act.Kind), p.Act.Line, p.Act.Sale, p.Act.Claim, string(p.Act.Cancels), p.Act.Booking, httpx.ToUSD(p.Amount()), p.Day.String(), httpx.ToTimestamp(p.Act.At), p.Act.Reference, p.Act.Evidence,
		p.By.Name, httpx.ToTimestamp(p.At), string(p.State), p.Decided.Name, httpx.ToTimestamp(p.DecidedAt), p.Reason, string(p.Alone), p.Event,
		own, p.State == approval.Waiting && (!own || c.Demo), warning.Message, httpx.CodeOf(warning), known(f.LineHas), known(f.Missing), f.Package, someone(f.Buyer), someone(f.Payer), takes, string(p.Payload()), p.Digest(),
	}
}

// known parses a recorded amount; 0 if it is empty.
func known(text string) httpx.USD {
	a, err := money.Parse(text)
	if err != nil {
		a = money.Amount{}
	}
	return httpx.ToUSD(a)
}

// someone formats a user id; "" for none.
func someone(uid int64) string {
	if uid == 0 {
		return ""
	}
	return httpx.FormatID(uid)
}

func (c *Calls) bookingRows(ctx context.Context, all []booking.Proposal) []bookingProposal {
	return httpx.Rows(all, func(p booking.Proposal) bookingProposal { return c.bookingRow(ctx, p) })
}

// bookingReply turns the result of package booking into a reply.
func (c *Calls) bookingReply(ctx context.Context) func(booking.Proposal, error) (*httpx.Reply[bookingProposal], error) {
	return httpx.ReplyAs(func(p booking.Proposal) bookingProposal { return c.bookingRow(ctx, p) })
}

func (c *Calls) proposeBooking(ctx context.Context, key string, a booking.Act) (*httpx.Reply[bookingProposal], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	return c.bookingReply(ctx)(c.Bookings.Propose(ctx, by, key, a))
}

type lineBody struct {
	Line      string            `json:"line" doc:"FOREX or CRYPTO."`
	Amount    httpx.StringOrInt `json:"amount" doc:"Dollars; negative for a loss."`
	Reference string            `json:"reference" doc:"The reference to the evidence."`
	Evidence  string            `json:"evidence,omitempty" maxLength:"64" doc:"The hash of an uploaded file."`
	At        string            `json:"at,omitempty" doc:"The time of the event, ISO 8601; it decides the day of the booking. Default: now."`
}

func (b lineBody) act(kind booking.Kind) (booking.Act, error) {
	var f httpx.FieldErrors
	a := booking.Act{Kind: kind, Line: b.Line, Amount: f.Amount("amount", b.Amount), Reference: b.Reference, Evidence: b.Evidence}
	if b.At != "" {
		t, err := time.Parse(time.RFC3339, b.At)
		if err != nil {
			f.Add("at", "request.not_a_time", "A time is written as 2026-01-31T09:30:00Z.")
		}
		a.At = t.UTC()
	}
	return a, f.Err()
}

func (c *Calls) proposeLine(ctx context.Context, in *httpx.KeyedBody[lineBody], kind booking.Kind) (*httpx.Reply[bookingProposal], error) {
	a, err := in.Body.act(kind)
	if err != nil {
		return nil, err
	}
	return c.proposeBooking(ctx, in.Key, a)
}

func (c *Calls) proposePnL(ctx context.Context, in *httpx.KeyedBody[lineBody]) (*httpx.Reply[bookingProposal], error) {
	return c.proposeLine(ctx, in, booking.PnL)
}

func (c *Calls) proposeSettle(ctx context.Context, in *httpx.KeyedBody[lineBody]) (*httpx.Reply[bookingProposal], error) {
	return c.proposeLine(ctx, in, booking.Settle)
}

type chargebackBody struct {
	Sale      string `json:"sale" maxLength:"40"`
	Reference string `json:"reference"`
	Evidence  string `json:"evidence,omitempty" maxLength:"64" doc:"The hash of an uploaded file."`
}

func (c *Calls) proposeChargeback(ctx context.Context, in *httpx.KeyedBody[chargebackBody]) (*httpx.Reply[bookingProposal], error) {
	return c.proposeBooking(ctx, in.Key, booking.Act{Kind: booking.Chargeback, Sale: in.Body.Sale, Reference: in.Body.Reference, Evidence: in.Body.Evidence})
}

type bookingProposalInput struct {
	ID int64 `query:"id" required:"true" minimum:"1"`
}

func (c *Calls) bookingProposal(ctx context.Context, in *bookingProposalInput) (*httpx.Reply[bookingProposal], error) {
	return c.bookingReply(ctx)(c.Bookings.Proposal(ctx, in.ID))
}

type decideBookingBody struct {
	ID      httpx.StringOrInt `json:"id"`
	Digest  string            `json:"digest" maxLength:"64" doc:"The digest of the proposal that the operator has seen."`
	Approve bool              `json:"approve" doc:"true approves; false rejects, or withdraws the operator's own proposal."`
	Reason  string            `json:"reason,omitempty" doc:"The reason, 1 to 200 characters; required for a rejection, optional for an approval."`
}

func (c *Calls) decideBooking(ctx context.Context, in *httpx.KeyedBody[decideBookingBody]) (*httpx.Reply[bookingProposal], error) {
	number, by, err := c.aboutRecord(ctx, in.Body.ID)
	if err != nil {
		return nil, err
	}
	return c.bookingReply(ctx)(c.Bookings.Decide(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve, in.Body.Reason))
}

type bookingCancelBody struct {
	Booking string `json:"booking" maxLength:"60" doc:"The id of the booking."`
	Reason  string `json:"reason" doc:"The reason, 1 to 200 characters."`
}

func (c *Calls) cancelBooking(ctx context.Context, in *httpx.KeyedBody[bookingCancelBody]) (*httpx.Reply[bookingProposal], error) {
	return c.proposeBooking(ctx, in.Key, booking.Act{Kind: booking.Cancel, Booking: in.Body.Booking, Reference: in.Body.Reason})
}

type recallBody struct {
	Claim     string            `json:"claim" maxLength:"60"`
	Amount    httpx.StringOrInt `json:"amount"`
	Reference string            `json:"reference,omitempty"`
}

func (c *Calls) recall(ctx context.Context, in *httpx.KeyedBody[recallBody]) (*httpx.Reply[bookingProposal], error) {
	var f httpx.FieldErrors
	a := booking.Act{Kind: booking.Recall, Claim: in.Body.Claim, Amount: f.Amount("amount", in.Body.Amount), Reference: in.Body.Reference}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return c.proposeBooking(ctx, in.Key, a)
}
