package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/payout"
)

func (c *Calls) registerHold(api huma.API) {
	get(api, tagOperator, "operator/payouts/hold", "Whether payouts are held because the database is an older copy, and what was found", c.payoutHold)
	post(api, tagOperator, "operator/payouts/hold/settle", "Use up the nonces that lost payments may have, then look what the chain knows", c.settleHold)
	post(api, tagOperator, "operator/payouts/hold/dismiss", "Note that a transfer from somebody else did not pay the withdrawal that it fits", c.dismissFound)
	postProved(api, tagOperator, "operator/payouts/hold/adopt", "Adopt the state and let payouts go on; it takes two operators", c.adoptHold)
}

type payoutHoldAnswer struct {
	Held     bool               `json:"held" doc:"While true nothing is batched, signed or sent."`
	ID       int64              `json:"id" doc:"0 if there never was a hold, or a server has not taken note of it yet."`
	Cause    string             `json:"cause" enum:",restore,chain"`
	Detail   string             `json:"detail"`
	State    string             `json:"state" enum:",held,settling,settled,lifted"`
	At       moment             `json:"at"`
	Since    moment             `json:"since" doc:"From when on the chain is looked at."`
	BegunBy  string             `json:"begunBy" doc:"Who began to settle."`
	FirstBy  string             `json:"firstBy" doc:"Who adopted the state first, of two."`
	LiftedBy string             `json:"liftedBy"`
	LiftedAt moment             `json:"liftedAt"`
	Alone    string             `json:"alone" doc:"Why one operator was enough; empty when there were two."`
	Reason   string             `json:"reason" doc:"The last that an operator gave."`
	Latest   int64              `json:"latest" doc:"Transactions of the hot wallet in the chain's latest blocks."`
	Pending  int64              `json:"pending" doc:"Those and the ones that wait at a node."`
	Final    int64              `json:"final" doc:"Those that are mined for good."`
	Known    int64              `json:"known" doc:"Those that the database knows."`
	Until    int64              `json:"until" doc:"When settling ends: this many are mined for good."`
	Unknown  bool               `json:"unknown" doc:"True when the chain did not tell these numbers."`
	Found    []foundTransferRow `json:"found" nullable:"false" doc:"Transfers that the chain has and the database does not know."`
	Waiting  []unpaidRow        `json:"waiting" nullable:"false" doc:"Approved withdrawals that are paid when the hold is lifted, unless one of found has paid them."`
	Payload  string             `json:"payload" doc:"All that lifting decides, in the one form that the digest is taken of; empty unless the hold is settled."`
	Digest   string             `json:"digest" doc:"The SHA-256 of payload: whoever adopts names it."`
}

type foundTransferRow struct {
	N          int64  `json:"n"`
	Hash       string `json:"hash"`
	From       string `json:"from"`
	To         string `json:"to"`
	Amount     usd    `json:"amount"`
	Block      int64  `json:"block"`
	Withdrawal string `json:"withdrawal" doc:"That it paid, or may have paid; empty if none fits."`
	Own        bool   `json:"own" doc:"True when the hot wallet paid it."`
	Dismissed  string `json:"dismissed" doc:"Who noted that it did not pay the withdrawal."`
	Reason     string `json:"reason"`
}

type unpaidRow struct {
	ID      string `json:"id"`
	UID     string `json:"uid"`
	Batch   string `json:"batch"`
	Address string `json:"address"`
	Amount  usd    `json:"amount"`
}

func (c *Calls) payoutHold(ctx context.Context, _ *struct{}) (*reply[payoutHoldAnswer], error) {
	s, err := c.Payout.Standing(ctx)
	if err != nil {
		return nil, err
	}
	h := s.Hold
	out := payoutHoldAnswer{
		Held: s.Held, ID: h.ID, Cause: string(h.Cause), Detail: h.Detail, State: string(h.State), At: at(h.At), Since: at(h.Since), BegunBy: h.Begun.Name, FirstBy: h.First.Name,
		LiftedBy: h.Lifted.Name, LiftedAt: at(h.Lifted.At), Alone: string(h.Alone), Reason: h.Reason,
		Latest: s.Nonces.Latest, Pending: s.Nonces.Pending, Final: s.Nonces.ForGood, Known: s.Nonces.Known, Until: h.Until, Unknown: s.Unknown,
		Found: []foundTransferRow{}, Waiting: []unpaidRow{},
	}
	for _, f := range s.Found {
		out.Found = append(out.Found, foundTransferRow{f.N, f.Hash, f.From, f.To, dollars(f.Amount), f.Block, id(f.Withdrawal), f.Own, f.Dismissed.Name, f.DismissedFor})
	}
	for _, w := range s.Waiting {
		out.Waiting = append(out.Waiting, unpaidRow{id(w.ID), id(w.UID), id(w.Batch), w.Address, dollars(w.Amount)})
	}
	if h.State == payout.Settled {
		out.Payload, out.Digest = string(payout.HoldPayload(h, s.Found, s.Waiting)), payout.HoldDigest(h, s.Found, s.Waiting)
	}
	return answer(out), nil
}

type payoutHoldInput struct {
	Keyed
	Body payoutHoldBody
}

type payoutHoldBody struct {
	Reason string `json:"reason" maxLength:"200" doc:"Why it is right; the audit log keeps it."`
	Digest string `json:"digest,omitempty" maxLength:"64" doc:"To adopt: of what was seen."`
	Hold   int64  `json:"hold,omitempty" doc:"To dismiss: the hold's id."`
	N      int64  `json:"n,omitempty" doc:"To dismiss: the transfer's number."`
}

func (c *Calls) settleHold(ctx context.Context, in *payoutHoldInput) (*reply[decision], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.Payout.Settle(ctx, by, in.Key, in.Body.Reason); err != nil {
		return nil, err
	}
	return answer(decision{textDone.Message, codeOf(textDone)}), nil
}

func (c *Calls) dismissFound(ctx context.Context, in *payoutHoldInput) (*reply[decision], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.Payout.Dismiss(ctx, by, in.Key, in.Body.Hold, in.Body.N, in.Body.Reason); err != nil {
		return nil, err
	}
	return answer(decision{textDone.Message, codeOf(textDone)}), nil
}

type adoptedAnswer struct {
	Lifted bool `json:"lifted" doc:"False while another operator must adopt the same."`
}

func (c *Calls) adoptHold(ctx context.Context, in *payoutHoldInput) (*reply[adoptedAnswer], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	lifted, err := c.Payout.Adopt(ctx, by, in.Key, in.Body.Digest, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return answer(adoptedAnswer{lifted}), nil
}
