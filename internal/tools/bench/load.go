package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// accounts is the number of wallets of the spread case; pgbench uses as many rows.
const accounts = 10_000

const firstAccount = 100_001

func wallet(i int) string { return fmt.Sprintf("L:FUND:FUNDS:%d", firstAccount+i) }

// pick chooses a sender and a receiver. In the hot case all senders pay into one account.
func pick(rnd *rand.Rand, hot bool) (from, to int) {
	to = rnd.IntN(accounts)
	if hot {
		to = 0
	}
	for from = rnd.IntN(accounts); from == to; from = rnd.IntN(accounts) {
	}
	return from, to
}

// figures of one run.
type figures struct {
	PerSecond float64
	P50, P99  time.Duration
}

// together runs n clients for a turn, without pauses. Each connects before the turn begins, as
// in pgbench, whose result also excludes connecting.
func together(addr, token string, n int, work func(c *client, i int, until time.Time) ([]time.Duration, error)) (sample, error) {
	clients := make([]*client, n)
	for i := range clients {
		clients[i] = newClient(addr, token)
		defer clients[i].close()
		if err := clients[i].connect(); err != nil {
			return sample{}, err
		}
	}
	var mu sync.Mutex
	var all []time.Duration
	var failed error
	var wg sync.WaitGroup
	started := time.Now()
	for i, c := range clients {
		wg.Go(func() {
			took, err := work(c, i, started.Add(turn))
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
			failed = errors.Join(failed, err)
		})
	}
	wg.Wait()
	return newSample(all, time.Since(started)), failed
}

// run runs n clients that transfer for a turn.
func run(addr, token string, n int, hot bool) (sample, error) {
	label := fmt.Sprintf("run-%d", time.Now().UnixNano())
	return together(addr, token, n, func(c *client, i int, until time.Time) ([]time.Duration, error) {
		return one(c, fmt.Sprintf("%s-%d", label, i), hot, until)
	})
}

func one(c *client, label string, hot bool, until time.Time) ([]time.Duration, error) {
	rnd := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	var took []time.Duration
	var body []byte
	for i := 0; ; i++ {
		start := time.Now()
		if start.After(until) {
			return took, nil
		}
		from, to := pick(rnd, hot)
		body = fmt.Appendf(body[:0], `{"from":%q,"to":%q,"amount":"0.010000"}`, wallet(from), wallet(to))
		status, answer, err := c.post("/api/bench/transfer", fmt.Sprintf("%s-%d", label, i), body)
		if err != nil {
			return nil, err
		}
		if status != 200 {
			return nil, fmt.Errorf("bench: the server answered %d: %s", status, answer)
		}
		took = append(took, time.Since(start))
	}
}

func summarise(all []time.Duration, elapsed time.Duration) figures {
	slices.Sort(all)
	at := func(percent int) time.Duration {
		if len(all) == 0 {
			return 0
		}
		return all[min(len(all)-1, len(all)*percent/100)]
	}
	return figures{float64(len(all)) / elapsed.Seconds(), at(50), at(99)}
}
