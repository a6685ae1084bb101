package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// approveSecond gives the second approval of a withdrawal, with its digest.
func (c client) approveSecond(number string) {
	c.s.t.Helper()
	for _, r := range c.get("operator/withdrawals?state=Pending").rows() {
		if row := r.(m); row["id"] == number {
			sum := sha256.Sum256([]byte(row["payload"].(string)))
			if row["digest"] != hex.EncodeToString(sum[:]) || !strings.Contains(row["payload"].(string), row["address"].(string)) {
				c.s.t.Errorf("the second operator sees %v", row)
			}
			c.post("operator/withdrawals/approve", m{"id": number, "digest": row["digest"]}).into(&m{})
			return
		}
	}
	c.s.t.Errorf("withdrawal %s does not wait", number)
}

func TestWithdrawalAboveTheLimitTakesTwoOperators(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--withdraw-two-above", "100")
		me, _ := s.earner("500")
		small, large := me.withdraw("LevelIncome", "100"), me.withdraw("LevelIncome", "101")
		maker, checker := s.hire(auth.RoleFinance), s.hire(auth.RoleOwner)
		state := func(number string) (ss string) {
			for _, r := range maker.get("operator/withdrawals").rows() {
				if r.(m)["id"] == number {
					ss, _ = r.(m)["ss"].(string)
				}
			}
			return ss
		}
		maker.post("operator/withdrawals/approve", m{"id": small}).into(&m{})
		maker.post("operator/withdrawals/approve", m{"id": large}).into(&m{})
		if state(small) != "Approved" || state(large) != "Pending" {
			t.Errorf("after one operator: %s and %s", state(small), state(large))
		}
		maker.post("operator/withdrawals/approve", m{"id": large}).refused(http.StatusConflict)
		maker.post("operator/withdrawals/sent", m{"id": large, "hash": someHash}).refused(http.StatusConflict)
		raw := testkit.Raw(t, dsn)
		for what, query := range map[string]string{
			"the same operator twice":   "UPDATE withdrawal SET second_by = first_by, second_name = first_name, second_at = first_at, state = 'Approved' WHERE id = " + large,
			"one operator for two":      "UPDATE withdrawal SET state = 'Approved' WHERE id = " + large,
			"sent without a hash":       "UPDATE withdrawal SET state = 'Sent' WHERE id = " + small,
			"more than was asked for":   "UPDATE withdrawal SET net = net + 1 WHERE id = " + small,
			"approved by nobody at all": "UPDATE withdrawal SET first_by = 0 WHERE id = " + small,
		} {
			if _, err := raw.Exec(query); err == nil {
				t.Errorf("the database lets pass: %s", what)
			}
		}
		checker.post("operator/withdrawals/approve", m{"id": large}).says(http.StatusUnprocessableEntity, "has changed")
		checker.approveSecond(large)
		if state(large) != "Approved" {
			t.Errorf("after two operators: %s", state(large))
		}
		row := checker.get("operator/withdrawals?state=Approved&sort=id").rows()[1].(m)
		if row["firstBy"] == "" || row["secondBy"] == "" || row["firstBy"] == row["secondBy"] {
			t.Errorf("approved by %v and %v", row["firstBy"], row["secondBy"])
		}
	})
}

func TestWithdrawalsPauseAfterASecurityChange(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.earner("500")
		operator := s.hire(auth.RoleFinance)
		leaves := func(number string) (why string) {
			t.Helper()
			hash := "0x" + strings.Repeat("0", 64-len(number)) + number // one pays one
			a := s.hire(auth.RoleFinance).post("operator/withdrawals/sent", m{"id": number, "hash": hash})
			if a.status == http.StatusOK {
				return ""
			}
			return a.text
		}
		// The password.
		number := me.withdraw("LevelIncome", "20")
		operator.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
		if text, _ := me.outcome(m{"type": "password", "uid": me.uid, "cpassword": password, "password": "another-one"}); text != "Changes Password Update Successfully" {
			t.Fatal(text)
		}
		if why := leaves(number); !strings.Contains(why, "cannot be paid before") {
			t.Errorf("just after a new password: %q", why)
		}
		s.clock.Advance(23 * time.Hour)
		if why := leaves(number); !strings.Contains(why, "cannot be paid before") {
			t.Errorf("23 hours after a new password: %q", why)
		}
		s.clock.Advance(time.Hour)
		if why := leaves(number); why != "" {
			t.Errorf("24 hours after a new password: %q", why)
		}
		// The wallet's address: payments on their way to the old one stay there, and
		// payments to the new one wait.
		me = s.login(me.uid, "another-one")
		old := me.withdraw("LevelIncome", "20")
		me.setWallet(otherWallet, pin)
		if got := s.letters(annasMail)[0]; !strings.Contains(got.Subject, "wallet address was changed") {
			t.Errorf("the member hears %s", got.Subject)
		}
		operator = s.hire(auth.RoleFinance)
		if a := operator.post("operator/withdrawals/approve", m{"id": old}); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.text, "has changed the wallet address") {
			t.Errorf("to an address that is not the member's any more: %s", a.text)
		}
		operator.post("operator/withdrawals/reject", m{"id": old, "remark": "the address has changed"}).into(&m{})
		number = me.withdraw("LevelIncome", "20")
		if text := s.letters(annasMail)[0].Text; !strings.Contains(text, "is sent after") {
			t.Errorf("the member is not told that it waits: %s", text)
		}
		operator.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
		s.clock.Advance(47 * time.Hour)
		if why := leaves(number); !strings.Contains(why, "cannot be paid before") {
			t.Errorf("47 hours after a new address: %q", why)
		}
		if list, err := s.services.Cashier.Payable(t.Context(), nil, 10); err != nil || len(list) != 0 {
			t.Errorf("payable: %v, %v", list, err)
		}
		s.clock.Advance(time.Hour)
		if list, err := s.services.Cashier.Payable(t.Context(), nil, 10); err != nil || len(list) != 1 {
			t.Errorf("payable: %v, %v", list, err)
		}
		// The e-mail address.
		me = s.login(me.uid, "another-one")
		if text, _ := me.outcome(with(profileForm(me.uid, pin), m{"email": "anna.new@mail.example"})); text != "Profile Update Successfully" {
			t.Fatal(text)
		}
		s.visitor().post("email/confirm", s.linkIn("anna.new@mail.example", "confirm")).into(&m{})
		if got := s.letters(annasMail)[0]; !strings.Contains(got.Text, "a***@mail.example") {
			t.Errorf("the old address hears %s", got.Text)
		}
		if why := leaves(number); !strings.Contains(why, "cannot be paid before") {
			t.Errorf("just after a new e-mail: %q", why)
		}
		s.clock.Advance(24 * time.Hour)
		// Under review no payment leaves either.
		s.block(me.uid)
		if why := leaves(number); !strings.Contains(why, "under review") {
			t.Errorf("under review: %q", why)
		}
		s.command(func(ctx context.Context, tx *ledger.Tx) error {
			return s.services.Members.Unblock(ctx, tx, me.uid)
		})
		if why := leaves(number); why != "" {
			t.Errorf("when everything is old: %q", why)
		}
	})
}

func TestRejectedAndCancelledWithdrawalsReleaseTheMoney(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		income := "L:INCOME:LevelIncome:" + id(me.uid)
		one, two := me.withdraw("LevelIncome", "30"), me.withdraw("LevelIncome", "50")
		s.has(income, "20")
		berta := s.login(s.register(s.root.UID, tree.Right, "Berta Beta"), password)
		if got := berta.post("CancelWithdrawal", m{"uid": berta.uid, "id": one}).result(); !strings.Contains(got, "There is no withdrawal") {
			t.Errorf("another's is cancelled: %s", got)
		}
		for range 2 {
			if got := me.post("CancelWithdrawal", m{"uid": me.uid, "id": one}, "Idempotency-Key", "x1").result(); got != "Withdrawal has been cancelled !!" {
				t.Errorf("cancelled: %s", got)
			}
		}
		if got := me.post("CancelWithdrawal", m{"uid": me.uid, "id": one}).result(); !strings.Contains(got, "is Cancelled") {
			t.Errorf("cancelled twice: %s", got)
		}
		s.has(income, "50")
		operator := s.hire(auth.RoleFinance)
		operator.post("operator/withdrawals/reject", m{"id": two}).names("remark")
		operator.post("operator/withdrawals/approve", m{"id": two}).into(&m{})
		operator.post("operator/withdrawals/reject", m{"id": two, "remark": "papers are missing"}).into(&m{})
		operator.post("operator/withdrawals/approve", m{"id": two}).refused(http.StatusConflict)
		s.has(income, "100")
		s.shows("rejected", me.report("WithdrawlHistory", nil).Data[0][0], m{"ss": "Rejected", "remark": "papers are missing"})
		got := me.report("WithdrawlHistory", m{"sort": "Request_amount", "size": 1})
		if got.Paid != "0.000000" {
			t.Errorf("nothing was paid, and the report says %q", got.Paid)
		}
		if got.Total != 2 || got.Sum != "80.000000" || got.Data[0][0]["Request_amount"] != "30.000000" {
			t.Errorf("the smallest first: %+v", got)
		}
		if got := me.report("WithdrawlHistory", m{"fdate": "2026-11-17"}); got.Total != 2 {
			t.Errorf("since the day: %d", got.Total)
		}
		if got := me.report("WithdrawlHistory", m{"tdate": "2026-11-17"}); got.Total != 0 {
			t.Errorf("until the day before: %d", got.Total)
		}
		s.verified()
	})
}

func TestWithdrawalsAndTransfersStopWhileTheLedgerIsFrozen(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.earner("100")
		s.deposit(me.uid, fund.Robot, "100")
		berta := s.register(s.root.UID, tree.Right, "Berta Beta")
		sent, waits := me.withdraw("LevelIncome", "20"), me.withdraw("LevelIncome", "30")
		operator := s.hire(auth.RoleFinance)
		operator.post("operator/withdrawals/approve", m{"id": sent}).into(&m{})
		operator.post("operator/withdrawals/sent", m{"id": sent, "hash": someHash}).into(&m{})
		if err := s.ledger.Freeze(t.Context(), "account L:FUND:ROBOT:424242 stands at 77"); err != nil {
			t.Fatal(err)
		}
		before := s.counts("withdrawal", "hold", "entry", "fund_request")
		code := me.code("LevelIncome", "40")
		if got := me.take("LevelIncome", "40", code).result(); got != ledger.FrozenMessage { // without details about the account that is wrong
			t.Errorf("a withdrawal: %s", got)
		}
		if got := me.post("FundTransferToUser", m{"user_id": berta, "referby": me.uid, "amount": 1, "wallettype": "FUNDS", "ctrans_password": pin}).told(); got != ledger.FrozenMessage {
			t.Errorf("a transfer: %s", got)
		}
		operator.post("operator/withdrawals/confirm", m{"id": sent}).says(422, "Payments are frozen")
		if after := s.counts("withdrawal", "hold", "entry", "fund_request"); after != before {
			t.Errorf("frozen and still moved: %s, %s", before, after)
		}
		// Cancelling still works.
		if got := me.post("CancelWithdrawal", m{"uid": me.uid, "id": waits}).result(); got != "Withdrawal has been cancelled !!" {
			t.Errorf("cancelling: %s", got)
		}
		if err := s.ledger.Unfreeze(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := me.take("LevelIncome", "40", code).result(); got != withdrawn {
			t.Errorf("when it is thawed: %s", got)
		}
		operator.post("operator/withdrawals/confirm", m{"id": sent}).into(&m{})
	})
}

func TestConcurrentWithdrawalsSpendTheBalanceOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.earner("100")
		berta := s.register(s.root.UID, tree.Right, "Berta Beta")
		code := me.code("LevelIncome", "60")
		said := make([]string, 8)
		var together sync.WaitGroup
		for i := range said {
			together.Go(func() { said[i] = me.take("LevelIncome", "60", code).text })
		}
		together.Wait()
		if n := strings.Count(strings.Join(said, ""), withdrawn); n != 1 {
			t.Errorf("with one code %d got through: %v", n, said)
		}
		s.has("L:INCOME:LevelIncome:"+id(me.uid), "40")

		// A withdrawal of a fund and a transfer out of it.
		s.deposit(me.uid, fund.Robot, "100")
		code = me.code("FundBalance", "80")
		transfer := m{"user_id": berta, "referby": me.uid, "amount": 80, "wallettype": "FUNDS", "ctrans_password": pin}
		both := make([]string, 2)
		together.Go(func() { both[0] = me.take("FundBalance", "80", code).text })
		together.Go(func() { both[1] = me.post("FundTransferToUser", transfer).text })
		together.Wait()
		if strings.Contains(both[0], withdrawn) == strings.Contains(both[1], `"success"`) {
			t.Errorf("not exactly one of them: %v", both)
		}
		s.has("L:FUND:FUNDS:"+id(me.uid), "20")

		// Below the codes, the hold alone rejects the second.
		service := withdrawal.New(withdrawal.Options{Store: s.db.Withdrawal()})
		done := make([]error, 6)
		for i := range done {
			together.Go(func() {
				_, done[i] = s.ledger.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
					a := money.MustParse("30")
					_, err := service.Ask(ctx, tx, withdrawal.Withdrawal{UID: me.uid, Wallet: "LevelIncome", Type: "USDT", Amount: a, Net: a, Address: annasWallet}, nil)
					return nil, err
				}})
			})
		}
		together.Wait()
		through := 0
		for _, err := range done {
			if err == nil {
				through++
			} else if !errs.Is(err, errs.Refused) {
				t.Error(err)
			}
		}
		if through != 1 {
			t.Errorf("%d got through", through)
		}
		s.verified()
	})
}

func TestPayoutsPutApprovedWithdrawalsIntoABatchOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.earner("100")
		number := me.withdraw("LevelIncome", "20")
		operator := s.hire(auth.RoleFinance)
		desk := s.services.Cashier
		batch := func(no int64) (err error) {
			_, err = s.ledger.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
				list, err := desk.Payable(ctx, tx, 10)
				if err != nil {
					return nil, err
				}
				if len(list) == 0 && no != 0 {
					return nil, errs.New(errs.NotFound, "test.error", "nothing is payable")
				}
				all, _, _, err := desk.Withdrawals(ctx, withdrawal.Filter{UID: me.uid, Limit: 10})
				if err != nil {
					return nil, err
				}
				_, err = desk.SetBatch(ctx, tx, all[0].ID, no)
				return nil, err
			}})
			return err
		}
		if err := batch(7); !errs.Is(err, errs.NotFound) {
			t.Errorf("not approved yet: %v", err)
		}
		operator.post("operator/withdrawals/approve", m{"id": number}).into(&m{})
		if err := batch(7); err != nil {
			t.Fatal(err)
		}
		if err := batch(8); !errs.Is(err, errs.NotFound) {
			t.Errorf("into a second batch: %v", err)
		}
		operator.post("operator/withdrawals/reject", m{"id": number, "remark": "too late"}).refused(http.StatusConflict)
		if err := batch(0); err != nil {
			t.Fatal(err)
		}
		if err := batch(8); err != nil {
			t.Fatal(err)
		}
		operator.post("operator/withdrawals/sent", m{"id": number, "hash": someHash}).refused(http.StatusConflict)
		wallet := actor.By{Name: "hot wallet"}
		s.command(func(ctx context.Context, tx *ledger.Tx) error {
			return desk.SentIn(ctx, tx, wallet, 100001, someHash)
		})
		operator.post("operator/withdrawals/confirm", m{"id": number}).refused(http.StatusConflict)
		operator.post("operator/withdrawals/failed", m{"id": number, "remark": "why"}).refused(http.StatusConflict)
		s.command(func(ctx context.Context, tx *ledger.Tx) error {
			return desk.ConfirmIn(ctx, tx, wallet, 100001)
		})
		s.shows("paid", me.report("WithdrawlHistory", nil).Data[0][0], m{"ss": "Confirmed"})
	})
}
