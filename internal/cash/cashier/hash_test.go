package cashier_test

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// One transaction pays one thing: a withdrawal, or the company. A rejected
// request that names it does not keep an operator from recording the payment.
func TestATransactionHashIsUsedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("500", anna, berta)
		sent := func(id int64, hash string) error { return c.Sent(t.Context(), first, "", id, hash) }
		hash := func(digit string) string { return "0x" + strings.Repeat(digit, 64) }
		one, two := c.approved(anna, "40"), c.approved(berta, "40")

		c.must(sent(one, hash("a")))
		c.refused(sent(two, strings.ToUpper(hash("a")[2:])), errs.Conflict, "was used for withdrawal")
		c.must(c.Confirm(t.Context(), first, "", one))
		c.refused(sent(two, hash("a")), errs.Conflict, "was used for withdrawal")

		again := c.requested("40", hash("a"))
		c.refused(c.Approve(t.Context(), first, "", again, "", ""), errs.Refused, "is no deposit")

		c.must(c.Approve(t.Context(), first, "", c.requested("50", hash("b")), "", ""))
		c.refused(sent(two, hash("b")), errs.Conflict, "it paid the company")
		released := c.requested("50", hash("c"))
		c.must(c.Reject(t.Context(), first, "", released, "unreadable"))
		c.must(c.Release(t.Context(), first, "", released, "it was right"))
		c.must(c.Approve(t.Context(), first, "", c.requested("50", hash("c")), "", ""))
		c.refused(sent(two, hash("c")), errs.Conflict, "it paid the company")

		stranger := c.requested("40", hash("d"))
		c.must(sent(two, hash("d"))) // a request that only names it does not block it
		c.refused(c.Approve(t.Context(), first, "", stranger, "", ""), errs.Refused, "is no deposit")
		testkit.Verify(t, c.l)
	})
}

// The fifth wrong attempt locks, over all codes; a right one resets the count.
func TestWrongAttemptsCountAcrossCodes(t *testing.T) {
	t.Parallel()
	c := open(t, testkit.SQLite(t))
	c.join("500", anna, berta)
	wrong := func(uid int64, code string) error {
		t.Helper()
		other := strings.Map(func(r rune) rune { return '0' + (r-'0'+1)%10 }, code)
		return c.take(uid, withdrawal.FundBalance, "40", other)
	}
	for range 2 {
		code := c.code(anna, withdrawal.FundBalance, "40")
		c.refused(wrong(anna, code), errs.Refused, "Invalid OTP")
		c.refused(wrong(anna, code), errs.Refused, "Invalid OTP")
	}
	code := c.code(anna, withdrawal.FundBalance, "40")
	c.refused(wrong(anna, code), errs.Refused, "Invalid OTP")
	c.refused(c.take(anna, withdrawal.FundBalance, "40", code), errs.Refused, "Too many wrong OTPs")

	for range 2 {
		code := c.code(berta, withdrawal.FundBalance, "40")
		for range 4 {
			c.refused(wrong(berta, code), errs.Refused, "Invalid OTP")
		}
		c.must(c.take(berta, withdrawal.FundBalance, "40", code))
	}
}
