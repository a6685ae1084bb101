package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

func (c *Calls) registerCorrections(api huma.API) {
	httpx.PostProved(api, httpx.TagOperator, "operator/correction", "Propose a correction of a member's wallet", c.proposeCorrection)
	httpx.Get(api, httpx.TagOperator, "operator/corrections", "List pending corrections and the latest decided ones", httpx.WithReadSlot(c.Base, c.corrections))
	httpx.PostProved(api, httpx.TagOperator, "operator/correction/decide", "Approve or reject another operator's correction, or withdraw the operator's own", c.decideCorrection)
}

// correctionRow is a correction, which needs a second operator.
type correctionRow struct {
	ID         string          `json:"id"`
	UID        string          `json:"uid"`
	Wallet     string          `json:"wallet" doc:"FUNDS, FOREXFUNDS, CRYPTOFUNDS or an income wallet."`
	Account    string          `json:"account" doc:"The wallet's account in the ledger."`
	Direction  string          `json:"direction" enum:"credit,debit,move"`
	Into       string          `json:"into" doc:"Moves only: the receiving income wallet."`
	Amount     httpx.USD       `json:"amount"`
	Against    string          `json:"against" enum:"company,cash,wallet" doc:"The counterpart: the company's own money, client cash when a deposit is reversed, or another wallet."`
	Reason     string          `json:"reason" doc:"The reason, shown to the member."`
	Corrects   string          `json:"corrects" doc:"The id of the wrong transfer."`
	Balance    httpx.USD       `json:"balance" doc:"The current balance of the wallet."`
	Available  httpx.USD       `json:"available" doc:"The part of the balance that is not held."`
	ProposedBy string          `json:"proposedBy"`
	ProposedAt httpx.Timestamp `json:"proposedAt"`
	State      string          `json:"state" enum:"waiting,approved,refused,withdrawn"`
	DecidedBy  string          `json:"decidedBy"`
	DecidedAt  httpx.Timestamp `json:"decidedAt"`
	Answer     string          `json:"answer" doc:"The reason for the rejection, or the remark at the approval."`
	Alone      string          `json:"alone" doc:"Why a single approval was enough; empty if two operators approved."`
	Transfer   string          `json:"transfer" doc:"The id of the resulting transfer."`
	Own        bool            `json:"own" doc:"Whether the caller proposed it."`
	MayApprove bool            `json:"mayApprove" doc:"Whether it is pending and the caller may approve it: callers cannot approve their own proposal."`
	Payload    string          `json:"payload" doc:"The whole proposal in canonical form, the input of the digest."`
	Digest     string          `json:"digest" doc:"The SHA-256 of payload; a decision must name it."`
}

func (c *Calls) correctionRows(ctx context.Context, all []booking.Correction) ([]correctionRow, error) {
	balances, err := c.Bookings.Balances(ctx, all)
	if err != nil {
		return nil, err
	}
	out := []correctionRow{}
	for _, x := range all {
		own, transfer := x.By.Operator == httpx.SessionOf(ctx).Operator, ""
		if x.State == approval.Approved {
			transfer = x.TransferID()
		}
		account := booking.WalletAccount(x.Wallet, x.UID)
		b := balances[account]
		out = append(out, correctionRow{
			httpx.FormatID(x.ID), httpx.FormatID(x.UID), x.Wallet, account, string(x.Direction), x.Into, httpx.ToUSD(x.Amount), string(x.Against), x.Reason, x.Corrects, httpx.ToUSD(b.Posted), httpx.ToUSD(b.Available),
			x.By.Name, httpx.ToTimestamp(x.At), string(x.State), x.Decided.Name, httpx.ToTimestamp(x.DecidedAt), x.Answer, string(x.Alone), transfer,
			own, x.State == approval.Waiting && (!own || c.Demo), string(x.Payload()), x.Digest(),
		})
	}
	return out, nil
}

func (c *Calls) correctionReply(ctx context.Context, x booking.Correction, err error) (*httpx.Reply[correctionRow], error) {
	if err != nil {
		return nil, err
	}
	rows, err := c.correctionRows(ctx, []booking.Correction{x})
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(rows[0]), nil
}

type correctionBody struct {
	UID       httpx.StringOrInt `json:"uid"`
	Wallet    string            `json:"wallet" maxLength:"40" doc:"FUNDS, FOREXFUNDS, CRYPTOFUNDS or an income wallet."`
	Direction string            `json:"direction" enum:"credit,debit,move" doc:"The direction. Incomes can be debited or moved but not credited."`
	Into      string            `json:"into,omitempty" maxLength:"40" doc:"Moves only: another income wallet of the member."`
	Amount    httpx.StringOrInt `json:"amount"`
	Reason    string            `json:"reason" doc:"The reason, 10 to 500 characters; shown to the member."`
	Corrects  string            `json:"corrects,omitempty" maxLength:"160" doc:"The id of the wrong transfer. A debit that names a deposit states that the money never arrived."`
}

func (c *Calls) proposeCorrection(ctx context.Context, in *httpx.KeyedBody[correctionBody]) (*httpx.Reply[correctionRow], error) {
	var f httpx.FieldErrors
	b := in.Body
	x := booking.Correction{UID: f.UserID("uid", b.UID), Wallet: b.Wallet, Direction: booking.Direction(b.Direction), Into: b.Into, Amount: f.Amount("amount", b.Amount), Reason: b.Reason, Corrects: b.Corrects}
	if err := f.Err(); err != nil {
		return nil, err
	}
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	x, err = c.Bookings.Correct(ctx, by, in.Key, x)
	return c.correctionReply(ctx, x, err)
}

type correctionsInput struct {
	UID string `query:"uid" maxLength:"15" doc:"Only rows of this member."`
}

type correctionLists struct {
	Waiting []correctionRow `json:"waiting" nullable:"false" doc:"Pending corrections."`
	Decided []correctionRow `json:"decided" nullable:"false" doc:"Decided corrections, latest decision first; at most 20."`
}

func (c *Calls) corrections(ctx context.Context, in *correctionsInput) (*httpx.Reply[correctionLists], error) {
	var f httpx.FieldErrors
	uid := int64(0)
	if in.UID != "" {
		uid = f.UserID("uid", httpx.StringOrInt(in.UID))
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	waiting, decided, err := c.Bookings.Corrections(ctx, uid)
	if err != nil {
		return nil, err
	}
	var out correctionLists
	if out.Waiting, err = c.correctionRows(ctx, waiting); err != nil {
		return nil, err
	}
	if out.Decided, err = c.correctionRows(ctx, decided); err != nil {
		return nil, err
	}
	return httpx.NewReply(out), nil
}

func (c *Calls) decideCorrection(ctx context.Context, in *httpx.KeyedBody[decideBookingBody]) (*httpx.Reply[correctionRow], error) {
	number, by, err := c.aboutRecord(ctx, in.Body.ID)
	if err != nil {
		return nil, err
	}
	x, err := c.Bookings.DecideCorrection(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve, in.Body.Reason)
	return c.correctionReply(ctx, x, err)
}
