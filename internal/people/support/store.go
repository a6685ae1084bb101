package support

import (
	"context"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is the database of the help desk. Methods with a tx run within its command and
// see its writes.
type Store interface {
	// Last is the highest ticket id; 0 for none.
	Last(ctx context.Context, tx *ledger.Tx) (int64, error)
	// CountOpen counts a member's open tickets.
	CountOpen(ctx context.Context, tx *ledger.Tx, uid int64) (int64, error)
	// CountActs counts the acts of one kind on a ticket.
	CountActs(ctx context.Context, tx *ledger.Tx, id int64, kind ActKind) (int64, error)
	// Get reads a ticket; false if there is none.
	Get(ctx context.Context, tx *ledger.Tx, id int64) (Ticket, bool, error)
	// Add writes a new ticket.
	Add(ctx context.Context, tx *ledger.Tx, t Ticket) error
	// Save writes a ticket after the act, its latest.
	Save(ctx context.Context, tx *ledger.Tx, t Ticket, a Act) error
	// History lists a member's committed tickets, newest first, and counts all of them.
	History(ctx context.Context, uid, offset, limit int64) ([]Ticket, int64, error)
	// Find lists committed tickets in the filter's order and counts all matches. A search
	// for words may be cut off.
	Find(ctx context.Context, f Filter) (Found, error)
	// Thread reads a ticket and its acts in one snapshot; false if there is none.
	Thread(ctx context.Context, id int64) (t Ticket, acts []Act, found bool, err error)
	// Before lists a member's tickets with an id below one, newest first.
	Before(ctx context.Context, uid, id, limit int64) ([]Ticket, error)
}
