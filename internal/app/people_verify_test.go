package app

import (
	"errors"
	"testing"

	"github.com/bifolia/bifolia/internal/enrol"
	"github.com/bifolia/bifolia/internal/testkit"
	"github.com/bifolia/bifolia/internal/tree"
)

// What is changed behind the product's back in who joined where is found, also
// where the tree by itself would still be a tree: registrations stand in the
// signed chain.
func TestVerifyFindsChangedMembersAndPlaces(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
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
