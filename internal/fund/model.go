// Package fund moves deposited money: in, and between members. A fund wallet
// never pays an income; the ledger holds that.
package fund

import (
	"strconv"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
)

// Kind is a fund, by what may be bought with it.
type Kind string

// The funds.
const (
	Robot  Kind = "FUNDS"
	Forex  Kind = "FOREXFUNDS"
	Crypto Kind = "CRYPTOFUNDS"
)

// ParseKind is Invalid for anything but a fund.
func ParseKind(s string) (Kind, error) {
	switch k := Kind(s); k {
	case Robot, Forex, Crypto:
		return k, nil
	}
	return "", errs.New(errs.Invalid, "There is no fund %q.", s)
}

// Account is a member's wallet of this fund.
func (k Kind) Account(uid int64) (ledger.Account, error) {
	return ledger.ParseAccount("L:FUND:" + string(k) + ":" + strconv.FormatInt(uid, 10))
}

func positive(a money.Amount) error {
	if a.Sign() <= 0 {
		return errs.New(errs.Invalid, "The amount must be more than zero.")
	}
	return nil
}

// Deposit credits money that has come in. reference says from where.
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

// Transfer moves money between wallets of one fund, without a fee. Refused if
// the sender has less.
func Transfer(tx *ledger.Tx, from, to int64, k Kind, a money.Amount, reference string) error {
	if err := positive(a); err != nil {
		return err
	}
	if from == to {
		return errs.New(errs.Refused, "Sender and receiver are the same.")
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
		return err
	}
	minus, err := a.Neg()
	if err != nil {
		return err
	}
	_, err = tx.Post(ledger.Transfer{Kind: "transfer", Reference: reference, Legs: []ledger.Leg{{Account: sender, Delta: minus}, {Account: receiver, Delta: a}}})
	return err
}

// Name is what people call the fund.
func (k Kind) Name() string {
	return map[Kind]string{Robot: "Robot Fund", Forex: "Forex Fund", Crypto: "Crypto Fund"}[k]
}
