package clock_test

import (
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/clock"
)

var start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func TestLatestKeepsRunningWhileTheWallClockIsInThePast(t *testing.T) {
	c := clock.NewFake(start)
	c.SetWall(start.Add(-24 * time.Hour))
	c.Advance(time.Minute)
	if got := c.Latest(); !got.Equal(start.Add(time.Minute)) {
		t.Errorf("a day back and a minute on, Latest is %s", got)
	}
	if got := c.Now(); !got.Equal(start.Add(-24*time.Hour + time.Minute)) {
		t.Errorf("Now is %s", got)
	}
}

func TestLatestFollowsTheWallClockForward(t *testing.T) {
	c := clock.NewFake(start)
	c.SetWall(start.Add(24 * time.Hour))
	if got := c.Latest(); !got.Equal(start.Add(24 * time.Hour)) {
		t.Errorf("a day forth, Latest is %s", got)
	}
	c.SetWall(start)
	c.Advance(time.Second)
	if got := c.Latest(); !got.Equal(start.Add(24*time.Hour + time.Second)) {
		t.Errorf("and back, Latest is %s", got)
	}
}

func TestRaiseRemembersTheTimeBeforeThisProcess(t *testing.T) {
	c := clock.NewFake(start)
	c.Raise(start.Add(time.Hour))
	c.Raise(start) // never down
	c.Advance(time.Second)
	if got := c.Latest(); !got.Equal(start.Add(time.Hour + time.Second)) {
		t.Errorf("Latest is %s", got)
	}
}

func TestTheSystemClockRuns(t *testing.T) {
	c := clock.System()
	a := c.Latest()
	if b := c.Latest(); b.Before(a) || time.Since(c.Now()) > time.Minute || c.Now().Location() != time.UTC {
		t.Errorf("%s, then %s; now %s", a, b, c.Now())
	}
}
