package bench

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// closeDay is the day that is closed: the last of a month, which pays royalties and salaries
// too.
const closeDay = "2026-04-30"

const dollar = 1_000_000

// shop is an installation just before the close: members in a tree, six of ten with a package,
// sales whose cooling-off ends that day, positions on both lines, and a booked and settled
// profit on each.
type shop struct {
	*world
	closing *closing.Service
	day     plan.Day
	ids     *member.IDs
}

// population is the number of members, and how their structure repeats.
//
// The random choices (sponsors, packages, purchases) are the same in every tenth, because
// otherwise growth would compare two different trees. A tenth has at least twenty branches
// (with the default size), so that enough heads of branches have a package to open all levels
// to the first member: with ten branches a tenth would pay fewer levels.
type population struct {
	members int
	branch  int // members of whom each is invited by one of the same branch; 0 if by anybody
	tenth   int // after as many everything repeats; never where anybody invites anybody
}

// drawing returns the random source for member no, which restarts with each tenth.
func (c population) drawing(no int, r *rand.Rand, seed uint64) *rand.Rand {
	if r == nil || (c.branch > 0 && c.within(no) == 0) {
		return rand.New(rand.NewPCG(seed, 2))
	}
	return r
}

// within returns a member's index in its tenth. The first member is in none.
func (c population) within(no int) int { return (no - 2) % c.tenth }

// drawn returns the member of the i-th event of a kind, and a random source for it.
// Consecutive events are far from each other in the tree.
func (c population) drawn(i int, kind uint64) (no int64, r *rand.Rand) {
	size, tenths := c.members, 1
	if c.branch > 0 {
		size, tenths = c.tenth, max(1, c.members/c.tenth)
	}
	r = rand.New(rand.NewPCG(kind, uint64(i/tenths)))
	return int64(2 + i%tenths*size + r.IntN(size-1)), r
}

// team yields the members, every tenth as a customer: branches below the first member, whose
// members are invited by a random member of the same branch to a random side. With branch 0
// sponsors are random members of all, so the tree becomes deeper with its size, and a sale
// pays more levels.
func (c population) team() iter.Seq[store.Joining] {
	return func(yield func(store.Joining) bool) {
		var r *rand.Rand
		for no := 1; no <= c.members; no++ {
			j := store.Joining{}
			if no > 1 {
				r = c.drawing(no, r, 1)
				j.Sponsor, j.Side = c.inviter(no, r)
				if customer(int64(j.Sponsor)) {
					j.Sponsor--
				}
				if customer(int64(no)) {
					j.Side = tree.NoSide
				}
			}
			if !yield(j) {
				return
			}
		}
	}
}

// inviter returns the sponsor of a member, and the side.
func (c population) inviter(no int, r *rand.Rand) (tree.No, tree.Side) {
	if c.branch == 0 {
		return anybody(no, r)
	}
	within := c.within(no) % c.branch
	if within == 0 {
		return 1, tree.Side(1 + r.IntN(2))
	}
	return tree.No(no - within + r.IntN(within)), tree.Side(1 + r.IntN(2))
}

func customer(no int64) bool { return no%10 == 0 }

// openShop opens a database with the members, and starts the services for a close.
func openShop(ctx context.Context, g *installation) (*shop, error) {
	day, err := plan.ParseDay(closeDay)
	if err != nil {
		return nil, err
	}
	ids, err := member.NewIDs([]byte(idKey))
	if err != nil {
		return nil, err
	}
	w, err := g.enter(ctx)
	if err != nil {
		return nil, err
	}
	return &shop{w, closing.New(closing.Options{
		Do: w.seq, Store: w.db.Closing(), Sales: w.db.Sale(), Positions: w.db.Invest(), Tree: w.tree,
		Members: member.New(member.Options{Store: w.db.Member()}), Clock: clock.System(), Log: slog.New(slog.DiscardHandler),
	}), day, ids}, nil
}

func (s *shop) do(ctx context.Context, run func(context.Context, *ledger.Tx) error) error {
	return do(ctx, s.seq, run)
}

// perCommand is the number of purchases per command.
const perCommand = 20_000

// stock inserts all data for the close except bookings.
func (s *shop) stock(ctx context.Context, c population, sales, positions int) error {
	at := time.Unix(int64(s.day-14)*24*60*60, 0).UTC().Add(6 * time.Hour)
	if err := s.do(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return errors.Join(s.closing.Begin(ctx, tx, plan.DefaultBody(), at), s.standing(ctx, tx, c))
	}); err != nil {
		return err
	}
	for from := 0; from < sales; from += perCommand {
		if err := s.sell(ctx, from, min(from+perCommand, sales), c, at); err != nil {
			return err
		}
	}
	for line := range plan.LineNames {
		for from := 0; from < positions/2; from += perCommand {
			if err := s.invest(ctx, line, from, min(from+perCommand, positions/2), c, at.Add(11*24*time.Hour)); err != nil {
				return err
			}
		}
	}
	// The close of the day before computes the members' state.
	_, err := s.closing.Commit(ctx, s.day-1, "")
	return err
}

// book takes operators' bookings for the close of a day, in dollars a position.
func (s *shop) book(ctx context.Context, on plan.Day, positions int, dollars map[string]int) error {
	return s.do(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		for _, line := range plan.LineNames {
			for kind, n := range dollars {
				if err := s.db.Closing().AddBooking(ctx, tx, closing.Booking{
					ID: kind + "-" + line + "-" + on.String(), Kind: kind, Line: line, Amount: money.Micro(int64(n*positions) * dollar), Reference: "statement",
					Day: on, At: time.Unix(int64(on)*24*60*60, 0),
				}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// standing inserts the state after earlier closes: six of ten members have a final package.
func (s *shop) standing(ctx context.Context, tx *ledger.Tx, c population) error {
	var all []closing.Carried
	var flips []closing.Flip
	var r *rand.Rand
	for no := int64(1); no <= int64(c.members); no++ {
		if r = c.drawing(int(no), r, 3); r.IntN(10) < 6 {
			all = append(all, closing.Carried{No: no, Final: 250 * dollar, Own: 250 * dollar, Sales: 1, Active: true})
			flips = append(flips, closing.Flip{No: no, Day: s.day - 40, Active: true})
		}
	}
	return errors.Join(s.db.Closing().Keep(ctx, tx, all), s.db.Closing().AddFlips(ctx, tx, flips))
}

func (s *shop) sell(ctx context.Context, from, to int, c population, at time.Time) error {
	all, in := make([]sale.Sale, 0, to-from), make([]ledger.Leg, 0, to-from)
	for i := from; i < to; i++ {
		no, _ := c.drawn(i, 5)
		x := sale.Sale{
			ID: fmt.Sprintf("s%07d", i), No: no, Payer: s.ids.At(no), Package: 4, Topup: sale.Upgrade, Amount: money.Micro(250 * dollar), Volume: money.Micro(250 * dollar),
			Day: s.day - 14, At: at.Add(time.Duration(i) * time.Microsecond), State: sale.Cooling,
		}
		all = append(all, x)
		in = append(in, ledger.Leg{Account: ledger.MustAccount("L:DEFERRED:" + x.ID), Delta: x.Amount})
	}
	return s.do(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return errors.Join(s.db.LoadPurchases(ctx, tx, all, nil), pay(tx, "A:CLIENT", in))
	})
}

func (s *shop) invest(ctx context.Context, line, from, to int, c population, at time.Time) error {
	all, in := make([]invest.Position, 0, to-from), make([]ledger.Leg, 0, to-from)
	name := plan.LineNames[line]
	for i := from; i < to; i++ {
		no, r := c.drawn(i, uint64(6+line))
		p := invest.Position{
			ID: fmt.Sprintf("p%d%07d", line, i), Line: name, No: no, Payer: s.ids.At(no), Package: 11, Topup: "Activation",
			Principal: money.Micro(int64(100+r.IntN(9000)) * dollar), Day: s.day - 3, Term: 180, At: at.Add(time.Duration(i) * time.Microsecond), State: invest.Open,
		}
		all = append(all, p)
		in = append(in, ledger.Leg{Account: ledger.MustAccount("L:PRINCIPAL:" + name + ":" + strconv.FormatInt(p.Payer, 10) + ":" + p.ID), Delta: p.Principal})
	}
	return s.do(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		return errors.Join(s.db.LoadPurchases(ctx, tx, nil, all), pay(tx, "A:TRADING:"+name, in))
	})
}

// pay posts customers' payments, against cash.
func pay(tx *ledger.Tx, cash string, in []ledger.Leg) error {
	for len(in) > 0 {
		n := min(len(in), ledger.MaxLegs-1)
		sum := int64(0)
		for _, l := range in[:n] {
			sum += l.Delta.Micros()
		}
		legs := append([]ledger.Leg{{Account: ledger.MustAccount(cash), Delta: money.Micro(sum)}}, in[:n]...)
		if _, err := tx.Post(ledger.Transfer{Kind: "bench", Legs: legs}); err != nil {
			return err
		}
		in = in[n:]
	}
	return nil
}

// verify replays the ledger and recounts the tree, as 'bifolia verify' does.
func (s *shop) verify(ctx context.Context) error {
	if err := s.db.Audit(ctx, func(r audit.Reader) error {
		_, err := audit.Verify(ctx, r, audit.Options{PublicKeys: map[string]ed25519.PublicKey{s.signer.KeyID(): s.signer.Public()}})
		return err
	}); err != nil {
		return err
	}
	if _, err := tree.Check(ctx, s.db.Tree()); err != nil {
		return err
	}
	if err := closing.CheckSums(ctx, s.db.Sums()); err != nil {
		return err
	}
	return closing.CheckDays(ctx, s.db.Days())
}
