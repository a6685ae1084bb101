package chain

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Finding payments: an event of any node is checked with all nodes, and nothing follows
// from an event alone.

// maxTopics is the number of receivers in one query.
const maxTopics = 500

// Token names the contract and its chain, as a key for stored data.
func (c *Client) Token() string { return big.NewInt(c.opt.ChainID).String() + "/" + c.token.Hex() }

// Confirmations is the number of confirmations that a payment needs.
func (c *Client) Confirmations() int64 { return c.opt.Confirmations }

// Head returns the latest block that all answering nodes have. Unavailable if too few
// answer.
func (c *Client) Head(ctx context.Context) (uint64, error) {
	all, err := each(ctx, c, func(ctx context.Context, n *node) (uint64, error) { return n.height(ctx) })
	if err != nil {
		return 0, err
	}
	return slices.Min(all), nil
}

// Find returns hints of the token's payments to receivers within a range of blocks, both
// ends included. One node's report is enough, so that a node can hide nothing that
// another reports. Unavailable if too few nodes answer; a smaller range may then succeed.
func (c *Client) Find(ctx context.Context, from, to uint64, receivers []string) ([]evm.Hint, error) {
	found := map[evm.Hint]bool{}
	for len(receivers) > 0 {
		some := receivers[:min(len(receivers), maxTopics)]
		receivers = receivers[len(some):]
		all, err := each(ctx, c, func(ctx context.Context, n *node) ([]evm.Hint, error) {
			return n.transfers(ctx, c.token, from, to, some)
		})
		if err != nil {
			return nil, err
		}
		for _, hint := range slices.Concat(all...) {
			found[hint] = true
		}
	}
	out := make([]evm.Hint, 0, len(found))
	for hint := range found {
		out = append(out, hint)
	}
	slices.SortFunc(out, func(a, b evm.Hint) int {
		if a.Block != b.Block {
			return int(int64(a.Block) - int64(b.Block)) // both are within the range
		}
		return slices.Compare([]byte(a.Hash), []byte(b.Hash))
	})
	return out, nil
}

type foundLog struct {
	Hash    *common.Hash    `json:"transactionHash"`
	Block   *hexutil.Uint64 `json:"blockNumber"`
	Removed bool            `json:"removed"`
}

func (n *node) transfers(ctx context.Context, token common.Address, from, to uint64, receivers []string) ([]evm.Hint, error) {
	topics := make([]common.Hash, len(receivers))
	for i, r := range receivers {
		topics[i] = common.BytesToHash(common.HexToAddress(r).Bytes())
	}
	var logs []foundLog
	err := n.call(ctx, &logs, "eth_getLogs", map[string]any{
		"address": token, "fromBlock": hexutil.Uint64(from), "toBlock": hexutil.Uint64(to), "topics": []any{transferTopic, nil, topics},
	})
	if err != nil {
		return nil, err
	}
	out := make([]evm.Hint, 0, len(logs))
	for _, l := range logs {
		switch {
		case l.Removed:
		case l.Hash == nil || l.Block == nil || uint64(*l.Block) < from || uint64(*l.Block) > to:
			return nil, errNonsense
		default:
			out = append(out, evm.Hint{Hash: l.Hash.Hex(), Block: uint64(*l.Block)})
		}
	}
	return out, nil
}

// Look returns what a transaction did, for all receivers.
func (c *Client) Look(ctx context.Context, hash string) evm.Sight {
	out := evm.Sight{Hash: hash, Needed: c.opt.Confirmations}
	hash, err := evm.ParseHash(hash)
	if err != nil {
		out.State, out.Text = evm.Refused, errs.TextOf(err)
		return out
	}
	out.Hash = hash
	places, err := c.Decimals(ctx)
	var v view
	var waits errs.Text
	if err == nil {
		v, waits, err = c.together(ctx, common.HexToHash(hash))
	}
	switch {
	case err != nil:
		out.State, out.Text, out.Cause = evm.Unknown, errs.TextOf(err), err
		return out
	case waits.Message != "":
		out.State, out.Text = evm.Waiting, waits
		return out
	}
	out.Confirmations, out.Block, out.Mined = v.depth(), int64(min(v.height(), 1<<62)), v.minedAt()
	if *v.receipt.Status == 0 {
		out.State, out.Text = evm.Refused, textFailed
		return out
	}
	out.State = evm.Confirmed
	if out.Confirmations < c.opt.Confirmations {
		out.State, out.Text = evm.Waiting, c.tooYoung(v)
	}
	for _, p := range v.payments() {
		// Amounts above or below the range of the ledger are ignored.
		if a, err := toMicros(p.units, places); err == nil && p.token == c.token && a.Sign() > 0 {
			out.Payments = append(out.Payments, evm.Payment{N: p.n, From: p.from.Hex(), To: p.to.Hex(), Amount: a})
		}
	}
	return out
}

// Balance returns an address's balance of the token, on which all nodes must agree.
// Unavailable otherwise.
func (c *Client) Balance(ctx context.Context, address string) (money.Amount, error) {
	places, err := c.Decimals(ctx)
	if err != nil {
		return money.Amount{}, err
	}
	data := append(slices.Clone(balanceCall), common.BytesToHash(common.HexToAddress(address).Bytes()).Bytes()...)
	units, err := agreed(ctx, c, func(ctx context.Context, n *node) (string, error) {
		v, err := n.readUint(ctx, c.token, data)
		if err != nil {
			return "", err
		}
		return v.String(), nil
	})
	if err != nil {
		return money.Amount{}, err
	}
	all, ok := new(big.Int).SetString(units, 10)
	if !ok {
		return money.Amount{}, errors.New("chain: a balance is no number")
	}
	return toMicros(all, places)
}
