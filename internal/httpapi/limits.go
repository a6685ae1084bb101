package httpapi

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/clock"
)

// limits are how often strangers may ask. Signing in has limits of its own.
type limits struct {
	lookup, register, joined, forgotPeer, forgotUID, codePeer, codeUID, news *auth.Limiter
}

const rememberedPeers = 50_000

func newLimits(c clock.Clock, registrations int) limits {
	if c == nil {
		return limits{} // only the contract is wanted
	}
	var joined *auth.Limiter
	if registrations > 0 {
		joined = auth.NewLimiter(registrations, time.Hour/time.Duration(registrations), rememberedPeers, c)
	}
	return limits{
		joined:     joined,
		lookup:     auth.NewLimiter(300, 200*time.Millisecond, rememberedPeers, c),
		register:   auth.NewLimiter(600, time.Second, rememberedPeers, c),
		news:       auth.NewLimiter(20, time.Minute, rememberedPeers, c),
		forgotPeer: auth.NewLimiter(20, time.Minute, rememberedPeers, c),
		forgotUID:  auth.NewLimiter(3, 10*time.Minute, rememberedPeers, c),
		codePeer:   auth.NewLimiter(30, time.Minute, rememberedPeers, c),
		codeUID:    auth.NewLimiter(5, 5*time.Minute, rememberedPeers, c),
	}
}

func perPeer(ctx context.Context, l *auth.Limiter) error { return l.Allow(network(Peer(ctx))) }

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
	err := ask(network(Peer(ctx)))
	var limited *auth.LimitedError
	if errors.As(err, &limited) {
		after := limited.RetryAfter()
		return auth.NewLimited(after, "Too many have registered from your address. Please try again in %d seconds.", int64(math.Ceil(after.Seconds())))
	}
	return err
}
