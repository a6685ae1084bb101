package cashier_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// changePin changes a member's transaction password.
func (c *counter) changePin(uid int64, was, is string) error {
	c.t.Helper()
	change, err := c.auth.PrepareTransactionChange(c.t.Context(), uid, passwords.Person{}, was, is)
	if err != nil {
		return err
	}
	_, err = c.l.Do(c.t.Context(), ledger.Command{Actor: actor.Member(uid), Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, change.Apply(ctx, tx)
	}})
	return err
}

// A member who gave a dollar to very many others changes the transaction password
// again and again: while what is held of all of them is written, everybody waits.
func TestRepeatedSecretChangesDoNotRepeatTheTrace(t *testing.T) {
	t.Parallel()
	const receivers, slowest = 3000, 4 * time.Second // a tenth of that on a machine with nothing else to do
	testkit.Engines(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("10000", anna, berta)
		c.command(func(_ context.Context, tx *ledger.Tx) error {
			for i := range int64(receivers) {
				if err := fund.Transfer(tx, anna, dora+1+i, fund.Robot, money.MustParse("1"), ""); err != nil {
					return err
				}
			}
			return nil
		})
		now := pin
		for n := range 5 {
			next, began := fmt.Sprintf("Pin%d4you", n), time.Now()
			c.must(c.changePin(anna, now, next))
			if took := time.Since(began); took > slowest {
				t.Errorf("change %d kept everybody waiting for %s", n+1, took)
			}
			now = next
			c.l.Clock.Advance(time.Hour)
		}
		for range 20 {
			err := c.changePin(anna, now, "Sixth4you")
			var limited *ratelimit.LimitedError
			if !errors.As(err, &limited) || limited.RetryAfter() != 19*time.Hour {
				t.Fatalf("the sixth change: %v", err)
			}
		}
		for _, uid := range []int64{dora + 1, dora + receivers} {
			held, err := c.held(uid)
			c.must(err)
			if len(held) != 1 || held[0].Until.Sub(c.l.Clock.Now()) != 23*time.Hour {
				t.Errorf("of %d is held %+v", uid, held)
			}
		}
		c.must(c.changePin(berta, pin, "Other4you")) // everybody counts for themselves
		c.l.Clock.Advance(19 * time.Hour)
		c.must(c.changePin(anna, now, "Sixth4you"))
	})
}
