package booking

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/plain"
	"github.com/bifolia/bifolia/internal/platform/shape"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// A correction changes the balance of a member's wallet by an additional transfer; posted
// transfers are never rewritten. One operator proposes it, and another approves it by its
// digest.
//
// The ledger's rules decide about the other side of the transfer:
//   - A fund wallet is credited from the company's own money, which becomes client cash;
//     money taken from it goes to the company.
//   - A deposit that never came in, or an earlier correction of one, is reversed: client cash
//     changes with the wallet, and the company is not involved.
//   - An income that was paid wrongly goes to the company. The ledger refuses to credit an
//     income manually, so money owed beyond the plan goes to a fund wallet.
//   - An income in the wrong wallet moves to another one of the same member.

// Direction is the change of the wallet.
type Direction string

// The directions.
const (
	Credit Direction = "credit"
	Debit  Direction = "debit"
	Move   Direction = "move" // to another income wallet of the same member
)

// Against is the other side of the transfer.
type Against string

// The other sides.
const (
	AgainstCompany Against = "company" // the company's own money
	AgainstCash    Against = "cash"    // client cash alone, to reverse a deposit
	AgainstWallet  Against = "wallet"  // another income wallet of the member
)

// Correction is a proposed correction and its decision.
type Correction struct {
	ID        int64
	UID       int64
	Wallet    string // FUNDS, LevelIncome and their like
	Direction Direction
	Into      string // move: the receiving wallet
	Amount    money.Amount
	Against   Against
	Reason    string // the member reads it
	Corrects  string // the id of the wrong transfer, or empty
	By        actor.By
	At        time.Time
	State     approval.State
	Decided   actor.By
	DecidedAt time.Time      // zero while waiting
	Answer    string         // the reason of the decision
	Alone     approval.Alone // reason for a single approval, or empty
}

// Limits of a correction.
const (
	minReason = 10
	maxReason = 500
)

// walletKind returns "L:FUND" or "L:INCOME", or "" for an unknown wallet.
func walletKind(name string) string {
	if _, err := fund.ParseKind(name); err == nil {
		return "L:FUND"
	}
	if name != withdrawal.FundBalance && withdrawal.IsWallet(name) {
		return "L:INCOME"
	}
	return ""
}

// WalletAccount returns the account code of a member's wallet.
func WalletAccount(wallet string, uid int64) string {
	return walletKind(wallet) + ":" + wallet + ":" + strconv.FormatInt(uid, 10)
}

// check returns Invalid with all malformed fields.
func (c *Correction) check() error {
	var wrong []errs.Field
	bad := func(name, code, text string, params ...any) {
		wrong = append(wrong, errs.NewField(name, code, text, params...))
	}
	c.Reason, c.Corrects = strings.TrimSpace(c.Reason), strings.TrimSpace(c.Corrects)
	kind := walletKind(c.Wallet)
	if kind == "" {
		bad("wallet", "correction.wallet_unknown", "There is no such wallet.")
	}
	switch {
	case c.Direction != Credit && c.Direction != Debit && c.Direction != Move:
		bad("direction", "correction.direction_unknown", "The direction is credit, debit or move.")
	case c.Direction == Credit && kind == "L:INCOME":
		bad("wallet", "correction.no_income_by_hand", "No income is paid by hand: credit a fund wallet, or move it from another income wallet of the member.")
	case c.Direction == Move && kind == "L:FUND":
		bad("wallet", "correction.only_incomes_move", "Only incomes move between wallets.")
	}
	if (c.Direction == Move && (walletKind(c.Into) != "L:INCOME" || c.Into == c.Wallet)) || (c.Direction != Move && c.Into != "") {
		bad("into", "correction.into_wallet", "An income moves into another income wallet; nothing else moves.")
	}
	if c.Amount.Sign() <= 0 {
		bad("amount", "amount.above_zero", "The amount must be above zero.")
	} else if closing.TooLarge(c.Amount) {
		bad("amount", "booking.amount_most", "The amount is at most {most} dollars.", "most", closing.MaxBooking.String())
	}
	if n := utf8.RuneCountInString(c.Reason); n < minReason || n > maxReason || !utf8.ValidString(c.Reason) || strings.ContainsFunc(c.Reason, plain.Control) {
		bad("reason", "correction.reason_length", "The reason has 10 to 500 characters, on one line: the member reads it.")
	}
	return errs.Fields(wrong)
}

// Payload is the canonical form of the proposal. Digest hashes it.
func (c *Correction) Payload() []byte {
	return shape.Canonical(struct {
		ID        int64     `json:"id"`
		Kind      string    `json:"kind"`
		UID       int64     `json:"uid"`
		Wallet    string    `json:"wallet"`
		Direction Direction `json:"direction"`
		Into      string    `json:"into,omitempty"`
		Amount    string    `json:"amount"`
		Against   Against   `json:"against"`
		Reason    string    `json:"reason"`
		Corrects  string    `json:"corrects,omitempty"`
		By        int64     `json:"by"`
		At        string    `json:"at"`
	}{c.ID, "correction", c.UID, c.Wallet, c.Direction, c.Into, c.Amount.String(), c.Against, c.Reason, c.Corrects, c.By.Operator, c.At.UTC().Format(time.RFC3339Nano)})
}

// Digest is the SHA-256 of Payload. The approver sends it.
func (c *Correction) Digest() string {
	return approval.Digest(c.Payload())
}

// TransferID is the id of the correcting transfer. It puts the digest into the signed
// chain, so that a later change of the proposal is detected.
func (c *Correction) TransferID() string {
	id := "correction/" + strconv.FormatInt(c.ID, 10) + "/" + c.Digest()
	if c.Alone != "" {
		id += "/" + string(c.Alone)
	}
	return id
}

// correctionKind is the kind of correcting transfers.
const correctionKind = "correction"

func (c *Correction) reference() string { return correctionKind + " " + strconv.FormatInt(c.ID, 10) }

// ReasonPrefix begins the reason of a correcting transfer; the operator's reason follows.
const ReasonPrefix = "Correction: "

// remark is the text on the member's statement, shortened to the ledger's limit.
func (c *Correction) remark() string {
	const most = 500 // bytes
	s := ReasonPrefix + c.Reason
	for len(s) > most {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return s
}

// signed is the change of the wallet.
func (c *Correction) signed() int64 {
	if c.Direction == Credit {
		return c.Amount.Micros()
	}
	return -c.Amount.Micros()
}

// legs returns the legs of the transfer, by account.
func (c *Correction) legs() map[string]int64 {
	x := c.signed()
	all := map[string]int64{WalletAccount(c.Wallet, c.UID): x}
	if c.Against == AgainstWallet {
		all[WalletAccount(c.Into, c.UID)] = -x
		return all
	}
	if walletKind(c.Wallet) == "L:FUND" {
		all["A:CLIENT"] = x
	} else {
		all["A:FIELD"] = x
	}
	if c.Against == AgainstCompany {
		all["A:OPERATING"], all["E:COMPANY"] = -x, -x
	}
	return all
}

// order returns the accounts of the legs in posting order, the wallet first.
func (c *Correction) order() []string {
	all := []string{WalletAccount(c.Wallet, c.UID), WalletAccount(c.Into, c.UID), "A:CLIENT", "A:FIELD", "A:OPERATING", "E:COMPANY"}
	legs := c.legs()
	var out []string
	for _, code := range all {
		if legs[code] != 0 {
			out = append(out, code)
		}
	}
	return out
}

// transfer returns the correcting transfer. Invalid only if a row was tampered with.
func (c *Correction) transfer() (ledger.Transfer, error) {
	t := ledger.Transfer{ID: c.TransferID(), Kind: correctionKind, Reason: c.remark(), Reference: c.reference()}
	legs := c.legs()
	for _, code := range c.order() {
		account, err := ledger.ParseAccount(code)
		if err != nil {
			return t, err
		}
		t.Legs = append(t.Legs, ledger.Leg{Account: account, Delta: money.Micro(legs[code])})
	}
	return t, nil
}
