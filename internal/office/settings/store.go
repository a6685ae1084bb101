package settings

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is the database of the settings. Methods with a tx run within its command; with
// a nil one they read what is committed.
type Store interface {
	// Stamp changes with every change of a proposal.
	Stamp(ctx context.Context) (int64, error)
	// Standing lists the two newest approved proposals of each section, the older first:
	// the current and perhaps the next version.
	Standing(ctx context.Context, tx *ledger.Tx) ([]Proposal, error)
	// Ever lists all approved bodies of a section.
	Ever(ctx context.Context, section Section) ([]string, error)
	// Waiting lists the pending proposals, oldest first.
	Waiting(ctx context.Context, tx *ledger.Tx) ([]Proposal, error)
	// List lists the proposals of a section without was and body, newest first, before an
	// id (0: from the end).
	List(ctx context.Context, section Section, before int64, limit int) ([]Proposal, error)
	// Get finds one.
	Get(ctx context.Context, tx *ledger.Tx, id int64) (Proposal, bool, error)
	// Add gives a proposal the next id.
	Add(ctx context.Context, tx *ledger.Tx, p Proposal) (int64, error)
	// Set writes the decision on a proposal, never its content.
	Set(ctx context.Context, tx *ledger.Tx, p Proposal) error
}
