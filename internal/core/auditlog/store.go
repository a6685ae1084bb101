package auditlog

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is the database of the audit log. Methods with a tx run within commands.
type Store interface {
	// Last returns the newest entry's number and hash; zeros if there is none.
	// With a nil tx it reads the committed state.
	Last(ctx context.Context, tx *ledger.Tx) (no int64, hash Hash, err error)
	Add(ctx context.Context, tx *ledger.Tx, e Entry) error
	AddAct(ctx context.Context, tx *ledger.Tx, a Act) error
	// LastAct returns the latest act of a kind about a subject; a
	// *ledger.TamperedError if the database was changed by hand.
	LastAct(ctx context.Context, tx *ledger.Tx, kind, subject string) (Act, bool, error)
	// List returns entries, newest first.
	List(ctx context.Context, f Filter) ([]Entry, error)
	// Each yields every entry in order.
	Each(ctx context.Context, yield func(Entry) error) error
	// Seals yields the answer of every command of the actor.
	Seals(ctx context.Context, actor string, yield func(answer []byte) error) error
}
