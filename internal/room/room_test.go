package room

import (
	"runtime"
	"sync"
	"testing"
)

func TestEachWorkTakesWhatItKeepsBusy(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	is := func(more int) {
		t.Helper()
		if got := runtime.GOMAXPROCS(0); got != before+more {
			t.Errorf("there are %d processors, not %d", got, before+more)
		}
	}
	two := Make(2)
	is(2)
	one := Make(1)
	is(3)
	two()
	is(1)
	one()
	is(0)
}

// However long work overlaps, others have at least the processors that they had
// before while it runs, and nothing is left of its own after the last of it.
func TestLongWorkTakesProcessorsOfItsOwnAndGivesThemBack(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			n := 1 + i%2
			for range 50 {
				done := Make(n)
				if got := runtime.GOMAXPROCS(0); got < before+n {
					t.Errorf("while work for %d runs there are %d processors, and were %d before", n, got, before)
				}
				done()
			}
		})
	}
	all.Wait()
	if got := runtime.GOMAXPROCS(0); got != before {
		t.Errorf("after the last there are %d processors, not %d", got, before)
	}
}
