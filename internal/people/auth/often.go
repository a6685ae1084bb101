package auth

import (
	"bytes"
	"context"
	"math"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Each guarded change extends the hold on what the member gave to others: a row is
// written for every receiver while the commands of all others wait. So a member makes a
// few such changes a day at most. A reset by support, a reset of a forgotten password and
// an undone change of the e-mail address do not count, nor does replacing a mailed
// password: a thief who uses up the changes keeps the owner from none of these.

const (
	ownChanges       = 5
	ownChangesWithin = 24 * time.Hour
	// changeSlots is how many slots of the wrong sign-ins' table are looked at: those
	// of other rows are left as they are.
	changeSlots = 64
	trySlots    = 1 << 16
)

// CountChange counts a guarded change that a member makes, within its command. Limited,
// with RetryAfter and in words for the member, after five within 24 hours.
func (s *Service) CountChange(ctx context.Context, tx *ledger.Tx, uid int64) error {
	return s.throttle.countChange(ctx, tx, uid)
}

// countOwn is CountChange for the owner of a second factor; operators' changes do not
// count.
func (s *Service) countOwn(ctx context.Context, tx *ledger.Tx, o Owner) error {
	if o.Kind != KindMember {
		return nil
	}
	return s.CountChange(ctx, tx, o.ID)
}

// countChange keeps a row for each change, until it does not count any more, in the
// first slots from the member's own on that are free.
func (t *throttle) countChange(ctx context.Context, tx *ledger.Tx, uid int64) error {
	now, mine := t.clock.Latest(), t.kept(nil, "guarded changes of "+memberKey(uid)).row
	begin := mine.Slot % (trySlots - changeSlots)
	near, err := t.store.Tries(ctx, tx, begin, begin+changeSlots)
	if err != nil {
		return err
	}
	made, taken, next := 0, map[int64]bool{}, now.Add(ownChangesWithin)
	for _, there := range near {
		if !now.Before(there.Full) {
			continue
		}
		taken[there.Slot] = true
		if !bytes.Equal(there.Who, mine.Who) {
			continue
		}
		if made++; there.Full.Before(next) {
			next = there.Full
		}
	}
	if made >= ownChanges {
		wait := next.Sub(now)
		return limited(wait, "auth.too_many_changes", "You can change your security settings {most} times within 24 hours. Please try again in {hours} hours. If you did not make these changes, contact support.", "most", int64(ownChanges), "hours", int64(math.Ceil(wait.Hours())))
	}
	mine.Full = now.Add(ownChangesWithin)
	for mine.Slot = begin; taken[mine.Slot] && mine.Slot < begin+changeSlots-1; {
		mine.Slot++
	}
	return t.store.PutTry(ctx, tx, mine)
}
