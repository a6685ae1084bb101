package ledger

import (
	"context"
	"encoding/hex"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Kind is the purpose of a ledger, set once by its first command. It is part of
// the signed chain, so that no changed row turns real books into a demo.
type Kind string

const (
	Real Kind = "real"
	Demo Kind = "demo"
)

// KindID is the id of the command that sets a ledger's kind: its answer is the kind.
var KindID = CommandID{Actor: "installation", Key: "kind"}

// KindCommand sets the kind of an empty ledger. Refused if the ledger is not empty.
func KindCommand(k Kind) Command {
	return Command{Actor: KindID.Actor, Key: KindID.Key, Body: []byte(k), Run: func(_ context.Context, tx *Tx) ([]byte, error) {
		if tx.g.head.Batch > 0 {
			return nil, errs.New(errs.Refused, "ledger.kind_unknown", "The ledger does not record whether it is a demo or real, and it is not empty.")
		}
		return []byte(k), nil
	}}
}

// ID is the id of a ledger: the first 8 bytes of its genesis, in hex.
func ID(genesis Hash) string { return hex.EncodeToString(genesis[:8]) }

// IsID reports whether a text is the id of a ledger.
func IsID(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == 8 && hex.EncodeToString(raw) == text
}
