package booking

import (
	"context"
	"encoding/json"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/shape"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Facts are what a proposal would do, as far as that was known when it was
// proposed. They are a part of what is proposed, so that who approves has seen
// them too.
type Facts struct {
	// Of a loss: what of its line can bear it, beside what is booked and proposed
	// already; what is missing, which the company pays; what the company has for it
	// beside what it pays for the other losses, of either line; and what it lacks.
	LineHas string `json:"line_has,omitempty"`
	Missing string `json:"missing,omitempty"`
	Company string `json:"company_has,omitempty"`
	Short   string `json:"company_short,omitempty"`

	// Of a chargeback: what was bought, by whom and with whose money, and from
	// whom level incomes of the sale are taken back.
	Price   string `json:"price,omitempty"`
	Package int64  `json:"package,omitempty"`
	TopUp   string `json:"topup,omitempty"`
	Buyer   int64  `json:"buyer,omitempty"`
	Payer   int64  `json:"payer,omitempty"`
	Takes   []Take `json:"takes,omitempty"`
}

// Take is an income that is taken back.
type Take struct {
	UID    int64  `json:"uid"`
	Amount string `json:"amount"`
}

// FactStore is what facts need of a database, within a command.
type FactStore interface {
	AddFacts(ctx context.Context, tx *ledger.Tx, proposal int64, body string) error
	// Bearing is what the positions of a line still have that bear a loss of a
	// day, and how many are open at all.
	Bearing(ctx context.Context, tx *ledger.Tx, line string, day plan.Day) (sum money.Amount, open int64, err error)
	// OfSale tells what a chargeback of a sale would take back.
	OfSale(ctx context.Context, tx *ledger.Tx, sale string) (Facts, error)
}

// Facts reads what was known.
func (p *Proposal) Facts() (f Facts) {
	if p.Known == "" || json.Unmarshal([]byte(p.Known), &f) != nil {
		return Facts{}
	}
	return f
}

// Warning says what is unusual about a proposal; no text for nothing.
func (p *Proposal) Warning() errs.Text {
	f := p.Facts()
	if f.Missing == "" {
		return errs.Text{}
	}
	if f.Short != "" {
		return errs.Say("booking.loss_beyond_company", "{line} has {has} to bear this loss, and {missing} is missing: the company pays that out of its own money, of which {left} is left beside the losses of both lines that are booked or proposed: {short} more than it has. After the close it cannot be taken back.",
			"line", p.Act.Line, "has", f.LineHas, "missing", f.Missing, "left", f.Company, "short", f.Short)
	}
	return errs.Say("booking.loss_for_company", "{line} has {has} to bear this loss, and {missing} is missing: the company pays that out of its own money, of which it has {company}. After the close it cannot be taken back.",
		"line", p.Act.Line, "has", f.LineHas, "missing", f.Missing, "company", f.Company)
}

// Amount is what a proposal is about: of a chargeback, the price.
func (p *Proposal) Amount() money.Amount {
	if p.Act.Kind != Chargeback {
		return p.Act.Amount
	}
	price, err := money.Parse(p.Facts().Price)
	if err != nil { // know has not been asked yet
		return money.Amount{}
	}
	return price
}

// know finds out what a proposal would do.
func (s *Service) know(ctx context.Context, tx *ledger.Tx, p *Proposal, waiting []Proposal) (err error) {
	var f Facts
	switch {
	case p.Act.Kind == Chargeback:
		f, err = s.opt.Store.OfSale(ctx, tx, p.Act.Sale)
	case p.Act.Kind == PnL && p.Act.Amount.Sign() < 0:
		f, err = s.shortfall(ctx, tx, p, waiting)
	default:
		return nil
	}
	p.Known = string(shape.Canonical(f))
	return err
}

// shortfall tells what of a line bears a loss: its reserve, then the positions
// opened before the day down to nothing. Losses that others have booked or
// proposed come first; profits that are not closed do not count. What the company
// has is what is left of its money beside its part of those, of every line.
func (s *Service) shortfall(ctx context.Context, tx *ledger.Tx, p *Proposal, waiting []Proposal) (Facts, error) {
	open, err := s.opt.Closing.OpenBookings(ctx, tx)
	if err != nil {
		return Facts{}, err
	}
	for _, w := range waiting {
		open = append(open, w.Act.booking(w.By))
	}
	company, err := posted(tx, "A:OPERATING")
	if err != nil {
		return Facts{}, err
	}
	left, has := company.Micros(), int64(0)
	for _, line := range plan.LineNames {
		n, err := s.bears(ctx, tx, line, p.Day, open)
		if err != nil {
			return Facts{}, err
		}
		left += min(n, 0)
		if line == p.Act.Line {
			has = max(n, 0)
		}
	}
	f := Facts{LineHas: money.Micro(has).String()}
	if missing := -p.Act.Amount.Micros() - has; missing > 0 {
		f.Missing, f.Company = money.Micro(missing).String(), money.Micro(left).String()
		if short := missing - max(left, 0); short > 0 {
			f.Short = money.Micro(short).String()
		}
	}
	return f, nil
}

// bears is what a line has left to bear a loss of a day beside the open ones; less
// than nothing is the company's part of these.
func (s *Service) bears(ctx context.Context, tx *ledger.Tx, line string, day plan.Day, open []closing.Booking) (int64, error) {
	sum, _, err := s.opt.Store.Bearing(ctx, tx, line, day)
	if err != nil {
		return 0, err
	}
	reserve, err := posted(tx, "L:LINE_RESERVE:"+line)
	if err != nil {
		return 0, err
	}
	has := sum.Micros() + reserve.Micros()
	for _, b := range open {
		if b.Kind == string(PnL) && b.Line == line && b.Amount.Sign() < 0 {
			has += b.Amount.Micros()
		}
	}
	return has, nil
}

func posted(tx *ledger.Tx, code string) (money.Amount, error) {
	account, err := ledger.ParseAccount(code)
	if err != nil {
		return money.Amount{}, err
	}
	b, err := tx.Balance(account)
	return b.Posted, err
}

// offered is Refused for a result of a line that has no licence and in which
// nobody has a position: there is nothing that it could be the result of.
func (s *Service) offered(ctx context.Context, tx *ledger.Tx, b closing.Booking, day plan.Day) error {
	if b.Kind != string(PnL) || s.opt.Licences == nil || s.opt.Licences[b.Line] != "" {
		return nil
	}
	_, open, err := s.opt.Store.Bearing(ctx, tx, b.Line, day)
	if err == nil && open == 0 {
		err = errs.New(errs.Refused, "booking.line_not_offered", "{line} is not offered here: it has no licence, and nobody has a position in it.", "line", b.Line)
	}
	return err
}
