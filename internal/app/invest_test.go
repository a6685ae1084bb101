package app

import (
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/tools/testkit"
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

func TestATopupAgreesWithItsCallAndNeedsWhatItUpgrades(t *testing.T) {
	t.Parallel()
	s, root, anna := bought(t, testkit.SQLite(t))
	form := m{
		"referby": anna.uid, "user_id": anna.uid, "package": anna.report("ForexPackage", nil).Data[0][0]["id"], "type": "FOREXFUNDS", "amount": 100,
		"ctrans_password": s.pin("anna.alpha@mail.example"),
	}
	robot := with(form, m{"type": "FUNDS", "package": 5})
	anna.post("ActivationByFund_investment", with(form, m{"topuptype": "Upgrade"})).names("topuptype")
	anna.post("UpgradeByFund_investment", with(form, m{"topuptype": "Activation"})).names("topuptype")
	anna.post("ActivationByFund", with(robot, m{"topuptype": "Upgrade"})).names("topuptype")
	anna.post("UpgradebyFund", with(robot, m{"topuptype": "Activation"})).names("topuptype")
	for uid, want := range map[int64]string{root.uid: "An upgrade is for members with an investment on FOREX: activate first.", anna.uid: "Successfully Upgrade...!!!"} {
		if got := anna.post("UpgradeByFund_investment", with(form, m{"user_id": uid, "topuptype": "Upgrade"})).told(); got != want {
			t.Errorf("for %d: %s", uid, got)
		}
	}
}

func TestTheCompanysAddressesAreNoMembersWallet(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, pin := s.anna()
	for _, address := range []string{s.people.calls.Settings.Current().USDT, s.cfg.ChainToken, strings.ToLower(s.cfg.ChainToken)} {
		text, field := me.outcome(m{"type": "ecurrency", "uid": me.uid, "accountaddress": address, "ctrans_password": pin})
		if text != "This is not your own address: enter that of your wallet." || field != "accountaddress" {
			t.Errorf("%q: %s %s", address, text, field)
		}
	}
}
