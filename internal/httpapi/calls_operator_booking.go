package httpapi

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

func (c *Calls) registerBookings(api huma.API) {
	post(api, tagOperator, "operator/pnl", "Propose a line's trading result", c.proposePnL)
	post(api, tagOperator, "operator/settle", "Propose to move a line's profit to where it is paid from", c.proposeSettle)
	post(api, tagOperator, "operator/chargeback", "Propose to reverse a final sale", c.proposeChargeback)
	get(api, tagOperator, "operator/booking/proposal", "One proposal: all that it says, and the fingerprint of that", c.bookingProposal)
	postProved(api, tagOperator, "operator/booking/decide", "Approve or refuse what another operator proposed, or withdraw one's own", c.decideBooking)
	post(api, tagOperator, "operator/booking/cancel", "Propose to take back a booking that no close has done", c.cancelBooking)
	post(api, tagOperator, "operator/recall", "Propose to move a line's cash to cover a claim", c.recall)
}

// bookingProposal is what takes a second operator.
type bookingProposal struct {
	ID         string `json:"id"`
	Kind       string `json:"kind" enum:"pnl,settle,chargeback,recall,cancel"`
	Line       string `json:"line" doc:"Also that of the claim or the booking."`
	Sale       string `json:"sale"`
	Claim      string `json:"claim" doc:"Of a recall."`
	Cancels    string `json:"cancels" enum:"pnl,settle,chargeback," doc:"What the booking is that is to be taken back."`
	CancelsID  string `json:"cancelsId" doc:"Its id."`
	Amount     usd    `json:"amount"`
	Day        string `json:"day" doc:"Whose close is to do it; of what is taken back, whose close would; of a recall, when it was proposed."`
	Happened   moment `json:"happened"`
	Reference  string `json:"reference"`
	Evidence   string `json:"evidence" doc:"The SHA-256 of the file it rests on; empty without one."`
	ProposedBy string `json:"proposedBy"`
	ProposedAt moment `json:"proposedAt"`
	State      string `json:"state" enum:"waiting,approved,refused,withdrawn"`
	DecidedBy  string `json:"decidedBy"`
	DecidedAt  moment `json:"decidedAt"`
	Reason     string `json:"reason" doc:"Why it was refused, or what was said when it was approved."`
	Alone      string `json:"alone" doc:"Why one operator was enough; empty when it took two."`
	Booking    string `json:"booking" doc:"The id of the booking, or of another event, that it became."`
	Own        bool   `json:"own" doc:"Proposed by who asks."`
	MayApprove bool   `json:"mayApprove" doc:"It waits, and who asks is not kept from approving it by having proposed it."`
	Warning    string `json:"warning" doc:"What is unusual about it, in words; empty for nothing."`
	Said
	LineHas usd    `json:"lineHas" doc:"Of a loss: what of the line could bear it when it was proposed."`
	Missing usd    `json:"missing" doc:"Of a loss: what the line lacks, which the company pays."`
	Package int64  `json:"package" doc:"Of a chargeback: what was bought. The amount is the price."`
	Buyer   string `json:"buyer" doc:"Of a chargeback."`
	Payer   string `json:"payer" doc:"Of a chargeback: who gets the price back."`
	Takes   []take `json:"takes" nullable:"false" doc:"Of a chargeback: the level incomes that it takes back, as far as they were known."`
	Payload string `json:"payload" doc:"All that was proposed, in the one form that the digest is taken of."`
	Digest  string `json:"digest" doc:"The SHA-256 of payload: whoever decides names it."`
}

// take is an income that a chargeback takes back.
type take struct {
	UID    string `json:"uid"`
	Amount string `json:"amount"`
}

func (c *Calls) bookingRow(ctx context.Context, p booking.Proposal) bookingProposal {
	own := p.By.Operator == sessionOf(ctx).Operator
	f, takes, warning := p.Facts(), []take{}, p.Warning()
	for _, t := range f.Takes {
		takes = append(takes, take{id(t.UID), t.Amount})
	}
	return bookingProposal{
		id(p.ID), string(p.Act.Kind), p.Act.Line, p.Act.Sale, p.Act.Claim, string(p.Act.Cancels), p.Act.Booking, dollars(p.Amount()), p.Day.String(), at(p.Act.At), p.Act.Reference, p.Act.Evidence,
		p.By.Name, at(p.At), string(p.State), p.Decided.Name, at(p.DecidedAt), p.Reason, string(p.Alone), p.Event,
		own, p.State == approval.Waiting && (!own || c.Demo), warning.Message, codeOf(warning), known(f.LineHas), known(f.Missing), f.Package, someone(f.Buyer), someone(f.Payer), takes, string(p.Payload()), p.Digest(),
	}
}

// known is an amount that was written down as text; 0 if it was not.
func known(text string) usd {
	a, err := money.Parse(text)
	if err != nil {
		a = money.Amount{}
	}
	return dollars(a)
}

// someone is a user id, or nobody.
func someone(uid int64) string {
	if uid == 0 {
		return ""
	}
	return id(uid)
}

func (c *Calls) bookingRows(ctx context.Context, all []booking.Proposal) []bookingProposal {
	out := []bookingProposal{}
	for _, p := range all {
		out = append(out, c.bookingRow(ctx, p))
	}
	return out
}

func (c *Calls) proposeBooking(ctx context.Context, key string, a booking.Act) (*reply[bookingProposal], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := c.Operate.Propose(ctx, by, key, a)
	if err != nil {
		return nil, err
	}
	return answer(c.bookingRow(ctx, p)), nil
}

type lineInput struct {
	Keyed
	Body lineBody
}

type lineBody struct {
	Line      string `json:"line" doc:"FOREX or CRYPTO."`
	Amount    text   `json:"amount" doc:"Dollars; a loss has a minus."`
	Reference string `json:"reference" doc:"The evidence it rests on."`
	Evidence  string `json:"evidence,omitempty" maxLength:"64" doc:"The hash of a file that was sent before."`
	At        string `json:"at,omitempty" doc:"When it happened, as ISO 8601; now unless given. It says which day it is for."`
}

func (b lineBody) act(kind booking.Kind) (booking.Act, error) {
	var f fields
	a := booking.Act{Kind: kind, Line: b.Line, Amount: f.amount("amount", b.Amount), Reference: b.Reference, Evidence: b.Evidence}
	if b.At != "" {
		t, err := time.Parse(time.RFC3339, b.At)
		if err != nil {
			f.add("at", "request.not_a_time", "A time is written as 2026-01-31T09:30:00Z.")
		}
		a.At = t.UTC()
	}
	return a, f.err()
}

func (c *Calls) proposeLine(ctx context.Context, in *lineInput, kind booking.Kind) (*reply[bookingProposal], error) {
	a, err := in.Body.act(kind)
	if err != nil {
		return nil, err
	}
	return c.proposeBooking(ctx, in.Key, a)
}

func (c *Calls) proposePnL(ctx context.Context, in *lineInput) (*reply[bookingProposal], error) {
	return c.proposeLine(ctx, in, booking.PnL)
}

func (c *Calls) proposeSettle(ctx context.Context, in *lineInput) (*reply[bookingProposal], error) {
	return c.proposeLine(ctx, in, booking.Settle)
}

type chargebackInput struct {
	Keyed
	Body chargebackBody
}

type chargebackBody struct {
	Sale      string `json:"sale" maxLength:"40"`
	Reference string `json:"reference"`
	Evidence  string `json:"evidence,omitempty" maxLength:"64" doc:"The hash of a file that was sent before."`
}

func (c *Calls) proposeChargeback(ctx context.Context, in *chargebackInput) (*reply[bookingProposal], error) {
	return c.proposeBooking(ctx, in.Key, booking.Act{Kind: booking.Chargeback, Sale: in.Body.Sale, Reference: in.Body.Reference, Evidence: in.Body.Evidence})
}

type bookingProposalInput struct {
	ID int64 `query:"id" required:"true" minimum:"1"`
}

func (c *Calls) bookingProposal(ctx context.Context, in *bookingProposalInput) (*reply[bookingProposal], error) {
	p, err := c.Operate.Proposal(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return answer(c.bookingRow(ctx, p)), nil
}

type decideBookingInput struct {
	Keyed
	Body decideBookingBody
}

type decideBookingBody struct {
	ID      text   `json:"id"`
	Digest  string `json:"digest" maxLength:"64" doc:"Of what was seen."`
	Approve bool   `json:"approve" doc:"false refuses, or withdraws one's own."`
	Reason  string `json:"reason,omitempty" doc:"Why; 1 to 200 characters. Who refuses must say it; of an approval it is kept."`
}

func (c *Calls) decideBooking(ctx context.Context, in *decideBookingInput) (*reply[bookingProposal], error) {
	var f fields
	number := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := c.Operate.Decide(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return answer(c.bookingRow(ctx, p)), nil
}

type bookingCancelInput struct {
	Keyed
	Body bookingCancelBody
}

type bookingCancelBody struct {
	Booking string `json:"booking" maxLength:"60" doc:"The id of the booking."`
	Reason  string `json:"reason" doc:"Why; 1 to 200 characters."`
}

func (c *Calls) cancelBooking(ctx context.Context, in *bookingCancelInput) (*reply[bookingProposal], error) {
	return c.proposeBooking(ctx, in.Key, booking.Act{Kind: booking.Cancel, Booking: in.Body.Booking, Reference: in.Body.Reason})
}

type recallInput struct {
	Keyed
	Body recallBody
}

type recallBody struct {
	Claim     string `json:"claim" maxLength:"60"`
	Amount    text   `json:"amount"`
	Reference string `json:"reference,omitempty"`
}

func (c *Calls) recall(ctx context.Context, in *recallInput) (*reply[bookingProposal], error) {
	var f fields
	a := booking.Act{Kind: booking.Recall, Claim: in.Body.Claim, Amount: f.amount("amount", in.Body.Amount), Reference: in.Body.Reference}
	if err := f.err(); err != nil {
		return nil, err
	}
	return c.proposeBooking(ctx, in.Key, a)
}
