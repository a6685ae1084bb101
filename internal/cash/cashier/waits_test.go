package cashier_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const (
	carla = int64(100003)
	dora  = int64(100004)
)

// give transfers dollars of the Robot fund.
func (c *counter) give(from, to int64, dollars string) error {
	return c.Transfer(c.t.Context(), as(from), "", cashier.Transfer{To: to, Fund: fund.Robot, Amount: money.MustParse(dollars), Password: pin})
}

// pause is a guarded change of a member's account.
func (c *counter) pause(uid int64, g auth.Guarded) {
	c.t.Helper()
	c.command(func(ctx context.Context, tx *ledger.Tx) error {
		return c.auth.Pause(ctx, tx, uid, g)
	})
}

func TestAGuardedChangeBlocksTransfersDuringTheWaitingPeriod(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna, berta)
		for g, wait := range map[auth.Guarded]time.Duration{
			auth.PasswordChange: 24 * time.Hour, auth.EmailChange: 24 * time.Hour, auth.TransactionPasswordChange: 24 * time.Hour, auth.WalletChange: 48 * time.Hour,
		} {
			c.must(c.give(anna, berta, "1"))
			c.pause(anna, g)
			c.refused(c.give(anna, berta, "1"), errs.Refused, "because "+g.Words().Message+" was changed")
			c.l.Clock.Advance(wait - time.Second)
			c.refused(c.give(anna, berta, "1"), errs.Refused, "No money can leave your account before")
			c.l.Clock.Advance(time.Second)
			c.must(c.give(anna, berta, "1"))
		}
	})
}

// Without a mail for each transfer, a thief with both passwords could send money unnoticed.
func TestATransferIsMailedToBoth(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna, berta)
		c.must(c.give(anna, berta, "25"))
		c.refused(c.give(anna, berta, "500"), errs.Refused, "")
		all, err := c.mail.Recent(t.Context(), 10)
		c.must(err)
		if len(all) != 2 || all[1].To != email(anna) || all[1].Subject != "You sent $25.00 with Bifolia" ||
			all[0].To != email(berta) || all[0].Subject != "You received $25.00 with Bifolia" {
			t.Fatalf("mailed: %+v", all)
		}
		when := c.l.Clock.Now().UTC().Format("2 January 2006 at 15:04 UTC")
		for _, part := range []string{"$25.00", "Your Robot Fund", "(user ID 100002)", when, "If this wasn't you", "https://bifolia.example/ForgotPassword"} {
			if !strings.Contains(all[1].Text, part) {
				t.Errorf("the mail lacks %q:\n%s", part, all[1].Text)
			}
		}
	})
}

// A thief transfers money before its owner changes the password: until the owner's wait is
// over, its receivers can neither transfer nor withdraw it, however often it was passed on.
// Their other money stays free.
func TestTransfersBeforeAGuardedChangeAreHeld(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna, berta, carla, dora)
		c.must(c.give(anna, berta, "90"))
		c.must(c.give(berta, carla, "60")) // of anna's 90: berta keeps 30 of them
		c.must(c.give(carla, dora, "10"))
		c.must(c.ask(carla, withdrawal.FundBalance, "145")) // of 150, 50 are anna's
		id := c.last(carla).ID
		c.must(c.ApproveWithdrawal(t.Context(), first, "", id, "", ""))
		c.pause(anna, auth.PasswordChange)

		for uid, free := range map[int64]string{berta: "100", dora: "100"} {
			more := money.MustParse(free)
			more, _ = more.Add(money.MustParse("1"))
			c.refused(c.give(uid, anna, more.Short()), errs.Refused, "You can use 100.00 USDT of your Robot Fund before")
			c.refused(c.ask(uid, withdrawal.FundBalance, more.Short()), errs.Refused, "it came from a member whose account was changed shortly after")
			c.must(c.give(uid, anna, "1"))
			c.must(c.ask(uid, withdrawal.FundBalance, "1"))
		}
		c.refused(c.Sent(t.Context(), first, "", id, someHash), errs.Refused, "its money came from a member whose account was changed shortly after")
		if held, err := c.held(carla); err != nil || len(held) != 1 || held[0].Amount != money.MustParse("50") {
			t.Errorf("carla sees %+v, %v", held, err)
		}
		c.must(c.Cancel(t.Context(), as(dora), "", c.last(dora).ID)) // money that comes back is not free by that
		c.refused(c.give(dora, berta, "100"), errs.Refused, "of your Robot Fund before")
		// Another change of anna's while her money waits makes it wait for longer.
		c.l.Clock.Advance(23 * time.Hour)
		c.pause(anna, auth.WalletChange)
		c.l.Clock.Advance(47 * time.Hour)
		c.refused(c.Sent(t.Context(), first, "", id, someHash), errs.Refused, "its money came from")
		c.refused(c.give(berta, dora, "128"), errs.Refused, "of your Robot Fund before")
		c.l.Clock.Advance(time.Hour)
		c.must(c.Sent(t.Context(), first, "", id, someHash))
		c.must(c.give(berta, dora, "128"))
	})
}

// held is the held money that a member sees.
func (c *counter) held(uid int64) ([]fund.Held, error) {
	return fund.New(fund.Options{Store: c.l.DB.Fund()}).HeldNow(c.t.Context(), uid, c.l.Clock.Now())
}

// The password is changed in the very group in which the receiver would send on.
func TestTransfersOfTheSameGroupAreHeldToo(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("100", anna, berta)
	c.command(func(ctx context.Context, tx *ledger.Tx) error {
		if err := fund.Transfer(tx, anna, berta, fund.Robot, money.MustParse("80"), ""); err != nil {
			return err
		}
		return c.auth.Pause(ctx, tx, anna, auth.PasswordChange)
	})
	c.refused(c.give(berta, anna, "101"), errs.Refused, "You can use 100.00 USDT of your Robot Fund before")
}

func TestOlderAndForeignTransfersAreNotHeld(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("100", anna, berta, carla)
	c.must(c.give(anna, berta, "90"))
	c.l.Clock.Advance(48*time.Hour + time.Second)
	c.must(c.give(carla, berta, "10"))
	c.pause(anna, auth.PasswordChange)
	c.must(c.give(berta, carla, "200"))
}

func TestATamperedHeldRowStopsTheTransfer(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna, berta)
		c.must(c.give(anna, berta, "90"))
		c.pause(anna, auth.PasswordChange)
		c.hand(dsn, "UPDATE fund_held SET until_at = 1")
		if err := c.give(berta, anna, "190"); err == nil {
			t.Fatal("held money left")
		}
		c.must(c.l.Unfreeze(t.Context()))
	})
}
