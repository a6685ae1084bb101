package chain

import (
	"context"
	"errors"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

const (
	mostGas   = 500_000 // of a token transfer; no known contract needs more
	gwei      = 1_000_000_000
	outbidPct = 115 // nodes accept a replacement that pays at least 10 % more
)

// Sender returns the hot wallet's address; empty if there is none.
func (c *Client) Sender() string {
	if c.opt.Key == nil {
		return ""
	}
	return c.opt.Key.Address()
}

func (c *Client) ChainID() int64 { return c.opt.ChainID }

// Sign signs a payment without broadcasting it; the caller stores it first. Refused if
// the chain reports that it would fail, or if gas costs more than allowed; Invalid for a
// wrong address or amount; Unavailable if the chain does not answer.
func (c *Client) Sign(ctx context.Context, o evm.Order) (evm.Signed, error) {
	if c.opt.Key == nil {
		return evm.Signed{}, errs.New(errs.Refused, "chain.no_hot_wallet", "There is no hot wallet: the server has no key to pay with.")
	}
	to, err := evm.ParseAddress(o.To)
	if err != nil {
		return evm.Signed{}, err
	}
	places, err := c.Decimals(ctx)
	if err != nil {
		return evm.Signed{}, err
	}
	units, err := toUnits(o.Amount, places)
	if err != nil {
		return evm.Signed{}, err
	}
	if units.Sign() <= 0 {
		return evm.Signed{}, errs.New(errs.Invalid, "amount.not_positive", "The amount must be more than zero.")
	}
	data := append(append([]byte{}, transferCall...), common.LeftPadBytes(common.HexToAddress(to).Bytes(), 32)...)
	data = append(data, common.LeftPadBytes(units.Bytes(), 32)...)
	f, err := firstOf(ctx, c, func(ctx context.Context, n *node) (fees, error) {
		return n.fees(ctx, common.HexToAddress(c.Sender()), c.token, data)
	})
	if err != nil {
		return evm.Signed{}, err
	}
	if err := f.outbid(o.Replace); err != nil {
		return evm.Signed{}, err
	}
	if err := f.within(c.opt.MaxGasPrice); err != nil {
		return evm.Signed{}, err
	}
	return c.sign(f.transaction(big.NewInt(c.opt.ChainID), uint64(o.Nonce), c.token, data))
}

// Void signs a transaction that pays nobody and uses a nonce up, so that no other
// transaction with it can be mined. It may be signed and broadcast any number of times.
func (c *Client) Void(ctx context.Context, nonce int64) (evm.Signed, error) {
	if c.opt.Key == nil {
		return evm.Signed{}, errs.New(errs.Refused, "chain.no_hot_wallet", "There is no hot wallet: the server has no key to pay with.")
	}
	self := common.HexToAddress(c.Sender())
	f, err := firstOf(ctx, c, func(ctx context.Context, n *node) (fees, error) { return n.fees(ctx, self, self, nil) })
	if err == nil {
		err = f.within(c.opt.MaxGasPrice)
	}
	if err != nil {
		return evm.Signed{}, err
	}
	return c.sign(f.transaction(big.NewInt(c.opt.ChainID), uint64(nonce), self, nil))
}

func (c *Client) sign(tx *types.Transaction) (evm.Signed, error) {
	signed, err := types.SignTx(tx, types.LatestSignerForChainID(big.NewInt(c.opt.ChainID)), c.opt.Key.secret)
	if err != nil {
		return evm.Signed{}, errors.New("chain: a transaction could not be signed") // the cause might reveal the key
	}
	raw, err := signed.MarshalBinary()
	return evm.Signed{Hash: strings.ToLower(signed.Hash().Hex()), Raw: raw}, err
}

// firstOf queries the nodes in turn until one answers. It is for values that are limited
// elsewhere and need no second source.
func firstOf[T any](ctx context.Context, c *Client, ask func(context.Context, *node) (T, error)) (v T, err error) {
	var all []error
	for _, n := range c.nodes {
		if v, err = ask(ctx, n); err == nil {
			return v, nil
		}
		if errs.Is(err, errs.Refused) {
			return v, err
		}
		all = append(all, err)
	}
	return v, errs.Wrap(errs.Unavailable, errors.Join(all...), "chain.unavailable", "The chain cannot be asked just now.")
}

// fees are the costs of a transaction. tip is nil on chains without EIP-1559.
type fees struct {
	gas        uint64
	price, tip *big.Int
}

func (n *node) fees(ctx context.Context, from, to common.Address, data []byte) (f fees, err error) {
	var gas hexutil.Uint64
	err = n.call(ctx, &gas, "eth_estimateGas", map[string]any{"from": from, "to": to, "data": hexutil.Bytes(data)})
	var refused *answerError
	switch {
	case errors.As(err, &refused):
		return f, errs.New(errs.Refused, "chain.payment_would_fail", "The chain says that this payment would fail: {reason}.", "reason", strings.TrimSuffix(refused.Message, "."))
	case err != nil:
		return f, err
	case gas > mostGas:
		return f, errs.New(errs.Refused, "chain.gas_too_much", "The payment would take {gas} gas, more than a token's transfer should.", "gas", gas)
	}
	f.gas = uint64(gas) * 5 / 4
	var latest *block
	if err := n.call(ctx, &latest, "eth_getBlockByNumber", "latest", false); err != nil {
		return f, err
	}
	if latest == nil {
		return f, errNonsense
	}
	var price hexutil.Big
	if latest.BaseFee == nil {
		err = n.call(ctx, &price, "eth_gasPrice")
		f.price = price.ToInt()
		return f, err
	}
	err = n.call(ctx, &price, "eth_maxPriorityFeePerGas")
	f.tip = price.ToInt()
	base := latest.BaseFee.ToInt()
	f.price = new(big.Int).Add(f.tip, base.Add(base, base)) // the base fee may double
	return f, err
}

// outbid raises the fees above those of an earlier transaction.
func (f *fees) outbid(raw []byte) error {
	if raw == nil {
		return nil
	}
	var before types.Transaction
	if err := before.UnmarshalBinary(raw); err != nil {
		return errors.New("chain: the transaction to replace cannot be read")
	}
	more := func(a, than *big.Int) *big.Int {
		least := new(big.Int).Mul(than, big.NewInt(outbidPct))
		least.Add(least.Quo(least, big.NewInt(100)), big.NewInt(1))
		if a.Cmp(least) < 0 {
			return least
		}
		return a
	}
	f.price = more(f.price, before.GasFeeCap())
	if f.tip != nil {
		f.tip = more(f.tip, before.GasTipCap())
	}
	f.gas = max(f.gas, before.Gas())
	return nil
}

// within returns Refused if gas costs more than the limit: a node that reports false
// prices must not empty the wallet.
func (f *fees) within(limit int64) error {
	most := new(big.Int).Mul(big.NewInt(limit), big.NewInt(gwei))
	if f.tip != nil && f.tip.Cmp(most) <= 0 && f.price.Cmp(most) > 0 {
		f.price = most // the doubled base fee is optional
	}
	if f.price.Sign() < 0 || f.price.Cmp(most) > 0 || (f.tip != nil && f.tip.Sign() < 0) {
		return errs.New(errs.Refused, "chain.gas_price_too_high", "Gas costs more than the limit of {limit} gwei just now.", "limit", limit)
	}
	return nil
}

func (f *fees) transaction(chain *big.Int, nonce uint64, to common.Address, data []byte) *types.Transaction {
	if f.tip == nil {
		return types.NewTx(&types.LegacyTx{Nonce: nonce, GasPrice: f.price, Gas: f.gas, To: &to, Data: data})
	}
	return types.NewTx(&types.DynamicFeeTx{ChainID: chain, Nonce: nonce, GasTipCap: f.tip, GasFeeCap: f.price, Gas: f.gas, To: &to, Data: data})
}
