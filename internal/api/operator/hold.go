package operator

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/payout"
)

func (c *Calls) registerHold(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/payouts/hold", "Retrieve the payout hold after a restore, and its findings", c.payoutHold)
	httpx.Post(api, httpx.TagOperator, "operator/payouts/hold/settle", "Start settling a payout hold: use up the nonces of possibly lost payments, then compare with the chain", c.settleHold)
	httpx.Post(api, httpx.TagOperator, "operator/payouts/hold/dismiss", "Dismiss a foreign transfer that matches a withdrawal", c.dismissFound)
	httpx.PostProved(api, httpx.TagOperator, "operator/payouts/hold/adopt", "Adopt the state and resume payouts; two operators must adopt", c.adoptHold)
}

type payoutHoldAnswer struct {
	Held   bool   `json:"held" doc:"Whether payouts are held: nothing is batched, signed or sent."`
	ID     int64  `json:"id" doc:"The id of the hold; 0 if there never was one or the server has not recorded it yet."`
	Cause  string `json:"cause" enum:",restore,chain"`
	Detail string `json:"detail"`
	httpx.MessageCode
	State    string             `json:"state" enum:",held,settling,settled,lifted"`
	At       httpx.Timestamp    `json:"at"`
	Since    httpx.Timestamp    `json:"since" doc:"The time from which the chain is searched."`
	BegunBy  string             `json:"begunBy" doc:"The operator who started settling."`
	FirstBy  string             `json:"firstBy" doc:"The first of two operators who adopted the state."`
	LiftedBy string             `json:"liftedBy"`
	LiftedAt httpx.Timestamp    `json:"liftedAt"`
	Alone    string             `json:"alone" doc:"Why a single approval was enough; empty if two operators approved."`
	Reason   string             `json:"reason" doc:"The reason last given by an operator."`
	Latest   int64              `json:"latest" doc:"The hot wallet's transaction count at the latest block."`
	Pending  int64              `json:"pending" doc:"The hot wallet's transaction count including pending transactions."`
	Final    int64              `json:"final" doc:"The hot wallet's transaction count in final blocks."`
	Known    int64              `json:"known" doc:"The hot wallet's transaction count in the database."`
	Until    int64              `json:"until" doc:"The count of final transactions at which settling ends."`
	Unknown  bool               `json:"unknown" doc:"Whether these counts are unknown because the chain did not answer."`
	Found    []foundTransferRow `json:"found" nullable:"false" doc:"Transfers on the chain that the database does not know."`
	Waiting  []unpaidRow        `json:"waiting" nullable:"false" doc:"Approved withdrawals that will be paid after the hold, unless a transfer in found has paid them."`
	Payload  string             `json:"payload" doc:"The state to adopt in canonical form, the input of the digest; empty unless the hold is settled."`
	Digest   string             `json:"digest" doc:"The SHA-256 of payload; adopting must name it."`
}

type foundTransferRow struct {
	N          int64     `json:"n"`
	Hash       string    `json:"hash"`
	From       string    `json:"from"`
	To         string    `json:"to"`
	Amount     httpx.USD `json:"amount"`
	Block      int64     `json:"block"`
	Withdrawal string    `json:"withdrawal" doc:"The withdrawal that the transfer paid or may have paid; empty if none matches."`
	Own        bool      `json:"own" doc:"Whether the hot wallet sent it."`
	Dismissed  string    `json:"dismissed" doc:"The operator who dismissed it as a payment of the withdrawal."`
	Reason     string    `json:"reason"`
}

type unpaidRow struct {
	ID      string    `json:"id"`
	UID     string    `json:"uid"`
	Batch   string    `json:"batch"`
	Address string    `json:"address"`
	Amount  httpx.USD `json:"amount"`
}

func (c *Calls) payoutHold(ctx context.Context, _ *struct{}) (*httpx.Reply[payoutHoldAnswer], error) {
	s, err := c.Payout.Standing(ctx)
	if err != nil {
		return nil, err
	}
	h := s.Hold
	out := payoutHoldAnswer{
		Held: s.Held, ID: h.ID, Cause: string(h.Cause), Detail: h.Detail.Message, MessageCode: httpx.CodeOf(h.Detail), State: string(h.State), At: httpx.ToTimestamp(h.At), Since: httpx.ToTimestamp(h.Since), BegunBy: h.Begun.Name, FirstBy: h.First.Name,
		LiftedBy: h.Lifted.Name, LiftedAt: httpx.ToTimestamp(h.Lifted.At), Alone: string(h.Alone), Reason: h.Reason,
		Latest: s.Nonces.Latest, Pending: s.Nonces.Pending, Final: s.Nonces.ForGood, Known: s.Nonces.Known, Until: h.Until, Unknown: s.Unknown,
		Found: []foundTransferRow{}, Waiting: []unpaidRow{},
	}
	for _, f := range s.Found {
		out.Found = append(out.Found, foundTransferRow{f.N, f.Hash, f.From, f.To, httpx.ToUSD(f.Amount), f.Block, httpx.FormatID(f.Withdrawal), f.Own, f.Dismissed.Name, f.DismissedFor})
	}
	for _, w := range s.Waiting {
		out.Waiting = append(out.Waiting, unpaidRow{httpx.FormatID(w.ID), httpx.FormatID(w.UID), httpx.FormatID(w.Batch), w.Address, httpx.ToUSD(w.Amount)})
	}
	if h.State == payout.Settled {
		out.Payload, out.Digest = string(payout.HoldPayload(h, s.Found, s.Waiting)), payout.HoldDigest(h, s.Found, s.Waiting)
	}
	return httpx.NewReply(out), nil
}

type payoutHoldBody struct {
	Reason string `json:"reason" maxLength:"200" doc:"The reason; saved in the audit log."`
	Digest string `json:"digest,omitempty" maxLength:"64" doc:"Adopting only: the digest of the state that the operator has seen."`
	Hold   int64  `json:"hold,omitempty" doc:"Dismissing only: the id of the hold."`
	N      int64  `json:"n,omitempty" doc:"Dismissing only: the number of the transfer."`
}

func (c *Calls) settleHold(ctx context.Context, in *httpx.KeyedBody[payoutHoldBody]) (*httpx.Reply[decision], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.Payout.Settle(ctx, by, in.Key, in.Body.Reason); err != nil {
		return nil, err
	}
	return httpx.NewReply(decision{httpx.Success.Message, httpx.CodeOf(httpx.Success)}), nil
}

func (c *Calls) dismissFound(ctx context.Context, in *httpx.KeyedBody[payoutHoldBody]) (*httpx.Reply[decision], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.Payout.Dismiss(ctx, by, in.Key, in.Body.Hold, in.Body.N, in.Body.Reason); err != nil {
		return nil, err
	}
	return httpx.NewReply(decision{httpx.Success.Message, httpx.CodeOf(httpx.Success)}), nil
}

type adoptedAnswer struct {
	Lifted bool `json:"lifted" doc:"Whether the hold is lifted; false while a second operator must adopt the state."`
}

func (c *Calls) adoptHold(ctx context.Context, in *httpx.KeyedBody[payoutHoldBody]) (*httpx.Reply[adoptedAnswer], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	lifted, err := c.Payout.Adopt(ctx, by, in.Key, in.Body.Digest, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(adoptedAnswer{lifted}), nil
}
