package ledger

import "time"

// A group costs much more than one more command in it. While a group is
// written, others ask; when it is done, those answered ask again, but the next
// group has already left with the others alone: few callers so split into two
// halves that take turns for ever, and pay for twice as many groups. So the
// sequencer expects those that it has just answered, for a moment.

const (
	// crowdLimit: a group of so many is worth its cost. Where more callers ask,
	// one half running while the other is written uses the machine better.
	crowdLimit = 8
	// Patience counts from the answers: whoever asks later is not back but new.
	// Where a group takes long, callers do too: it is twice what the group took.
	crowdPatience    = 2 * time.Millisecond
	crowdMaxPatience = 10 * time.Millisecond
	crowdMaxPass     = 63
)

// crowd says how many commands to wait for. Its goroutine is the sequencer's.
type crowd struct {
	expected int
	timer    *time.Timer // runs from the answers on

	pass int // groups that do not wait after one that waited in vain
	left int // of them, to come
}

func newCrowd() *crowd {
	t := time.NewTimer(crowdPatience)
	t.Stop()
	return &crowd{timer: t}
}

// answered is told, before the callers of a group are, how many they are and
// how many wait already: nobody is both.
func (c *crowd) answered(callers, waiting int, took time.Duration) {
	c.expected = min(callers+waiting, crowdLimit)
	if c.expected > 1 {
		c.timer.Reset(min(max(crowdPatience, 2*took), crowdMaxPatience))
	}
}

// gather adds to a group those expected who come in time. Who waits in vain
// waits less and less often, so that callers who do not come back cost others
// next to nothing.
func (c *crowd) gather(group []*waiter, queue <-chan *waiter) []*waiter {
	if len(group) >= c.expected {
		return group
	}
	select {
	case <-c.timer.C:
		c.expected = 0 // their time is over: what begins now is new
		return group
	default:
	}
	if c.left > 0 {
		c.left--
		return group
	}
	for len(group) < c.expected {
		select {
		case w := <-queue:
			group = append(group, w)
		case <-c.timer.C:
			c.pass = min(2*c.pass+1, crowdMaxPass)
			c.left = c.pass
			c.expected = 0
			return group
		}
	}
	c.pass /= 2
	return group
}
