package ledger_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/tools/pgserver"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// pair is a PostgreSQL primary whose commits wait for a standby, and the ledger
// on it. Its address names both servers: the ledger finds whichever can write.
type pair struct {
	t                *testing.T
	primary, standby *pgserver.Server
	l                *testkit.Ledger
}

const pairDB = "pair"

func newPair(t *testing.T) *pair {
	t.Helper()
	ctx := t.Context()
	stop := func(s *pgserver.Server) {
		t.Cleanup(func() { _ = s.Kill(); _ = s.Stop() })
	}
	p := &pair{t: t}
	var err error
	if p.primary, err = pgserver.Start(ctx, pgserver.Options{Settings: map[string]string{"wal_sender_timeout": "2s"}}); err != nil {
		t.Fatal(err)
	}
	stop(p.primary)
	if err := p.primary.CreateDB(ctx, pairDB, ""); err != nil {
		t.Fatal(err)
	}
	testkit.Open(t, p.primary.DSN(pairDB))
	if p.standby, err = p.primary.Standby(ctx); err != nil {
		t.Fatal(err)
	}
	stop(p.standby)
	if err := p.primary.Synchronous(ctx); err != nil {
		t.Fatal(err)
	}
	dsn := fmt.Sprintf("postgres://postgres@127.0.0.1:%d,127.0.0.1:%d/%s?sslmode=disable&target_session_attrs=read-write&connect_timeout=2", p.primary.Port(), p.standby.Port(), pairDB)
	p.l = testkit.StartLedger(t, dsn)
	mustPost(t, p.l, deposit(annFunds, "100000"))
	return p
}

func (p *pair) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// payer sends transfers until it is stopped, and knows which were acknowledged.
type payer struct {
	mu    sync.Mutex
	acked []string
	wg    sync.WaitGroup
	stop  chan struct{}
}

func (p *pair) pay(name string, workers int) *payer {
	all := &payer{stop: make(chan struct{})}
	for w := range workers {
		all.wg.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-all.stop:
					return
				default:
				}
				key := fmt.Sprintf("%s-%d-%d", name, w, i)
				ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
				_, err := p.l.Do(ctx, pay(key, "b", annFunds, bobFunds, "0.01"))
				cancel()
				if err == nil {
					all.mu.Lock()
					all.acked = append(all.acked, key)
					all.mu.Unlock()
				} else {
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	return all
}

func (a *payer) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.acked)
}

func (a *payer) end() []string {
	close(a.stop)
	a.wg.Wait()
	return a.acked
}

// lost counts the acknowledged transfers that a server does not have.
func (p *pair) lost(s *pgserver.Server, acked []string) (lost int) {
	p.t.Helper()
	rows, err := s.Query(context.Background(), pairDB, "SELECT command_key FROM command")
	p.must(err)
	there := map[string]bool{}
	for _, r := range rows {
		there[r[0]] = true
	}
	for _, key := range acked {
		if !there[key] {
			lost++
		}
	}
	return lost
}

// interrupt ends every wait for the standby, by a function of PostgreSQL's, until
// stopped.
func (p *pair) interrupt(function string) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			case <-time.After(50 * time.Millisecond):
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				_, _ = p.primary.Query(ctx, "postgres", "SELECT "+function+"(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") // a server that is down has no waits
				cancel()
			}
		}
	}()
	return func() { close(quit); <-done }
}

// A write that was committed without a standby is known to the primary alone: a caller
// that repeats its request must not get an acknowledgement.
func TestNothingIsAcknowledgedWithoutTheStandby(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"pg_terminate_backend", "pg_cancel_backend"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			p := newPair(t)
			before := p.pay("before", 4)
			for before.count() < 20 {
				time.Sleep(time.Millisecond)
			}
			acked := before.end()

			p.must(p.standby.Kill())
			during := p.pay("during", 8)
			stop := p.interrupt(how) // the answers to the commits are lost, and those to every look
			time.Sleep(3 * time.Second)
			if n := during.count(); n != 0 {
				t.Errorf("%d transfers were acknowledged while no standby had them", n)
			}
			p.must(p.primary.Kill())
			stop()
			p.must(p.standby.Restart(t.Context()))
			p.must(p.standby.Promote(t.Context()))
			ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
			defer cancel()
			p.must(p.l.WaitReady(ctx))
			for from := during.count(); during.count() < from+20 && ctx.Err() == nil; {
				time.Sleep(time.Millisecond)
			}
			acked = append(acked, during.end()...)
			if n := p.lost(p.standby, acked); n != 0 {
				t.Errorf("%d of %d acknowledged transfers are gone after the promotion", n, len(acked))
			}
			testkit.Verify(t, p.l)
		})
	}
}

// TestNoAcknowledgedTransferIsLostByAFailover kills standby and primary at random
// moments, in this order, promotes the standby, and continues with a new one.
func TestNoAcknowledgedTransferIsLostByAFailover(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	t.Parallel()
	var acked, rounds int
	for end := time.Now().Add(20 * time.Second); rounds < 2 || time.Now().Before(end); rounds++ {
		t.Run(fmt.Sprint(rounds), func(t *testing.T) {
			p := newPair(t)
			all := p.pay("k", 8)
			pause := func() { time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond) }
			pause()
			p.must(p.standby.Kill())
			pause()
			if rand.IntN(2) == 0 { // it comes back alone, and has everything that it wrote
				p.must(p.primary.Kill())
				p.must(p.primary.Restart(t.Context()))
				pause()
			}
			p.must(p.primary.Kill())
			p.must(p.standby.Restart(t.Context()))
			p.must(p.standby.Promote(t.Context()))
			ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
			defer cancel()
			p.must(p.l.WaitReady(ctx))
			time.Sleep(100 * time.Millisecond)
			keys := all.end()
			if n := p.lost(p.standby, keys); n != 0 {
				t.Errorf("%d of %d acknowledged transfers are gone", n, len(keys))
			}
			acked += len(keys)
			testkit.Verify(t, p.l)
		})
	}
	t.Logf("%d rounds, %d transfers acknowledged, none lost", rounds, acked)
}
