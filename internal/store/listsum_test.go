package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/newsletter"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// lists is a database whose operators' lists are written to at random.
type lists struct {
	*testkit.Ledger
	t       *testing.T
	r       *rand.Rand
	funds   []fund.Request
	moneys  []withdrawal.Withdrawal
	tickets []support.Ticket
}

const long = 2500 // fund requests, so that pages in the middle are far from both ends

func (l *lists) do(run func(ctx context.Context, tx *ledger.Tx) error) {
	l.t.Helper()
	if _, err := l.Do(l.t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, run(ctx, tx)
	}}); err != nil {
		l.t.Fatal(err)
	}
}

func (l *lists) add(ctx context.Context, tx *ledger.Tx) (err error) {
	for i := range long {
		f := fund.Request{ID: int64(i + 1), UID: 100001, Fund: fund.Robot, Amount: money.Micro(int64(i + 1)), Number: fmt.Sprintf("N%05d", i), Way: fund.ByBank, State: fund.Pending, RequestedAt: testkit.Epoch}
		if l.r.IntN(3) == 0 {
			f.Way = fund.ByUSDT
		}
		l.funds = append(l.funds, f)
		err = errors.Join(err, l.DB.Fund().Add(ctx, tx, f))
	}
	for i := range 60 {
		w := withdrawal.Withdrawal{ID: int64(i + 1), UID: 100001, Wallet: "LevelIncome", Type: "USDT", Amount: money.Micro(int64(10 + i)), Net: money.Micro(int64(10 + i)), State: withdrawal.Pending, RequestedAt: testkit.Epoch}
		t := support.Ticket{ID: int64(i + 1), UID: 100001, Kind: support.KindQuery, Query: "why?", Status: support.Open, CreatedAt: testkit.Epoch}
		if l.r.IntN(2) == 0 {
			t.Kind = support.KindComplaint
		}
		l.moneys, l.tickets = append(l.moneys, w), append(l.tickets, t)
		_, put := l.DB.Newsletter().Put(ctx, tx, newsletter.Subscription{Email: fmt.Sprintf("r%d@mail.example", i), State: newsletter.Asked, Token: fmt.Appendf(nil, "%d", i), TokenUntil: testkit.Epoch.Add(time.Duration(i) * time.Hour)})
		err = errors.Join(err, put, l.DB.Withdrawal().Add(ctx, tx, w), l.DB.Support().Add(ctx, tx, t),
			l.DB.Mail().Add(ctx, tx, mail.Message{To: "a@mail.example", CreatedAt: testkit.Epoch.Add(time.Duration(i) * time.Minute), DueAt: testkit.Epoch}))
	}
	return err
}

func (l *lists) change(ctx context.Context, tx *ledger.Tx) (err error) {
	for i := range l.funds {
		if l.r.IntN(2) == 0 {
			f := &l.funds[i]
			f.State, f.DecidedName, f.DecidedAt = []fund.State{fund.Approved, fund.Rejected}[l.r.IntN(2)], "Olga", testkit.Epoch
			err = errors.Join(err, l.DB.Fund().Decide(ctx, tx, *f))
		}
	}
	for i := range l.moneys {
		if l.r.IntN(2) == 0 {
			l.moneys[i].State = withdrawal.Rejected
			err = errors.Join(err, l.DB.Withdrawal().Save(ctx, tx, l.moneys[i], withdrawal.Pending))
		}
		if t := &l.tickets[i]; l.r.IntN(2) == 0 {
			t.Status, t.Acts = []support.Status{support.Replied, support.Closed}[l.r.IntN(2)], 1
			err = errors.Join(err, l.DB.Support().Save(ctx, tx, *t, support.Act{Ticket: t.ID, No: 1, Kind: support.ActAnswer, At: testkit.Epoch}))
		}
		if l.r.IntN(2) == 0 {
			state := []mail.State{mail.Waiting, mail.Sent, mail.Failed}[l.r.IntN(3)]
			err = errors.Join(err, l.DB.Mail().Mark(ctx, tx, mail.Outcome{ID: int64(i + 1), State: state, Tries: 1}))
		}
		if i%7 == 0 {
			_, put := l.DB.Newsletter().Put(ctx, tx, newsletter.Subscription{ID: int64(i + 1), Email: fmt.Sprintf("r%d@mail.example", i), State: newsletter.Confirmed, Token: fmt.Appendf(nil, "%d", i)})
			err = errors.Join(err, put)
		}
	}
	return errors.Join(err, l.DB.Newsletter().Forget(ctx, tx, testkit.Epoch.Add(30*time.Hour)))
}

func TestTotalsOfListsMatchARecount(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := &lists{Ledger: testkit.StartLedger(t, dsn), t: t, r: rand.New(rand.NewPCG(3, 4))}
		for _, step := range []func(context.Context, *ledger.Tx) error{l.add, l.change} {
			l.do(step)
			if err := l.DB.CheckLists(t.Context()); err != nil {
				t.Error(err)
			}
		}
		l.pagesAreRight()
		l.othersAreRight()
		db := testkit.Raw(t, dsn)
		defer func() { _ = db.Close() }()
		for _, query := range []string{"UPDATE list_sum SET n = n + 1 WHERE list = 'outbox' AND state = 'failed'", "DELETE FROM list_sum WHERE list = 'withdrawal'"} {
			if _, err := db.Exec(query); err != nil {
				t.Fatal(err)
			}
			var wrong *store.ListFinding
			if err := l.DB.CheckLists(t.Context()); !errors.As(err, &wrong) {
				t.Errorf("after %s it says %v", query, err)
			}
		}
	})
}

// pagesAreRight: every page of fund requests is what it was when lists were
// counted and skipped from their beginning.
func (l *lists) pagesAreRight() {
	l.t.Helper()
	for _, f := range []fund.Filter{{}, {State: fund.Approved}, {Way: fund.ByUSDT}, {Way: fund.ByBank, State: fund.Pending}, {UID: 100001}, {Oldest: true}} {
		var want []int64
		for _, x := range l.funds {
			if (f.State == "" || x.State == f.State) && (f.Way == "" || x.Way == f.Way) {
				want = append(want, x.ID)
			}
		}
		if !f.Oldest {
			slices.Reverse(want)
		}
		for _, offset := range []int{0, 1, 20, len(want) / 2, len(want) - 26, len(want) - 3, len(want) + 5} {
			f.Offset, f.Limit = int64(offset), 25
			found, total, err := l.DB.Fund().List(l.t.Context(), f)
			var got []int64
			for _, x := range found {
				got = append(got, x.ID)
			}
			if from := min(offset, len(want)); err != nil || total != int64(len(want)) || !slices.Equal(got, want[from:min(from+25, len(want))]) {
				l.t.Errorf("%+v: %v of %d, want %v of %d; %v", f, got, total, want[from:min(from+25, len(want))], len(want), err)
			}
		}
	}
}

func (l *lists) othersAreRight() {
	t, ctx := l.t, l.t.Context()
	t.Helper()
	for _, state := range []withdrawal.State{"", withdrawal.Pending, withdrawal.Rejected, withdrawal.Sent} {
		n, sum := int64(0), int64(0)
		for _, w := range l.moneys {
			if state == "" || w.State == state {
				n, sum = n+1, sum+w.Amount.Micros()
			}
		}
		if _, total, amount, err := l.DB.Withdrawal().List(ctx, withdrawal.Filter{State: state, Limit: 5}); err != nil || total != n || amount.Micros() != sum {
			t.Errorf("withdrawals %q: %d, %s; want %d, %d; %v", state, total, amount, n, sum, err)
		}
	}
	for _, f := range []support.Filter{{}, {Waiting: true}, {Status: support.Open}, {Status: support.Closed}, {Kind: support.KindComplaint}, {Waiting: true, Kind: support.KindComplaint, Status: support.Replied}} {
		n := int64(0)
		for _, x := range l.tickets {
			if (!f.Waiting || x.Waits()) && (f.Status == "" || x.Status == f.Status) && (f.Kind == "" || x.Kind == f.Kind) {
				n++
			}
		}
		f.Limit = 500
		if found, err := l.DB.Support().Find(ctx, f); err != nil || found.Total != n || int64(len(found.Tickets)) != n {
			t.Errorf("tickets %+v: %d of %d, want %d; %v", f, len(found.Tickets), found.Total, n, err)
		}
	}
	if found, total, err := l.DB.Newsletter().List(ctx, newsletter.Confirmed, 0, 100); err != nil || total != 9 || len(found) != 9 {
		t.Errorf("%d readers of %d, want 9; %v", len(found), total, err)
	}
	all, err := l.DB.Mail().Recent(ctx, 1000)
	if err != nil {
		t.Fatal(err)
	}
	n, oldest := map[mail.State]int{}, time.Time{}
	for _, m := range all {
		if n[m.State]++; m.State == mail.Waiting {
			oldest = m.CreatedAt // they come newest first
		}
	}
	waiting, since, err := l.DB.Mail().Waiting(ctx)
	failed, failing := l.DB.Mail().Failed(ctx)
	if err != nil || failing != nil || waiting != n[mail.Waiting] || failed != n[mail.Failed] || failed == 0 || !since.Equal(oldest) {
		t.Errorf("%d mails wait since %v, %d failed; want %v, %v", waiting, since, failed, n, oldest)
	}
}
