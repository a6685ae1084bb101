package app

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Owners and destinations of money are in the signed chain: verify finds changes of them
// in the tables.
func TestVerifyFindsChangedOwnersAndDestinations(t *testing.T) {
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

// Volume without purchases is not paid for: a close continues only from the state that the
// last one left.
func TestCloseRefusesStateTheLastCloseDidNotLeave(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
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

// A close pays only for rows that the program wrote: a booking and the sale that it
// reverses are checked against the signed chain, and every line of the chain against its
// signature.
func TestCloseRefusesStateTheAuditChainDoesNotHave(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		anna := s.register(s.root.UID, tree.Left, "Anna Beta")
		s.buy(s.root.UID, 5, "1000")
		sold := s.buy(anna, 5, "1000")
		s.invest(anna, "500")
		s.clock.SetWall(time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-29"); err != nil {
			t.Fatal(err)
		}
		s.command(func(ctx context.Context, tx *ledger.Tx) error {
			return errors.Join(
				s.closing.Book(ctx, tx, closing.Event{ID: "won", At: tx.Now(), Recorded: tx.Now()}, closing.Booking{Kind: "pnl", Line: "FOREX", Amount: money.MustParse("10"), Reference: "desk"}),
				s.closing.Book(ctx, tx, closing.Event{ID: "back", At: tx.Now(), Recorded: tx.Now()}, closing.Booking{Kind: "chargeback", Sale: sold, Reference: "bank"}),
			)
		})
		s.clock.SetWall(time.Date(2026, 12, 3, 3, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-30"); err != nil {
			t.Fatal(err)
		}
		s.operator().post("operator/block", m{"uid": anna, "reason": "papers are missing"}).into(&m{})
		raw := testkit.Raw(t, dsn)
		var reviewed string
		if err := raw.QueryRowContext(t.Context(), "SELECT CAST(blocked_at AS TEXT) FROM member WHERE uid = $1", anna).Scan(&reviewed); err != nil {
			t.Fatal(err)
		}
		if s.db.Engine() == "sqlite" { // the owner of a database can remove its triggers
			for _, guard := range []string{"batch_keep_row", "command_keep_row"} {
				if _, err := raw.ExecContext(t.Context(), "DROP TRIGGER "+guard); err != nil {
					t.Fatal(err)
				}
			}
		}
		for do, undo := range map[string]string{
			"UPDATE booking SET amount = amount + 1000000 WHERE id = 'won'":            "UPDATE booking SET amount = amount - 1000000 WHERE id = 'won'",
			"UPDATE sale SET payer = payer + 1":                                        "UPDATE sale SET payer = payer - 1",
			"UPDATE income SET paid = paid + 1 WHERE kind = 0":                         "UPDATE income SET paid = paid - 1 WHERE kind = 0",
			"UPDATE invest_position SET state = 'matured'":                             "UPDATE invest_position SET state = 'open'",
			"UPDATE member SET blocked_at = 0 WHERE uid = " + id(anna):                 "UPDATE member SET blocked_at = " + reviewed + " WHERE uid = " + id(anna),
			"UPDATE member SET blocked_at = 1 WHERE uid = " + id(s.root.UID):           "UPDATE member SET blocked_at = 0 WHERE uid = " + id(s.root.UID),
			"UPDATE invest_position SET package = package + 1":                         "UPDATE invest_position SET package = package - 1",
			"UPDATE batch SET commands = commands + 1 WHERE no > 1":                    "UPDATE batch SET commands = commands - 1 WHERE no > 1",
			"UPDATE command SET recorded_at = recorded_at + 1 WHERE actor = 'closing'": "UPDATE command SET recorded_at = recorded_at - 1 WHERE actor = 'closing'",
			"UPDATE command SET recorded_at = recorded_at + 1 WHERE actor = 'witness'": "UPDATE command SET recorded_at = recorded_at - 1 WHERE actor = 'witness'",
		} {
			if _, err := raw.ExecContext(t.Context(), do); err != nil {
				t.Fatal(err)
			}
			if err := s.closeUntil("2026-12-01"); !errors.As(err, new(*ledger.TamperedError)) {
				t.Errorf("%s: %v", do, err)
			}
			if _, err := raw.ExecContext(t.Context(), undo); err != nil {
				t.Fatal(err)
			}
			if err := s.ledger.Unfreeze(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.closeUntil("2026-12-01"); err != nil {
			t.Errorf("put back: %v", err)
		}
		if err := closing.CheckBooks(t.Context(), s.db.Books()); err != nil {
			t.Error(err)
		}
	})
}

// The tree is read at the start and trusted from then on: places are compared with the
// last close, even if a change was reverted meanwhile.
func TestCloseRefusesATreeChangedBetweenStarts(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		anna := s.register(s.root.UID, tree.Left, "Anna Alpha")
		berta := s.register(anna, tree.Left, "Berta Beta")
		s.buy(berta, 5, "1000")
		s.clock.SetWall(time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC))
		if err := s.closeUntil("2026-11-17"); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		raw := testkit.Raw(t, dsn)
		edit := func(query string) {
			t.Helper()
			if _, err := raw.ExecContext(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasPrefix(dsn, "sqlite:") {
			edit("DROP TRIGGER IF EXISTS place_keep_row")
		}
		edit("UPDATE place SET sponsor = 1 WHERE uid = " + id(berta))
		s.App = cheapApp(t, s.cfg, s.clock)
		edit("UPDATE place SET sponsor = 2 WHERE uid = " + id(berta))
		if err := s.closeUntil("2026-11-18"); !errors.As(err, new(*ledger.TamperedError)) || !strings.Contains(err.Error(), "Where members sit is not what the close of 2026-11-17 left") {
			t.Errorf("the next close: %v", err)
		}
	})
}
