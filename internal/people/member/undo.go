package member

import (
	"context"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A reader of a member's former mailbox can restore its address by the link mailed there.
// A member who gave that mailbox up because another person reads it removes the link. A
// thief who changed the address would remove it too, so its owner has two days to use it,
// except if the change was made after a second factor had been set for as long.

// UndoRest is how long a link that undoes a change cannot be removed.
const UndoRest = 48 * time.Hour

// Undo is the state of the links that restore former addresses.
type Undo struct {
	Until     time.Time // zero if there is none
	Removable time.Time // when the member can remove the links
}

var errNoUndo = errs.New(errs.Conflict, "email.no_undo", "No former e-mail address can undo a change any more.")

// Undo returns the state of the links at now. factor is the time since which the member
// has a second factor, or zero. With a nil tx it reads what is committed.
func (s *Service) Undo(ctx context.Context, tx *ledger.Tx, uid int64, factor, now time.Time) (u Undo, err error) {
	all, err := s.links(ctx, tx, uid)
	for _, l := range all {
		if l.Purpose != ToUndo || !now.Before(l.Until) {
			continue
		}
		from := l.Made.Add(UndoRest)
		if !factor.IsZero() && !l.Made.Before(factor.Add(UndoRest)) {
			from = l.Made
		}
		u.Until = slices.MaxFunc([]time.Time{u.Until, l.Until}, time.Time.Compare)
		u.Removable = slices.MaxFunc([]time.Time{u.Removable, from}, time.Time.Compare)
	}
	return u, err
}

// RemoveUndo removes these links. The caller has verified the member. Conflict if there
// is none; Refused before they can be removed.
func (s *Service) RemoveUndo(ctx context.Context, tx *ledger.Tx, uid int64, factor, now time.Time) error {
	u, err := s.Undo(ctx, tx, uid, factor, now)
	switch {
	case err != nil:
		return err
	case u.Until.IsZero():
		return errNoUndo
	case now.Before(u.Removable):
		return errs.New(errs.Refused, "email.undo_link_stays", "This link can be removed from {from} on. Until then the owner of the former address can undo the change: this protects you if somebody else changed it.", "from", u.Removable.UTC().Format("2 January 2006 at 15:04 UTC"))
	}
	return s.dropLinks(ctx, tx, uid, func(l EmailLink) bool { return l.Purpose == ToUndo })
}
