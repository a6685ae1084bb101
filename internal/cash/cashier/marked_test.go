package cashier_test

import (
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/evm"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func hashOf(digit string) string { return "0x" + strings.Repeat(digit, 64) }

// Where no chain can tell, one operator neither takes unpaid money out of the books
// nor has a paid withdrawal paid again.
func TestOneOperatorAloneDoesNotEndAPayment(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.others = 1
		c.join("500", anna, berta)
		one, two := c.approved(anna, "40"), c.approved(berta, "40")
		c.must(c.Sent(t.Context(), first, "", one, hashOf("a")))
		c.refused(c.Confirm(t.Context(), first, "", one), errs.Forbidden, "Another operator must confirm")
		c.refused(c.Failed(t.Context(), first, "", one, "reverted"), errs.Forbidden, "Another operator must confirm")
		c.must(c.Failed(t.Context(), second, "", one, "reverted"))
		c.l.Clock.Advance(time.Second)
		c.must(c.Sent(t.Context(), second, "", one, hashOf("b"))) // who notes it last proposes
		c.refused(c.Confirm(t.Context(), second, "", one), errs.Forbidden, "Another operator must confirm")
		c.must(c.Confirm(t.Context(), first, "k", one))
		c.must(c.Confirm(t.Context(), first, "k", one)) // the same
		c.others = 0
		c.must(c.Sent(t.Context(), first, "", two, hashOf("c")))
		raw := testkit.Raw(t, dsn)
		if _, err := raw.Exec("UPDATE operator_act SET operator = 9 WHERE kind = 'withdrawal.sent'"); err != nil {
			t.Fatal(err)
		}
		c.refused(c.Confirm(t.Context(), first, "", two), errs.Conflict, "was changed outside Bifolia")
	})
}

// The only operator need not wait for somebody who does not exist.
func TestTheOnlyOperatorConfirmsTheirOwnEntry(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("500", anna)
	one := c.approved(anna, "40")
	c.must(c.Sent(t.Context(), first, "", one, hashOf("a")))
	c.must(c.Confirm(t.Context(), first, "", one))
	testkit.Verify(t, c.l)
}

// Where a chain is configured nothing is noted against what it shows, by however many.
func TestAPaymentIsMarkedOnlyAsTheChainShowsIt(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.others, c.paysFrom = 1, []string{wallet}
		c.chain = map[string]evm.Verdict{
			hashOf("a"): {State: evm.Refused, Final: true, Text: errs.Text{Message: "It paid somebody else."}},
			hashOf("b"): {State: evm.Confirmed, Confirmations: 20, From: []string{wallet}},
			hashOf("c"): {State: evm.Waiting, Confirmations: 1, Text: errs.Text{Message: "Waiting for confirmations."}},
			hashOf("e"): {State: evm.Unknown},
		}
		c.join("500", anna, berta)
		one, two := c.approved(anna, "40"), c.approved(berta, "40")
		c.refused(c.Sent(t.Context(), first, "", one, hashOf("a")), errs.Refused, "does not pay withdrawal")
		c.refused(c.Sent(t.Context(), first, "", one, hashOf("e")), errs.Unavailable, "cannot be reached")
		c.must(c.Sent(t.Context(), first, "", one, hashOf("b")))
		c.refused(c.Failed(t.Context(), second, "", one, "lost"), errs.Refused, "The chain has this transaction")
		c.must(c.Confirm(t.Context(), first, "", one)) // the chain is the second
		w := c.last(anna)
		if w.State != withdrawal.Confirmed || c.looked.Receiver != w.Address || c.looked.Amount != w.Net || c.looked.NotBefore.IsZero() {
			t.Errorf("%s, looked at %+v", w.State, c.looked)
		}
		c.must(c.Sent(t.Context(), first, "", two, hashOf("c")))
		for _, who := range []string{"first", "second"} {
			by := first
			if who == "second" {
				by = second
			}
			c.refused(c.Confirm(t.Context(), by, "", two), errs.Refused, "does not show")
			c.refused(c.Failed(t.Context(), by, "", two, "lost"), errs.Refused, "The chain has this transaction")
		}
		delete(c.chain, hashOf("c")) // no node knows it: a slip, that another operator calls one
		c.refused(c.Failed(t.Context(), first, "", two, "a slip"), errs.Forbidden, "Another operator must confirm")
		c.must(c.Failed(t.Context(), second, "", two, "a slip"))
		testkit.Verify(t, c.l)
	})
}

// An equal payment from somebody else is no payment of the company: the operator who records
// such a transaction cannot take money out of the books alone, and the other operators are
// notified. If the chain decides, nobody is notified.
func TestAPaymentFromAForeignAddressNeedsASecondOperator(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.others, c.paysFrom = 1, []string{wallet}
		confirmed := func(from ...string) evm.Verdict {
			return evm.Verdict{State: evm.Confirmed, Confirmations: 20, From: from}
		}
		c.chain = map[string]evm.Verdict{hashOf("a"): confirmed(other), hashOf("b"): confirmed(wallet, other), hashOf("c"): confirmed(wallet)}
		c.join("500", anna)
		for i, hash := range []string{hashOf("a"), hashOf("b")} {
			id := c.approved(anna, "40")
			c.must(c.Sent(t.Context(), first, "", id, hash))
			if first, second := c.told(first), c.told(second); first != 0 || second != i+1 {
				t.Errorf("the operators were mailed %d and %d times", first, second)
			}
			c.refused(c.Confirm(t.Context(), first, "", id), errs.Forbidden, "Another operator must confirm")
			c.must(c.Confirm(t.Context(), second, "", id))
			c.l.Clock.Advance(time.Hour)
		}
		before := c.told(second)
		id := c.approved(anna, "40")
		c.must(c.Sent(t.Context(), first, "", id, hashOf("c")))
		c.must(c.Confirm(t.Context(), first, "", id))
		if n := c.told(second); n != before {
			t.Errorf("of what the chain decides another operator is mailed %d times", n-before)
		}
		c.l.Clock.Advance(time.Hour)
		id = c.approved(anna, "40")
		c.must(c.Sent(t.Context(), first, "", id, hashOf("d"))) // in no block yet
		if n := c.told(second); n != before {
			t.Errorf("before it is mined another operator is mailed %d times", n-before)
		}
		c.chain[hashOf("d")] = confirmed(other)
		for range 2 {
			c.refused(c.Confirm(t.Context(), first, "", id), errs.Forbidden, "Another operator must confirm")
		}
		if n := c.told(second); n != before+1 {
			t.Errorf("once it turned out to be from elsewhere another operator is mailed %d times", n-before)
		}
		c.must(c.Confirm(t.Context(), second, "", id))
		testkit.Verify(t, c.l)
	})
}
