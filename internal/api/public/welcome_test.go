package public

import (
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

func TestAnotherHostOfTheDomainPlantsNoWelcomeCookie(t *testing.T) {
	c := &Calls{Base: &httpx.Base{Clock: clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))}, Secret: []byte("secret")}
	set := c.welcomeCookie(true, 123456)
	if set.Name != "__Host-bifolia_welcome" || !set.Secure || set.Path != "/" || set.Domain != "" {
		t.Errorf("over TLS the cookie is %v", set)
	}
	if got := (&welcomeInput{Plain: set}).cookie(true); got != "" {
		t.Errorf("over TLS a cookie that any host may set was read: %s", got)
	}
	if got := c.registered((&welcomeInput{Host: set}).cookie(true)); got != 123456 {
		t.Errorf("the cookie of this host names %d", got)
	}
	if plain := c.welcomeCookie(false, 123456); plain.Name != "bifolia_welcome" || plain.Secure {
		t.Errorf("without TLS the cookie is %v, which no browser would send back", plain)
	}
}
