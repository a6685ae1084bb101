package audit

import "context"

// balance is what an account holds after a version.
type balance struct{ version, posted, held int64 }

// books is what the rows before the one in hand add up to. Verify has replayed
// them; Follower looks them up.
type books interface {
	// page is told which transfers' entries come next.
	page(ctx context.Context, from, to int64) error
	// before is what e's account held before e.
	before(e *Entry) (balance, error)
	// after notes what e's account holds now.
	after(e *Entry)
	// place and release hold what e does to a hold against what is known of
	// it. sure tells that the row is what was hashed: if it does not fit, the
	// fault lies with the other side.
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

// releasedBy is the state in which a transfer of this kind leaves a hold.
func releasedBy(kind string) string {
	switch kind {
	case kindVoid:
		return stateVoided
	case kindExpire:
		return stateExpired
	}
	return stateSettled
}
