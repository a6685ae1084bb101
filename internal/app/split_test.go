package app

import (
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// Splitting an amount into several requests does not avoid the limit above which two
// operators must approve: amounts approved for the member in the last 24 hours count.
func TestSplitAmountsAreSummedForTheLimit(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--withdraw-two-above", "100", "--fund-two-above", "100")
		me, _ := s.earner("500")
		third := map[string]string{}
		asked := map[string][]string{
			"withdrawals":  {me.withdraw("LevelIncome", "60"), me.withdraw("LevelIncome", "60"), me.withdraw("LevelIncome", "60")},
			"fundRequests": me.asks("HDFC00000001", "HDFC00000002", "HDFC00000003"),
		}
		maker := s.hire(auth.RoleFinance)
		for path, all := range asked {
			row := func(number string) m {
				for _, r := range maker.get("operator/" + path).rows() {
					if row := r.(m); row["id"] == number {
						return row
					}
				}
				t.Fatalf("%s has no %s", path, number)
				return nil
			}
			third[path] = all[2]
			if row(all[1])["needsTwo"] != false {
				t.Errorf("%s: alone each is below the limit", path)
			}
			maker.post("operator/"+path+"/approve", m{"id": all[0]}).into(&m{})
			if row(all[1])["needsTwo"] != true {
				t.Errorf("%s: the list does not say that the second takes two", path)
			}
			maker.post("operator/"+path+"/approve", m{"id": all[1]}).into(&m{})
			for number, want := range map[string]int{all[0]: 1, all[1]: 0} {
				if got := approved(maker, path, number); got != want {
					t.Errorf("%s: after one operator %s is approved %d times", path, number, got)
				}
			}
		}
		s.clock.Advance(25 * time.Hour)
		later := s.hire(auth.RoleFinance)
		for path, number := range third {
			later.post("operator/"+path+"/approve", m{"id": number}).into(&m{})
			if approved(later, path, number) != 1 {
				t.Errorf("%s: a day later %s still takes two", path, number)
			}
		}
	})
}

// approved counts how often one of a list stands among those that are approved.
func approved(c client, path, number string) (n int) {
	for _, r := range c.get("operator/" + path + "?state=Approved").rows() {
		if r.(m)["id"] == number {
			n++
		}
	}
	return n
}

// asks files requests of 60 dollars, by their numbers, and gives their ids.
func (c client) asks(numbers ...string) (ids []string) {
	c.s.t.Helper()
	for _, number := range numbers {
		if got := c.post("FundRequest", m{"uid": id(c.uid), "bankid": 1, "amount": "60", "utrno": number}).word(); got != "success" {
			c.s.t.Fatalf("a request: %s", got)
		}
	}
	found, err := testkit.Raw(c.s.t, c.s.dsn).QueryContext(c.s.t.Context(), "SELECT id FROM fund_request ORDER BY id")
	if err != nil {
		c.s.t.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var number int64
		if err := found.Scan(&number); err != nil {
			c.s.t.Fatal(err)
		}
		ids = append(ids, id(number))
	}
	if err := found.Err(); err != nil {
		c.s.t.Fatal(err)
	}
	return ids
}
