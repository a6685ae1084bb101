package auth

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

const (
	pairTries    = 5 // of one account from one address
	pairEvery    = time.Minute
	accountTries = 100 // of one account from everywhere
	accountEvery = 6 * time.Second
	addressTries = 30
	addressEvery = 10 * time.Minute / addressTries
	sessionTries = 5 // proofs within one session
	sessionEvery = 24 * time.Hour
	throttleSize = 65536
	busyWait     = 3 * time.Second // retry after, if too many sign in at once
)

// Limiter allows each key burst times, and then once per every. It keeps the size most
// recently used keys, which bounds its memory.
type Limiter struct {
	burst int
	every time.Duration
	clock clock.Clock

	mu sync.Mutex
	// full is, by key, when the whole burst is available again; a missing key has its
	// whole burst.
	full   *simplelru.LRU[string, time.Time]
	resets int
}

// NewLimiter returns a limiter that runs by clock's Latest.
func NewLimiter(burst int, every time.Duration, size int, c clock.Clock) *Limiter {
	full, err := simplelru.NewLRU[string, time.Time](max(size, 1), nil)
	if err != nil {
		panic(err) // a size below one only
	}
	return &Limiter{burst: burst, every: every, clock: c, full: full}
}

// Allow takes an attempt of key. Limited, with RetryAfter, if there is none.
func (l *Limiter) Allow(key string) error { return l.allow(key, never) }

// Look is Allow without taking an attempt.
func (l *Limiter) Look(key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.next(key, never)
	return err
}

// allow is Allow for a key whose burst, as the database knows, is not whole before a
// time. It delays nobody by more than a burst.
func (l *Limiter) allow(key string, known time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	full, err := l.next(key, known)
	if err == nil {
		l.full.Add(key, full)
	}
	return err
}

// next is when the burst of key is whole again after one more attempt; the caller
// holds the lock.
func (l *Limiter) next(key string, known time.Time) (time.Time, error) {
	now := l.clock.Latest()
	if most := now.Add(time.Duration(l.burst) * l.every); known.After(most) {
		known = most
	}
	full, ok := l.full.Get(key)
	if !ok || full.Before(now) {
		full = now
	}
	full = later(full, known)
	if wait := full.Sub(now) - time.Duration(l.burst-1)*l.every; wait > 0 {
		return never, limited(wait, "auth.too_many_tries", "Too many tries. Wait a little and try again.")
	}
	return full.Add(l.every), nil
}

// giveBack returns an attempt.
func (l *Limiter) giveBack(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if full, ok := l.full.Get(key); ok {
		l.full.Add(key, full.Add(-l.every))
	}
}

// reset restores key's whole burst.
func (l *Limiter) reset(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.full.Remove(key)
	l.resets++
}

// mark changes when any key is reset.
func (l *Limiter) mark() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.resets
}

// throttle limits guesses of passwords: per requested account, known or not, per
// network, and with a much lower limit per account and address together. So a stranger
// is stopped after a few guesses and does not lock the owner out. From a familiar
// address only the last limit applies: no number of strangers elsewhere locks the owner
// out there.
//
// A wrong guess of an account is in the database before it is answered, so that it
// counts after a restart and for another process; memory counts concurrent guesses, so
// that they cannot exceed the limit. Only wrong guesses are written. A success in
// another process does not clear this one's memory, which expires by itself. Counts per
// address stay in memory: they protect the machine's load, which a restart ends anyway,
// each guessed account is counted in the database, and a table of addresses would grow
// with an attacker's addresses and hold personal data.
type throttle struct {
	pairs, accounts, sessions *Limiter

	addresses *NetworkLimiter
	clock     clock.Clock
	store     Store
	key       []byte
}

func newThrottle(c clock.Clock, store Store, secret []byte) (*throttle, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "bifolia wrong sign-ins", sha256.Size)
	return &throttle{
		pairs:     NewLimiter(pairTries, pairEvery, throttleSize, c),
		accounts:  NewLimiter(accountTries, accountEvery, throttleSize, c),
		sessions:  NewLimiter(sessionTries, sessionEvery, throttleSize, c),
		addresses: NewNetworkLimiter(addressTries, addressEvery, throttleSize, c),
		clock:     c, store: store, key: key,
	}, err
}

// try is a guess under way. It counts as wrong from the start, so that concurrent
// guesses cannot exceed the limit. right ends a correct one, and void one that was
// never compared.
type try struct {
	at     time.Time
	taken  []taken
	missed *bool // see miss
}

// taken is one counter that the try was added to.
type taken struct {
	from  *Limiter
	key   string
	row   TryRow // its stored counter; without Who it is not stored
	known bool   // the row exists
	pair  bool   // of one account and address, or one session: a right guess clears it
}

// take begins a try. An empty account is not counted, because its secret cannot be
// guessed. Limited if there were too many; Unavailable.
func (t *throttle) take(ctx context.Context, account string, peer netip.Addr) (try, error) {
	return t.takeFrom(ctx, account, peer, false)
}

// takeFrom is take; familiar says that the account signed in from peer before.
func (t *throttle) takeFrom(ctx context.Context, account string, peer netip.Addr, familiar bool) (try, error) {
	y := try{at: t.clock.Latest(), missed: new(bool)}
	var counts []taken
	if !familiar {
		counts = t.addresses.counts(peer)
	}
	if account != "" {
		pair := t.kept(t.pairs, account+" "+addressKey(peer))
		pair.pair = true
		counts = append(counts, pair)
	}
	if account != "" && !familiar {
		counts = append(counts, t.kept(t.accounts, account))
	}
	return t.count(ctx, y, counts...)
}

// takeIn is take within a session, which counts too: settleIn ends it at the fifth
// wrong try.
func (t *throttle) takeIn(ctx context.Context, account string, session Session, peer netip.Addr) (try, error) {
	y, err := t.take(ctx, account, peer)
	if err != nil {
		return y, err
	}
	own := t.kept(t.sessions, "session "+session.ID)
	own.pair = true
	return t.count(ctx, y, own)
}

// count adds a try to counters.
func (t *throttle) count(ctx context.Context, y try, counts ...taken) (try, error) {
	for _, c := range counts {
		mark := c.from.mark()
		err := t.read(ctx, &c)
		if err == nil && c.known && c.from.mark() != mark {
			err = t.read(ctx, &c) // a right guess may have cleared it meanwhile
		}
		if err == nil {
			err = c.from.allow(c.key, c.row.Full)
		}
		if err != nil {
			y.void()
			return try{}, err
		}
		y.taken = append(y.taken, c)
	}
	return y, nil
}

// kept is a counter stored in the database. Its key is a keyed hash, which does not
// identify anyone, and nobody can choose one that shares another's slot.
func (t *throttle) kept(from *Limiter, key string) taken {
	mac := hmac.New(sha256.New, t.key)
	mac.Write([]byte(key))
	who := mac.Sum(nil)
	return taken{from: from, key: key, row: TryRow{Slot: int64(binary.BigEndian.Uint16(who)), Who: who}}
}

// read loads the stored counter.
func (t *throttle) read(ctx context.Context, c *taken) error {
	if len(c.row.Who) == 0 {
		return nil
	}
	row, found, err := t.store.Try(ctx, nil, c.row.Slot)
	if err != nil {
		return unreadable(err)
	}
	if c.known = found && bytes.Equal(row.Who, c.row.Who); !c.known {
		row.Full = never
	}
	c.row.Full = row.Full
	return nil
}

// write counts a wrong try, within a command, and reports whether it was the last that
// its session allows.
func (t *throttle) write(ctx context.Context, tx *ledger.Tx, y try) (last bool, err error) {
	if err := t.store.DropTries(ctx, tx, y.at); err != nil {
		return false, err
	}
	for _, c := range y.taken {
		if len(c.row.Who) == 0 {
			continue
		}
		full := y.at
		switch now, found, err := t.store.Try(ctx, tx, c.row.Slot); {
		case err != nil:
			return false, err
		case found && bytes.Equal(now.Who, c.row.Who):
			full = later(full, now.Full)
		}
		full = full.Add(c.from.every)
		if err := t.store.PutTry(ctx, tx, TryRow{c.row.Slot, c.row.Who, full}); err != nil {
			return false, err
		}
		last = last || c.from == t.sessions && full.Sub(y.at) > (sessionTries-1)*sessionEvery
	}
	return last, nil
}

// forgive clears the account's count for the address, within the command of a right
// try. It writes only if wrong ones came before.
func (t *throttle) forgive(ctx context.Context, tx *ledger.Tx, y try) error {
	for _, c := range y.taken {
		if !c.pair || !c.known {
			continue
		}
		if err := t.store.DropTry(ctx, tx, c.row); err != nil {
			return err
		}
	}
	return nil
}

// right ends a correct try and clears the account's count for this address.
func (y try) right() {
	y.void()
	for _, c := range y.taken {
		if c.pair {
			c.from.reset(c.key)
		}
	}
}

// miss marks the try as compared and wrong. From then on it stays counted, whatever
// else fails before the answer: a failure, or its timing, may disclose a wrong guess.
func (y try) miss() { *y.missed = true }

// void ends a try that was never compared.
func (y try) void() {
	for _, c := range y.taken {
		c.from.giveBack(c.key)
	}
}

// end is settle for a try that is not stored, or that its command has stored.
func (y try) end(err, wrong error) {
	switch {
	case err == nil:
		y.right()
	case !errors.Is(err, wrong) && !*y.missed:
		y.void()
	}
}

// settle ends a try: a wrong one stays counted, durably before it is answered, even if
// the caller hangs up. The error is that of the try, or Unavailable if the database
// could not count it: then a right one could not have been written either, the answer
// discloses nothing, and this process counts it.
func (s *Service) settle(ctx context.Context, y try, err, wrong error) error {
	return s.settleIn(ctx, y, err, wrong, Session{}, From{})
}

// settleIn is settle for a try of takeIn. The last wrong one ends the session, in the
// commit that counts it.
func (s *Service) settleIn(ctx context.Context, y try, err, wrong error, session Session, from From) error {
	if (*y.missed || errors.Is(err, wrong)) && err != nil && slices.ContainsFunc(y.taken, func(c taken) bool { return len(c.row.Who) > 0 }) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
		defer cancel()
		y.miss() // memory counts it even if the database cannot
		failed := s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
			last, err := s.throttle.write(ctx, tx, y)
			if err != nil || !last {
				return err
			}
			return s.endGuessedSession(ctx, tx, session, from)
		})
		if failed != nil {
			err = failed
		}
	}
	y.end(err, wrong)
	return err
}
