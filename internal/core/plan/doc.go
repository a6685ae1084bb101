// Package plan implements the compensation rules as pure functions over columns. They
// compute the payments of a day's close, with their recipients, sources and reasons.
// There is no SQL, no clock and no I/O: (plan, book, the day's inputs) → result.
//
// The book holds all members by join order, in columns, because each step is one pass
// over the members: parents and sponsors always joined before their downline, so a pass
// backward sums any leg. Amounts are int64 micro-dollars; products are computed with
// 128 bits and floored.
//
// close.go contains the steps of a close in their fixed order, network.go the incomes
// from sales and trading.go those of the trading lines.
package plan
