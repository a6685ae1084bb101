package cashier_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// requested files a fund request of anna's.
func (c *counter) requested(dollars, number string) (id int64) {
	c.t.Helper()
	return c.requestedBy(anna, dollars, number)
}

func (c *counter) requestedBy(uid int64, dollars, number string) (id int64) {
	c.t.Helper()
	c.command(func(ctx context.Context, tx *ledger.Tx) error {
		r, err := fund.New(fund.Options{Store: c.l.DB.Fund()}).Ask(ctx, tx, fund.Request{
			UID: uid, Fund: fund.Robot, Amount: money.MustParse(dollars), Number: number, Way: wayOf(number), NeedsTwo: c.Limits().FundTwoAbove.Less(money.MustParse(dollars)),
		}, tx.Now())
		id = r.ID
		return err
	})
	return id
}

// wayOf: what looks like a transaction of the chain is one.
func wayOf(number string) fund.Way {
	if strings.HasPrefix(number, "0x") {
		return fund.ByUSDT
	}
	return fund.ByBank
}

func (c *counter) hand(dsn, query string) {
	c.t.Helper()
	_, err := testkit.Raw(c.t, dsn).ExecContext(c.t.Context(), query)
	c.must(err)
}

// stopped checks that a decision found a tampered row.
func (c *counter) stopped(what string, err error) {
	c.t.Helper()
	c.refused(err, errs.Conflict, "was changed outside Bifolia")
	if !strings.Contains(c.l.State().Head.Frozen, "Fund request") {
		c.t.Errorf("%s: payments are frozen for %q", what, c.l.State().Head.Frozen)
	}
	c.must(c.l.Unfreeze(c.t.Context()))
}

// A fund request with a changed row is decided neither by an operator, nor by the second of
// two, nor by the chain's watcher.
func TestATamperedFundRequestIsNotDecided(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna, berta)
		small, large := c.requested("50", "UTR000001"), c.requested("20000", "UTR000002")
		c.must(c.Approve(t.Context(), first, "", large, "", ""))
		decide := map[string]func(id int64) error{
			"approved":        func(id int64) error { return c.Approve(t.Context(), second, "", id, "", "") },
			"rejected":        func(id int64) error { return c.Reject(t.Context(), second, "", id, "no") },
			"given a verdict": func(id int64) error { return c.Verdict(t.Context(), id, errs.Text{Message: "nothing has arrived"}) },
		}
		for _, change := range []string{"amount = amount + 1000000", "uid = 100002", "number = number || '9'", "needs_two = 1 - needs_two", "first_by = 7, first_name = 'nobody', first_at = 1"} {
			c.hand(dsn, "CREATE TABLE was AS SELECT * FROM fund_request")
			c.hand(dsn, "UPDATE fund_request SET "+change)
			for what, f := range decide {
				for _, id := range []int64{small, large} {
					c.stopped(what+" with "+change, f(id))
				}
			}
			c.hand(dsn, "UPDATE fund_request SET amount = w.amount, uid = w.uid, number = w.number, needs_two = w.needs_two, first_by = w.first_by, first_name = w.first_name, first_at = w.first_at FROM was w WHERE w.id = fund_request.id")
			c.hand(dsn, "DROP TABLE was")
		}
		c.hand(dsn, "CREATE TABLE made AS SELECT * FROM fund_request")
		c.hand(dsn, "UPDATE made SET id = id + 70, number = number || '7'")
		c.hand(dsn, "INSERT INTO fund_request SELECT * FROM made")
		c.stopped("an invented one", c.Approve(t.Context(), second, "", small+70, "", ""))
		c.hand(dsn, "DELETE FROM witness_at") // only a way to find the line
		c.must(c.Approve(t.Context(), second, "", small, "", ""))
	})
}

// The ledger refuses to credit a request that was put back to its former state with its
// former line; and a number is not released because its row was changed to rejected.
func TestATamperedFundRequestIsCreditedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna)
		id := c.requested("50", "UTR000001")
		for _, table := range []string{"fund_request", "witness_at"} {
			c.hand(dsn, "CREATE TABLE old_"+table+" AS SELECT * FROM "+table)
		}
		c.must(c.Approve(t.Context(), first, "", id, "", ""))
		c.hand(dsn, "UPDATE fund_request SET state = 'Rejected'")
		c.stopped("released", c.Release(t.Context(), first, "", id, "not theirs"))
		c.hand(dsn, "UPDATE fund_request SET state = o.state, decided_by = o.decided_by, decided_name = o.decided_name, decided_at = o.decided_at FROM old_fund_request o")
		c.hand(dsn, "UPDATE witness_at SET batch = o.batch FROM old_witness_at o WHERE o.what = witness_at.what")
		c.stopped("approved again", c.Approve(t.Context(), second, "", id, "", ""))
		c.stopped("rejected", c.Reject(t.Context(), second, "", id, "no"))
	})
}

// The ledger refuses a second credit after a credited request was deleted so that another
// member can use its number.
func TestATransactionNumberIsCreditedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna, berta)
		c.must(c.Approve(t.Context(), first, "", c.requested("50", "UTR000001"), "", ""))
		if c.l.DB.Engine() == "sqlite" {
			c.hand(dsn, "DROP TRIGGER fund_request_no_delete")
		}
		c.hand(dsn, "DELETE FROM fund_request")
		again := c.requestedBy(berta, "50", "UTR000001")
		c.stopped("approved", c.Approve(t.Context(), first, "", again, "", ""))
	})
}

// Several members may name one number. The member whom an operator approves gets the
// credit; the others learn this, but not the member.
func TestOneOfSeveralRequestsWithANumberIsCreditedAndTheOthersAreRejected(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna, berta)
		thief, payer := c.requestedBy(berta, "50", "UTR000001"), c.requestedBy(anna, "50", "UTR000001")
		all, err := c.Claims(t.Context(), "UTR000001")
		c.must(err)
		if len(all) != 2 || all[0].ID != thief || all[1].ID != payer {
			t.Fatalf("they stand side by side as %+v", all)
		}
		c.must(c.Approve(t.Context(), first, "", payer, "", "on the statement"))
		all, err = c.Claims(t.Context(), "UTR000001")
		c.must(err)
		if all[0].State != fund.Rejected || all[0].Remark != "This transaction number was credited with another request." || all[1].State != fund.Approved {
			t.Errorf("they became %+v", all)
		}
		c.refused(c.Approve(t.Context(), first, "", thief, "", ""), errs.Conflict, "is Rejected already")
		c.must(c.Release(t.Context(), first, "", thief, "look again"))
		_, _, taken, err := c.ahead(berta, "UTR000001")
		if err != nil || !taken {
			t.Errorf("a number that was credited can be named again: %v", err)
		}
		testkit.Verify(t, c.l)
	})
}

func (c *counter) ahead(uid int64, number string) (last, pending int64, taken bool, err error) {
	c.command(func(ctx context.Context, tx *ledger.Tx) error {
		last, pending, taken, err = c.l.DB.Fund().Ahead(ctx, tx, uid, number)
		return nil
	})
	return last, pending, taken, err
}

// A number that was released is credited to who asks with it next, be it the same
// member: that is no request put back.
func TestAReleasedNumberIsCreditedToItsMember(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("100", anna)
		slip := c.requested("60", "UTR000001")
		c.must(c.Reject(t.Context(), first, "", slip, "it was 50"))
		c.must(c.Release(t.Context(), first, "", slip, "asked with the wrong amount"))
		c.must(c.Approve(t.Context(), first, "", c.requested("50", "UTR000001"), "", ""))
		c.refused(c.Release(t.Context(), first, "", slip, "again"), errs.Conflict, "was released before")
		c.command(func(_ context.Context, tx *ledger.Tx) error {
			return tx.Enough(ledger.MustAccount("L:FUND:FUNDS:100001"), money.MustParse("150"), actor.Member(anna))
		})
		testkit.Verify(t, c.l)
	})
}
