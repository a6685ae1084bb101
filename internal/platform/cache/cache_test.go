package cache_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/cache"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

func TestAValueExpiresAfterItsLifeFromWhenReadingBegan(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Unix(1_000_000, 0))
	c := cache.NewExpiring[int, string](10, time.Second, now)
	mark := c.Mark()
	now.Advance(900 * time.Millisecond)
	c.Put(1, "one", mark)
	if found, missing := c.Many([]int{1, 2}); !reflect.DeepEqual(found, map[int]string{1: "one"}) || !reflect.DeepEqual(missing, []int{2}) {
		t.Errorf("%v, and %v missing", found, missing)
	}
	now.Advance(100 * time.Millisecond)
	if v, ok := c.Get(1); ok {
		t.Errorf("%q after its life", v)
	}
}

func TestAValueWithoutExpiryStaysUntilItIsDropped(t *testing.T) {
	t.Parallel()
	c := cache.New[int, string](10)
	c.Put(1, "one", c.Mark())
	if v, ok := c.Get(1); !ok || v != "one" {
		t.Errorf("%q, %v", v, ok)
	}
	c.Drop(1)
	if v, ok := c.Get(1); ok {
		t.Errorf("%q after the drop", v)
	}
}

// A reader that began before a change must not bring the old value back.
func TestAReadThatBeganBeforeADropIsNotCached(t *testing.T) {
	t.Parallel()
	for _, c := range []*cache.Cache[int, string]{
		cache.New[int, string](10),
		cache.NewExpiring[int, string](10, time.Second, clock.NewFake(time.Unix(1_000_000, 0))),
	} {
		mark := c.Mark()
		c.Drop(1)
		c.Put(1, "of before", mark)
		if v, ok := c.Get(1); ok {
			t.Errorf("%q is cached", v)
		}
	}
}

func TestTheValuesUsedLastAreKept(t *testing.T) {
	t.Parallel()
	c := cache.New[int, int](3)
	for i := range 3 {
		c.Put(i, i, c.Mark())
	}
	c.Get(0)
	c.Put(3, 3, c.Mark())
	if found, missing := c.Many([]int{0, 1, 2, 3}); len(found) != 3 || !reflect.DeepEqual(missing, []int{1}) {
		t.Errorf("%v, and %v missing", found, missing)
	}
}

func TestWithoutAClockAnExpiringCacheKeepsNothing(t *testing.T) {
	t.Parallel()
	c := cache.NewExpiring[int, string](10, time.Second, nil)
	c.Put(1, "one", c.Mark())
	c.Drop(1)
	if _, missing := c.Many([]int{1}); len(missing) != 1 {
		t.Error("it is cached")
	}
}
