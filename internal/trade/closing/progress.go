package closing

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// Progress is how far a close under way has come.
type Progress struct {
	Day         plan.Day
	Preview     bool
	Phase       string // load, compute, post, persist, report, commit
	Done, Total int64  // of the phase; Total is an estimate
	Rows        int64  // income rows made
	Percent     int64  // of the whole
	Started     time.Time
}

// phases are where each part of a close begins, in percent of the whole.
var phases = map[string]struct{ from, to int64 }{
	"load": {0, 20}, "compute": {20, 30}, "post": {30, 60}, "persist": {60, 85}, "report": {85, 95}, "commit": {95, 100},
}

// Progress is the close under way in this process; false if there is none.
func (s *Service) Progress() (Progress, bool) {
	if p := s.now.Load(); p != nil {
		return *p, true
	}
	return Progress{}, false
}

// Watch makes f hear of each step of closes to come. It must return at once.
func (s *Service) Watch(f func(Progress)) { s.watch.Store(&f) }

// tell says how far the close has come.
func (d *day) tell(phase string, done, total int64) {
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

// tellSome is tell for many small steps.
func (d *day) tellSome(phase string, done, total int64) {
	const every = 2000
	if done%every == 0 {
		d.tell(phase, done, total)
	}
}

// transfers is about how many the close will post.
func (d *day) transfers() int64 {
	o := d.out
	return int64(len(o.Finalised) + len(o.Reversals) + len(o.Pays) + len(o.Losses) + len(o.Profits) + len(o.Releases))
}
