package memo_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/clock"
	"github.com/bifolia/bifolia/internal/memo"
)

func TestAValueIsRememberedForASecondFromWhenReadingBegan(t *testing.T) {
	t.Parallel()
	c := clock.NewFake(time.Unix(1_000_000, 0))
	b := memo.New[int, string](c)
	read := b.Now()
	c.Advance(900 * time.Millisecond)
	b.Put(map[int]string{1: "one"}, read)
	if found, missing := b.Get([]int{1, 2}); !reflect.DeepEqual(found, map[int]string{1: "one"}) || !reflect.DeepEqual(missing, []int{2}) {
		t.Errorf("%v, and %v missing", found, missing)
	}
	if one, ok := b.One(1); !ok || one != "one" {
		t.Errorf("one is %q, %v", one, ok)
	}
	c.Advance(100 * time.Millisecond)
	if _, ok := b.One(1); ok {
		t.Error("one after a second")
	}
	if found, _ := b.Get([]int{1}); len(found) != 0 {
		t.Errorf("%v after a second", found)
	}
}

func TestWhatIsDroppedIsReadAnew(t *testing.T) {
	t.Parallel()
	b := memo.New[int, string](clock.NewFake(time.Unix(1_000_000, 0)))
	b.Put(map[int]string{1: "one"}, b.Now())
	b.Drop(1)
	if _, missing := b.Get([]int{1}); len(missing) != 1 {
		t.Error("it is still remembered")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	b := memo.New[int, int](clock.NewFake(time.Unix(1_000_000, 0)))
	const all = 200_000
	keys := make([]int, all)
	for i := range keys {
		keys[i] = i
		b.Put(map[int]int{i: i}, b.Now())
	}
	if found, _ := b.Get(keys); len(found) > all/2 || found[all-1] != all-1 {
		t.Errorf("%d of %d remembered, the last %d", len(found), all, found[all-1])
	}
}

func TestWithoutAClockNothingIsRemembered(t *testing.T) {
	t.Parallel()
	b := memo.New[int, string](nil)
	b.Put(map[int]string{1: "one"}, b.Now())
	if _, missing := b.Get([]int{1}); len(missing) != 1 {
		t.Error("it is remembered")
	}
	if _, ok := b.One(1); ok {
		t.Error("one is remembered")
	}
}
