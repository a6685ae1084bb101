// Package withdrawal takes earned money out.
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
	minus, err := a.Neg()
	if err != nil {
		return err
	}
	from, err := ledger.ParseAccount("L:INCOME:" + wallet + ":" + strconv.FormatInt(uid, 10))
	if err != nil {
		return err
	}
	if err := tx.Enough(from, a, "wallet"); err != nil {
		return err
	}
	t := ledger.Transfer{Kind: "withdraw", Reference: reference, Legs: []ledger.Leg{{Account: from, Delta: minus}, {Account: ledger.MustAccount("A:FIELD"), Delta: minus}}}
	if !charge.IsZero() {
		t.Legs = append(t.Legs, ledger.Leg{Account: ledger.MustAccount("A:OPERATING"), Delta: charge}, ledger.Leg{Account: ledger.MustAccount("E:COMPANY"), Delta: charge})
	}
	_, err = tx.Post(t)
	return err
}
