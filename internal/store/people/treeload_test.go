package people_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A loaded tree passes the check that trusts nothing but the rows, and a
// database with members is left alone.
func TestALoadedTreeIsAsIfItsMembersHadJoined(t *testing.T) {
	t.Parallel()
	const members = 5_000
	testkit.Engines(t, func(t *testing.T, dsn string) {
		ctx := context.Background()
		db := testkit.Open(t, dsn)
		load := store.TreeLoad{
			IDKey: []byte("sixteen bytes it"), Password: "$argon2id$", Since: testkit.Epoch, Every: time.Second,
			Members: func(yield func(store.Joining) bool) {
				r := rand.New(rand.NewPCG(1, 2))
				for no := 1; no <= members; no++ {
					j := store.Joining{Active: no%3 == 0}
					if no > 1 {
						j.Sponsor, j.Side = tree.No(1+r.IntN(no-1)), tree.Side(1+r.IntN(2))
					}
					if j.Active {
						j.Business = tree.Business{tree.Robot: money.Micro(int64(no) * 1_000_000)}
					}
					if !yield(j) {
						return
					}
				}
			},
		}
		if err := db.LoadTree(ctx, load); err != nil {
			t.Fatal(err)
		}
		sum, err := tree.Check(ctx, db.Tree())
		if err != nil || sum.Members != members || sum.Changes != members/3 {
			t.Fatalf("%+v, %v", sum, err)
		}
		var all int
		if err := testkit.Raw(t, dsn).QueryRow(`SELECT COUNT(*) FROM place p JOIN member m ON m.uid = p.uid AND m.joined_at = p.joined_at
			JOIN credential c ON c.uid = p.uid`).Scan(&all); err != nil || all != members {
			t.Errorf("%d of %d members have a person and a password, %v", all, members, err)
		}
		if err := db.LoadTree(ctx, load); !errs.Is(err, errs.Conflict) {
			t.Errorf("a second load: %v", err)
		}
	})
}
