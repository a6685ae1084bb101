package auth

import (
	"bytes"
	"context"
	"math"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/ratelimit"
)

// Each guarded change extends the hold on the member's recent transfers: a row is
// written for every receiver while other commands wait. So a member may make a few such
// changes a day. A reset by support, a reset of a forgotten password, an undone change
// of e-mail and a replaced mailed password do not count, so that a thief who exhausts
// the changes cannot block the owner from these.

const (
	ownChanges       = 5
	ownChangesWithin = 24 * time.Hour
	// changeSlots is how many slots of the table of wrong sign-ins are searched. Slots in
	// use by other rows are not overwritten.
	changeSlots = 64
	trySlots    = 1 << 16
)

// CountChange counts a member's guarded change, within its command. Limited, with
// RetryAfter, after five within 24 hours.
func (s *Service) CountChange(ctx context.Context, tx *ledger.Tx, uid int64) error {
	return s.throttle.countChange(ctx, tx, uid)
}

// countFactorChange is CountChange for the owner of a second factor; operators' changes are not
// counted.
func (s *Service) countFactorChange(ctx context.Context, tx *ledger.Tx, o Owner) error {
	if o.Kind != KindMember {
		return nil
	}
	return s.CountChange(ctx, tx, o.ID)
}

// countChange stores a row for each change, until it expires, in the first free slot
// from the member's own on.
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
		return ratelimit.NewLimited(wait, "auth.too_many_changes", "You can change your security settings {most} times within 24 hours. Please try again in {hours} hours. If you did not make these changes, contact support.", "most", int64(ownChanges), "hours", int64(math.Ceil(wait.Hours())))
	}
	mine.Full = now.Add(ownChangesWithin)
	for mine.Slot = begin; taken[mine.Slot] && mine.Slot < begin+changeSlots-1; {
		mine.Slot++
	}
	return t.store.PutTry(ctx, tx, mine)
}
