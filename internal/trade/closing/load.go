package closing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// day is one close in progress: its input and the result of the plan.
type day struct {
	s   *Service
	tx  *ledger.Tx
	p   *plan.Plan
	day plan.Day

	book      *plan.Book
	in        plan.Inputs
	carried   []uint64       // hashes of the members' carried values before the close
	begun     <-chan *sealed // seal of the carried values
	positions [2][]was
	batches   [2][]Batch
	bookings  []Booking
	refused   map[string]string
	payers    map[string]int64 // of charged back sales
	released  map[string]bool  // batches that this close releases
	out       *plan.Result
	posted    int
	preview   bool
	replay    bool // a replay of a past day
	who       Proposal
	started   time.Time
}

// was is a position before the close.
type was struct {
	loss  int64
	state plan.PositionState
}

// load reads the input of the close. The order of user ids and the seal of the previous
// close are computed in parallel.
func (d *day) load(ctx context.Context, closed bool) error {
	d.book, d.refused, d.payers = &plan.Book{}, map[string]string{}, map[string]int64{}
	if err := d.loadMembers(ctx); err != nil {
		return err
	}
	var sorted sync.WaitGroup
	defer sorted.Wait()
	sorted.Go(func() { d.book.ByUID = byUID(d.book.UID) })
	if err := d.loadCarried(ctx); err != nil {
		return err
	}
	if closed {
		d.beginSeal()
	}
	for _, step := range []func(context.Context) error{d.loadPools, d.loadSales, d.loadLines, d.loadBookings, d.loadFlips} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// loadMembers reads the places. They never change, so the tree's index provides them, and
// the store only those of members who joined since.
func (d *day) loadMembers(ctx context.Context) error {
	b := d.book
	known, _ := d.s.opt.Tree.State()
	total := int64(known)
	add := func(uid int64, sponsor, parent int64, side uint8) {
		b.UID = append(b.UID, uid)
		b.Sponsor, b.Parent, b.Side = append(b.Sponsor, int32(sponsor-1)), append(b.Parent, int32(parent-1)), append(b.Side, side)
		b.Customer = append(b.Customer, parent == 0 && sponsor != 0)
	}
	d.grow(int(total))
	d.s.opt.Tree.Each(func(_, sponsor, parent tree.No, uid int64, side tree.Side) {
		add(uid, int64(sponsor), int64(parent), uint8(side))
	})
	if err := d.s.opt.Store.Members(ctx, d.tx, int64(len(b.UID)), func(m Member) error {
		if m.No != int64(len(b.UID))+1 {
			return fmt.Errorf("closing: member %d follows %d", m.No, len(b.UID))
		}
		add(m.UID, m.Sponsor, m.Parent, m.Side)
		d.advanceSome("load", m.No, total)
		return nil
	}); err != nil {
		return err
	}
	begin(b)
	last, err := d.s.opt.Store.LastRow(ctx, d.tx)
	b.Rows = last
	return err
}

// begin allocates the members' carried values, initially zero.
func begin(b *plan.Book) {
	n := len(b.UID)
	for _, col := range []*[]int64{&b.Final, &b.Own, &b.Month, &b.Left, &b.Right, &b.MatchBot, &b.Debt} {
		*col = make([]int64, n)
	}
	b.Sales, b.Rank, b.Reward, b.Months = make([]int32, n), make([]uint8, n), make([]uint8, n), make([]uint8, n)
	b.Active, b.Blocked = make([]bool, n), make([]bool, n)
}

// byUID returns the members ordered by user id.
func byUID(uids []int64) []int32 {
	order := make([]int32, len(uids))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(uids[a], uids[b]) })
	return order
}

// grow makes room for members.
func (d *day) grow(n int) {
	b := d.book
	b.UID, b.Sponsor, b.Parent = make([]int64, 0, n), make([]int32, 0, n), make([]int32, 0, n)
	b.Side, b.Customer = make([]uint8, 0, n), make([]bool, 0, n)
}

// loadCarried reads the members' carried values, and who is under review.
func (d *day) loadCarried(ctx context.Context) error {
	b, n := d.book, len(d.book.UID)
	d.carried = make([]uint64, n)
	if err := d.s.opt.Store.Carried(ctx, d.tx, func(c Carried) error {
		if c.No < 1 || c.No > int64(n) {
			return fmt.Errorf("closing: nobody is member %d", c.No)
		}
		i := c.No - 1
		d.carried[i] = fingerprint(c)
		b.Final[i], b.Own[i], b.Month[i], b.Left[i], b.Right[i], b.MatchBot[i], b.Debt[i] = c.Final, c.Own, c.Month, c.Left, c.Right, c.Match, c.Debt
		b.Sales[i], b.Rank[i], b.Reward[i], b.Months[i], b.Active[i] = int32(c.Sales), uint8(c.Rank), uint8(c.Reward), uint8(c.Months), c.Active
		d.advanceSome("load", c.No, int64(n))
		return nil
	}); err != nil {
		return err
	}
	blocked, err := d.s.opt.Store.Blocked(ctx, d.tx)
	for _, no := range blocked {
		b.Blocked[no-1] = true
	}
	return err
}

// loadFlips reads when members were active. Only chargebacks need it.
func (d *day) loadFlips(ctx context.Context) error {
	if len(d.in.Chargebacks) == 0 {
		return nil
	}
	flips, err := d.s.opt.Store.Flips(ctx, d.tx)
	for _, f := range flips {
		d.book.Flips = append(d.book.Flips, plan.Flip{Member: int32(f.No - 1), Day: f.Day, Active: f.Active})
	}
	return err
}

// balance returns the available balance of an account. Pools and lines have no holds.
func (d *day) balance(code string) (int64, error) {
	account, err := ledger.ParseAccount(code)
	if err != nil {
		return 0, err
	}
	b, err := d.tx.Balance(account)
	return b.Available.Micros(), err
}

func (d *day) loadPools(ctx context.Context) error {
	for k := plan.LEVEL; k <= plan.RESERVE; k++ {
		n, err := d.balance("P:" + k.Name())
		if err != nil {
			return err
		}
		d.book.Pools[k] = n
		if k == plan.RESERVE {
			break
		}
		if d.book.Deficit[k], err = d.s.opt.Store.Tally(ctx, d.tx, "deficit:"+k.Name()); err != nil {
			return err
		}
	}
	return nil
}

func (d *day) loadSales(ctx context.Context) error {
	cooling, least, err := d.s.cooling(ctx, d.tx)
	if err != nil {
		return err
	}
	due, err := d.s.opt.Sales.Due(ctx, d.tx, d.day-least)
	d.in.Finalise = make([]plan.Sale, 0, len(due))
	for _, x := range due {
		if x.Day+cooling(x.Day) <= d.day {
			d.in.Finalise = append(d.in.Finalise, saleOf(x))
		}
	}
	return err
}

func saleOf(x sale.Sale) plan.Sale {
	return plan.Sale{ID: x.ID, Member: int32(x.No - 1), Amount: x.Amount.Micros(), Volume: x.Volume.Micros()}
}

func (d *day) loadLines(ctx context.Context) error {
	for i, name := range plan.LineNames {
		l := &d.book.Lines[i]
		all, err := d.s.opt.Positions.All(ctx, d.tx, name)
		if err != nil {
			return err
		}
		l.Positions, d.positions[i] = make([]plan.Position, len(all)), make([]was, len(all))
		for k := range all {
			p := &all[k]
			l.Positions[k] = plan.Position{
				ID: p.ID, Member: int32(p.No - 1), Principal: p.Principal.Micros(), Loss: p.Loss.Micros(), Opened: p.Day, Term: p.Term, State: stateOf(p.State),
			}
			d.positions[i][k] = was{p.Loss.Micros(), stateOf(p.State)}
		}
		if l.Reserve, err = d.balance("L:LINE_RESERVE:" + name); err != nil {
			return err
		}
		if l.Held, err = d.balance("L:ROI_HELD:" + name); err != nil {
			return err
		}
		if l.Settled, err = d.s.opt.Store.Tally(ctx, d.tx, "settled:"+name); err != nil {
			return err
		}
		if l.Frozen, err = d.s.opt.Store.Tally(ctx, d.tx, "frozen:"+name); err != nil {
			return err
		}
		pending, err := d.s.opt.Positions.Pending(ctx, d.tx, name)
		if err != nil {
			return err
		}
		l.Pending = int(pending)
		if err := d.loadBatches(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// loadBatches reads the batches on Hold and the unpaid fees.
func (d *day) loadBatches(ctx context.Context, line int) (err error) {
	if d.batches[line], err = d.s.opt.Store.Batches(ctx, d.tx, plan.LineNames[line]); err != nil {
		return err
	}
	l := &d.book.Lines[line]
	for _, b := range d.batches[line] {
		if b.Fee > 0 && b.FeeDay == 0 {
			l.Fees = append(l.Fees, plan.Fee{ID: b.ID, Amount: b.Fee})
		}
		if b.Released != 0 || b.ROI == 0 {
			continue
		}
		roi, levels, err := d.s.opt.Store.BatchShares(ctx, d.tx, b.ID)
		if err != nil {
			return err
		}
		batch := plan.Batch{ID: b.ID, Day: b.Day}
		for _, x := range roi {
			of, found := slices.BinarySearchFunc(l.Positions, x.Position, func(p plan.Position, id string) int { return cmp.Compare(p.ID, id) })
			if !found {
				return fmt.Errorf("closing: batch %s pays position %s, which is not there", b.ID, x.Position)
			}
			batch.ROI = append(batch.ROI, plan.Share{Of: int32(of), Amount: x.Amount})
		}
		for _, x := range levels {
			batch.Levels = append(batch.Levels, plan.Share{Of: int32(x.No - 1), Amount: x.Amount})
		}
		l.Batches = append(l.Batches, batch)
	}
	return nil
}

// loadBookings reads the operators' bookings of the day. It refuses chargebacks of sales
// that are not final, and amounts that could not be posted.
func (d *day) loadBookings(ctx context.Context) (err error) {
	if d.bookings, err = d.s.opt.Store.Bookings(ctx, d.tx, d.day); err != nil {
		return err
	}
	for _, b := range d.bookings {
		line := slices.Index(plan.LineNames[:], b.Line)
		amount := plan.Booking{ID: b.ID, Amount: b.Amount.Micros()}
		if TooLarge(b.Amount) {
			d.refused[b.ID] = tooLarge()
			continue
		}
		switch b.Kind {
		case PnL:
			d.in.Profits[line] = append(d.in.Profits[line], amount)
		case Settle:
			d.in.Settles[line] = append(d.in.Settles[line], amount)
		case Chargeback:
			if err := d.loadChargeback(ctx, b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *day) loadChargeback(ctx context.Context, b Booking) error {
	x, found, err := d.s.opt.Sales.Verified(ctx, d.tx, b.Sale)
	if err != nil {
		return err
	}
	today := slices.ContainsFunc(d.in.Finalise, func(s plan.Sale) bool { return s.ID == b.Sale })
	twice := slices.ContainsFunc(d.in.Chargebacks, func(c plan.Chargeback) bool { return c.Sale.ID == b.Sale })
	if !found || twice || (x.State != sale.Final && !today) {
		d.refused[b.ID] = notFinal
		return nil
	}
	d.payers[x.ID] = x.Payer
	c := plan.Chargeback{ID: b.ID, Sale: saleOf(x), Final: x.FinalDay}
	if today {
		c.Final = d.day
	}
	then, err := d.s.plan(ctx, d.tx, c.Final)
	if err != nil {
		return err
	}
	c.Rates = then.PoolsPPM
	paid, err := d.s.opt.Store.SaleIncomes(ctx, d.tx, b.Sale)
	if err != nil {
		return err
	}
	for _, r := range paid {
		held := r.Held && r.Released == 0
		available, err := d.balance(wallet(plan.KindLevel, "", held) + ":" + d.uid(int32(r.Earner-1)))
		if err != nil {
			return err
		}
		c.Levels = append(c.Levels, plan.LevelRow{Row: r.Row, To: int32(r.Earner - 1), Level: uint8(r.Level), Income: r.Paid, Held: held, Available: available})
	}
	d.in.Chargebacks = append(d.in.Chargebacks, c)
	return nil
}
