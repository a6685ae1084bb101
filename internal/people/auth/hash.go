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
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
)

// Params are the costs of argon2id.
type Params struct {
	Memory  uint32 // KiB
	Time    uint32
	Threads uint8
}

// defaultParams: OWASP's second choice, 31 ms on an ordinary core.
var defaultParams = Params{Memory: 19 << 10, Time: 2, Threads: 1}

// Bounds of a stored hash: a tampered row must not exhaust memory or time.
const (
	maxMemory  = 64 << 10 // KiB
	maxTime    = 10
	maxThreads = 4
	saltLen    = 16
	keyLen     = 32
	maxPHC     = 256
	maxInput   = 1024 // bytes of a password that are hashed
)

// HashOptions configures a hasher; zero values are the defaults.
type HashOptions struct {
	Params  Params
	AtOnce  int // concurrent hashes; GOMAXPROCS
	Waiting int // callers that may wait; 100
}

// Hasher computes argon2id hashes, a few at a time: each takes 19 MiB, and a flood of
// sign-ins must not exhaust the memory.
type Hasher struct {
	params   Params
	slots    chan struct{}
	waiting  atomic.Int64
	limit    int64
	verified *atomic.Int64
}

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

// Signed-in members and operators have a service's whole queue. Callers without a
// session have a separate queue, so that a flood of them does not delay a signed-in
// member's payment; so have operators who sign in, so that it does not lock them out.
const (
	anonymousWaiting = 50
	operatorsAtOnce  = 1
	operatorsWaiting = 20
)

// withQueue is a hasher with a separate queue, no longer than h's.
func (h *Hasher) withQueue(atOnce, waiting int) *Hasher {
	return &Hasher{
		params: h.params, slots: make(chan struct{}, min(atOnce, cap(h.slots))), limit: min(int64(waiting), h.limit), verified: h.verified,
	}
}

// Verifications is the number of requested verifications, dummies included.
func (h *Hasher) Verifications() int64 { return h.verified.Load() }

// Hash returns the PHC string of password. Limited if too many callers wait;
// Unavailable if ctx ends first.
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

// Verify reports whether phc is the hash of password. An empty or invalid phc costs as
// much as a valid one and never matches. Limited if too many callers wait; Unavailable
// if ctx ends first.
func (h *Hasher) Verify(ctx context.Context, phc, password string) (bool, error) {
	which, err := h.verifyAny(ctx, password, phc)
	return which == 0, err
}

// verifyAny returns the index of the first hash of password, or -1. All hashes are
// compared in one slot: if a wrong password had to wait again for the second hash, a
// refusal of that wait would disclose, uncounted, that the first did not match. Errors
// are those of Verify; then nothing was compared.
func (h *Hasher) verifyAny(ctx context.Context, password string, phcs ...string) (int, error) {
	if err := h.enter(ctx); err != nil {
		h.verified.Add(1) // as if it had run
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

// matches compares one hash; the caller has a slot.
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

// outdated reports whether a stored hash is cheaper to guess than a new one.
func (h *Hasher) outdated(phc string) bool {
	p, _, _, ok := parsePHC(phc)
	return ok && (p.Memory < h.params.Memory || p.Time < h.params.Time)
}

// renewed is a new hash of a password that was verified against phc if phc is
// outdated; "" if it is not, or if the hasher is busy.
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

// key derives the argon2id key of a password.
func (p Params) key(salt []byte, password string, n int) []byte {
	return argon2.IDKey([]byte(password), salt, p.Time, p.Memory, p.Threads, uint32(n))
}

// enter waits for a slot, unless too many callers wait.
func (h *Hasher) enter(ctx context.Context) error {
	select {
	case h.slots <- struct{}{}:
		return nil
	default:
	}
	defer h.waiting.Add(-1)
	if h.waiting.Add(1) > h.limit {
		return ratelimit.NewLimited(busyWait, "auth.sign_in_busy", "Too many people are signing in at this moment. Try again in a few seconds.")
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
