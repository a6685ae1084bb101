package ledger

import "time"

// gather decides which commands make a group. It takes whatever waits; and
// because a group costs nearly the same for one command as for eight, it lets
// those who were answered a moment ago come back into this group instead of
// the next one: with n busy callers a group then holds n commands, not n/2.
//
// It waits only for as many as were busy at the last group, only for a moment,
// and if they do not come it soon stops expecting them. A lone caller never
// waits.
type gather struct {
	busy  int // callers when the last group ended: in it, or waiting behind it
	skip  int // groups to go without waiting, because waiting was in vain
	vain  int // how often in a row it was
	timer *time.Timer
}

const (
	gatherLimit = 250 * time.Microsecond
	maxSkip     = 256
)

// collect takes first and what else belongs into its group.
func (g *gather) collect(first *waiter, queue <-chan *waiter) []*waiter {
	group := drain([]*waiter{first}, queue)
	if g.skip > 0 {
		g.skip--
	} else if len(group) < g.busy {
		group = g.wait(group, queue)
	}
	return group
}

// done notes, right after a group, how many callers are busy: those just
// answered and those who came meanwhile.
func (g *gather) done(answered, waiting int) { g.busy = min(answered+waiting, groupLimit) }

// wait lets the group grow until all who were busy are back, or a moment is over.
func (g *gather) wait(group []*waiter, queue <-chan *waiter) []*waiter {
	if g.timer == nil {
		g.timer = time.NewTimer(gatherLimit)
	} else {
		g.timer.Reset(gatherLimit)
	}
	defer g.timer.Stop()
	for len(group) < g.busy {
		select {
		case w := <-queue:
			group = drain(append(group, w), queue)
			g.vain = 0
		case <-g.timer.C:
			g.vain++
			g.skip = min(1<<min(g.vain, 8), maxSkip)
			return group
		}
	}
	return group
}

// drain takes whatever waits, without waiting for more.
func drain(group []*waiter, queue <-chan *waiter) []*waiter {
	for len(group) < groupLimit {
		select {
		case w := <-queue:
			group = append(group, w)
		default:
			return group
		}
	}
	return group
}
