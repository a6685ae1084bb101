package app

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// One operator's manual credits are limited over all members together, however the sum is
// split and even if the approvals arrive concurrently.
func TestConcurrentCreditsByOneOperatorStayBelowTheDailyLimit(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		var funds []string
		for n := range 10 { // 5 requests of 1,000 dollars from each of 10 members
			uid := s.register(s.root.UID, tree.Left, fmt.Sprintf("Mule Number %c", 'A'+n))
			me := s.login(uid, password)
			for i := range 5 {
				got := me.post("FundRequest", m{"uid": id(uid), "bankid": 1, "amount": "1000", "utrno": fmt.Sprintf("HDFC%04d%04d", n, i)}).word()
				if got != "success" {
					t.Fatalf("the request was answered %q", got)
				}
			}
			funds = append(funds, "L:FUND:FUNDS:"+id(uid))
		}
		credited := func() (sum money.Amount) {
			t.Helper()
			for _, account := range funds {
				var err error
				if sum, err = sum.Add(s.balance(account).Posted); err != nil {
					t.Fatal(err)
				}
			}
			return sum
		}
		thief := s.hire(auth.RoleFinance)
		var who struct{ Data struct{ Email string } }
		thief.get("operator/me").into(&who)
		rows := thief.get("operator/fundRequests?state=Pending&size=500").rows()
		if len(rows) != 50 {
			t.Fatalf("%d requests wait", len(rows))
		}
		thief.post("operator/prove", m{"proof": operatorPassword}).into(&m{})
		var all sync.WaitGroup
		for _, r := range rows {
			all.Go(func() { thief.post("operator/fundRequests/approve", m{"id": r.(m)["id"]}) })
		}
		all.Wait()
		if got := credited(); got != money.MustParse("5000") {
			t.Errorf("one operator credited %s alone", got)
		}
		waiting := thief.get("operator/fundRequests?state=Pending&size=500").rows()
		for _, r := range waiting {
			if r.(m)["needsTwo"] != true {
				t.Errorf("request %v would take one operator", r.(m)["id"])
			}
		}
		second := s.hire(auth.RoleOwner)
		for _, r := range second.get("operator/fundRequests?state=Pending&size=500").rows()[:10] {
			second.post("operator/fundRequests/approve", m{"id": r.(m)["id"], "digest": r.(m)["digest"]}).into(&m{})
		}
		if got := credited(); got != money.MustParse("15000") {
			t.Errorf("with a second operator %s is credited", got)
		}
		s.clock.Advance(23 * time.Hour)
		again := s.login(s.register(s.root.UID, tree.Right, "Late Mule"), password)
		again.post("FundRequest", m{"uid": id(again.uid), "bankid": 1, "amount": "1", "utrno": "HDFC99990001"})
		last := s.signIn(who.Data.Email).get("operator/fundRequests?state=Pending&sort=-id").rows()[0].(m)
		if last["needsTwo"] != true {
			t.Error("a dollar more is credited alone within 24 hours")
		}
		s.verified()
	})
}
