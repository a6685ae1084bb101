package httpx

import (
	"context"
	"runtime"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Base is shared by the calls of members, operators and visitors: authentication, rate
// limits, and the slots for reads and files.
type Base struct {
	Auth      *auth.Service
	Clock     clock.Clock
	Demo      bool // requests from this machine are not limited
	Limits    limits
	readSlots chan struct{}
	Files     fileSlots
}

// NewBase returns a Base. registrations is the number of registrations per address and
// hour; 0 means no limit.
func NewBase(a *auth.Service, c clock.Clock, registrations int, demo bool) *Base {
	return &Base{Auth: a, Clock: c, Demo: demo, Limits: newLimits(c, registrations), readSlots: make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
}

// turn waits for a slot, in the order of arrival. Under load, queueing makes the slowest
// response much faster than sharing the CPUs does. The slot is released before the
// response is written, so a slow client does not block others.
func (b *Base) turn(ctx context.Context) (done func(), err error) {
	select {
	case b.readSlots <- struct{}{}:
		return func() { <-b.readSlots }, nil
	case <-ctx.Done():
		return nil, errs.Wrap(errs.Unavailable, ctx.Err(), "request.given_up", "The request was given up.")
	}
}

// OptionalSession returns the session of a public call, if it has one.
func (b *Base) OptionalSession(ctx context.Context, authorization string) (auth.Session, bool) {
	token := bearer(authorization)
	if token == "" {
		return auth.Session{}, false
	}
	s, _, err := b.Auth.Check(ctx, token)
	return s, err == nil
}

// CallingOperator returns the operator of the session, with the e-mail address for the
// audit log.
func (b *Base) CallingOperator(ctx context.Context) (actor.By, error) {
	by := actor.By{Operator: SessionOf(ctx).Owner}
	all, err := b.Auth.Operators(ctx)
	for _, o := range all {
		if o.ID == by.Operator {
			by.Name = o.Email
		}
	}
	return by, err
}
