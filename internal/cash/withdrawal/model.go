// Package withdrawal pays members out: incomes, and deposits that were not used. The
// ledger holds the money from the request until the chain has confirmed the payment, and
// posts it only then, because a posted payment cannot be reversed.
package withdrawal

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

var wallets = map[string]bool{
	"LevelIncome": true, "binaryIncome": true, "ForexIncome": true, "CryptoIncome": true, "royalty_income": true, "salaryrankreward": true,
}

// Check checks an amount of an income wallet by the plan and returns the charge.
func Check(p *plan.Plan, wallet string, a money.Amount) (charge money.Amount, err error) {
	switch {
	case !wallets[wallet]:
		return charge, errs.New(errs.Invalid, "withdrawal.wallet_unknown", "There is no income wallet {wallet}.", "wallet", strconv.Quote(wallet))
	case a.Sign() <= 0:
		return charge, errs.New(errs.Refused, "withdrawal.above_zero", "above zero only")
	case a.Micros()%1_000_000 != 0:
		return charge, errs.New(errs.Refused, "withdrawal.whole_dollars", "whole dollars only")
	case a.Less(p.Withdraw.Min):
		return charge, errs.New(errs.Refused, "withdrawal.below_minimum", "below the minimum of {least}", "least", p.Withdraw.Min)
	}
	return a.At(money.PPM(p.Withdraw.ChargePPM))
}

// Transfer returns the transfer of a payment: deposits leave from client cash, incomes
// from field cash, and the charge goes to the company.
func Transfer(from ledger.Account, a, charge money.Amount, reference string) (ledger.Transfer, error) {
	minus, err := a.Neg()
	if err != nil {
		return ledger.Transfer{}, err
	}
	cash := "A:FIELD"
	if from.Kind() == "L:FUND" {
		cash = "A:CLIENT"
	}
	t := ledger.Transfer{Kind: "withdraw", Reference: reference, Legs: []ledger.Leg{{Account: from, Delta: minus}, {Account: ledger.MustAccount(cash), Delta: minus}}}
	if !charge.IsZero() {
		t.Legs = append(t.Legs, ledger.Leg{Account: ledger.MustAccount("A:OPERATING"), Delta: charge}, ledger.Leg{Account: ledger.MustAccount("E:COMPANY"), Delta: charge})
	}
	return t, nil
}

type State string

// A Pending withdrawal waits for operators, an Approved one to be sent, a Sent one to be
// confirmed. The money is held until Confirmed posts the payment, or until Rejected or
// Cancelled releases it. A Sent withdrawal whose payment never arrives becomes Approved
// again.
const (
	Pending   State = "Pending"
	Approved  State = "Approved"
	Sent      State = "Sent"
	Confirmed State = "Confirmed"
	Rejected  State = "Rejected"
	Cancelled State = "Cancelled"
)

// Open reports whether the money of a withdrawal is still held.
func (s State) Open() bool { return s == Pending || s == Approved || s == Sent }

// FundBalance is the wallet of unused deposits: the three funds together. It has no
// charge, so that deposits can always be withdrawn in full.
const FundBalance = "FundBalance"

// USDT is the only type of withdrawal.
const USDT = "USDT"

// Withdrawal is a member's request to be paid out.
type Withdrawal struct {
	ID                  int64
	UID                 int64
	Wallet              string // an income, or FundBalance
	Type                string
	Amount, Charge, Net money.Amount // Amount = Charge + Net
	Address             string       // with the capitals of EIP-55
	Parts               []Part       // where the money is held
	State               State
	NeedsTwo            bool // two operators must approve
	First, Second       Approval
	Remark              string
	DecidedName         string // of the operator or member who ended it
	DecidedAt           time.Time
	Batch               int64  // of payouts; 0 while it is in none
	Hash                string // of the transaction that paid it
	RequestedAt         time.Time
	ReadyAt             time.Time // payment is possible from then on
	SentAt, ConfirmedAt time.Time
}

// Payload is the canonical form of everything that the first of two operators approved.
// Digest hashes it.
func (w *Withdrawal) Payload() []byte {
	moment := func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
	return shape.Canonical(struct {
		ID      int64  `json:"id"`
		UID     int64  `json:"uid"`
		Wallet  string `json:"wallet"`
		Type    string `json:"type"`
		Amount  string `json:"amount"`
		Charge  string `json:"charge"`
		Net     string `json:"net"`
		Address string `json:"address"`
		At      string `json:"at"`
		First   int64  `json:"first"`
		FirstAt string `json:"first_at"`
	}{w.ID, w.UID, w.Wallet, w.Type, w.Amount.String(), w.Charge.String(), w.Net.String(), w.Address, moment(w.RequestedAt), w.First.Operator, moment(w.First.At)})
}

// Digest is the SHA-256 of Payload in hex. The second operator sends it, so that both
// approve the same content.
func (w *Withdrawal) Digest() string {
	sum := sha256.Sum256(w.Payload())
	return hex.EncodeToString(sum[:])
}

// Half reports whether the first of two operators has approved, and the second has not.
func (w *Withdrawal) Half() bool { return w.State == Pending && w.First.Operator != 0 }

// Part is money of one account, held by the ledger.
type Part struct {
	Account ledger.Account
	Amount  money.Amount
	Hold    int64
}

// Approval is the approval of one operator.
type Approval struct {
	Operator int64
	Name     string
	At       time.Time
}

// Answered returns the time of the last action on the withdrawal, or zero.
func (w Withdrawal) Answered() time.Time {
	last := w.DecidedAt
	for _, t := range []time.Time{w.First.At, w.Second.At, w.SentAt, w.ConfirmedAt} {
		if t.After(last) && (w.State != Pending) {
			last = t
		}
	}
	return last
}

// IsWallet reports whether a wallet can be withdrawn from.
func IsWallet(name string) bool { return wallets[name] || name == FundBalance }

// Cost checks an amount by the plan and returns the charge. Incomes have the plan's
// minimum and charge; deposits have neither. Amounts are whole dollars. Invalid if there
// is no such wallet; Refused if the plan does not allow the amount.
func Cost(p *plan.Plan, wallet string, a money.Amount) (charge money.Amount, err error) {
	if wallet != FundBalance {
		return Check(p, wallet, a)
	}
	if a.Sign() <= 0 || a.Micros()%1_000_000 != 0 {
		return charge, errs.New(errs.Refused, "withdrawal.whole_dollars", "whole dollars only")
	}
	return charge, nil
}

// sources returns the accounts of a wallet, in the order in which they are debited.
func sources(wallet string, uid int64) ([]ledger.Account, error) {
	codes := []string{"L:INCOME:" + wallet}
	if wallet == FundBalance {
		codes = []string{"L:FUND:FUNDS", "L:FUND:FOREXFUNDS", "L:FUND:CRYPTOFUNDS"}
	}
	out := make([]ledger.Account, 0, len(codes))
	for _, code := range codes {
		a, err := ledger.ParseAccount(code + ":" + strconv.FormatInt(uid, 10))
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// Order is the content of a withdrawal that a one-time code confirms.
type Order struct {
	Wallet  string
	Type    string
	Amount  money.Amount
	Address string
}

// Code is a member's one-time code as stored, without its digits.
type Code struct {
	UID  int64
	Hash []byte
	// Bound codes confirm Order only. The first use of an unbound code, which has only an
	// address, binds it.
	Bound   bool
	Order   Order
	Mailed  time.Time
	Expires time.Time
	Tries   int64
	Locked  time.Time // when the last allowed attempt failed
	Used    time.Time
}

// CodeLife is the validity of a one-time code.
const CodeLife = 10 * time.Minute

const (
	codeDigits  = 6
	codeTries   = 5
	codeLock    = 15 * time.Minute
	codeMemory  = 24 * time.Hour // how long wrong attempts count against the next code
	firstNumber = 100001
	maxRemark   = 200
	holdFor     = ledger.LongestHold
)
