package payout_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/payout"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// hashOf makes up a transaction's hash.
func hashOf(digit string) string { return "0x" + strings.Repeat(digit, 64) }

func TestAListIsExportedAndItsHashesImported(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		f, b := desk(t, dsn)
		_, first := chaintest.Wallet(t)
		_, second := chaintest.Wallet(t)
		one, two := b.approved(ann, "25", first), b.approved(ann, "40", second)
		batch := b.batch(payout.Manual)
		list, err := b.Export(t.Context(), maker, batch)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("id,uid,address,amount,hash\r\n%d,%d,%s,25.000000,\r\n%d,%d,%s,40.000000,\r\n", one, ann, first, two, ann, second)
		if string(list) != want {
			t.Errorf("the list is %q, want %q", list, want)
		}
		b.run()
		if n := f.node.Calls("eth_sendRawTransaction"); n != 0 {
			t.Errorf("the server has sent %d transactions", n)
		}
		_, err = b.Cancel(t.Context(), maker, "", batch)
		refused(t, err, errs.Conflict, "was exported")
		paid := f.Transfer(t, f.token, first, chaintest.Units(18, 25))
		short := f.Transfer(t, f.token, second, chaintest.Units(18, 39))
		f.Mine(1)
		filled := strings.Replace(string(list), "25.000000,", "25.000000, "+strings.ToUpper(paid[2:])+" ", 1)
		_, err = b.Import(t.Context(), maker, "", batch, []byte(filled))
		refused(t, err, errs.Invalid, "line 2")
		filled = strings.Replace(string(list), "25.000000,", "25.000000, 0X"+strings.ToUpper(paid[2:])+" ", 1)
		for round, want := range []int{1, 0} { // the second time it is known
			if n, err := b.Import(t.Context(), maker, "", batch, []byte("\xef\xbb\xbf"+filled)); err != nil || n != want {
				t.Errorf("round %d: %d, %v", round, n, err)
			}
		}
		b.is(batch, one, payout.Sent, withdrawal.Sent)
		b.is(batch, two, payout.Waiting, withdrawal.Approved)
		if again, err := b.Export(t.Context(), maker, batch); err != nil || strings.Contains(string(again), first) {
			t.Errorf("what is paid is in the list again: %s, %v", again, err)
		}
		b.noted(batch, two, short)
		f.Mine(needed)
		b.run()
		b.is(batch, one, payout.Confirmed, withdrawal.Confirmed)
		if p := b.is(batch, two, payout.Failed, withdrawal.Sent); !strings.Contains(p.Note, "It paid 39, which is less than the 40") {
			t.Errorf("%q", p.Note)
		}
		right := f.Transfer(t, f.token, second, chaintest.Units(18, 40))
		f.Mine(needed)
		b.noted(batch, two, right)
		b.run()
		b.is(batch, two, payout.Confirmed, withdrawal.Confirmed)
		testkit.Verify(t, b.l)
	})
}

func TestAListWithWrongLinesImportsNothing(t *testing.T) {
	t.Parallel()
	_, b := desk(t, testkit.SQLite(t))
	_, to := chaintest.Wallet(t)
	earlier := b.approved(ann, "5", to)
	before := b.batch(payout.Manual)
	b.noted(before, earlier, hashOf("e"))
	one, two := b.approved(ann, "25", to), b.approved(ann, "40", to)
	batch := b.batch(payout.Manual)
	for list, says := range map[string]string{
		"":                          "line 1: The first line must name the columns",
		"a,b\n1,2\n":                "line 1: The first line must name the columns",
		"id,hash\n":                 "No line has a hash",
		"id,hash\n\"1,2\n":          "line 2: This is not a valid CSV line",
		"id,hash\n=1+1,0x1\n":       "line 2: The id is the number of a withdrawal",
		"id,hash\n100003,=HYPER()":  "line 2: A transaction hash is 0x and 64 digits",
		"id,hash\n100003,0xabc":     "line 2: A transaction hash is 0x and 64 digits",
		"id,hash\n7," + hashOf("a"): "line 2: Withdrawal 7 is not in payout batch",
		fmt.Sprintf("id,hash\n%d,%s\n%d,%s\n", one, hashOf("a"), one, hashOf("b")):                               fmt.Sprintf("line 3: Withdrawal %d is in line 2 too", one),
		fmt.Sprintf("id,hash\n\n%d,%s\n%d,%s\n", one, hashOf("a"), two, hashOf("A")[:2]+strings.Repeat("A", 64)): "line 4: The hash is in line 3 too",
		fmt.Sprintf("id,hash\n%d,%s\n%d,%s\n", one, hashOf("a"), two, hashOf("e")):                               fmt.Sprintf("line 3: This hash was used for withdrawal %d", earlier),
	} {
		_, err := b.Import(t.Context(), maker, "", batch, []byte(list))
		refused(t, err, errs.Invalid, "")
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "\n", " "), says) {
			t.Errorf("%q: %v, want %q", list, err, says)
		}
	}
	list := fmt.Sprintf("\xef\xbb\xbfid;amount;hash\n%d;26;%s\n%d;40;0xabc\n7;1;%s\n", one, hashOf("a"), two, hashOf("b"))
	_, err := b.Import(t.Context(), maker, "", batch, []byte(list))
	var all *errs.Error
	var lines []string
	if errors.As(err, &all) {
		for _, f := range all.Fields {
			lines = append(lines, f.Name)
		}
	}
	if want := []string{"line 2", "line 3", "line 4"}; !slices.Equal(lines, want) {
		t.Errorf("the wrong lines are %q, want %q: %v", lines, want, err)
	}
	b.is(batch, one, payout.Waiting, withdrawal.Approved)
	b.is(batch, two, payout.Waiting, withdrawal.Approved)
	if err := b.Return(t.Context(), checker, "", batch, one, "Nobody has paid it."); err != nil {
		t.Fatal(err)
	}
	third := b.batch(payout.Hot)
	_, err = b.Import(t.Context(), maker, "", third, fmt.Appendf(nil, "id,hash\n%d,%s\n", one, hashOf("a")))
	refused(t, err, errs.Conflict, "paid by the server")
	_, err = b.Export(t.Context(), maker, third)
	refused(t, err, errs.Conflict, "paid by the server")
}

// A list that belongs to other payouts, a hash that paid something else, and one
// that would silently replace another are refused by line.
func TestALineMustMatchItsPayoutAndHaveAnUnusedHash(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		_, b := desk(t, dsn)
		_, to := chaintest.Wallet(t)
		_, other := chaintest.Wallet(t)
		alone := b.approved(ann, "5", to)
		b.command(func(ctx context.Context, tx *ledger.Tx) error {
			if _, err := b.withdrawals.Sent(ctx, tx, alone, hashOf("c"), tx.Now()); err != nil {
				return err
			}
			return b.l.DB.Fund().Add(ctx, tx, fund.Request{
				ID: 100001, UID: ann, Fund: fund.Robot, Amount: money.MustParse("5"), Number: hashOf("d"), Way: fund.ByUSDT, State: fund.Approved, RequestedAt: tx.Now(), DecidedBy: 1, DecidedName: "Ann", DecidedAt: tx.Now(),
			})
		})
		id := b.approved(ann, "25", to)
		batch := b.batch(payout.Manual)
		send := func(list string, says string) {
			t.Helper()
			_, err := b.Import(t.Context(), maker, "", batch, []byte(list))
			if says == "" && err == nil {
				return
			}
			refused(t, err, errs.Invalid, "")
			if err == nil || says == "" || !strings.Contains(strings.ReplaceAll(err.Error(), "\n", " "), says) {
				t.Errorf("%q: %v, want %q", list, err, says)
			}
		}
		full := func(address, amount, hash string) string {
			return fmt.Sprintf("id,address,amount,hash\n%d,%s,%s,%s\n", id, address, amount, hash)
		}
		send(full(other, "25.000000", hashOf("a")), "line 2: Withdrawal "+fmt.Sprint(id)+" is paid to "+to)
		send(full("", "25", hashOf("a")), "line 2: Withdrawal "+fmt.Sprint(id)+" is paid to "+to)
		send(full(to, "24.999999", hashOf("a")), "line 2: Withdrawal "+fmt.Sprint(id)+" is of 25")
		send(full(to, "", hashOf("a")), "line 2: Withdrawal "+fmt.Sprint(id)+" is of 25")
		send(full(to, "25", hashOf("d")), "line 2: This hash was used for fund request 100001")
		send(full(to, "25", hashOf("c")), fmt.Sprintf("line 2: This hash was used for withdrawal %d", alone))
		b.is(batch, id, payout.Waiting, withdrawal.Approved)
		send(full(strings.ToLower(to), "25", hashOf("a")), "")
		send(full(to, "25", hashOf("b")), "line 2: Withdrawal "+fmt.Sprint(id)+" has the hash "+hashOf("a"))
		send(fmt.Sprintf("id,hash,replaces\n%d,%s,%s\n", id, hashOf("b"), hashOf("f")), "has the hash "+hashOf("a"))
		send(fmt.Sprintf("id,hash,replaces\n%d,%s,%s\n", id, hashOf("b"), hashOf("a")), "")
		if p := b.is(batch, id, payout.Sent, withdrawal.Sent); p.Hash != hashOf("b") {
			t.Errorf("it has %s", p.Hash)
		}
	})
}

func TestAnOldOrForeignHashConfirmsNothing(t *testing.T) {
	t.Parallel()
	f, b := desk(t, testkit.SQLite(t))
	_, to := chaintest.Wallet(t)
	old := f.Transfer(t, f.token, to, chaintest.Units(18, 25))
	f.Mine(needed)
	b.l.Clock.Advance(100 * 365 * 24 * 3600 * 1e9) // the batch is approved long after
	id := b.approved(ann, "25", to)
	batch := b.batch(payout.Manual)
	b.noted(batch, id, old)
	b.run()
	if p := b.is(batch, id, payout.Failed, withdrawal.Sent); !strings.Contains(p.Note, "too early") {
		t.Errorf("%q", p.Note)
	}
}

func TestWithoutAChainOperatorsConfirm(t *testing.T) {
	t.Parallel()
	_, with := desk(t, testkit.SQLite(t))
	refused(t, with.Confirm(t.Context(), checker, "", 1, 1), errs.Refused, "The chain itself")
	b := openBooks(t, testkit.StartLedger(t, testkit.SQLite(t)), nil)
	b.join(ann, "100")
	_, to := chaintest.Wallet(t)
	id := b.approved(ann, "25", to)
	_, err := b.Propose(t.Context(), maker, "", payout.Hot, nil)
	refused(t, err, errs.Refused, "no hot wallet")
	batch := b.batch(payout.Manual)
	refused(t, b.Confirm(t.Context(), checker, "", batch, id), errs.Conflict, "is waiting")
	if _, err := b.Import(t.Context(), maker, "", batch, fmt.Appendf(nil, "hash;id,hash,ID\n,%s,'%d\n", hashOf("a"), id)); err != nil {
		t.Fatal(err)
	}
	b.run()
	if err := b.Confirm(t.Context(), checker, "", batch, id); err != nil {
		t.Fatal(err)
	}
	b.is(batch, id, payout.Confirmed, withdrawal.Confirmed)
	testkit.Verify(t, b.l)
}

func TestCellsAreNeverFormulas(t *testing.T) {
	t.Parallel()
	_, b := desk(t, testkit.SQLite(t))
	for _, cell := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "|calc", "%1"} {
		if got := payout.Harmless(cell); got != "'"+cell {
			t.Errorf("%q is written as %q", cell, got)
		}
	}
	_, to := chaintest.Wallet(t)
	b.approved(ann, "25", to)
	list, err := b.Export(t.Context(), maker, b.batch(payout.Manual))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(list))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
				t.Errorf("%q", cell)
			}
		}
	}
}
