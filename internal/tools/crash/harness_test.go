package crash

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/tools/bench"
)

const (
	wallets = 40
	workers = 8
)

func wallet(i int) string { return fmt.Sprintf("L:FUND:FUNDS:%d", 100_001+i) }

// asked is a request that was sent. A request without an answer is retried with the same key
// until its outcome is known.
type asked struct {
	route, key string
	body       map[string]any
	answer     string // what was acknowledged; "" when nothing came back
	refused    bool
}

// harness runs the program on one database and records every answer.
type harness struct {
	t      *testing.T
	dsn    string
	dir    string
	target *bench.Target
	client *http.Client

	next  atomic.Int64
	stop  chan struct{}
	wg    sync.WaitGroup
	mu    sync.Mutex
	open  []*asked          // sent, not answered
	known map[string]*asked // answered, by key
	holds []held
	done  map[string]int // successes by route
}

// privateDir is a folder that only this user can read: the server accepts a folder with other
// files only if it is private.
func privateDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func newHarness(t *testing.T, dsn string) *harness {
	t.Helper()
	h := &harness{t: t, dsn: dsn, dir: privateDir(t), known: map[string]*asked{}, done: map[string]int{}, client: &http.Client{Timeout: 20 * time.Second}}
	t.Cleanup(func() {
		if h.target != nil {
			h.target.Kill()
		}
	})
	return h
}

func (h *harness) start() {
	h.t.Helper()
	target, err := bench.StartTarget(context.Background(), program, "crash", h.dsn, h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	h.target = target
}

func (h *harness) killServer() {
	h.target.Kill()
	h.target = nil
	h.halt()
}

// load starts the workers and lets them run for d.
func (h *harness) load(d time.Duration) {
	h.stop = make(chan struct{})
	for w := range workers {
		target := h.target
		h.wg.Go(func() { h.work(w, target) })
	}
	time.Sleep(d)
}

func (h *harness) halt() {
	select {
	case <-h.stop:
	default:
		close(h.stop)
	}
	h.wg.Wait()
}

// work sends one random request after the other.
func (h *harness) work(_ int, target *bench.Target) {
	for {
		select {
		case <-h.stop:
			return
		default:
		}
		a := h.invent()
		h.mu.Lock()
		h.open = append(h.open, a)
		h.mu.Unlock()
		if err := h.send(target, a); err != nil {
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// invent makes a random request: deposits, transfers, holds and their ends, and sometimes a
// key that was used before.
func (h *harness) invent() *asked {
	n := h.next.Add(1)
	a := &asked{key: fmt.Sprintf("k-%d", n)}
	move := map[string]any{"from": wallet(rand.IntN(wallets)), "to": wallet(rand.IntN(wallets)), "amount": fmt.Sprintf("%d.%06d", rand.IntN(5), 1+rand.IntN(999_999))}
	switch hold, some := h.someHold(); {
	case n < 100 || rand.IntN(6) == 0:
		a.route, a.body = "deposit", map[string]any{"from": "A:CLIENT", "to": move["to"], "amount": "25"}
	case rand.IntN(8) == 0:
		a.route, a.body = "hold", map[string]any{"account": move["from"], "amount": move["amount"], "millis": 1 + rand.IntN(3000)}
	case some && rand.IntN(4) == 0:
		a.route, a.body = "void", map[string]any{"hold": hold.id}
		if rand.IntN(2) == 0 {
			a.route, a.body = "settle", map[string]any{"hold": hold.id, "from": hold.account, "to": "L:FUND:FUNDS:999", "amount": hold.amount}
		}
	default:
		a.route, a.body = "transfer", move
	}
	return a
}

// held is a hold that was placed; it may have been resolved since.
type held struct {
	id              int64
	account, amount any
}

// someHold picks one of the latest holds: older ones have mostly expired.
func (h *harness) someHold() (held, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.holds) == 0 {
		return held{}, false
	}
	return h.holds[len(h.holds)-1-rand.IntN(min(len(h.holds), 8))], true
}

// send sends a request once and records a final answer. Without an answer, or with one that
// asks for a retry, the request stays open.
func (h *harness) send(target *bench.Target, a *asked) error {
	raw, err := json.Marshal(a.body)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPost, "http://"+target.Addr+"/api/bench/"+a.route, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+target.Token)
	req.Header.Set("Idempotency-Key", a.key)
	req.Header.Set("Content-Type", "application/json")
	res, err := h.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	switch {
	case res.StatusCode == http.StatusServiceUnavailable:
		return fmt.Errorf("unavailable: %s", text)
	case res.StatusCode >= http.StatusInternalServerError:
		h.t.Errorf("%s %s was answered %d: %s", a.route, a.key, res.StatusCode, text)
		return fmt.Errorf("fault")
	}
	h.learn(a, res.StatusCode, string(text))
	return nil
}

// learn records an answer. The same key must never get a different one.
func (h *harness) learn(a *asked, status int, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if status != http.StatusOK {
		a.refused = true // refusals leave nothing behind, so they are not final
		return
	}
	if before := h.known[a.key]; before != nil && before.answer != text {
		h.t.Errorf("key %s was answered %q before and %q now", a.key, before.answer, text)
	}
	a.answer = text
	if h.known[a.key] == nil {
		h.done[a.route]++
	}
	h.known[a.key] = a
	var made struct{ Hold int64 }
	if json.Unmarshal([]byte(text), &made) == nil && made.Hold > 0 {
		h.holds = append(h.holds, held{made.Hold, a.body["account"], a.body["amount"]})
	}
}

// settle ends a round: it stops the workers, starts the program if needed, retries every open
// request with its key, and checks that recently acknowledged requests get the same answer.
func (h *harness) settle(round int) {
	h.t.Helper()
	h.halt()
	alive := h.target != nil
	if !alive {
		h.start()
	}
	h.mu.Lock()
	again := h.open
	h.open = nil
	h.mu.Unlock()
	for _, a := range again {
		h.insist(a)
	}
	if h.t.Failed() {
		h.t.Fatalf("after %d kills", round+1)
	}
	if !alive {
		h.target.Kill() // the next life starts from a crash, too
		h.target = nil
	}
}

// insist retries until there is a final answer.
func (h *harness) insist(a *asked) {
	h.t.Helper()
	var err error
	for range 600 {
		if err = h.send(h.target, a); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	h.t.Fatalf("%s %s never got an answer: %v", a.route, a.key, err)
}

// lacks returns what is missing in the load for a mixed one; "" if nothing.
func (h *harness) lacks() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, route := range []string{"deposit", "transfer", "hold", "settle", "void"} {
		if h.done[route] == 0 {
			return route + " never succeeded"
		}
	}
	if len(h.known) < 100 {
		return fmt.Sprintf("only %d requests were acknowledged", len(h.known))
	}
	return ""
}

// finish compares the acknowledged requests with the state after a new start, and verifies
// the ledger.
func (h *harness) finish() {
	h.t.Helper()
	if h.target != nil {
		h.target.Kill()
	}
	h.start()
	// On a slow machine the kills leave little time: what lacks comes now.
	for patience := 200; patience > 0 && h.lacks() != ""; patience-- {
		h.load(100 * time.Millisecond)
		h.halt()
	}
	for _, a := range h.known {
		before := a.answer
		h.insist(a)
		if a.answer != before {
			h.t.Errorf("%s: acknowledged as %s, now %s", a.key, before, a.answer)
		}
	}
	h.t.Logf("%d requests sent, %d acknowledged: %v", h.next.Load(), len(h.known), h.done)
	if what := h.lacks(); what != "" {
		h.t.Errorf("the load was not mixed: %s", what)
	}
	h.target.Stop()
	h.target = nil
	verify(h.t, h.dsn, h.dir)
}
