package chain

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// ERC-20 methods, by the first bytes of the hash of their signature.
var (
	transferTopic  = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	transferCall   = crypto.Keccak256([]byte("transfer(address,uint256)"))[:4]
	balanceCall    = crypto.Keccak256([]byte("balanceOf(address)"))[:4]
	decimalsCall   = crypto.Keccak256([]byte("decimals()"))[:4]
	microPlaces    = uint8(6)
	mostPlaces     = uint8(36)
	errNotAToken   = errors.New("the token's contract does not tell its decimals: is there one at this address?")
	errTooManyOnes = errs.New(errs.Invalid, "chain.amount_too_large", "The amount is larger than any ledger's.")
)

// Decimals returns the token's decimals, read from its contract once. All nodes must
// agree. Unavailable if they disagree or do not answer.
func (c *Client) Decimals(ctx context.Context) (uint8, error) {
	c.mu.Lock()
	known := c.places
	c.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	places, err := agreed(ctx, c, func(ctx context.Context, n *node) (uint8, error) {
		v, err := n.readUint(ctx, c.token, decimalsCall)
		if err != nil {
			return 0, err
		}
		if !v.IsUint64() || v.Uint64() > uint64(mostPlaces) {
			return 0, errNotAToken
		}
		return uint8(v.Uint64()), nil
	})
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	c.places = &places
	c.mu.Unlock()
	return places, nil
}

// readUint calls a contract method that returns one number, as of the latest block.
func (n *node) readUint(ctx context.Context, contract common.Address, data []byte) (*big.Int, error) {
	var out hexutil.Bytes
	if err := n.call(ctx, &out, "eth_call", map[string]any{"to": contract, "data": hexutil.Bytes(data)}, "latest"); err != nil {
		return nil, err
	}
	if len(out) != 32 {
		return nil, errNotAToken
	}
	return new(big.Int).SetBytes(out), nil
}

func pow10(n uint8) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// toMicros converts units of a token to micro-dollars and drops fractions.
func toMicros(units *big.Int, places uint8) (money.Amount, error) {
	micros := new(big.Int)
	if places >= microPlaces {
		micros.Quo(units, pow10(places-microPlaces))
	} else {
		micros.Mul(units, pow10(microPlaces-places))
	}
	if !micros.IsInt64() {
		return money.Amount{}, errTooManyOnes
	}
	return money.Micro(micros.Int64()), nil
}

// toUnits converts an amount to units of a token. Invalid if the token has too few
// decimals.
func toUnits(a money.Amount, places uint8) (*big.Int, error) {
	micros := big.NewInt(a.Micros())
	if places >= microPlaces {
		return micros.Mul(micros, pow10(places-microPlaces)), nil
	}
	units, rest := new(big.Int).QuoRem(micros, pow10(microPlaces-places), new(big.Int))
	if rest.Sign() != 0 {
		return nil, errs.New(errs.Invalid, "chain.amount_places", "The token has {places} places: {amount} cannot be paid with it.", "places", places, "amount", a)
	}
	return units, nil
}
