package chain_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/chain"
	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

func (w *world) clock() clock.Clock { return clock.System() }

const (
	cannotAsk = "The chain cannot be asked just now."
	disagree  = "The chain's nodes disagree. Try again later."
)

func impatient(o *chain.Options) { o.Timeout = 200 * time.Millisecond }

func TestABrokenNodeIsNotTrusted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1, impatient)
	hash := w.pay(25)
	w.Mine(needed)
	null := json.RawMessage("null")
	long := strings.Repeat("x", 5<<20)
	faults := map[string]chaintest.Fault{
		"down":             chaintest.Down,
		"hangs":            chaintest.Hang,
		"no JSON":          chaintest.Say(http.StatusOK, "<html>Welcome</html>"),
		"empty":            chaintest.Say(http.StatusOK, ""),
		"an array":         chaintest.Say(http.StatusOK, "[]"),
		"no result":        chaintest.Say(http.StatusOK, `{"jsonrpc":"2.0","id":1}`),
		"another question": chaintest.Say(http.StatusOK, `{"jsonrpc":"2.0","id":7,"result":"0x1"}`),
		"a wrong form":     chaintest.Say(http.StatusOK, `{"jsonrpc":"2.0","id":1,"result":{"a":[1,2]}}`),
		"an error":         chaintest.Say(http.StatusOK, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}`),
		"a gateway":        chaintest.Say(http.StatusBadGateway, "no"),
		"too long":         chaintest.Say(http.StatusOK, `{"jsonrpc":"2.0","id":1,"result":"`+long+`"}`),
		"a redirect": func(rw http.ResponseWriter, r *http.Request, _ string, _ json.RawMessage) (json.RawMessage, bool) {
			http.Redirect(rw, r, "/elsewhere", http.StatusTemporaryRedirect)
			return nil, true
		},
		"another chain":   chaintest.Lie("eth_chainId", func(json.RawMessage) json.RawMessage { return json.RawMessage(`"0x38"`) }),
		"no height":       chaintest.Lie("eth_blockNumber", func(json.RawMessage) json.RawMessage { return null }),
		"another receipt": chaintest.Lie("eth_getTransactionReceipt", swap(hash, strings.Repeat("0", 64))),
		"another block": chaintest.Lie("eth_getBlockByNumber", func(json.RawMessage) json.RawMessage {
			return json.RawMessage(`{"hash":"` + hash + `","number":"0x1","timestamp":"0x1"}`)
		}),
		"a receipt of words": chaintest.Lie("eth_getTransactionReceipt", func(json.RawMessage) json.RawMessage { return json.RawMessage(`"paid"`) }),
	}
	for name, fault := range faults {
		w.nodes[0].Set(fault)
		if v := w.verify(hash, "25"); name == "no height" && v.State == evm.Waiting {
			continue // no height is a height of zero: too low, never too high
		} else if v.State != evm.Unknown || v.Text.Message != cannotAsk || v.Cause == nil {
			t.Errorf("%s: %s %q %v", name, v.State, v.Text.Message, v.Cause)
		}
	}
	w.nodes[0].Set(chaintest.Down)
	if h := w.client.Health(); w.verify(hash, "25").State != evm.Unknown || w.client.Health()[0].Up || h[0].Host == "" {
		t.Errorf("health while down: %+v", w.client.Health())
	}
	w.nodes[0].Set(nil)
	is(t, w.verify(hash, "25"), evm.Confirmed, "25 arrived, with 3 confirmations.")
	if h := w.client.Health()[0]; !h.Up || h.Err != "" || h.Block == 0 {
		t.Errorf("health when it is back: %+v", h)
	}
}

// swap replaces the digits of a hash.
func swap(from, to string) func(json.RawMessage) json.RawMessage {
	return func(truth json.RawMessage) json.RawMessage {
		return json.RawMessage(strings.ReplaceAll(string(truth), strings.TrimPrefix(from, "0x"), to))
	}
}

func TestOneLyingNodeOfTwoIsNotTrusted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 2, func(o *chain.Options) { o.Timeout = time.Second })
	_, stranger := chaintest.Wallet(t)
	paid := w.Transfer(t, w.token, stranger, chaintest.Units(18, 25))
	never := "0x" + strings.Repeat("ab", 32)
	failed := w.Transfer(t, w.token, "0x0000000000000000000000000000000000000001", chaintest.Units(18, 900_000_000_0))
	w.Mine(needed)
	lower := func(address string) string { return strings.ToLower(strings.TrimPrefix(address, "0x")) }
	cases := map[string]struct {
		hash  string
		fault chaintest.Fault
	}{
		"to us":           {paid, chaintest.Lie("eth_getTransactionReceipt", swap(lower(stranger), lower(w.company)))},
		"out of thin air": {never, chaintest.Lie("eth_getTransactionReceipt", receiptFor(t, w, paid, never, stranger))},
		"it went well": {failed, chaintest.Lie("eth_getTransactionReceipt", func(r json.RawMessage) json.RawMessage {
			return json.RawMessage(strings.Replace(string(r), `"status":"0x0"`, `"status":"0x1"`, 1))
		})},
		"another block": {paid, chaintest.Lie("eth_getBlockByNumber", func(r json.RawMessage) json.RawMessage {
			return json.RawMessage(strings.Replace(string(r), `"timestamp":"0x`, `"timestamp":"0x1`, 1))
		})},
		"it is not there":  {paid, chaintest.Lie("eth_getTransactionReceipt", func(json.RawMessage) json.RawMessage { return json.RawMessage("null") })},
		"one does not say": {paid, chaintest.Down},
		"one hangs":        {paid, chaintest.Hang},
	}
	for name, c := range cases {
		for i := range w.nodes { // whichever of the two it is
			w.nodes[i].Set(c.fault)
			if v := w.verify(c.hash, "25"); v.State != evm.Unknown || (v.Text.Message != disagree && v.Text.Message != cannotAsk) {
				t.Errorf("%s: %s %q", name, v.State, v.Text.Message)
			}
			w.nodes[i].Set(nil)
		}
	}
	three := newWorld(t, 3, impatient)
	hash := three.pay(25)
	three.Mine(needed)
	three.nodes[1].Set(chaintest.Down)
	is(t, three.verify(hash, "25"), evm.Confirmed, "25 arrived, with 3 confirmations.")
}

// receiptFor makes one transaction's receipt another's, with us as receiver.
func receiptFor(t *testing.T, w *world, real, claimed, receiver string) func(json.RawMessage) json.RawMessage {
	t.Helper()
	truth := w.Receipt(t, real)
	truth = swap(real, strings.TrimPrefix(claimed, "0x"))(truth)
	return func(json.RawMessage) json.RawMessage {
		return swap(strings.ToLower(receiver), strings.ToLower(strings.TrimPrefix(w.company, "0x")))(truth)
	}
}

func TestTheNodeWithTheLowestHeadCountsConfirmations(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 2)
	hash := w.pay(25)
	w.Mine(needed)
	behind := func(n uint64) chaintest.Fault {
		return chaintest.Lie("eth_blockNumber", func(truth json.RawMessage) json.RawMessage { return lessen(t, truth, n) })
	}
	w.nodes[0].Set(behind(1))
	is(t, w.verify(hash, "25"), evm.Waiting, "Waiting for confirmations: 2 of 3.")
	late := behind(needed)
	w.nodes[0].Set(func(rw http.ResponseWriter, r *http.Request, method string, result json.RawMessage) (json.RawMessage, bool) {
		if method == "eth_getTransactionReceipt" {
			return json.RawMessage("null"), false
		}
		return late(rw, r, method, result)
	})
	is(t, w.verify(hash, "25"), evm.Waiting, "The chain does not know this transaction yet.")
}

func TestOnlyTheConfiguredHostIsReached(t *testing.T) {
	t.Parallel()
	asked := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	t.Cleanup(inside.Close)
	w := newWorld(t, 1)
	w.nodes[0].Set(func(rw http.ResponseWriter, r *http.Request, _ string, _ json.RawMessage) (json.RawMessage, bool) {
		http.Redirect(rw, r, inside.URL, http.StatusTemporaryRedirect)
		return nil, true
	})
	if v := w.verify(w.pay(1), "1"); v.State != evm.Unknown || asked {
		t.Errorf("a redirect was followed: %+v", v)
	}
	for _, address := range []string{
		"http://node.example.org", "https://127.0.0.1", "https://10.1.2.3/key", "https://[::1]:8545", "https://169.254.169.254/latest", "https://192.168.1.1",
		"https://[fd00::1]", "https://[::ffff:10.0.0.1]", "https://100.64.1.1", "https://0.0.0.0", "ftp://node.example.org", "node.example.org", "",
	} {
		if err := chain.CheckURL(address, false); err == nil {
			t.Errorf("%q is accepted", address)
		}
	}
	for _, address := range []string{"https://bsc-dataseed.bnbchain.org", "https://node.example.org:8545/v3/KEY", "https://8.8.8.8"} {
		if err := chain.CheckURL(address, false); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestANameWithAPrivateAddressIsNotContacted(t *testing.T) {
	t.Parallel()
	// The name is resolved when it is dialled: what it stands for counts.
	_, port, _ := strings.Cut(strings.TrimPrefix(newWorld(t, 1).nodes[0].URL, "http://"), ":")
	_, token := chaintest.Wallet(t)
	c, err := chain.Open(chain.Options{URLs: []string{"https://localhost:" + port + "/v3/SECRETKEY"}, ChainID: 1, Token: token, Confirmations: 1, Clock: clock.System(), Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Decimals(t.Context())
	if err == nil || !strings.Contains(err.Error(), "private address") || strings.Contains(err.Error(), "SECRETKEY") || strings.Contains(c.Health()[0].Err, "SECRETKEY") {
		t.Errorf("%v; %+v", err, c.Health())
	}
}
