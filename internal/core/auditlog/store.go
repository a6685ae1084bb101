package auditlog

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is what the record needs of a database. What takes rows runs within
// commands.
type Store interface {
	// Last is the newest entry's number and hash; zeros when there is none.
	// With a nil tx it reads what is committed.
	Last(ctx context.Context, tx *ledger.Tx) (no int64, hash Hash, err error)
	Add(ctx context.Context, tx *ledger.Tx, e Entry) error
	AddAct(ctx context.Context, tx *ledger.Tx, a Act) error
	// LastAct is the latest act of a kind about a subject; a *ledger.TamperedError if
	// the database was changed by hand.
	LastAct(ctx context.Context, tx *ledger.Tx, kind, subject string) (Act, bool, error)
	// List gives entries, newest first.
	List(ctx context.Context, f Filter) ([]Entry, error)
	// Each gives every entry in order.
	Each(ctx context.Context, yield func(Entry) error) error
	// Seals gives every answer of a command of the actor.
	Seals(ctx context.Context, actor string, yield func(answer []byte) error) error
}
