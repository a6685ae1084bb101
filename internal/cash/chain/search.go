package chain

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/bifolia/bifolia/internal/cash/evm"
)

const (
	searchBlocks = 5000 // in one query, or fewer if a node refuses
	searchLeast  = 50
	searchTopics = 100 // addresses in one query
)

// Transfers returns the token's transfers that match a search, in chain order, up to the
// last block with enough confirmations on all nodes. Unavailable if too few nodes answer,
// or they disagree.
func (c *Client) Transfers(ctx context.Context, s evm.Search) ([]evm.Transfer, error) {
	places, err := c.Decimals(ctx)
	if err != nil {
		return nil, err
	}
	heads, err := each(ctx, c, func(ctx context.Context, n *node) (uint64, error) { return n.height(ctx) })
	if err != nil {
		return nil, err
	}
	upTo := slices.Min(heads)
	if upTo+1 < uint64(c.opt.Confirmations) {
		return nil, nil
	}
	upTo -= uint64(c.opt.Confirmations) - 1
	all, err := each(ctx, c, func(ctx context.Context, n *node) ([]searchedLog, error) { return n.search(ctx, c.token, s, upTo) })
	if err != nil {
		return nil, err
	}
	for _, other := range all {
		if !slices.EqualFunc(all[0], other, func(a, b searchedLog) bool {
			return a.same(b.logEntry) && a.Hash == b.Hash && *a.Number == *b.Number
		}) {
			return nil, errDisagree
		}
	}
	out := make([]evm.Transfer, 0, len(all[0]))
	for _, l := range all[0] {
		amount, err := toMicros(new(big.Int).SetBytes(l.Data), places)
		if err != nil {
			return nil, err
		}
		out = append(out, evm.Transfer{
			Hash: strings.ToLower(l.Hash.Hex()), From: common.BytesToAddress(l.Topics[1][:]).Hex(), To: common.BytesToAddress(l.Topics[2][:]).Hex(),
			Amount: amount, Block: int64(*l.Number),
		})
	}
	return out, nil
}

// searchedLog is an event with its position on the chain.
type searchedLog struct {
	logEntry
	Number *hexutil.Uint64 `json:"blockNumber"`
	Index  *hexutil.Uint64 `json:"logIndex"`
}

// search queries one node for all matching events, each once, in chain order.
func (n *node) search(ctx context.Context, token common.Address, s evm.Search, upTo uint64) ([]searchedLog, error) {
	from, err := n.blockAt(ctx, s.Since, upTo)
	if err != nil {
		return nil, err
	}
	type place struct{ block, index uint64 }
	found := map[place]searchedLog{}
	for _, topics := range searchFilters(s) {
		for at, step := from, uint64(searchBlocks); at <= upTo; {
			end := min(at+step-1, upTo)
			var logs []searchedLog
			err := n.call(ctx, &logs, "eth_getLogs", map[string]any{"address": token, "fromBlock": hexutil.Uint64(at), "toBlock": hexutil.Uint64(end), "topics": topics})
			var refused *answerError
			if errors.As(err, &refused) && step > searchLeast { // too many blocks at once
				step /= 2
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, l := range logs {
				if l.Number == nil || l.Index == nil || l.Removed || l.Address != token || len(l.Topics) != 3 || l.Topics[0] != transferTopic || len(l.Data) != 32 || uint64(*l.Number) < at || uint64(*l.Number) > end {
					return nil, errNonsense
				}
				found[place{uint64(*l.Number), uint64(*l.Index)}] = l
			}
			at = end + 1
		}
	}
	out := make([]searchedLog, 0, len(found))
	for _, l := range found {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b searchedLog) int {
		if a.place() < b.place() {
			return -1
		}
		return 1
	})
	return out, nil
}

// place is the sort key of an event: a block has fewer than 2^24.
func (l searchedLog) place() uint64 { return uint64(*l.Number)<<24 | uint64(*l.Index) }

// topicsOf returns addresses as event topics.
func topicsOf(addresses ...string) []common.Hash {
	out := make([]common.Hash, len(addresses))
	for i, a := range addresses {
		out[i] = common.BytesToHash(common.HexToAddress(a).Bytes())
	}
	return out
}

// searchFilters returns the event filters of a search.
func searchFilters(s evm.Search) (out [][]any) {
	if s.From != "" {
		out = append(out, []any{transferTopic, topicsOf(s.From)})
	}
	for some := range slices.Chunk(s.To, searchTopics) {
		out = append(out, []any{transferTopic, nil, topicsOf(some...)})
	}
	return out
}

// blockAt returns the first block at or after a time.
func (n *node) blockAt(ctx context.Context, at time.Time, upTo uint64) (uint64, error) {
	low, high := uint64(0), upTo+1
	for low < high {
		middle := (low + high) / 2
		var b *block
		if err := n.call(ctx, &b, "eth_getBlockByNumber", hexutil.Uint64(middle), false); err != nil {
			return 0, err
		}
		if b == nil || b.Time == nil {
			return 0, errNonsense
		}
		if int64(min(uint64(*b.Time), 1<<40)) < at.Unix() {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, nil
}
