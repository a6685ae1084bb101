package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

// claims are sixty of both lines, three members and ten days, of which every
// third is funded and every sixth taken.
func (l *lists) claims() (all []invest.Claim) {
	for i := range 60 {
		c := invest.Claim{ID: fmt.Sprintf("C-p%02d", i), Position: fmt.Sprintf("p%02d", i), Line: plan.LineNames[i%2], No: int64(1 + i%3), Amount: money.Micro(100), Net: money.Micro(int64(100 + i)), Day: plan.Day(20000 + i/6)}
		all = append(all, c)
	}
	store := l.DB.Invest()
	l.do(func(ctx context.Context, tx *ledger.Tx) error { return store.AddClaims(ctx, tx, all) })
	l.do(func(ctx context.Context, tx *ledger.Tx) (err error) {
		for i := range all {
			c := &all[i]
			switch i % 3 {
			case 0:
				c.Recalled = c.Net
			case 1:
				c.Recalled = money.Micro(7)
			}
			if c.Recalled.Sign() > 0 {
				err = errors.Join(err, store.Recall(ctx, tx, c.ID, c.Recalled))
			}
			if i%6 == 0 {
				c.Done = true
				err = errors.Join(err, store.Done(ctx, tx, c.ID, 20100))
			}
		}
		return err
	})
	return all
}

func TestClaimsAreListedByStateWithTheCashThatTheyNeed(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := &lists{Ledger: testkit.StartLedger(t, dsn), t: t}
		all := l.claims()
		for _, f := range []invest.ClaimFilter{
			{},
			{State: invest.ClaimOpen},
			{State: invest.ClaimFunded},
			{State: invest.ClaimDone},
			{Line: "FOREX"},
			{State: invest.ClaimOpen, Line: "CRYPTO"},
			{No: 2},
			{State: invest.ClaimOpen, No: 3},
			{From: 20003, To: 20005},
			{State: invest.ClaimFunded, Line: "FOREX", From: 20002, Newest: true},
			{Newest: true},
		} {
			var want []string
			need := int64(0)
			for _, c := range all {
				if (f.State == "" || c.State() == f.State) && (f.Line == "" || c.Line == f.Line) && (f.No == 0 || c.No == f.No) && (f.From == 0 || c.Day >= f.From) && (f.To == 0 || c.Day <= f.To) {
					want, need = append(want, c.ID), need+c.Net.Micros()-c.Recalled.Micros()
				}
			}
			if f.Newest {
				slices.Reverse(want)
			}
			for _, offset := range []int{0, 5, len(want)} {
				f.Offset, f.Limit = int64(offset), 10
				found, total, sum, err := l.DB.Invest().Claims(t.Context(), f)
				var got []string
				for _, c := range found {
					got = append(got, c.ID)
				}
				if part := want[min(offset, len(want)):min(offset+10, len(want))]; err != nil || total != int64(len(want)) || sum.Micros() != need || !slices.Equal(got, part) {
					t.Errorf("%+v: %v of %d, which need %s; want %v of %d, %d; %v", f, got, total, sum, part, len(want), need, err)
				}
			}
		}
		if err := l.DB.CheckLists(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestTotalsOfOpenPositionsMatchARecount(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := &lists{Ledger: testkit.StartLedger(t, dsn), t: t}
		positions := l.DB.Invest()
		right := func(forex, crypto invest.Standing) {
			t.Helper()
			lines, err := l.DB.Closing().LineBooks(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []invest.Standing{forex, crypto} {
				if got := (invest.Standing{Positions: lines[i].Positions, Principal: lines[i].Principal, Loss: lines[i].Loss}); got != want {
					t.Errorf("%s stands at %+v, not %+v", lines[i].Line, got, want)
				}
			}
			if err := l.DB.CheckLists(t.Context()); err != nil {
				t.Error(err)
			}
		}
		right(invest.Standing{}, invest.Standing{})
		l.do(func(ctx context.Context, tx *ledger.Tx) (err error) {
			for i := range 4 {
				err = errors.Join(err, positions.Add(ctx, tx, invest.Position{ID: fmt.Sprint("p", i), Line: "FOREX", No: 1, Payer: 1, Package: 1, Topup: "Activation", Principal: money.Micro(int64(100 + i)), Day: 20000, Term: 30, State: invest.Open}))
			}
			return err
		})
		right(invest.Standing{Positions: 4, Principal: money.Micro(406)}, invest.Standing{})
		l.do(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(positions.SetPositions(ctx, tx, []invest.Position{{ID: "p0", Loss: money.Micro(7), State: invest.Open}, {ID: "p1", State: invest.Matured}}),
				positions.SetOpen(ctx, tx, "FOREX", invest.Standing{Positions: 3, Principal: money.Micro(305), Loss: money.Micro(7)}))
		})
		right(invest.Standing{Positions: 3, Principal: money.Micro(305), Loss: money.Micro(7)}, invest.Standing{})
		l.do(func(ctx context.Context, tx *ledger.Tx) error {
			return positions.SetOpen(ctx, tx, "FOREX", invest.Standing{Positions: 3, Principal: money.Micro(306), Loss: money.Micro(7)})
		})
		var wrong *store.ListFinding
		if err := l.DB.CheckLists(t.Context()); !errors.As(err, &wrong) || wrong.List != "position" {
			t.Errorf("a sum that is wrong by one is reported as %v", err)
		}
	})
}
