package app

import (
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A customer has no place in the tree; a customer's purchases pay the sponsor.
func TestRetailCustomerBuysAndSponsorEarns(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		operator := s.operator()
		body := m{"sid": id(s.root.UID), "name": "Rita Retail", "email": "rita@mail.example", "mobile": "9876543210", "countryid": "99"}
		s.hire(auth.RoleSupport).post("operator/customer", body).refused(403)
		operator.post("operator/customer", with(body, m{"sid": "999999"})).refused(404)
		operator.post("operator/customer", with(body, m{"email": "none"})).refused(400)
		var got struct{ Data struct{ UID string } }
		first := operator.post("operator/customer", body, "Idempotency-Key", "c1").into(&got)
		if again := operator.post("operator/customer", body, "Idempotency-Key", "c1"); again.text != first.text {
			t.Errorf("asked again it answers %s", again.text)
		}
		place, found := s.services.Tree.Get(s.services.Tree.Find(uidOf(t, got.Data.UID)))
		if !found || place.Parent != 0 || place.Side != tree.NoSide || place.Sponsor == 0 {
			t.Fatalf("the customer has place %+v, %v", place, found)
		}
		s.visitor().post("login", m{"uid": got.Data.UID, "password": "not-a-password-1", "ipaddress": ""}).into(&m{})
		if _, result := s.visitor().login(place.UID, "not-a-password-1"); result == "Successfull" {
			t.Error("a customer signed in")
		}
		s.buy(s.root.UID, 2, "100")
		s.buy(place.UID, 2, "100")
		s.clock.SetWall(time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-29"); err != nil {
			t.Fatal(err)
		}
		if sum := s.login(s.root.UID, rootPassword).report("LevelIncome", nil).Sum; sum != "8.000000" {
			t.Errorf("the sponsor earned %s", sum)
		}
	})
}

func uidOf(t *testing.T, s string) int64 {
	t.Helper()
	uid, err := member.ParseUserID(s)
	if err != nil {
		t.Fatal(err)
	}
	return uid
}
