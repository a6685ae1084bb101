package cashier_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// A withdrawal's money is held until somebody decides, also when the machine's
// clock is decades ahead for a while. Should a hold end all the same, verify says
// so, nothing can be sent, and turning the withdrawal down puts it right.
func TestAClockFarAheadReleasesNoHeldMoney(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		c := open(t, dsn)
		c.join("500", anna, berta)
		paid, ended := c.approved(anna, "40"), c.approved(berta, "40")
		expire := func() (n int) {
			t.Helper()
			c.command(func(_ context.Context, tx *ledger.Tx) (err error) {
				n, err = tx.ExpireHolds(10)
				return err
			})
			return n
		}
		const year = 365 * 24 * time.Hour
		c.l.Clock.Advance(90 * year)
		if n := expire(); n != 0 {
			t.Fatalf("%d holds ended", n)
		}
		c.must(c.Sent(t.Context(), first, "", paid, someHash))
		c.must(c.Confirm(t.Context(), first, "", paid))
		testkit.Verify(t, c.l)

		c.l.Clock.Advance(120 * year)
		if n := expire(); n != 1 {
			t.Fatalf("%d holds ended, want 1", n)
		}
		if err := closing.CheckBooks(t.Context(), c.l.DB.Books()); err == nil || !strings.Contains(err.Error(), "money is held until") {
			t.Errorf("verify says %v", err)
		}
		c.refused(c.Sent(t.Context(), first, "", ended, "0x"+strings.Repeat("cd", 32)), errs.Refused, "its hold has expired")
		c.must(c.RejectWithdrawal(t.Context(), first, "", ended, "its money is back"))
		if w := c.last(berta); w.State != withdrawal.Rejected {
			t.Errorf("it is %s", w.State)
		}
		c.must(closing.CheckBooks(t.Context(), c.l.DB.Books()))
		testkit.Verify(t, c.l)
	})
}
