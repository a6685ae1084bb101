package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// The model: what the ledger must do, as plainly as it can be said. It knows
// nothing of sequencers, versions or databases.
type model struct {
	posted, held map[string]int64
	holds        map[int64]modelHold
	nextHold     int64
	answers      map[string]string
}

type modelHold struct {
	account string
	amount  int64
	expires time.Time
	open    bool
}

func (m *model) clone() *model {
	return &model{maps.Clone(m.posted), maps.Clone(m.held), maps.Clone(m.holds), m.nextHold, m.answers}
}

func (m *model) free(code string) int64 { return m.posted[code] - m.held[code] }

// simulation drives the ledger and the model side by side.
type simulation struct {
	t    *testing.T
	l    *testkit.Ledger
	rnd  *rand.Rand
	m    *model
	done int
}

var errChangedMind = errors.New("changed its mind")

// TestTheLedgerAgreesWithAModelOverAHundredThousandOperations: random
// operations, lawful and not, in commands that keep or undo what they did, with
// repeated keys, jumping clocks and restarts. After every command each account
// it touched, and every so often all of them, must hold what the model says.
func TestTheLedgerAgreesWithAModelOverAHundredThousandOperations(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("TEST_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	t.Logf("seed: TEST_SEED=%d", seed)
	share := map[string]int{"sqlite": 70_000, "postgres": 40_000}
	if testing.Short() { // under the race detector, which has other tests for its purpose
		share = map[string]int{"sqlite": 2_000, "postgres": 2_000}
	}
	testkit.Engines(t, func(t *testing.T, dsn string) {
		l := testkit.StartLedger(t, dsn)
		s := &simulation{t: t, l: l, rnd: rand.New(rand.NewPCG(seed, 7)), m: &model{
			posted: map[string]int64{}, held: map[string]int64{}, holds: map[int64]modelHold{}, answers: map[string]string{},
		}}
		for n := 0; s.done < share[l.DB.Engine()]; n++ {
			s.command(n)
			if t.Failed() {
				t.Fatalf("after %d operations; TEST_SEED=%d", s.done, seed)
			}
			if n%400 == 399 {
				s.compareAll()
				s.disturb(n)
			}
		}
		s.compareAll()
		testkit.Verify(t, s.l)
	})
}

// command runs up to 40 operations as one command, then keeps or undoes them.
func (s *simulation) command(n int) {
	key := fmt.Sprintf("key-%d", n)
	if n > 50 && s.rnd.IntN(20) == 0 {
		s.replay(fmt.Sprintf("key-%d", s.rnd.IntN(n)))
	}
	keep := s.rnd.IntN(6) != 0
	after := s.m.clone()
	var problem error
	r, err := s.l.Do(context.Background(), ledger.Command{Actor: "model", Key: key, Body: []byte(key), Run: func(_ context.Context, tx *ledger.Tx) ([]byte, error) {
		for range 1 + s.rnd.IntN(40) {
			s.done++
			if problem = s.operation(tx, after); problem != nil {
				return nil, problem
			}
		}
		if !keep {
			return nil, errChangedMind
		}
		return []byte("answer to " + key), nil
	}})
	switch {
	case problem != nil:
		s.t.Error(problem)
	case keep && err != nil, !keep && !errors.Is(err, errChangedMind):
		s.t.Errorf("command %d: %v", n, err)
	case keep:
		s.m = after
		s.m.answers[key] = string(r.Response)
	}
}

// replay sends a key again: kept ones give the first answer without running.
func (s *simulation) replay(key string) {
	want, known := s.m.answers[key]
	if !known {
		return
	}
	r, err := s.l.Do(context.Background(), ledger.Command{Actor: "model", Key: key, Body: []byte(key), Run: func(context.Context, *ledger.Tx) ([]byte, error) {
		return nil, errors.New("a remembered command ran again")
	}})
	if err != nil || string(r.Response) != want || !r.Replayed {
		s.t.Errorf("replay of %s: %q, %v; want %q", key, r.Response, err, want)
	}
}

// disturb restarts the ledger or sets its clock.
func (s *simulation) disturb(n int) {
	if n%800 == 799 {
		s.l.Close()
		s.l = testkit.StartLedgerWith(s.t, s.l.DB, s.l.Signer, s.l.Clock)
		return
	}
	s.l.Clock.SetWall(s.l.Clock.Now().Add(time.Duration(s.rnd.IntN(49)-24) * time.Hour))
}

func (s *simulation) member() int { return 100_001 + s.rnd.IntN(40) }

func (s *simulation) amount() int64 { return 1 + s.rnd.Int64N(50_000_000) }

// operation does one thing to the ledger and returns the result that the model expects.
func (s *simulation) operation(tx *ledger.Tx, m *model) error {
	a, b, x := s.member(), s.member(), s.amount()
	fund := func(uid int) string { return fmt.Sprintf("L:FUND:FUNDS:%d", uid) }
	income := fmt.Sprintf("L:INCOME:LevelIncome:%d", a)
	switch s.rnd.IntN(10) {
	case 0, 1:
		return s.post(tx, m, true, legOf("A:CLIENT", x), legOf(fund(a), x))
	case 2, 3:
		return s.post(tx, m, a != b, legOf(fund(a), -x), legOf(fund(b), x))
	case 4:
		sale := fmt.Sprintf("L:DEFERRED:s%d", s.rnd.IntN(30))
		if err := s.post(tx, m, true, legOf(fund(a), -x), legOf(sale, x)); err != nil {
			return err
		}
		return s.post(tx, m, true, legOf(sale, -x), legOf("P:LEVEL", x), legOf("A:CLIENT", -x), legOf("A:FIELD", x))
	case 5:
		return s.post(tx, m, true, legOf("P:LEVEL", -x), legOf(income, x))
	case 6:
		return s.post(tx, m, false, legOf(fund(b), -x), legOf(income, x)) // not even out of one's own
	case 7:
		return s.placeHold(tx, m, fund(a), x)
	case 8:
		return s.resolveHold(tx, m)
	}
	s.l.Clock.Advance(time.Duration(s.rnd.IntN(30)) * time.Second)
	return s.expireHolds(tx, m)
}

func legOf(code string, x int64) ledger.Leg {
	return ledger.Leg{Account: acct(code), Delta: money.Micro(x)}
}

// post expects success exactly if the posting is lawful and the money is there.
func (s *simulation) post(tx *ledger.Tx, m *model, lawful bool, legs ...ledger.Leg) error {
	possible := lawful
	for _, l := range legs {
		possible = possible && m.free(l.Account.String())+l.Delta.Micros() >= 0
	}
	_, err := tx.Post(ledger.Transfer{Kind: "model", Legs: legs})
	if possible != (err == nil) {
		return fmt.Errorf("posting %v: %w; the model says possible = %v", legs, err, possible)
	}
	if err != nil {
		return allow(err, errs.Refused, errs.Invalid)
	}
	for _, l := range legs {
		m.posted[l.Account.String()] += l.Delta.Micros()
	}
	return s.compare(tx, m, legs[0].Account.String())
}

// allow passes refusals of the right kind and reports any other error.
func allow(err error, codes ...errs.Kind) error {
	for _, c := range codes {
		if errs.Is(err, c) {
			return nil
		}
	}
	return err
}

func (s *simulation) placeHold(tx *ledger.Tx, m *model, code string, x int64) error {
	d := time.Duration(1+s.rnd.IntN(120)) * time.Second
	possible := m.free(code) >= x
	h, err := tx.PlaceHold(ledger.HoldRequest{Account: acct(code), Amount: money.Micro(x), For: d})
	if possible != (err == nil) {
		return fmt.Errorf("holding %d of %s: %w; the model says possible = %v", x, code, err, possible)
	}
	if err != nil {
		return allow(err, errs.Refused)
	}
	m.nextHold++
	if h.ID != m.nextHold {
		return fmt.Errorf("hold is number %d, want %d", h.ID, m.nextHold)
	}
	m.held[code] += x
	m.holds[h.ID] = modelHold{code, x, h.Expires, true}
	return s.compare(tx, m, code)
}

func (s *simulation) resolveHold(tx *ledger.Tx, m *model) error {
	if m.nextHold == 0 {
		return nil
	}
	id := max(1, m.nextHold-s.rnd.Int64N(30))
	h := m.holds[id]
	var err error
	possible := h.open
	if settling := s.rnd.IntN(2) == 0; settling {
		possible = possible && s.l.Clock.Latest().Before(h.expires)
		x := 1 + s.rnd.Int64N(h.amount)
		_, err = tx.Settle(id, ledger.Transfer{Kind: "model", Legs: []ledger.Leg{legOf(h.account, -x), legOf("L:FUND:FUNDS:999", x)}})
		if possible && err == nil {
			m.posted[h.account] -= x
			m.posted["L:FUND:FUNDS:999"] += x
		}
	} else {
		_, err = tx.Void(id, "model")
	}
	if possible != (err == nil) {
		return fmt.Errorf("resolving hold %d: %w; the model says possible = %v", id, err, possible)
	}
	if err != nil {
		return allow(err, errs.Conflict)
	}
	m.release(id)
	return s.compare(tx, m, h.account)
}

func (m *model) release(id int64) {
	h := m.holds[id]
	m.held[h.account] -= h.amount
	h.open = false
	m.holds[id] = h
}

func (s *simulation) expireHolds(tx *ledger.Tx, m *model) error {
	want := 0
	now := s.l.Clock.Latest()
	var due []int64
	for id, h := range m.holds {
		// Those placed by this very group are seen by the next one.
		if h.open && !now.Before(h.expires) && s.m.holds[id].open {
			due = append(due, id)
			want++
		}
	}
	got, err := tx.ExpireHolds(1 << 30)
	if err != nil || got != want {
		return fmt.Errorf("expired %d holds, %w; the model says %d", got, err, want)
	}
	for _, id := range due {
		m.release(id)
	}
	return nil
}

func (s *simulation) compare(tx *ledger.Tx, m *model, code string) error {
	b, err := tx.Balance(acct(code))
	if err != nil {
		return err
	}
	if b.Posted.Micros() != m.posted[code] || b.Held.Micros() != m.held[code] {
		return fmt.Errorf("%s holds %s (held %s); the model says %d (held %d)", code, b.Posted, b.Held, m.posted[code], m.held[code])
	}
	return nil
}

// compareAll compares every account, and that nothing was made or lost.
func (s *simulation) compareAll() {
	s.t.Helper()
	var assets, others int64
	for code, x := range s.m.posted {
		if code[0] == 'A' {
			assets += x
		} else {
			others += x
		}
	}
	if assets != others {
		s.t.Errorf("the model itself is out of balance: %d and %d", assets, others)
	}
	err := do(s.l, "", func(tx *ledger.Tx) error {
		for code := range s.m.posted {
			if err := s.compare(tx, s.m, code); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.t.Error(err)
	}
}
