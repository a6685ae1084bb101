package audit_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// The ledger and the verifier are separate implementations of one specification. The
// verifier accepts every kind of write that the ledger makes.
func TestVerifyAgreesWithTheLedger(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		keyPath := filepath.Join(t.TempDir(), "ledger.key")
		signer, err := ledger.CreateSigner(keyPath)
		if err != nil {
			t.Fatal(err)
		}
		keys, err := ledger.ReadPublicKeys(ledger.PublicKeyFile(keyPath))
		if err != nil {
			t.Fatal(err)
		}
		l := testkit.StartLedgerWith(t, testkit.Open(t, dsn), signer, clock.NewFake(testkit.Epoch))
		f := follower(t, audit.FollowOptions{PublicKeys: keys, Reread: 3, Window: 2})
		agrees(t, l, f, keys)
		for _, w := range works() {
			l.Clock.Advance(w.after)
			_, err := l.Do(context.Background(), ledger.Command{Actor: "op", Key: w.key, Body: []byte(w.key), Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
				return nil, w.run(tx)
			}})
			if err != nil {
				t.Fatalf("%s: %v", w.key, err)
			}
			agrees(t, l, f, keys)
		}
		if err := l.Freeze(context.Background(), "a look"); err != nil {
			t.Fatal(err)
		}
		if s := agrees(t, l, f, keys); s.Transfers != 12 || s.Holds != 3 || s.OpenHolds != 0 || s.Commands != 8 {
			t.Errorf("%s", s)
		}
	})
}

type work struct {
	key   string
	after time.Duration
	run   func(tx *ledger.Tx) error
}

// works is a bit of everything, in order.
func works() []work {
	const fund7 = "L:FUND:FUNDS:100007"
	var paid ledger.Posted
	var settled, voided ledger.Hold
	post := func(kind string, legs ...any) func(*ledger.Tx) error {
		return func(tx *ledger.Tx) (err error) {
			paid, err = tx.Post(transfer(kind, legs...))
			return err
		}
	}
	return []work{
		{"deposit", 0, func(tx *ledger.Tx) error {
			return errors.Join(post("deposit", "A:CLIENT", 900, fund7, 900)(tx), post("buy", fund7, -300, "L:DEFERRED:s1", 300)(tx))
		}},
		{"final", 0, post("final", "L:DEFERRED:s1", -300, "P:LEVEL", 120, "E:COMPANY", 180, "A:CLIENT", -300, "A:FIELD", 120, "A:OPERATING", 180)},
		{"", 0, post("level", "P:LEVEL", -30, "L:INCOME:Level:100008", 10, "L:HELD:Level:100009", 20)},
		{"holds", 0, func(tx *ledger.Tx) (err error) {
			if settled, err = tx.PlaceHold(hold(fund7, 40, "payout")); err != nil {
				return err
			}
			if voided, err = tx.PlaceHold(hold(fund7, 50, "")); err != nil {
				return err
			}
			_, err = tx.PlaceHold(hold(fund7, 60, "left to expire"))
			return err
		}},
		{"settle", 0, func(tx *ledger.Tx) error {
			_, err := tx.Settle(settled.ID, transfer("withdraw", fund7, -40, "A:CLIENT", -40))
			return err
		}},
		{"void", 0, func(tx *ledger.Tx) error { _, err := tx.Void(voided.ID, "no longer"); return err }},
		{"", 2 * time.Hour, func(tx *ledger.Tx) error { _, err := tx.ExpireHolds(10); return err }},
		{"deposit again", 0, post("deposit", "A:CLIENT", 5, fund7, 5)},
		{"reverse", 0, func(tx *ledger.Tx) error { _, err := tx.Reverse(paid.Seq, "typing error"); return err }},
		{"nothing", 0, func(*ledger.Tx) error { return nil }},
	}
}

func agrees(t *testing.T, l *testkit.Ledger, f *audit.Follower, keys map[string]ed25519.PublicKey) (s audit.Summary) {
	t.Helper()
	ctx := context.Background()
	err := l.DB.Audit(ctx, func(r audit.Reader) (err error) {
		if s, err = audit.Verify(ctx, r, audit.Options{PublicKeys: keys}); err != nil {
			return err
		}
		_, err = f.Step(ctx, r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// transfer takes codes and whole dollars in turn.
func transfer(kind string, legs ...any) ledger.Transfer {
	t := ledger.Transfer{Kind: kind}
	for i := 0; i < len(legs); i += 2 {
		t.Legs = append(t.Legs, ledger.Leg{Account: ledger.MustAccount(legs[i].(string)), Delta: money.MustParse(fmt.Sprint(legs[i+1]))})
	}
	return t
}

func hold(code string, dollars int, reason string) ledger.HoldRequest {
	return ledger.HoldRequest{Account: ledger.MustAccount(code), Amount: money.MustParse(fmt.Sprint(dollars)), For: time.Hour, Reason: reason}
}
