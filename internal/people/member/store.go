package member

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is the database of members. Methods with a tx run within its command and see
// its writes.
type Store interface {
	// Add writes a new member; a *ledger.ConstraintError if the id is taken.
	Add(ctx context.Context, tx *ledger.Tx, m Member) error
	// Save writes all of a known member but the id and the time of joining. A
	// *ledger.TamperedError as in Verified: such a row is not overwritten.
	Save(ctx context.Context, tx *ledger.Tx, m Member) error
	// Get reads a committed member; false if there is none.
	Get(ctx context.Context, uid int64) (Member, bool, error)
	// GetIn reads a member within a command; false if there is none.
	GetIn(ctx context.Context, tx *ledger.Tx, uid int64) (Member, bool, error)
	// Verified is GetIn, and a *ledger.TamperedError if the row does not match the signed
	// chain.
	Verified(ctx context.Context, tx *ledger.Tx, uid int64) (Member, bool, error)
	// AddFormerEmail records an address that was the member's until then. One that was not
	// confirmed may be a stranger's.
	AddFormerEmail(ctx context.Context, tx *ledger.Tx, uid int64, email string, confirmed bool, until time.Time) error
	AddEmailLink(ctx context.Context, tx *ledger.Tx, l EmailLink) error
	// EmailLinks lists a member's, newest first.
	EmailLinks(ctx context.Context, tx *ledger.Tx, uid int64) ([]EmailLink, error)
	DropEmailLink(ctx context.Context, tx *ledger.Tx, l EmailLink) error
	// Cards reads the cards of the members among uids, in any order.
	Cards(ctx context.Context, uids []int64) ([]Card, error)
	// CardsIn is Cards within a command.
	CardsIn(ctx context.Context, tx *ledger.Tx, uids []int64) ([]Card, error)
	// WalletTaken reports whether another member is paid at an address, or has a
	// withdrawal on its way there.
	WalletTaken(ctx context.Context, tx *ledger.Tx, uid int64, w Wallet) (bool, error)
	// WithWallet are the members who are paid at an address.
	WithWallet(ctx context.Context, w Wallet) ([]int64, error)
	// Setting reads a stored value; false if there is none.
	Setting(ctx context.Context, tx *ledger.Tx, name string) ([]byte, bool, error)
	// AddSetting stores a value under a new name; a *ledger.ConstraintError if the name is
	// taken.
	AddSetting(ctx context.Context, tx *ledger.Tx, name string, value []byte) error
}
