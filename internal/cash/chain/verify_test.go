package chain_test

import (
	"context"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/bifolia/bifolia/internal/cash/chain"
	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/money"
)

func TestAPaymentIsConfirmedAfterEnoughBlocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	hash := w.pay(25)
	is(t, w.verify(hash, "25"), evm.Waiting, "The chain does not know this transaction yet.")
	w.Mine(1)
	is(t, w.verify(hash, "25"), evm.Waiting, "Waiting for confirmations: 1 of 3.")
	w.Mine(1)
	is(t, w.verify(" 0X"+strings.ToUpper(hash[2:])+" ", "25"), evm.Waiting, "Waiting for confirmations: 2 of 3.")
	w.Mine(1)
	v := w.verify(hash, "25")
	is(t, v, evm.Confirmed, "25 arrived, with 3 confirmations.")
	if len(v.From) != 1 || v.From[0] != w.Rich() || v.Confirmations != 3 || v.Needed != 3 || !v.Final {
		t.Errorf("%+v", v)
	}
}

func TestAWrongPaymentIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	other := w.Deploy(t, 18)
	_, stranger := chaintest.Wallet(t)
	_, blocked := chaintest.Wallet(t)
	w.Call(t, w.token, "block_", common.HexToAddress(blocked), true)
	w.Mine(1)
	dollars := chaintest.Units(18, 25)
	cases := map[string]struct{ hash, receiver, text string }{
		"wrong token":    {w.Transfer(t, other, w.company, dollars), w.company, "It paid in another token (contract " + other + "), not in " + w.token + "."},
		"wrong receiver": {w.Transfer(t, w.token, stranger, dollars), w.company, "It paid " + stranger + ", not " + w.company + "."},
		"short":          {w.Transfer(t, w.token, w.company, plus(dollars, -1)), w.company, "It paid 24.999999, which is less than the 25 of the request."},
		"more":           {w.Transfer(t, w.token, w.company, chaintest.Units(18, 26)), w.company, "It paid 26, which is more than the 25 of the request."},
		"nothing":        {w.Transfer(t, w.token, w.company, big.NewInt(0)), w.company, "It paid 0, which is less than the 25 of the request."},
		"reverted":       {w.Transfer(t, w.token, blocked, dollars), blocked, "The transaction failed on the chain: no money moved."},
		"another call":   {w.Call(t, w.token, "approve", common.HexToAddress(w.company), dollars), w.company, "It paid nothing in the token " + w.token + "."},
		"endless":        {w.Transfer(t, w.token, w.company, chaintest.Units(18, 900_000_000)), w.company, "It paid 900000000, which is more than the 25 of the request."},
		"no hash":        {"0x12", w.company, "A transaction hash is 0x and 64 digits from 0 to f."},
	}
	for round := range 2 {
		w.Mine(1 + round*needed)
		for name, c := range cases {
			v := w.client.Verify(context.Background(), c.hash, evm.Expectation{Receiver: c.receiver, Amount: money.MustParse("25")})
			if v.State != evm.Refused || v.Text.Message != c.text {
				t.Errorf("%s: %s %q, want %q", name, v.State, v.Text.Message, c.text)
			}
			if want := round == 1 || name == "no hash"; v.Final != want {
				t.Errorf("%s: final is %v in round %d", name, v.Final, round)
			}
		}
	}
}

func TestDustBelowAMicroDollarDoesNotCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	hash := w.Transfer(t, w.token, w.company, plus(chaintest.Units(18, 25), 999_999_999_999))
	w.Mine(needed)
	is(t, w.verify(hash, "25"), evm.Confirmed, "25 arrived, with 3 confirmations.")
}

func TestPaymentsOfOneTransactionAddUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	_, stranger := chaintest.Wallet(t)
	to := []common.Address{common.HexToAddress(w.company), common.HexToAddress(stranger), common.HexToAddress(w.company)}
	hash := w.Call(t, w.token, "transferMany", to, []*big.Int{chaintest.Units(18, 10), chaintest.Units(18, 7), chaintest.Units(18, 15)})
	w.Mine(needed)
	is(t, w.verify(hash, "25"), evm.Confirmed, "25 arrived, with 3 confirmations.")
}

func TestDecimalsComeFromTheContract(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	for _, places := range []uint8{0, 2, 6, 18} {
		token := w.Deploy(t, places)
		c, err := chain.Open(chain.Options{URLs: []string{w.nodes[0].URL}, AllowPrivate: true, ChainID: chaintest.ID, Token: token, Confirmations: 1, Clock: w.clock()})
		if err != nil {
			t.Fatal(err)
		}
		hash := w.Transfer(t, token, w.company, chaintest.Units(places, 25))
		w.Mine(1)
		is(t, c.Verify(context.Background(), hash, evm.Expectation{Receiver: w.company, Amount: money.MustParse("25")}), evm.Confirmed, "25 arrived, with 1 confirmations.")
	}
	_, nobody := chaintest.Wallet(t)
	c, err := chain.Open(chain.Options{URLs: []string{w.nodes[0].URL}, AllowPrivate: true, ChainID: chaintest.ID, Token: nobody, Confirmations: 1, Clock: w.clock()})
	if err != nil {
		t.Fatal(err)
	}
	v := c.Verify(context.Background(), w.pay(1), evm.Expectation{Receiver: w.company, Amount: money.MustParse("1")})
	if v.State != evm.Unknown || !strings.Contains(v.Cause.Error(), "does not tell its decimals") {
		t.Errorf("no contract: %+v", v)
	}
}

func TestAPaymentFromBeforeTheAccountDoesNotCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	hash := w.pay(25)
	w.Mine(needed)
	head, err := w.Sim.Client().HeaderByNumber(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(notBefore time.Time) evm.Verdict {
		return w.client.Verify(context.Background(), hash, evm.Expectation{Receiver: w.company, Amount: money.MustParse("25"), NotBefore: notBefore})
	}
	latest := time.Unix(int64(head.Time), 0)
	if v := ask(latest.Add(time.Hour)); v.State != evm.Refused || !strings.Contains(v.Text.Message, "too early") {
		t.Errorf("%+v", v)
	}
	if v := ask(latest.Add(-time.Hour)); v.State != evm.Confirmed {
		t.Errorf("%+v", v)
	}
}

func TestAReorgUnconfirmsAPaymentUntilItIsMinedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 2)
	w.Mine(1)
	hash := w.pay(25)
	w.Mine(needed - 1)
	is(t, w.verify(hash, "25"), evm.Waiting, "Waiting for confirmations: 2 of 3.")
	w.Reorg(t, needed-1) // who paid takes it back
	is(t, w.verify(hash, "25"), evm.Waiting, "The chain does not know this transaction yet.")
	again := w.pay(25) // the same nonce: the same transaction
	if again != hash {
		t.Fatal("it is another transaction")
	}
	w.Mine(1)
	is(t, w.verify(hash, "25"), evm.Waiting, "Waiting for confirmations: 1 of 3.")
	w.Mine(2)
	is(t, w.verify(hash, "25"), evm.Confirmed, "25 arrived, with 3 confirmations.")
}
