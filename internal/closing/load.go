package closing

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/invest"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/plan"
	"github.com/bifolia/bifolia/internal/sale"
)

// day is one close under way: what was read, what the plan said.
type day struct {
	s    *Service
	tx   *ledger.Tx
	rows ledger.Rows
	p    *plan.Plan
	day  plan.Day

	book      *plan.Book
	before    []Carried // by join order
	in        plan.Inputs
	sales     map[string]sale.Sale
	positions [2][]invest.Position
	batches   [2][]Batch
	bookings  []Booking
	refused   map[string]string
	out       *plan.Result
	posted    int
	preview   bool
	who       Proposal
	started   time.Time
}

// load reads everything that the close of a day needs.
func (d *day) load(ctx context.Context) error {
	d.book, d.sales, d.refused = &plan.Book{}, map[string]sale.Sale{}, map[string]string{}
	for _, step := range []func(context.Context) error{d.loadMembers, d.loadPools, d.loadSales, d.loadLines, d.loadBookings} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (d *day) loadMembers(ctx context.Context) error {
	b := d.book
	total, _ := d.s.opt.Tree.State()
	err := d.s.opt.Store.Members(ctx, d.rows, func(m Member) error {
		if m.No != int64(len(b.UID))+1 {
			return errs.New(errs.Internal, "closing: member %d follows %d", m.No, len(b.UID))
		}
		b.UID = append(b.UID, m.UID)
		b.Sponsor, b.Parent, b.Side = append(b.Sponsor, int32(m.Sponsor-1)), append(b.Parent, int32(m.Parent-1)), append(b.Side, m.Side)
		b.Customer, b.Blocked = append(b.Customer, m.Parent == 0 && m.Sponsor != 0), append(b.Blocked, m.Blocked)
		b.Final, b.Sales, b.Own, b.Month = append(b.Final, m.Final), append(b.Sales, int32(m.Sales)), append(b.Own, m.Own), append(b.Month, m.Month)
		b.Left, b.Right, b.MatchBot, b.Debt = append(b.Left, m.Left), append(b.Right, m.Right), append(b.MatchBot, m.Match), append(b.Debt, m.Debt)
		b.Rank, b.Reward, b.Months = append(b.Rank, uint8(m.Rank)), append(b.Reward, uint8(m.Reward)), append(b.Months, uint8(m.Months))
		b.Active = append(b.Active, m.Active)
		b.ByUID = append(b.ByUID, int32(len(b.UID)-1))
		d.before = append(d.before, m.Carried)
		d.tellSome("load", m.No, int64(total))
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(b.ByUID, func(x, y int32) int { return cmp.Compare(b.UID[x], b.UID[y]) })
	flips, err := d.s.opt.Store.Flips(ctx, d.rows)
	for _, f := range flips {
		b.Flips = append(b.Flips, plan.Flip{Member: int32(f.No - 1), Day: f.Day, Active: f.Active})
	}
	if err == nil {
		b.Rows, err = d.s.opt.Store.LastRow(ctx, d.rows)
	}
	return err
}

// balance is what an account has available.
func (d *day) balance(code string) (int64, error) {
	account, err := ledger.ParseAccount(code)
	if err != nil {
		return 0, err
	}
	b, err := d.tx.Balance(account)
	return b.Posted.Micros(), err
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
		if d.book.Deficit[k], err = d.s.opt.Store.Tally(ctx, d.rows, "deficit:"+k.Name()); err != nil {
			return err
		}
	}
	return nil
}

func (d *day) loadSales(ctx context.Context) error {
	cooling, least, err := d.s.cooling(ctx, d.rows)
	if err != nil {
		return err
	}
	due, err := d.s.opt.Sales.Due(ctx, d.rows, d.day-least)
	for _, x := range due {
		if x.Day+cooling(x.Day) > d.day {
			continue
		}
		d.sales[x.ID] = x
		d.in.Finalise = append(d.in.Finalise, saleOf(x))
	}
	return err
}

func saleOf(x sale.Sale) plan.Sale {
	return plan.Sale{ID: x.ID, Member: int32(x.No - 1), Amount: x.Amount.Micros(), Volume: x.Volume.Micros()}
}

func (d *day) loadLines(ctx context.Context) (err error) {
	for i, name := range plan.LineNames {
		l := &d.book.Lines[i]
		if d.positions[i], err = d.s.opt.Positions.All(ctx, d.rows, name); err != nil {
			return err
		}
		index := map[string]int32{}
		for k, p := range d.positions[i] {
			index[p.ID] = int32(k)
			l.Positions = append(l.Positions, plan.Position{
				ID: p.ID, Member: int32(p.No - 1), Principal: p.Principal.Micros(), Loss: p.Loss.Micros(), Opened: p.Day, Term: p.Term,
				State: map[invest.State]plan.PositionState{invest.Open: plan.Open, invest.Matured: plan.Matured, invest.Claimed: plan.Claimed}[p.State],
			})
		}
		if l.Reserve, err = d.balance("L:LINE_RESERVE:" + name); err != nil {
			return err
		}
		if l.Held, err = d.balance("L:ROI_HELD:" + name); err != nil {
			return err
		}
		if l.Settled, err = d.s.opt.Store.Tally(ctx, d.rows, "settled:"+name); err != nil {
			return err
		}
		if l.Frozen, err = d.s.opt.Store.Tally(ctx, d.rows, "frozen:"+name); err != nil {
			return err
		}
		pending, err := d.s.opt.Positions.Pending(ctx, d.rows, name)
		if err != nil {
			return err
		}
		l.Pending = int(pending)
		if err := d.loadBatches(ctx, i, index); err != nil {
			return err
		}
	}
	return nil
}

// loadBatches reads what is on Hold, and the fees that are not paid.
func (d *day) loadBatches(ctx context.Context, line int, index map[string]int32) (err error) {
	if d.batches[line], err = d.s.opt.Store.Batches(ctx, d.rows, plan.LineNames[line]); err != nil {
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
		roi, levels, err := d.s.opt.Store.BatchShares(ctx, d.rows, b.ID)
		if err != nil {
			return err
		}
		batch := plan.Batch{ID: b.ID, Day: b.Day}
		for _, x := range roi {
			batch.ROI = append(batch.ROI, plan.Share{Of: index[x.Position], Amount: x.Amount})
		}
		for _, x := range levels {
			batch.Levels = append(batch.Levels, plan.Share{Of: int32(x.No - 1), Amount: x.Amount})
		}
		l.Batches = append(l.Batches, batch)
	}
	return nil
}

// loadBookings reads what operators booked for the day. A chargeback of a sale
// that is not final is refused.
func (d *day) loadBookings(ctx context.Context) (err error) {
	if d.bookings, err = d.s.opt.Store.Bookings(ctx, d.rows, d.day); err != nil {
		return err
	}
	for _, b := range d.bookings {
		line := slices.Index(plan.LineNames[:], b.Line)
		amount := plan.Booking{ID: b.ID, Amount: b.Amount.Micros()}
		switch b.Kind {
		case "pnl":
			d.in.Profits[line] = append(d.in.Profits[line], amount)
		case "settle":
			d.in.Settles[line] = append(d.in.Settles[line], amount)
		case "chargeback":
			if err := d.loadChargeback(ctx, b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *day) loadChargeback(ctx context.Context, b Booking) error {
	x, found, err := d.s.opt.Sales.Get(ctx, d.rows, b.Sale)
	if err != nil {
		return err
	}
	_, today := d.sales[b.Sale]
	twice := slices.ContainsFunc(d.in.Chargebacks, func(c plan.Chargeback) bool { return c.Sale.ID == b.Sale })
	if !found || twice || (x.State != sale.Final && !today) {
		d.refused[b.ID] = "sale is not final"
		return nil
	}
	d.sales[x.ID] = x
	c := plan.Chargeback{ID: b.ID, Sale: saleOf(x), Final: x.FinalDay}
	if today {
		c.Final = d.day
	}
	paid, err := d.s.opt.Store.SaleIncomes(ctx, d.rows, b.Sale)
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
