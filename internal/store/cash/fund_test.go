package cash_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A rejected request is the one that may have a value in every column.
func rejected(r *fund.Request) { r.Fund, r.Way, r.State = fund.Crypto, fund.ByUSDT, fund.Rejected }

func undecided(r *fund.Request) {
	rejected(r)
	*r = fund.Request{ID: r.ID, UID: r.UID, Fund: r.Fund, Amount: r.Amount, Number: r.Number, Way: r.Way, Bank: r.Bank, State: fund.Pending, RequestedAt: r.RequestedAt}
}

func addRequests(s *testkit.Stores, all ...fund.Request) {
	s.T.Helper()
	s.Write(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for _, r := range all {
			err = errors.Join(err, s.DB.Fund().Add(ctx, tx, r))
		}
		return err
	})
}

func TestAFundRequestIsReadAsItWasWritten(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Fund()
		all := []fund.Request{testkit.Full(1, rejected), testkit.Full(2, undecided), testkit.Full(3, rejected)}
		all[2].Number = all[0].Number
		addRequests(s, all...)
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			for _, r := range all {
				s.Is(r, true)(store.Get(ctx, tx, r.ID))
			}
			s.Is(fund.Request{}, false)(store.Get(ctx, tx, 7))
			s.Is([]fund.Request{all[0], all[2]})(store.Named(ctx, tx, all[0].Number))
			s.Is(nil)(store.Named(ctx, tx, "nothing"))
		})
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is()(store.Verify(ctx, tx, all[0].ID)) })
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error {
			again := testkit.Full(4, undecided)
			again.ID = all[1].ID
			return store.Add(ctx, tx, again)
		})
		s.Is(all[1], true)(store.Get(t.Context(), nil, all[1].ID))
	})
}

func TestAChangeOfAFundRequestWritesItsColumnsOnly(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Fund()
		now := testkit.Full(9, func(r *fund.Request) { rejected(r); r.ReleasedAt = time.Time{} })
		for i, c := range []struct {
			name   string
			change func(ctx context.Context, tx *ledger.Tx, r fund.Request) error
			want   func(r *fund.Request)
			once   bool // done twice, it is refused
		}{
			{"Match", store.Match, func(r *fund.Request) {
				r.Amount, r.Source, r.Verdict, r.VerdictAt = now.Amount, now.Source, now.Verdict, now.VerdictAt
			}, false},
			{"First", store.First, func(r *fund.Request) { r.First, r.FirstAt = now.First, now.FirstAt }, true},
			{"Decide", store.Decide, func(r *fund.Request) {
				r.State, r.Remark, r.DecidedBy, r.DecidedName, r.DecidedAt = now.State, now.Remark, now.DecidedBy, now.DecidedName, now.DecidedAt
			}, true},
			{"NeedTwo", func(ctx context.Context, tx *ledger.Tx, r fund.Request) error { return store.NeedTwo(ctx, tx, r.ID) }, func(r *fund.Request) { r.NeedsTwo = true }, false},
			{"SetVerdict", func(ctx context.Context, tx *ledger.Tx, r fund.Request) error {
				done, err := store.SetVerdict(ctx, tx, r.ID, r.Verdict, r.VerdictAt)
				return errors.Join(err, unless(done))
			}, func(r *fund.Request) { r.Verdict, r.VerdictAt = now.Verdict, now.VerdictAt }, false},
		} {
			pending, other, decided := testkit.Full(int64(10+3*i), undecided), testkit.Full(int64(11+3*i), undecided), testkit.Full(int64(12+3*i), rejected)
			addRequests(s, pending, other, decided)
			change := func(id int64) error {
				return s.Try(func(ctx context.Context, tx *ledger.Tx) error {
					r := now
					r.ID = id
					return c.change(ctx, tx, r)
				})
			}
			want := pending
			c.want(&want)
			if err := change(pending.ID); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			if err := change(pending.ID); (err == nil) == c.once {
				t.Errorf("%s again: %v", c.name, err)
			}
			if err := change(decided.ID); err == nil {
				t.Errorf("%s of a decided request is done", c.name)
			}
			for _, r := range []fund.Request{want, other, decided} {
				s.Is(r, true)(store.Get(t.Context(), nil, r.ID))
			}
		}
	})
}

func unless(done bool) error {
	if done {
		return nil
	}
	return errors.New("nothing is written")
}

func TestOnlyTheNumberOfARejectedRequestIsReleasedOnce(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, at := s.DB.Fund(), testkit.Epoch.Add(time.Hour)
		held := testkit.Full(1, rejected, func(r *fund.Request) { r.ReleasedAt = time.Time{} })
		pending := testkit.Full(2, undecided)
		addRequests(s, held, pending)
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(true)(store.Release(ctx, tx, held.ID, at))
			s.Is(false)(store.Release(ctx, tx, held.ID, at.Add(time.Hour)))
			s.Is(false)(store.Release(ctx, tx, pending.ID, at))
			s.Is(false)(store.Release(ctx, tx, 7, at))
		})
		held.ReleasedAt = at
		s.Is(held, true)(store.Get(t.Context(), nil, held.ID))
		s.Is(pending, true)(store.Get(t.Context(), nil, pending.ID))
	})
}

// someRequests are of three members, both ways, all states, four numbers and twenty
// minutes; every request of a chain's payment has a source.
func someRequests() (all []fund.Request) {
	for i := range int64(40) {
		r := testkit.Full(i+1, undecided)
		r.UID, r.Amount, r.RequestedAt = 1+i%3, money.Micro(1000-i%7), testkit.Epoch.Add(time.Duration(i/2)*time.Minute)
		r.Number = fmt.Sprintf("N%02d", i%8)
		if i%2 == 0 {
			r.Way = fund.ByBank
		}
		if i%5 == 4 {
			r.Source = fmt.Sprint("source ", i)
		}
		if i%4 > 1 {
			r.State, r.DecidedBy, r.DecidedName, r.DecidedAt = fund.Rejected, 1+i%2, "Olga", testkit.Epoch.Add(time.Duration(i%9)*time.Hour)
		}
		if i%4 == 3 {
			r.ReleasedAt = testkit.Epoch.Add(time.Duration(i) * time.Second)
		}
		if i%8 == 2 || r.Source != "" && i%3 == 0 {
			r.State, r.ReleasedAt, r.DecidedBy, r.DecidedName, r.DecidedAt = fund.Approved, time.Time{}, i%3, "Otto", testkit.Epoch.Add(time.Duration(i%9)*time.Hour)
			r.Number += fmt.Sprint("A", i)
			if i%16 == 2 {
				r.First.Operator, r.First.Name, r.FirstAt = 9, "Eve", testkit.Epoch
			}
		}
		if r.ReleasedAt.IsZero() && r.Source == "" && r.State != fund.Approved {
			r.Number += fmt.Sprint("-", i%16) // a member names a number once
		}
		all = append(all, r)
	}
	return all
}

func chosen[T any](all []T, wanted func(*T) bool, order func(a, b T) int) (out []T) {
	for i := range all {
		if wanted(&all[i]) {
			out = append(out, all[i])
		}
	}
	slices.SortFunc(out, order)
	return out
}

func down[T any](order func(a, b T) int, reverse bool) func(a, b T) int {
	if !reverse {
		return order
	}
	return func(a, b T) int { return order(b, a) }
}

func within(at, from, before time.Time) bool {
	return !at.Before(from) && (before.IsZero() || at.Before(before))
}

func TestFundRequestsAreListedByEveryFilterAndOrder(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		all := someRequests()
		addRequests(s, all...)
		by := func(o fund.Order) func(a, b fund.Request) int {
			return func(a, b fund.Request) int {
				first := map[fund.Order]int{
					fund.ByAmount: a.Amount.Cmp(b.Amount), fund.ByState: strings.Compare(string(a.State), string(b.State)),
					fund.ByNumber: strings.Compare(a.Number, b.Number), fund.ByDecision: a.DecidedAt.Compare(b.DecidedAt),
				}[o]
				return cmp.Or(first, cmp.Compare(a.ID, b.ID))
			}
		}
		early, late := testkit.Epoch.Add(3*time.Minute), testkit.Epoch.Add(15*time.Minute)
		for _, f := range []fund.Filter{
			{},
			{Oldest: true},
			{Way: fund.ByBank},
			{State: fund.Pending},
			{Way: fund.ByUSDT, State: fund.Rejected, Oldest: true},
			{UID: 1},
			{UID: 2, State: fund.Rejected},
			{UID: 2, Way: fund.ByBank, Oldest: true},
			{Number: all[8].Number},
			{From: early},
			{Before: late},
			{From: early, Before: late, State: fund.Pending},
			{Upto: all[20].ID},
			{Upto: all[20].ID, UID: 3},
			{UID: 1, Order: fund.ByAmount},
			{UID: 1, Order: fund.ByAmount, Oldest: true},
			{UID: 2, Order: fund.ByState},
			{UID: 3, Order: fund.ByNumber, Oldest: true},
			{UID: 1, Order: fund.ByDecision},
			{Order: fund.ByAmount}, // everybody's are by time
			{Number: "nothing"},
		} {
			order := f.Order
			if f.UID == 0 {
				order = fund.ByTime
			}
			want := chosen(all, func(r *fund.Request) bool {
				return (f.UID == 0 || r.UID == f.UID) && (f.Way == "" || r.Way == f.Way) && (f.State == "" || r.State == f.State) &&
					(f.Number == "" || r.Number == f.Number) && (f.Upto == 0 || r.ID <= f.Upto) && within(r.RequestedAt, f.From, f.Before)
			}, down(by(order), !f.Oldest))
			testkit.Pages(s, fmt.Sprintf("%+v", f), want, func(offset, limit int64) ([]fund.Request, int64, error) {
				f.Offset, f.Limit = offset, limit
				return s.DB.Fund().List(t.Context(), f)
			})
		}
	})
}

func TestFundRequestsAreCountedForWhoAsksAndDecides(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store, all := s.DB.Fund(), someRequests()
		s.In(func(ctx context.Context, tx *ledger.Tx) { s.Is(0, 0, false)(store.Ahead(ctx, tx, 1, "N00")) })
		addRequests(s, all...)
		count := func(wanted func(r *fund.Request) bool) (n, sum int64) {
			for i := range all {
				if wanted(&all[i]) {
					n, sum = n+1, sum+all[i].Amount.Micros()
				}
			}
			return n, sum
		}
		since := testkit.Epoch.Add(2 * time.Hour) // of some decisions, which are not counted
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			for uid := range int64(4) {
				pending, _ := count(func(r *fund.Request) bool { return r.UID == uid && r.State == fund.Pending && r.Source == "" })
				for _, r := range all {
					taken, _ := count(func(x *fund.Request) bool {
						return x.Number == r.Number && (x.State == fund.Approved || x.UID == uid && x.ReleasedAt.IsZero())
					})
					s.Is(all[len(all)-1].ID, pending, taken > 0)(store.Ahead(ctx, tx, uid, r.Number))
				}
			}
		})
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			sums := map[int64]money.Amount{}
			for _, uid := range []int64{1, 2, 3} {
				if n, sum := count(func(r *fund.Request) bool {
					return r.UID == uid && r.State == fund.Approved && r.DecidedBy > 0 && r.DecidedAt.After(since)
				}); n > 0 && uid != 2 {
					sums[uid] = money.Micro(sum)
				}
			}
			s.Is(sums)(store.ApprovedSince(ctx, tx, []int64{1, 3, 99}, since))
			s.Is(map[int64]money.Amount{})(store.ApprovedSince(ctx, tx, nil, since))
			for operator := range int64(4) {
				_, sum := count(func(r *fund.Request) bool {
					return operator > 0 && r.DecidedBy == operator && r.State == fund.Approved && r.First.Operator == 0 && r.DecidedAt.After(since)
				})
				s.Is(money.Micro(sum))(store.AloneSince(ctx, tx, operator, since))
			}
		})
		numbers, claims := []string{}, map[string]int64{}
		for i := range 1100 { // more than one statement asks for
			numbers = append(numbers, fmt.Sprint("none ", i))
		}
		for _, r := range all {
			if n, _ := count(func(x *fund.Request) bool { return x.Number == r.Number && x.ReleasedAt.IsZero() }); n > 0 {
				claims[r.Number] = n
			}
			if !slices.Contains(numbers, r.Number) {
				numbers = append(numbers, r.Number)
			}
		}
		s.Is(claims)(store.Claims(t.Context(), numbers))
	})
}

func TestANumberIsCreditedByTheLedgerAndByRequests(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		r := testkit.Full(1, rejected, func(r *fund.Request) { r.State, r.ReleasedAt = fund.Approved, time.Time{} })
		other := testkit.Full(2, undecided, func(o *fund.Request) { o.Number = r.Number })
		addRequests(s, r, other)
		s.Write(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(fund.Deposit(tx, 1, fund.Robot, money.Micro(5), r.Number), fund.Deposit(tx, 2, fund.Robot, money.Micro(5), r.Number),
				fund.Deposit(tx, 2, fund.Robot, money.Micro(5), "other"), fund.Transfer(tx, 2, 1, fund.Robot, money.Micro(5), r.Number))
		})
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(2, 1)(s.DB.Fund().Credited(ctx, tx, r.Number))
			s.Is(1, 0)(s.DB.Fund().Credited(ctx, tx, "other"))
			s.Is(0, 0)(s.DB.Fund().Credited(ctx, tx, "nothing"))
		})
	})
}
