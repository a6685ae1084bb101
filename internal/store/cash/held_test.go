package cash_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func sortedHeld(all []fund.Held, err error) ([]fund.Held, error) {
	slices.SortFunc(all, func(a, b fund.Held) int { return cmp.Or(cmp.Compare(a.Giver, b.Giver), cmp.Compare(a.Fund, b.Fund)) })
	return all, err
}

func TestHeldMoneyIsWrittenOverAndExtendedForItsGiverOnly(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, day := s.DB.Fund(), func(n int) time.Time { return testkit.Epoch.AddDate(0, 0, n) }
		var many []fund.Held // more than one statement writes
		for i := range int64(700) {
			many = append(many, fund.Held{UID: 10 + i, Fund: fund.Forex, Giver: 5, Amount: money.Micro(1 + i), Until: day(5)})
		}
		other := fund.Held{UID: 10, Fund: fund.Forex, Giver: 6, Amount: money.Micro(9), Until: day(5)}
		second := fund.Held{UID: 10, Fund: fund.Robot, Giver: 5, Amount: money.Micro(8), Until: day(2)}
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.PutHeld(ctx, tx, 5, many), store.PutHeld(ctx, tx, 6, []fund.Held{other}), store.PutHeld(ctx, tx, 5, []fund.Held{second}), store.PutHeld(ctx, tx, 5, nil))
		})
		held := func(uid int64, want ...fund.Held) {
			t.Helper()
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				s.Is(want)(sortedHeld(store.Held(ctx, tx, uid)))
			})
		}
		held(10, many[0], second, other)
		held(709, many[699])
		held(7)
		many[0].Amount, many[0].Until = money.Micro(77), day(6)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error { return store.PutHeld(ctx, tx, 5, many[:1]) })
		held(10, many[0], second, other)
		held(11, many[1])
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.ExtendHeld(ctx, tx, 5, day(2), day(9)), store.ExtendHeld(ctx, tx, 99, day(2), day(9)))
		})
		many[0].Until, many[699].Until = day(9), day(9)
		held(10, many[0], second, other) // the second ended at that moment
		held(709, many[699])
		s.Refused(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.ExtendHeld(ctx, tx, 6, day(0), day(20)), errors.New("undo it"))
		})
		held(10, many[0], second, other)
	})
}

// gift is a transfer between members in a minute.
type gift struct {
	from, to int64
	fund     fund.Kind
	amount   int64
	minute   int
}

var gifts = []gift{
	{1, 2, fund.Robot, 50, 0},
	{1, 3, fund.Robot, 50, 1},
	{1, 2, fund.Robot, 70, 2},
	{1, 2, fund.Forex, 5, 3},
	{2, 3, fund.Robot, 60, 4},
	{1, 4, fund.Crypto, 5, 5},
	{1, 2, fund.Robot, 1, 6},
	{1, 4, fund.Robot, 2, 7},
	{3, 1, fund.Robot, 9, 8},
	{1, 2, fund.Forex, 5, 9},
}

// minute is when the gifts of a minute are made; deposits were made before.
func minute(n int) time.Time { return testkit.Epoch.Add(time.Duration(n+1) * time.Minute) }

// give does the gifts, after deposits, and returns the numbers of their transfers.
func give(s *testkit.Stores, all []gift) (seqs []int64) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, uid := range []int64{1, 2, 3} {
			for _, k := range []fund.Kind{fund.Robot, fund.Forex, fund.Crypto} {
				err = errors.Join(err, fund.Deposit(tx, uid, k, money.Micro(1000), "paid in"))
			}
		}
		return err
	})
	for _, g := range all {
		s.Clock.Advance(minute(g.minute).Sub(s.Clock.Now()))
		s.Write(func(_ context.Context, tx *ledger.Tx) error {
			return fund.Transfer(tx, g.from, g.to, g.fund, money.Micro(g.amount), "gift")
		})
		head, err := s.DB.Ledger().Head(s.T.Context())
		if err != nil {
			s.T.Fatal(err)
		}
		seqs = append(seqs, head.Seq)
	}
	return seqs
}

func TestGiftsAreFoundAfterATransferAndATime(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, seqs := s.DB.Fund(), give(s, gifts)
		asked := []int64{}
		for uid := range int64(600) { // more than one statement asks for
			asked = append(asked, uid+1)
		}
		for _, c := range []struct {
			seq  int64
			last int
		}{{0, -1}, {0, 0}, {seqs[4], -1}, {0, 4}, {seqs[2], 7}, {seqs[9], -1}, {0, 9}} {
			since := minute(c.last)
			counts := func(i int) bool { return seqs[i] > c.seq && gifts[i].minute > c.last }
			gave, given, sums := map[int64]bool{}, []fund.Gift{}, []fund.Gift{}
			for i, g := range gifts {
				if !counts(i) {
					continue
				}
				gave[g.from] = true
				if g.from != 3 {
					given = append(given, fund.Gift{Seq: seqs[i], To: g.to, Fund: g.fund, Amount: money.Micro(g.amount)})
				}
			}
			largest := func(a, b fund.Gift) int { return cmp.Or(b.Amount.Cmp(a.Amount), cmp.Compare(a.Seq, b.Seq)) }
			slices.SortFunc(given, largest)
			const each = 3
			for _, g := range given[min(each, len(given)):] {
				i := slices.IndexFunc(sums, func(x fund.Gift) bool { return x.To == g.To && x.Fund == g.Fund })
				if i < 0 {
					g.Sum = true
					sums = append(sums, g)
					continue
				}
				sums[i].Amount, sums[i].Seq = money.Micro(sums[i].Amount.Micros()+g.Amount.Micros()), min(sums[i].Seq, g.Seq)
			}
			slices.SortFunc(sums, largest)
			s.In(func(ctx context.Context, tx *ledger.Tx) {
				got, err := store.Gave(ctx, tx, asked, c.seq, since)
				s.Is()(err)
				for uid := range int64(6) {
					last := slices.Max(append([]int64{0}, chosen(seqs, func(x *int64) bool { return gifts[slices.Index(seqs, *x)].from == uid }, cmp.Compare[int64])...))
					if found := slices.Contains(got, uid); (gave[uid] && !found) || (found && last <= c.seq) {
						t.Errorf("%+v: %v gave, of whom the last gift of %d is %d", c, got, uid, last)
					}
				}
				for most := range len(sums) + 2 {
					all := fund.Gifts{Each: given[:min(each, len(given))], Sums: sums[:min(most, len(sums))], More: most < len(sums)}
					found, err := store.Given(ctx, tx, fund.GiftsOf{UIDs: []int64{1, 2}, After: c.seq, Since: since, Each: each, Sums: most})
					s.Is(all.Each, all.More)(found.Each, found.More, err)
					s.Is(all.Sums)(found.Sums)
				}
			})
		}
	})
}
