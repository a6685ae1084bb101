package closing

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// Checks of 'bifolia verify' beyond the sums: every row that gives the purpose of money is
// compared with the signed ledger.

// BookStore is what checking the books needs of a database.
type BookStore interface {
	// Moment gives f the books as they are committed at one moment.
	Moment(ctx context.Context, f func(Moment) error) error
}

// Moment is the books at one moment.
type Moment interface {
	Standing(ctx context.Context) (Standing, error)
	// Versions are the plans that hold or will, by their first day.
	Versions(ctx context.Context) ([]Version, error)
	// Disagreement is a row that the ledger contradicts; nil if there is none.
	Disagreement(ctx context.Context) (*Broken, error)
	// Sales gives sales with the day on which the ledger made them final, "" if
	// it did not.
	Sales(ctx context.Context, yield func(x sale.Sale, final string) error) error
	// NetworkPaid is the sum of network incomes, before what was taken back.
	NetworkPaid(ctx context.Context) (int64, error)
	// Booked gives bookings with the event they came by, if it was recorded.
	Booked(ctx context.Context, yield func(b Booking, event []byte) error) error
	// Closes gives the closed days with what their command answered, nothing if
	// there is none.
	Closes(ctx context.Context, yield func(c Closed, answer []byte) error) error
	// Carried yields the carried values of members.
	Carried(ctx context.Context, yield func(Carried) error) error
	Flips(ctx context.Context, yield func(Flip) error) error
	Tallies(ctx context.Context) (map[string]int64, error)
	// Members gives where everybody sits, by number; Open the open positions of a
	// line, of a day or before, by id as text in bytes.
	Members(ctx context.Context, yield func(Member) error) error
	Open(ctx context.Context, line string, on plan.Day) ([]OpenPosition, error)
	// Unverified is a row that is not what the chain says of it; nil if there
	// is none.
	Unverified(ctx context.Context) (*Broken, error)
}

// CheckBooks holds the tables against the ledger and every invariant against
// both. The error is a *Broken if one does not hold.
func CheckBooks(ctx context.Context, s BookStore) error {
	return s.Moment(ctx, func(m Moment) error {
		wrong, err := m.Disagreement(ctx) // first: it names a row
		if err != nil {
			return err
		}
		if wrong != nil {
			return wrong
		}
		if err := checkSales(ctx, m); err != nil {
			return err
		}
		if err := m.Booked(ctx, checkBooking); err != nil {
			return err
		}
		all, err := m.Standing(ctx)
		if err != nil {
			return err
		}
		if wrong := all.Check(); wrong != nil {
			return wrong
		}
		if err := checkSeals(ctx, m); err != nil {
			return err
		}
		wrong, err = m.Unverified(ctx) // last: it says that a row is wrong, and others why
		if err == nil && wrong != nil {
			err = wrong
		}
		return err
	})
}

// checkSales: a sale's volume is the plan's share of its amount, and network
// incomes are never more than what the pools got of final sales.
func checkSales(ctx context.Context, m Moment) error {
	versions, err := m.Versions(ctx)
	if err != nil {
		return err
	}
	plans := New(Options{})
	pools := int64(0)
	if err := m.Sales(ctx, func(x sale.Sale, final string) error {
		if has := dayText(x.FinalDay); has != final {
			return &Broken{"a sale became final when the ledger says", "sale " + x.ID, has, final}
		}
		p, err := plans.version(versions, x.Day)
		if err != nil {
			return unplanned(x, err)
		}
		volume, err := x.Amount.At(money.PPM(p.BVPPM))
		if err != nil {
			return err
		}
		if volume != x.Volume {
			return broken("a sale's volume is the plan's share of its amount", "sale "+x.ID, x.Volume.Micros(), volume.Micros())
		}
		if x.State != sale.Final && x.State != sale.Reversed {
			return nil
		}
		share, err := poolShare(plans, versions, x)
		if err != nil {
			return unplanned(x, err)
		}
		pools += share
		return nil
	}); err != nil {
		return err
	}
	paid, err := m.NetworkPaid(ctx)
	if err == nil && paid > pools {
		return broken("network incomes are not above the pools' share of final sales", "", paid, pools)
	}
	return err
}

// unplanned: somebody took the plan of a sale away, or spoiled it.
func unplanned(x sale.Sale, err error) *Broken {
	return &Broken{"every sale has the plan of its day", "sale " + x.ID, err.Error(), "a plan"}
}

// dayText is a day as transfers name it; "" for none.
func dayText(d plan.Day) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// poolShare is what the pools got of a sale when it became final.
func poolShare(plans *Service, versions []Version, x sale.Sale) (sum int64, err error) {
	p, err := plans.version(versions, x.FinalDay)
	if err != nil {
		return 0, err
	}
	for _, rate := range p.PoolsPPM.ByPool() {
		share, err := x.Amount.At(money.PPM(rate))
		if err != nil {
			return 0, err
		}
		sum += share.Micros()
	}
	return sum, nil
}

// checkBooking checks a booking against its event.
func checkBooking(b Booking, event []byte) error {
	if len(event) == 0 {
		return nil
	}
	var e struct{ Kind, Line, Sale, Amount string }
	if err := json.Unmarshal(event, &e); err != nil {
		return fmt.Errorf("closing: event %s: %w", b.ID, err)
	}
	if e.Kind != b.Kind || e.Line != b.Line || e.Sale != b.Sale {
		return &Broken{"a booking is what was asked for", "booking " + b.ID, b.Kind + " " + b.Line + b.Sale, e.Kind + " " + e.Line + e.Sale}
	}
	if b.Kind == Chargeback {
		return nil
	}
	a, err := money.Parse(e.Amount)
	if err != nil {
		return fmt.Errorf("closing: event %s: %w", b.ID, err)
	}
	if a != b.Amount {
		return broken("a booking is what was asked for", "booking "+b.ID, b.Amount.Micros(), a.Micros())
	}
	return nil
}
