package chain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/bifolia/bifolia/internal/platform/clock"
)

// maxAnswer limits the size of a node's answer: a receipt with the logs of a full block
// fits.
const maxAnswer = 4 << 20

// node is one JSON-RPC endpoint.
type node struct {
	url, host string
	client    *http.Client
	timeout   time.Duration
	clock     clock.Clock

	mu   sync.Mutex // guards the fields below
	seen Health
}

// NotAsked is the error text of a node that has not been queried yet.
const NotAsked = "not asked yet"

// Health is the result of a node's last query.
type Health struct {
	Host  string
	Up    bool
	At    time.Time // of the last answer, or zero
	Block uint64    // its highest block
	Err   string    // why it is down
}

func newNode(address string, allowPrivate bool, timeout time.Duration, c clock.Clock) (*node, error) {
	if err := CheckURL(address, allowPrivate); err != nil {
		return nil, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return &node{url: address, host: u.Host, client: guarded(u.Host, allowPrivate, timeout), timeout: timeout, clock: c, seen: Health{Host: u.Host, Err: NotAsked}}, nil
}

// answerError is a JSON-RPC error.
type answerError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *answerError) Error() string { return e.Message }

// call sends a JSON-RPC request. The error is an *answerError if the node refused; any
// other error means that the node is down, slow or sends malformed answers.
func (n *node) call(ctx context.Context, out any, method string, params ...any) error {
	err := n.ask(ctx, out, method, params)
	var refused *answerError
	switch {
	case err == nil, errors.As(err, &refused):
		n.note(nil)
	case ctx.Err() == nil || errors.Is(ctx.Err(), context.DeadlineExceeded):
		n.note(err)
	}
	if err != nil {
		return fmt.Errorf("node %s, %s: %w", n.host, method, err)
	}
	return nil
}

func (n *node) note(err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen.Up = err == nil
	if err == nil {
		n.seen.At, n.seen.Err = n.clock.Now(), ""
	} else {
		n.seen.Err = err.Error()
	}
}

func (n *node) noteBlock(height uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen.Block = max(n.seen.Block, height)
}

func (n *node) health() Health {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.seen
}

func (n *node) ask(ctx context.Context, out any, method string, params []any) (err error) {
	ctx, cancel := context.WithTimeout(ctx, n.timeout)
	defer cancel()
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url, bytes.NewReader(body))
	if err != nil {
		return plain(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	res, err := n.client.Do(req)
	if err != nil {
		return plain(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return plain(err)
	case len(text) > maxAnswer:
		return errors.New("the answer is too long")
	}
	return decode(res.StatusCode, text, out)
}

// decode reads an answer. Some nodes send JSON-RPC errors with an HTTP error status.
func decode(status int, text []byte, out any) error {
	var msg struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result"`
		Error   *answerError    `json:"error"`
	}
	err := json.Unmarshal(text, &msg)
	switch {
	case err == nil && msg.Error != nil && msg.Version == "2.0":
		msg.Error.Message = clip(msg.Error.Message)
		return msg.Error
	case status != http.StatusOK:
		return fmt.Errorf("status %d", status)
	case err != nil:
		return errors.New("the answer is no JSON-RPC")
	case msg.Version != "2.0" || string(msg.ID) != "1" || msg.Result == nil:
		return errors.New("the answer is not one to what was asked")
	}
	if err := json.Unmarshal(msg.Result, out); err != nil {
		return errors.New("the answer has not the form of a result")
	}
	return nil
}

// clip shortens a foreign text to one line.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + "…"
	}
	return s
}
