// Package demo builds a realistic history: people of several countries join, deposit,
// buy, invest, win and lose, ask questions and withdraw, day after day, and each day is
// closed. The history is generated from a fixed seed, so the same last day gives the same
// members, ids, amounts and digests. All steps use the services of the server; only the
// clock is set by the build.
//
// events.go generates the steps of each day, commands.go turns a step into a command, and
// build.go runs the commands and closes the days. An interrupted build continues where it
// stopped: it skips closed days, and every step has an idempotency key.
package demo

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Size is the size of a history.
type Size struct {
	Members int `json:"members"`
	Days    int `json:"days"`
}

// Full is the default size of a demo.
var Full = Size{Members: 2000, Days: 120}

// The minimum for a history with the leader and the ordinary member, and the maximum that
// can be built in acceptable time.
const (
	minMembers, maxMembers = 100, 20_000
	minDays, maxDays       = 20, 400
)

// Check returns Invalid if the size is out of range.
func (s Size) Check() error {
	if s.Members < minMembers || s.Members > maxMembers || s.Days < minDays || s.Days > maxDays {
		return errs.New(errs.Invalid, "demo.size", "A demo must have {least} to {most} members and {least_days} to {most_days} days.", "least", minMembers, "most", maxMembers, "least_days", minDays, "most_days", maxDays)
	}
	return nil
}

// Mark identifies a history. The first command stores it in the database, so that an
// interrupted build continues with the same history.
type Mark struct {
	Size
	Last plan.Day `json:"last"` // the last day of the history
}

// ParseMark reads a stored Mark.
func ParseMark(raw []byte) (m Mark, err error) {
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("the demo's history mark cannot be read: %w", err)
	}
	return m, m.Check()
}

// Last returns the last day of a history built at now: the latest that can be closed then.
func Last(now time.Time) plan.Day {
	p := plan.Default()
	return p.Day(now.Add(-time.Duration(p.GraceMinutes)*time.Minute)) - 1
}

// Starts is the initial time of a history's clock.
func (m Mark) Starts() time.Time { return instant(m.first(), wakes) }

func (m Mark) first() plan.Day { return m.Last - plan.Day(m.Days) + 1 }

// Member is the sign-in of a member of the demo.
type Member struct {
	UID                 string `json:"uid"`
	Password            string `json:"password"`
	TransactionPassword string `json:"transaction_password"`
}

// Operator is the sign-in of the demo's operator.
type Operator struct {
	Email      string `json:"email"`
	Password   string `json:"password"`
	TOTPSecret string `json:"totp_secret"` // of the authenticator app, in base32
}

// SignIns are the three accounts of a demo that can sign in. They are public and the same
// in every demo. Other members of the history have no password.
type SignIns struct {
	Leader   Member   `json:"leader"`
	Member   Member   `json:"member"`
	Operator Operator `json:"operator"`
}

const operatorName = "Demo Operator"

// idKey is the key of the demo's user ids, so that they are the same in every demo.
var idKey = []byte("bifolia demo ids")

// The join numbers of the members who can sign in.
const (
	leaderNo   = 2
	ordinaryNo = 40
)

// Who returns the sign-ins of all demos. Internal if the key of ids is wrong.
func Who() (SignIns, error) {
	ids, err := member.NewIDs(idKey)
	if err != nil {
		return SignIns{}, err
	}
	uid := func(no int64) string { return strconv.FormatInt(ids.At(no), 10) }
	return SignIns{
		Leader:   Member{uid(leaderNo), "demo-leader-pass", "leader2468"},
		Member:   Member{uid(ordinaryNo), "demo-member-pass", "member2468"},
		Operator: Operator{"operator@example.test", "demo-operator-pass", "BIFOLIADEMOSECRETBIFOLIADEMO2345"},
	}, nil
}
