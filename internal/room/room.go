// Package room gives long work processors of its own, so that short work need not
// wait for it.
package room

import (
	"os"
	"runtime"
	"sync"
)

// taken is what the long work under way in this process has. Go has one number of
// processors for all of it, so there is one room.
var taken struct {
	mu     sync.Mutex
	all    int
	before int // processors, without them
}

// Make gives work that keeps n goroutines busy as many processors of its own, until
// done. Go lets a goroutine that has work keep its processor for ten milliseconds,
// and a close has work for seconds: on two processors whoever asks for a page
// meanwhile waits through several such turns. Over more processors than the machine
// has it is the operating system that shares it out, and that lets who has just been
// woken by a request go first.
func Make(n int) (done func()) {
	take(n)
	return func() { take(-n) }
}

func take(n int) {
	taken.mu.Lock()
	defer taken.mu.Unlock()
	if taken.all == 0 {
		taken.before = runtime.GOMAXPROCS(0)
	}
	taken.all += n
	if taken.all == 0 && os.Getenv("GOMAXPROCS") == "" {
		runtime.SetDefaultGOMAXPROCS() // and Go goes on following what a container is given
		return
	}
	runtime.GOMAXPROCS(taken.before + taken.all)
}
