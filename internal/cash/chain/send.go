package chain

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Broadcast sends a signed transaction to every node. It may be called any number of
// times. nil if a node accepts it or has it already, or reports that its nonce is used;
// Verify and Used then tell by which transaction. Refused, with the node's text, if all
// answering nodes refuse; Unavailable if none answers.
func (c *Client) Broadcast(ctx context.Context, raw []byte) error {
	failed := make([]error, len(c.nodes))
	var wg sync.WaitGroup
	for i, n := range c.nodes {
		wg.Go(func() {
			if failed[i] = n.onChain(ctx, c.opt.ChainID); failed[i] == nil {
				var hash common.Hash
				failed[i] = n.call(ctx, &hash, "eth_sendRawTransaction", hexutil.Bytes(raw))
			}
		})
	}
	wg.Wait()
	var said error
	for _, err := range failed {
		var refused *answerError
		switch {
		case err == nil:
			return nil
		case errors.As(err, &refused) && harmless(refused.Message):
			return nil
		case errors.As(err, &refused) && said == nil:
			said = errs.New(errs.Refused, "chain.node_refused", "The chain's node refused it: {reason}.", "reason", strings.TrimSuffix(refused.Message, "."))
		}
	}
	if said != nil {
		return said
	}
	return errs.Wrap(errs.Unavailable, errors.Join(failed...), "chain.unavailable", "The chain cannot be asked just now.")
}

// harmless reports whether the error means that the node has the transaction, or that it
// or its replacement is mined.
func harmless(message string) bool {
	message = strings.ToLower(message)
	for _, said := range []string{"already known", "known transaction", "already_exists", "already imported", "already in mempool", "nonce too low"} {
		if strings.Contains(message, said) {
			return true
		}
	}
	return false
}

// Used returns how many nonces of a wallet are used: in the latest blocks, including
// pending transactions of the node that has most, and for good in blocks with enough
// confirmations on all nodes.
func (c *Client) Used(ctx context.Context, sender string) (evm.Nonces, error) {
	all, err := each(ctx, c, func(ctx context.Context, n *node) (k evm.Nonces, err error) {
		head, err := n.height(ctx)
		if err != nil {
			return k, err
		}
		if k.Latest, err = n.count(ctx, sender, "latest"); err != nil {
			return k, err
		}
		k.Pending, err = n.count(ctx, sender, "pending")
		var refused *answerError
		if errors.As(err, &refused) { // the node keeps no pending transactions
			k.Pending, err = k.Latest, nil
		}
		if err != nil || head+1 < uint64(c.opt.Confirmations) {
			return k, err
		}
		k.ForGood, err = n.count(ctx, sender, hexutil.Uint64(head+1-uint64(c.opt.Confirmations)))
		return k, err
	})
	if err != nil {
		return evm.Nonces{}, err
	}
	out := all[0]
	for _, k := range all {
		out.Latest, out.Pending, out.ForGood = max(out.Latest, k.Latest), max(out.Pending, k.Pending), min(out.ForGood, k.ForGood)
	}
	out.Pending = max(out.Pending, out.Latest)
	return out, nil
}

// count returns the number of a sender's mined transactions as of a block.
func (n *node) count(ctx context.Context, sender string, at any) (int64, error) {
	var count hexutil.Uint64
	err := n.call(ctx, &count, "eth_getTransactionCount", common.HexToAddress(sender), at)
	if err == nil && count > 1<<53 {
		err = errNonsense
	}
	return int64(count), err
}

// Funds returns the hot wallet's balance of the token, and its balance for gas in whole
// gwei.
func (c *Client) Funds(ctx context.Context) (token money.Amount, gas int64, err error) {
	places, err := c.Decimals(ctx)
	if err != nil {
		return token, 0, err
	}
	owner := common.HexToAddress(c.Sender())
	type funds struct{ units, wei *big.Int }
	f, err := firstOf(ctx, c, func(ctx context.Context, n *node) (f funds, err error) {
		f.units, err = n.readUint(ctx, c.token, append(append([]byte{}, balanceCall...), common.LeftPadBytes(owner.Bytes(), 32)...))
		if err != nil {
			return f, err
		}
		var wei hexutil.Big
		err = n.call(ctx, &wei, "eth_getBalance", owner, "latest")
		f.wei = wei.ToInt()
		return f, err
	})
	if err != nil {
		return token, 0, err
	}
	if token, err = toMicros(f.units, places); err != nil {
		return token, 0, err
	}
	gas = new(big.Int).Quo(f.wei, big.NewInt(gwei)).Int64()
	return token, gas, nil
}
