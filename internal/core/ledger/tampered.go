package ledger

import (
	"crypto/ed25519"
	"fmt"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// TamperedError reports a row that does not match the signed chain. A command that
// reads such a row is refused and the ledger is frozen, because other rows may have
// been changed too.
type TamperedError struct{ What string }

func (e *TamperedError) Error() string { return "ledger: changed outside Bifolia: " + e.What }

// Tampered returns a Conflict that wraps a TamperedError: name is the user's word
// for the row, how is the evidence. Callers must not ignore it.
func Tampered(name, how string) error {
	return errs.Wrap(errs.Conflict, &TamperedError{What: name + ": " + how},
		"ledger.row_tampered", "{row} was changed outside Bifolia: {how}. Payments are frozen until 'bifolia verify --thaw' passes.", "row", name, "how", how)
}

// Sealed reports whether a command hashes to its stored leaf.
func (r *CommandRow) Sealed() bool { return commandLeaf(r) == r.Leaf }

// Signed returns nil if leaves are those of the batch and one of the keys has
// signed it.
func (b *BatchRow) Signed(leaves []Hash, keys map[string]ed25519.PublicKey) error {
	key := keys[b.KeyID]
	switch {
	case merkleRoot(leaves) != b.Root || batchHash(b) != b.Hash:
		return fmt.Errorf("batch %d is not the batch that was signed", b.No)
	case key == nil:
		return fmt.Errorf("batch %d is signed by the unknown key %q", b.No, b.KeyID)
	case !ed25519.Verify(key, b.Hash[:], b.Signature):
		return fmt.Errorf("the signature of batch %d is wrong", b.No)
	}
	return nil
}

// freeze freezes the ledger because a command has read a tampered row.
func (g *group) freeze(e *TamperedError) {
	if g.head.Frozen != "" {
		return
	}
	why := "A row was changed outside Bifolia: " + e.What
	if checkText("reason", why, maxReason) != nil {
		why = "A row was changed outside Bifolia: run 'bifolia verify'."
	}
	g.s.opt.Log.Error("ledger: freeze", "reason", why)
	g.head.Frozen, g.writes = why, true
}
