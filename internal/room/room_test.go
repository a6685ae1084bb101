package room

import (
	"runtime"
	"sync"
	"testing"
)

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
