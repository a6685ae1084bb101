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

// receipt is what became of a transaction, as nodes tell it. It is read here
// and not with go-ethereum's type, which refuses receipts of chains that add
// fields or kinds of their own.
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

// block is what is needed of one. Its hash is the chain's own: chains differ in
// what they hash.
type block struct {
	Hash    common.Hash     `json:"hash"`
	Number  *hexutil.Uint64 `json:"number"`
	Time    *hexutil.Uint64 `json:"timestamp"`
	BaseFee *hexutil.Big    `json:"baseFeePerGas"`
}

// view is one node's story of a transaction.
type view struct {
	head      uint64
	mined     bool
	receipt   receipt
	canonical common.Hash // of the block that the chain now has at that height
	time      uint64      // of that block
}

func (v view) height() uint64 { return uint64(*v.receipt.BlockNumber) }

// depth is how many blocks deep it is, its own included.
func (v view) depth() int64 { return int64(v.head - v.height() + 1) }

// minedAt is the time of its block.
func (v view) minedAt() time.Time { return time.Unix(int64(min(v.time, 1<<40)), 0).UTC() }

var errNonsense = errors.New("the answer contradicts itself")

// look asks a node for its story. The head is read
// first: blocks that come meanwhile count less, never more.
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
	if b == nil { // the chain has become shorter meanwhile
		return v, nil
	}
	if b.Number == nil || *b.Number != *r.BlockNumber || b.Time == nil {
		return v, errNonsense
	}
	v.canonical, v.time = b.Hash, uint64(*b.Time)
	return v, nil
}

// same: two nodes tell the same of a transaction, apart from how far each is.
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

// story is what the nodes tell together: the same, as of the one that is
// least far. A node that is behind the transaction's block has nothing to say
// against the others, and the transaction counts as not mined.
func story(views []view) (view, error) {
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
	n               int // which of the transaction's events
	token, from, to common.Address
	units           *big.Int
}

// payments are the transfers that a transaction made, of any token.
func (v view) payments() (out []payment) {
	for i, l := range v.receipt.Logs {
		if l.Removed || len(l.Topics) != 3 || l.Topics[0] != transferTopic || len(l.Data) != 32 {
			continue
		}
		out = append(out, payment{i, l.Address, common.BytesToAddress(l.Topics[1][:]), common.BytesToAddress(l.Topics[2][:]), new(big.Int).SetBytes(l.Data)})
	}
	return out
}
