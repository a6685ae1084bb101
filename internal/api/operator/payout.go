package operator

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (c *Calls) registerPayouts(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/chain", "Retrieve the status of the chain's nodes and the hot wallet", c.chainStatus)
	httpx.Get(api, httpx.TagOperator, "operator/payouts", "List payout batches, newest first", c.payoutBatches)
	httpx.Get(api, httpx.TagOperator, "operator/payouts/batch", "Retrieve a payout batch with its payouts", c.payoutBatch)
	httpx.Post(api, httpx.TagOperator, "operator/payouts/propose", "Propose a payout batch of approved withdrawals", c.proposePayouts)
	httpx.PostProved(api, httpx.TagOperator, "operator/payouts/approve", "Approve a payout batch that another operator proposed", c.approvePayouts)
	httpx.Post(api, httpx.TagOperator, "operator/payouts/cancel", "Cancel the unsigned payouts of a batch", c.cancelPayouts)
	httpx.Post(api, httpx.TagOperator, "operator/payouts/export", "Export a manual batch as CSV", c.exportPayouts)
	httpx.PostProved(api, httpx.TagOperator, "operator/payouts/import", "Import the transaction hashes of a manual batch from CSV", c.importPayouts)
	httpx.PostProved(api, httpx.TagOperator, "operator/payouts/confirm", "Confirm a payout manually, without a configured chain", c.confirmPayout)
	httpx.PostProved(api, httpx.TagOperator, "operator/payouts/replace", "Speed up a stuck payment: replace it by one with the same nonce and a higher fee", c.replacePayout)
	httpx.PostProved(api, httpx.TagOperator, "operator/payouts/return", "Cancel a payout that was not paid", c.returnPayout)
}

type ChainStatuser interface {
	Status(ctx context.Context) ChainStatus
}

type ChainStatus struct {
	ID              int64
	Token, Receiver string
	Confirmations   int64
	Nodes           []ChainNode
	Wallet          string // the hot wallet's address
	Funds           money.Amount
	GasGwei         int64
	Unknown         bool // the balance is unknown
}

type ChainNode struct {
	Host  string
	Up    bool
	Block int64
	At    time.Time
	Error string
}

type chainAnswer struct {
	Configured    bool           `json:"configured"`
	ID            int64          `json:"chain_id"`
	Token         string         `json:"token"`
	Receiver      string         `json:"receiver" doc:"The receiving address; empty for the brand's USDT address."`
	Confirmations int64          `json:"confirmations"`
	Nodes         []chainNodeRow `json:"nodes" nullable:"false"`
	Wallet        string         `json:"hot_wallet" doc:"The hot wallet's address; empty if the server does not pay."`
	Funds         httpx.USD      `json:"hot_wallet_funds"`
	GasGwei       int64          `json:"hot_wallet_gas_gwei"`
	Unknown       bool           `json:"hot_wallet_unknown" doc:"Whether the balance is unknown because the chain did not answer."`
	Trouble       string         `json:"trouble" doc:"Why the hot wallet does not pay; empty if it does."`
	httpx.MessageCode
	Failed int `json:"failed" doc:"The number of failed payouts that need an operator."`
}

type chainNodeRow struct {
	Host  string          `json:"host"`
	Up    bool            `json:"up"`
	Block int64           `json:"block"`
	At    httpx.Timestamp `json:"at" doc:"The time of the last answer."`
	Error string          `json:"error"`
}

func (c *Calls) chainStatus(ctx context.Context, _ *struct{}) (*httpx.Reply[chainAnswer], error) {
	out := chainAnswer{Nodes: []chainNodeRow{}, Funds: httpx.ToUSD(money.Amount{})}
	if c.Chain == nil {
		return httpx.NewReply(out), nil
	}
	s := c.Chain.Status(ctx)
	for _, n := range s.Nodes {
		out.Nodes = append(out.Nodes, chainNodeRow{n.Host, n.Up, n.Block, httpx.ToTimestamp(n.At), n.Error})
	}
	out.Configured, out.ID, out.Token, out.Receiver, out.Confirmations = true, s.ID, s.Token, s.Receiver, s.Confirmations
	out.Wallet, out.Funds, out.GasGwei, out.Unknown = s.Wallet, httpx.ToUSD(s.Funds), s.GasGwei, s.Unknown
	trouble := c.Payout.Trouble()
	out.Trouble, out.MessageCode, out.Failed = trouble.Message, httpx.CodeOf(trouble), c.Payout.FailedNow()
	return httpx.NewReply(out), nil
}

// BatchRow is a batch in responses. It is exported because huma ignores embedded types
// that are not.
type BatchRow struct {
	ID         int64           `json:"id"`
	Way        string          `json:"way" enum:"hot,manual"`
	State      string          `json:"state" enum:"proposed,approved,cancelled,done"`
	Payouts    int64           `json:"payouts"`
	Total      httpx.USD       `json:"total"`
	ProposedBy string          `json:"proposed_by"`
	ProposedAt httpx.Timestamp `json:"proposed_at"`
	ApprovedBy string          `json:"approved_by"`
	ApprovedAt httpx.Timestamp `json:"approved_at"`
	Alone      string          `json:"alone" doc:"Why a single approval was enough; empty if two persons approved."`
	ExportedAt httpx.Timestamp `json:"exported_at"`
	EndedAt    httpx.Timestamp `json:"ended_at"`
}

func batchOf(b payout.Batch) BatchRow {
	return BatchRow{
		b.ID, string(b.Way), string(b.State), b.Payouts, httpx.ToUSD(b.Total), b.Proposed.Name, httpx.ToTimestamp(b.Proposed.At), b.Approved.Name, httpx.ToTimestamp(b.Approved.At),
		string(b.Alone), httpx.ToTimestamp(b.ExportedAt), httpx.ToTimestamp(b.EndedAt),
	}
}

type payoutPageInput struct {
	Page string `query:"page" doc:"Page number, from 1."`
	Size string `query:"size" doc:"Rows per page, at most 500; default 100."`
}

func (c *Calls) payoutBatches(ctx context.Context, in *payoutPageInput) (*httpx.List[BatchRow], error) {
	var f httpx.FieldErrors
	number, size := f.Page(httpx.StringOrInt(in.Page), httpx.StringOrInt(in.Size))
	if err := f.Err(); err != nil {
		return nil, err
	}
	all, total, err := c.Payout.Batches(ctx, int64((number-1)*size), int64(size))
	if err != nil {
		return nil, err
	}
	rows := httpx.Rows(all, batchOf)
	return httpx.NewList(rows, int(total), number, size), nil
}

type payoutRow struct {
	ID      string          `json:"id" doc:"The id of the withdrawal."`
	UID     string          `json:"uid"`
	Address string          `json:"address"`
	Amount  httpx.USD       `json:"amount"`
	State   string          `json:"state" enum:"waiting,signed,sent,confirmed,failed,returned,cancelled"`
	Hash    string          `json:"hash"`
	Nonce   int64           `json:"nonce" doc:"The nonce; -1 if there is none yet."`
	Note    string          `json:"note" doc:"The reason for the wait or the failure."`
	SentAt  httpx.Timestamp `json:"sent_at"`
	EndedAt httpx.Timestamp `json:"ended_at"`
}

func payoutOf(p payout.Payout) payoutRow {
	return payoutRow{httpx.FormatID(p.Withdrawal), httpx.FormatID(p.UID), p.Address, httpx.ToUSD(p.Amount), string(p.State), p.Hash, p.Nonce, p.Note, httpx.ToTimestamp(p.SentAt), httpx.ToTimestamp(p.EndedAt)}
}

type batchAnswer struct {
	BatchRow
	Payload string      `json:"payload" doc:"All payments of the batch in canonical form, the input of the digest."`
	Digest  string      `json:"digest" doc:"The SHA-256 of payload; an approval must name it."`
	Rows    []payoutRow `json:"rows" nullable:"false"`
	ByHand  handCredits `json:"byHand" doc:"The largest part of the batch that may come from money credited manually by operators."`
}

type handCredits struct {
	Amount    httpx.USD `json:"amount"`
	Operators []handRow `json:"operators" nullable:"false" doc:"The operators who credited it, largest sum first."`
}

type handRow struct {
	Names  string    `json:"names" doc:"The operator or operators who credited it."`
	Amount httpx.USD `json:"amount"`
}

func handOf(h payout.ByHand) handCredits {
	out := handCredits{httpx.ToUSD(h.Amount), []handRow{}}
	for _, sum := range h.By {
		out.Operators = append(out.Operators, handRow{sum.Names, httpx.ToUSD(sum.Amount)})
	}
	return out
}

type batchInput struct {
	ID int64 `query:"batch" minimum:"1" required:"true"`
}

func (c *Calls) payoutBatch(ctx context.Context, in *batchInput) (*httpx.Reply[batchAnswer], error) {
	b, all, err := c.Payout.Batch(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	hand, err := c.Payout.ByHand(ctx, all)
	if err != nil {
		return nil, err
	}
	out := batchAnswer{batchOf(b), string(c.Payout.Payload(b, all)), c.Payout.Digest(b, all), []payoutRow{}, handOf(hand)}
	for _, p := range all {
		out.Rows = append(out.Rows, payoutOf(p))
	}
	return httpx.NewReply(out), nil
}

type proposeBody struct {
	Way         string              `json:"way" doc:"hot: the server pays; manual: operators pay from a list."`
	Withdrawals []httpx.StringOrInt `json:"withdrawals,omitempty" maxItems:"500" doc:"The ids of the withdrawals; default: all payable ones."`
}

func (c *Calls) proposePayouts(ctx context.Context, in *httpx.KeyedBody[proposeBody]) (*httpx.Reply[BatchRow], error) {
	var f httpx.FieldErrors
	var ids []int64
	for _, t := range in.Body.Withdrawals {
		ids = append(ids, f.RecordID("withdrawals", t))
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(batchOf)(c.Payout.Propose(ctx, by, in.Key, payout.Way(in.Body.Way), ids))
}

type approveBatchBody struct {
	Batch  int64  `json:"batch" minimum:"1"`
	Digest string `json:"digest" maxLength:"64" doc:"The digest of the batch that the operator has seen."`
}

func (c *Calls) approvePayouts(ctx context.Context, in *httpx.KeyedBody[approveBatchBody]) (*httpx.Reply[BatchRow], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(batchOf)(c.Payout.Approve(ctx, by, in.Key, in.Body.Batch, in.Body.Digest))
}

type theBatchBody struct {
	Batch int64 `json:"batch" minimum:"1"`
}

func (c *Calls) cancelPayouts(ctx context.Context, in *httpx.KeyedBody[theBatchBody]) (*httpx.Reply[BatchRow], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(batchOf)(c.Payout.Cancel(ctx, by, in.Key, in.Body.Batch))
}

type payoutList struct {
	Name string `json:"name" doc:"The file name."`
	CSV  string `json:"csv"`
}

func (c *Calls) exportPayouts(ctx context.Context, in *httpx.KeyedBody[theBatchBody]) (*httpx.Reply[payoutList], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := c.Payout.Export(ctx, by, in.Body.Batch)
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(payoutList{"payouts-" + httpx.FormatID(in.Body.Batch) + ".csv", string(raw)}), nil
}

type importBody struct {
	Batch int64  `json:"batch" minimum:"1"`
	CSV   string `json:"csv" maxLength:"900000" doc:"A header line with at least the columns id and hash, then a line for each payout."`
}

type imported struct {
	Added int `json:"added" doc:"The number of new hashes."`
}

func (c *Calls) importPayouts(ctx context.Context, in *httpx.KeyedBody[importBody]) (*httpx.Reply[imported], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	n, err := c.Payout.Import(ctx, by, in.Key, in.Body.Batch, []byte(in.Body.CSV))
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(imported{n}), nil
}

type onePayoutBody struct {
	Batch  int64             `json:"batch" minimum:"1"`
	ID     httpx.StringOrInt `json:"id" doc:"The id of the withdrawal."`
	Reason string            `json:"reason,omitempty" doc:"Returns only: the evidence that nothing was paid."`
}

// onePayout runs an action on a payout and returns its new state.
func (c *Calls) onePayout(ctx context.Context, in *httpx.KeyedBody[onePayoutBody], do func(by actor.By, id int64) error) (*httpx.Reply[payoutRow], error) {
	number, by, err := c.aboutRecord(ctx, in.Body.ID)
	if err != nil {
		return nil, err
	}
	if err := do(by, number); err != nil {
		return nil, err
	}
	return httpx.ReplyAs(payoutOf)(c.Payout.Get(ctx, in.Body.Batch, number))
}

func (c *Calls) confirmPayout(ctx context.Context, in *httpx.KeyedBody[onePayoutBody]) (*httpx.Reply[payoutRow], error) {
	return c.onePayout(ctx, in, func(by actor.By, id int64) error { return c.Payout.Confirm(ctx, by, in.Key, in.Body.Batch, id) })
}

func (c *Calls) replacePayout(ctx context.Context, in *httpx.KeyedBody[onePayoutBody]) (*httpx.Reply[payoutRow], error) {
	return c.onePayout(ctx, in, func(by actor.By, id int64) error {
		_, err := c.Payout.Replace(ctx, by, in.Key, in.Body.Batch, id)
		return err
	})
}

func (c *Calls) returnPayout(ctx context.Context, in *httpx.KeyedBody[onePayoutBody]) (*httpx.Reply[payoutRow], error) {
	return c.onePayout(ctx, in, func(by actor.By, id int64) error {
		return c.Payout.Return(ctx, by, in.Key, in.Body.Batch, id, in.Body.Reason)
	})
}
