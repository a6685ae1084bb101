package cashier_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// registered answers whose a wallet is.
type registered struct {
	member.Store
	owners map[member.Wallet][]int64
}

func (r registered) WithWallet(_ context.Context, w member.Wallet) ([]int64, error) {
	return r.owners[w], nil
}

func TestAPaymentFromASharedOrForeignWalletWaitsForAnOperator(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		owners := map[member.Wallet][]int64{}
		c := open(t, dsn, func(c *counter, o *cashier.Options) {
			o.Deposits = deposit.New(deposit.Options{Store: c.l.DB.Deposit(), Wait: time.Hour})
			o.Receiver = func() string { return wallet }
			o.Members = member.New(member.Options{Store: registered{c.l.DB.Member(), owners}})
		})
		c.join("1", anna, berta)
		for n, v := range []struct {
			owners []int64
			state  fund.State
			why    string
		}{
			{nil, fund.Approved, ""},
			{[]int64{anna}, fund.Approved, ""},
			{[]int64{berta}, fund.Pending, "another member has registered"},
			{[]int64{anna, berta}, fund.Pending, "several members have registered"},
			{[]int64{berta, 100003}, fund.Pending, "another member has registered"},
		} {
			owners[other] = v.owners
			i, err := c.Announce(t.Context(), auth.Session{Kind: auth.KindMember, Owner: anna}, strconv.Itoa(n), "100", string(fund.Robot))
			c.must(err)
			c.l.Clock.Advance(time.Minute)
			r, err := c.Arrive(t.Context(), cashier.Arrived{
				Hash: someHash[:65] + strconv.Itoa(n), To: wallet, Source: cashier.PartOf(0), From: []string{other}, Amount: i.Amount, Mined: c.l.Clock.Now(), Intent: i.ID,
			})
			c.must(err)
			if r.State != v.state || !strings.Contains(r.Verdict.Message, v.why) {
				t.Errorf("out of a wallet of %v it is %s, %q", v.owners, r.State, r.Verdict.Message)
			}
		}
	})
}
