// Package withdrawal takes money out: what was earned, and deposits that were
// not used. Money is held from the request on and leaves the books when the
// chain has confirmed it, because the ledger lets nothing put it back.
package withdrawal

import (
	"strconv"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/plan"
)

// wallets are the income wallets that can be withdrawn from.
var wallets = map[string]bool{
	"LevelIncome": true, "binaryIncome": true, "ForexIncome": true, "CryptoIncome": true, "royalty_income": true, "salaryrankreward": true,
}

// Check refuses what the plan does not allow, and gives the charge.
func Check(p *plan.Plan, wallet string, a money.Amount) (charge money.Amount, err error) {
	switch {
	case !wallets[wallet]:
		return charge, errs.New(errs.Invalid, "There is no income wallet %q.", wallet)
	case a.Micros()%1_000_000 != 0:
		return charge, errs.New(errs.Refused, "whole dollars only")
	case a.Less(p.Withdraw.Min):
		return charge, errs.New(errs.Refused, "below the minimum of %s", p.Withdraw.Min)
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
