package httpapi

import (
	"context"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/clock"
)

// limits are how often strangers may ask. Signing in has limits of its own.
type limits struct {
	lookup, register, forgotPeer, forgotUID, codePeer, codeUID, news *auth.Limiter
}

const rememberedPeers = 50_000

func newLimits(c clock.Clock) limits {
	if c == nil {
		return limits{} // only the contract is wanted
	}
	return limits{
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
