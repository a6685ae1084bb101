// Package market handles the members' products: Robot packages with their cooling-off,
// positions, and claims of matured ones. Each operation is part of one command over
// sales, positions, the ledger and the tree.
package market

import (
	"context"
	"strconv"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

type Options struct {
	Do        ledger.CommandRunner
	Auth      *auth.Service
	Closing   *closing.Service
	Sales     sale.Store
	Positions invest.Store
	Tree      *tree.Service
	Members   *member.Service
	Funds     *fund.Service
	Mail      *mail.Service
	// Licences are the references under which lines are offered; a line without one is
	// not offered.
	Licences map[string]string
}

// Service executes purchases. Its methods run within a command of the caller, which has
// checked the permission of the payer.
type Service struct{ opt Options }

func New(opt Options) *Service { return &Service{opt} }

// Purchase is a purchase for a member.
type Purchase struct {
	closing.Event
	UID, Payer int64
	Package    int64
	Topup      sale.Topup
	Line       string       // of an investment
	Amount     money.Amount // of an investment
	byMember   bool         // a request of a member, not a replay
}

// find returns a member's place. NotFound if there is no such member.
func (s *Service) find(ctx context.Context, tx *ledger.Tx, uid int64) (tree.Place, error) {
	p, found, err := s.opt.Tree.Standing(ctx, tx, uid)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "member.not_found", "There is no member {uid}.", "uid", uid)
	}
	return p, err
}

// Buy buys a Robot package: an activation for a member without one, or an upgrade, which
// costs the difference. Refused if the kind does not apply, the package is not larger, or
// the payer's fund has less.
func (s *Service) Buy(ctx context.Context, tx *ledger.Tx, b Purchase) error {
	p, day, err := s.opt.Closing.Open(ctx, tx, b.Event)
	if err != nil {
		return err
	}
	buyer, err := s.find(ctx, tx, b.UID)
	if err != nil {
		return err
	}
	k, found := robotPackage(p, b.Package)
	if !found {
		return errs.New(errs.Refused, "sale.package_unknown", "There is no package {package}.", "package", b.Package)
	}
	owned, count, err := s.opt.Sales.Owned(ctx, tx, int64(buyer.No))
	if err != nil {
		return err
	}
	due, err := k.Amount.Sub(owned)
	switch {
	case err != nil:
		return err
	case b.Topup != sale.Activation && b.Topup != sale.Upgrade:
		return errs.New(errs.Refused, "sale.topup_unknown", "A purchase is an Activation or an Upgrade, not {topup}.", "topup", strconv.Quote(string(b.Topup)))
	case (b.Topup == sale.Activation) != (count == 0):
		return errs.New(errs.Refused, "sale.activation_or_upgrade", "An activation is for members without a package, an upgrade for those with one.")
	case due.Sign() <= 0:
		return errs.New(errs.Refused, "sale.package_owned", "The member has this package or a larger one.")
	}
	volume, err := due.At(money.PPM(p.BVPPM))
	if err != nil {
		return err
	}
	if err := s.pay(ctx, tx, fund.Robot, b, due, []leg{{"L:DEFERRED:" + b.ID, due}}, "buy"); err != nil {
		return err
	}
	if err := s.opt.Sales.Add(ctx, tx, sale.Sale{
		ID: b.ID, No: int64(buyer.No), Payer: b.Payer, Package: b.Package, Topup: b.Topup, Amount: due, Volume: volume, Day: day, At: b.At, State: sale.Cooling,
	}); err != nil {
		return err
	}
	if count == 0 {
		if err := s.opt.Members.Activate(ctx, tx, b.UID, b.At); err != nil {
			return err
		}
	}
	if err := s.change(ctx, tx, b.UID, true, tree.Robot, due); err != nil {
		return err
	}
	return s.tellBought(ctx, tx, b, k, due, p.CoolingOffDays)
}

func robotPackage(p *plan.Plan, id int64) (plan.Package, bool) {
	for _, k := range p.RobotPackages {
		if k.ID == id {
			return k, true
		}
	}
	return plan.Package{}, false
}

type leg struct {
	code  string
	delta money.Amount
}

// withLegs adds legs to a transfer, without those of zero.
func withLegs(t ledger.Transfer, legs []leg) (ledger.Transfer, error) {
	for _, l := range legs {
		if l.delta.IsZero() {
			continue
		}
		account, err := ledger.ParseAccount(l.code)
		if err != nil {
			return t, err
		}
		t.Legs = append(t.Legs, ledger.Leg{Account: account, Delta: l.delta})
	}
	return t, nil
}

// pay moves an amount from the payer's fund to the accounts of legs.
func (s *Service) pay(ctx context.Context, tx *ledger.Tx, k fund.Kind, b Purchase, due money.Amount, to []leg, kind string) error {
	from, err := k.Account(b.Payer)
	if err != nil {
		return err
	}
	if err := tx.Enough(from, due, "payer's fund"); err != nil {
		return err
	}
	if err := s.mayGive(ctx, tx, b, k, due); err != nil {
		return err
	}
	minus, err := due.Neg()
	if err != nil {
		return err
	}
	t, err := withLegs(ledger.Transfer{Kind: kind, Reference: b.ID, Effective: b.At, Legs: []ledger.Leg{{Account: from, Delta: minus}}}, to)
	if err != nil {
		return err
	}
	_, err = tx.Post(t)
	return err
}

func (s *Service) change(ctx context.Context, tx *ledger.Tx, uid int64, active bool, line tree.Line, a money.Amount) error {
	var add tree.Business
	add[line] = a
	return s.opt.Tree.Change(ctx, tx, uid, active, add)
}

// Refund returns a sale's money to the payer during its cooling-off and undoes its
// effects. Refused afterwards.
func (s *Service) Refund(ctx context.Context, tx *ledger.Tx, id string) error {
	x, found, err := s.opt.Sales.Verified(ctx, tx, id)
	switch {
	case err != nil:
		return err
	case !found:
		return errs.New(errs.NotFound, "sale.not_found", "There is no sale {sale}.", "sale", id)
	case x.State != sale.Cooling:
		return errs.New(errs.Refused, "sale.not_cooling_off", "sale is not cooling off")
	}
	minus, err := x.Amount.Neg()
	if err != nil {
		return err
	}
	to, err := fund.Robot.Account(x.Payer)
	if err != nil {
		return err
	}
	from, err := ledger.ParseAccount("L:DEFERRED:" + id)
	if err != nil {
		return err
	}
	if _, err := tx.Post(ledger.Transfer{Kind: "refund", Reference: id, Legs: []ledger.Leg{{Account: from, Delta: minus}, {Account: to, Delta: x.Amount}}}); err != nil {
		return err
	}
	if err := s.opt.Sales.SetState(ctx, tx, id, sale.Cooling, sale.Refunded, 0); err != nil {
		return err
	}
	_, count, err := s.opt.Sales.Owned(ctx, tx, x.No)
	if err != nil {
		return err
	}
	buyer, _ := s.opt.Tree.Get(tree.No(x.No))
	if count == 0 {
		if err := s.opt.Members.Deactivate(ctx, tx, buyer.UID); err != nil {
			return err
		}
	}
	return s.change(ctx, tx, buyer.UID, count > 0, tree.Robot, minus)
}

// lineOf maps a line to its business in the tree.
var lineOf = map[string]tree.Line{"FOREX": tree.Forex, "CRYPTO": tree.Crypto}

// Invest opens a position. Refused if there is no such package, the amount is
// outside its range, or the payer's fund has less.
func (s *Service) Invest(ctx context.Context, tx *ledger.Tx, b Purchase) error {
	p, day, err := s.opt.Closing.Open(ctx, tx, b.Event)
	if err != nil {
		return err
	}
	m, err := s.find(ctx, tx, b.UID)
	if err != nil {
		return err
	}
	l, known := p.Lines[b.Line]
	k, found := linePackage(l, b.Package)
	if !known || !found {
		return errs.New(errs.Refused, "invest.package_unknown", "There is no package {package} on {line}.", "package", b.Package, "line", b.Line)
	}
	if b.Amount.Less(k.From) || k.To.Less(b.Amount) {
		return errs.New(errs.Refused, "invest.amount_range", "The package takes {from} to {to}.", "from", k.From.Short(), "to", k.To.Short())
	}
	held, err := s.opt.Positions.Held(ctx, tx, int64(m.No), b.Line)
	if err != nil {
		return err
	}
	topup := string(sale.Activation)
	switch {
	case held > 0:
		topup = string(sale.Upgrade)
	case b.Topup == sale.Upgrade:
		return errs.New(errs.Refused, "invest.activate_first", "An upgrade is for members with an investment on {line}: activate first.", "line", b.Line)
	}
	minus, err := b.Amount.Neg()
	if err != nil {
		return err
	}
	principal := "L:PRINCIPAL:" + b.Line + ":" + strconv.FormatInt(b.UID, 10) + ":" + b.ID
	if err := s.pay(ctx, tx, fund.Kind(l.Fund), b, b.Amount, []leg{{principal, b.Amount}, {"A:CLIENT", minus}, {"A:TRADING:" + b.Line, b.Amount}}, "invest"); err != nil {
		return err
	}
	if err := s.opt.Positions.Add(ctx, tx, invest.Position{
		ID: b.ID, Line: b.Line, No: int64(m.No), Payer: b.Payer, Package: b.Package, Topup: topup, Principal: b.Amount, Day: day, Term: k.Term, At: b.At, State: invest.Open,
	}); err != nil {
		return err
	}
	if err := s.change(ctx, tx, b.UID, m.Active, lineOf[b.Line], b.Amount); err != nil {
		return err
	}
	return s.tellInvested(ctx, tx, b, p, k, day)
}

func linePackage(l plan.Line, id int64) (plan.LinePackage, bool) {
	for _, k := range l.Packages {
		if k.ID == id {
			return k, true
		}
	}
	return plan.LinePackage{}, false
}
