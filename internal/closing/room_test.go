package closing

import (
	"runtime"
	"sync"
	"testing"
)

// However closes overlap, pages have the processors that they had before while a
// close runs, and nothing is left of its own after the last one.
func TestClosesTakeProcessorsOfTheirOwnAndGiveThemBack(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				done := makeRoom()
				if got := runtime.GOMAXPROCS(0); got != before+besides {
					t.Errorf("while a close runs there are %d processors, not %d", got, before+besides)
				}
				done()
			}
		})
	}
	all.Wait()
	if got := runtime.GOMAXPROCS(0); got != before {
		t.Errorf("after the last close there are %d processors, not %d", got, before)
	}
}
