package member

import (
	"context"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Whoever reads a member's former mailbox can take the address of the account back by
// the link that was mailed there. A member who left that mailbox because somebody else
// reads it removes the link. A thief who changed the address would remove it too: so
// its owner has two days to use it first, except where the change was made after a
// second factor had stood for as long.

// UndoRest is how long a link that undoes a change cannot be removed.
const UndoRest = 48 * time.Hour

// Undo is how former addresses of a member can bring themselves back.
type Undo struct {
	Until     time.Time // zero if none can
	Removable time.Time // from when on the member can remove the links
}

var errNoUndo = errs.New(errs.Conflict, "email.no_undo", "No former e-mail address can undo a change any more.")

// Undo tells which links undo a change at now. factor is since when the member has a
// second factor, or zero. With a nil tx it is told as committed.
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

// RemoveUndo removes the links that Undo tells of. The caller has made sure that the
// member is there. Conflict if there is none; Refused before they can be removed.
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
