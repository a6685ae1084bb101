package ledger_test

import (
	"context"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

var client = acct("A:CLIENT")

func acct(code string) ledger.Account { return ledger.MustAccount(code) }

func usd(s string) money.Amount { return money.MustParse(s) }

func leg(code, amount string) ledger.Leg { return ledger.Leg{Account: acct(code), Delta: usd(amount)} }

// deposit is new client cash in a member's fund wallet.
func deposit(fund, amount string) ledger.Transfer {
	return ledger.Transfer{Kind: "deposit", Legs: []ledger.Leg{{Account: client, Delta: usd(amount)}, leg(fund, amount)}}
}

func move(from, to, amount string) ledger.Transfer {
	return ledger.Transfer{Kind: "transfer", Legs: []ledger.Leg{leg(from, "-"+amount), leg(to, amount)}}
}

// do runs fn as one command.
func do(l *testkit.Ledger, key string, fn func(tx *ledger.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := l.Do(ctx, ledger.Command{Actor: "test", Key: key, Body: []byte(key), Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
		return []byte("done " + key), fn(tx)
	}})
	return err
}

func post(l *testkit.Ledger, t ledger.Transfer) error {
	return do(l, "", func(tx *ledger.Tx) error { _, err := tx.Post(t); return err })
}

func mustPost(t *testing.T, l *testkit.Ledger, transfers ...ledger.Transfer) {
	t.Helper()
	for _, tr := range transfers {
		if err := post(l, tr); err != nil {
			t.Fatal(err)
		}
	}
}

func balance(t *testing.T, l *testkit.Ledger, code string) ledger.Balance {
	t.Helper()
	var b ledger.Balance
	if err := do(l, "", func(tx *ledger.Tx) (err error) { b, err = tx.Balance(acct(code)); return err }); err != nil {
		t.Fatal(err)
	}
	return b
}

func wantBalance(t *testing.T, l *testkit.Ledger, code, posted, held string) {
	t.Helper()
	if b := balance(t, l, code); b.Posted != usd(posted) || b.Held != usd(held) {
		t.Errorf("%s holds %s (held %s), want %s (held %s)", code, b.Posted, b.Held, posted, held)
	}
}

func wantCode(t *testing.T, err error, code errs.Kind) {
	t.Helper()
	if errs.KindOf(err) != code {
		t.Errorf("error is %v (%s), want %s", err, errs.KindOf(err), code)
	}
}
