package ledger

import (
	"crypto/ed25519"
	"fmt"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// TamperedError says that a row is not what the signed chain says of it. A
// command that meets one is refused, and money stands still from then on:
// whoever changed the row may have changed more.
type TamperedError struct{ What string }

func (e *TamperedError) Error() string { return "ledger: changed past the product: " + e.What }

// Tampered is a Conflict that says of what people know by a name how it is seen
// that it was changed past the product. It is no refusal that a caller may pass
// over.
func Tampered(name, how string) error {
	return errs.Wrap(errs.Conflict, &TamperedError{What: name + ": " + how},
		"ledger.row_tampered", "{row} was changed past the product: {how}. Nothing is paid, and money stands still until 'bifolia verify' passes.", "row", name, "how", how)
}

// Sealed tells whether a command is what its leaf was made of.
func (r *CommandRow) Sealed() bool { return commandLeaf(r) == r.Leaf }

// Signed is nil if one of the keys has signed the batch, and these are its
// leaves.
func (b *BatchRow) Signed(leaves []Hash, keys map[string]ed25519.PublicKey) error {
	key := keys[b.KeyID]
	switch {
	case merkleRoot(leaves) != b.Root || batchHash(b) != b.Hash:
		return fmt.Errorf("batch %d is not what was signed", b.No)
	case key == nil:
		return fmt.Errorf("batch %d is signed by the unknown key %q", b.No, b.KeyID)
	case !ed25519.Verify(key, b.Hash[:], b.Signature):
		return fmt.Errorf("the signature of batch %d is wrong", b.No)
	}
	return nil
}

// found makes money stand still because of what a command has met.
func (g *group) found(e *TamperedError) {
	if g.head.Frozen != "" {
		return
	}
	why := "A row was changed past the product: " + e.What
	if checkText("reason", why, maxReason) != nil {
		why = "A row was changed past the product: run 'bifolia verify'."
	}
	g.s.opt.Log.Error("ledger: freeze", "reason", why)
	g.head.Frozen, g.writes = why, true
}
