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
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
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
	pairs, accounts, sessions *ratelimit.Limiter

	addresses *ratelimit.NetworkLimiter
	clock     clock.Clock
	store     Store
	key       []byte
}

func newThrottle(c clock.Clock, store Store, secret []byte) (*throttle, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "bifolia wrong sign-ins", sha256.Size)
	return &throttle{
		pairs:     ratelimit.NewLimiter(pairTries, pairEvery, throttleSize, c),
		accounts:  ratelimit.NewLimiter(accountTries, accountEvery, throttleSize, c),
		sessions:  ratelimit.NewLimiter(sessionTries, sessionEvery, throttleSize, c),
		addresses: ratelimit.NewNetworkLimiter(addressTries, addressEvery, throttleSize, c),
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
	from  *ratelimit.Limiter
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
		for _, c := range t.addresses.Counters(peer) {
			counts = append(counts, taken{from: c.Limiter, key: c.Key})
		}
	}
	if account != "" {
		pair := t.kept(t.pairs, account+" "+ratelimit.AddressKey(peer))
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
		mark := c.from.Mark()
		err := t.read(ctx, &c)
		if err == nil && c.known && c.from.Mark() != mark {
			err = t.read(ctx, &c) // a right guess may have cleared it meanwhile
		}
		if err == nil {
			err = c.from.AllowKnown(c.key, c.row.Full)
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
func (t *throttle) kept(from *ratelimit.Limiter, key string) taken {
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
		full = full.Add(c.from.Every())
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
			c.from.Reset(c.key)
		}
	}
}

// miss marks the try as compared and wrong. From then on it stays counted, whatever
// else fails before the answer: a failure, or its timing, may disclose a wrong guess.
func (y try) miss() { *y.missed = true }

// void ends a try that was never compared.
func (y try) void() {
	for _, c := range y.taken {
		c.from.GiveBack(c.key)
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
