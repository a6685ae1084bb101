//go:build !race

package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// back restores a backup and opens the site on it.
func (s *treasury) back(file string) {
	s.t.Helper()
	if err := s.Close(); err != nil {
		s.t.Fatal(err)
	}
	if _, err := Restore(s.t.Context(), s.cfg, RestoreRequest{From: file, Force: true, Environ: os.Environ()}); err != nil {
		s.t.Fatal(err)
	}
	if _, err := VerifyWith(s.t.Context(), s.cfg, VerifyOptions{NewAnchor: true}); err != nil {
		s.t.Fatal(err)
	}
	s.App = cheapApp(s.t, s.cfg, s.clock)
	s.watch = s.freshWatch()
}

// A member gets an address after the backup. After the restore no row has the address, and
// the next member must get another one.
func TestRestoreGivesNoDepositAddressTwice(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openTreasury(t, dsn)
		me, _ := s.anna()
		mine := me.pays().Address
		s.look()
		file := filepath.Join(t.TempDir(), "x.backup")
		if _, err := Backup(t.Context(), s.cfg, BackupRequest{Plain: true, Out: file, Environ: os.Environ()}); err != nil {
			t.Fatal(err)
		}
		// A start after the backup begins a branch that the copy does not know.
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s.App = cheapApp(t, s.cfg, s.clock)
		lost := s.berta().pays().Address
		after := s.login(s.register(s.root.UID, tree.Right, "Emil Beta"), password).pays().Address
		s.back(file)
		operator := s.hire(auth.RoleFinance)
		me = s.login(me.uid, password)
		other := s.login(s.register(s.root.UID, tree.Right, "Carla Beta"), password)
		if got := other.pays().Address; got == lost || got == after || got == mine || got != chaintest.AddressOf(t, s.keyOf(got)) {
			t.Fatalf("Carla pays to %s, as Berta to %s or Emil to %s", got, lost, after)
		}
		if got := me.pays().Address; got != mine {
			t.Errorf("Anna pays to %s, before to %s", got, mine)
		}
		first := s.sent(after, "70")
		s.counts(first)
		s.look()
		s.watch = s.freshWatch() // it has a row for the second of two now, and not for the first
		s.look()
		small, large := s.sent(lost, "0.5"), s.sent(lost, "500")
		s.counts(s.sent(mine, "100"), small, large)
		s.look()
		s.has(robot(me.uid), "100")
		s.has(robot(other.uid), "0")
		why := map[any]any{}
		for _, u := range operator.unmatched("") {
			why[u["hash"]] = u["reason"]
			if (u["to"] != lost && u["to"] != after) || u["uid"] != "" {
				t.Errorf("%v", u)
			}
		}
		for _, hash := range []string{first, small, large} {
			if why[strings.ToLower(hash)] != "unassigned" || len(why) != 3 {
				t.Errorf("operators see %v", why)
			}
		}
		// The treasury finds the money there.
		if paid := chaintest.AddressOf(t, s.keyOf(lost)); paid != lost {
			t.Errorf("its key is that of %s", paid)
		}
		if list := operator.post("operator/deposits/sweep", m{"format": "csv"}).text; !strings.Contains(list, lost) || !strings.Contains(list, "500.5") {
			t.Errorf("the list for the treasury: %s", list)
		}
		if got := s.login(s.register(s.root.UID, tree.Right, "Dora Beta"), password).pays().Address; got == lost {
			t.Error("an address that was found without a member is given to one")
		}
		s.watch = s.freshWatch()
		s.look()
		if n := len(operator.unmatched("?reason=unassigned")); n != 3 {
			t.Errorf("after a restart %d are written down", n)
		}
		s.verified()
	})
}
