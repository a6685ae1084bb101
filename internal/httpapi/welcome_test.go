package httpapi

import (
	"context"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/clock"
)

func TestAnotherHostOfTheDomainPlantsNoWelcomeCookie(t *testing.T) {
	c := &Calls{Clock: clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)), Secret: []byte("secret")}
	over := func(tls bool) context.Context {
		return context.WithValue(t.Context(), callKey{}, &call{secure: tls})
	}
	set := c.welcomeCookie(over(true), 123456)
	if set.Name != "__Host-bifolia_welcome" || !set.Secure || set.Path != "/" || set.Domain != "" {
		t.Errorf("over TLS the cookie is %v", set)
	}
	if got := (&welcomeInput{Plain: set}).cookie(over(true)); got != "" {
		t.Errorf("over TLS a cookie that any host may set was read: %s", got)
	}
	if got := c.registered((&welcomeInput{Host: set}).cookie(over(true))); got != 123456 {
		t.Errorf("the cookie of this host names %d", got)
	}
	if plain := c.welcomeCookie(over(false), 123456); plain.Name != "bifolia_welcome" || plain.Secure {
		t.Errorf("without TLS the cookie is %v, which no browser would send back", plain)
	}
}
