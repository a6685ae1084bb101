package cashier_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// The rules of the counter that the tests of the whole site do not prove: those
// drive the same service over HTTP.

func TestACodeWorksOnlyForItsMember(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("100", anna, berta)
	hers := c.code(anna, withdrawal.FundBalance, "40")
	c.refused(c.take(berta, withdrawal.FundBalance, "40", hers), errs.Refused, "no longer valid")
	own := c.code(berta, withdrawal.FundBalance, "40")
	if own != hers { // in one of a million tests
		c.refused(c.take(berta, withdrawal.FundBalance, "40", hers), errs.Refused, "Invalid OTP")
	}
	c.must(c.take(berta, withdrawal.FundBalance, "40", own))
	c.must(c.take(anna, withdrawal.FundBalance, "40", hers)) // another's tries cost her nothing
}

func TestACodeIsBoundToTheTypeAndARefusalDoesNotSpendIt(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("101", anna, berta)
	code := c.code(anna, withdrawal.FundBalance, "101")
	c.must(c.Transfer(t.Context(), as(anna), "", cashier.Transfer{To: berta, Fund: fund.Robot, Amount: money.MustParse("1"), Password: pin}))
	err := c.Withdraw(t.Context(), as(anna), "", cashier.Withdrawal{Wallet: withdrawal.FundBalance, Type: "BTC", Amount: money.MustParse("101"), Code: code})
	c.refused(err, errs.Refused, "Select Withdrawal Type")
	c.refused(c.take(anna, withdrawal.FundBalance, "101", code), errs.Refused, "Insufficient balance")
	c.command(func(_ context.Context, tx *ledger.Tx) error {
		return fund.Deposit(tx, anna, fund.Robot, money.MustParse("1"), "more")
	})
	c.must(c.take(anna, withdrawal.FundBalance, "101", code))
}

// Requests do not count towards the limit: only approvals count, and members cannot cancel
// these.
func TestCancelledRequestsDoNotUseUpTheLimitOfAllMembers(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.rules.WithdrawLimits = limits("60", "100", "1000")
		c.join("500", anna, berta, anna+7)
		for range 3 { // two members ask for more than the limit of all, and cancel
			for _, uid := range []int64{anna, berta} {
				c.must(c.ask(uid, withdrawal.FundBalance, "60"))
			}
			c.must(c.Cancel(t.Context(), as(anna), "", c.last(anna).ID))
			c.must(c.Cancel(t.Context(), as(berta), "", c.last(berta).ID))
			c.l.Clock.Advance(time.Hour)
		}
		c.must(c.ask(anna, withdrawal.FundBalance, "60"))
		c.must(c.ask(berta, withdrawal.FundBalance, "60"))
		c.must(c.ask(anna+7, withdrawal.FundBalance, "60"))
		c.must(c.ApproveWithdrawal(t.Context(), first, "", c.last(anna+7).ID, "", ""))
		c.refused(c.Cancel(t.Context(), as(anna+7), "", c.last(anna+7).ID), errs.Conflict, "can no longer be cancelled")
		testkit.Verify(t, c.l)
	})
}

func TestConcurrentApprovalsKeepTheLimitOfAllMembers(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.rules.WithdrawLimits = limits("60", "100", "1000")
		var uids []int64
		for i := range int64(8) {
			uids = append(uids, anna+i)
		}
		c.join("100", uids...)
		ids := make([]int64, len(uids))
		for i, uid := range uids {
			c.must(c.ask(uid, withdrawal.FundBalance, "30"))
			ids[i] = c.last(uid).ID
		}
		said := make([]error, len(uids))
		var together sync.WaitGroup
		for i, id := range ids {
			together.Go(func() { said[i] = c.ApproveWithdrawal(t.Context(), first, "", id, "", "") })
		}
		together.Wait()
		through := 0
		for _, err := range said {
			if err == nil {
				through++
				continue
			}
			c.refused(err, errs.Refused, "approvals would exceed 100 per day")
		}
		if through != 3 {
			t.Errorf("%d of 30 were approved within a limit of 100", through)
		}
		c.refused(c.ask(anna, withdrawal.FundBalance, "11"), errs.Refused, "limit for withdrawals of all members")
		c.must(c.ask(anna, withdrawal.FundBalance, "10"))
		c.l.Clock.Advance(24 * time.Hour)
		for i, err := range said {
			if err != nil {
				c.must(c.ApproveWithdrawal(t.Context(), first, "", ids[i], "", ""))
				break
			}
		}
		testkit.Verify(t, c.l)
	})
}

func TestTheDailyLimitFollowsThePlansDayAndIgnoresCancelledRequests(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.rules.WithdrawLimits = limits("60", "1000", "1000")
	c.join("500", anna)
	zone := plan.Default().Zone()
	y, m, d := c.l.Clock.Now().In(zone).Date()
	midnight := time.Date(y, m, d+1, 0, 0, 0, 0, zone)
	c.l.Clock.Advance(midnight.Add(-5 * time.Minute).Sub(c.l.Clock.Now()))
	c.must(c.ask(anna, withdrawal.FundBalance, "60"))
	c.refused(c.ask(anna, withdrawal.FundBalance, "1"), errs.Refused, "more than the 60 that you may withdraw")
	c.must(c.Cancel(t.Context(), as(anna), "", c.last(anna).ID))
	c.must(c.ask(anna, withdrawal.FundBalance, "59"))
	c.refused(c.ask(anna, withdrawal.FundBalance, "2"), errs.Refused, "more than the 60")
	c.l.Clock.Advance(midnight.Sub(c.l.Clock.Now()))
	c.must(c.ask(anna, withdrawal.FundBalance, "60"))
}

func TestTheLongestWaitingPeriodIsExactToTheSecond(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("100", anna)
	grant, err := c.auth.Login(t.Context(), auth.LoginRequest{UID: anna, Password: "Correct horse 1"})
	c.must(err)
	c.command(func(ctx context.Context, tx *ledger.Tx) error {
		if _, err := c.members.UpdateWallet(ctx, tx, anna, other, tx.Now()); err != nil {
			return err
		}
		return c.auth.Pause(ctx, tx, anna, auth.WalletChange)
	})
	moved := c.l.Clock.Now()
	c.must(c.ask(anna, withdrawal.FundBalance, "20"))
	id := c.last(anna).ID
	c.must(c.ApproveWithdrawal(t.Context(), first, "", id, "", ""))
	leaves := func(at time.Time) error {
		t.Helper()
		c.l.Clock.Advance(at.Sub(c.l.Clock.Now()))
		return c.Sent(t.Context(), first, "", id, someHash)
	}
	c.refused(leaves(moved.Add(48*time.Hour-time.Second)), errs.Refused, "cannot be paid before")
	// A new password just before the end of the first wait begins another.
	change, err := c.auth.PrepareChange(t.Context(), auth.ChangeRequest{UID: anna, Old: "Correct horse 1", New: "Another horse 2", Keep: grant.Session.ID})
	c.must(err)
	_, err = c.l.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) { return nil, change.Apply(ctx, tx) }})
	c.must(err)
	changed := c.l.Clock.Now()
	c.refused(leaves(moved.Add(48*time.Hour)), errs.Refused, "cannot be paid before")
	c.refused(leaves(changed.Add(24*time.Hour-time.Second)), errs.Refused, "cannot be paid before")
	c.must(leaves(changed.Add(24 * time.Hour)))
}

func TestIncomesHaveATwoPercentChargeAndFundsHaveNone(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("100", anna)
	c.earn(anna, "100")
	for _, w := range []struct{ from, amount, charge, net string }{
		{level, "10", "0.2", "9.8"},
		{level, "41", "0.82", "40.18"},
		{withdrawal.FundBalance, "1", "0", "1"},
	} {
		c.must(c.ask(anna, w.from, w.amount))
		if got := c.last(anna); got.Charge != money.MustParse(w.charge) || got.Net != money.MustParse(w.net) || got.Amount != money.MustParse(w.amount) {
			t.Errorf("%s of %s: %+v", w.amount, w.from, got)
		}
	}
	for _, w := range []struct{ from, amount string }{{level, "9"}, {level, "10.5"}, {withdrawal.FundBalance, "0.5"}} {
		c.refused(c.ask(anna, w.from, w.amount), errs.Refused, "Withdraw whole dollars. The minimum from an income wallet is 10.")
	}
}

func TestRaisingTheLimitLaterStillNeedsTwoApprovals(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.rules.WithdrawLimits = limits("5000", "50000", "100")
	c.join("500", anna)
	c.must(c.ask(anna, withdrawal.FundBalance, "101"))
	id := c.last(anna).ID
	c.rules.WithdrawLimits = limits("5000", "50000", "1000") // later, and not for this one
	c.must(c.ApproveWithdrawal(t.Context(), first, "", id, "", ""))
	if got := c.last(anna).State; got != withdrawal.Pending {
		t.Fatalf("after one operator it is %s", got)
	}
	if err := c.ApproveWithdrawal(t.Context(), first, "", id, "", ""); err == nil {
		t.Error("the same operator approved twice")
	}
	c.must(c.ApproveWithdrawal(t.Context(), second, "", id, c.digest(id), ""))
	if got := c.last(anna).State; got != withdrawal.Approved {
		t.Errorf("after two it is %s", got)
	}
}

func TestATemporaryPasswordMovesNoMoneyAndOnlyOwnersCancel(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("100", anna, berta)
	c.must(c.ask(anna, withdrawal.FundBalance, "40"))
	id := c.last(anna).ID
	c.refused(c.Cancel(t.Context(), as(berta), "", id), errs.NotFound, "")
	temporary := as(anna)
	temporary.MustChange = true
	for what, err := range map[string]error{
		"a withdrawal":   c.Withdraw(t.Context(), temporary, "", cashier.Withdrawal{Wallet: withdrawal.FundBalance, Type: withdrawal.USDT, Amount: money.MustParse("1"), Code: "123456"}),
		"a transfer":     c.Transfer(t.Context(), temporary, "", cashier.Transfer{To: berta, Fund: fund.Robot, Amount: money.MustParse("1"), Password: pin}),
		"a request":      c.Request(t.Context(), temporary, "", cashier.RequestForm{Amount: "1", Number: someHash, Way: "USDT (BEP-20)", Fund: "FUNDS"}),
		"a cancellation": c.Cancel(t.Context(), temporary, "", id),
	} {
		if !errs.Is(err, errs.Forbidden) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := c.last(anna).State; got != withdrawal.Pending {
		t.Errorf("it is %s", got)
	}
}

// A member without an answer repeats the request: it must not need the code that the first
// attempt used, and another request with the same key is a conflict.
func TestARequestIsExecutedOncePerKey(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna, berta)
		w := cashier.Withdrawal{Wallet: withdrawal.FundBalance, Type: withdrawal.USDT, Amount: money.MustParse("30"), Code: c.code(anna, withdrawal.FundBalance, "30")}
		give := cashier.Transfer{To: berta, Fund: fund.Robot, Amount: money.MustParse("20"), Password: pin}
		for range 3 {
			c.must(c.Withdraw(t.Context(), as(anna), "w", w))
			c.must(c.Transfer(t.Context(), as(anna), "t", give))
		}
		w.Amount, give.Amount = money.MustParse("31"), money.MustParse("21")
		c.refused(c.Withdraw(t.Context(), as(anna), "w", w), errs.Conflict, "used before with another request")
		c.refused(c.Transfer(t.Context(), as(anna), "t", give), errs.Conflict, "used before with another request")
		if _, n, sum, err := c.Withdrawals(t.Context(), withdrawal.Filter{UID: anna, Limit: 10}); err != nil || n != 1 || sum != money.MustParse("30") {
			t.Errorf("%d withdrawals of %s, %v", n, sum, err)
		}
		if _, _, n, err := c.Moves(t.Context(), fund.MoveFilter{UID: anna, Sent: true, Limit: 10}); err != nil || n != 1 {
			t.Errorf("%d transfers, %v", n, err)
		}
	})
}

// Somebody who is put under review between the code and the withdrawal, or
// between two operators, keeps the money where it is.
func TestAReviewStopsAWithdrawalAtEveryStep(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("100", anna)
	review := func(on bool) {
		t.Helper()
		c.command(func(ctx context.Context, tx *ledger.Tx) error {
			if on {
				return c.members.Block(ctx, tx, anna, "fraud", tx.Now())
			}
			return c.members.Unblock(ctx, tx, anna)
		})
	}
	code := c.code(anna, withdrawal.FundBalance, "40")
	step := func(do func() error) {
		t.Helper()
		review(true)
		c.refused(do(), errs.Refused, "under review")
		review(false)
		c.must(do())
	}
	step(func() error { return c.take(anna, withdrawal.FundBalance, "40", code) })
	id := c.last(anna).ID
	step(func() error { return c.ApproveWithdrawal(t.Context(), first, "", id, "", "") })
	step(func() error { return c.Sent(t.Context(), first, "", id, someHash) })
	review(true) // what the chain has done is noted all the same
	c.must(c.Confirm(t.Context(), first, "", id))
	c.refused(c.Confirm(t.Context(), first, "", id), errs.Conflict, "")
	testkit.Verify(t, c.l)
}

// An address that was changed in the database is not taken for a change that the
// member made.
func TestAWithdrawalWithATamperedAddressIsNotApproved(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna)
		c.must(c.ask(anna, withdrawal.FundBalance, "20"))
		_, err := testkit.Raw(t, dsn).ExecContext(t.Context(), "UPDATE withdrawal SET address = '"+other+"'")
		c.must(err)
		c.refused(c.ApproveWithdrawal(t.Context(), first, "", c.last(anna).ID, "", ""), errs.Conflict, "was changed outside Bifolia")
		if c.l.State().Head.Frozen == "" {
			t.Error("money moves on")
		}
	})
}
