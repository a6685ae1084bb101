package payout_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A round of payouts is a row of steps: what is asked of the chain, and what is
// made durable. The child process below does one round and kills itself, as
// kill -9 does, between two steps of the parent's choice.

const childOf = "BIFOLIA_PAYOUT_CHILD"

// steps counts steps and kills the process at a given one.
type steps struct{ n, killAt int }

func (s *steps) next() {
	s.n++
	if s.n == s.killAt {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // it takes a moment
	}
}

// mortalChain and mortalBooks are the real ones, with a step around each call.
type mortalChain struct {
	payout.Chain
	*steps
}

func (c mortalChain) Sign(ctx context.Context, o evm.Order) (evm.Signed, error) {
	defer c.next()
	c.next()
	return c.Chain.Sign(ctx, o)
}

func (c mortalChain) Broadcast(ctx context.Context, raw []byte) error {
	defer c.next()
	c.next()
	return c.Chain.Broadcast(ctx, raw)
}

func (c mortalChain) Used(ctx context.Context, sender string) (evm.Nonces, error) {
	defer c.next()
	c.next()
	return c.Chain.Used(ctx, sender)
}

func (c mortalChain) Verify(ctx context.Context, hash string, e evm.Expectation) evm.Verdict {
	defer c.next()
	c.next()
	return c.Chain.Verify(ctx, hash, e)
}

type mortalBooks struct {
	ledger.CommandRunner
	*steps
}

func (d mortalBooks) Do(ctx context.Context, cmd ledger.Command) (ledger.Result, error) {
	defer d.next()
	d.next()
	return d.CommandRunner.Do(ctx, cmd)
}

// TestChild is the process that is killed; on its own it does nothing.
func TestChild(t *testing.T) {
	if os.Getenv(childOf) == "" {
		return
	}
	var o orders
	if err := json.Unmarshal([]byte(os.Getenv(childOf)), &o); err != nil {
		t.Fatal(err)
	}
	s := &steps{killAt: o.KillAt}
	l := startLedger(t, testkit.Open(t, o.DSN), o.Dir, testkit.Epoch.Add(time.Hour))
	b := openBooks(t, l, mortalChain{client(t, o.URL, o.Token, o.Key), s}, muchToPay, func(opt *payout.Options) {
		opt.Do = mortalBooks{l, s}
		if o.Action != "" {
			opt.Cashier = mortalCounter{opt.Cashier, s}
		}
	})
	if o.Action == "" {
		b.run()
	} else if err := actions[o.Action](t.Context(), b, o.About); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("steps %d\n", s.n)
}

// orders are the instructions for a child process: addresses, the action (without one, a
// round), and the step at which it kills itself.
type orders struct {
	DSN, Dir, URL, Token, Key string
	Action                    string
	About                     about
	KillAt                    int
}

// muchToPay raises the daily cap, because many scenes share one database.
func muchToPay(o *payout.Options) { o.DailyCap = money.MustParse("100000") }

// child does a round in a separate process. It gives how many steps there
// were, or 0 if it was killed.
func (s *scene) child(t *testing.T, killAt int) int {
	t.Helper()
	return s.childDoes(t, "", about{}, killAt)
}

// childDoes runs an action in a separate process.
func (s *scene) childDoes(t *testing.T, action string, what about, killAt int) int {
	t.Helper()
	told, err := json.Marshal(orders{s.dsn, s.dir, s.f.node.URL, s.f.token, s.f.key, action, what, killAt})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChild$", "-test.count=1")
	cmd.Env = append(os.Environ(), childOf+"="+string(told))
	out, err := cmd.CombinedOutput()
	if err != nil {
		status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if killAt == 0 || !ok || status.Signal() != syscall.SIGKILL {
			t.Fatalf("the child failed by itself: %v\n%s", err, out)
		}
		return 0
	}
	_, after, _ := strings.Cut(string(out), "steps ")
	n, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return n
}

// scene is a database with two approved withdrawals in an approved batch, and a
// separate hot wallet.
type scene struct {
	f        *funded
	dsn, dir string
	batch    int64
	ids      [2]int64
	to       [2]string
}

// newScene adds to the books of dsn, whose ledger key is in dir.
func newScene(t *testing.T, f *funded, dsn, dir string, uid int64, way payout.Way) *scene {
	t.Helper()
	f.newWallet(t)
	s := &scene{f: f, dsn: dsn, dir: dir}
	s.inside(t, func(b *books) {
		b.join(uid, "100")
		for i := range s.ids {
			_, s.to[i] = chaintest.Wallet(t)
			s.ids[i] = b.approved(uid, strconv.Itoa(20+i), s.to[i])
		}
		s.batch = b.batch(way)
	})
	return s
}

// inside opens the books in this process, and closes them for the next.
func (s *scene) inside(t *testing.T, work func(b *books)) {
	t.Helper()
	l := startLedger(t, testkit.Open(t, s.dsn), s.dir, testkit.Epoch)
	work(openBooks(t, l, client(t, s.f.node.URL, s.f.token, s.f.key), muchToPay))
	l.Close()
	if err := l.DB.Close(); err != nil {
		t.Fatal(err)
	}
}

// paid checks that everybody was paid once and that the books know it.
func (s *scene) paid(t *testing.T, b *books, batch ...int64) {
	t.Helper()
	for i, id := range s.ids {
		b.is(batch[i], id, payout.Confirmed, withdrawal.Confirmed)
		s.f.got(t, s.to[i], int64(20+i))
	}
}

// finish lets rounds pass undisturbed and checks that everybody was paid once
// and that the books know it.
func (s *scene) finish(t *testing.T, what string) {
	t.Helper()
	for range 2 {
		s.child(t, 0)
		s.f.Mine(needed)
	}
	s.child(t, 0)
	s.inside(t, func(b *books) {
		s.paid(t, b, s.batch, s.batch)
		testkit.Verify(t, b.l)
	})
	if t.Failed() {
		t.Fatal(what)
	}
}

func TestCrashBetweenAnyTwoStepsPaysEverybodyOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		f := fundedChain(t)
		dir, uid, stride := t.TempDir(), int64(ann), 1
		if strings.HasPrefix(dsn, "postgres") {
			stride = 5 // the steps are the same; starting up takes longer
		}
		next := func() *scene {
			uid++
			return newScene(t, f, dsn, dir, uid, payout.Hot)
		}
		whole := next()
		paying := whole.child(t, 0)
		f.Mine(needed)
		confirming := whole.child(t, 0)
		whole.finish(t, "without a kill")
		if paying < 20 || confirming < 8 {
			t.Fatalf("only %d and %d steps", paying, confirming)
		}
		for killAt := 1; killAt <= paying; killAt += stride {
			s := next()
			if s.child(t, killAt) != 0 {
				t.Fatalf("step %d of %d was not reached", killAt, paying)
			}
			if killAt%2 == 0 {
				f.Mine(1) // what was sent may be mined before anybody looks again
			}
			s.finish(t, fmt.Sprintf("killed at step %d of %d of paying", killAt, paying))
		}
		for killAt := 1; killAt <= confirming; killAt += stride {
			s := next()
			s.child(t, 0)
			f.Mine(needed)
			if s.child(t, killAt) != 0 {
				t.Fatalf("step %d of %d was not reached", killAt, confirming)
			}
			s.finish(t, fmt.Sprintf("killed at step %d of %d of confirming", killAt, confirming))
		}
		t.Logf("%d steps of paying, %d of confirming; killed at every %d.", paying, confirming, stride)
	})
}
