package app

import (
	"context"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

// claims is the response of the queue of claims.
type claims struct {
	Data [][]struct {
		ID, UID, Line, State, Since                  string
		Principal, Amount, Recalled, Need, Available string
	}
	Total int
	Sum   string
}

func (c client) claims(query string) (got claims) {
	c.s.t.Helper()
	c.get("operator/claims?" + query).into(&got)
	return got
}

func TestOperatorsFindClaimsAndTheCashTheyNeed(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	anna, ben := s.register(s.root.UID, tree.Left, "Anna Alpha"), s.register(s.root.UID, tree.Right, "Ben Beta")
	s.invest(anna, "500") // the line's cash
	claim := func(id string, uid int64, net, day string) invest.Claim {
		on, err := plan.ParseDay(day)
		if err != nil {
			t.Fatal(err)
		}
		return invest.Claim{ID: id, Position: id[2:], Line: "FOREX", No: int64(s.services.Tree.Find(uid)), Amount: money.MustParse("100"), Net: money.MustParse(net), Day: on}
	}
	store := s.db.Invest()
	s.command(func(ctx context.Context, tx *ledger.Tx) error {
		if err := store.AddClaims(ctx, tx, []invest.Claim{claim("C-one", anna, "110", "2026-11-10"), claim("C-two", ben, "90", "2026-11-08"), claim("C-new", ben, "105", "2026-11-12")}); err != nil {
			return err
		}
		if err := store.Recall(ctx, tx, "C-two", money.MustParse("90")); err != nil {
			return err
		}
		return store.Recall(ctx, tx, "C-one", money.MustParse("10"))
	})
	o := s.hire(auth.RoleReadOnly)
	got := o.claims("state=Open&sort=day")
	if got.Total != 2 || got.Sum != "205.000000" || len(got.Data[0]) != 2 {
		t.Fatalf("to fund: %+v", got)
	}
	if c := got.Data[0][0]; c.ID != "C-one" || c.UID != id(anna) || c.Line != "FOREX" || c.State != "Open" || c.Since != "2026-11-10" || c.Principal != "100.000000" || c.Amount != "110.000000" ||
		c.Recalled != "10.000000" || c.Need != "100.000000" || c.Available != "500.000000" {
		t.Errorf("the first is %+v", c)
	}
	for query, want := range map[string]string{
		"": "C-two", "sort=-day": "C-new", "state=Funded": "C-two", "uid=" + id(anna): "C-one", "from=2026-11-09&to=2026-11-11": "C-one", "page=2&size=2": "C-new", "line=FOREX&from=2026-11-12": "C-new",
	} {
		if got := o.claims(query); len(got.Data[0]) == 0 || got.Data[0][0].ID != want {
			t.Errorf("%s: %+v, want %s first", query, got, want)
		}
	}
	if got := o.claims("line=CRYPTO"); got.Total != 0 || got.Sum != "0.000000" || len(got.Data[0]) != 0 {
		t.Errorf("of the other line: %+v", got)
	}
	if got := o.claims("state=Claimed"); got.Total != 0 {
		t.Errorf("taken: %+v", got)
	}
	o.get("operator/claims?uid=x&from=yesterday").names("uid", "from")
	o.get("operator/claims?from=2026-02-30").says(400, "There is no day 2026-02-30 in the calendar.")
	o.get("operator/claims?uid=999999").refused(404)
}
