package tree

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is what the tree needs of a database.
type Store interface {
	// Read gives every place in the order of joining, with what each member
	// brings, and the last change that is in that: all as of one moment.
	Read(ctx context.Context, yield func(Place) error) (last int64, err error)
	// Since gives the places after no and the changes after seq, at most limit
	// of each, as of one moment: no change is of a member who is not there.
	Since(ctx context.Context, no No, seq int64, limit int) ([]Place, []Change, error)
	// All gives every place as it is stored, tails included, and then every
	// change: all as of one moment.
	All(ctx context.Context, place func(Stored) error, change func(Change) error) error

	// Seat finds, within a command, where the next member goes that a member
	// invites to a side; false if there is no such member in the tree.
	Seat(ctx context.Context, tx *ledger.Tx, sponsor int64, side Side) (Seat, bool, error)
	// Last is the last join number, and when that was; 0 in an empty tree.
	Last(ctx context.Context, tx *ledger.Tx) (No, time.Time, error)
	// Add writes a place and moves the tail of the outer line it continues.
	Add(ctx context.Context, tx *ledger.Tx, p Place, s Seat) error
	// Standing is what a member is and brings; false if there is no such member.
	Standing(ctx context.Context, tx *ledger.Tx, uid int64) (Place, bool, error)
	// Change writes what a member now brings, and that it changed. It gives the
	// change its number.
	Change(ctx context.Context, tx *ledger.Tx, now Place, c Change, at time.Time) (Change, error)
}

// Seat is the end of an outer line: where the next member of that side goes.
type Seat struct {
	Sponsor           No
	Parent            No // the tail
	LeftTop, RightTop No // where the parent's outer lines begin
}

// Stored is a place with what placement keeps beside it.
type Stored struct {
	Place
	LeftTop, RightTop   No
	LeftTail, RightTail No
}
