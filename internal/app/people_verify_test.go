package app

import (
	"errors"
	"testing"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// Verify finds changes of registrations outside the program, even if the tree remains
// consistent: registrations are in the signed chain.
func TestVerifyFindsChangedMembersAndPlaces(t *testing.T) {
	t.Parallel()
	smoke(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		for i := range 6 {
			s.register(s.root.UID, tree.Left, "Anna "+letters[i])
		}
		check := func() error {
			_, err := Verify(t.Context(), s.cfg, false, nil)
			return err
		}
		if err := check(); err != nil {
			t.Fatal(err)
		}
		raw := testkit.Raw(t, dsn)
		run := func(query string) {
			t.Helper()
			if _, err := raw.ExecContext(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
		for tamper, restore := range map[string]string{
			"UPDATE place SET sponsor = 3 WHERE no = 5":                                                  "UPDATE place SET sponsor = 1 WHERE no = 5",
			"UPDATE place SET uid = uid + 4000000 WHERE no = 4":                                          "UPDATE place SET uid = uid - 4000000 WHERE no = 4",
			"UPDATE member SET joined_at = joined_at + 1 WHERE name = 'Anna Zeta'":                       "UPDATE member SET joined_at = joined_at - 1 WHERE name = 'Anna Zeta'",
			"UPDATE credential SET uid = uid + 4000000 WHERE uid = (SELECT uid FROM place WHERE no = 6)": "UPDATE credential SET uid = uid - 4000000 WHERE uid > 4000000",
		} {
			run(tamper)
			var f *enrol.Finding
			if err := check(); !errors.As(err, &f) {
				t.Errorf("%s: %v", tamper, err)
			}
			run(restore)
		}
		if err := check(); err != nil {
			t.Errorf("restored: %v", err)
		}
	})
}

// A customer has no credential and is entered under an operator's name. Verify accepts
// that, and still finds a changed place or an added sign-in.
func TestVerifyPassesAfterARetailCustomer(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		s.register(s.root.UID, tree.Left, "Anna Beta")
		s.operator().post("operator/customer", m{
			"sid": id(s.root.UID), "name": "Rita Retail", "email": "rita@mail.example", "mobile": "9876543210", "countryid": "99",
		}).into(&m{})
		if _, err := Verify(t.Context(), s.cfg, false, nil); err != nil {
			t.Fatal(err)
		}
		raw := testkit.Raw(t, dsn)
		for tamper, restore := range map[string]string{
			"UPDATE place SET sponsor = 2 WHERE no = 3": "UPDATE place SET sponsor = 1 WHERE no = 3",
			"UPDATE credential SET uid = (SELECT uid FROM place WHERE no = 3) WHERE uid = (SELECT uid FROM place WHERE no = 2)": "UPDATE credential SET uid = (SELECT uid FROM place WHERE no = 2) WHERE uid = (SELECT uid FROM place WHERE no = 3)",
		} {
			var f *enrol.Finding
			if _, err := raw.ExecContext(t.Context(), tamper); err != nil {
				t.Fatal(err)
			}
			if _, err := Verify(t.Context(), s.cfg, false, nil); !errors.As(err, &f) {
				t.Errorf("%s: %v", tamper, err)
			}
			if _, err := raw.ExecContext(t.Context(), restore); err != nil {
				t.Fatal(err)
			}
		}
	})
}
