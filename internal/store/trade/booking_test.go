package trade_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// proposed is a proposal that waits, of a kind that decides which of its columns are
// empty.
func proposed(seed int64, kind booking.Kind) booking.Proposal {
	return testkit.Full(seed, func(p *booking.Proposal) {
		p.Act.Kind, p.Act.UID, p.Act.Cancels = kind, 0, booking.PnL
		if kind != booking.Recall {
			p.Act.Claim = ""
		}
		if kind != booking.Cancel {
			p.Act.Booking = ""
		}
		p.State, p.Decided, p.DecidedAt, p.Reason, p.Alone, p.Event, p.Known = approval.Waiting, actor.By{}, time.Time{}, "", "", "", ""
	})
}

func TestABookingProposalIsReadBackUnchanged(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Operate()
		all := []booking.Proposal{proposed(1, booking.PnL), proposed(2, booking.Recall), proposed(3, booking.Cancel), proposed(4, booking.Chargeback), proposed(5, booking.Settle)}
		for i := range all {
			s.Write(func(ctx context.Context, tx *ledger.Tx) error {
				id, err := store.AddProposal(ctx, tx, all[i])
				if all[i].ID = int64(i + 1); id != all[i].ID {
					t.Errorf("proposal %d has id %d", i+1, id)
				}
				return err
			})
		}
		all[1].Known, all[2].Known = `{"price":"5"}`, `{"price":"6"}`
		write(s, func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(store.AddFacts(ctx, tx, 2, all[1].Known), store.AddFacts(ctx, tx, 3, all[2].Known))
		})
		s.NotUnique(func(ctx context.Context, tx *ledger.Tx) error { return store.AddFacts(ctx, tx, 2, "{}") })
		is := func(waiting, decided []booking.Proposal) {
			t.Helper()
			s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
				t.Helper()
				for _, p := range all {
					s.Is(p, true)(store.Proposal(ctx, tx, p.ID))
				}
				s.Is(booking.Proposal{}, false)(store.Proposal(ctx, tx, 77))
				s.Is(waiting)(store.Waiting(ctx, tx))
			})
			s.Is(decided)(store.Decided(t.Context(), 9))
			s.Is(decided[:min(2, len(decided))])(store.Decided(t.Context(), 2))
		}
		is(all, nil)
		decide := func(i int, now booking.Proposal) func(ctx context.Context, tx *ledger.Tx) error {
			now.ID = all[i].ID
			return func(ctx context.Context, tx *ledger.Tx) error { return store.Decide(ctx, tx, now) }
		}
		now := testkit.Full(8, func(p *booking.Proposal) { p.State, p.Alone = approval.Approved, approval.AloneDemo })
		write(s, decide(2, now))
		refused := testkit.Full(7, func(p *booking.Proposal) {
			p.State, p.Alone, p.Event, p.DecidedAt = approval.Refused, "", "", now.DecidedAt
		})
		write(s, decide(0, refused))
		late := refused
		late.DecidedAt = now.DecidedAt.Add(1000)
		write(s, decide(1, late))
		for i, p := range map[int]booking.Proposal{2: now, 0: refused, 1: late} {
			w := &all[i]
			w.State, w.Decided, w.DecidedAt, w.Reason, w.Alone, w.Event = p.State, p.Decided, p.DecidedAt, p.Reason, p.Alone, p.Event
		}
		is(all[3:], []booking.Proposal{all[1], all[2], all[0]}) // the latest first
		s.Refused(decide(0, now))
		s.NotUnique(decide(3, now)) // an event comes of one proposal
		s.Refused(func(ctx context.Context, tx *ledger.Tx) error {
			n := refused
			n.ID = 77
			return store.Decide(ctx, tx, n)
		})
		is(all[3:], []booking.Proposal{all[1], all[2], all[0]})
	})
}

func TestAFileOfEvidenceStaysAsItIs(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		store := s.DB.Operate()
		all := []booking.Evidence{testkit.FullWithLists[booking.Evidence](1), testkit.FullWithLists[booking.Evidence](2)}
		again := testkit.Full(3, func(e *booking.Evidence) { e.Hash = all[0].Hash })
		write(s, add(append(all, again), store.AddEvidence))
		for _, e := range all {
			s.Is(e, true)(store.Evidence(t.Context(), e.Hash))
		}
		s.Is(booking.Evidence{}, false)(store.Evidence(t.Context(), "nothing"))
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(true)(store.HasEvidence(ctx, tx, all[1].Hash))
			s.Is(false)(store.HasEvidence(ctx, tx, "nothing"))
		})
		var broken *closing.Broken
		if err := s.DB.CheckEvidence(t.Context()); !errors.As(err, &broken) || broken.Of != "evidence "+all[0].Hash {
			t.Errorf("files that are not those of their hashes: %v", err)
		}
	})
}

func TestAProposalIsAboutWhoBoughtOrClaims(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		plant(s)
		write(s, add([]sale.Sale{sold("a", 2, 20, sale.Final)}, s.DB.Sale().Add), func(ctx context.Context, tx *ledger.Tx) error {
			return s.DB.Invest().AddClaims(ctx, tx, []invest.Claim{{ID: "a", Line: "FOREX", No: 4, Net: money.Micro(5)}})
		})
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			for about, uid := range map[[2]string]int64{{"a", ""}: uidOf(2), {"a", "a"}: uidOf(2), {"", "a"}: uidOf(4), {"nothing", "a"}: 0, {"", "nothing"}: 0} {
				s.Is(uid)(s.DB.Operate().About(ctx, tx, about[0], about[1]))
			}
		})
	})
}

func TestTheFactsOfASaleNameWhoIsPaidAndNotYetTakenFrom(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		plant(s)
		x := sold("S", 2, 20, sale.Final)
		all := addIncomes(s)
		write(s, add([]sale.Sale{x}, s.DB.Sale().Add))
		want := booking.Facts{Price: x.Amount.String(), Package: x.Package, TopUp: string(x.Topup), Buyer: uidOf(2), Payer: x.Payer}
		for _, i := range all[:16] {
			if i.Kind == plan.KindLevel && i.Row != 9 { // which was taken back
				want.Takes = append(want.Takes, booking.Take{UID: uidOf(i.Earner), Amount: money.Micro(i.Paid).String()})
			}
		}
		s.In(func(ctx context.Context, tx *ledger.Tx) {
			s.Is(want)(s.DB.Operate().OfSale(ctx, tx, "S"))
			f, err := s.DB.Operate().OfSale(ctx, tx, "nothing")
			s.Is(int64(0), nil)(f.Buyer, f.Takes, err)
		})
	})
}

func TestALossIsBornByOpenPositionsThatAreNotTooYoung(t *testing.T) {
	testkit.OnStores(t, func(t *testing.T, s *testkit.Stores) {
		all := []invest.Position{position("a", "FOREX", 1, 19, invest.Open), position("b", "FOREX", 1, 20, invest.Open), position("c", "FOREX", 1, 21, invest.Open), position("d", "CRYPTO", 1, 19, invest.Open), position("e", "FOREX", 1, 19, invest.Matured)}
		write(s, add(all, s.DB.Invest().Add))
		s.InAndOut(func(ctx context.Context, tx *ledger.Tx) {
			for day, n := range map[plan.Day]int64{19: 0, 20: 1, 21: 2, 22: 3} {
				s.Is(money.Micro(7*n), 3)(s.DB.Operate().Bearing(ctx, tx, "FOREX", day)) // each has 7 left
			}
			s.Is(money.Micro(7), 1)(s.DB.Operate().Bearing(ctx, tx, "CRYPTO", 20))
			s.Is(money.Micro(0), 0)(s.DB.Operate().Bearing(ctx, tx, "OTHER", 20))
		})
	})
}
