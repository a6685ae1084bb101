package settings

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is what the settings need of a database. What takes rows runs within
// commands; with nil it reads what is committed.
type Store interface {
	// Stamp changes whenever any proposal does.
	Stamp(ctx context.Context) (int64, error)
	// Standing lists the two newest approved proposals of each section, the
	// older first: what holds, and what will.
	Standing(ctx context.Context, tx *ledger.Tx) ([]Proposal, error)
	// Ever are the bodies of a section that ever held, or will.
	Ever(ctx context.Context, section Section) ([]string, error)
	// Waiting lists what waits to be decided, the oldest first.
	Waiting(ctx context.Context, tx *ledger.Tx) ([]Proposal, error)
	// List lists the proposals of a section without was and body, the newest
	// first, before an id (0: from the end).
	List(ctx context.Context, section Section, before int64, limit int) ([]Proposal, error)
	// Get finds one.
	Get(ctx context.Context, tx *ledger.Tx, id int64) (Proposal, bool, error)
	// Add gives a proposal the next id.
	Add(ctx context.Context, tx *ledger.Tx, p Proposal) (int64, error)
	// Set writes what became of a proposal, never what was proposed.
	Set(ctx context.Context, tx *ledger.Tx, p Proposal) error
}
