package cashier

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// UsdtBank is the bank id of the USDT address.
const UsdtBank = 2

// Form fields.
const (
	fieldAmount = "amount"
	fieldNumber = fund.FieldNumber
)

// RequestForm is a fund request as sent by a member, before parsing.
type RequestForm struct {
	Bank   int64
	Amount string
	Number string
	Way    string // "USDT (BEP-20)", else a bank
	Fund   string // FUNDS by default for a bank
}

// Request files a fund request. Invalid and Refused come with a text for the member and
// the first wrong field: a malformed field, a number that was used before, too many
// pending requests, an account under review. Forbidden during an impersonation.
func (s *Service) Request(ctx context.Context, by auth.Session, key string, f RequestForm) error {
	if err := by.MayPay(); err != nil {
		return err
	}
	r, err := s.parseRequest(f)
	if err != nil {
		return err
	}
	r.UID, r.NeedsTwo = by.Owner, s.Limits().FundTwoAbove.Less(r.Amount)
	body, err := json.Marshal(struct {
		What string
		fund.Request
	}{"fund request", r})
	if err != nil {
		return err
	}
	cmd := command(actor.Member(by.Owner), key, body, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		r := r
		cards, err := s.opt.Members.CardsIn(ctx, tx, by.Owner)
		if err != nil {
			return nil, err
		}
		m, known := cards[by.Owner]
		if !known || m.Blocked() {
			return nil, errUnderReview
		}
		if r.Way == fund.ByUSDT && s.opt.Deposits.HasKey() {
			own, err := s.opt.Deposits.Assign(ctx, tx, by.Owner, tx.Now())
			if err != nil {
				return nil, err
			}
			r.Bank.Account = own.Address
		}
		filed, err := s.opt.Funds.Ask(ctx, tx, r, tx.Now())
		if err != nil {
			return nil, err
		}
		return nil, s.mail(ctx, tx, m.Email, mail.FundReceived{
			Name: m.Name, UserID: m.UID, Request: filed.ID, Amount: r.Amount, Fund: r.Fund.Name(), Number: r.Number, USDT: r.Way == fund.ByUSDT,
		})
	})
	_, err = s.opt.Do.Do(ctx, cmd)
	return err
}

// parseRequest checks the fields in the order of the form.
func (s *Service) parseRequest(f RequestForm) (r fund.Request, err error) {
	if strings.TrimSpace(f.Amount) == "" {
		return r, errs.At(errs.Invalid, fieldAmount, "fund.amount_required", fund.TextAmountRequired)
	}
	r.Way = fund.ByBank
	if f.Way != "" && f.Way != string(fund.ByBank) {
		if r.Way = fund.ByUSDT; f.Way != string(fund.ByUSDT) {
			return r, errs.At(errs.Invalid, "usertype", "fund.way_unknown", "Money is sent by bank or by USDT (BEP-20).")
		}
	}
	if strings.TrimSpace(f.Number) == "" {
		return r, errs.At(errs.Invalid, fieldNumber, "fund.number_required", fund.TextNumberRequired)
	}
	if f.Fund == "" && r.Way == fund.ByBank {
		f.Fund = string(fund.Robot)
	}
	if r.Fund, err = fund.ParseKind(f.Fund); err != nil {
		return r, errs.At(errs.Invalid, "Fundtype", "fund.type_required", fund.TextFundRequired)
	}
	if r.Amount, err = fund.ParseAmount(f.Amount, fund.MaxDigits); err != nil {
		return r, errs.About(fieldAmount, err)
	}
	if r.Number, err = fund.ParseNumber(r.Way, f.Number); err != nil {
		return r, errs.About(fieldNumber, err)
	}
	if r.Way == fund.ByUSDT {
		if f.Bank != 0 && f.Bank != UsdtBank {
			return r, errs.At(errs.Invalid, "bankid", "fund.usdt_not_by_bank", "USDT is not sent to a bank: its bank id is 2.")
		}
		to := s.company()
		if to == "" && !s.opt.Deposits.HasKey() {
			return r, errs.New(errs.Refused, "fund.usdt_not_offered", "USDT cannot be sent at the moment, because there is no address for it.")
		}
		r.Bank = fund.Bank{ID: UsdtBank, Name: string(fund.ByUSDT), Account: to}
		return r, nil
	}
	b, found := s.Bank(f.Bank)
	if !found {
		return r, errs.At(errs.Invalid, "bankid", "fund.bank_required", "Select the bank that you have paid into.")
	}
	r.Bank = fund.Bank{ID: b.ID, Name: b.Name, Holder: b.Holder, Account: b.Account, IFSC: b.IFSC, Branch: b.Branch}
	return r, nil
}

// Banks returns the accounts that members pay to.
func (s *Service) Banks() []brand.Bank { return s.opt.Settings.Current().Banks }

func (s *Service) Bank(id int64) (brand.Bank, bool) {
	for _, b := range s.Banks() {
		if b.ID == id {
			return b, true
		}
	}
	return brand.Bank{}, false
}

// company is the USDT address for members without a deposit address: the watched address,
// so that no screen shows another one, or that of the settings if no chain is watched.
func (s *Service) company() string {
	if address := s.receiver(); address != "" {
		return address
	}
	return s.opt.Settings.Current().USDT
}

// USDT returns the company's USDT address and its QR code; empty if there is none.
func (s *Service) USDT() (address, picture string, err error) {
	if address = s.company(); address == "" {
		return "", "", nil
	}
	picture, err = qrPicture(address)
	return address, picture, err
}

// NextUSDT returns the next USDT address and its start; empty if no change is planned.
func (s *Service) NextUSDT() (address string, holds time.Time) { return s.opt.Settings.NextAddress() }

// Approve approves and credits a fund request. Above the limit it takes two operators,
// and the second one sends the digest of the request. The other pending requests with its
// number are rejected. Errors: those of fund's Approve; Refused if the transaction paid a
// withdrawal.
func (s *Service) Approve(ctx context.Context, by actor.By, key string, id int64, digest, remark string) error {
	if by.Operator == 0 { // only payments on the chain are credited without an operator
		return fmt.Errorf("cashier: nobody approves fund request %d", id)
	}
	return s.decide(ctx, by, key, "fund.approve", id, remark, func(ctx context.Context, tx *ledger.Tx) error {
		return s.ApproveIn(ctx, tx, by, id, digest, remark)
	})
}

// ApproveIn is Approve within a command of the caller.
func (s *Service) ApproveIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, digest, remark string) error {
	if err := s.opt.Funds.Tighten(ctx, tx, id, s.Limits().FundTwoAbove, tx.Now()); err != nil {
		return err
	}
	if err := s.opt.Funds.TightenBy(ctx, tx, id, by.Operator, s.Limits().FundAloneDaily, tx.Now()); err != nil {
		return err
	}
	r, err := s.opt.Funds.Approve(ctx, tx, by, id, digest, remark)
	if err == nil && r.Way == fund.ByUSDT {
		err = s.incoming(ctx, tx, r)
	}
	switch {
	case err != nil:
		return err
	case r.State == fund.Pending: // another operator must approve
		if err := s.second(ctx, tx, by, approvalmail.Fund, r.ID, r.Amount); err != nil {
			return err
		}
		return s.record(ctx, tx, by, decision{
			"fund.approve", r.ID, r.UID, r.Amount, stateEntry(string(fund.Pending), ""), stateEntry(string(fund.Pending), r.First.Name), remark,
		})
	}
	if err := s.decided(ctx, tx, by, "fund.approve", r); err != nil {
		return err
	}
	return s.closeOthers(ctx, tx, by, r)
}

// closeOthers rejects the other pending requests with the credited number.
func (s *Service) closeOthers(ctx context.Context, tx *ledger.Tx, by actor.By, r fund.Request) error {
	closed, err := s.opt.Funds.CloseOthers(ctx, tx, by, r)
	for _, other := range closed {
		if err == nil {
			err = s.decided(ctx, tx, by, "fund.reject", other)
		}
	}
	return err
}

// incoming returns Refused for a transaction that paid a withdrawal.
func (s *Service) incoming(ctx context.Context, tx *ledger.Tx, r fund.Request) error {
	uses, err := s.opt.Withdrawals.Uses(ctx, tx, []string{r.Number})
	if paid := uses[r.Number].Withdrawal; err == nil && paid != 0 {
		err = errs.New(errs.Refused, "fund.paid_withdrawal", "This transaction paid withdrawal {withdrawal} and is no deposit. Reject fund request {id}.", "withdrawal", paid, "id", r.ID)
	}
	return err
}

// Reject rejects a fund request; the member reads the remark. Errors: those of fund's
// Reject.
func (s *Service) Reject(ctx context.Context, by actor.By, key string, id int64, remark string) error {
	return s.decide(ctx, by, key, "fund.reject", id, remark, func(ctx context.Context, tx *ledger.Tx) error {
		return s.RejectIn(ctx, tx, by, id, remark)
	})
}

// RejectIn is Reject within a command of the caller.
func (s *Service) RejectIn(ctx context.Context, tx *ledger.Tx, by actor.By, id int64, remark string) error {
	r, err := s.opt.Funds.Reject(ctx, tx, by, id, remark, tx.Now())
	if err != nil {
		return err
	}
	return s.decided(ctx, tx, by, "fund.reject", r)
}

// Release allows the member of a rejected request to use its number again. The audit log
// keeps the reason. Errors: those of fund's Release.
func (s *Service) Release(ctx context.Context, by actor.By, key string, id int64, why string) error {
	return s.decide(ctx, by, key, "fund.release", id, why, func(ctx context.Context, tx *ledger.Tx) error {
		r, err := s.opt.Funds.Release(ctx, tx, id, why, tx.Now())
		if err != nil {
			return err
		}
		return s.record(ctx, tx, by, decision{
			"fund.release", r.ID, r.UID, r.Amount,
			map[string]string{"state": string(r.State), "number": r.Number},
			map[string]string{"state": string(r.State), "number": "may be named again"},
			why,
		})
	})
}

// Verdict notes the watcher's finding on a pending request, visible to operators and the
// member. Conflict if the request is not pending.
func (s *Service) Verdict(ctx context.Context, id int64, text errs.Text) error {
	_, err := s.opt.Do.Do(ctx, command("chain", "", nil, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, s.opt.Funds.Verdict(ctx, tx, id, text, tx.Now())
	}))
	return err
}

// decide runs an operator's decision about the item with an id as one command.
func (s *Service) decide(ctx context.Context, by actor.By, key, what string, id int64, more string, run func(context.Context, *ledger.Tx) error) error {
	body, err := json.Marshal(struct {
		What string
		ID   int64
		More string
	}{what, id, more})
	if err != nil {
		return err
	}
	_, err = s.opt.Do.Do(ctx, command(by.Key(), key, body, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}))
	return err
}

// decided writes the audit log and mails the member.
func (s *Service) decided(ctx context.Context, tx *ledger.Tx, by actor.By, kind string, r fund.Request) error {
	d := decision{kind, r.ID, r.UID, r.Amount, stateEntry(string(fund.Pending), r.First.Name), stateEntry(string(r.State), r.First.Name), r.Remark}
	if err := s.record(ctx, tx, by, d); err != nil {
		return err
	}
	m, _, err := s.opt.Members.GetIn(ctx, tx, r.UID)
	if err != nil {
		return err
	}
	return s.mail(ctx, tx, m.Email, mail.FundDecided{
		Name: m.Name, UserID: m.UID, Request: r.ID, Amount: r.Amount, Fund: r.Fund.Name(), Approved: r.State == fund.Approved, Remark: r.Remark, USDT: r.Way == fund.ByUSDT,
	})
}

// Requests lists fund requests. For pending ones, NeedsTwo follows the current limit.
func (s *Service) Requests(ctx context.Context, f fund.Filter) ([]fund.Request, int64, error) {
	return s.RequestsFor(ctx, 0, f)
}

// RequestsFor is Requests for an operator: NeedsTwo also covers the operator's own limit.
func (s *Service) RequestsFor(ctx context.Context, operator int64, f fund.Filter) ([]fund.Request, int64, error) {
	all, total, err := s.opt.Funds.List(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	var uids []int64
	for _, r := range all {
		if r.State == fund.Pending {
			uids = append(uids, r.UID)
		}
	}
	if len(uids) == 0 {
		return all, total, nil
	}
	before, err := s.opt.Funds.Approved(ctx, nil, members(uids), s.opt.Clock.Now())
	if err != nil {
		return nil, 0, err
	}
	alone, err := s.opt.Funds.Alone(ctx, nil, operator, s.opt.Clock.Now())
	l := s.Limits()
	for i := range all {
		if r := &all[i]; r.State == fund.Pending {
			r.NeedsTwo = r.NeedsTwo || money.Exceeds(l.FundTwoAbove, r.Amount, before[r.UID]) || (operator != 0 && money.Exceeds(l.FundAloneDaily, r.Amount, alone))
		}
	}
	return all, total, err
}
