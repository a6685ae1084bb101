package ledger

import (
	"testing"
	"testing/synctest"
	"time"
)

// callers are answered and ask again after a while, on a clock of their own.
func callers(n int, after time.Duration) chan *waiter {
	queue := make(chan *waiter, 100)
	for range n {
		time.AfterFunc(after, func() { queue <- &waiter{} })
	}
	return queue
}

func TestThoseJustAnsweredAreWaitedForSoThatTwoHalvesDoNotTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd()
		c.answered(3, 2, 0)
		group := c.gather(make([]*waiter, 2), callers(3, time.Millisecond))
		if len(group) != 5 {
			t.Errorf("the group has %d commands, want the two that waited and the three that came back", len(group))
		}
	})
}

func TestWhereAGroupTakesLongItsCallersMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd()
		c.answered(1, 1, 4*time.Millisecond)
		if got := len(c.gather(make([]*waiter, 1), callers(1, 7*time.Millisecond))); got != 2 {
			t.Errorf("the group has %d commands, want both", got)
		}
	})
}

func TestNobodyIsWaitedForWhereAGroupIsWorthItsCostOrOneCallerIsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, answered := range []struct{ callers, waiting, has int }{{40, 40, crowdLimit}, {1, 0, 1}, {0, 0, 1}} {
			c, from := newCrowd(), time.Now()
			c.answered(answered.callers, answered.waiting, 0)
			if got := len(c.gather(make([]*waiter, answered.has), nil)); got != answered.has || time.Since(from) != 0 {
				t.Errorf("%+v: %d commands after %v, want no wait", answered, got, time.Since(from))
			}
		}
	})
}

func TestWhoAsksLaterIsNewAndWaitsForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd()
		c.answered(5, 0, time.Minute)
		time.Sleep(time.Second)
		from := time.Now()
		if got := len(c.gather(make([]*waiter, 1), nil)); got != 1 || time.Since(from) != 0 {
			t.Errorf("%d commands after %v, want one at once", got, time.Since(from))
		}
	})
}

func TestCallersWhoDoNotComeBackAreWaitedForLessAndLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, waited := newCrowd(), 0
		for range 1000 {
			c.answered(2, 0, 0)
			from := time.Now()
			c.gather(make([]*waiter, 1), nil)
			if time.Since(from) > 0 {
				waited++
			}
		}
		if waited > 20 { // 1+3+7+15+31 groups apart, then 63
			t.Errorf("%d of 1000 groups waited in vain, want 20 at most", waited)
		}
		for c.pass > 0 { // they come back again
			c.left = 0
			c.answered(2, 0, 0)
			if got := len(c.gather(make([]*waiter, 1), callers(1, 0))); got != 2 {
				t.Fatalf("the group has %d commands, want both", got)
			}
		}
	})
}
