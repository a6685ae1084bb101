// Package ledger is the only code that changes a balance.
//
// Accounts are listed in a chart (chart.go). Transfers move money between them:
// several legs, atomic, balanced across the two sides, never below an account's
// floor, never paying a member's income out of another's deposit (rules.go). A
// hold sets money aside without moving it and is resolved once (hold.go). Every
// change is a Command (sequencer.go): a function that reads, writes its own rows
// and posts, stored under its idempotency key. One sequencer takes the queued
// commands, applies them in order to balances in memory (tx.go), writes the whole
// group in one durable transaction behind a fence that only the current sequencer
// can pass (group.go, commit.go), and only then answers. A failing command is
// undone alone. Each group is a batch of a hash chain whose head is signed with a
// key that is not in the database (chain.go, keys.go); package audit replays the
// chain with independent code.
//
// The ledger does not depend on members' names, trees or plans.
package ledger
