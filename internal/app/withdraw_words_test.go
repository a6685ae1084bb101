package app

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestWithdrawalErrorsMoveNothing(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--withdraw-member-daily", "60", "--withdraw-total-daily", "100")
		me, pin := s.earner("500")
		before := s.counts(moneyTables...)
		for _, c := range []struct{ wallet, amount, code, want string }{
			{"LevelIncome", "", "1", "Enter Amount !!"},
			{"", "40", "1", "Select Income Type !!"},
			{"LevelIncome", "40", "", "Please Enter Otp"},
			{"FUNDS", "40", "123456", "Select Income Type !!"},
			{"LevelIncome", "0", "123456", "The amount is whole dollars above zero, up to 10 digits."},
			{"LevelIncome", "1.5", "123456", "The amount is whole dollars above zero, up to 10 digits."},
			{"LevelIncome", "99999999999", "123456", "The amount is whole dollars above zero, up to 10 digits."},
		} {
			if got := me.take(c.wallet, c.amount, c.code).result(); got != c.want {
				t.Errorf("%+v: %s", c, got)
			}
		}
		form := m{"uid": id(me.uid), "Request_amount": "40", "otp": "123456", "Wtype": "LevelIncome"}
		if got := me.post("Withdrawal", form).result(); got != "Select Withdrawal Type!!" {
			t.Errorf("no type: %s", got)
		}
		if got := me.post("Withdrawal", with(form, m{"withdrawlType": "BTC"})).result(); got != "Select Withdrawal Type!!" {
			t.Errorf("no such type: %s", got)
		}
		if got := me.post("Withdrawal", with(form, m{"withdrawlType": "USDT", "email": "x@y.example"})).result(); got != "This is not your e-mail address." {
			t.Errorf("another's e-mail: %s", got)
		}
		// Rejected before a code is mailed, and again with a code.
		refuses := func(wallet, amount, want string) {
			t.Helper()
			code := me.code("", "")
			mails := len(s.letters(annasMail))
			asked := m{"Email": annasMail, "Request_amount": amount, "Wtype": wallet, "withdrawlType": "USDT"}
			if got := me.post("Withdrawalupdate", asked).word(); !strings.Contains(got, want) || len(s.letters(annasMail)) != mails {
				t.Errorf("a code for %s of %s: %q, want %q", amount, wallet, got, want)
			}
			if got := me.take(wallet, amount, code).result(); !strings.Contains(got, want) {
				t.Errorf("%s of %s: %q, want %q", amount, wallet, got, want)
			}
			s.clock.Advance(6 * time.Minute)
		}
		refuses("LevelIncome", "1", "minimum from an income wallet is 10")
		refuses("binaryIncome", "40", "Insufficient balance")
		refuses("LevelIncome", "61", "more than the 60 that you may withdraw")
		if after := s.counts(moneyTables...); after != before {
			t.Errorf("refused and still written:\n%s\n%s", before, after)
		}
		me.withdraw("LevelIncome", "60")
		refuses("LevelIncome", "20", "more than the 60")
		// Approved withdrawals of other members count for the total; rejected ones do not.
		operator := s.hire(auth.RoleFinance)
		me = s.login(me.uid, password)
		operator.post("operator/withdrawals/reject", m{"id": me.report("WithdrawlHistory", nil).Data[0][0]["uid"], "remark": "not now"}).into(&m{})
		me.withdraw("LevelIncome", "50")
		s.raise(95)
		refuses("LevelIncome", "10", "Today's limit for withdrawals of all members is reached")
		s.has("L:INCOME:LevelIncome:"+id(me.uid), "450")

		// An address whose checksum is wrong never becomes one to pay to.
		bad := strings.Replace(annasWallet, "aA", "Aa", 1)
		if text, field := me.outcome(m{"type": "ecurrency", "uid": me.uid, "accountaddress": bad, "ctrans_password": pin}); text == "Wallet Address Update Successfully" || field != "accountaddress" {
			t.Errorf("a wrong checksum: %s", text)
		}
		none := s.login(s.register(s.root.UID, tree.Right, "Berta Beta"), password)
		if got := none.post("Withdrawal", with(form, m{"uid": id(none.uid), "withdrawlType": "USDT"})).result(); !strings.Contains(got, "ecurrency address") {
			t.Errorf("without an address: %s", got)
		}
		asked := m{"Email": "berta.beta@mail.example", "Request_amount": "40", "Wtype": "LevelIncome"}
		if got := none.post("Withdrawalupdate", asked).word(); !strings.Contains(got, "ecurrency address") {
			t.Errorf("a code without an address: %s", got)
		}
	})
}

// raise puts a withdrawal of another member's into today's books.
func (s *site) raise(dollars int64) {
	s.t.Helper()
	raw := testkit.Raw(s.t, s.dsn)
	defer func() { _ = raw.Close() }()
	if _, err := raw.Exec(`INSERT INTO withdrawal (id, uid, wallet, type, amount, charge, net, address, state, needs_two, first_by, first_name, first_at, second_by, second_name, second_at,
		remark, decided_name, decided_at, batch, hash, requested_at, ready_at, sent_at, confirmed_at)
		VALUES (900001, 1, 'LevelIncome', 'USDT', ` + strconv.FormatInt(dollars*1_000_000, 10) + `, 0, ` + strconv.FormatInt(dollars*1_000_000, 10) + `, '', 'Approved', 0, 1, 'Fay', ` +
		strconv.FormatInt(s.clock.Now().UnixMicro(), 10) + `, 0, '', 0, '', '', 0, 0, '', ` +
		strconv.FormatInt(s.clock.Now().UnixMicro(), 10) + `, 0, 0, 0)`); err != nil {
		s.t.Fatal(err)
	}
}
