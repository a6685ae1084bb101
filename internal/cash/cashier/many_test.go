package cashier_test

import (
	"context"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// many is how many members' gifts were read at most, and in the ledger's order.
const many = 10_000

// someone is the nth of those who got a share.
func someone(n int64) int64 { return dora + 1 + n }

// share gives some dollars to each of n members, who give a part of it on: to one
// member, or to each other.
func (c *counter) share(n, from int64, dollars string, to int64, on string) {
	c.t.Helper()
	c.command(func(_ context.Context, tx *ledger.Tx) error {
		for i := range n {
			if err := fund.Transfer(tx, from, someone(i), fund.Robot, money.MustParse(dollars), ""); err != nil {
				return err
			}
		}
		for i := range n {
			next := to
			if next == 0 {
				next = someone((i + 1) % n)
			}
			if err := fund.Transfer(tx, someone(i), next, fund.Robot, money.MustParse(on), ""); err != nil {
				return err
			}
		}
		return nil
	})
}

// A thief gives a dollar to each of very many members, and then the large amount.
func TestManyReceiversOfDustHideNoLargeGift(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		const rich = "200000"
		c := open(t, dsn)
		c.join(rich, anna, berta, carla, dora)
		c.share(many, anna, "1", 0, "0.5")
		c.must(c.give(anna, berta, "90000"))
		c.must(c.give(berta, carla, "90000"))
		c.must(c.give(carla, dora, "50000"))
		c.pause(anna, auth.PasswordChange)
		c.stays(carla, rich)
		c.stays(dora, rich)
	})
}

// The large amount goes in equal parts through more members than are read each by
// themselves, comes together again and is sent on.
func TestMoneySplitAmongManyMembersIsHeldWhereItComesTogether(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		const parts = 3000
		c := open(t, dsn)
		c.join("30000", anna, berta, carla)
		c.share(parts, anna, "9", berta, "9")
		c.must(c.give(berta, carla, "27000"))
		c.pause(anna, auth.PasswordChange)
		c.refused(c.give(carla, anna, "30001"), errs.Refused, "You can use 30000.00 USDT of your Robot Fund before")
		for _, n := range []int64{0, parts / 2, parts - 1} {
			held, err := c.held(someone(n))
			c.must(err)
			if len(held) > 1 || len(held) == 1 && money.MustParse("9").Less(held[0].Amount) {
				t.Errorf("of %d is held %+v, but they got 9", someone(n), held)
			}
		}
	})
}

// counted counts how often gifts are asked for.
type counted struct {
	fund.Store
	n int
}

func (s *counted) Given(ctx context.Context, tx *ledger.Tx, of fund.GiftsOf) (fund.Gifts, error) {
	s.n++
	return s.Store.Given(ctx, tx, of)
}

func (s *counted) Gave(ctx context.Context, tx *ledger.Tx, uids []int64, after int64, since time.Time) ([]int64, error) {
	s.n++
	return s.Store.Gave(ctx, tx, uids, after, since)
}

// A member gave a dollar to one who gave dollars to very many others, who gave too.
func TestATraceThroughAHubStaysWithinItsLimits(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("20000", anna, dora)
		c.must(c.give(anna, dora, "1"))
		c.share(many, dora, "1", 0, "0.5")
		store := &counted{Store: c.l.DB.Fund()}
		c.command(func(ctx context.Context, tx *ledger.Tx) error {
			defer func(began time.Time) { t.Logf("held within %s", time.Since(began)) }(time.Now())
			return fund.New(fund.Options{Store: store}).Hold(ctx, tx, anna, false, tx.Now().Add(24*time.Hour))
		})
		if store.n > 300 {
			t.Errorf("everybody waited for %d statements", store.n)
		}
		for _, uid := range []int64{dora, someone(many / 2), someone(many - 2)} {
			held, err := c.held(uid)
			c.must(err)
			if len(held) != 1 || held[0].Amount != money.MustParse("1") {
				t.Errorf("of %d is held %+v", uid, held)
			}
		}
	})
}
