package ledger_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// People are told what they lack in their own words, not by an account's code.
func TestInsufficientBalanceIsReportedInWordsForUsers(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	account := ledger.MustAccount("L:FUND:FUNDS:100001")
	_, err := l.Do(context.Background(), ledger.Command{Actor: "test", Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
		if err := tx.Enough(account, money.Micro(0), "fund"); err != nil {
			t.Errorf("nothing is needed: %v", err)
		}
		return nil, tx.Enough(account, money.MustParse("50"), "fund")
	}})
	if message := errs.MessageOf(err); !errs.Is(err, errs.Refused) || strings.Contains(message, "L:FUND") || !strings.Contains(message, "fund has 0.00 available, and 50.00 are needed") {
		t.Errorf("%v", err)
	}
}
