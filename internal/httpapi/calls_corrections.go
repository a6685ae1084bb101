package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/trade/booking"
)

func (c *Calls) registerCorrections(api huma.API) {
	postProved(api, tagOperator, "operator/correction", "Propose to correct a member's wallet", c.proposeCorrection)
	get(api, tagOperator, "operator/corrections", "Corrections that wait, and the latest that were decided", inTurn(c, c.corrections))
	postProved(api, tagOperator, "operator/correction/decide", "Approve or refuse a correction that another operator proposed, or withdraw one's own", c.decideCorrection)
}

// correctionRow is a correction; it takes a second operator.
type correctionRow struct {
	ID         string `json:"id"`
	UID        string `json:"uid"`
	Wallet     string `json:"wallet" doc:"FUNDS, FOREXFUNDS, CRYPTOFUNDS or an income wallet."`
	Account    string `json:"account" doc:"The wallet's account in the ledger."`
	Direction  string `json:"direction" enum:"credit,debit,move"`
	Into       string `json:"into" doc:"Of a move: the income wallet that gets it."`
	Amount     usd    `json:"amount"`
	Against    string `json:"against" enum:"company,cash,wallet" doc:"What changes with the wallet: the company's own money; client cash alone, when a deposit is turned round; another wallet."`
	Reason     string `json:"reason" doc:"The member reads it."`
	Corrects   string `json:"corrects" doc:"The id of the transfer that was wrong."`
	Balance    usd    `json:"balance" doc:"What the wallet has now."`
	Available  usd    `json:"available" doc:"Of that, what is not held."`
	ProposedBy string `json:"proposedBy"`
	ProposedAt moment `json:"proposedAt"`
	State      string `json:"state" enum:"waiting,approved,refused,withdrawn"`
	DecidedBy  string `json:"decidedBy"`
	DecidedAt  moment `json:"decidedAt"`
	Answer     string `json:"answer" doc:"Why it was refused, or what was said when it was approved."`
	Alone      string `json:"alone" doc:"Why one operator was enough; empty when it took two."`
	Transfer   string `json:"transfer" doc:"The id of the transfer that it became."`
	Own        bool   `json:"own" doc:"Proposed by who asks."`
	MayApprove bool   `json:"mayApprove" doc:"It waits, and who asks is not kept from approving it by having proposed it."`
	Payload    string `json:"payload" doc:"All that was proposed, in the one form that the digest is taken of."`
	Digest     string `json:"digest" doc:"The SHA-256 of payload: whoever decides names it."`
}

func (c *Calls) correctionRows(ctx context.Context, all []booking.Correction) ([]correctionRow, error) {
	balances, err := c.Operate.Balances(ctx, all)
	if err != nil {
		return nil, err
	}
	out := []correctionRow{}
	for _, x := range all {
		own, transfer := x.By.Operator == sessionOf(ctx).Operator, ""
		if x.State == approval.Approved {
			transfer = x.TransferID()
		}
		account := booking.WalletAccount(x.Wallet, x.UID)
		b := balances[account]
		out = append(out, correctionRow{
			id(x.ID), id(x.UID), x.Wallet, account, string(x.Direction), x.Into, dollars(x.Amount), string(x.Against), x.Reason, x.Corrects, dollars(b.Posted), dollars(b.Available),
			x.By.Name, at(x.At), string(x.State), x.Decided.Name, at(x.DecidedAt), x.Answer, string(x.Alone), transfer,
			own, x.State == approval.Waiting && (!own || c.Demo), string(x.Payload()), x.Digest(),
		})
	}
	return out, nil
}

func (c *Calls) correctionReply(ctx context.Context, x booking.Correction, err error) (*reply[correctionRow], error) {
	if err != nil {
		return nil, err
	}
	rows, err := c.correctionRows(ctx, []booking.Correction{x})
	if err != nil {
		return nil, err
	}
	return answer(rows[0]), nil
}

type correctionInput struct {
	Keyed
	Body correctionBody
}

type correctionBody struct {
	UID       text   `json:"uid"`
	Wallet    string `json:"wallet" maxLength:"40" doc:"FUNDS, FOREXFUNDS, CRYPTOFUNDS or an income wallet."`
	Direction string `json:"direction" enum:"credit,debit,move" doc:"Incomes are taken back or moved, never credited: no income is paid by hand."`
	Into      string `json:"into,omitempty" maxLength:"40" doc:"Of a move: another income wallet of the member."`
	Amount    text   `json:"amount"`
	Reason    string `json:"reason" doc:"10 to 500 characters; the member reads it."`
	Corrects  string `json:"corrects,omitempty" maxLength:"160" doc:"The id of the transfer that was wrong. A debit that names a deposit says that its money never came in."`
}

func (c *Calls) proposeCorrection(ctx context.Context, in *correctionInput) (*reply[correctionRow], error) {
	var f fields
	b := in.Body
	x := booking.Correction{UID: f.uid("uid", b.UID), Wallet: b.Wallet, Direction: booking.Direction(b.Direction), Into: b.Into, Amount: f.amount("amount", b.Amount), Reason: b.Reason, Corrects: b.Corrects}
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	x, err = c.Operate.Correct(ctx, by, in.Key, x)
	return c.correctionReply(ctx, x, err)
}

type correctionsInput struct {
	UID string `query:"uid" maxLength:"15" doc:"Only of this member."`
}

type correctionLists struct {
	Waiting []correctionRow `json:"waiting" nullable:"false" doc:"Nobody has decided."`
	Decided []correctionRow `json:"decided" nullable:"false" doc:"The latest decision first; at most 20."`
}

func (c *Calls) corrections(ctx context.Context, in *correctionsInput) (*reply[correctionLists], error) {
	var f fields
	uid := int64(0)
	if in.UID != "" {
		uid = f.uid("uid", text(in.UID))
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	waiting, decided, err := c.Operate.Corrections(ctx, uid)
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
	return answer(out), nil
}

func (c *Calls) decideCorrection(ctx context.Context, in *decideBookingInput) (*reply[correctionRow], error) {
	var f fields
	number := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	x, err := c.Operate.DecideCorrection(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve, in.Body.Reason)
	return c.correctionReply(ctx, x, err)
}
