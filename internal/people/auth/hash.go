package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"golang.org/x/crypto/argon2"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Params are the costs of argon2id.
type Params struct {
	Memory  uint32 // KiB
	Time    uint32
	Threads uint8
}

// defaultParams: OWASP's second choice, 31 ms on an ordinary core.
var defaultParams = Params{Memory: 19 << 10, Time: 2, Threads: 1}

// What a stored hash may ask of us: a tampered row must not eat the memory or
// the day.
const (
	maxMemory  = 64 << 10 // KiB
	maxTime    = 10
	maxThreads = 4
	saltLen    = 16
	keyLen     = 32
	maxPHC     = 256
	maxInput   = 1024 // bytes of a password that are looked at
)

// HashOptions of a hasher; zero values are the defaults.
type HashOptions struct {
	Params  Params
	AtOnce  int // hashes under way; GOMAXPROCS
	Waiting int // callers that may wait for one; 100
}

// Hasher computes argon2id hashes, a few at a time: each takes 19 MiB, and a
// flood of sign-ins must not take all there is.
type Hasher struct {
	params   Params
	slots    chan struct{}
	waiting  atomic.Int64
	limit    int64
	verified *atomic.Int64
}

// NewHasher makes one.
func NewHasher(o HashOptions) *Hasher {
	if o.Params == (Params{}) {
		o.Params = defaultParams
	}
	if o.AtOnce <= 0 {
		o.AtOnce = runtime.GOMAXPROCS(0)
	}
	if o.Waiting <= 0 {
		o.Waiting = 100
	}
	return &Hasher{params: o.Params, slots: make(chan struct{}, o.AtOnce), limit: int64(o.Waiting), verified: new(atomic.Int64)}
}

// Of the hasher that a service is given, signed-in people have the whole queue.
// Whoever has no session yet waits in a queue of their own, so that a flood of
// strangers keeps no signed-in member's money call waiting; and so do operators
// who sign in, so that it keeps none of them out.
const (
	strangersWaiting = 50
	operatorsAtOnce  = 1
	operatorsWaiting = 20
)

// apart is a hasher with a queue of its own, no longer than h's.
func (h *Hasher) apart(atOnce, waiting int) *Hasher {
	return &Hasher{
		params: h.params, slots: make(chan struct{}, min(atOnce, cap(h.slots))), limit: min(int64(waiting), h.limit), verified: h.verified,
	}
}

// Verifications is how many passwords were to be verified, dummies included.
func (h *Hasher) Verifications() int64 { return h.verified.Load() }

// Hash makes the PHC string of password. Limited if too many wait;
// Unavailable if ctx ends before its turn.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltLen)
	_, _ = rand.Read(salt) // never fails
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	key := h.params.key(salt, password, keyLen)
	<-h.slots
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.params.Memory, h.params.Time, h.params.Threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key)), nil
}

// Verify tells whether phc is the hash of password. An empty or unreadable phc
// costs as much as a good one and is never right. Limited if too many wait;
// Unavailable if ctx ends before its turn.
func (h *Hasher) Verify(ctx context.Context, phc, password string) (bool, error) {
	which, err := h.verifyAny(ctx, password, phc)
	return which == 0, err
}

// verifyAny tells which of several hashes is the first that is of password; -1 is
// none. All are compared in one turn: had a wrong password to wait for a second
// one, whether it is refused would tell that it is wrong, uncounted. Errors are
// those of Verify; with one nothing was compared.
func (h *Hasher) verifyAny(ctx context.Context, password string, phcs ...string) (int, error) {
	if err := h.enter(ctx); err != nil {
		h.verified.Add(1) // as if it had been its turn
		return -1, err
	}
	defer func() { <-h.slots }()
	for i, phc := range phcs {
		if h.matches(phc, password) {
			return i, nil
		}
	}
	return -1, nil
}

// matches compares one hash, in a turn of the queue.
func (h *Hasher) matches(phc, password string) bool {
	h.verified.Add(1)
	p, salt, want, ok := parsePHC(phc)
	if !ok {
		p, salt, want = h.params, make([]byte, saltLen), make([]byte, keyLen)
	}
	if len(password) > maxInput {
		password, ok = password[:maxInput], false
	}
	return subtle.ConstantTimeCompare(p.key(salt, password, len(want)), want) == 1 && ok
}

// outdated tells whether a stored hash costs less to guess at than a new one.
func (h *Hasher) outdated(phc string) bool {
	p, _, _, ok := parsePHC(phc)
	return ok && (p.Memory < h.params.Memory || p.Time < h.params.Time)
}

// renewed is a hash of a password that was verified against phc if phc is
// outdated; "" if it is not, or if there is no time for it at the moment.
func (h *Hasher) renewed(ctx context.Context, phc, password string) string {
	if !h.outdated(phc) {
		return ""
	}
	fresh, err := h.Hash(ctx, password)
	if err != nil {
		return ""
	}
	return fresh
}

// key is what argon2id makes of a password.
func (p Params) key(salt []byte, password string, n int) []byte {
	return argon2.IDKey([]byte(password), salt, p.Time, p.Memory, p.Threads, uint32(n))
}

// enter waits for a slot, unless too many wait already.
func (h *Hasher) enter(ctx context.Context) error {
	select {
	case h.slots <- struct{}{}:
		return nil
	default:
	}
	defer h.waiting.Add(-1)
	if h.waiting.Add(1) > h.limit {
		return limited(busyWait, "auth.sign_in_busy", "Too many people are signing in at this moment. Try again in a few seconds.")
	}
	select {
	case h.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return errs.Wrap(errs.Unavailable, ctx.Err(), "auth.no_answer", "No answer in time. Try again in a few seconds.")
	}
}

// parsePHC reads $argon2id$v=19$m=19456,t=2,p=1$salt$key within the bounds.
func parsePHC(phc string) (p Params, salt, key []byte, ok bool) {
	parts := strings.Split(phc, "$")
	if len(phc) > maxPHC || len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, nil, nil, false
	}
	n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.Memory, &p.Time, &p.Threads)
	if err != nil || n != 3 || parts[3] != fmt.Sprintf("m=%d,t=%d,p=%d", p.Memory, p.Time, p.Threads) {
		return p, nil, nil, false
	}
	if p.Memory < 8*uint32(p.Threads) || p.Memory > maxMemory || p.Time < 1 || p.Time > maxTime || p.Threads < 1 || p.Threads > maxThreads {
		return p, nil, nil, false
	}
	salt, errSalt := base64.RawStdEncoding.Strict().DecodeString(parts[4])
	key, errKey := base64.RawStdEncoding.Strict().DecodeString(parts[5])
	ok = errSalt == nil && errKey == nil && len(salt) >= 8 && len(salt) <= 64 && len(key) >= 16 && len(key) <= 64
	return p, salt, key, ok
}
