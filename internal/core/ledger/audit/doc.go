// Package audit checks the ledger without trusting the code that wrote it.
//
// The story. Reader gives the rows as they are stored, all of one moment
// (store.go). The feed hands them out in ledger order, page by page, so that
// memory depends on the number of accounts and holds and not on the number of
// transfers (feed.go). The checker takes one batch after the other: its own
// record, every transfer with its entries, every remembered command, the
// Merkle root, the signature (batch.go, transfer.go, rules.go, holds.go,
// commands.go). What the rows before add up to is kept in books: Verify
// replays from the first entry on (replay.go) and compares accounts, holds and
// head at the end (verify.go, final.go); Follower looks up what it needs, so
// that it can check what is new and a slice of what is old every minute
// (follow.go, window.go). The first wrong row is a *Finding.
//
// Nothing here imports package ledger, and bytes and rules are written from
// docs/ledger-format.md: a mistake there must not hide itself here.
package audit
