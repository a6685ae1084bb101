package chaintest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
)

// Node serves a chain over HTTP JSON-RPC, at URL.
type Node struct {
	URL   string
	chain *Chain

	mu    sync.Mutex // guards what follows
	fault Fault
	deaf  bool // takes transactions and keeps them
	calls map[string]int
}

// Fault is what a node does wrong. nil result and false: it answers truthfully.
type Fault func(w http.ResponseWriter, r *http.Request, method string, result json.RawMessage) (instead json.RawMessage, done bool)

// Serve starts a node.
func (c *Chain) Serve(t testing.TB) *Node {
	t.Helper()
	n := &Node{chain: c, calls: map[string]int{}}
	server := httptest.NewServer(n)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	n.URL = server.URL
	return n
}

// Set makes the node faulty; nil makes it truthful again.
func (n *Node) Set(f Fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fault = f
}

// Calls is how often a method was asked for.
func (n *Node) Calls(method string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.calls[method]
}

// Down cuts every connection.
func Down(http.ResponseWriter, *http.Request, string, json.RawMessage) (json.RawMessage, bool) {
	panic(http.ErrAbortHandler)
}

// Hang answers nothing until the asker gives up.
func Hang(_ http.ResponseWriter, r *http.Request, _ string, _ json.RawMessage) (json.RawMessage, bool) {
	<-r.Context().Done()
	return nil, true
}

// Say answers every question with a text.
func Say(status int, text string) Fault {
	return func(w http.ResponseWriter, _ *http.Request, _ string, _ json.RawMessage) (json.RawMessage, bool) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
		return nil, true
	}
}

// Lie changes the answers to one method.
func Lie(about string, lie func(truth json.RawMessage) json.RawMessage) Fault {
	return func(_ http.ResponseWriter, _ *http.Request, method string, result json.RawMessage) (json.RawMessage, bool) {
		if method == about {
			return lie(result), false
		}
		return nil, false
	}
}

type question struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q question
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n.mu.Lock()
	fault, deaf := n.fault, n.deaf
	n.calls[q.Method]++
	n.mu.Unlock()
	if deaf && q.Method == "eth_sendRawTransaction" {
		_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": q.ID, "result": "0x" + strings.Repeat("00", 32)})
		return
	}
	params := make([]any, len(q.Params))
	for i, p := range q.Params {
		params[i] = p
	}
	var result json.RawMessage
	// The chain is asked whatever becomes of the answer: a node may do what it
	// was asked to and then be silent.
	err := n.chain.rpc.CallContext(context.WithoutCancel(r.Context()), &result, q.Method, params...)
	if fault != nil {
		instead, done := fault(w, r, q.Method, result)
		if done {
			return
		}
		if instead != nil {
			result = instead
		}
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": q.ID, "result": result}
	if err != nil {
		var coded rpc.Error
		code := -32000
		if errors.As(err, &coded) {
			code = coded.ErrorCode()
		}
		answer = map[string]any{"jsonrpc": "2.0", "id": q.ID, "error": map[string]any{"code": code, "message": err.Error()}}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// Receipt is what the chain tells of a transaction, as nodes do.
func (c *Chain) Receipt(t testing.TB, hash string) (r json.RawMessage) {
	t.Helper()
	if err := c.rpc.Call(&r, "eth_getTransactionReceipt", hash); err != nil {
		t.Fatal(err)
	}
	return r
}

// HoldBack makes the node take transactions and forget them, until release.
func (n *Node) HoldBack() (release func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.deaf = true
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.deaf = false
	}
}
