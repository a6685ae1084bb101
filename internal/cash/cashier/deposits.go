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

// Watcher is who credits what the chain has shown, as people read it.
const Watcher = "chain watcher"

// What speaks against crediting a payment by itself.
const (
	holdOurs    = "It came from an address of the company: an operator decides."
	holdShared  = "It came out of a wallet that several members have registered: an operator decides."
	holdOthers  = "It came out of a wallet that another member has registered: an operator decides."
	holdLate    = "It arrived after the announced time had ended: an operator decides."
	holdPayout  = "The transaction paid withdrawal {withdrawal}: an operator decides."
	textNoChain = "Payments cannot be announced here: send the transaction's hash once you have paid."
)

// HasKey tells whether members pay to addresses of their own.
func (s *Service) HasKey() bool { return s.opt.Deposits.HasKey() }

// Minimum is the least payment that becomes a request. What is less is only written
// down: anybody can send dust to any address, and it must neither take the operators'
// time nor keep larger payments out.
func (s *Service) Minimum() money.Amount { return s.opt.Minimum }

// MayAnnounce tells whether members announce payments before they make them: the
// chain is watched, and there is no key for addresses of their own.
func (s *Service) MayAnnounce() bool { return !s.HasKey() && s.receiver() != "" }

func (s *Service) receiver() string {
	if s.opt.Receiver == nil {
		return ""
	}
	return s.opt.Receiver()
}

// DepositAddress is the member's own; the first time it is assigned. False where
// there is no key, and for a visit before the member has asked. Conflict, of a
// *ledger.TamperedError, if somebody has changed it in the database.
func (s *Service) DepositAddress(ctx context.Context, by auth.Session) (deposit.Address, bool, error) {
	if !s.HasKey() {
		return deposit.Address{}, false, nil
	}
	a, found, err := s.opt.Deposits.Of(ctx, by.Owner)
	known := err == nil && (found || by.Kind != auth.KindMember)
	if known || (err != nil && !errors.As(err, new(*ledger.TamperedError))) {
		return a, found, err
	}
	// What was changed past the product is met again within a command, which stops
	// all money.
	_, err = s.opt.Do.Do(ctx, command(actor.Member(by.Owner), "", nil, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		a, err = s.opt.Deposits.Assign(ctx, tx, by.Owner, tx.Now())
		return nil, err
	}))
	return a, err == nil, err
}

// Picture is text as a QR code: a PNG in a data: address.
func (s *Service) Picture(text string) (string, error) { return qrPicture(text) }

// Announce opens an intent: a payment of whole dollars and cents of its own, that the
// member makes within a time. Errors: Invalid and Refused in words for the person, as
// for Request.
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
		if _, err := s.person(ctx, tx, by.Owner); err != nil {
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

// CancelAnnounced ends a member's open intent. Errors: NotFound for another's or none;
// Refused if it has ended or was paid; Forbidden for a visit.
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

// Announced are a member's intents of the last days, newest first; of all members for
// uid 0.
func (s *Service) Announced(ctx context.Context, uid int64) ([]deposit.Intent, error) {
	return s.opt.Deposits.Intents(ctx, uid, s.opt.Clock.Now())
}

// Arrived is what the chain has shown of one payment, deep enough to count.
type Arrived struct {
	Hash, To string
	Source   string // which part of the transaction
	From     []string
	Amount   money.Amount
	Mined    time.Time
	Text     string // what the chain says of it
	Intent   int64  // that it is held against; 0 for one to a member's own address
}

// Arrive credits a payment to its owner, once, or lets it wait for a person who is
// told why. It is called again for what was seen before. Refused while money stands
// still; Conflict, of a *ledger.TamperedError, if a row that it rests on was changed
// past the product.
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
		if hold != "" {
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

// senders says why a payment from some addresses is not credited by itself, and which
// members have registered them.
func (s *Service) senders(ctx context.Context, from []string) (hold string, owners []int64, err error) {
	for _, address := range from {
		if s.opt.Ours != nil {
			ours, err := s.opt.Ours(ctx, address)
			if err != nil {
				return "", nil, err
			}
			if ours {
				return holdOurs, nil, nil
			}
		}
		found, err := s.opt.Members.WithWallet(ctx, member.Wallet(address))
		if err != nil {
			return "", nil, err
		}
		if len(found) > 1 {
			hold = holdShared
		}
		owners = append(owners, found...)
	}
	return hold, owners, nil
}

// arrival says whose a payment is; nobody's if it is below the minimum, or its intent
// has been paid or is none of it.
func (s *Service) arrival(ctx context.Context, tx *ledger.Tx, p Arrived) (a fund.Arrival, i deposit.Intent, err error) {
	a = fund.Arrival{Fund: fund.Robot, Amount: p.Amount, Number: p.Hash, Source: p.Source, Text: p.Text, Bank: fund.Bank{ID: UsdtBank, Name: string(fund.ByUSDT), Account: p.To}}
	switch uses, uerr := s.opt.Withdrawals.Uses(ctx, tx, []string{p.Hash}); {
	case uerr != nil:
		return a, i, uerr
	case uses[p.Hash].Withdrawal != 0:
		a.Hold = errs.New(errs.Refused, "deposit.paid_withdrawal", holdPayout, "withdrawal", uses[p.Hash].Withdrawal).Message
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

// receive gives a payment its request, and tells the member of one that was credited.
func (s *Service) receive(ctx context.Context, tx *ledger.Tx, a fund.Arrival) (fund.Request, error) {
	r, fresh, err := s.opt.Funds.Receive(ctx, tx, actor.By{Name: Watcher}, a)
	if err != nil || !fresh || r.State != fund.Approved {
		return r, err
	}
	m, _, err := s.opt.Members.GetIn(ctx, tx, r.UID)
	if err != nil {
		return r, err
	}
	return r, s.tell(ctx, tx, m.Email, mail.FundDecided{
		Name: m.Name, UserID: m.UID, Request: r.ID, Amount: plain(r.Amount), Fund: r.Fund.Name(), Approved: true, Remark: r.Remark,
	})
}

// Claims are all requests that name a number, the oldest first.
func (s *Service) Claims(ctx context.Context, number string) ([]fund.Request, error) {
	return s.opt.Funds.Named(ctx, number)
}

// Counted is how many requests name each of some numbers.
func (s *Service) Counted(ctx context.Context, all []fund.Request) (map[string]int64, error) {
	numbers := make([]string, len(all))
	for i, r := range all {
		numbers[i] = r.Number
	}
	slices.Sort(numbers)
	return s.opt.Funds.Claims(ctx, slices.Compact(numbers))
}

// SetCursor notes up to which block payments were looked for.
func (s *Service) SetCursor(ctx context.Context, token string, block int64) error {
	_, err := s.opt.Do.Do(ctx, command("chain", "", nil, func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, s.opt.Deposits.SetCursor(ctx, tx, token, block, tx.Now())
	}))
	return err
}

// Sweep is a member's deposit address with what lies there, for the treasury.
type Sweep struct {
	deposit.Address
	Path     string       // where a wallet finds its private key
	Received money.Amount // as fund requests say, swept or not
	OnChain  string       // what it has now; "" where that could not be asked
}

// SweepTaken keeps the record of an operator who takes the list.
func (s *Service) SweepTaken(ctx context.Context, by actor.By, key string) error {
	return s.decide(ctx, by, key, "deposit.sweep", 0, "", func(ctx context.Context, tx *ledger.Tx) error {
		return s.opt.AuditLog.Record(ctx, tx, auditlog.Act{
			ID: "o" + strings.ToLower(rand.Text()[:16]), Kind: "deposit.sweep", Subject: "addresses", Operator: by.Operator, Name: by.Name, At: tx.Now(),
		})
	})
}

const (
	sweepPage = 500
	// askFor is how long the chain is asked for balances: a list is not kept waiting
	// for nodes.
	askFor = 20 * time.Second
)

// EachSweep tells every deposit address. ask tells what one has; nil if no chain is
// configured. Only addresses that were ever paid to are asked for.
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
		if err := s.opt.Deposits.Right(a); err != nil { // nobody sweeps to where somebody else looks
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
