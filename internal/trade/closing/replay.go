package closing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// A replay repeats closes from the recorded acts of people: purchases, bookings, reviews
// and claims. The results of earlier closes are not read but computed again, day by day
// from the first, by the same engine. So a changed row, sum or balance is found, wherever
// it was changed. Nothing is written.

// Past is the database of a replay beside Store. All of its data was final when the day
// was closed.
type Past interface {
	// Weigh counts what a replay up to a day holds in memory.
	Weigh(ctx context.Context, until plan.Day) (Weight, error)
	// ClosedDays lists closed days up to one, in order.
	ClosedDays(ctx context.Context, until plan.Day) ([]Closed, error)
	// SalesUntil gives the sales of days up to one that were not refunded.
	SalesUntil(ctx context.Context, until plan.Day, yield func(sale.Sale) error) error
	// PositionsUntil gives the positions opened on days up to one.
	PositionsUntil(ctx context.Context, until plan.Day, yield func(invest.Position) error) error
	// BookingsDone lists the bookings that closes up to a day took, by (at, id).
	BookingsDone(ctx context.Context, until plan.Day) ([]Booking, error)
	// Turns lists the changes between closes to their input, in order.
	Turns(ctx context.Context) ([]Turn, error)
	// Before returns the available balance of an account before a day's close.
	Before(ctx context.Context, day plan.Day, code string) (int64, error)
	// RowsOf yields a day's stored income rows, by number.
	RowsOf(ctx context.Context, day plan.Day, yield func(Income) error) error
	// FinalOn lists the sales that became final on a day, as stored.
	FinalOn(ctx context.Context, day plan.Day) ([]string, error)
}

// Turn is a start or end of a review, or a paid claim.
type Turn struct {
	Kind string // block, unblock, claim
	No   int64  // the member of a review
	// Claim is the paid one.
	Claim string
	Day   plan.Day  // of its event
	At    time.Time // when it was recorded
}

// Weight is the size of a replay.
type Weight struct {
	Members, Sales, Positions int64
	Rows                      int64 // of the largest day
}

// Bytes estimates the memory of a replay: the book's columns with scratch space, sales,
// positions, and rows with their payments.
func (w Weight) Bytes() int64 { return w.Members*220 + w.Sales*120 + w.Positions*160 + w.Rows*170 }

// MaxReplay limits the memory of a replay, which runs beside the server's own.
const MaxReplay = 2 << 30

// past is a replay in progress.
type past struct {
	Past
	s      *Service
	all    []Version
	first  plan.Day // its close includes everything due before
	on     plan.Day
	book   *plan.Book
	sales  map[plan.Day][]plan.Sale // by the day they become final
	chance map[string]*charged      // sales with a chargeback
	books  map[plan.Day][]Booking
	turns  []Turn
	claims map[string]frozen
}

// charged is a sale with a chargeback, and the incomes it paid.
type charged struct {
	sale     plan.Sale
	final    plan.Day // 0 before
	reversed bool
	rows     []plan.LevelRow
}

// frozen is an unpaid claim.
type frozen struct {
	line int
	held int64
}

// Replay repeats the close of a day and compares it with the stored one. progress is
// called with the number of days done and in total. NotFound if the day is not closed;
// Refused if it needs more memory than MaxReplay.
func Replay(ctx context.Context, store Store, from Past, on plan.Day, progress func(done, total int64)) (r Replayed, err error) {
	days, err := from.ClosedDays(ctx, on)
	if err != nil {
		return r, err
	}
	if len(days) == 0 || days[len(days)-1].Day != on {
		return r, errs.New(errs.NotFound, "close.nothing_to_replay", "{day} is not closed: there is nothing to replay.", "day", on)
	}
	weight, err := from.Weigh(ctx, on)
	if err != nil {
		return r, err
	}
	if n := weight.Bytes(); n > MaxReplay {
		return r, errs.New(errs.Refused, "close.replay_too_large", "This replay would take about {megabytes} MB of memory beside the books, more than the {most} MB it may: replay an earlier day.", "megabytes", n>>20, "most", int64(MaxReplay)>>20)
	}
	p := &past{Past: from, s: &Service{opt: Options{Store: store}}, first: days[0].Day, on: on}
	if err := p.load(ctx); err != nil {
		return r, err
	}
	for i, was := range days {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		d, err := p.close(ctx, was)
		if err != nil {
			return r, err
		}
		if was.Day != on && r.Before == 0 && (d.book.Rows != was.LastRow || d.p.Version != was.Plan) {
			r.Before = was.Day
		}
		if was.Day == on {
			if err := p.compare(ctx, d, was, &r); err != nil {
				return r, err
			}
		}
		progress(int64(i)+1, int64(len(days)))
	}
	return r, nil
}

// load reads all recorded acts up to the day.
func (p *past) load(ctx context.Context) (err error) {
	if p.all, err = p.s.opt.Store.Versions(ctx, nil); err != nil {
		return err
	}
	p.book, p.sales, p.chance, p.books = &plan.Book{}, map[plan.Day][]plan.Sale{}, map[string]*charged{}, map[plan.Day][]Booking{}
	p.claims = map[string]frozen{}
	for _, step := range []func(context.Context) error{p.loadMembers, p.loadBookings, p.loadSales, p.loadPositions} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	p.turns, err = p.Turns(ctx)
	return err
}

// loadMembers reads all members. Those who join after a day have no effect on it.
func (p *past) loadMembers(ctx context.Context) error {
	b := p.book
	if err := p.s.opt.Store.Members(ctx, nil, 0, func(m Member) error {
		if m.No != int64(len(b.UID))+1 {
			return fmt.Errorf("closing: member %d follows %d", m.No, len(b.UID))
		}
		b.UID = append(b.UID, m.UID)
		b.Sponsor, b.Parent, b.Side = append(b.Sponsor, int32(m.Sponsor-1)), append(b.Parent, int32(m.Parent-1)), append(b.Side, m.Side)
		b.Customer = append(b.Customer, m.Parent == 0 && m.Sponsor != 0)
		return nil
	}); err != nil {
		return err
	}
	begin(b)
	b.ByUID = byUID(b.UID)
	return nil
}

func (p *past) loadBookings(ctx context.Context) error {
	all, err := p.BookingsDone(ctx, p.on)
	for _, b := range all {
		p.books[b.Day] = append(p.books[b.Day], b)
		if b.Kind == Chargeback {
			p.chance[b.Sale] = &charged{}
		}
	}
	return err
}

func (p *past) loadSales(ctx context.Context) error {
	cooling, _, err := p.s.cooling(ctx, nil)
	if err != nil {
		return err
	}
	bought := map[string]plan.Day{}
	if err := p.SalesUntil(ctx, p.on, func(x sale.Sale) error {
		due := max(x.Day+cooling(x.Day), p.first)
		if due <= p.on {
			p.sales[due] = append(p.sales[due], saleOf(x))
			bought[x.ID] = x.Day
		}
		return nil
	}); err != nil {
		return err
	}
	for _, some := range p.sales {
		slices.SortFunc(some, func(a, b plan.Sale) int {
			return cmp.Or(cmp.Compare(bought[a.ID], bought[b.ID]), strings.Compare(a.ID, b.ID))
		})
	}
	return nil
}

func (p *past) loadPositions(ctx context.Context) error {
	if err := p.PositionsUntil(ctx, p.on, func(x invest.Position) error {
		i := slices.Index(plan.LineNames[:], x.Line)
		if i < 0 {
			return fmt.Errorf("closing: position %s is of line %q", x.ID, x.Line)
		}
		l := &p.book.Lines[i]
		l.Positions = append(l.Positions, plan.Position{ID: x.ID, Member: int32(x.No - 1), Principal: x.Principal.Micros(), Opened: x.Day, Term: x.Term})
		return nil
	}); err != nil {
		return err
	}
	for i := range p.book.Lines {
		slices.SortFunc(p.book.Lines[i].Positions, func(a, b plan.Position) int { return strings.Compare(a.ID, b.ID) })
	}
	return nil
}

// close replays one day.
func (p *past) close(ctx context.Context, was Closed) (*day, error) {
	version, err := p.s.version(p.all, was.Day)
	if err != nil {
		return nil, err
	}
	p.turn(was)
	d := &day{s: p.s, p: version, day: was.Day, book: p.book, refused: map[string]string{}, replay: true}
	d.in = plan.Inputs{Day: was.Day, Finalise: p.sales[was.Day]}
	delete(p.sales, was.Day)
	if err := p.takeBookings(ctx, d); err != nil {
		return nil, err
	}
	for i := range p.book.Lines {
		for _, b := range p.book.Lines[i].Batches {
			d.batches[i] = append(d.batches[i], Batch{ID: b.ID})
		}
	}
	d.out = version.Close(p.book, d.in)
	for _, r := range d.out.Refused {
		d.refused[r.ID] = r.Reason
	}
	p.remember(d)
	return d, nil
}

// turn applies the changes before a close.
func (p *past) turn(was Closed) {
	p.turns = slices.DeleteFunc(p.turns, func(t Turn) bool {
		if t.At.After(was.At) && t.Day > was.Day {
			return false
		}
		switch i := int32(t.No - 1); t.Kind {
		case "block":
			p.book.Blocked[i] = true
		case "unblock":
			p.book.Blocked[i] = false
			for _, c := range p.chance {
				for k := range c.rows {
					if c.rows[k].To == i {
						c.rows[k].Held = false // released
					}
				}
			}
		case "claim":
			if c, waits := p.claims[t.Claim]; waits {
				l := &p.book.Lines[c.line]
				l.Held, l.Frozen, l.Pending = l.Held-c.held, l.Frozen-c.held, l.Pending-1
				delete(p.claims, t.Claim)
			}
		}
		return true
	})
}

// takeBookings is loadBookings of a past day.
func (p *past) takeBookings(ctx context.Context, d *day) error {
	for _, s := range d.in.Finalise {
		if c := p.chance[s.ID]; c != nil {
			c.sale, c.final = s, d.day
		}
	}
	for _, b := range p.books[d.day] {
		line := slices.Index(plan.LineNames[:], b.Line)
		amount := plan.Booking{ID: b.ID, Amount: b.Amount.Micros()}
		switch {
		case TooLarge(b.Amount):
			d.refused[b.ID] = tooLarge()
		case b.Kind == PnL:
			d.in.Profits[line] = append(d.in.Profits[line], amount)
		case b.Kind == Settle:
			d.in.Settles[line] = append(d.in.Settles[line], amount)
		case b.Kind == Chargeback:
			if err := p.charge(ctx, d, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// charge is loadChargeback of a past day.
func (p *past) charge(ctx context.Context, d *day, b Booking) error {
	c := p.chance[b.Sale]
	if c.final == 0 || c.reversed {
		d.refused[b.ID] = notFinal
		return nil
	}
	then, err := p.s.version(p.all, c.final)
	if err != nil {
		return err
	}
	c.reversed = true
	back := plan.Chargeback{ID: b.ID, Sale: c.sale, Final: c.final, Rates: then.PoolsPPM}
	for _, r := range c.rows {
		if r.Available, err = p.Before(ctx, d.day, wallet(plan.KindLevel, "", r.Held)+":"+d.uid(r.To)); err != nil {
			return err
		}
		back.Levels = append(back.Levels, r)
	}
	d.in.Chargebacks = append(d.in.Chargebacks, back)
	return nil
}

// remember stores the rows and claims that later days need.
func (p *past) remember(d *day) {
	for i := range d.out.Rows {
		r := &d.out.Rows[i]
		if r.Kind != plan.KindLevel || r.Reverses != 0 {
			continue
		}
		if c := p.chance[r.Source]; c != nil {
			c.rows = append(c.rows, plan.LevelRow{Row: r.No, To: r.To, Level: r.Level, Income: r.Paid, Held: r.Held})
		}
	}
	for _, c := range d.out.Claims {
		x := &p.book.Lines[c.Line].Positions[c.Position]
		p.claims[invest.ClaimID(x.ID)] = frozen{c.Line, c.Income + x.Loss}
	}
}

// notFinal and tooLarge are the reasons for which a close refuses a booking.
const notFinal = "sale is not final"

func tooLarge() string { return "amount above " + MaxBooking.String() }

// asOf removes what happened to a row after a day.
func (x *IncomeState) asOf(day plan.Day) {
	for _, when := range []*plan.Day{&x.Released, &x.BatchReleased, &x.Claimed, &x.ClaimMade} {
		if *when > day {
			*when = 0
		}
	}
}
