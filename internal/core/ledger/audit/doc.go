// Package audit checks the ledger without trusting the code that wrote it.
//
// Reader returns the stored rows of one snapshot (store.go). The feed yields them in
// ledger order, page by page, so that memory depends on the number of accounts and
// holds and not on the number of transfers (feed.go). The checker checks one batch
// after the other: its own record, every transfer with its entries, every stored
// command, the Merkle root and the signature (batch.go, transfer.go, rules.go,
// holds.go, commands.go). The sums of the rows before are kept in books: Verify
// replays from the first entry on (replay.go) and compares accounts, holds and head
// at the end (verify.go, final.go); Follower reads the sums it needs, so that it can
// check new batches and a slice of the old ones every minute (follow.go, window.go).
// The first wrong row is a *Finding.
//
// This package does not import package ledger, and implements bytes and rules from
// docs/ledger-format.md, so that it detects mistakes of package ledger.
package audit
