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

// Facts are the effects of a proposal as known when it was proposed. They are part of the
// proposal, so that the approver sees them too.
type Facts struct {
	// Of a loss: what its line can bear beside booked and proposed losses; the missing
	// rest, which the company pays; what the company has for it beside its part of the
	// other losses of both lines; and what it lacks.
	LineHas string `json:"line_has,omitempty"`
	Missing string `json:"missing,omitempty"`
	Company string `json:"company_has,omitempty"`
	Short   string `json:"company_short,omitempty"`

	// Of a chargeback: the purchase, its buyer and payer, and the level incomes to take
	// back.
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

// FactStore is the database of facts, used within a command.
type FactStore interface {
	AddFacts(ctx context.Context, tx *ledger.Tx, proposal int64, body string) error
	// Bearing returns what the positions of a line can still bear of a loss of a day, and
	// how many are open.
	Bearing(ctx context.Context, tx *ledger.Tx, line string, day plan.Day) (sum money.Amount, open int64, err error)
	// OfSale returns what a chargeback of a sale would take back.
	OfSale(ctx context.Context, tx *ledger.Tx, sale string) (Facts, error)
}

// Facts parses Known.
func (p *Proposal) Facts() (f Facts) {
	if p.Known == "" || json.Unmarshal([]byte(p.Known), &f) != nil {
		return Facts{}
	}
	return f
}

// Warning returns what is unusual about a proposal, or no text.
func (p *Proposal) Warning() errs.Text {
	f := p.Facts()
	if f.Missing == "" {
		return errs.Text{}
	}
	if f.Short != "" {
		return errs.Say("booking.loss_beyond_company", "{line} can cover {has} of this loss. The company would pay {missing}, but after the other booked and proposed losses it has only {left}, which is {short} too little. This cannot be reversed after the close.",
			"line", p.Act.Line, "has", f.LineHas, "missing", f.Missing, "left", f.Company, "short", f.Short)
	}
	return errs.Say("booking.loss_for_company", "{line} can cover {has} of this loss. The company pays {missing} from the {company} that it has. This cannot be reversed after the close.",
		"line", p.Act.Line, "has", f.LineHas, "missing", f.Missing, "company", f.Company)
}

// Amount is the amount of the act or, for a chargeback, the price.
func (p *Proposal) Amount() money.Amount {
	if p.Act.Kind != Chargeback {
		return p.Act.Amount
	}
	price, err := money.Parse(p.Facts().Price)
	if err != nil { // before know
		return money.Amount{}
	}
	return price
}

// know sets the facts of a proposal.
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

// shortfall computes what a line can bear of a loss: its reserve, then the positions
// opened before the day. Losses already booked or proposed come first; profits that are
// not closed do not count. The company has what is left after its part of those losses of
// every line.
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

// bears returns what a line can bear of a loss of a day beside the open ones; a negative
// amount is the company's part of these.
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

// offered returns Refused for a result of a line without a licence and without open
// positions.
func (s *Service) offered(ctx context.Context, tx *ledger.Tx, b closing.Booking, day plan.Day) error {
	if b.Kind != string(PnL) || s.opt.Licences == nil || s.opt.Licences[b.Line] != "" {
		return nil
	}
	_, open, err := s.opt.Store.Bearing(ctx, tx, b.Line, day)
	if err == nil && open == 0 {
		err = errs.New(errs.Refused, "booking.line_not_offered", "{line} is not offered: it has no licence and no open positions.", "line", b.Line)
	}
	return err
}
