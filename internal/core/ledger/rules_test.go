package ledger_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// fillEverything gives every kind of account some money by lawful postings.
func fillEverything(t *testing.T, l *testkit.Ledger) {
	t.Helper()
	mustPost(t, l,
		deposit(annFunds, "10000"), deposit(bobFunds, "10000"), deposit("L:FUND:FOREXFUNDS:100001", "5000"),
		ledger.Transfer{Kind: "buy", Legs: []ledger.Leg{leg(annFunds, "-1000"), leg("L:DEFERRED:s1", "1000")}},
		ledger.Transfer{Kind: "finalise", Legs: []ledger.Leg{
			leg("L:DEFERRED:s1", "-1000"), leg("P:LEVEL", "200"), leg("P:MATCH", "200"), leg("E:COMPANY", "600"),
			leg("A:CLIENT", "-1000"), leg("A:FIELD", "400"), leg("A:OPERATING", "600"),
		}},
		ledger.Transfer{Kind: "invest", Legs: []ledger.Leg{
			leg("L:FUND:FOREXFUNDS:100001", "-1000"), leg("L:PRINCIPAL:FOREX:100001:p1", "1000"), leg("A:CLIENT", "-1000"), leg("A:TRADING:FOREX", "1000"),
		}},
		ledger.Transfer{Kind: "profit", Legs: []ledger.Leg{
			leg("A:TRADING:FOREX", "100"), leg("L:ROI_HELD:FOREX", "80"), leg("L:FEE_HELD:FOREX", "20"),
		}},
		ledger.Transfer{Kind: "breakage", Legs: []ledger.Leg{leg("P:LEVEL", "-5"), leg("P:RESERVE", "5")}},
		ledger.Transfer{Kind: "income", Legs: []ledger.Leg{leg("P:LEVEL", "-100"), leg("L:INCOME:LevelIncome:100001", "60"), leg("L:HELD:LevelIncome:100002", "40")}},
	)
}

func TestEveryLawfulPostingOfThePlanPasses(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		fillEverything(t, l)
		mustPost(t, l,
			ledger.Transfer{Kind: "release", Legs: []ledger.Leg{leg("L:ROI_HELD:FOREX", "-10"), leg("L:INCOME:ForexIncome:100001", "10")}},
			ledger.Transfer{Kind: "release", Legs: []ledger.Leg{leg("L:ROI_HELD:FOREX", "-10"), leg("L:INCOME:ForexIncome:100001", "4"), leg("L:INCOME:ForexIncome:100002", "6")}},
			ledger.Transfer{Kind: "unblock", Legs: []ledger.Leg{leg("L:HELD:LevelIncome:100002", "-40"), leg("L:INCOME:LevelIncome:100002", "40")}},
			ledger.Transfer{Kind: "debt", Legs: []ledger.Leg{leg("P:MATCH", "-10"), leg("L:INCOME:binaryIncome:100001", "7"), leg("P:RESERVE", "3")}},
			ledger.Transfer{Kind: "chargeback-row", Legs: []ledger.Leg{leg("L:INCOME:LevelIncome:100001", "-5"), leg("P:RESERVE", "5")}},
			ledger.Transfer{Kind: "claim", Legs: []ledger.Leg{
				leg("L:PRINCIPAL:FOREX:100001:p1", "-500"), leg("L:ROI_HELD:FOREX", "-20"), leg("L:INCOME:ForexIncome:100001", "520"),
				leg("A:CLIENT", "-520"), leg("A:FIELD", "520"),
			}},
			ledger.Transfer{Kind: "withdraw", Legs: []ledger.Leg{
				leg("L:INCOME:ForexIncome:100001", "-100"), leg("A:FIELD", "-100"), leg("A:OPERATING", "2"), leg("E:COMPANY", "2"),
			}},
		)
	})
}

// Each of these would pay an income, directly or through a pool, with money
// that is not the pools', the line's booked profit or the earner's own.
var unlawful = map[string][]ledger.Leg{
	"another member's deposit to an income":      {leg(bobFunds, "-10"), leg("L:INCOME:LevelIncome:100001", "10")},
	"another member's deposit to a held income":  {leg(bobFunds, "-10"), leg("L:HELD:LevelIncome:100001", "10")},
	"another member's principal":                 {leg("L:PRINCIPAL:FOREX:100001:p1", "-10"), leg("L:INCOME:ForexIncome:100002", "10")},
	"another member's income":                    {leg("L:INCOME:LevelIncome:100001", "-10"), leg("L:INCOME:LevelIncome:100002", "10")},
	"a sale that is not final":                   {leg("L:DEFERRED:s2", "-10"), leg("L:INCOME:LevelIncome:100001", "10")},
	"company equity":                             {leg("E:COMPANY", "-10"), leg("L:INCOME:LevelIncome:100001", "10")},
	"held fees":                                  {leg("L:FEE_HELD:FOREX", "-10"), leg("L:INCOME:ForexIncome:100001", "10")},
	"fresh cash":                                 {leg("A:CLIENT", "10"), leg("L:INCOME:LevelIncome:100001", "10")},
	"fresh cash beside a token from a pool":      {leg("A:CLIENT", "10"), leg("P:LEVEL", "-1"), leg("L:INCOME:LevelIncome:100001", "11")},
	"a deposit hidden behind a pool leg":         {leg("P:LEVEL", "-1"), leg(bobFunds, "-10"), leg("L:INCOME:LevelIncome:100001", "11")},
	"own deposit for two members at once":        {leg(annFunds, "-10"), leg("L:INCOME:LevelIncome:100001", "5"), leg("L:INCOME:LevelIncome:100002", "5")},
	"a deposit laundered into a pool":            {leg(bobFunds, "-10"), leg("P:LEVEL", "10")},
	"a principal laundered into a pool":          {leg("L:PRINCIPAL:FOREX:100001:p1", "-10"), leg("P:MATCH", "10")},
	"fresh cash into a pool":                     {leg("A:CLIENT", "10"), leg("P:LEVEL", "10")},
	"a deposit laundered into held profit":       {leg(bobFunds, "-10"), leg("L:ROI_HELD:FOREX", "10")},
	"client cash booked as profit":               {leg("A:CLIENT", "10"), leg("L:ROI_HELD:FOREX", "10")},
	"another line's profit":                      {leg("A:TRADING:CRYPTO", "10"), leg("L:ROI_HELD:FOREX", "10")},
	"profit larger than the line earned":         {leg("A:TRADING:FOREX", "5"), leg("A:CLIENT", "5"), leg("L:ROI_HELD:FOREX", "10")},
	"a pool and a deposit for the same gain":     {leg(annFunds, "-5"), leg("P:LEVEL", "-5"), leg("L:INCOME:LevelIncome:100001", "5"), leg("P:MATCH", "5")},
	"one's own deposit":                          {leg(annFunds, "-10"), leg("L:INCOME:LevelIncome:100001", "10")},
	"an income taken back into a working pool":   {leg("L:INCOME:LevelIncome:100001", "-10"), leg("P:LEVEL", "10")},
	"the reserve":                                {leg("P:RESERVE", "-1"), leg("L:INCOME:LevelIncome:100001", "1")},
	"the reserve into a working pool":            {leg("P:RESERVE", "-1"), leg("P:LEVEL", "1")},
	"a deposit into held profit behind a profit": {leg("A:TRADING:FOREX", "10"), leg(bobFunds, "-5"), leg("L:ROI_HELD:FOREX", "10"), leg("L:FEE_HELD:FOREX", "5")},
}

func TestNoIncomeIsPaidOutOfDeposits(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		fillEverything(t, l)
		mustPost(t, l, ledger.Transfer{Kind: "buy", Legs: []ledger.Leg{leg(annFunds, "-100"), leg("L:DEFERRED:s2", "100")}})
		for name, legs := range unlawful {
			t.Run(name, func(t *testing.T) {
				err := post(l, ledger.Transfer{Kind: "attempt", Legs: legs})
				wantCode(t, err, errs.Refused)
				if err != nil && strings.Contains(err.Error(), "available") {
					t.Errorf("refused for lack of money, so the rule was not tried: %v", err)
				}
			})
		}
		wantBalance(t, l, bobFunds, "10000", "0")
	})
}

func TestTheDatabaseItselfRefusesAnIncomeOutOfADeposit(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		fillEverything(t, l)
		raw := testkit.Raw(t, dsn)
		for name, row := range map[string]string{
			"income without a beneficiary":        "'L:INCOME', 100001, 0, 10, 10",
			"income of another than named":        "'L:INCOME', 100001, 100002, 10, 10",
			"a deposit debited for a beneficiary": "'L:FUND', 100002, 100001, -10, 5",
			"a deposit debited for several":       "'L:FUND', 100002, -1, -10, 5",
			"a company debit for a beneficiary":   "'E:COMPANY', 0, 100001, -10, 5",
			"a wallet below zero":                 "'L:FUND', 100002, 0, -10, -1",
			"a pool below zero":                   "'P:LEVEL', 0, 0, -10, -1",
		} {
			_, err := raw.ExecContext(context.Background(), `INSERT INTO entry (account, version, seq, leg, kind, owner, beneficiary, delta, balance_after, held_delta, held_after, hold)
				VALUES (999, 1, 999, 1, `+row+`, 0, 0, 0)`)
			if err == nil || !strings.Contains(strings.ToLower(err.Error()), "check") {
				t.Errorf("%s: the database answered %v, want a refusal by its check", name, err)
			}
		}
		for name, stmt := range map[string]string{
			"a wallet below zero":  "UPDATE account SET posted = -1 WHERE code = '" + annFunds + "'",
			"held above posted":    "UPDATE account SET held = posted + 1 WHERE code = '" + annFunds + "'",
			"a floor for a wallet": "UPDATE account SET floor = -5 WHERE code = '" + annFunds + "'",
		} {
			if _, err := raw.ExecContext(context.Background(), stmt); err == nil {
				t.Errorf("%s: the database allowed it", name)
			}
		}
	})
}

func TestTheServersRoleCannotChangeHistory(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		fillEverything(t, l)
		if err := do(l, "a-key", func(tx *ledger.Tx) error {
			_, err := tx.PlaceHold(ledger.HoldRequest{Account: acct(annFunds), Amount: usd("1"), For: time.Hour})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		guarded, err := l.DB.Guarded(context.Background())
		if err != nil || !guarded {
			t.Fatalf("Guarded = %v, %v", guarded, err)
		}
		for _, stmt := range []string{
			"UPDATE transfer SET reason = 'x'", "DELETE FROM transfer", "UPDATE entry SET delta = 1", "DELETE FROM entry",
			"UPDATE batch SET root = hash", "DELETE FROM batch", "UPDATE command SET response = request", "DELETE FROM command",
			"DELETE FROM account", "DELETE FROM hold",
		} {
			err := doRows(l, func(ctx context.Context, rows testkit.Rows) error {
				_, err := rows.Exec(ctx, stmt)
				return err
			})
			if err == nil {
				t.Errorf("%s went through", stmt)
			}
		}
		wantBalance(t, l, bobFunds, "10000", "0")
	})
}

// doRows runs fn on the rows of a separate command.
func doRows(l *testkit.Ledger, fn func(context.Context, testkit.Rows) error) error {
	_, err := l.Do(context.Background(), ledger.Command{Actor: "rows", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, fn(ctx, tx.Rows().(testkit.Rows))
	}})
	return err
}
