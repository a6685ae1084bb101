package enrol

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store remembers registrations that came without a key, and finds them again.
// What takes rows runs within commands.
type Store interface {
	// Enrolled is who registered by this request, and when; 0 if nobody did.
	Enrolled(ctx context.Context, tx *ledger.Tx, request []byte) (uid int64, at time.Time, err error)
	// Enrol notes who registered by this request, in place of an earlier one.
	Enrol(ctx context.Context, tx *ledger.Tx, request []byte, uid int64, at time.Time) error
	// Registered gives, for every place in order, what stands there and what
	// the chain says of its registration; and whether there is a person and a
	// credential for it.
	Registered(ctx context.Context, yield func(Registered) error) error
	// Strays counts persons and credentials without a place.
	Strays(ctx context.Context) (int64, error)
	// Decoy writes something that nobody reads.
	Decoy(ctx context.Context, tx *ledger.Tx, value []byte) error
}
