package store_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/fund"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/mail"
	"github.com/bifolia/bifolia/internal/money"
	"github.com/bifolia/bifolia/internal/report"
	"github.com/bifolia/bifolia/internal/testkit"
)

// desk files fund requests, several in one group.
type desk struct {
	*testkit.Ledger
	t     *testing.T
	funds *fund.Service
	mails mail.Store
	sent  int
}

func openDesk(t *testing.T, dsn string) *desk {
	l := testkit.StartLedger(t, dsn)
	return &desk{Ledger: l, t: t, funds: fund.New(fund.Options{Store: l.DB.Fund()}), mails: l.DB.Mail()}
}

func asked(uid int64, number string) fund.Request {
	return fund.Request{UID: uid, Fund: fund.Robot, Amount: money.MustParse("5"), Number: number, Way: fund.ByBank}
}

// look is what a group does for its commands before the first of them runs.
func (d *desk) look(all ...fund.Request) {
	d.t.Helper()
	cmd := ledger.Command{Actor: "test", Run: func(context.Context, *ledger.Tx) ([]byte, error) { return nil, nil }}
	for _, r := range all {
		cmd.Looks = append(cmd.Looks, fund.Look{UID: r.UID, Number: r.Number})
	}
	if _, err := d.Do(d.t.Context(), cmd); err != nil {
		d.t.Fatal(err)
	}
}

type work func(ctx context.Context, tx *ledger.Tx) error

func (d *desk) ask(r fund.Request) work {
	return func(ctx context.Context, tx *ledger.Tx) error {
		if _, err := d.funds.Ask(ctx, tx, r, testkit.Epoch); err != nil {
			return err
		}
		return d.mails.Add(ctx, tx, mail.Message{To: r.Number + "@mail.example", CreatedAt: testkit.Epoch, DueAt: testkit.Epoch})
	}
}

// together runs all of it in one group: what is sent while a command runs waits
// for it, and is taken together.
func (d *desk) together(all ...work) []error {
	d.t.Helper()
	running, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	first, err := d.Send(d.t.Context(), ledger.Command{Actor: "test", Run: func(context.Context, *ledger.Tx) ([]byte, error) {
		once.Do(func() { close(running); <-goOn })
		return nil, nil
	}})
	if err != nil {
		d.t.Fatal(err)
	}
	<-running
	var waits []func() (ledger.Result, error)
	for _, w := range all {
		d.sent++
		wait, err := d.Send(d.t.Context(), ledger.Command{Actor: "test", Key: strconv.Itoa(d.sent), Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
			return nil, w(ctx, tx)
		}})
		if err != nil {
			d.t.Fatal(err)
		}
		waits = append(waits, wait)
	}
	close(goOn)
	if _, err := first(); err != nil {
		d.t.Fatal(err)
	}
	var out []error
	for _, wait := range waits {
		_, err := wait()
		out = append(out, err)
	}
	return out
}

// holds looks at what is stored: the requests' numbers, oldest first, and as
// many mails.
func (d *desk) holds(numbers ...string) {
	d.t.Helper()
	all, count, err := d.funds.List(d.t.Context(), fund.Filter{Oldest: true, Limit: 100})
	if err != nil || count != int64(len(numbers)) || len(all) != len(numbers) {
		d.t.Fatalf("stored: %+v, %d, %v; want %v", all, count, err, numbers)
	}
	letters, err := d.mails.Recent(d.t.Context(), 100)
	if err != nil || len(letters) != len(numbers) {
		d.t.Fatalf("mails: %+v, %v; want %d", letters, err, len(numbers))
	}
	for i, r := range all {
		if r.Number != numbers[i] || r.ID != all[0].ID+int64(i) {
			d.t.Errorf("request %d is %d %s, want %s", i, r.ID, r.Number, numbers[i])
		}
		if m := letters[len(letters)-1-i]; m.To != numbers[i]+"@mail.example" || m.ID != int64(i+1) {
			d.t.Errorf("mail %d is %d to %s", i, m.ID, m.To)
		}
	}
	testkit.Verify(d.t, d.Ledger)
}

// Rows are gathered and sent with the commit. If the database refuses one, only
// the command that it is of hears of it, in its own words.
func TestARowThatIsRefusedWithTheCommitRefusesItsOwnCommandOnly(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := openDesk(t, dsn)
		a, b, c := asked(100001, "AAA111"), asked(100002, "BBB222"), asked(100003, "CCC333")
		d.look(a, b, c)
		raw := testkit.Raw(t, dsn)
		defer func() { _ = raw.Close() }()
		if _, err := raw.Exec(`INSERT INTO fund_request (id, uid, fund, amount, number, way, bank_id, bank_name, bank_holder, bank_account, bank_ifsc, bank_branch, state, remark, verdict, verdict_at, requested_at, decided_by, decided_name, decided_at)
			VALUES (1, 100002, 'FUNDS', 1, 'BBB222', 'BANK', 1, '', '', '', '', '', 'Pending', '', '', 0, 1, 0, '', 0)`); err != nil {
			t.Fatal(err)
		}
		var once sync.Once
		got := d.together(d.ask(a), func(ctx context.Context, tx *ledger.Tx) error {
			once.Do(func() { // later it is asked alone, and carefully
				if _, _, taken, err := d.DB.Fund().Ahead(ctx, tx, b.UID, b.Number); taken || err != nil {
					t.Errorf("what its group looked at is asked again: %v, %v", taken, err)
				}
			})
			return d.ask(b)(ctx, tx)
		}, d.ask(c))
		if got[0] != nil || got[2] != nil {
			t.Errorf("neighbours hear %v and %v", got[0], got[2])
		}
		if !errs.Is(got[1], errs.Refused) || errs.MessageOf(got[1]) == "The database's own rules refuse this." {
			t.Errorf("who is refused hears %v", got[1])
		}
		if d.DB.Engine() == "sqlite" {
			if _, err := raw.Exec("DROP TRIGGER fund_request_no_delete"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := raw.Exec("DELETE FROM fund_request WHERE id = 1"); err != nil {
			t.Fatal(err)
		}
		d.holds("AAA111", "CCC333")
	})
}

func TestACommandThatFailsLeavesNothingOfWhatItGathered(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := openDesk(t, dsn)
		a, b, c, e := asked(100001, "AAA111"), asked(100002, "BBB222"), asked(100003, "CCC333"), asked(100004, "EEE555")
		d.look(a, b, c, e)
		wrong := errors.New("on second thoughts")
		fails := func(ctx context.Context, tx *ledger.Tx) error {
			if err := d.ask(b)(ctx, tx); err != nil {
				return err
			}
			return wrong
		}
		// Looking at what it gathered sends it, behind a savepoint.
		looks := func(ctx context.Context, tx *ledger.Tx) error {
			if err := d.ask(e)(ctx, tx); err != nil {
				return err
			}
			if _, pending, taken, err := d.DB.Fund().Ahead(ctx, tx, e.UID, e.Number); err != nil || pending != 1 || !taken {
				t.Errorf("it sees of itself: %d, %v, %v", pending, taken, err)
			}
			return wrong
		}
		got := d.together(d.ask(a), fails, looks, d.ask(c))
		if got[0] != nil || !errors.Is(got[1], wrong) || !errors.Is(got[2], wrong) || got[3] != nil {
			t.Errorf("they hear %v", got)
		}
		d.holds("AAA111", "CCC333")
	})
}

func TestACommandSeesWhatThoseBeforeItInItsGroupHaveGathered(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := openDesk(t, dsn)
		a, again, b := asked(100001, "AAA111"), asked(100001, "AAA111"), asked(100001, "BBB222")
		d.look(a, again, b)
		got := d.together(d.ask(a), d.ask(again), func(ctx context.Context, tx *ledger.Tx) error {
			if _, pending, taken, err := d.DB.Fund().Ahead(ctx, tx, b.UID, b.Number); err != nil || pending != 1 || taken {
				t.Errorf("it sees %d, %v, %v", pending, taken, err)
			}
			return d.ask(b)(ctx, tx)
		})
		if got[0] != nil || !errs.Is(got[1], errs.Refused) || got[2] != nil {
			t.Errorf("they hear %v", got)
		}
		d.holds("AAA111", "BBB222")
		d.look(asked(100003, "CCC333"))
		if got := d.together(d.ask(asked(100003, "CCC333"))); got[0] != nil { // numbers go on
			t.Error(got)
		}
		d.holds("AAA111", "BBB222", "CCC333")
		// Of these nothing is in memory.
		c, taken := asked(100004, "EEE555"), asked(100004, "EEE555")
		got = d.together(d.ask(c), d.ask(taken), func(ctx context.Context, tx *ledger.Tx) error {
			if _, pending, taken, err := d.DB.Fund().Ahead(ctx, tx, c.UID, "FFF666"); err != nil || pending != 1 || taken {
				t.Errorf("it sees %d, %v, %v", pending, taken, err)
			}
			return nil
		})
		if got[0] != nil || !errs.Is(got[1], errs.Refused) || got[2] != nil {
			t.Errorf("they hear %v", got)
		}
		d.holds("AAA111", "BBB222", "CCC333", "EEE555")
	})
}

// A question is asked for the whole group: one that the database does not take keeps
// nobody from an answer.
func TestAQuestionThatTheDatabaseRefusesStopsNobody(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := openDesk(t, dsn)
		d.look(asked(100001, "\x00"), asked(100002, "AAA111"))
		if got := d.together(d.ask(asked(100002, "AAA111"))); got[0] != nil {
			t.Error(got)
		}
		d.holds("AAA111")
	})
}

// What is kept in memory is what is committed, however many read while it
// changes, and whether or not the change succeeds.
func TestARowThatIsKeptIsNeverOlderThanWhatWasCommitted(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := openDesk(t, dsn)
		s, row := d.DB.Auth(), auth.CredentialRow{UID: 100001, Password: "x", Pin: "y"}
		write := func(w work) error {
			_, err := d.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
				return nil, w(ctx, tx)
			}})
			return err
		}
		if err := write(func(ctx context.Context, tx *ledger.Tx) error { return s.AddCredential(ctx, tx, row) }); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				for ctx.Err() == nil {
					_, _, _ = s.Credential(ctx, row.UID)
				}
			})
		}
		defer readers.Wait()
		defer stop()
		wrong := errors.New("on second thoughts")
		for i := int64(1); i <= 60; i++ {
			row.PinTries = i
			if err := write(func(ctx context.Context, tx *ledger.Tx) error { return s.PutCredential(ctx, tx, row) }); err != nil {
				t.Fatal(err)
			}
			undone := row
			undone.PinTries = -1
			if err := write(func(ctx context.Context, tx *ledger.Tx) error {
				if now, _, err := s.CredentialIn(ctx, tx, row.UID); err != nil || now.PinTries != i {
					t.Errorf("a command reads %d, %v after %d", now.PinTries, err, i)
				}
				if err := s.PutCredential(ctx, tx, undone); err != nil {
					return err
				}
				if now, _, err := s.CredentialIn(ctx, tx, row.UID); err != nil || now.PinTries != -1 {
					t.Errorf("a command does not see its own write: %d, %v", now.PinTries, err)
				}
				return wrong
			}); !errors.Is(err, wrong) {
				t.Fatal(err)
			}
			if now, _, err := s.Credential(t.Context(), row.UID); err != nil || now.PinTries != i {
				t.Fatalf("after %d was written, %d is read, %v", i, now.PinTries, err)
			}
		}
		// A statement that does not say by its key which row it changes.
		if err := write(func(ctx context.Context, tx *ledger.Tx) error {
			_, err := tx.Rows().(testkit.Rows).Exec(ctx, "UPDATE credential SET pin_tries = 99 WHERE pin_tries > 0")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if now, _, err := s.Credential(t.Context(), row.UID); err != nil || now.PinTries != 99 {
			t.Errorf("read %d, %v", now.PinTries, err)
		}
	})
}

// How a member stands is shown as of the last purchase, refund and close, though
// it was asked for a moment before.
func TestAStandingThatIsKeptIsThatOfTheLastPurchaseAndClose(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := openDesk(t, dsn)
		const buy = `INSERT INTO sale (id, no, payer, package, topup, amount, volume, day, at, state, final_day)
			VALUES ($1, 7, 100007, $2, 'Activation', 50000000, 50000000, 20000, $2, 'cooling', 0)`
		const carry = "INSERT INTO carry (no, final, sales, own, month, left_vol, right_vol, match_bot, rank, reward, months, active, debt) VALUES (7, 0, 1, 0, 0, 30, 40, 0, 2, 0, 0, 1, 0)"
		for _, step := range []struct {
			sql  string
			args []any
			want report.StoredStanding
		}{
			{"UPDATE sale SET state = 'final' WHERE no = 7", nil, report.StoredStanding{No: 7}},
			{buy, []any{"one", int64(1)}, report.StoredStanding{No: 7, Owns: true, Package: 1, Bought: 20000}},
			{buy, []any{"two", int64(2)}, report.StoredStanding{No: 7, Owns: true, Package: 2, Bought: 20000}},
			{"UPDATE sale SET state = 'refunded' WHERE id = $1", []any{"two"}, report.StoredStanding{No: 7, Owns: true, Package: 1, Bought: 20000}},
			{carry, nil, report.StoredStanding{No: 7, Owns: true, Package: 1, Bought: 20000, Left: money.Micro(30), Right: money.Micro(40), Rank: 2}},
			{"DELETE FROM carry WHERE no IN ($1)", []any{int64(7)}, report.StoredStanding{No: 7, Owns: true, Package: 1, Bought: 20000}},
		} {
			if _, err := d.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
				_, err := tx.Rows().(testkit.Rows).Exec(ctx, step.sql, step.args...)
				return nil, err
			}}); err != nil {
				t.Fatal(err)
			}
			for range 2 { // read, and remembered
				got, err := d.DB.Report().Standings(t.Context(), []int64{7, 8})
				slices.SortFunc(got, func(a, b report.StoredStanding) int { return int(a.No - b.No) })
				if want := []report.StoredStanding{step.want, {No: 8}}; err != nil || !slices.Equal(got, want) {
					t.Errorf("after %s: %+v, %v; want %+v", step.sql, got, err, want)
				}
			}
		}
	})
}

// A balance that is kept is what was posted last, for whoever was told that it was.
func TestABalanceThatIsKeptIsNeverOlderThanWhatWasPosted(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := openDesk(t, dsn)
		const uid, code = 100001, "L:FUND:FUNDS:100001"
		one := money.Micro(1_000_000)
		legs := []ledger.Leg{{Account: ledger.MustAccount("A:CLIENT"), Delta: one}, {Account: ledger.MustAccount(code), Delta: one}}
		ctx, stop := context.WithCancel(t.Context())
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				for ctx.Err() == nil {
					_, _ = d.DB.Team().Balances(ctx, uid)
				}
			})
		}
		defer readers.Wait()
		defer stop()
		for i := int64(1); i <= 60; i++ {
			if _, err := d.Do(t.Context(), ledger.Command{Actor: "test", Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
				_, err := tx.Post(ledger.Transfer{Kind: "deposit", Legs: legs})
				return nil, err
			}}); err != nil {
				t.Fatal(err)
			}
			all, err := d.DB.Team().Balances(t.Context(), uid)
			if err != nil || all[code].Posted != money.Micro(i*1_000_000) {
				t.Fatalf("after deposit %d the balance is %s, %v", i, all[code].Posted, err)
			}
		}
	})
}

// The first that writes is undone with the transaction, later ones alone; what a
// command before them only gathered stays as well.
func TestACommandThatFailsIsUndoneAloneWhereverItStandsInItsGroup(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		d := openDesk(t, dsn)
		a := asked(100001, "AAA111")
		d.look(a)
		wrong := errors.New("on second thoughts")
		tallies := d.DB.Closing()
		write := func(name string, end error) work {
			return func(ctx context.Context, tx *ledger.Tx) error {
				if err := tallies.SetTally(ctx, tx, name, 1); err != nil {
					return err
				}
				return end
			}
		}
		value := func(name string) (v int64) {
			if err := d.together(func(ctx context.Context, tx *ledger.Tx) (err error) {
				v, err = tallies.Tally(ctx, tx, name)
				return err
			})[0]; err != nil {
				t.Fatal(err)
			}
			return v
		}
		ends := [][]error{
			d.together(write("a", wrong), write("b", nil), write("c", wrong), write("d", nil)),
			d.together(d.ask(a), write("e", wrong), write("f", nil)),
			d.together(write("g", wrong)),
		}
		for _, want := range []struct {
			name  string
			end   error
			value int64
		}{
			{"a", ends[0][0], 0},
			{"b", ends[0][1], 1},
			{"c", ends[0][2], 0},
			{"d", ends[0][3], 1},
			{"e", ends[1][1], 0},
			{"f", ends[1][2], 1},
			{"g", ends[2][0], 0},
		} {
			if v := value(want.name); v != want.value || errors.Is(want.end, wrong) != (v == 0) || (v == 1) != (want.end == nil) {
				t.Errorf("%s is %d after %v", want.name, v, want.end)
			}
		}
		d.holds("AAA111")
	})
}
