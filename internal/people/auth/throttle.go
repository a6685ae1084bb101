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
	sessionTries = 5 // in one session, of what its owner proves in it
	sessionEvery = 24 * time.Hour
	throttleSize = 65536
	busyWait     = 3 * time.Second // what to wait when too many sign in at once
)

// Limiter lets each key through burst times, and then once per every. It
// remembers the size keys used last, so that strangers cannot fill the memory.
type Limiter struct {
	burst int
	every time.Duration
	clock clock.Clock

	mu sync.Mutex
	// full is, by key, when the key's whole burst is there again. That one
	// time is all there is to remember; a key not kept has its whole burst.
	full   *simplelru.LRU[string, time.Time]
	resets int
}

// NewLimiter makes one. Time is clock's Latest.
func NewLimiter(burst int, every time.Duration, size int, c clock.Clock) *Limiter {
	full, err := simplelru.NewLRU[string, time.Time](max(size, 1), nil)
	if err != nil {
		panic(err) // a size below one only
	}
	return &Limiter{burst: burst, every: every, clock: c, full: full}
}

// Allow takes one of key's tries. Limited, with RetryAfter, if there is none.
func (l *Limiter) Allow(key string) error { return l.allow(key, never) }

// Look says what Allow would, and takes nothing.
func (l *Limiter) Look(key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.next(key, never)
	return err
}

// allow is Allow for a key of which others know that its burst is not whole
// before a time. They cannot make anybody wait for more than a burst.
func (l *Limiter) allow(key string, known time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	full, err := l.next(key, known)
	if err == nil {
		l.full.Add(key, full)
	}
	return err
}

// next is when the burst of key is whole again after one more try; called with
// the lock held.
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

// giveBack returns a try that was taken.
func (l *Limiter) giveBack(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if full, ok := l.full.Get(key); ok {
		l.full.Add(key, full.Add(-l.every))
	}
}

// reset gives key its whole burst again.
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

// throttle slows guessing of passwords: per account as asked, known or not, per
// network, and much sooner per account and address together. So one stranger is
// stopped after a few guesses and does not keep the account's owner out. From an
// address from which the account was signed in to before, only the last counts:
// no number of strangers elsewhere keeps the owner out there.
//
// A wrong guess of an account is in the database before it is answered, so that
// it counts after a restart and for another process; memory has those under way
// besides, so that guesses side by side cannot outnumber the limit. Only wrong
// ones are written; that a right one has cleared them elsewhere is not learned,
// what memory has left runs out by itself. What an address tried at all stays in
// memory: it keeps strangers from wearing the machine out, of which a restart is
// the end anyway, and each account that they guess at is counted for itself. A
// table of all addresses would be written by whoever has many, and be about people.
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

// try is a guess under way. It counts as wrong from the start, so that guesses
// side by side cannot outnumber the limit; one of right and void may be called
// when it turns out not to be one, and void only before anything was compared.
type try struct {
	at     time.Time
	taken  []taken
	missed *bool // see miss
}

// taken is one count that the try went into.
type taken struct {
	from  *Limiter
	key   string
	row   TryRow // where it is kept when it was wrong; without Who nowhere
	known bool   // the row was there
	pair  bool   // of one account from one address, or one session: a right try clears it
}

// take begins a try. An empty account is not counted: what it guesses cannot be
// guessed. Limited if there have been too many; Unavailable.
func (t *throttle) take(ctx context.Context, account string, peer netip.Addr) (try, error) {
	return t.takeFrom(ctx, account, peer, false)
}

// takeFrom is take; familiar says that the account was signed in to from there.
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

// takeIn is take within a session, whose own tries are counted besides: settleIn ends
// it at the fifth wrong one.
func (t *throttle) takeIn(ctx context.Context, account string, session Session, peer netip.Addr) (try, error) {
	y, err := t.take(ctx, account, peer)
	if err != nil {
		return y, err
	}
	own := t.kept(t.sessions, "session "+session.ID)
	own.pair = true
	return t.count(ctx, y, own)
}

// count puts a try into counts.
func (t *throttle) count(ctx context.Context, y try, counts ...taken) (try, error) {
	for _, c := range counts {
		mark := c.from.mark()
		err := t.read(ctx, &c)
		if err == nil && c.known && c.from.mark() != mark {
			err = t.read(ctx, &c) // a right try may have cleared it meanwhile
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

// kept is a count whose wrong tries are kept in the database. Their key says to
// nobody who it was, and nobody can choose one that falls into another's slot.
func (t *throttle) kept(from *Limiter, key string) taken {
	mac := hmac.New(sha256.New, t.key)
	mac.Write([]byte(key))
	who := mac.Sum(nil)
	return taken{from: from, key: key, row: TryRow{Slot: int64(binary.BigEndian.Uint16(who)), Who: who}}
}

// read learns what the database knows of a count.
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

// write counts a wrong try, within a command, and tells whether it was the last that
// its session has.
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

// forgive lets the account start afresh for the address, within the command that
// a right try is for. It writes only where wrong ones came before.
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

// right: the guess was none. The account starts afresh for this address.
func (y try) right() {
	y.void()
	for _, c := range y.taken {
		if c.pair {
			c.from.reset(c.key)
		}
	}
}

// miss says that the guess was compared and is wrong. From then on it stays counted,
// whatever else fails before it is told: how often something fails, or how long it
// takes, may tell a wrong guess from a right one.
func (y try) miss() { *y.missed = true }

// void: it never came to verifying the guess.
func (y try) void() {
	for _, c := range y.taken {
		c.from.giveBack(c.key)
	}
}

// end is settle for a try that is in no table, or is written by the command that
// it was for.
func (y try) end(err, wrong error) {
	switch {
	case err == nil:
		y.right()
	case !errors.Is(err, wrong) && !*y.missed:
		y.void()
	}
}

// settle ends a try: it stays counted only if it was wrong, and is durable then
// before that is told. Whoever hangs up does not guess for nothing. The error is
// that of the try, or Unavailable if the database could not count it: then a right one
// could not have been written either, nothing is told, and this process counts it.
func (s *Service) settle(ctx context.Context, y try, err, wrong error) error {
	return s.settleIn(ctx, y, err, wrong, Session{}, From{})
}

// settleIn is settle for a try of takeIn. The last wrong one that the session has ends
// it, in the commit that counts it.
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
			return s.endGuessing(ctx, tx, session, from)
		})
		if failed != nil {
			err = failed
		}
	}
	y.end(err, wrong)
	return err
}
