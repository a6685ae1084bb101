package closing

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// Progress is the progress of a close.
type Progress struct {
	Day         plan.Day
	Preview     bool
	Phase       string // load, compute, post, persist, report, commit
	Done, Total int64  // within the phase; Total is an estimate
	Rows        int64  // income rows made
	Percent     int64  // of the close
	Started     time.Time
}

// phases is the start of each part of a close in percent.
var phases = map[string]struct{ from, to int64 }{
	"load": {0, 20}, "compute": {20, 30}, "post": {30, 60}, "persist": {60, 85}, "report": {85, 95}, "commit": {95, 100},
}

// Progress returns the progress of a close in this process; false if there is none.
func (s *Service) Progress() (Progress, bool) {
	if p := s.now.Load(); p != nil {
		return *p, true
	}
	return Progress{}, false
}

// Watch registers f to be called with each step of later closes. It must return at once.
func (s *Service) Watch(f func(Progress)) { s.watch.Store(&f) }

// advance notes the progress of the close.
func (d *day) advance(phase string, done, total int64) {
	at := phases[phase]
	p := Progress{Day: d.day, Preview: d.preview, Phase: phase, Done: done, Total: max(total, done), Started: d.started, Percent: at.from}
	if d.out != nil {
		p.Rows = int64(len(d.out.Rows))
	}
	if p.Total > 0 {
		p.Percent += (at.to - at.from) * done / p.Total
	}
	d.s.now.Store(&p)
	if f := d.s.watch.Load(); f != nil {
		(*f)(p)
	}
}

// advanceSome is advance for many small steps.
func (d *day) advanceSome(phase string, done, total int64) {
	const every = 2000
	if done%every == 0 {
		d.advance(phase, done, total)
	}
}

// transfers estimates the number of transfers.
func (d *day) transfers() int64 {
	o := d.out
	return int64(len(o.Finalised) + len(o.Reversals) + len(o.Pays) + len(o.Losses) + len(o.Profits) + len(o.Releases))
}
