package export

import (
	"runtime/debug"
	"sync"
)

// A server lets garbage pile up to several times what it uses, which saves
// time where calls are short and many. A file of a million rows would pile up to
// that bound and leave it there; so while one is made it is collected sooner.
const sooner = 60 // percent of what is in use

var pace struct {
	sync.Mutex
	files int // that are being made
	usual int // percent when none is
}

// collectSooner lasts until done is called, by the last of those who asked.
func collectSooner() (done func()) {
	pace.Lock()
	defer pace.Unlock()
	if pace.files++; pace.files == 1 {
		pace.usual = debug.SetGCPercent(sooner)
		if pace.usual < sooner { // also where an operator has turned it off
			debug.SetGCPercent(pace.usual)
		}
	}
	return func() {
		pace.Lock()
		defer pace.Unlock()
		if pace.files--; pace.files == 0 {
			debug.SetGCPercent(pace.usual)
		}
	}
}
