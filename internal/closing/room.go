package closing

import (
	"runtime"
	"sync"
)

// besides is how many goroutines a close keeps busy at once: itself, and who makes
// its digest or its seal meanwhile.
const besides = 2

// room is what the closes under way in this process have taken. Go has one number
// of processors for all of it, so there is one room.
var room struct {
	mu     sync.Mutex
	closes int
	before int // processors, without the closes
}

// makeRoom gives a close processors of its own until done. Go lets a goroutine
// that has work keep its processor for ten milliseconds, and a close has work for
// seconds: on two processors whoever asks for a page meanwhile waits through
// several such turns. Over more processors than the machine has it is the
// operating system that shares it out, and that lets who has just been woken by a
// request go first.
func makeRoom() (done func()) {
	room.mu.Lock()
	defer room.mu.Unlock()
	if room.closes++; room.closes == 1 {
		room.before = runtime.GOMAXPROCS(0)
		runtime.GOMAXPROCS(room.before + besides)
	}
	return func() {
		room.mu.Lock()
		defer room.mu.Unlock()
		if room.closes--; room.closes == 0 {
			runtime.GOMAXPROCS(room.before)
		}
	}
}
