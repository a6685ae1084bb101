package httpapi

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func (c *Calls) registerPayouts(api huma.API) {
	get(api, tagOperator, "operator/chain", "How the chain's nodes and the hot wallet are", c.chainStatus)
	get(api, tagOperator, "operator/payouts", "Batches of payouts, newest first", c.payoutBatches)
	get(api, tagOperator, "operator/payouts/batch", "One batch with its payouts", c.payoutBatch)
	post(api, tagOperator, "operator/payouts/propose", "Put approved withdrawals into a batch", c.proposePayouts)
	postProved(api, tagOperator, "operator/payouts/approve", "Approve a batch that another operator proposed", c.approvePayouts)
	post(api, tagOperator, "operator/payouts/cancel", "Take out of a batch what has not been signed", c.cancelPayouts)
	post(api, tagOperator, "operator/payouts/export", "The list of a manual batch, as CSV", c.exportPayouts)
	postProved(api, tagOperator, "operator/payouts/import", "The hashes that paid a manual batch, as CSV", c.importPayouts)
	postProved(api, tagOperator, "operator/payouts/confirm", "Confirm a payout by hand, where no chain is configured", c.confirmPayout)
	postProved(api, tagOperator, "operator/payouts/replace", "Outbid a stuck payment by one with the same nonce", c.replacePayout)
	postProved(api, tagOperator, "operator/payouts/return", "Give up a payout that was not paid", c.returnPayout)
	c.registerHold(api)
}

// ChainStatuser tells how the chain is.
type ChainStatuser interface {
	Status(ctx context.Context) ChainStatus
}

// ChainStatus is how the chain is.
type ChainStatus struct {
	ID              int64
	Token, Receiver string
	Confirmations   int64
	Nodes           []ChainNode
	Wallet          string // the hot wallet's address
	Funds           money.Amount
	GasGwei         int64
	Unknown         bool // what the wallet has could not be asked
}

// ChainNode is one node.
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
	Receiver      string         `json:"receiver" doc:"Empty for the brand's USDT address."`
	Confirmations int64          `json:"confirmations"`
	Nodes         []chainNodeRow `json:"nodes" nullable:"false"`
	Wallet        string         `json:"hot_wallet" doc:"Empty when the server pays nobody."`
	Funds         usd            `json:"hot_wallet_funds"`
	GasGwei       int64          `json:"hot_wallet_gas_gwei"`
	Unknown       bool           `json:"hot_wallet_unknown" doc:"True when the chain did not tell what it has."`
	Trouble       string         `json:"trouble" doc:"Why the hot wallet pays nothing; empty when it does."`
	Failed        int            `json:"failed" doc:"Payouts that failed and wait for a person."`
}

type chainNodeRow struct {
	Host  string `json:"host"`
	Up    bool   `json:"up"`
	Block int64  `json:"block"`
	At    moment `json:"at" doc:"Of the last answer."`
	Error string `json:"error"`
}

func (c *Calls) chainStatus(ctx context.Context, _ *struct{}) (*reply[chainAnswer], error) {
	out := chainAnswer{Nodes: []chainNodeRow{}, Funds: dollars(money.Amount{})}
	if c.Chain == nil {
		return answer(out), nil
	}
	s := c.Chain.Status(ctx)
	for _, n := range s.Nodes {
		out.Nodes = append(out.Nodes, chainNodeRow{n.Host, n.Up, n.Block, at(n.At), n.Error})
	}
	out.Configured, out.ID, out.Token, out.Receiver, out.Confirmations = true, s.ID, s.Token, s.Receiver, s.Confirmations
	out.Wallet, out.Funds, out.GasGwei, out.Unknown = s.Wallet, dollars(s.Funds), s.GasGwei, s.Unknown
	out.Trouble, out.Failed = c.Payout.Trouble(), c.Payout.FailedNow()
	return answer(out), nil
}

// BatchRow is a batch on the wire; exported because huma does not look into
// embedded types that are not.
type BatchRow struct {
	ID         int64  `json:"id"`
	Way        string `json:"way" enum:"hot,manual"`
	State      string `json:"state" enum:"proposed,approved,cancelled,done"`
	Payouts    int64  `json:"payouts"`
	Total      usd    `json:"total"`
	ProposedBy string `json:"proposed_by"`
	ProposedAt moment `json:"proposed_at"`
	ApprovedBy string `json:"approved_by"`
	ApprovedAt moment `json:"approved_at"`
	Alone      string `json:"alone" doc:"Why one person was enough; empty when there were two."`
	ExportedAt moment `json:"exported_at"`
	EndedAt    moment `json:"ended_at"`
}

func batchOf(b payout.Batch) BatchRow {
	return BatchRow{
		b.ID, string(b.Way), string(b.State), b.Payouts, dollars(b.Total), b.Proposed.Name, at(b.Proposed.At), b.Approved.Name, at(b.Approved.At),
		string(b.Alone), at(b.ExportedAt), at(b.EndedAt),
	}
}

type payoutPageInput struct {
	Page string `query:"page" doc:"From 1."`
	Size string `query:"size" doc:"Rows of a page, up to 500; 100 unless given."`
}

func (c *Calls) payoutBatches(ctx context.Context, in *payoutPageInput) (*list[BatchRow], error) {
	var f fields
	number, size := f.page(text(in.Page), text(in.Size))
	if err := f.err(); err != nil {
		return nil, err
	}
	all, total, err := c.Payout.Batches(ctx, int64((number-1)*size), int64(size))
	if err != nil {
		return nil, err
	}
	rows := make([]BatchRow, 0, len(all))
	for _, b := range all {
		rows = append(rows, batchOf(b))
	}
	return pageOf(rows, int(total), number, size), nil
}

type payoutRow struct {
	ID      string `json:"id" doc:"Of the withdrawal."`
	UID     string `json:"uid"`
	Address string `json:"address"`
	Amount  usd    `json:"amount"`
	State   string `json:"state" enum:"waiting,signed,sent,confirmed,failed,returned,cancelled"`
	Hash    string `json:"hash"`
	Nonce   int64  `json:"nonce" doc:"-1 while there is none."`
	Note    string `json:"note" doc:"What it waits for, or why it failed."`
	SentAt  moment `json:"sent_at"`
	EndedAt moment `json:"ended_at"`
}

func payoutOf(p payout.Payout) payoutRow {
	return payoutRow{id(p.Withdrawal), id(p.UID), p.Address, dollars(p.Amount), string(p.State), p.Hash, p.Nonce, p.Note, at(p.SentAt), at(p.EndedAt)}
}

type batchAnswer struct {
	BatchRow
	Payload string      `json:"payload" doc:"All that it pays and to whom, in the one form that the digest is taken of."`
	Digest  string      `json:"digest" doc:"The SHA-256 of payload: whoever approves names it."`
	Rows    []payoutRow `json:"rows" nullable:"false"`
	ByHand  handCredits `json:"byHand" doc:"How much of the batch rests at most on money that operators have credited by hand."`
}

type handCredits struct {
	Amount    usd       `json:"amount"`
	Operators []handRow `json:"operators" nullable:"false" doc:"On whose word, the largest sum first."`
}

type handRow struct {
	Names  string `json:"names" doc:"The operator, or the two of them, who credited it."`
	Amount usd    `json:"amount"`
}

func handOf(h payout.ByHand) handCredits {
	out := handCredits{dollars(h.Amount), []handRow{}}
	for _, sum := range h.By {
		out.Operators = append(out.Operators, handRow{sum.Names, dollars(sum.Amount)})
	}
	return out
}

type batchInput struct {
	ID int64 `query:"batch" minimum:"1" required:"true"`
}

func (c *Calls) payoutBatch(ctx context.Context, in *batchInput) (*reply[batchAnswer], error) {
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
	return answer(out), nil
}

type proposeInput struct {
	Keyed
	Body proposeBody
}

type proposeBody struct {
	Way         string `json:"way" doc:"hot: the server pays; manual: people do, from a list."`
	Withdrawals []text `json:"withdrawals,omitempty" maxItems:"500" doc:"Their ids; all that may leave unless given."`
}

func (c *Calls) proposePayouts(ctx context.Context, in *proposeInput) (*reply[BatchRow], error) {
	var f fields
	var ids []int64
	for _, t := range in.Body.Withdrawals {
		ids = append(ids, f.number("withdrawals", t))
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	b, err := c.Payout.Propose(ctx, by, in.Key, payout.Way(in.Body.Way), ids)
	if err != nil {
		return nil, err
	}
	return answer(batchOf(b)), nil
}

type approveBatchInput struct {
	Keyed
	Body approveBatchBody
}

type approveBatchBody struct {
	Batch  int64  `json:"batch" minimum:"1"`
	Digest string `json:"digest" maxLength:"64" doc:"Of the batch as you saw it."`
}

func (c *Calls) approvePayouts(ctx context.Context, in *approveBatchInput) (*reply[BatchRow], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	b, err := c.Payout.Approve(ctx, by, in.Key, in.Body.Batch, in.Body.Digest)
	if err != nil {
		return nil, err
	}
	return answer(batchOf(b)), nil
}

type theBatchInput struct {
	Keyed
	Body theBatchBody
}

type theBatchBody struct {
	Batch int64 `json:"batch" minimum:"1"`
}

func (c *Calls) cancelPayouts(ctx context.Context, in *theBatchInput) (*reply[BatchRow], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	b, err := c.Payout.Cancel(ctx, by, in.Key, in.Body.Batch)
	if err != nil {
		return nil, err
	}
	return answer(batchOf(b)), nil
}

type payoutList struct {
	Name string `json:"name" doc:"For the file."`
	CSV  string `json:"csv"`
}

func (c *Calls) exportPayouts(ctx context.Context, in *theBatchInput) (*reply[payoutList], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := c.Payout.Export(ctx, by, in.Body.Batch)
	if err != nil {
		return nil, err
	}
	return answer(payoutList{"payouts-" + id(in.Body.Batch) + ".csv", string(raw)}), nil
}

type importInput struct {
	Keyed
	Body importBody
}

type importBody struct {
	Batch int64  `json:"batch" minimum:"1"`
	CSV   string `json:"csv" maxLength:"900000" doc:"A first line that names columns, id and hash among them; then a line for each payout."`
}

type imported struct {
	Added int `json:"added" doc:"Hashes that were not known before."`
}

func (c *Calls) importPayouts(ctx context.Context, in *importInput) (*reply[imported], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	n, err := c.Payout.Import(ctx, by, in.Key, in.Body.Batch, []byte(in.Body.CSV))
	if err != nil {
		return nil, err
	}
	return answer(imported{n}), nil
}

type onePayoutInput struct {
	Keyed
	Body onePayoutBody
}

type onePayoutBody struct {
	Batch  int64  `json:"batch" minimum:"1"`
	ID     text   `json:"id" doc:"Of the withdrawal."`
	Reason string `json:"reason,omitempty" doc:"Of a return: how is it known that nothing was paid?"`
}

// onePayout does something to one payout and tells how it is then.
func (c *Calls) onePayout(ctx context.Context, in *onePayoutInput, do func(by actor.By, id int64) error) (*reply[payoutRow], error) {
	var f fields
	number := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	if err := do(by, number); err != nil {
		return nil, err
	}
	p, err := c.Payout.Get(ctx, in.Body.Batch, number)
	if err != nil {
		return nil, err
	}
	return answer(payoutOf(p)), nil
}

func (c *Calls) confirmPayout(ctx context.Context, in *onePayoutInput) (*reply[payoutRow], error) {
	return c.onePayout(ctx, in, func(by actor.By, id int64) error { return c.Payout.Confirm(ctx, by, in.Key, in.Body.Batch, id) })
}

func (c *Calls) replacePayout(ctx context.Context, in *onePayoutInput) (*reply[payoutRow], error) {
	return c.onePayout(ctx, in, func(by actor.By, id int64) error {
		_, err := c.Payout.Replace(ctx, by, in.Key, in.Body.Batch, id)
		return err
	})
}

func (c *Calls) returnPayout(ctx context.Context, in *onePayoutInput) (*reply[payoutRow], error) {
	return c.onePayout(ctx, in, func(by actor.By, id int64) error {
		return c.Payout.Return(ctx, by, in.Key, in.Body.Batch, id, in.Body.Reason)
	})
}
