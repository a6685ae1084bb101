package chain_test

import (
	"context"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/chain"
	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const needed = 3

// world is a chain with the token, a company that receives, and nodes.
type world struct {
	*chaintest.Chain
	t       *testing.T
	token   string
	company string
	nodes   []*chaintest.Node
	client  *chain.Client
}

func newWorld(t *testing.T, nodes int, change ...func(*chain.Options)) *world {
	t.Helper()
	w := &world{Chain: chaintest.Start(t), t: t}
	w.token = w.Deploy(t, 18)
	_, w.company = chaintest.Wallet(t)
	var urls []string
	for range nodes {
		n := w.Serve(t)
		w.nodes, urls = append(w.nodes, n), append(urls, n.URL)
	}
	opt := chain.Options{
		URLs: urls, AllowPrivate: true, ChainID: chaintest.ID, Token: w.token, Confirmations: needed, Timeout: 10 * time.Second,
		Clock: clock.System(), Log: testkit.Log(), MaxGasPrice: 100,
	}
	for _, f := range change {
		f(&opt)
	}
	var err error
	if w.client, err = chain.Open(opt); err != nil {
		t.Fatal(err)
	}
	return w
}

// pay sends dollars of the token to the company.
func (w *world) pay(dollars int64) (hash string) {
	w.t.Helper()
	return w.Transfer(w.t, w.token, w.company, chaintest.Units(18, dollars))
}

func (w *world) verify(hash, amount string) evm.Verdict {
	w.t.Helper()
	return w.client.Verify(context.Background(), hash, evm.Expectation{Receiver: w.company, Amount: money.MustParse(amount)})
}

// is fails unless a verdict has the state and the text.
func is(t *testing.T, v evm.Verdict, state evm.State, text string) {
	t.Helper()
	if v.State != state || v.Text.Message != text {
		t.Errorf("%s %q (cause %v), want %s %q", v.State, v.Text.Message, v.Cause, state, text)
	}
}

func plus(a *big.Int, n int64) *big.Int { return new(big.Int).Add(a, big.NewInt(n)) }

// lessen takes n from a number as nodes write it.
func lessen(t *testing.T, number json.RawMessage, n uint64) json.RawMessage {
	t.Helper()
	v, err := strconv.ParseUint(strings.Trim(string(number), `"`), 0, 64)
	if err != nil {
		t.Error(err)
	}
	return json.RawMessage(`"0x` + strconv.FormatUint(v-n, 16) + `"`)
}
