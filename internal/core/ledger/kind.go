package ledger

import (
	"context"
	"encoding/hex"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Kind is what a ledger is for. Its first command says it, for ever: it stands in
// the signed chain, so that no change of a row makes a demo of real books.
type Kind string

// The kinds.
const (
	Real Kind = "real"
	Demo Kind = "demo"
)

// KindID is the command that says a ledger's kind: its answer is the kind.
var KindID = CommandID{Actor: "installation", Key: "kind"}

// KindCommand says what an empty ledger is for. Refused if anything was written
// before.
func KindCommand(k Kind) Command {
	return Command{Actor: KindID.Actor, Key: KindID.Key, Body: []byte(k), Run: func(_ context.Context, tx *Tx) ([]byte, error) {
		if tx.g.head.Batch > 0 {
			return nil, errs.New(errs.Refused, "ledger.kind_unknown", "The ledger does not say whether it is a demo or real, and it is not empty.")
		}
		return []byte(k), nil
	}}
}

// ID names a ledger by its genesis: short enough to read out, and no two ledgers
// have the same.
func ID(genesis Hash) string { return hex.EncodeToString(genesis[:8]) }

// IsID tells whether a text is the name of a ledger.
func IsID(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == 8 && hex.EncodeToString(raw) == text
}
