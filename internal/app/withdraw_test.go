package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const (
	annasWallet = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	otherWallet = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
	withdrawn   = "Withdrawal request has been sent !!"
)

// earn pays a member an income as a close does: from a pool filled by a final sale.
func (s *site) earn(uid int64, wallet, amount string) {
	s.t.Helper()
	a := money.MustParse(amount)
	minus, _ := a.Neg()
	leg := func(code string, d money.Amount) ledger.Leg {
		return ledger.Leg{Account: ledger.MustAccount(code), Delta: d}
	}
	s.command(func(_ context.Context, tx *ledger.Tx) error {
		for _, legs := range [][]ledger.Leg{
			{leg("A:CLIENT", a), leg("L:DEFERRED:test", a)},
			{leg("L:DEFERRED:test", minus), leg("P:LEVEL", a), leg("A:CLIENT", minus), leg("A:FIELD", a)},
			{leg("P:LEVEL", minus), leg("L:INCOME:"+wallet+":"+id(uid), a)},
		} {
			if _, err := tx.Post(ledger.Transfer{Kind: "test", Legs: legs}); err != nil {
				return err
			}
		}
		return nil
	})
}

// earner is Anna with a wallet address that is old enough, and this income.
func (s *site) earner(amount string) (me client, pin string) {
	s.t.Helper()
	me, pin = s.anna()
	me.setWallet(annasWallet, pin)
	s.earn(me.uid, "LevelIncome", amount)
	s.clock.Advance(72 * time.Hour)
	return s.login(me.uid, password), pin
}

func (c client) setWallet(address, pin string) {
	c.s.t.Helper()
	if text, _ := c.outcome(m{"type": "ecurrency", "uid": c.uid, "accountaddress": address, "ctrans_password": pin}); text != "Wallet Address Update Successfully" {
		c.s.t.Fatalf("the wallet: %s", text)
	}
}

// code requests a one-time code for an amount of a wallet and reads it in the mail; ""
// requests one without an amount, as the old client does.
func (c client) code(wallet, amount string) string {
	c.s.t.Helper()
	body := m{"Email": annasMail}
	if amount != "" {
		body = with(body, m{"Request_amount": amount, "Wtype": wallet, "withdrawlType": "USDT"})
	}
	if got := c.post("Withdrawalupdate", body).word(); got != "Successfull" {
		c.s.t.Fatalf("Withdrawalupdate answered %s", got)
	}
	return after(c.s.letters(annasMail)[0].Text, "OTP:")
}

func (c client) take(wallet, amount, code string, header ...string) answer {
	c.s.t.Helper()
	return c.post("Withdrawal", m{
		"uid": id(c.uid), "Request_amount": amount, "otp": code, "email": annasMail, "withdrawlType": "USDT", "withdrawlby": "By User", "Wtype": wallet,
	}, header...)
}

// withdraw creates a withdrawal and returns its id.
func (c client) withdraw(wallet, amount string) string {
	c.s.t.Helper()
	if got := c.take(wallet, amount, c.code(wallet, amount)).result(); got != withdrawn {
		c.s.t.Fatalf("a withdrawal of %s: %s", amount, got)
	}
	c.s.clock.Advance(6 * time.Minute) // codes are limited by the hour
	number, _ := c.report("WithdrawlHistory", nil).Data[0][0]["uid"].(string)
	return number
}

// moneyTables are the tables that a withdrawal writes.
var moneyTables = []string{"withdrawal", "withdrawal_part", "hold", "transfer", "entry", "command", "operator_act"}

func TestWithdrawalFromRequestToConfirmation(t *testing.T) {
	t.Parallel()
	smoke(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		code := me.code("LevelIncome", "40")
		if text := s.letters(annasMail)[0].Text; !strings.Contains(text, "$40.00") || !strings.Contains(text, "Level Income") || !strings.Contains(text, "0x5aAe…eAed") {
			t.Errorf("the mail does not say what the code is for: %s", text)
		}
		if got := me.take("LevelIncome", "40", code).result(); got != withdrawn {
			t.Fatalf("it answered %s", got)
		}
		income := "L:INCOME:LevelIncome:" + id(me.uid)
		s.holds(income, "100", "40")
		row := me.report("WithdrawlHistory", nil).Data[0][0]
		s.shows("pending", row, m{"Request_amount": "40.000000", "withdrawlType": "USDT", "Wtype": "LevelIncome", "ss": "Pending", "pd": ""})
		number := row["uid"]
		operator := s.hire(auth.RoleFinance)
		s.shows("to decide", operator.get("operator/withdrawals?state=Pending").rows()[0].(m), m{"id": number, "uid": id(me.uid), "address": annasWallet, "needsTwo": false})
		operator.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
		operator.post("operator/withdrawals/sent", m{"id": number, "hash": " " + strings.ToUpper(someHash)}).into(&m{})
		s.holds(income, "100", "40")
		operator.post("operator/withdrawals/confirm", m{"id": number}).into(&m{})
		row = me.report("WithdrawlHistory", nil).Data[0][0]
		for _, step := range []string{"rd", "approved", "sent", "confirmed"} {
			if row[step] == nil || row[step] == "" {
				t.Errorf("the report has no time of %q: %v", step, row)
			}
		}
		charge, net := row["admincharge"].(string), row["amount"].(string)
		s.shows("confirmed", row, m{"ss": "Confirmed", "hash": someHash})
		s.has(income, "60")
		s.has("A:FIELD", "60")
		s.has("A:OPERATING", charge)
		if sum, err := money.MustParse(charge).Add(money.MustParse(net)); err != nil || sum != money.MustParse("40") {
			t.Errorf("%s and %s are not 40", charge, net)
		}
		if got := s.mailedStates(number); got != "Confirmed Sent Approved Pending" {
			t.Errorf("the member was mailed %s", got)
		}
		s.verified()
	})
}

// holds checks the balance of an account and the part on hold.
func (s *site) holds(account, posted, held string) {
	s.t.Helper()
	if b := s.balance(account); b.Posted != money.MustParse(posted) || b.Held != money.MustParse(held) {
		s.t.Errorf("%s: %+v, want %s with %s on hold", account, b, posted, held)
	}
}

// mailedStates are the states of a withdrawal mailed to Anna, newest first.
func (s *site) mailedStates(number any) string {
	s.t.Helper()
	var states []string
	for _, l := range s.letters(annasMail) {
		if !strings.Contains(l.Subject, "withdrawal") || !strings.Contains(l.Subject, " "+number.(string)) {
			continue
		}
		for words, state := range map[string]string{
			"We received": "Pending", "was approved": "Approved", "was sent": "Sent", "is complete": "Confirmed", "was rejected": "Rejected", "was cancelled": "Cancelled",
		} {
			if strings.Contains(l.Subject, words) {
				states = append(states, state)
			}
		}
	}
	return strings.Join(states, " ")
}

func TestWithdrawalUnderOneKeyIsMadeAndConfirmedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		code := me.code("LevelIncome", "40")
		for range 2 {
			if got := me.take("LevelIncome", "40", code, "Idempotency-Key", "w1").result(); got != withdrawn {
				t.Fatalf("it answered %s", got)
			}
		}
		income := "L:INCOME:LevelIncome:" + id(me.uid)
		s.holds(income, "100", "40")
		got := me.report("WithdrawlHistory", nil)
		if got.Total != 1 || got.Sum != "40.000000" {
			t.Fatalf("the history is %+v", got)
		}
		number, operator := got.Data[0][0]["uid"], s.hire(auth.RoleFinance)
		operator.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
		operator.post("operator/withdrawals/sent", m{"id": number, "hash": someHash}).into(&m{})
		for range 2 {
			operator.post("operator/withdrawals/confirm", m{"id": number}, "Idempotency-Key", "c1").into(&m{})
		}
		s.holds(income, "60", "0")
		s.verified()
	})
}

func TestWithdrawalStatesFollowTheirOrder(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		number, operator := me.withdraw("LevelIncome", "40"), s.hire(auth.RoleFinance)
		do := func(what string, more m) answer {
			return operator.post("operator/withdrawals/"+what, with(m{"id": number}, more))
		}
		sent, reject := m{"hash": someHash}, m{"remark": "too late"}
		do("sent", sent).refused(http.StatusConflict)
		do("confirm", nil).refused(http.StatusConflict)
		do("approve", nil).into(&m{})

		do("approve", nil).refused(http.StatusConflict)
		if got := me.post("CancelWithdrawal", m{"uid": me.uid, "id": number}).result(); !strings.Contains(got, "is Approved and can no longer be cancelled") {
			t.Errorf("cancelled too late: %s", got)
		}
		do("sent", m{"hash": "0x12"}).names("hash")
		do("sent", sent).into(&m{})

		do("reject", reject).refused(http.StatusConflict)
		do("confirm", nil).into(&m{})

		do("confirm", nil).refused(http.StatusConflict)
		s.has("L:INCOME:LevelIncome:"+id(me.uid), "60")
	})
}

func TestFailedPaymentOfAWithdrawalIsSentAgain(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		number, operator := me.withdraw("LevelIncome", "40"), s.hire(auth.RoleFinance)
		income := "L:INCOME:LevelIncome:" + id(me.uid)
		operator.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
		operator.post("operator/withdrawals/sent", m{"id": number, "hash": someHash}).into(&m{})
		operator.post("operator/withdrawals/failed", m{"id": number, "remark": "reverted on the chain"}).into(&m{})
		operator.post("operator/withdrawals/sent", m{"id": number, "hash": someHash}).into(&m{})
		s.holds(income, "100", "40")
		operator.post("operator/withdrawals/confirm", m{"id": number}).into(&m{})
		s.has(income, "60")
		if got := s.mailedStates(number); got != "Confirmed Sent Approved Sent Approved Pending" {
			t.Errorf("the member was mailed %s", got)
		}
		s.verified()
	})
}

func TestFundWithdrawalHasNoFee(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("50")
		s.deposit(me.uid, fund.Robot, "3")
		s.deposit(me.uid, fund.Forex, "5")
		s.deposit(me.uid, fund.Crypto, "7")
		if got := me.get("getIncomeAmount?type=FundBalance&sid=" + id(me.uid)).result(); got != "15.000000" {
			t.Errorf("available: %s", got)
		}
		number := me.withdraw("FundBalance", "9") // below the minimum of incomes: no deposit is trapped
		s.has("L:FUND:FUNDS:"+id(me.uid), "0")
		s.has("L:FUND:FOREXFUNDS:"+id(me.uid), "0")
		s.has("L:FUND:CRYPTOFUNDS:"+id(me.uid), "6")
		if got := me.get("getIncomeAmount?type=FundBalance&sid=" + id(me.uid)).result(); got != "6.000000" {
			t.Errorf("available: %s", got)
		}
		operator := s.hire(auth.RoleFinance)
		operator.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
		operator.post("operator/withdrawals/sent", m{"id": number, "hash": someHash}).into(&m{})
		operator.post("operator/withdrawals/confirm", m{"id": number}).into(&m{})
		s.has("A:CLIENT", "6")
		s.has("A:FIELD", "50")
		s.has("A:OPERATING", "0")
		if got := me.report("WithdrawlHistory", nil); got.Paid != "9.000000" {
			t.Errorf("paid: %s", got.Paid)
		}
		s.shows("paid", me.report("WithdrawlHistory", nil).Data[0][0], m{"admincharge": "0.000000", "amount": "9.000000", "Wtype": "FundBalance"})
		if paid := fmt.Sprint(me.report("WithdrawlHistory", nil).Data[0][0]["parts"]); paid != "[map[amount:3.000000 fund:FUNDS] map[amount:5.000000 fund:FOREXFUNDS] map[amount:1.000000 fund:CRYPTOFUNDS]]" {
			t.Errorf("the funds that paid: %s", paid)
		}
		s.verified()
	})
}

const (
	codeOfAnother = "This OTP was sent for another withdrawal. Send a new OTP."
	codeIsGone    = "This OTP is no longer valid. Send a new OTP."
	codeIsWrong   = "Invalid OTP !!"
)

// codes is a member with two incomes whose withdrawal attempts are compared with the
// expected messages.
func codes(t *testing.T, dsn string) (s *site, me client, pin string, expect func(what, want string, a answer)) {
	t.Helper()
	s = openSite(t, dsn)
	me, pin = s.earner("500")
	s.earn(me.uid, "binaryIncome", "500")
	return s, me, pin, func(what, want string, a answer) {
		t.Helper()
		if got := a.result(); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
}

func TestWithdrawalCodeIsGoodForItsAmountAndIncomeOnly(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, me, _, expect := codes(t, dsn)
		before := s.counts(moneyTables...)
		expect("no code was sent", codeIsGone, me.take("LevelIncome", "40", "123456"))
		code := me.code("LevelIncome", "40")
		expect("another amount", codeOfAnother, me.take("LevelIncome", "41", code))
		expect("another income", codeOfAnother, me.take("binaryIncome", "40", code))
		expect("wrong digits", codeIsWrong, me.take("LevelIncome", "40", flip(code)))
		fresh := me.code("LevelIncome", "45")
		if code != fresh {
			expect("replaced by another", codeIsWrong, me.take("LevelIncome", "45", code))
		}
		if after := s.counts(moneyTables...); after != before {
			t.Errorf("refused and still written:\n%s\n%s", before, after)
		}
	})
}

func TestWithdrawalCodeEndsAfterTenMinutes(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, me, _, expect := codes(t, dsn)
		before := s.counts(moneyTables...)
		code := me.code("LevelIncome", "40")
		s.clock.Advance(10 * time.Minute)
		expect("too old", codeIsGone, me.take("LevelIncome", "40", code))
		code = me.code("LevelIncome", "45")
		s.clock.Advance(11 * time.Minute)
		s.clock.SetWall(s.clock.Now().Add(-time.Hour))
		expect("after the clock was set back", codeIsGone, me.take("LevelIncome", "45", code))
		if after := s.counts(moneyTables...); after != before {
			t.Errorf("refused and still written:\n%s\n%s", before, after)
		}
	})
}

func TestWithdrawalCodeIsUsedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, me, _, expect := codes(t, dsn)
		code := me.code("LevelIncome", "40")
		expect("right", withdrawn, me.take("LevelIncome", "40", code))
		expect("used again", codeIsGone, me.take("LevelIncome", "40", code))
		s.holds("L:INCOME:LevelIncome:"+id(me.uid), "500", "40")
	})
}

// The old client requests a code without an amount.
func TestWithdrawalCodeForNoAmountIsBoundByTheFirstTry(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, me, _, expect := codes(t, dsn)
		code := me.code("", "")
		expect("wrong digits, which bind", codeIsWrong, me.take("LevelIncome", "30", flip(code)))
		expect("another amount then", codeOfAnother, me.take("LevelIncome", "31", code))
		expect("the amount it was bound to", withdrawn, me.take("LevelIncome", "30", code))
		s.holds("L:INCOME:LevelIncome:"+id(me.uid), "500", "30")
	})
}

func TestWithdrawalCodeIsGoodForTheAddressOfItsMailOnly(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s, me, pin, expect := codes(t, dsn)
		code := me.code("LevelIncome", "25")
		me.setWallet(otherWallet, pin)
		expect("another address", codeOfAnother, me.take("LevelIncome", "25", code))
		s.holds("L:INCOME:LevelIncome:"+id(me.uid), "500", "0")
	})
}

// flip is a different code.
func flip(code string) string {
	return code[:5] + string('0'+(code[5]-'0'+1)%10)
}

func TestConcurrentWrongCodesLockWithdrawalsAfterFive(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		code := me.code("LevelIncome", "40")
		before := s.counts(moneyTables...)
		said := make([]string, 12)
		var together sync.WaitGroup
		for i := range said {
			together.Go(func() { said[i] = me.take("LevelIncome", "40", flip(code)).text })
		}
		together.Wait()
		if n := strings.Count(strings.Join(said, ""), "Invalid OTP !!"); n != 5 {
			t.Errorf("%d guesses were looked at: %v", n, said)
		}
		locked := func(c string) {
			t.Helper()
			if got := me.take("LevelIncome", "40", c).result(); !strings.HasPrefix(got, "Too many wrong OTPs. Try again in ") {
				t.Errorf("it says %s", got)
			}
		}
		locked(code)
		mails := len(s.letters(annasMail))
		if got := me.post("Withdrawalupdate", m{"Email": annasMail}).word(); got != "Too many wrong OTPs. Try again in 15 minutes." || len(s.letters(annasMail)) != mails {
			t.Errorf("a new code while it is locked: %s", got)
		}
		s.clock.Advance(14 * time.Minute)
		locked(code)
		if after := s.counts(moneyTables...); after != before {
			t.Errorf("guessed and something was written:\n%s\n%s", before, after)
		}
		s.clock.Advance(2 * time.Minute)
		me = s.login(me.uid, password)
		me.withdraw("LevelIncome", "40")
	})
}

func TestWithdrawalCodeIsMailedToItsMemberOnly(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.earner("100")
	berta := s.login(s.register(s.root.UID, tree.Right, "Berta Beta"), password)
	before := s.counts("outbox")
	for name, ask := range map[string]func() answer{
		"a stranger without an id":      func() answer { return s.visitor().post("Withdrawalupdate", m{"Email": annasMail}) },
		"a stranger with another's id":  func() answer { return s.visitor().post("Withdrawalupdate", m{"Email": annasMail, "uid": berta.uid}) },
		"a stranger with an unknown id": func() answer { return s.visitor().post("Withdrawalupdate", m{"Email": annasMail, "uid": "999999"}) },
		"another member":                func() answer { return berta.post("Withdrawalupdate", m{"Email": annasMail}) },
		"another member with Anna's id": func() answer { return berta.post("Withdrawalupdate", m{"Email": annasMail, "uid": me.uid}) },
		"Anna for another e-mail":       func() answer { return me.post("Withdrawalupdate", m{"Email": "berta.beta@mail.example"}) },
		"nobody":                        func() answer { return s.visitor().post("Withdrawalupdate", m{}) },
		"somebody with a senseless token": func() answer {
			c := s.visitor()
			c.token = "x.y.z"
			return c.post("Withdrawalupdate", m{"Email": annasMail})
		},
	} {
		if got := ask().word(); got != "Successfull" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if after := s.counts("outbox"); after != before {
		t.Errorf("mails went out: %s, %s", before, after)
	}
	// With id and e-mail address a code is mailed to the member, but does not replace a
	// valid one.
	code := me.code("LevelIncome", "40")
	before = s.counts("outbox")
	s.visitor().post("Withdrawalupdate", m{"Email": annasMail, "uid": me.uid}).into(&m{})
	if after := s.counts("outbox"); after != before {
		t.Error("a stranger replaces a valid code")
	}
	if got := me.take("LevelIncome", "40", code).result(); got != withdrawn {
		t.Error(got)
	}
	s.clock.Advance(11 * time.Minute)
	s.visitor().post("Withdrawalupdate", m{"Email": strings.ToUpper(annasMail), "uid": me.uid}).into(&m{})
	if got := me.take("LevelIncome", "20", after(s.letters(annasMail)[0].Text, "OTP:")).result(); got != withdrawn {
		t.Errorf("a code asked for by id: %s", got)
	}
	// A caller without a session does not learn the balance.
	s.clock.Advance(11 * time.Minute)
	for _, amount := range []string{"1", "20", "5000"} {
		asked := m{"Email": annasMail, "uid": me.uid, "Request_amount": amount, "Wtype": "LevelIncome"}
		if got := s.visitor().post("Withdrawalupdate", asked).word(); got != "Successfull" {
			t.Errorf("a stranger about %s: %s", amount, got)
		}
	}
	s.visitor().post("Withdrawalupdate", m{"Email": annasMail, "Request_amount": "x", "withdrawlType": "GOLD", "Wtype": "BTC"}).names("Request_amount", "withdrawlType", "Wtype")
	limited := 0
	for range 10 {
		if me.post("Withdrawalupdate", m{"Email": annasMail}).status == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited == 0 {
		t.Error("a member may ask for codes without end")
	}
	stranger, last := s.visitor(), 0
	for range 40 {
		last = stranger.post("Withdrawalupdate", m{"Email": "x@y.example"}).status
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("an address may ask without end: %d", last)
	}
}

// Clients differ in the order of the fields; responses have one order, that of the plan's
// worked example.
func TestWithdrawalTypeAndWalletMayBeSwapped(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.earner("100")
	turned := m{"Request_amount": "40", "withdrawlType": "LevelIncome", "Wtype": "USDT"}
	if got := me.post("Withdrawalupdate", with(turned, m{"Email": annasMail})).word(); got != "Successfull" {
		t.Fatal(got)
	}
	code := after(s.letters(annasMail)[0].Text, "OTP:")
	if got := me.post("Withdrawal", with(turned, m{"uid": id(me.uid), "otp": code, "email": annasMail})).result(); got != withdrawn {
		t.Fatal(got)
	}
	want := m{"withdrawlType": "USDT", "Wtype": "LevelIncome"}
	s.shows("the member's report", me.report("WithdrawlHistory", nil).Data[0][0], want)
	var list struct{ Data [][]m }
	s.hire(auth.RoleFinance).get("operator/withdrawals").into(&list)
	s.shows("the operator's list", list.Data[0][0], want)
}

func TestARunningWaitIsToldBeforeAndAfterTheRequest(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.earner("100")
		rules := func() any { return me.get("moneyRules").data().(m)["notBefore"] }
		if got := rules(); got != nil {
			t.Errorf("without a change the rules tell a wait until %v", got)
		}
		until := s.clock.Now().Add(auth.WalletWait)
		if text, _ := me.outcome(m{"type": "ecurrency", "uid": id(me.uid), "accountaddress": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "ctrans_password": pin}); text != "Wallet Address Update Successfully" {
			t.Fatal(text)
		}
		told, err := time.Parse(time.RFC3339, fmt.Sprint(rules()))
		if err != nil || told.Sub(until).Abs() > time.Minute {
			t.Errorf("the rules tell %v, not %v", rules(), until)
		}
		me.withdraw("LevelIncome", "40")
		if row := me.report("WithdrawlHistory", nil).Data[0][0]; row["notBefore"] != rules() {
			t.Errorf("the request waits until %v, not %v", row["notBefore"], rules())
		}
		s.clock.Advance(auth.WalletWait)
		me = s.login(me.uid, password)
		if row := me.report("WithdrawlHistory", nil).Data[0][0]; row["notBefore"] != nil || rules() != nil {
			t.Errorf("after the wait: %v, %v", row["notBefore"], rules())
		}
	})
}
