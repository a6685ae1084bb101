package app

import (
	"testing"

	"github.com/bifolia/bifolia/internal/testkit"
)

func TestInvestmentsAreInWholeDollars(t *testing.T) {
	t.Parallel()
	s, _, anna := bought(t, testkit.SQLite(t))
	form := m{
		"referby": anna.uid, "user_id": anna.uid, "package": anna.report("ForexPackage", nil).Data[0][0]["id"], "type": "FOREXFUNDS",
		"ctrans_password": s.pin("anna.alpha@mail.example"),
	}
	before := s.counts(moneyTables...)
	for _, amount := range []string{"100.5", "100.000001", "100.", "1e2", "0", "-100", "12345678901", "ten"} {
		for _, call := range []string{"ActivationByFund_investment", "UpgradeByFund_investment"} {
			anna.post(call, with(form, m{"amount": amount})).names("amount")
		}
	}
	if after := s.counts(moneyTables...); after != before {
		t.Errorf("refused and still written:\n%s\n%s", before, after)
	}
}
