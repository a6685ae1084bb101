// Package chaintest runs a real EVM chain in the process, with real ERC-20
// contracts on it, and nodes that serve it over HTTP JSON-RPC: truthfully, or as
// badly as nodes can. Nothing here stands in for the chain.
package chaintest

import (
	"context"
	"crypto/ecdsa"
	"encoding/hex"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth/ethconfig"
	"github.com/ethereum/go-ethereum/ethclient/simulated"
	"github.com/ethereum/go-ethereum/node"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
)

// ID is the chain's number.
const ID = 1337

// Chain is a chain of its own, until the test ends. Its blocks are mined when
// Mine is called.
type Chain struct {
	Sim  *simulated.Backend
	rpc  *rpc.Client
	rich *ecdsa.PrivateKey

	mu   sync.Mutex // guards next
	next uint64     // the rich's nonce
}

// Start makes a chain.
func Start(t testing.TB) *Chain {
	t.Helper()
	rich, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	plenty := new(big.Int).Mul(big.NewInt(1_000_000), big.NewInt(params.Ether))
	dir, err := os.MkdirTemp("", "evm") // a socket's name must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket := filepath.Join(dir, "rpc")
	c := &Chain{rich: rich, Sim: simulated.NewBackend(types.GenesisAlloc{crypto.PubkeyToAddress(rich.PublicKey): {Balance: plenty}}, func(n *node.Config, _ *ethconfig.Config) { n.IPCPath = socket })}
	t.Cleanup(func() { _ = c.Sim.Close() })
	if c.rpc, err = rpc.DialIPC(context.Background(), socket); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.rpc.Close)
	return c
}

// Rich is who owns everything at first.
func (c *Chain) Rich() string { return crypto.PubkeyToAddress(c.rich.PublicKey).Hex() }

// Wallet makes a key: as text, and its address.
func Wallet(t testing.TB) (key, address string) {
	t.Helper()
	k, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(crypto.FromECDSA(k)), crypto.PubkeyToAddress(k.PublicKey).Hex()
}

// Mine adds blocks; the first has what waits.
func (c *Chain) Mine(n int) {
	for range n {
		c.Sim.Commit()
	}
}

// Deploy puts a token on the chain, with so many places. All of it is the rich's.
func (c *Chain) Deploy(t testing.TB, places uint8) string {
	t.Helper()
	artifact := Token(t)
	supply := new(big.Int).Mul(big.NewInt(1_000_000_000), Units(places, 1))
	args, err := artifact.ABI.Pack("", places, supply)
	if err != nil {
		t.Fatal(err)
	}
	hash := c.send(t, nil, nil, append(artifact.Code, args...), 3_000_000)
	c.Mine(1)
	r, err := c.Sim.Client().TransactionReceipt(context.Background(), common.HexToHash(hash))
	if err != nil || r.Status != 1 {
		t.Fatalf("the token was not deployed: %v", err)
	}
	return r.ContractAddress.Hex()
}

// NotBefore moves the chain's time to t, if it is earlier: tests have clocks of
// their own, and blocks are made at the machine's time.
func (c *Chain) NotBefore(t testing.TB, at time.Time) {
	t.Helper()
	head, err := c.Sim.Client().HeaderByNumber(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if by := at.Sub(time.Unix(int64(head.Time), 0)); by > 0 {
		if err := c.Sim.AdjustTime(by); err != nil {
			t.Fatal(err)
		}
	}
}

// Units are dollars of a token with so many places.
func Units(places uint8, dollars int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(dollars), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil))
}

// Call sends a transaction that calls a token; it waits to be mined. The gas is
// given, so that a call that will revert is mined too.
func (c *Chain) Call(t testing.TB, token, method string, args ...any) (hash string) {
	t.Helper()
	data, err := Token(t).ABI.Pack(method, args...)
	if err != nil {
		t.Fatal(err)
	}
	to := common.HexToAddress(token)
	return c.send(t, &to, nil, data, 400_000)
}

// Transfer pays units of a token from the rich.
func (c *Chain) Transfer(t testing.TB, token, to string, units *big.Int) (hash string) {
	t.Helper()
	return c.Call(t, token, "transfer", common.HexToAddress(to), units)
}

// Gas gives an address of the chain's own coin.
func (c *Chain) Gas(t testing.TB, to string) {
	t.Helper()
	address := common.HexToAddress(to)
	c.send(t, &address, big.NewInt(params.Ether), nil, 21_000)
	c.Mine(2) // the pool learns of a block when the next one is made, at the latest
}

// Balance is what an address has of a token.
func (c *Chain) Balance(t testing.TB, token, of string) *big.Int {
	t.Helper()
	artifact := Token(t)
	data, err := artifact.ABI.Pack("balanceOf", common.HexToAddress(of))
	if err != nil {
		t.Fatal(err)
	}
	var out string
	if err := c.rpc.Call(&out, "eth_call", map[string]any{"to": token, "data": "0x" + hex.EncodeToString(data)}, "latest"); err != nil {
		t.Fatal(err)
	}
	n, ok := new(big.Int).SetString(strings.TrimPrefix(out, "0x"), 16)
	if !ok {
		t.Fatalf("balance %q", out)
	}
	return n
}

// SendAs sends coins from a key with a nonce of the caller's choice.
func (c *Chain) SendAs(t testing.TB, key string, nonce uint64, to string) (hash string) {
	t.Helper()
	secret, err := crypto.HexToECDSA(key)
	if err != nil {
		t.Fatal(err)
	}
	address := common.HexToAddress(to)
	return c.sendAs(t, secret, nonce, &address, big.NewInt(1), nil, 21_000)
}

func (c *Chain) send(t testing.TB, to *common.Address, value *big.Int, data []byte, gas uint64) string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	return c.sendAs(t, c.rich, c.next-1, to, value, data, gas)
}

// Reorg replaces the latest blocks by as many empty ones and one more; what was
// in them is forgotten, and may be sent again.
func (c *Chain) Reorg(t testing.TB, blocks int64) {
	t.Helper()
	ctx := context.Background()
	head, err := c.Sim.Client().BlockNumber(ctx)
	if err != nil {
		t.Fatal(err)
	}
	parent, err := c.Sim.Client().HeaderByNumber(ctx, big.NewInt(int64(head)-blocks))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Sim.Fork(parent.Hash()); err != nil {
		t.Fatal(err)
	}
	c.Sim.Rollback()
	c.Mine(int(blocks) + 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next, err = c.Sim.Client().NonceAt(ctx, common.HexToAddress(c.Rich()), nil); err != nil {
		t.Fatal(err)
	}
}

func (c *Chain) sendAs(t testing.TB, key *ecdsa.PrivateKey, nonce uint64, to *common.Address, value *big.Int, data []byte, gas uint64) string {
	t.Helper()
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(big.NewInt(ID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(ID), Nonce: nonce, GasTipCap: big.NewInt(params.GWei), GasFeeCap: big.NewInt(20 * params.GWei), Gas: gas, To: to, Value: value, Data: data,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Sim.Client().SendTransaction(context.Background(), tx); err != nil {
		t.Fatal(err)
	}
	return tx.Hash().Hex()
}

// Artifact is a compiled contract.
type Artifact struct {
	ABI    abi.ABI
	Code   []byte
	Source string // the hash of what it was compiled from
}
