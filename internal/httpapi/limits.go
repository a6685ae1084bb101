package httpapi

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

// limits are how often strangers may ask. Signing in has limits of its own.
type limits struct {
	names                                                *auth.NetworkLimiter // strangers who ask whose an id is
	lookup, register, joined, forgotPeer, codePeer, news *auth.NetworkLimiter
	ownNames, forgotUID, codeUID, emailUID               *auth.Limiter
}

const rememberedPeers = 50_000

func newLimits(c clock.Clock, registrations int) limits {
	if c == nil {
		return limits{} // only the contract is wanted
	}
	var joined *auth.NetworkLimiter
	if registrations > 0 {
		joined = auth.NewNetworkLimiter(registrations, time.Hour/time.Duration(registrations), rememberedPeers, c)
	}
	return limits{
		joined:     joined,
		names:      auth.NewNetworkLimiter(12, 5*time.Second, rememberedPeers, c),
		ownNames:   auth.NewLimiter(60, 2*time.Second, rememberedPeers, c),
		lookup:     auth.NewNetworkLimiter(300, 200*time.Millisecond, rememberedPeers, c),
		register:   auth.NewNetworkLimiter(600, time.Second, rememberedPeers, c),
		news:       auth.NewNetworkLimiter(20, time.Minute, rememberedPeers, c),
		forgotPeer: auth.NewNetworkLimiter(20, time.Minute, rememberedPeers, c),
		forgotUID:  auth.NewLimiter(3, 10*time.Minute, rememberedPeers, c),
		emailUID:   auth.NewLimiter(3, 10*time.Minute, rememberedPeers, c), // apart from forgotUID, which strangers use up
		codePeer:   auth.NewNetworkLimiter(30, time.Minute, rememberedPeers, c),
		codeUID:    auth.NewLimiter(5, 5*time.Minute, rememberedPeers, c),
	}
}

func perPeer(ctx context.Context, l *auth.NetworkLimiter) error { return l.Allow(Peer(ctx)) }

// mayAskNames limits who asks whose an id is: strangers by where they are, signed-in
// people by who they are. A demo is tried out from the machine it runs on.
func (c *Calls) mayAskNames(ctx context.Context, asks auth.Session, known bool) error {
	switch {
	case known:
		return c.limits.ownNames.Allow(callerOf(asks))
	case c.Demo && Peer(ctx).Unmap().IsLoopback():
		return nil
	}
	return perPeer(ctx, c.limits.names)
}

// forgot counts an id whether anybody has it or not.
func (l limits) forgot(ctx context.Context, uid int64) error {
	if err := perPeer(ctx, l.forgotPeer); err != nil {
		return err
	}
	return l.forgotUID.Allow(strconv.FormatInt(uid, 10))
}

// mayJoin counts who joins: neither who mistypes, nor the same registration sent
// again. A demo is filled from the machine it runs on.
func (c *Calls) mayJoin(ctx context.Context, count bool) error {
	if c.limits.joined == nil || (c.Demo && Peer(ctx).Unmap().IsLoopback()) {
		return nil
	}
	ask := c.limits.joined.Look
	if count {
		ask = c.limits.joined.Allow
	}
	err := ask(Peer(ctx))
	var limited *auth.LimitedError
	if errors.As(err, &limited) {
		after := limited.RetryAfter()
		return auth.NewLimited(after, "member.too_many_registrations", "Too many have registered from your address. Please try again in {seconds} seconds.", "seconds", int64(math.Ceil(after.Seconds())))
	}
	return err
}
