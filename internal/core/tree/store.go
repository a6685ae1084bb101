package tree

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is the tree's database.
type Store interface {
	// Read yields every place in the order of joining, with each member's own
	// business, and returns the last change included in it, all in one snapshot.
	Read(ctx context.Context, yield func(Place) error) (last int64, err error)
	// Since returns the places after no and the changes after seq, at most limit of
	// each, in one snapshot, so that no change is of an unknown member.
	Since(ctx context.Context, no No, seq int64, limit int) ([]Place, []Change, error)
	// All yields every place as stored, tails included, and then every change, all
	// in one snapshot.
	All(ctx context.Context, place func(Stored) error, change func(Change) error) error

	// Seat finds, within a command, the place of the next member that a sponsor
	// invites to a side; false if the sponsor is not in the tree.
	Seat(ctx context.Context, tx *ledger.Tx, sponsor int64, side Side) (Seat, bool, error)
	// Last returns the last join number and its time; 0 in an empty tree.
	Last(ctx context.Context, tx *ledger.Tx) (No, time.Time, error)
	// Add writes a place and moves the tail of the outer line it continues.
	Add(ctx context.Context, tx *ledger.Tx, p Place, s Seat) error
	// Standing returns a member's place and own business; false if there is no such
	// member.
	Standing(ctx context.Context, tx *ledger.Tx, uid int64) (Place, bool, error)
	// Change writes a member's new values and the change, whose number it sets.
	Change(ctx context.Context, tx *ledger.Tx, now Place, c Change, at time.Time) (Change, error)
}

// Seat is the end of an outer line: the place of the next member of that side.
type Seat struct {
	Sponsor           No
	Parent            No // the tail
	LeftTop, RightTop No // where the parent's outer lines begin
}

// Stored is a place with the line ends that placement stores beside it.
type Stored struct {
	Place
	LeftTop, RightTop   No
	LeftTail, RightTail No
}
