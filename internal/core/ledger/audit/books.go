package audit

import "context"

// balance is an account's balance after a version.
type balance struct{ version, posted, held int64 }

// books are the sums of the rows before the current one. Verify has replayed them;
// Follower reads them.
type books interface {
	// page is called with the transfers whose entries come next.
	page(ctx context.Context, from, to int64) error
	// before returns the balance of e's account before e.
	before(e *Entry) (balance, error)
	// after records the balance of e's account after e.
	after(e *Entry)
	// place and release compare e's effect on a hold with the hold. sure means that
	// the row is as it was hashed: if both differ, the other row is wrong.
	place(ctx context.Context, t *Transfer, e *Entry, sure bool) error
	release(ctx context.Context, t *Transfer, e *Entry, sure bool) error
}

// States of a hold.
const (
	stateOpen    = "open"
	stateSettled = "settled"
	stateVoided  = "voided"
	stateExpired = "expired"
)

const (
	kindPlace  = "hold.place"
	kindVoid   = "hold.void"
	kindExpire = "hold.expire"
)

// releasedBy returns the state of a hold after a transfer of this kind.
func releasedBy(kind string) string {
	switch kind {
	case kindVoid:
		return stateVoided
	case kindExpire:
		return stateExpired
	}
	return stateSettled
}
