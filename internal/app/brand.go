package app

import (
	"context"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/bifolia/bifolia/internal/insight/transparency"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/notice"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// openBrand reads the brand and the settings, follows their changes, and opens the
// services for visitors.
func (a *App) openBrand(ctx context.Context, _ *prometheus.Registry) error {
	source, err := brand.Open(a.cfg.BrandFile, a.cfg.Demo, a.log)
	if err != nil {
		return err
	}
	secret, err := a.signer.Derive("newsletter")
	if err != nil {
		return err
	}
	c := &a.services
	c.Settings = settings.New(settings.Options{
		Second: a.second,
		Do:     a.ledger, Store: a.db.Settings(), File: source, Operators: c.Auth, Mail: a.services.Mail, AuditLog: c.AuditLog, Clock: a.clock, Log: a.log, Demo: a.cfg.Demo, Unfit: a.unsuitableAddress,
		Limits: settings.WithdrawLimits{MemberDaily: a.cfg.WithdrawMemberDaily, TotalDaily: a.cfg.WithdrawTotalDaily, TwoAbove: a.cfg.WithdrawTwoAbove, FactorAbove: a.cfg.WithdrawFactorAbove, FundTwoAbove: a.cfg.FundTwoAbove, FundAloneDaily: a.cfg.FundAloneDaily},
	})
	if err := c.Settings.Look(ctx); err != nil {
		return sentence(err)
	}
	if err := a.requireOneReceiver(); err != nil {
		return err
	}
	c.Newsletter = newsletter.New(newsletter.Options{
		Do: a.ledger, Store: a.db.Newsletter(), Mail: a.services.Mail, Clock: a.clock, Secret: secret, PublicURL: a.publicURL(),
	})
	c.Notices = notice.New(notice.Options{Do: a.ledger, Store: a.db.Notice(), Clock: a.clock})
	c.Transparency = transparency.New(transparency.Options{Do: a.ledger, Store: a.db.Transparency(), Log: a.log})
	a.background("brand and public report", source.Follow, c.Settings.Follow, c.Transparency.Follow)
	a.background("mail", c.Mail.Loop) // mails show the brand
	return nil
}

// requireOneReceiver refuses to serve with two addresses for members' USDT. Without a brand file
// there is no second one; an address set by operators replaces both.
func (a *App) requireOneReceiver() error {
	shown, watched := a.services.Settings.Current().USDT, a.receiver()
	if a.desk || a.cfg.BrandFile == "" || shown == "" || watched == "" || strings.EqualFold(shown, watched) {
		return nil
	}
	return errs.New(errs.Refused, "chain.receiver_differs", "chain_receiver is {watched}, but the brand file has the USDT address {shown}: members would be shown one address and the other would be watched. Remove one of them, or make them the same.", "watched", watched, "shown", shown)
}

// unsuitableAddress returns why members cannot be told to send USDT to an address: money sent to the
// token's contract is lost, and a member's wallet is not the company's.
func (a *App) unsuitableAddress(ctx context.Context, address string) (errs.Text, error) {
	if strings.EqualFold(address, a.cfg.ChainToken) {
		return errs.Say("brand.usdt_is_token", "is the contract of the token: what is sent there is lost"), nil
	}
	if own, err := a.deposits.Ours(ctx, address); err != nil || own {
		return errs.Say("brand.usdt_is_ours", "is an address that a member pays to, or a hot wallet"), err
	}
	owners, err := a.services.Members.WithWallet(ctx, member.Wallet(address))
	if err != nil || len(owners) == 0 {
		return errs.Text{}, err
	}
	return errs.Say("brand.usdt_is_members", "is the wallet of a member"), nil
}
