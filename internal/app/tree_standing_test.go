package app

import (
	"context"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A place of the tree shows its member's purchases and the results of closes.
func TestTreePlaceShowsPackageColourCarryAndRank(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		anna := s.register(s.root.UID, tree.Left, "Anna Alpha")
		bert := s.register(s.root.UID, tree.Right, "Bert Beta")
		carl := s.register(anna, tree.Left, "Carl Gamma")
		node := func(uid int64) m {
			t.Helper()
			root := s.login(s.root.UID, rootPassword)
			var got struct{ Data [][]m }
			root.post("binaryTree", m{"loginId": id(s.root.UID)}).into(&got)
			for _, n := range got.Data[0] {
				if n["uid"] == id(uid) {
					return n
				}
			}
			t.Fatalf("%d is not in the tree", uid)
			return nil
		}
		s.shows("nothing bought", node(anna), m{"IdColor": "Red", "package": "", "packageName": "", "packageamount": "0.000000", "activationdate": "", "T_LeftB": "0.000000", "binaryrank": ""})
		s.buy(s.root.UID, 6, "2500")
		s.buy(anna, 6, "2500")
		s.buy(bert, 5, "1000")
		s.buy(carl, 1, "50")
		s.shows("cooling off", node(anna), m{"IdColor": "Orange", "package": "6", "packageName": "Robot Elite", "packageamount": "2500.000000", "lbv": "50.000000"})
		if node(anna)["activationdate"] == "" {
			t.Error("activated and no date of it")
		}
		s.command(s.refunds("s" + id(carl) + "x1"))
		s.shows("given back", node(carl), m{"IdColor": "Red", "package": "", "packageName": "", "packageamount": "0.000000", "activationdate": ""})
		s.shows("above it", node(anna), m{"lbv": "0.000000", "totalleft": 0.0, "T_Left": 1.0})

		s.clock.SetWall(time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-29"); err != nil {
			t.Fatal(err)
		}
		s.shows("final", node(bert), m{"IdColor": "Green", "package": "5", "packageName": "Robot Pro"})
		s.shows("matched", node(s.root.UID), m{"IdColor": "Green", "T_LeftB": "1500.000000", "T_RightB": "0.000000", "binaryrank": "Bronze", "lbv": "2500.000000", "rbv": "1000.000000"})
	})
}

// refunds gives a sale back within a command.
func (s *site) refunds(sale string) func(context.Context, *ledger.Tx) error {
	return func(ctx context.Context, tx *ledger.Tx) error {
		return s.services.Market.Refund(ctx, tx, sale)
	}
}
