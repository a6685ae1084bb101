// Package fund moves deposited money: into funds, and between members. A fund wallet
// never pays an income; the ledger enforces that.
package fund

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/plain"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// Kind names a fund after the products that it pays for.
type Kind string

// The funds.
const (
	Robot  Kind = "FUNDS"
	Forex  Kind = "FOREXFUNDS"
	Crypto Kind = "CRYPTOFUNDS"
)

// ParseKind parses the name of a fund. Invalid if there is no such fund.
func ParseKind(s string) (Kind, error) {
	switch k := Kind(s); k {
	case Robot, Forex, Crypto:
		return k, nil
	}
	return "", errs.New(errs.Invalid, "fund.unknown", "There is no fund {fund}.", "fund", strconv.Quote(s))
}

// Account is a member's wallet of this fund.
func (k Kind) Account(uid int64) (ledger.Account, error) {
	return ledger.ParseAccount("L:FUND:" + string(k) + ":" + strconv.FormatInt(uid, 10))
}

// KindOf returns the fund of an account code.
func KindOf(code string) Kind {
	name, _, _ := strings.Cut(strings.TrimPrefix(code, "L:FUND:"), ":")
	return Kind(name)
}

func positive(a money.Amount) error {
	if a.Sign() <= 0 {
		return errs.New(errs.Invalid, "amount.not_positive", "The amount must be more than zero.")
	}
	return nil
}

// Deposit credits money that has come in. reference names its origin.
func Deposit(tx *ledger.Tx, uid int64, k Kind, a money.Amount, reference string) error {
	if err := positive(a); err != nil {
		return err
	}
	to, err := k.Account(uid)
	if err != nil {
		return err
	}
	_, err = tx.Post(ledger.Transfer{Kind: "deposit", Reference: reference, Legs: []ledger.Leg{{Account: ledger.MustAccount("A:CLIENT"), Delta: a}, {Account: to, Delta: a}}})
	return err
}

// Transfer moves money between wallets of one fund, without a fee. Refused if the sender
// has less.
func Transfer(tx *ledger.Tx, from, to int64, k Kind, a money.Amount, reference string) error {
	if err := positive(a); err != nil {
		return err
	}
	if from == to {
		return errs.New(errs.Refused, "transfer.same_member", "Sender and receiver are the same.")
	}
	sender, err := k.Account(from)
	if err != nil {
		return err
	}
	receiver, err := k.Account(to)
	if err != nil {
		return err
	}
	if err := tx.Enough(sender, a, "fund"); err != nil {
		return errs.About("amount", err)
	}
	minus, err := a.Neg()
	if err != nil {
		return err
	}
	_, err = tx.Post(ledger.Transfer{Kind: "transfer", Reference: reference, Legs: []ledger.Leg{{Account: sender, Delta: minus}, {Account: receiver, Delta: a}}})
	return err
}

// Name is the display name of the fund.
func (k Kind) Name() string {
	return map[Kind]string{Robot: "Robot Fund", Forex: "Forex Fund", Crypto: "Crypto Fund"}[k]
}

// State is the state of a request.
type State string

// The states. A request is decided once.
const (
	Pending  State = "Pending"
	Approved State = "Approved"
	Rejected State = "Rejected"
)

// Way is the payment method of a request.
type Way string

// The ways, as clients write them.
const (
	ByBank Way = "BANK"
	ByUSDT Way = "USDT (BEP-20)"
)

// Bank is the receiving account as it was shown to the member. For USDT, Account is the
// address.
type Bank struct {
	ID                                  int64
	Name, Holder, Account, IFSC, Branch string
}

// Request is a member's statement that money was sent.
type Request struct {
	ID          int64
	UID         int64
	Fund        Kind
	Amount      money.Amount
	Number      string // of the transaction, normalized
	Way         Way
	Bank        Bank
	State       State
	Remark      string
	Verdict     errs.Text // the finding of the deposit watcher
	VerdictAt   time.Time
	RequestedAt time.Time
	NeedsTwo    bool      `json:"-"` // two operators must approve it
	First       actor.By  `json:"-"` // the first of two approvers; operator 0 if there is none yet
	FirstAt     time.Time `json:"-"`
	DecidedBy   int64     // the operator; 0 for the deposit watcher
	DecidedName string
	DecidedAt   time.Time
	// Source identifies the part of the transaction that the chain has shown as this
	// request's payment; empty if only the member's statement supports the request.
	Source string
	// ReleasedAt is when an operator allowed the member to use the number again.
	ReleasedAt time.Time `json:"-"`
}

// Payload is the canonical form of everything that the first of two operators approved.
// Digest hashes it.
func (r *Request) Payload() []byte {
	moment := func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
	return shape.Canonical(struct {
		ID      int64  `json:"id"`
		UID     int64  `json:"uid"`
		Fund    Kind   `json:"fund"`
		Amount  string `json:"amount"`
		Way     Way    `json:"way"`
		Number  string `json:"number"`
		Account string `json:"account"`
		At      string `json:"at"`
		First   int64  `json:"first"`
		FirstAt string `json:"first_at"`
		Source  string `json:"source,omitempty"`
	}{r.ID, r.UID, r.Fund, r.Amount.String(), r.Way, r.Number, r.Bank.Account, moment(r.RequestedAt), r.First.Operator, moment(r.FirstAt), r.Source})
}

// Digest is the SHA-256 of Payload in hex. The second operator sends it, so that both
// approve the same content.
func (r *Request) Digest() string {
	sum := sha256.Sum256(r.Payload())
	return hex.EncodeToString(sum[:])
}

const (
	minUTR, maxUTR = 6, 30
	hashDigits     = 64
	maxRemark      = 200
	firstRequest   = 100001
	// maxPending limits the pending requests of one member.
	maxPending = 10
	// MaxDigits limits the length of an amount.
	MaxDigits = 10
)

// FieldNumber is the form field of the transaction number.
const FieldNumber = "utrno"

// Texts for members and operators.
const (
	TextAmountRequired = "Amount is required"
	TextNumberRequired = "Transaction No. is required"
	TextFundRequired   = "Select Fund Type for request"
	textHash           = "This is not a transaction hash. A hash is 0x and 64 digits from 0-9 and a-f."
	textUTR            = "This is not a UTR number. A UTR number has 6 to 30 letters and digits."
	textNumberUsed     = "This transaction number was used before."
	textTooMany        = "You have {count} pending requests. Wait until they are decided."
	textNoRequest      = "There is no fund request {id}."
	textDecided        = "Fund request {id} is {state} already."
	textRemark         = "The remark has at most 200 characters, on one line."
	textWhy            = "The remark says why: 1 to 200 characters, on one line."
)

// creditedElsewhere is the remark on a request whose number was credited with another one.
var creditedElsewhere = errs.Say("fund.credited_elsewhere", "This transaction number was credited with another request.")

// RemarkText returns the remark. It has a code if the program wrote it.
func (r *Request) RemarkText() errs.Text {
	for _, text := range []errs.Text{r.Verdict, creditedElsewhere} {
		if r.Remark == text.Message {
			return text
		}
	}
	return errs.Text{Message: r.Remark}
}

// ParseNumber normalizes a transaction number, so that different spellings of one number
// compare equal: a hash in lower case with 0x, a UTR in capitals without spaces. Invalid
// if it is neither.
func ParseNumber(w Way, s string) (string, error) {
	s = strings.Join(strings.Fields(s), "")
	if s == "" {
		return "", errs.New(errs.Invalid, "fund.number_required", TextNumberRequired)
	}
	if w == ByUSDT {
		body := strings.TrimPrefix(strings.ToLower(s), "0x")
		if _, err := hex.DecodeString(body); err != nil || len(body) != hashDigits {
			return "", errs.New(errs.Invalid, "fund.hash_invalid", textHash)
		}
		return "0x" + body, nil
	}
	s = strings.ToUpper(s)
	if len(s) < minUTR || len(s) > maxUTR || strings.ContainsFunc(s, func(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') }) {
		return "", errs.New(errs.Invalid, "fund.utr_invalid", textUTR)
	}
	return s, nil
}

// NumbersOf returns the transaction numbers that a text can be read as.
func NumbersOf(text string) (out []string) {
	for _, way := range []Way{ByUSDT, ByBank} {
		if number, err := ParseNumber(way, text); err == nil {
			out = append(out, number)
		}
	}
	return out
}

// ParseAmount reads whole dollars above zero with at most the given number of digits.
// Invalid otherwise.
func ParseAmount(s string, digits int) (money.Amount, error) {
	s = strings.TrimSpace(s)
	a, err := money.Parse(s)
	if err != nil || len(s) > digits || a.Sign() <= 0 || strings.Contains(s, ".") {
		return money.Amount{}, errs.New(errs.Invalid, "amount.whole_dollars", "The amount is whole dollars above zero, up to {digits} digits.", "digits", digits)
	}
	return a, nil
}

// parseRemark reads an operator's remark. Rejections need one.
func parseRemark(s string, needed bool) (string, error) {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) > maxRemark || !utf8.ValidString(s) || strings.ContainsFunc(s, plain.Control) {
		return "", errs.BadField("remark", "approval.remark_long", textRemark)
	}
	if needed && s == "" {
		return "", errs.BadField("remark", "approval.remark_required", textWhy)
	}
	return s, nil
}
