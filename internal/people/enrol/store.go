package enrol

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store finds registrations without a key again. Methods with a tx run within a
// command.
type Store interface {
	// Enrolled returns who registered by this request, and when; 0 if nobody did.
	Enrolled(ctx context.Context, tx *ledger.Tx, request []byte) (uid int64, at time.Time, err error)
	// Enrol records who registered by this request, in place of an earlier one.
	Enrol(ctx context.Context, tx *ledger.Tx, request []byte, uid int64, at time.Time) error
	// Registered yields every place in order, with the answer of its registration in
	// the chain and whether it has a person and a credential.
	Registered(ctx context.Context, yield func(Registered) error) error
	// Strays counts persons and credentials without a place.
	Strays(ctx context.Context) (int64, error)
	// Decoy writes unused data, so that an unknown id costs as much as a known one.
	Decoy(ctx context.Context, tx *ledger.Tx, value []byte) error
}
