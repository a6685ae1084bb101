package cashier_test

import (
	"context"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// dust is how many small transfers push a large one out of every list of transfers.
const dust = fund.MaxGifts + 1

// giveOften makes many transfers of some dollars at once.
func (c *counter) giveOften(n int, from, to int64, dollars string) {
	c.t.Helper()
	c.command(func(_ context.Context, tx *ledger.Tx) error {
		for range n {
			if err := fund.Transfer(tx, from, to, fund.Robot, money.MustParse(dollars), ""); err != nil {
				return err
			}
		}
		return nil
	})
}

// stays is that of what a member has, no more than some dollars can leave it.
func (c *counter) stays(uid int64, free string) {
	c.t.Helper()
	more, err := money.MustParse(free).Add(money.MustParse("1"))
	c.must(err)
	c.refused(c.give(uid, anna, more.Short()), errs.Refused, "You can use "+money.MustParse(free).Short()+" USDT of your Robot Fund before")
}

// A thief sends one large amount and then so many small ones that no list of
// transfers has the large one any more.
func TestDustTransfersFreeNoHeldMoney(t *testing.T) {
	t.Parallel()
	const rich = "200000"
	for name, steps := range map[string]func(c *counter){
		"dust of the victim, after the large amount": func(c *counter) {
			c.must(c.give(anna, berta, "90000"))
			c.giveOften(dust, anna, dora, "1")
			c.pause(anna, auth.PasswordChange)
			c.stays(berta, rich)
		},
		"dust of the victim, before the large amount, which is sent on": func(c *counter) {
			c.giveOften(dust, anna, dora, "1")
			c.must(c.give(anna, berta, "90000"))
			c.must(c.give(berta, carla, "90000"))
			c.pause(anna, auth.PasswordChange)
			c.stays(carla, rich)
		},
		"dust of who sends it on": func(c *counter) {
			c.must(c.give(anna, berta, "90000"))
			c.must(c.give(berta, carla, "90000"))
			c.giveOften(dust, berta, dora, "1")
			c.pause(anna, auth.PasswordChange)
			c.stays(carla, rich)
		},
		"dust of another who got some first": func(c *counter) {
			c.must(c.give(anna, dora, "1"))
			c.giveOften(dust, dora, berta, "1")
			c.must(c.give(anna, berta, "90000"))
			c.must(c.give(berta, carla, "90000"))
			c.pause(anna, auth.PasswordChange)
			c.stays(carla, rich)
		},
		"dust to who sends it on": func(c *counter) {
			c.must(c.give(anna, berta, "90000"))
			c.must(c.give(berta, carla, "90000"))
			c.giveOften(dust, dora, berta, "1")
			c.pause(anna, auth.PasswordChange)
			c.stays(carla, rich)
		},
		"all of it as dust, sent on as one": func(c *counter) {
			c.giveOften(2*dust, anna, berta, "2")
			c.must(c.give(berta, carla, "80000"))
			c.pause(anna, auth.PasswordChange)
			c.stays(carla, rich)
		},
		"all of it as dust, while the receiver sends own money on": func(c *counter) {
			c.giveOften(dust, anna, berta, "2")
			c.must(c.give(berta, dora, "40000"))
			c.giveOften(dust, anna, berta, "2")
			c.pause(anna, auth.PasswordChange)
			c.stays(berta, "160000")
		},
		"all of it sent on as dust": func(c *counter) {
			c.must(c.give(anna, berta, "80000"))
			c.giveOften(2*dust, berta, carla, "2")
			c.must(c.give(carla, dora, "80000"))
			c.pause(anna, auth.PasswordChange)
			c.stays(dora, rich)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.Site(t, func(t *testing.T, dsn string) {
				c := open(t, dsn)
				c.join(rich, anna, berta, carla, dora)
				steps(c)
			})
		})
	}
}

// Holds on others because of dust are at most the amount that they received, and at most
// the amount that came to their giver.
func TestNobodyIsHeldForMoreThanTheyReceived(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("100000", anna, berta, carla, dora)
	c.must(c.give(anna, berta, "50"))
	c.giveOften(1, anna, dora+1, "90000")
	c.giveOften(dust, berta, dora, "2") // of berta's own
	c.must(c.give(dora, carla, "30"))
	c.pause(anna, auth.PasswordChange)
	for uid, most := range map[int64]string{berta: "50", dora: "50", carla: "30"} {
		held, err := c.held(uid)
		c.must(err)
		if len(held) != 1 || money.MustParse(most).Less(held[0].Amount) {
			t.Errorf("of %d is held %+v, want %s at most", uid, held, most)
		}
	}
}
