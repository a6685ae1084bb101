// Package withdrawal takes money out: what was earned, and deposits that were
// not used. Money is held from the request on and leaves the books when the
// chain has confirmed it, because the ledger lets nothing put it back.
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

// wallets are the income wallets that can be withdrawn from.
var wallets = map[string]bool{
	"LevelIncome": true, "binaryIncome": true, "ForexIncome": true, "CryptoIncome": true, "royalty_income": true, "salaryrankreward": true,
}

// Check refuses what the plan does not allow, and gives the charge.
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

// Pay takes a withdrawal out of a wallet at once: requested, approved and sent.
// Refused if the wallet has less.
func Pay(tx *ledger.Tx, uid int64, wallet string, a, charge money.Amount, reference string) error {
	from, err := ledger.ParseAccount("L:INCOME:" + wallet + ":" + strconv.FormatInt(uid, 10))
	if err != nil {
		return err
	}
	if err := tx.Enough(from, a, "wallet"); err != nil {
		return err
	}
	t, err := outgo(from, a, charge, reference)
	if err != nil {
		return err
	}
	_, err = tx.Post(t)
	return err
}

// outgo is money that leaves: deposits out of client cash, incomes out of field
// cash, with the charge to the company.
func outgo(from ledger.Account, a, charge money.Amount, reference string) (ledger.Transfer, error) {
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

// State is how far a withdrawal has come.
type State string

// Pending waits for operators; Approved to be sent; Sent to be confirmed. Money
// is held until Confirmed takes it out of the books, or until Rejected or
// Cancelled gives it back. A Sent one that never arrives is Approved again.
const (
	Pending   State = "Pending"
	Approved  State = "Approved"
	Sent      State = "Sent"
	Confirmed State = "Confirmed"
	Rejected  State = "Rejected"
	Cancelled State = "Cancelled"
)

// Open tells whether a withdrawal's money is still held.
func (s State) Open() bool { return s == Pending || s == Approved || s == Sent }

// FundBalance is the wallet of deposited money that was not used: the three
// funds together. Taking it out costs nothing, so that no deposit is trapped.
const FundBalance = "FundBalance"

// USDT is the one type of withdrawal there is.
const USDT = "USDT"

// Withdrawal is money on its way to a member.
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
	DecidedName         string // who rejected or cancelled it
	DecidedAt           time.Time
	Batch               int64  // of payouts; 0 while it is in none
	Hash                string // of the transaction that paid it
	RequestedAt         time.Time
	ReadyAt             time.Time // before this no money leaves
	SentAt, ConfirmedAt time.Time
}

// Payload is all that the first of two operators approved, in the one form that
// Digest is taken of; of other withdrawals nobody asks for it.
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

// Digest is the SHA-256 of Payload. The second operator names it, so that nobody
// approves another thing than they saw.
func (w *Withdrawal) Digest() string {
	sum := sha256.Sum256(w.Payload())
	return hex.EncodeToString(sum[:])
}

// Half tells whether the first of two operators has approved it, and the second
// has not.
func (w *Withdrawal) Half() bool { return w.State == Pending && w.First.Operator != 0 }

// Part is money of one account, held by the ledger.
type Part struct {
	Account ledger.Account
	Amount  money.Amount
	Hold    int64
}

// Approval is an operator who said yes.
type Approval struct {
	Operator int64
	Name     string
	At       time.Time
}

// Answered is when somebody last did something about it; zero if nobody has.
func (w Withdrawal) Answered() time.Time {
	last := w.DecidedAt
	for _, t := range []time.Time{w.First.At, w.Second.At, w.SentAt, w.ConfirmedAt} {
		if t.After(last) && (w.State != Pending) {
			last = t
		}
	}
	return last
}

// IsWallet tells whether money can be taken out of a wallet.
func IsWallet(name string) bool { return wallets[name] || name == FundBalance }

// Cost checks an amount by the plan and gives the charge. Incomes have the
// plan's minimum and charge; deposits have neither. Both are whole dollars.
// Invalid if there is no such wallet; Refused if the plan does not allow it.
func Cost(p *plan.Plan, wallet string, a money.Amount) (charge money.Amount, err error) {
	if wallet != FundBalance {
		return Check(p, wallet, a)
	}
	if a.Sign() <= 0 || a.Micros()%1_000_000 != 0 {
		return charge, errs.New(errs.Refused, "withdrawal.whole_dollars", "whole dollars only")
	}
	return charge, nil
}

// sources are the accounts that a wallet's money lies in, in the order in which
// it is taken.
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

// Order is what a member wants to take out, and where to: what a one-time code
// is good for.
type Order struct {
	Wallet  string
	Type    string
	Amount  money.Amount
	Address string
}

// Code is a member's one-time code as stored: never the digits themselves.
type Code struct {
	UID  int64
	Hash []byte
	// Bound codes are good for Order only. One that was asked for without
	// saying what for is bound by the first try to use it.
	Bound   bool
	Order   Order
	Mailed  time.Time
	Expires time.Time
	Tries   int64
	Locked  time.Time // when the last try failed that was one too many
	Used    time.Time
}

const (
	codeDigits  = 6
	codeLife    = 10 * time.Minute
	codeTries   = 5
	codeLock    = 15 * time.Minute
	codeMemory  = 24 * time.Hour // for how long wrong tries count on in the next code
	firstNumber = 100001
	maxRemark   = 200
	holdFor     = ledger.LongestHold // until somebody decides
)

// CodeLife is how long a one-time code can be used.
const CodeLife = codeLife
