// Package ledger is the only code that changes a balance.
//
// The story, in ten lines. Money lies in accounts, named by a chart (chart.go).
// It moves by transfers: several legs, atomic, summing to zero across the two
// sides, never below an account's floor, never paying a member's income out of
// another's deposit (rules.go). A hold sets money aside without moving it and
// is resolved once (hold.go). Every change is a Command (sequencer.go): a
// function that reads, writes its own rows and posts, and is remembered by its
// idempotency key. One sequencer drains whatever commands wait, applies them in
// order to balances in memory (tx.go), writes the whole group in one durable
// transaction behind a fence that only the current sequencer can pass
// (group.go, commit.go), and only then answers. A failing command is undone
// alone. Each group is a batch of a hash chain whose head is signed with a key
// the database does not hold (chain.go, keys.go); package audit replays it all
// in code of its own.
//
// The ledger knows nothing of members' names, trees or plans.
package ledger
