package chain_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/bifolia/bifolia/internal/cash/chain"
	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// wallet is a world whose server pays from a hot wallet with $100 and gas.
func walletWorld(t *testing.T, nodes int) (w *world, key string) {
	t.Helper()
	key, _ = chaintest.Wallet(t)
	k, err := chain.ParseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	w = newWorld(t, nodes, func(o *chain.Options) { o.Key = k })
	w.Transfer(t, w.token, k.Address(), chaintest.Units(18, 100))
	w.Gas(t, k.Address())
	return w, key
}

func (w *world) sign(o evm.Order) evm.Signed {
	w.t.Helper()
	s, err := w.client.Sign(context.Background(), o)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) broadcast(s evm.Signed) {
	w.t.Helper()
	if err := w.client.Broadcast(context.Background(), s.Raw); err != nil {
		w.t.Fatal(err)
	}
}

func TestRepeatedBroadcastsPayOnce(t *testing.T) {
	t.Parallel()
	w, _ := walletWorld(t, 2)
	s := w.sign(evm.Order{To: w.company, Amount: money.MustParse("12.345678")})
	if w.nodes[0].Calls("eth_sendRawTransaction")+w.nodes[1].Calls("eth_sendRawTransaction") != 0 {
		t.Error("signing broadcasts")
	}
	for range 3 {
		w.broadcast(s)
	}
	w.Mine(1)
	for range 2 {
		w.broadcast(s) // it is mined
		w.Mine(1)
	}
	is(t, w.verify(s.Hash, "12.345678"), evm.Confirmed, "12.345678 arrived, with 3 confirmations.")
	if got := w.Balance(t, w.token, w.company); got.String() != "12345678000000000000" {
		t.Errorf("the receiver has %s", got)
	}
	used, err := w.client.Used(context.Background(), w.client.Sender())
	if err != nil || used != (evm.Nonces{Latest: 1, Pending: 1, ForGood: 1}) {
		t.Errorf("used %+v, %v", used, err)
	}
	token, gas, err := w.client.Funds(context.Background())
	if err != nil || token != money.MustParse("87.654322") || gas <= 0 || gas >= 1_000_000_000 {
		t.Errorf("funds %s, %d, %v", token, gas, err)
	}
}

func TestAReplacementPaysInsteadOfTheStuckPayment(t *testing.T) {
	t.Parallel()
	w, _ := walletWorld(t, 1)
	o := evm.Order{To: w.company, Amount: money.MustParse("10")}
	first := w.sign(o)
	w.broadcast(first)
	o.Replace = first.Raw
	second := w.sign(o)
	if second.Hash == first.Hash {
		t.Fatal("it is the same transaction")
	}
	w.broadcast(second)
	w.Mine(needed)
	is(t, w.verify(second.Hash, "10"), evm.Confirmed, "10 arrived, with 3 confirmations.")
	is(t, w.verify(first.Hash, "10"), evm.Waiting, "The chain does not know this transaction yet.")
	w.broadcast(first)
	w.Mine(needed)
	if got := w.Balance(t, w.token, w.company); got.Cmp(chaintest.Units(18, 10)) != 0 {
		t.Errorf("the receiver has %s", got)
	}
}

func TestAChainWithoutBaseFeesGetsLegacyTransactions(t *testing.T) {
	t.Parallel()
	w, _ := walletWorld(t, 1)
	modern := w.sign(evm.Order{To: w.company, Amount: money.MustParse("1")})
	w.nodes[0].Set(chaintest.Lie("eth_getBlockByNumber", func(truth json.RawMessage) json.RawMessage {
		return json.RawMessage(strings.Replace(string(truth), "baseFeePerGas", "was", 1))
	}))
	legacy := w.sign(evm.Order{To: w.company, Amount: money.MustParse("1")})
	for raw, want := range map[*evm.Signed]uint8{&modern: types.DynamicFeeTxType, &legacy: types.LegacyTxType} {
		var tx types.Transaction
		if err := tx.UnmarshalBinary(raw.Raw); err != nil || tx.Type() != want || tx.ChainId().Int64() != chaintest.ID {
			t.Errorf("type %d of chain %v, %v", tx.Type(), tx.ChainId(), err)
		}
	}
	w.broadcast(legacy)
	w.Mine(needed)
	is(t, w.verify(legacy.Hash, "1"), evm.Confirmed, "1 arrived, with 3 confirmations.")
}

func TestAnImpossiblePaymentIsNotSigned(t *testing.T) {
	t.Parallel()
	w, _ := walletWorld(t, 1)
	_, blocked := chaintest.Wallet(t)
	w.Call(t, w.token, "block_", common.HexToAddress(blocked), true)
	w.Mine(1)
	dear := chaintest.Lie("eth_maxPriorityFeePerGas", func(json.RawMessage) json.RawMessage { return json.RawMessage(`"0xffffffffffff"`) })
	for name, c := range map[string]struct {
		to, amount, text string
		code             errs.Kind
		fault            chaintest.Fault
	}{
		"too much":       {w.company, "101", "would fail", errs.Refused, nil},
		"blocked":        {blocked, "1", "would fail", errs.Refused, nil},
		"wrong checksum": {"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed", "1", "wrong checksum", errs.Invalid, nil},
		"nothing":        {w.company, "0", "more than zero", errs.Invalid, nil},
		"less":           {w.company, "-1", "more than zero", errs.Invalid, nil},
		"dear gas":       {w.company, "1", "limit of 100 gwei", errs.Refused, dear},
		"nobody answers": {w.company, "1", "cannot be asked", errs.Unavailable, chaintest.Down},
	} {
		w.nodes[0].Set(c.fault)
		_, err := w.client.Sign(context.Background(), evm.Order{To: c.to, Amount: money.MustParse(c.amount)})
		if !errs.Is(err, c.code) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
		w.nodes[0].Set(nil)
	}
	none := newWorld(t, 1)
	if _, err := none.client.Sign(context.Background(), evm.Order{To: w.company, Amount: money.MustParse("1")}); !errs.Is(err, errs.Refused) || none.client.Sender() != "" {
		t.Errorf("without a key: %v", err)
	}
}

func TestARefusedBroadcastReturnsTheReason(t *testing.T) {
	t.Parallel()
	w, key := walletWorld(t, 2)
	s := w.sign(evm.Order{To: w.company, Amount: money.MustParse("1")})
	w.nodes[0].Set(chaintest.Down)
	w.nodes[1].Set(chaintest.Down)
	if err := w.client.Broadcast(context.Background(), s.Raw); !errs.Is(err, errs.Unavailable) {
		t.Errorf("all down: %v", err)
	}
	w.nodes[1].Set(nil)
	w.broadcast(s)
	if err := w.client.Broadcast(context.Background(), []byte("nonsense")); !errs.Is(err, errs.Refused) {
		t.Errorf("nonsense: %v", err)
	}
	w.nodes[0].Set(nil)
	// Somebody else uses the nonce: it is mined, and our payment never will be.
	w.Sim.Rollback()
	w.SendAs(t, key, 0, w.company)
	w.Mine(needed)
	w.broadcast(s)
	w.Mine(1)
	is(t, w.verify(s.Hash, "1"), evm.Waiting, "The chain does not know this transaction yet.")
	if used, err := w.client.Used(context.Background(), w.client.Sender()); err != nil || used.ForGood != 1 {
		t.Errorf("used %+v, %v", used, err)
	}
}
