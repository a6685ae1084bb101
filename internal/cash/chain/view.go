package chain

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// receipt is a transaction receipt. go-ethereum's type rejects receipts of chains with
// additional fields or types.
type receipt struct {
	Hash        common.Hash     `json:"transactionHash"`
	BlockHash   common.Hash     `json:"blockHash"`
	BlockNumber *hexutil.Uint64 `json:"blockNumber"`
	Status      *hexutil.Uint64 `json:"status"`
	Logs        []logEntry      `json:"logs"`
}

type logEntry struct {
	Address   common.Address `json:"address"`
	Topics    []common.Hash  `json:"topics"`
	Data      hexutil.Bytes  `json:"data"`
	BlockHash common.Hash    `json:"blockHash"`
	Hash      common.Hash    `json:"transactionHash"`
	Removed   bool           `json:"removed"`
}

// block is the needed part of a block. Its hash is reported by the node, because chains
// differ in what they hash.
type block struct {
	Hash    common.Hash     `json:"hash"`
	Number  *hexutil.Uint64 `json:"number"`
	Time    *hexutil.Uint64 `json:"timestamp"`
	BaseFee *hexutil.Big    `json:"baseFeePerGas"`
}

// view is one node's view of a transaction.
type view struct {
	head      uint64
	mined     bool
	receipt   receipt
	canonical common.Hash // the block that the chain now has at this height
	time      uint64      // of that block
}

func (v view) height() uint64 { return uint64(*v.receipt.BlockNumber) }

// depth returns the confirmations, its own block included.
func (v view) depth() int64 { return int64(v.head - v.height() + 1) }

// minedAt returns the time of its block.
func (v view) minedAt() time.Time { return time.Unix(int64(min(v.time, 1<<40)), 0).UTC() }

var errNonsense = errors.New("the answer contradicts itself")

// look reads a node's view. It reads the head first, so that blocks added meanwhile can
// only lower the confirmations.
func (n *node) look(ctx context.Context, hash common.Hash) (v view, err error) {
	if v.head, err = n.height(ctx); err != nil {
		return v, err
	}
	var r *receipt
	if err := n.call(ctx, &r, "eth_getTransactionReceipt", hash); err != nil || r == nil {
		return v, err
	}
	if r.Hash != hash || r.BlockNumber == nil || r.Status == nil || *r.Status > 1 || r.BlockHash == (common.Hash{}) {
		return v, errNonsense
	}
	for _, l := range r.Logs {
		if l.Hash != hash || l.BlockHash != r.BlockHash {
			return v, errNonsense
		}
	}
	var b *block
	if err := n.call(ctx, &b, "eth_getBlockByNumber", *r.BlockNumber, false); err != nil {
		return v, err
	}
	v.receipt, v.mined = *r, true
	if b == nil { // the chain was reorganized
		return v, nil
	}
	if b.Number == nil || *b.Number != *r.BlockNumber || b.Time == nil {
		return v, errNonsense
	}
	v.canonical, v.time = b.Hash, uint64(*b.Time)
	return v, nil
}

// same reports whether two nodes agree about a transaction, regardless of their heads.
func (v view) same(o view) bool {
	if v.mined != o.mined {
		return false
	}
	if !v.mined {
		return true
	}
	return v.receipt.BlockHash == o.receipt.BlockHash && v.height() == o.height() && *v.receipt.Status == *o.receipt.Status &&
		v.canonical == o.canonical && v.time == o.time && slices.EqualFunc(v.receipt.Logs, o.receipt.Logs, logEntry.same)
}

func (l logEntry) same(o logEntry) bool {
	return l.Address == o.Address && l.Removed == o.Removed && slices.Equal(l.Topics, o.Topics) && slices.Equal(l.Data, o.Data)
}

// agreement returns the view that all nodes share, with the lowest head. A node whose head
// is before the transaction's block does not contradict the others, and the transaction
// then counts as not mined.
func agreement(views []view) (view, error) {
	least := slices.MinFunc(views, func(a, b view) int { return cmp.Compare(a.head, b.head) })
	for _, v := range views {
		if v.same(least) || (!least.mined && v.mined && v.height() > least.head) {
			continue
		}
		return view{}, errDisagree
	}
	return least, nil
}

// payment is a Transfer event.
type payment struct {
	n               int // index of the event
	token, from, to common.Address
	units           *big.Int
}

// payments returns the transfers of a transaction, of any token.
func (v view) payments() (out []payment) {
	for i, l := range v.receipt.Logs {
		if l.Removed || len(l.Topics) != 3 || l.Topics[0] != transferTopic || len(l.Data) != 32 {
			continue
		}
		out = append(out, payment{i, l.Address, common.BytesToAddress(l.Topics[1][:]), common.BytesToAddress(l.Topics[2][:]), new(big.Int).SetBytes(l.Data)})
	}
	return out
}
