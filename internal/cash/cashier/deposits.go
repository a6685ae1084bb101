package cashier

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Watcher is the displayed name of the deposit watcher, which credits payments seen on
// the chain.
const Watcher = "chain watcher"

// Reasons for leaving a payment to an operator.
var (
	holdOurs   = errs.Say("deposit.from_company", "It came from an address of the company: an operator decides.")
	holdShared = errs.Say("deposit.from_shared_wallet", "It came out of a wallet that several members have registered: an operator decides.")
	holdOthers = errs.Say("deposit.from_other_wallet", "It came out of a wallet that another member has registered: an operator decides.")
	holdLate   = errs.Say("deposit.late", "It arrived after the announced time had ended: an operator decides.")
)

const textNoChain = "Payments cannot be announced here: send the transaction's hash once you have paid."

// HasKey reports whether each member has a deposit address.
func (s *Service) HasKey() bool { return s.opt.Deposits.HasKey() }

// Minimum is the smallest payment that becomes a request. Smaller ones are only recorded:
// anybody can send dust to any address, and dust must neither take the operators' time
// nor block larger payments.
func (s *Service) Minimum() money.Amount { return s.opt.Minimum }

// MayAnnounce reports whether members announce payments in advance: the chain is watched,
// and there is no key for deposit addresses.
func (s *Service) MayAnnounce() bool { return !s.HasKey() && s.receiver() != "" }

func (s *Service) receiver() string {
	if s.opt.Receiver == nil {
		return ""
	}
	return s.opt.Receiver()
}

// DepositAddress returns the member's deposit address and assigns it on the first call.
// It returns false if there is no key, and during an impersonation before the member has
// asked. It returns Conflict with a *ledger.TamperedError if the row was changed in the
// database.
func (s *Service) DepositAddress(ctx context.Context, by auth.Session) (deposit.Address, bool, error) {
	if !s.HasKey() {
		return deposit.Address{}, false, nil
	}
	a, found, err := s.opt.Deposits.Of(ctx, by.Owner)
	known := err == nil && (found || by.Kind != auth.KindMember)
	if known || (err != nil && !errors.As(err, new(*ledger.TamperedError))) {
		return a, found, err
	}
	// Reading the address again within a command makes tampering freeze all payments.
	_, err = s.opt.Do.Do(ctx, command(actor.Member(by.Owner), "", nil, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		a, err = s.opt.Deposits.Assign(ctx, tx, by.Owner, tx.Now())
		return nil, err
	}))
	return a, err == nil, err
}

// Picture returns text as a QR code: a PNG in a data: URL.
func (s *Service) Picture(text string) (string, error) { return qrPicture(text) }

// Announce opens an intent: a payment of whole dollars plus unique cents, due within a
// limited time. Errors as for Request.
func (s *Service) Announce(ctx context.Context, by auth.Session, key, amount, kind string) (i deposit.Intent, err error) {
	if err := by.MayPay(); err != nil {
		return i, err
	}
	if !s.MayAnnounce() {
		return i, errs.New(errs.Refused, "deposit.not_offered", textNoChain)
	}
	k, err := fund.ParseKind(kind)
	if err != nil {
		return i, errs.At(errs.Invalid, "Fundtype", "fund.type_required", fund.TextFundRequired)
	}
	a, err := fund.ParseAmount(amount, fund.MaxDigits)
	if err != nil {
		return i, errs.About(fieldAmount, err)
	}
	if a.Less(s.opt.Minimum) {
		return i, errs.At(errs.Invalid, fieldAmount, "deposit.below_minimum", "The least amount is {least}.", "least", s.opt.Minimum.Short())
	}
	wish := deposit.Intent{UID: by.Owner, Fund: string(k), Amount: a, Address: s.receiver()}
	body, err := json.Marshal(struct {
		What string
		deposit.Intent
	}{"announce", wish})
	if err != nil {
		return i, err
	}
	done, err := s.opt.Do.Do(ctx, command(actor.Member(by.Owner), key, body, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		if _, err := s.payer(ctx, tx, by.Owner); err != nil {
			return nil, err
		}
		opened, err := s.opt.Deposits.Open(ctx, tx, wish, tx.Now())
		if err != nil {
			return nil, err
		}
		return json.Marshal(opened)
	}))
	if err != nil {
		return i, err
	}
	return i, json.Unmarshal(done.Response, &i)
}

// CancelAnnounced ends a member's open intent. NotFound if it is missing or another
// member's; Refused if it has ended or was paid; Forbidden during an impersonation.
func (s *Service) CancelAnnounced(ctx context.Context, by auth.Session, key string, id int64) error {
	if err := by.MayPay(); err != nil {
		return err
	}
	body, err := json.Marshal(struct {
		What string
		ID   int64
	}{"cancel announced", id})
	if err != nil {
		return err
	}
	_, err = s.opt.Do.Do(ctx, command(actor.Member(by.Owner), key, body, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, s.opt.Deposits.Cancel(ctx, tx, by.Owner, id, tx.Now())
	}))
	return err
}

// Announced returns the recent intents of a member, or of all members for uid 0, newest
// first.
func (s *Service) Announced(ctx context.Context, uid int64) ([]deposit.Intent, error) {
	return s.opt.Deposits.Intents(ctx, uid, s.opt.Clock.Now())
}

// Arrived is one payment on the chain with enough confirmations.
type Arrived struct {
	Hash, To string
	Source   string // the part of the transaction
	From     []string
	Amount   money.Amount
	Mined    time.Time
	Text     errs.Text // the finding of the chain
	Intent   int64     // the announced payment it matches; 0 if it went to a member's deposit address
}

// Arrive credits a payment to its owner once, or leaves it to an operator with a reason.
// It may be called again for the same payment. Refused while payments are frozen;
// Conflict with a *ledger.TamperedError if a row that it depends on was tampered with.
func (s *Service) Arrive(ctx context.Context, p Arrived) (r fund.Request, err error) {
	hold, owners, err := s.senders(ctx, p.From)
	if err != nil {
		return r, err
	}
	_, err = s.opt.Do.Do(ctx, command("chain", "", nil, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		r = fund.Request{}
		a, intent, err := s.arrival(ctx, tx, p)
		if err != nil || a.UID == 0 {
			return nil, err
		}
		if hold.Message != "" {
			a.Hold = hold
		}
		if len(owners) > 0 && p.Intent != 0 && !slices.Contains(owners, a.UID) {
			a.Hold = holdOthers
		}
		r, err = s.receive(ctx, tx, a)
		if err == nil && r.ID != 0 && intent.ID != 0 {
			err = s.opt.Deposits.Settle(ctx, tx, intent.ID, r.ID)
		}
		return nil, err
	}))
	return r, err
}

// senders returns the reason, if any, to leave a payment from some addresses to an
// operator, and the members who registered the addresses.
func (s *Service) senders(ctx context.Context, from []string) (hold errs.Text, owners []int64, err error) {
	for _, address := range from {
		if s.opt.Ours != nil {
			ours, err := s.opt.Ours(ctx, address)
			if err != nil {
				return hold, nil, err
			}
			if ours {
				return holdOurs, nil, nil
			}
		}
		found, err := s.opt.Members.WithWallet(ctx, member.Wallet(address))
		if err != nil {
			return hold, nil, err
		}
		if len(found) > 1 {
			hold = holdShared
		}
		owners = append(owners, found...)
	}
	return hold, owners, nil
}

// arrival determines the owner of a payment. There is none if the payment is below the
// minimum, or if its intent was paid before or does not match.
func (s *Service) arrival(ctx context.Context, tx *ledger.Tx, p Arrived) (a fund.Arrival, i deposit.Intent, err error) {
	a = fund.Arrival{Fund: fund.Robot, Amount: p.Amount, Number: p.Hash, Source: p.Source, Text: p.Text, Bank: fund.Bank{ID: UsdtBank, Name: string(fund.ByUSDT), Account: p.To}}
	switch uses, uerr := s.opt.Withdrawals.Uses(ctx, tx, []string{p.Hash}); {
	case uerr != nil:
		return a, i, uerr
	case uses[p.Hash].Withdrawal != 0:
		a.Hold = errs.Say("deposit.paid_withdrawal", "The transaction paid withdrawal {withdrawal}: an operator decides.", "withdrawal", uses[p.Hash].Withdrawal)
	}
	if p.Intent == 0 {
		owner, found, err := s.opt.Deposits.Owner(ctx, tx, p.To)
		if err == nil && !found {
			err = fmt.Errorf("cashier: %s is nobody's deposit address", p.To)
		}
		if !p.Amount.Less(s.opt.Minimum) {
			a.UID = owner.UID
		}
		return a, i, err
	}
	if i, err = s.opt.Deposits.Intent(ctx, tx, p.Intent); err != nil {
		return a, i, err
	}
	if i.Request != 0 || !i.Paid(p.To, p.Amount) || i.Early(p.Mined) {
		return a, i, nil
	}
	a.UID, a.Fund = i.UID, fund.Kind(i.Fund)
	if i.Late(p.Mined) {
		a.Hold = holdLate
	}
	return a, i, nil
}

// receive matches a payment with its request and mails the member if it was credited.
func (s *Service) receive(ctx context.Context, tx *ledger.Tx, a fund.Arrival) (fund.Request, error) {
	r, fresh, err := s.opt.Funds.Receive(ctx, tx, actor.By{Name: Watcher}, a)
	if err != nil || !fresh || r.State != fund.Approved {
		return r, err
	}
	m, _, err := s.opt.Members.GetIn(ctx, tx, r.UID)
	if err != nil {
		return r, err
	}
	return r, s.mail(ctx, tx, m.Email, mail.FundDecided{
		Name: m.Name, UserID: m.UID, Request: r.ID, Amount: r.Amount, Fund: r.Fund.Name(), Approved: true, Remark: r.Remark, USDT: true,
	})
}

// Claims returns all requests that name a number, oldest first.
func (s *Service) Claims(ctx context.Context, number string) ([]fund.Request, error) {
	return s.opt.Funds.Named(ctx, number)
}

// ClaimCounts returns how many requests name the number of each request.
func (s *Service) ClaimCounts(ctx context.Context, all []fund.Request) (map[string]int64, error) {
	numbers := make([]string, len(all))
	for i, r := range all {
		numbers[i] = r.Number
	}
	slices.Sort(numbers)
	return s.opt.Funds.Claims(ctx, slices.Compact(numbers))
}

// SetCursor notes the last block that was searched for payments.
func (s *Service) SetCursor(ctx context.Context, token string, block int64) error {
	_, err := s.opt.Do.Do(ctx, command("chain", "", nil, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, s.opt.Deposits.SetCursor(ctx, tx, token, block, tx.Now())
	}))
	return err
}

// Sweep is a row of the treasury's list: a deposit address and its money.
type Sweep struct {
	deposit.Address
	Path     string       // derivation path of the private key
	Received money.Amount // sum of the fund requests, swept or not
	OnChain  string       // current balance; empty if it could not be queried
}

// SweepTaken writes to the audit log that an operator exported the list.
func (s *Service) SweepTaken(ctx context.Context, by actor.By, key string) error {
	return s.decide(ctx, by, key, "deposit.sweep", 0, "", func(ctx context.Context, tx *ledger.Tx) error {
		return s.opt.AuditLog.Record(ctx, tx, auditlog.Act{
			ID: "o" + strings.ToLower(rand.Text()[:16]), Kind: "deposit.sweep", Subject: "addresses", Operator: by.Operator, Name: by.Name, At: tx.Now(),
		})
	})
}

const (
	sweepPage = 500
	// askFor limits the time spent on querying balances, so that slow nodes do not delay
	// the list.
	askFor = 20 * time.Second
)

// EachSweep yields every deposit address. ask queries a balance; nil if no chain is
// configured. Only addresses with deposits are queried.
func (s *Service) EachSweep(ctx context.Context, ask func(context.Context, string) (money.Amount, error), yield func(Sweep) error) error {
	asking, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	var all []deposit.Address
	flush := func() error {
		addresses := make([]string, len(all))
		for i, a := range all {
			addresses[i] = a.Address
		}
		received, err := s.opt.Deposits.Received(ctx, addresses)
		if err != nil {
			return err
		}
		for _, a := range all {
			row := Sweep{Address: a, Path: s.opt.Deposits.Path(a), Received: received[a.Address]}
			if ask != nil && (row.Received.Sign() > 0 || a.UID == 0) && asking.Err() == nil {
				if has, err := ask(asking, a.Address); err == nil {
					row.OnChain = has.String()
				}
			}
			if err := yield(row); err != nil {
				return err
			}
		}
		all = all[:0]
		return nil
	}
	err := s.opt.Deposits.Each(ctx, nil, func(a deposit.Address) error {
		if err := s.opt.Deposits.Right(a); err != nil { // never list an address with another key
			return err
		}
		if all = append(all, a); len(all) < sweepPage {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}
