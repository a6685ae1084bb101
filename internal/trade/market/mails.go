package market

import (
	"context"
	"fmt"
	"strings"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// mail queues a mail to a member and wakes the sender after the commit.
func (s *Service) mail(ctx context.Context, tx *ledger.Tx, to string, letter mail.Mail) error {
	if to == "" {
		return nil
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, to, letter)
}

// both are the payer and the owner of a purchase by a member. other is the owner's id if it is
// not the payer, else 0.
func (s *Service) both(ctx context.Context, tx *ledger.Tx, b Purchase) (payer, owner member.Card, other int64, err error) {
	cards, err := s.opt.Members.CardsIn(ctx, tx, b.Payer, b.UID)
	if b.UID != b.Payer {
		other = b.UID
	}
	return cards[b.Payer], cards[b.UID], other, err
}

// tellBought mails the payer a receipt, so that the owner of a stolen account notices the
// purchase, and tells another owner of the package.
func (s *Service) tellBought(ctx context.Context, tx *ledger.Tx, b Purchase, k plan.Package, due money.Amount, days int64) error {
	if !b.byMember {
		return nil
	}
	payer, owner, other, err := s.both(ctx, tx, b)
	if err != nil {
		return err
	}
	receipt := mail.PackageBought{
		Name: payer.Name, UserID: b.Payer, Package: k.Name, Upgrade: b.Topup == sale.Upgrade, Amount: due, Fund: fund.Robot.Name(), Days: days,
	}
	if other == 0 {
		return s.mail(ctx, tx, payer.Email, receipt)
	}
	receipt.For, receipt.ForName = other, owner.Name
	if err := s.mail(ctx, tx, payer.Email, receipt); err != nil {
		return err
	}
	return s.mail(ctx, tx, owner.Email, mail.PackageGiven{
		Name: owner.Name, UserID: other, From: b.Payer, FromName: payer.Name, Package: k.Name, Upgrade: receipt.Upgrade, Amount: due,
	})
}

// tellInvested mails the payer a receipt, and tells another owner of the investment.
func (s *Service) tellInvested(ctx context.Context, tx *ledger.Tx, b Purchase, p *plan.Plan, k plan.LinePackage, day plan.Day) error {
	if !b.byMember {
		return nil
	}
	payer, owner, other, err := s.both(ctx, tx, b)
	if err != nil {
		return err
	}
	split := p.ProfitSplitPPM
	terms := mail.Terms{
		Line: b.Line, Package: k.Name, Amount: b.Amount, Days: k.Term, Ends: (day + plan.Day(k.Term)).Time(),
		Member: percent(split.Member), Sponsors: percent(split.Level), Fee: percent(split.Fee),
	}
	receipt := mail.InvestmentMade{Name: payer.Name, UserID: b.Payer, Fund: fund.Kind(p.Lines[b.Line].Fund).Name(), Terms: terms}
	if other == 0 {
		return s.mail(ctx, tx, payer.Email, receipt)
	}
	receipt.For, receipt.ForName = other, owner.Name
	if err := s.mail(ctx, tx, payer.Email, receipt); err != nil {
		return err
	}
	return s.mail(ctx, tx, owner.Email, mail.InvestmentGiven{Name: owner.Name, UserID: other, From: b.Payer, FromName: payer.Name, Terms: terms})
}

// percent is a rate in parts per million as a percentage, such as 12.5.
func percent(ppm int64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%04d", ppm/10_000, ppm%10_000), "0"), ".")
}

// tellReturned mails the payer, and another owner, that a package was returned.
func (s *Service) tellReturned(ctx context.Context, tx *ledger.Tx, x sale.Sale) error {
	p, err := s.opt.Closing.PlanOn(ctx, tx, x.Day)
	if err != nil {
		return err
	}
	place, _ := s.opt.Tree.Get(tree.No(x.No))
	payer, owner, other, err := s.both(ctx, tx, Purchase{UID: place.UID, Payer: x.Payer})
	if err != nil {
		return err
	}
	k, _ := robotPackage(p, x.Package)
	if err := s.mail(ctx, tx, payer.Email, mail.PackageReturned{Name: payer.Name, UserID: x.Payer, Package: k.Name, Amount: x.Amount, Fund: fund.Robot.Name()}); err != nil || other == 0 {
		return err
	}
	return s.mail(ctx, tx, owner.Email, mail.PackageReturned{Name: owner.Name, UserID: other, Package: k.Name, Amount: x.Amount})
}

// TellReady mails the member of a claim once its cash can be collected.
func (s *Service) TellReady(ctx context.Context, tx *ledger.Tx, id string) error {
	c, err := s.FindClaim(ctx, tx, id)
	if err != nil || c.State() != invest.ClaimFunded {
		return err
	}
	owner, _ := s.opt.Tree.Get(tree.No(c.No))
	m, _, err := s.opt.Members.GetIn(ctx, tx, owner.UID)
	if err != nil {
		return err
	}
	return s.mail(ctx, tx, m.Email, mail.ClaimReady{Name: m.Name, UserID: m.UID, Line: c.Line, Amount: c.Amount, Net: c.Net})
}

// incomes are the names of the wallets that claims are paid into.
var incomes = map[string]string{"FOREX": "Forex Income", "CRYPTO": "Crypto Income"}

// tellPaid mails the member of a claim that it was paid.
func (s *Service) tellPaid(ctx context.Context, tx *ledger.Tx, id string, uid int64) error {
	c, err := s.FindClaim(ctx, tx, id)
	if err != nil {
		return err
	}
	m, _, err := s.opt.Members.GetIn(ctx, tx, uid)
	if err != nil {
		return err
	}
	return s.mail(ctx, tx, m.Email, mail.ClaimPaid{Name: m.Name, UserID: uid, Line: c.Line, Amount: c.Amount, Net: c.Net, Wallet: incomes[c.Line]})
}
