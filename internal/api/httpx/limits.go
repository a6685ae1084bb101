package httpx

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
)

// limits are the rate limits of public calls. Signing in has limits in package auth.
type limits struct {
	names                                                *ratelimit.NetworkLimiter // lookups of names without a session
	Lookup, Register, joined, ForgotPeer, CodePeer, News *ratelimit.NetworkLimiter
	ownNames, forgotUID, CodeUID, EmailUID               *ratelimit.Limiter
}

const rememberedPeers = 50_000

func newLimits(c clock.Clock, registrations int) limits {
	if c == nil {
		return limits{} // only the contract is needed
	}
	var joined *ratelimit.NetworkLimiter
	if registrations > 0 {
		joined = ratelimit.NewNetworkLimiter(registrations, time.Hour/time.Duration(registrations), rememberedPeers, c)
	}
	return limits{
		joined:     joined,
		names:      ratelimit.NewNetworkLimiter(12, 5*time.Second, rememberedPeers, c),
		ownNames:   ratelimit.NewLimiter(60, 2*time.Second, rememberedPeers, c),
		Lookup:     ratelimit.NewNetworkLimiter(300, 200*time.Millisecond, rememberedPeers, c),
		Register:   ratelimit.NewNetworkLimiter(600, time.Second, rememberedPeers, c),
		News:       ratelimit.NewNetworkLimiter(20, time.Minute, rememberedPeers, c),
		ForgotPeer: ratelimit.NewNetworkLimiter(20, time.Minute, rememberedPeers, c),
		forgotUID:  ratelimit.NewLimiter(3, 10*time.Minute, rememberedPeers, c),
		EmailUID:   ratelimit.NewLimiter(3, 10*time.Minute, rememberedPeers, c), // separate from forgotUID, which strangers can use up
		CodePeer:   ratelimit.NewNetworkLimiter(30, time.Minute, rememberedPeers, c),
		CodeUID:    ratelimit.NewLimiter(5, 5*time.Minute, rememberedPeers, c),
	}
}

// LimitPeer limits requests by the client's network.
func LimitPeer(ctx context.Context, l *ratelimit.NetworkLimiter) error { return l.Allow(Peer(ctx)) }

// LimitNameLookup limits lookups of names by id: by network without a session, by account
// with one. A demo on this machine is not limited.
func (b *Base) LimitNameLookup(ctx context.Context, asks auth.Session, known bool) error {
	switch {
	case known:
		return b.Limits.ownNames.Allow(callerOf(asks))
	case b.Demo && Peer(ctx).Unmap().IsLoopback():
		return nil
	}
	return LimitPeer(ctx, b.Limits.names)
}

// LimitReset counts an id whether it exists or not.
func (l limits) LimitReset(ctx context.Context, uid int64) error {
	if err := LimitPeer(ctx, l.ForgotPeer); err != nil {
		return err
	}
	return l.forgotUID.Allow(strconv.FormatInt(uid, 10))
}

// LimitRegistration counts registrations, but neither invalid ones nor retries. A demo on
// this machine is not limited.
func (b *Base) LimitRegistration(ctx context.Context, count bool) error {
	if b.Limits.joined == nil || (b.Demo && Peer(ctx).Unmap().IsLoopback()) {
		return nil
	}
	ask := b.Limits.joined.Look
	if count {
		ask = b.Limits.joined.Allow
	}
	err := ask(Peer(ctx))
	var limited *ratelimit.LimitedError
	if errors.As(err, &limited) {
		after := limited.RetryAfter()
		return ratelimit.NewLimited(after, "member.too_many_registrations", "Too many have registered from your address. Please try again in {seconds} seconds.", "seconds", int64(math.Ceil(after.Seconds())))
	}
	return err
}
