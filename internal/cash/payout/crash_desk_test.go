package payout_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// The server is also killed between any two steps of operators' actions on payouts.
// Operators get no answer then and repeat the request with the same key: the action must
// take effect once, and each member must be paid once.

// mortalCounter has a step around what an action does to a withdrawal: there the
// process dies in the midst of a command.
type mortalCounter struct {
	payout.Cashier
	*steps
}

func (c mortalCounter) SetBatch(ctx context.Context, tx *ledger.Tx, id, batch int64) (withdrawal.Withdrawal, error) {
	defer c.next()
	c.next()
	return c.Cashier.SetBatch(ctx, tx, id, batch)
}

func (c mortalCounter) SentIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, hash string) error {
	defer c.next()
	c.next()
	return c.Cashier.SentIn(ctx, tx, by, id, hash)
}

func (c mortalCounter) FailedIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, why string) error {
	defer c.next()
	c.next()
	return c.Cashier.FailedIn(ctx, tx, by, id, why)
}

// about is the subject of an action.
type about struct {
	Key    string
	Batch  int64
	IDs    []int64
	Hashes []string
	Digest string
}

// actions are the actions of operators, run by the child and retried by the parent.
var actions = map[string]func(ctx context.Context, b *books, a about) error{
	"replace": func(ctx context.Context, b *books, a about) error {
		_, err := b.Replace(ctx, checker, a.Key, a.Batch, a.IDs[0])
		return err
	},
	"import": func(ctx context.Context, b *books, a about) error {
		added, err := b.Import(ctx, maker, a.Key, a.Batch, listOf(a.IDs, a.Hashes))
		if err == nil && added != len(a.IDs) {
			err = fmt.Errorf("%d hashes were new", added)
		}
		return err
	},
	"return": func(ctx context.Context, b *books, a about) error {
		return b.Return(ctx, checker, a.Key, a.Batch, a.IDs[0], "The explorer shows that it reverted.")
	},
	"adopt": func(ctx context.Context, b *books, a about) error {
		lifted, err := b.Adopt(ctx, checker, a.Key, a.Digest, "looked at it too")
		if err == nil && !lifted {
			err = errors.New("the hold stands")
		}
		return err
	},
}

// plot is the course of an action and its expected result.
type plot struct {
	way   payout.Way
	least int // steps
	// before prepares the action.
	before func(t *testing.T, s *scene, b *books, a *about)
	// meanwhile happens between the death and the asking again, if not nil. It
	// reports whether the action may be refused then, unless it was done before.
	meanwhile func(s *scene) errs.Kind
	// after completes the course of the action.
	after func(t *testing.T, s *scene, b *books, done bool)
}

var plots = map[string]plot{
	"replace": {
		way: payout.Hot, least: 10,
		before: func(_ *testing.T, _ *scene, b *books, _ *about) { b.run() },
		meanwhile: func(s *scene) errs.Kind {
			s.f.Mine(1)
			return errs.Conflict // it is mined
		},
		after: func(t *testing.T, s *scene, b *books, done bool) {
			b.settle(s.f)
			s.paid(t, b, s.batch, s.batch)
			want := 1
			if done {
				want = 2
			}
			all, err := b.l.DB.Payout().Transactions(t.Context(), nil, s.batch, s.ids[0])
			if err != nil || len(all) != want {
				t.Errorf("%d transactions, want %d: %v", len(all), want, err)
			}
		},
	},
	"import": {
		way: payout.Manual, least: 6,
		before: func(t *testing.T, s *scene, b *books, a *about) {
			for i, to := range s.to {
				a.Hashes = append(a.Hashes, s.f.Transfer(t, s.f.token, to, chaintest.Units(18, int64(20+i))))
			}
			if _, err := b.Export(t.Context(), maker, s.batch); err != nil {
				t.Fatal(err)
			}
		},
		after: func(t *testing.T, s *scene, b *books, _ bool) {
			b.settle(s.f)
			s.paid(t, b, s.batch, s.batch)
		},
	},
	"return": {
		way: payout.Hot, least: 4,
		before: func(t *testing.T, s *scene, b *books, _ *about) {
			s.f.Call(t, s.f.token, "block_", common.HexToAddress(s.to[0]), true)
			b.settle(s.f)
			b.is(s.batch, s.ids[0], payout.Failed, withdrawal.Sent)
		},
		after: func(t *testing.T, s *scene, b *books, _ bool) {
			b.is(s.batch, s.ids[0], payout.Returned, withdrawal.Approved)
			s.f.Call(t, s.f.token, "block_", common.HexToAddress(s.to[0]), false)
			s.f.Mine(1)
			again := b.batch(payout.Hot)
			b.settle(s.f)
			s.paid(t, b, again, s.batch)
		},
	},
	"adopt": {
		way: payout.Hot, least: 2,
		before: func(t *testing.T, s *scene, b *books, a *about) {
			s.f.SendAs(t, s.f.key, 0, s.to[0])
			s.f.Mine(1)
			b.run()
			b.is(s.batch, s.ids[0], payout.Waiting, withdrawal.Approved)
			st := b.settleWallet(s.f)
			a.Digest = payout.HoldDigest(st.Hold, st.Found, st.Waiting)
			if _, err := b.Adopt(t.Context(), maker, "", a.Digest, "looked at it"); err != nil {
				t.Fatal(err)
			}
		},
		after: func(t *testing.T, s *scene, b *books, _ bool) {
			b.settle(s.f)
			s.paid(t, b, s.batch, s.batch)
		},
	},
}

// play lets an action come about and die at a step, asks for it again, and follows
// it to the end. It gives how many steps there were, or 0 if it was killed.
func (p plot) play(t *testing.T, s *scene, action string, killAt int) int {
	t.Helper()
	what := about{Key: fmt.Sprintf("%s-%d", action, killAt), Batch: s.batch, IDs: s.ids[:]}
	s.inside(t, func(b *books) { p.before(t, s, b, &what) })
	steps := s.childDoes(t, action, what, killAt)
	may := errs.Kind("")
	if p.meanwhile != nil && killAt%2 == 0 {
		may = p.meanwhile(s)
	}
	s.inside(t, func(b *books) {
		err := actions[action](t.Context(), b, what)
		if err != nil && (may == "" || !errs.Is(err, may)) {
			t.Errorf("asked again it says: %v", err)
		}
		p.after(t, s, b, err == nil)
		if err == nil { // whatever has happened since, the answer stays
			if err := actions[action](t.Context(), b, what); err != nil {
				t.Errorf("asked once more it says: %v", err)
			}
		}
		testkit.Verify(t, b.l)
	})
	if t.Failed() {
		t.Fatalf("%s: killed at step %d", action, killAt)
	}
	return steps
}

func TestCrashInAnOperatorsActionAllowsOneRetry(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		f := fundedChain(t)
		dir, uid, stride := t.TempDir(), int64(ann), 1
		if strings.HasPrefix(dsn, "postgres") {
			stride = 3 // the steps are the same; starting up takes longer
		}
		for action, p := range plots {
			next := func() *scene {
				uid++
				return newScene(t, f, dsn, dir, uid, p.way)
			}
			steps := p.play(t, next(), action, 0)
			if steps < p.least {
				t.Fatalf("%s has only %d steps", action, steps)
			}
			for killAt := 1; killAt <= steps; killAt += stride {
				if p.play(t, next(), action, killAt) != 0 {
					t.Fatalf("%s: step %d of %d was not reached", action, killAt, steps)
				}
			}
			t.Logf("%s has %d steps; killed at every %d.", action, steps, stride)
		}
	})
}
