// Package plan is the compensation rules as pure functions over columns: what
// a close of a day pays, to whom, out of what, and why. It has no SQL, no clock
// and no I/O: (plan, book, the day's inputs) → result.
//
// The book holds every member by join order, in columns, because each step is
// one pass over the members: a parent and a sponsor always joined before their
// downline, so going back through the order sums any leg. Amounts are int64
// micro-dollars; products are floored with 128 bits in the middle.
//
// The steps of a close stand in close.go in their fixed order; network.go has
// the incomes that sales pay, trading.go those of the trading lines.
package plan
