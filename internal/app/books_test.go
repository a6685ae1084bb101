package app

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/closing"
	"github.com/bifolia/bifolia/internal/testkit"
)

// Who gets what money, and where it goes, is in the signed chain: whoever changes
// it in the tables is found.
func TestVerifyFindsAChangedOwnerOrDestinationOfMoney(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		me.setWallet(annasWallet, pin)
		s.clock.Advance(72 * time.Hour)
		me = s.login(me.uid, password)
		operator := s.hire(auth.RoleFinance)
		if got := me.post("FundRequest", m{"uid": id(me.uid), "bankid": 1, "amount": "250", "utrno": "HDFC00001234"}).word(); got != "success" {
			t.Fatalf("the request: %s", got)
		}
		request := operator.get("operator/fundRequests?state=Pending").rows()[0].(m)["id"]
		operator.post("operator/fundRequests/approve", m{"id": request}).into(&m{})
		number := me.withdraw("FundBalance", "40")
		operator.post("operator/withdrawals/approve", m{"id": number}).into(&m{})

		check := func() error { return closing.CheckBooks(t.Context(), s.db.Books()) }
		if err := check(); err != nil {
			t.Fatal(err)
		}
		raw := testkit.Raw(t, dsn)
		run := func(query string) {
			t.Helper()
			if _, err := raw.ExecContext(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
		for tamper, restore := range map[string][2]string{
			"UPDATE withdrawal SET address = '" + otherWallet + "'":    {"UPDATE withdrawal SET address = '" + annasWallet + "'", "goes where it was asked to"},
			"UPDATE withdrawal SET uid = uid + 1":                      {"UPDATE withdrawal SET uid = uid - 1", "its member's"},
			"UPDATE withdrawal SET amount = amount + 1, net = net + 1": {"UPDATE withdrawal SET amount = amount - 1, net = net - 1", "what was held for it"},
			"UPDATE fund_request SET uid = uid + 1":                    {"UPDATE fund_request SET uid = uid - 1", "what was credited"},
			"UPDATE fund_request SET amount = amount * 2":              {"UPDATE fund_request SET amount = amount / 2", "what was credited"},
		} {
			run(tamper)
			var b *closing.Broken
			if err := check(); !errors.As(err, &b) || !strings.Contains(err.Error(), restore[1]) {
				t.Errorf("%s: %v", tamper, err)
			}
			run(restore[0])
		}
		if err := check(); err != nil {
			t.Errorf("restored: %v", err)
		}
	})
}

// Volume that nobody bought is not paid for: a close goes on only from what the
// last one left.
func TestACloseRefusesWhatTheLastOneDidNotLeave(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		s.buy(s.root.UID, 5, "1000")
		s.clock.SetWall(time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-17"); err != nil {
			t.Fatal(err)
		}
		if err := closing.CheckBooks(t.Context(), s.db.Books()); err != nil {
			t.Fatal(err)
		}
		before := s.counts(booksTables...)
		raw := testkit.Raw(t, dsn)
		if _, err := raw.ExecContext(t.Context(), `INSERT INTO carry (no, final, sales, own, month, left_vol, right_vol, match_bot, rank, reward, months, active, debt)
			VALUES (1, 1000000000, 1, 0, 0, 9000000000, 9000000000, 0, 0, 0, 0, 1, 0)
			ON CONFLICT (no) DO UPDATE SET left_vol = excluded.left_vol, right_vol = excluded.right_vol`); err != nil {
			t.Fatal(err)
		}
		if err := s.closeUntil("2026-11-18"); err == nil || !strings.Contains(err.Error(), "not what the close of 2026-11-17 left") {
			t.Errorf("the next close: %v", err)
		}
		if got := s.counts(booksTables...); strings.Contains(before, "carry 1,") && got != before {
			t.Errorf("the refused close left %s, before %s", got, before)
		}
	})
}
