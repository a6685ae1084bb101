package cashier

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/eip55"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// WithdrawalDigits limits the length of a withdrawal's amount.
const WithdrawalDigits = 10

// CodeRequest asks for a one-time code.
type CodeRequest struct {
	UID   int64 // 0 if no member was named
	Email string
	Own   bool // the member is signed in; otherwise the sender is unknown
	// For is the order that the code confirms. If it is nil, the first withdrawal that
	// uses the code binds it.
	For *withdrawal.Order
}

// SendCode mails a one-time code to the member if the e-mail address is the member's. The
// response does not reveal whether it was: other requests do the same work, including a
// durable commit. A stranger's request does not replace a code that can still be used. No
// code is sent to an account under review, or locked by wrong codes. Only a signed-in
// member receives Refused, with the end of the lock, or with the reason why the order
// cannot be withdrawn.
func (s *Service) SendCode(ctx context.Context, r CodeRequest) error {
	digits, err := withdrawal.NewCode()
	if err != nil {
		return err
	}
	_, err = s.opt.Do.Do(ctx, command("otp", "", nil, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		m, found, err := s.opt.Members.Verified(ctx, tx, r.UID)
		if err != nil {
			return nil, err
		}
		now := s.opt.Clock.Latest()
		if !found || m.Blocked() || !strings.EqualFold(strings.TrimSpace(r.Email), m.Email) {
			return nil, s.opt.Withdrawals.IssueToNobody(ctx, tx, digits, now)
		}
		if guarded, err := s.opt.Auth.HasFactor(ctx, tx, m.UID); err != nil {
			return nil, err
		} else if guarded {
			if r.Own {
				return nil, errNoOTP
			}
			return nil, s.opt.Withdrawals.IssueToNobody(ctx, tx, digits, now)
		}
		if !m.Confirmed() {
			if r.Own {
				return nil, member.ErrUnconfirmed
			}
			return nil, s.opt.Withdrawals.IssueToNobody(ctx, tx, digits, now)
		}
		if r.Own && r.For != nil {
			if err := s.possible(ctx, tx, m, *r.For); err != nil {
				return nil, err
			}
		}
		c, letter := withdrawal.Code{UID: m.UID, Bound: r.For != nil}, mail.WithdrawalCode{Name: m.Name, UserID: m.UID, Code: digits, Valid: withdrawal.CodeLife}
		if r.For != nil {
			c.Order, letter.Amount, letter.From, letter.Address = *r.For, r.For.Amount, walletName(r.For.Wallet), string(m.Wallet)
		}
		c.Order.Address = string(m.Wallet)
		if r.Own {
			err = s.opt.Withdrawals.Issue(ctx, tx, c, digits, now)
		} else {
			var issued bool
			issued, err = s.opt.Withdrawals.IssueToStranger(ctx, tx, c, digits, now)
			if errs.Is(err, errs.Refused) { // strangers learn nothing
				return nil, s.opt.Withdrawals.IssueToNobody(ctx, tx, digits, now)
			}
			if err == nil && !issued {
				return nil, nil
			}
		}
		if err != nil {
			return nil, err
		}
		return nil, s.mail(ctx, tx, m.Email, letter)
	}))
	return err
}

// possible returns the error of Withdraw for an order that cannot be carried out now.
func (s *Service) possible(ctx context.Context, tx *ledger.Tx, m member.Member, o withdrawal.Order) error {
	if _, err := payableTo(m); err != nil {
		return err
	}
	if err := s.requireFactor(o.Amount); err != nil {
		return err
	}
	if _, err := s.price(ctx, tx, m.UID, o); err != nil {
		return err
	}
	held, err := s.held(ctx, tx, m.UID, o.Wallet)
	if err != nil {
		return err
	}
	return held.explain(withdrawal.Enough(tx, m.UID, o, held.keep))
}

// Withdrawal is a member's request for a withdrawal.
type Withdrawal struct {
	Wallet string // an income, or FundBalance
	Type   string // USDT
	Amount money.Amount
	Code   string // the one-time code or, with a second factor, the code of the authenticator app
	Email  string // the member's address, or empty
	// Passkey is the signature of the challenge of BeginWithdrawal, in place of the code.
	Passkey *auth.Assertion
	From    auth.From
}

var errNoOTP = errs.New(errs.Refused, "withdrawal.otp_replaced_by_factor", "You confirm withdrawals with your second factor, so no OTP is mailed. Enter a code from your authenticator app, or use a passkey.")

// requireFactor returns Refused if the amount requires a second factor.
func (s *Service) requireFactor(a money.Amount) error {
	if above := s.Limits().FactorAbove; !above.IsZero() && above.Less(a) {
		return errs.New(errs.Refused, "withdrawal.factor_required", "Withdrawals above {above} USDT take a second factor. Set one up and try again.", "above", plain(above))
	}
	return nil
}

// subject is the canonical order, which confirmations and idempotency keys are bound to.
func subject(o withdrawal.Order) ([]byte, error) {
	return json.Marshal(struct {
		What string
		withdrawal.Order
	}{"withdrawal", o})
}

// BeginWithdrawal returns a challenge with which a passkey of the member confirms exactly
// this withdrawal. Errors: those of Withdraw about the order, and of auth's
// BeginConfirmation.
func (s *Service) BeginWithdrawal(ctx context.Context, by auth.Session, w Withdrawal) (auth.SignInOptions, error) {
	if err := by.MayPay(); err != nil {
		return auth.SignInOptions{}, err
	}
	o, err := s.order(ctx, by.Owner, w)
	if err != nil {
		return auth.SignInOptions{}, err
	}
	about, err := subject(o)
	if err != nil {
		return auth.SignInOptions{}, err
	}
	return s.opt.Auth.BeginConfirmation(ctx, by, about)
}

// Withdraw files a withdrawal and holds its money. Refused, with a text for the member: a
// wrong, spent or expired code or one for another order, a missing wallet address, an
// amount beyond the plan, a daily limit or the balance, an account under review, a frozen
// ledger. Forbidden during an impersonation.
func (s *Service) Withdraw(ctx context.Context, by auth.Session, key string, w Withdrawal) error {
	if err := by.MayPay(); err != nil {
		return err
	}
	o, err := s.order(ctx, by.Owner, w)
	if err != nil {
		return err
	}
	body, err := subject(o)
	if err != nil {
		return err
	}
	who := actor.Member(by.Owner)
	if done, err := s.done(ctx, who, key, body); done || err != nil {
		return err
	}
	use, err := s.confirmation(ctx, by, w, o, body)
	if err != nil {
		return err
	}
	_, err = s.opt.Do.Do(ctx, command(who, key, body, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, s.withdraw(ctx, tx, by.Owner, use, o)
	}))
	return err
}

// confirmation checks the member's confirmation: the second factor or, without one, the
// mailed code. use runs within the command of the withdrawal.
func (s *Service) confirmation(ctx context.Context, by auth.Session, w Withdrawal, o withdrawal.Order, about []byte) (use func(context.Context, *ledger.Tx) error, err error) {
	e, err := s.opt.Auth.MemberEnrolment(ctx, by.Owner)
	if err != nil {
		return nil, err
	}
	if !e.Set.IsZero() {
		c, err := s.opt.Auth.CheckConfirmation(ctx, by, about, auth.Confirmation{Code: w.Code, Passkey: w.Passkey}, w.From)
		return c.Use, err
	}
	if err := s.requireFactor(o.Amount); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *ledger.Tx) error {
		// The signed chain decides whether the member has a second factor.
		has, err := s.opt.Auth.HasFactor(ctx, tx, by.Owner)
		if err == nil && has {
			err = errNoOTP
		}
		if err != nil {
			return err
		}
		return s.opt.Withdrawals.Use(ctx, tx, by.Owner, w.Code, o, s.opt.Clock.Latest())
	}, s.try(ctx, by.Owner, w.Code, o)
}

// order returns the member's order with the address it pays to.
func (s *Service) order(ctx context.Context, uid int64, w Withdrawal) (o withdrawal.Order, err error) {
	m, found, err := s.opt.Members.Get(ctx, uid)
	switch {
	case err != nil:
		return o, err
	case !found:
		return o, errs.New(errs.NotFound, "member.not_found", "There is no member {uid}.", "uid", uid)
	case w.Email != "" && !strings.EqualFold(strings.TrimSpace(w.Email), m.Email):
		return o, errs.New(errs.Refused, "withdrawal.email_not_yours", "This is not your e-mail address.")
	case !withdrawal.IsWallet(w.Wallet):
		return o, errs.New(errs.Refused, "withdrawal.wallet_required", "Select Income Type !!")
	case w.Type != withdrawal.USDT:
		return o, errs.New(errs.Refused, "withdrawal.type_required", "Select Withdrawal Type!!")
	}
	address, err := payableTo(m)
	return withdrawal.Order{Wallet: w.Wallet, Type: w.Type, Amount: w.Amount, Address: address}, err
}

// payableTo returns the member's payment address. Refused without one.
func payableTo(m member.Member) (string, error) {
	address, ok := eip55.Parse(string(m.Wallet))
	if !ok {
		return "", errs.New(errs.Refused, "withdrawal.address_required", "Please enter ecurrency address !! It is missing in your E-Currency Details.")
	}
	return address, nil
}

// try checks a code in a separate command, so that a wrong attempt counts even if the
// rest fails.
func (s *Service) try(ctx context.Context, uid int64, code string, o withdrawal.Order) error {
	var refused error
	_, err := s.opt.Do.Do(ctx, command("otp", "", nil, func(ctx context.Context, tx *ledger.Tx) (_ []byte, err error) {
		refused, err = s.opt.Withdrawals.Try(ctx, tx, uid, code, o, s.opt.Clock.Latest())
		return nil, err
	}))
	if err != nil {
		return err
	}
	return refused
}

func (s *Service) withdraw(ctx context.Context, tx *ledger.Tx, uid int64, use func(context.Context, *ledger.Tx) error, o withdrawal.Order) error {
	m, err := s.payer(ctx, tx, uid)
	if err != nil {
		return err
	}
	if string(m.Wallet) != o.Address {
		return withdrawal.ErrOtherOrder
	}
	if err := use(ctx, tx); err != nil {
		return err
	}
	charge, err := s.price(ctx, tx, uid, o)
	if err != nil {
		return err
	}
	net, err := o.Amount.Sub(charge)
	if err != nil {
		return err
	}
	wait, err := s.opt.Auth.WaitIn(ctx, tx, uid)
	if err != nil {
		return err
	}
	held, err := s.held(ctx, tx, uid, o.Wallet)
	if err != nil {
		return err
	}
	w, err := s.opt.Withdrawals.Ask(ctx, tx, withdrawal.Withdrawal{
		UID: uid, Wallet: o.Wallet, Type: o.Type, Amount: o.Amount, Charge: charge, Net: net, Address: o.Address,
		NeedsTwo: s.Limits().TwoAbove.Less(o.Amount), ReadyAt: wait.Until,
	}, held.keep)
	if err != nil {
		return held.explain(err)
	}
	return s.notify(ctx, tx, m, w)
}

// price checks an order against the plan and the daily limits and returns the charge.
func (s *Service) price(ctx context.Context, tx *ledger.Tx, uid int64, o withdrawal.Order) (charge money.Amount, err error) {
	p, err := s.opt.Plans.PlanNow(ctx, tx)
	if err != nil {
		return charge, err
	}
	if charge, err = withdrawal.Cost(p, o.Wallet, o.Amount); err != nil {
		return charge, amountRule(p, err)
	}
	return charge, s.capped(ctx, tx, p, uid, o.Amount, tx.Now())
}

// amountRule replaces a refusal of the plan by a complete sentence.
func amountRule(p *plan.Plan, err error) error {
	if errs.Is(err, errs.Refused) {
		return errs.New(errs.Refused, "withdrawal.amount_rule", "Withdraw whole dollars. The minimum from an income wallet is {least}.", "least", plain(p.Withdraw.Min))
	}
	return err
}

// capped returns Refused above a daily limit. Days are in the plan's time zone. The limit
// for all members counts approvals, not requests: otherwise a few members could block the
// others by requesting and cancelling.
func (s *Service) capped(ctx context.Context, tx *ledger.Tx, p *plan.Plan, uid int64, a money.Amount, now time.Time) error {
	own, err := s.opt.Withdrawals.Requested(ctx, tx, uid, dayOf(p, now))
	if err != nil {
		return err
	}
	if own, err = own.Add(a); err != nil {
		return err
	}
	if most := s.Limits().MemberDaily; most.Less(own) {
		return errs.New(errs.Refused, "withdrawal.daily_limit", "This is more than the {most} that you may withdraw on one day.", "most", plain(most))
	}
	over, err := s.beyondAll(ctx, tx, p, a, now)
	if err == nil && over {
		err = errs.New(errs.Refused, "withdrawal.all_members_limit", "Today's limit for withdrawals of all members is reached. Try again tomorrow, or with less.")
	}
	return err
}

// beyondAll reports whether an amount exceeds the rest of the day's limit for all
// members.
func (s *Service) beyondAll(ctx context.Context, tx *ledger.Tx, p *plan.Plan, a money.Amount, now time.Time) (bool, error) {
	all, err := s.opt.Withdrawals.ApprovedOfAll(ctx, tx, dayOf(p, now))
	if err != nil {
		return false, err
	}
	if all, err = all.Add(a); err != nil {
		return false, err
	}
	return s.Limits().TotalDaily.Less(all), nil
}

// dayOf returns the start of the day in the plan's time zone.
func dayOf(p *plan.Plan, now time.Time) time.Time {
	y, mo, d := now.In(p.Zone()).Date()
	return time.Date(y, mo, d, 0, 0, 0, 0, p.Zone())
}

// Cancel cancels a pending withdrawal. NotFound if it is not the member's; Conflict if it
// is too late; Forbidden during an impersonation.
func (s *Service) Cancel(ctx context.Context, by auth.Session, key string, id int64) error {
	if err := by.MayPay(); err != nil {
		return err
	}
	body, err := json.Marshal(struct{ Cancel int64 }{id})
	if err != nil {
		return err
	}
	_, err = s.opt.Do.Do(ctx, command(actor.Member(by.Owner), key, body, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		m, _, err := s.opt.Members.GetIn(ctx, tx, by.Owner)
		if err != nil {
			return nil, err
		}
		if w, err := s.opt.Withdrawals.Get(ctx, tx, id); err == nil && w.UID == by.Owner && errs.Is(s.open(ctx, tx, id), errs.Refused) {
			return nil, errs.New(errs.Refused, "withdrawal.payment_being_checked", "We are checking whether this withdrawal was paid, so it cannot be cancelled now.")
		}
		w, err := s.opt.Withdrawals.Cancel(ctx, tx, by.Owner, id)
		if err != nil {
			return nil, err
		}
		return nil, s.notify(ctx, tx, m, w)
	}))
	return err
}

// notify mails the member the state of a withdrawal.
func (s *Service) notify(ctx context.Context, tx *ledger.Tx, m member.Member, w withdrawal.Withdrawal) error {
	letter := mail.Withdrawal{
		Name: m.Name, UserID: m.UID, ID: w.ID, State: string(w.State), Amount: w.Amount, Fee: w.Charge, Net: w.Net,
		From: walletName(w.Wallet), Address: w.Address, Hash: w.Hash, Remark: w.Remark,
	}
	if (w.State == withdrawal.Pending || w.State == withdrawal.Approved) && w.ReadyAt.After(tx.Now()) {
		letter.Waits = w.ReadyAt.UTC()
	}
	return s.mail(ctx, tx, m.Email, letter)
}

// walletName is the display name of a wallet.
func walletName(wallet string) string {
	if name, ok := map[string]string{
		"LevelIncome": "Level Income", "binaryIncome": "Matching Income", "ForexIncome": "Forex Income", "CryptoIncome": "Crypto Income",
		"royalty_income": "Royalty Income", "salaryrankreward": "Salary, Rank and Reward", withdrawal.FundBalance: "Unused fund balance",
	}[wallet]; ok {
		return name
	}
	return wallet
}
