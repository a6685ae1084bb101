package audit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger/audit"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func follower(t *testing.T, opts audit.FollowOptions) *audit.Follower {
	t.Helper()
	if opts.PublicKeys == nil {
		opts.PublicKeys = trusted(testKey("the ledger's"))
	}
	f, err := audit.NewFollower(opts)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// must fails the test unless a step finds everything in order.
func (l *ledgerDB) must(t *testing.T, f *audit.Follower) audit.Report {
	t.Helper()
	report, err := l.step(f)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestFollowerFollowsAGrowingLedger(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := story()
		l := openLedger(t, dsn, false, newMaker())
		f := follower(t, audit.FollowOptions{Reread: 2, Window: 3, CountEvery: 2})
		first := l.must(t, f)
		if first.Batch != 0 || first.New != 0 || !first.Counted {
			t.Errorf("empty: %+v", first)
		}
		var counted, rounds int64
		for i, now := range m.sealed {
			l.write(t, now)
			report := l.must(t, f)
			if report.Batch != int64(i+1) || report.New != 1 || report.Reread != min(int64(i), 2) && report.Reread != 1 {
				t.Errorf("batch %d: %+v", i+1, report)
			}
			if report.Counted {
				counted++
			}
			rounds = report.Rounds
		}
		if counted != 5 || rounds < 3 {
			t.Errorf("counted %d times in 10 steps, %d rounds", counted, rounds)
		}
		if idle := l.must(t, f); idle.New != 0 || idle.Batch != 10 || idle.Seq != 21 {
			t.Errorf("idle: %+v", idle)
		}
	})
}

// A Follower that begins at the head still gets round to what is before it.
func TestFollowerFindsEarlierDamage(t *testing.T) {
	m := story()
	l := openLedger(t, testkit.EmptySQLite(t), true, m)
	l.exec(t, "UPDATE transfer SET reason = 'gift' WHERE seq = 7")
	f := follower(t, audit.FollowOptions{Reread: 1, Window: 1})
	for i := range 3 {
		if r := l.must(t, f); r.New > 1 || r.Reread != 1 {
			t.Errorf("step %d: %+v", i, r)
		}
	}
	_, err := l.step(f)
	names(t, err, "transfer", "transfer 7")
	_, err = l.step(f) // it stays until it is repaired
	names(t, err, "transfer", "transfer 7")
	l.write(t, m)
	l.must(t, f)
}

// A slice of large batches ends early, and the next step continues there.
func TestFollowerEndsALargeSliceEarly(t *testing.T) {
	l := openLedger(t, testkit.EmptySQLite(t), false, story())
	f := follower(t, audit.FollowOptions{RereadTransfers: 4})
	var sizes []int64
	for range 6 {
		sizes = append(sizes, l.must(t, f).Reread)
	}
	// Transfers by batch: 2, 1, 2 | 2, 3 | 5 | 3, 0, 0 and, once it is old, 3.
	if want := []int64{3, 2, 1, 4, 3, 2}; !slices.Equal(sizes, want) {
		t.Errorf("slices of %v batches, want %v", sizes, want)
	}
}

// Everything that Verify finds when it is done behind its back, a Follower
// finds at the latest after one round.
func TestFollowerFindsTamperingWithinARound(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := story()
		l := openLedger(t, dsn, true, m)
		for _, c := range tamperings {
			t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
				defer l.write(t, m)
				f := follower(t, audit.FollowOptions{Reread: 3, Window: 5})
				for range 3 {
					l.must(t, f)
				}
				for _, q := range c.sql {
					l.exec(t, q)
				}
				for range 5 { // 10 batches, 18 accounts
					if _, err := l.step(f); err != nil {
						finding(t, err)
						t.Log(err)
						return
					}
				}
				t.Error("not found within a round")
			})
		}
	})
}

// The same for every column of every row.
func TestFollowerFindsAChangeInAnyColumn(t *testing.T) {
	for table := range primary {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			m := story()
			l := openLedger(t, testkit.EmptySQLite(t), true, m)
			f := follower(t, audit.FollowOptions{})
			l.must(t, f)
			for _, column := range l.columns(t, table) {
				if uncovered[table+"."+column] == "" {
					l.changeColumn(t, table, column, func() error {
						_, err := l.step(f)
						return err
					}, func(f *audit.Finding) bool { return f.Table == table || table == "head" })
				}
			}
			l.must(t, f)
		})
	}
}

func TestFollowerFindsANewBadBatchAtOnce(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		good := story()
		l := openLedger(t, dsn, true, good)
		for _, c := range forgeries {
			t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
				l.write(t, good)
				f := follower(t, audit.FollowOptions{Reread: 1, Window: 1, CountEvery: 1000})
				l.must(t, f)
				l.must(t, f)
				l.write(t, forged(c))
				_, err := l.step(f)
				if c.name == "a hold placed out of order" { // it does not know how many there were
					c.table, c.row = "hold", "hold 8"
				}
				c.judge(t, err)
			})
		}
	})
}

func TestFollowerFindsACut(t *testing.T) {
	testkit.EmptyEngines(t, func(t *testing.T, dsn string) {
		m := story()
		l := openLedger(t, dsn, false, m)
		f := follower(t, audit.FollowOptions{})
		l.must(t, f)
		l.write(t, m.sealed[8])
		_, err := l.step(f)
		names(t, err, "batch", "batch 10")

		// Another end of the same length.
		other := m.sealed[8].clone()
		other.deposit()
		other.seal()
		l.write(t, other)
		_, err = l.step(f)
		names(t, err, "batch", "batch 10")

		// While it was not running: only an anchor tells.
		l.write(t, m.sealed[8])
		l.must(t, follower(t, audit.FollowOptions{}))
		_, err = l.step(follower(t, audit.FollowOptions{Anchors: []audit.Anchor{m.anchor(4), m.anchor(10)}}))
		names(t, err, "batch", "batch 10")
		f = follower(t, audit.FollowOptions{Anchors: []audit.Anchor{m.anchor(4)}})
		if r := l.must(t, f); r.New != 5 {
			t.Errorf("from the anchor of batch 4 to 9: %+v", r)
		}

		l.write(t, m)
		l.must(t, f)
		l.exec(t, "UPDATE head SET seq = 20")
		_, err = l.step(f)
		names(t, err, "head", "head")
		l.exec(t, "UPDATE head SET seq = 21, genesis = hash")
		_, err = l.step(f)
		names(t, err, "head", "head")
	})
}

func TestFollowerRefusesAKeyUnderAnothersName(t *testing.T) {
	keys := trusted(testKey("another"))
	for _, key := range keys {
		keys["0123456789abcdef"] = key
	}
	if _, err := audit.NewFollower(audit.FollowOptions{PublicKeys: keys}); !errs.Is(err, errs.Invalid) {
		t.Errorf("want Invalid, got %v", err)
	}
}
