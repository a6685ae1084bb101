package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// pay is a command that moves amount and answers with the transfer's id.
func pay(key, body, from, to, amount string) ledger.Command {
	return ledger.Command{Actor: "member:1", Key: key, Body: []byte(body), Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
		p, err := tx.Post(move(from, to, amount))
		return []byte(p.ID), err
	}}
}

func TestFiftySubmitsOfOneKeyPostOnceAlsoAcrossARestart(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		// Exactly enough for one: a replay that ran again would be refused, and
		// must give the first answer instead.
		mustPost(t, l, deposit(annFunds, "10"))
		first := submitMany(t, l, 50)
		wantBalance(t, l, bobFunds, "10", "0")

		l.Close()
		again := testkit.StartLedgerWith(t, l.DB, l.Signer, clock.NewFake(testkit.Epoch))
		if second := submitMany(t, again, 50); second != first {
			t.Errorf("after the restart the answer is %q, before it was %q", second, first)
		}
		wantBalance(t, again, bobFunds, "10", "0")

		_, err := again.Do(context.Background(), pay("k", "another body", annFunds, bobFunds, "10"))
		wantCode(t, err, errs.Conflict)
		_, err = again.Do(context.Background(), ledger.Command{Actor: "member:2", Key: "k", Body: []byte("body"), Run: func(context.Context, *ledger.Tx) ([]byte, error) { return nil, nil }})
		if err != nil {
			t.Errorf("another actor's key of the same name: %v", err)
		}
	})
}

func submitMany(t *testing.T, l *testkit.Ledger, n int) string {
	t.Helper()
	answers := make([]string, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r, err := l.Do(context.Background(), pay("k", "body", annFunds, bobFunds, "10"))
			if err != nil {
				t.Error(err)
			}
			answers[i] = string(r.Response)
		})
	}
	wg.Wait()
	for _, a := range answers {
		if a != answers[0] || a == "" {
			t.Fatalf("answers differ: %q and %q", a, answers[0])
		}
	}
	return answers[0]
}

func TestARefusedCommandMayBeRetriedUnderItsKey(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	_, err := l.Do(context.Background(), pay("k", "b", annFunds, bobFunds, "10"))
	wantCode(t, err, errs.Refused)
	mustPost(t, l, deposit(annFunds, "10"))
	if _, err := l.Do(context.Background(), pay("k", "b", annFunds, bobFunds, "10")); err != nil {
		t.Error(err)
	}
}

func TestParallelSpendsNeverTakeAWalletBelowZero(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		mustPost(t, l, deposit(annFunds, "100"))
		var spent atomic.Int64
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() {
				to := fmt.Sprintf("L:FUND:FUNDS:%d", 200000+i%7)
				err := post(l, move(annFunds, to, "7"))
				if err == nil {
					spent.Add(1)
				} else if !errs.Is(err, errs.Refused) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if spent.Load() != 14 {
			t.Errorf("%d spends of 7 went through on 100, want 14", spent.Load())
		}
		wantBalance(t, l, annFunds, "2", "0")
		var below int
		if err := testkit.Raw(t, dsn).QueryRow("SELECT COUNT(*) FROM entry WHERE balance_after - held_after < 0").Scan(&below); err != nil || below != 0 {
			t.Errorf("%d versions below zero, %v", below, err)
		}
	})
}

func TestAFailingCommandDoesNotAffectOthersInItsGroup(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		if _, err := testkit.Raw(t, dsn).Exec("CREATE TABLE note (id BIGINT PRIMARY KEY, body TEXT NOT NULL)"); err != nil {
			t.Fatal(err)
		}
		if l.DB.Engine() == "postgres" {
			if _, err := testkit.Raw(t, dsn).Exec("GRANT ALL ON note TO bifolia_app"); err != nil {
				t.Fatal(err)
			}
		}
		mustPost(t, l, deposit(annFunds, "1000"), deposit(bobFunds, "1000"))
		// A slow first command makes all others wait and so share one group.
		var wg sync.WaitGroup
		wg.Go(func() {
			_ = do(l, "", func(*ledger.Tx) error { time.Sleep(100 * time.Millisecond); return nil })
		})
		time.Sleep(20 * time.Millisecond)
		results := make([]error, 40)
		for i := range results {
			wg.Go(func() { results[i] = oneOfMany(l, i) })
		}
		wg.Wait()
		good := 0
		for i, err := range results {
			if bad := i%5 != 0; bad == (err == nil) {
				t.Errorf("command %d: %v", i, err)
			} else if !bad {
				good++
			}
		}
		var notes int
		if err := testkit.Raw(t, dsn).QueryRow("SELECT COUNT(*) FROM note").Scan(&notes); err != nil || notes != good {
			t.Errorf("%d notes of %d good commands, %v", notes, good, err)
		}
		wantBalance(t, l, annFunds, "992", "0") // eight good ones of 1 each
	})
}

// oneOfMany writes a row, posts, and then fails in one of four ways or not.
func oneOfMany(l *testkit.Ledger, i int) error {
	_, err := l.Do(context.Background(), ledger.Command{Actor: "many", Key: fmt.Sprint(i), Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		rows := tx.Rows().(testkit.Rows)
		if _, err := rows.Exec(ctx, "INSERT INTO note (id, body) VALUES ($1, $2)", i, "hello"); err != nil {
			return nil, err
		}
		transfer := move(annFunds, fmt.Sprintf("L:FUND:FUNDS:%d", 300000+i), "1")
		if i%5 == 4 {
			transfer.ID = "the same id for all" // refused only when the group is written
		}
		if _, err := tx.Post(transfer); err != nil {
			return nil, err
		}
		switch i % 5 {
		case 1:
			return nil, errors.New("changed its mind")
		case 2:
			panic("fell over")
		case 3:
			_, err := rows.Exec(ctx, "INSERT INTO note (id, body) VALUES ($1, $2)", i, "again") // breaks the key
			return nil, err
		case 4:
			again := move(bobFunds, fmt.Sprintf("L:FUND:FUNDS:%d", 300000+i), "1")
			again.ID = transfer.ID
			_, err := tx.Post(again)
			return nil, err
		}
		return nil, nil
	}})
	return err
}

func TestACallerThatLeavesDoesNotUndoAnAcceptedCommand(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	mustPost(t, l, deposit(annFunds, "10"))
	ctx, leave := context.WithCancel(context.Background())
	_, err := l.Do(ctx, ledger.Command{Actor: "a", Key: "k", Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
		leave()
		time.Sleep(30 * time.Millisecond)
		_, err := tx.Post(move(annFunds, bobFunds, "4"))
		return []byte("yes"), err
	}})
	wantCode(t, err, errs.Unavailable)
	wantBalance(t, l, bobFunds, "4", "0")
}

func TestCloseFinishesAcceptedCommands(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		mustPost(t, l, deposit(annFunds, "1000"))
		var acknowledged atomic.Int64
		var wg sync.WaitGroup
		for range 200 {
			wg.Go(func() {
				if err := post(l, move(annFunds, bobFunds, "1")); err == nil {
					acknowledged.Add(1)
				} else if !errs.Is(err, errs.Unavailable) {
					t.Error(err)
				}
			})
		}
		time.Sleep(2 * time.Millisecond)
		l.Close()
		wg.Wait()
		again := testkit.StartLedgerWith(t, l.DB, l.Signer, clock.NewFake(testkit.Epoch))
		if got := balance(t, again, bobFunds).Posted.Micros() / 1_000_000; got != acknowledged.Load() {
			t.Errorf("%d acknowledged, %d there", acknowledged.Load(), got)
		}
	})
}

func TestACommandWithATooLongAnswerIsUndone(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	_, err := l.Do(context.Background(), ledger.Command{Actor: "a", Key: "k", Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
		_, err := tx.Post(deposit(annFunds, "5"))
		return make([]byte, ledger.MaxResponse+1), err
	}})
	wantCode(t, err, errs.Internal)
	wantBalance(t, l, annFunds, "0", "0")
}

func TestCommandsSentInARowRunInThatOrderAndAnswerWhenDurable(t *testing.T) {
	t.Parallel()
	l := testkit.StartLedger(t, testkit.SQLite(t))
	mustPost(t, l, deposit(annFunds, "1"))
	// One dollar goes to and fro: out of order, each would be refused.
	var waits []func() (ledger.Result, error)
	for i := range 200 {
		from, to := annFunds, bobFunds
		if i%2 == 1 {
			from, to = bobFunds, annFunds
		}
		wait, err := l.Send(t.Context(), pay(fmt.Sprint(i), "", from, to, "1"))
		if err != nil {
			t.Fatal(err)
		}
		waits = append(waits, wait)
	}
	for i, wait := range waits {
		if _, err := wait(); err != nil {
			t.Fatalf("command %d: %v", i, err)
		}
	}
	wantBalance(t, l, annFunds, "1", "0")
	if _, err := l.Send(t.Context(), ledger.Command{}); err == nil {
		t.Error("a command without work was taken")
	}
	l.Close()
	_, err := l.Send(t.Context(), pay("late", "", annFunds, bobFunds, "1"))
	wantCode(t, err, errs.Unavailable)
}
