// Package notice lists members' notices: decided requests, progress of withdrawals, money
// from other members, answered queries and matured investments. Only how far a member
// has read is stored: the rows of these events are the notices.
package notice

import (
	"cmp"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Kind is the subject of a notice.
type Kind string

const (
	Bank       Kind = "bank"       // a fund request by bank was approved or rejected
	USDT       Kind = "usdt"       // a fund request by USDT was approved or rejected
	Received   Kind = "received"   // another member transferred money
	Withdrawal Kind = "withdrawal" // the state of a withdrawal
	Answer     Kind = "answer"     // a query was answered
	Claim      Kind = "claim"      // an investment's term has passed
)

// Ready is the state of a claim whose money is available.
const Ready = "Ready"

// Notice is an event that concerns a member.
type Notice struct {
	Kind   Kind
	ID     string // of the request, transfer, withdrawal, query or claim
	State  string // the current state; "" if it has none
	Name   string // of the fund, the wallet or the line
	From   int64  // the sender of a transfer
	Amount money.Amount
	Remark string
	At     time.Time
}

// newest sorts notices, newest first, and cuts them off after limit.
func newest(all []Notice, limit int) []Notice {
	slices.SortStableFunc(all, func(a, b Notice) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.ID, a.ID))
	})
	return all[:min(len(all), limit)]
}
