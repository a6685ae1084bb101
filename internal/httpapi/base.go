package httpapi

import (
	"context"
	"runtime"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Base is what the calls of members, operators and visitors share: who asks, the
// limits on strangers, and the turns of reads and of files.
type Base struct {
	Auth   *auth.Service
	Clock  clock.Clock
	Demo   bool // calls from the machine itself are not limited
	limits limits
	turns  chan struct{}
	files  turnstile
}

// NewBase makes a Base. registrations is how many may join from one address within an
// hour; 0 is any number.
func NewBase(a *auth.Service, c clock.Clock, registrations int, demo bool) *Base {
	return &Base{Auth: a, Clock: c, Demo: demo, limits: newLimits(c, registrations), turns: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
}

// turn lets reads work in the order in which they came, a few at a time: when
// many ask at once, waiting in turn makes the slowest answer far sooner than
// sharing the cores does. The answer is written after the turn, so that a slow
// client holds nobody up.
func (b *Base) turn(ctx context.Context) (done func(), err error) {
	select {
	case b.turns <- struct{}{}:
		return func() { <-b.turns }, nil
	case <-ctx.Done():
		return nil, errs.Wrap(errs.Unavailable, ctx.Err(), "request.given_up", "The request was given up.")
	}
}

// signedIn is the session of a public call, if it has one.
func (b *Base) signedIn(ctx context.Context, authorization string) (auth.Session, bool) {
	token := bearer(authorization)
	if token == "" {
		return auth.Session{}, false
	}
	s, _, err := b.Auth.Check(ctx, token)
	return s, err == nil
}

// by is the operator who asks, by id and, for the record, by e-mail.
func (b *Base) by(ctx context.Context) (actor.By, error) {
	by := actor.By{Operator: sessionOf(ctx).Owner}
	all, err := b.Auth.Operators(ctx)
	for _, o := range all {
		if o.ID == by.Operator {
			by.Name = o.Email
		}
	}
	return by, err
}
