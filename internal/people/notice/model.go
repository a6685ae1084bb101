// Package notice tells members what became of what is theirs: requests decided,
// withdrawals on their way, money from other members, queries answered,
// investments at their end. Nothing is written for it but how far a member has
// read: the rows that say what happened are the notices.
package notice

import (
	"cmp"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Kind is what a notice is about.
type Kind string

const (
	Bank       Kind = "bank"       // a fund request by bank was approved or rejected
	USDT       Kind = "usdt"       // one by USDT was
	Received   Kind = "received"   // another member transferred money
	Withdrawal Kind = "withdrawal" // how far a withdrawal has come
	Answer     Kind = "answer"     // a query was answered
	Claim      Kind = "claim"      // an investment's term has passed
)

// Ready is the state of a claim whose money is there.
const Ready = "Ready"

// Notice is one thing that happened to a member.
type Notice struct {
	Kind   Kind
	ID     string // of the request, transfer, withdrawal, query or claim
	State  string // what it is now; "" where it has none
	Name   string // of the fund, the wallet or the line
	From   int64  // who transferred
	Amount money.Amount
	Remark string
	At     time.Time
}

// Most is how many notices a member is shown.
const Most = 20

// newest puts what happened last first, and leaves out what nobody reads any more.
func newest(all []Notice) []Notice {
	slices.SortStableFunc(all, func(a, b Notice) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.ID, a.ID))
	})
	return all[:min(len(all), Most)]
}
