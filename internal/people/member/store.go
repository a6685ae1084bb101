package member

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is what members need of a database. What takes rows belongs to the
// command that rows come from and sees what that command wrote.
type Store interface {
	// Add writes a new member; a *ledger.ConstraintError if the id is taken.
	Add(ctx context.Context, tx *ledger.Tx, m Member) error
	// Save writes all of a known member but the id and the time of joining. A
	// *ledger.TamperedError as in Vouched: nothing is written over such a row.
	Save(ctx context.Context, tx *ledger.Tx, m Member) error
	// Get reads a member as committed; false if there is none.
	Get(ctx context.Context, uid int64) (Member, bool, error)
	// GetIn reads a member within a command; false if there is none.
	GetIn(ctx context.Context, tx *ledger.Tx, uid int64) (Member, bool, error)
	// Vouched is GetIn for one who is what the signed chain says: a
	// *ledger.TamperedError if somebody has changed the row past the product.
	Vouched(ctx context.Context, tx *ledger.Tx, uid int64) (Member, bool, error)
	// AddFormerEmail remembers an address that was the member's until then. One that
	// was never confirmed, or to which a link was mailed only, may be a stranger's.
	AddFormerEmail(ctx context.Context, tx *ledger.Tx, uid int64, email string, confirmed bool, until time.Time) error
	AddEmailLink(ctx context.Context, tx *ledger.Tx, l EmailLink) error
	// EmailLinks lists a member's, newest first; with a nil tx outside of a command.
	EmailLinks(ctx context.Context, tx *ledger.Tx, uid int64) ([]EmailLink, error)
	DropEmailLink(ctx context.Context, tx *ledger.Tx, l EmailLink) error
	// Cards reads the cards of those of uids who are members, in any order.
	Cards(ctx context.Context, uids []int64) ([]Card, error)
	// CardsIn is Cards within a command.
	CardsIn(ctx context.Context, tx *ledger.Tx, uids []int64) ([]Card, error)
	// WalletTaken tells whether another member is paid to an address, or a
	// withdrawal of another's is on its way there.
	WalletTaken(ctx context.Context, tx *ledger.Tx, uid int64, w Wallet) (bool, error)
	// WithWallet are the members who are paid to an address.
	WithWallet(ctx context.Context, w Wallet) ([]int64, error)
	// Setting is what the program remembers under name; false if nothing.
	Setting(ctx context.Context, tx *ledger.Tx, name string) ([]byte, bool, error)
	// AddSetting remembers value under a new name; a *ledger.ConstraintError
	// if the name is taken.
	AddSetting(ctx context.Context, tx *ledger.Tx, name string, value []byte) error
}
