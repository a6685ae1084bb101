package ledger_test

import (
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const (
	annFunds = "L:FUND:FUNDS:100001"
	bobFunds = "L:FUND:FUNDS:100002"
)

func TestATransferIsAtomic(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		mustPost(t, l, deposit(annFunds, "100"), move(annFunds, bobFunds, "30.5"))
		wantBalance(t, l, annFunds, "69.5", "0")
		wantBalance(t, l, bobFunds, "30.5", "0")
		wantBalance(t, l, "A:CLIENT", "100", "0")

		// The second leg cannot be: nothing of the first remains.
		err := post(l, ledger.Transfer{Kind: "transfer", Legs: []ledger.Leg{leg(annFunds, "10"), leg(bobFunds, "-30.500001"), leg("L:FUND:FUNDS:100003", "20.500001")}})
		wantCode(t, err, errs.Refused)
		wantBalance(t, l, annFunds, "69.5", "0")
		wantBalance(t, l, bobFunds, "30.5", "0")
	})
}

func TestMalformedTransfersAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	mustPost(t, l, deposit(annFunds, "100"))
	many := make([]ledger.Leg, ledger.MaxLegs+1)
	for i := range many {
		many[i] = leg(annFunds, "1")
	}
	tests := map[string]ledger.Transfer{
		"no legs":            {Kind: "x"},
		"no kind":            {Legs: []ledger.Leg{leg(annFunds, "1"), leg(bobFunds, "-1")}},
		"capital kind":       {Kind: "X", Legs: []ledger.Leg{leg(annFunds, "1")}},
		"does not balance":   {Kind: "x", Legs: []ledger.Leg{leg(annFunds, "-1"), leg(bobFunds, "1.000001")}},
		"one-sided":          {Kind: "x", Legs: []ledger.Leg{leg("A:CLIENT", "1")}},
		"zero leg":           {Kind: "x", Legs: []ledger.Leg{leg(annFunds, "0"), leg(bobFunds, "0")}},
		"account twice":      {Kind: "x", Legs: []ledger.Leg{leg(annFunds, "-1"), leg(annFunds, "1")}},
		"no account":         {Kind: "x", Legs: []ledger.Leg{{Delta: usd("1")}, leg("A:CLIENT", "1")}},
		"too many legs":      {Kind: "x", Legs: many},
		"reason not text":    {Kind: "x", Reason: "\xff", Legs: []ledger.Leg{leg(annFunds, "-1"), leg(bobFunds, "1")}},
		"reference has a 0":  {Kind: "x", Reference: "a\x00b", Legs: []ledger.Leg{leg(annFunds, "-1"), leg(bobFunds, "1")}},
		"overflowing amount": {Kind: "x", Legs: []ledger.Leg{leg("A:CLIENT", "9223372036854.775807"), leg(annFunds, "9223372036854.775807")}},
		"sum past 64 bits":   {Kind: "x", Legs: []ledger.Leg{leg("L:DEFERRED:a", "9223372036854.775807"), leg("L:DEFERRED:b", "9223372036854.775807"), leg("L:DEFERRED:c", "0.000002")}},
	}
	for name, tr := range tests {
		t.Run(name, func(t *testing.T) {
			wantCode(t, post(l, tr), errs.Invalid)
			wantBalance(t, l, annFunds, "100", "0")
		})
	}
}

func TestOnlyAccountsOfTheChartExist(t *testing.T) {
	for _, code := range []string{
		"", "L", "L:", "L:NOPE", "L:FUND", "L:FUND:FUNDS", "L:FUND:FUNDS:", "L:FUND:FUNDS:abc", "L:FUND:FUNDS:0", "L:FUND:FUNDS:-1",
		"L:FUND:FUNDS:007", "L:FUND:FUNDS:+7", "L:FUND:FUNDS:99999999999999999999", "L:FUND:FU NDS:1", "L:FUND:FUNDS:1:2", "A:CLIENT:1",
		"l:fund:funds:1", "E:COMPANY ", "P:OTHER", "L:DEFERRED:\n",
	} {
		if a, err := ledger.ParseAccount(code); !errs.Is(err, errs.Invalid) {
			t.Errorf("ParseAccount(%q) = %v, %v; want invalid", code, a, err)
		}
	}
	for code, owner := range map[string]int64{
		"A:CLIENT": 0, "A:TRADING:FOREX": 0, "L:FUND:FOREXFUNDS:100007": 100007, "L:PRINCIPAL:FOREX:100002:p1-B": 100002,
		"L:INCOME:ForexIncome:1": 1, "L:DEFERRED:s01-A": 0, "P:LEVEL": 0, "E:COMPANY": 0,
	} {
		a, err := ledger.ParseAccount(code)
		if err != nil || a.Owner() != owner || a.String() != code {
			t.Errorf("ParseAccount(%q) = %v owned by %d, %v; want owner %d", code, a, a.Owner(), err, owner)
		}
	}
}
