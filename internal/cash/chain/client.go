package chain

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Options of a Client.
type Options struct {
	URLs          []string // of nodes; the first one is queried for fees
	AllowPrivate  bool     // nodes may have private addresses
	ChainID       int64
	Token         string // the contract's address
	Confirmations int64
	Timeout       time.Duration // of one query; zero for ten seconds
	Clock         clock.Clock
	Log           *slog.Logger

	Key         *Key  // the hot wallet's key; nil if the server does not pay
	MaxGasPrice int64 // limit in gwei
}

// Client reads and pays a token on its chain. It is safe for concurrent use.
type Client struct {
	opt   Options
	nodes []*node
	token common.Address

	mu     sync.Mutex // guards places
	places *uint8     // the token's decimals, once known
}

// Open makes a Client without querying a node. Invalid if an address is wrong.
func Open(opt Options) (*Client, error) {
	token, err := evm.ParseAddress(opt.Token)
	if err != nil {
		return nil, errs.New(errs.Invalid, "chain.token_contract_invalid", "The token's contract: {reason}", "reason", err)
	}
	if opt.Timeout == 0 {
		opt.Timeout = 10 * time.Second
	}
	c := &Client{opt: opt, token: common.HexToAddress(token)}
	for _, address := range opt.URLs {
		n, err := newNode(address, opt.AllowPrivate, opt.Timeout, opt.Clock)
		if err != nil {
			return nil, err
		}
		c.nodes = append(c.nodes, n)
	}
	if len(c.nodes) == 0 {
		return nil, errs.New(errs.Invalid, "chain.no_node", "No node is configured.")
	}
	return c, nil
}

// Health returns the result of each node's last query.
func (c *Client) Health() []Health {
	out := make([]Health, len(c.nodes))
	for i, n := range c.nodes {
		out[i] = n.health()
	}
	return out
}

// Greet queries the nodes that have not been queried yet, so that Health covers all of
// them.
func (c *Client) Greet(ctx context.Context) {
	var wg sync.WaitGroup
	for _, n := range c.nodes {
		if n.health().Err == NotAsked {
			wg.Go(func() { _, _ = n.height(ctx) })
		}
	}
	wg.Wait()
}

// each queries all nodes at once. With more than one node, at least two must answer, so
// that no single one is trusted. The error says why too few did.
func each[T any](ctx context.Context, c *Client, ask func(context.Context, *node) (T, error)) ([]T, error) {
	type answer struct {
		value T
		err   error
	}
	answers := make([]answer, len(c.nodes))
	var wg sync.WaitGroup
	for i, n := range c.nodes {
		wg.Go(func() {
			v, err := ask(ctx, n)
			if err == nil {
				err = n.onChain(ctx, c.opt.ChainID)
			}
			answers[i] = answer{v, err}
		})
	}
	wg.Wait()
	var values []T
	var failed []error
	for _, a := range answers {
		if a.err != nil {
			failed = append(failed, a.err)
			continue
		}
		values = append(values, a.value)
	}
	if len(values) < min(len(c.nodes), 2) {
		return nil, errs.Wrap(errs.Unavailable, errors.Join(failed...), "chain.unavailable", "The chain cannot be asked just now.")
	}
	return values, nil
}

// agreed returns the answer that all nodes share.
func agreed[T comparable](ctx context.Context, c *Client, ask func(context.Context, *node) (T, error)) (v T, err error) {
	all, err := each(ctx, c, ask)
	if err != nil {
		return v, err
	}
	for _, other := range all {
		if other != all[0] {
			return v, errDisagree
		}
	}
	return all[0], nil
}

var errDisagree = errs.New(errs.Unavailable, "chain.nodes_disagree", "The chain's nodes disagree. Try again later.")

// onChain returns an error for a node of another chain.
func (n *node) onChain(ctx context.Context, want int64) error {
	var id hexutil.Big
	if err := n.call(ctx, &id, "eth_chainId"); err != nil {
		return err
	}
	if id.ToInt().Cmp(big.NewInt(want)) != 0 {
		err := errs.New(errs.Unavailable, "chain.node_of_other_chain", "node {node} is of chain {chain}, not {wanted}", "node", n.host, "chain", id.ToInt(), "wanted", want)
		n.note(err)
		return err
	}
	return nil
}

// height returns the number of the latest block.
func (n *node) height(ctx context.Context) (uint64, error) {
	var h hexutil.Uint64
	err := n.call(ctx, &h, "eth_blockNumber")
	if err == nil {
		n.noteBlock(uint64(h))
	}
	return uint64(h), err
}
