// Package demo builds a history that looks lived: people of several countries
// join, deposit, buy, invest, win and lose, ask and withdraw, day after day,
// and each day is closed. A seed decides everything, so the same last day gives
// the same members, ids, amounts and digests. Everything goes through the
// services that the product uses; only the clock is moved by hand.
//
// story.go tells what happens, as a list of steps by day; deeds.go says which
// command each step is; build.go sends them and closes the days. A build that
// was interrupted goes on where it stopped: a closed day is skipped, and every
// step has a key under which it is done once.
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

// Size is how much history there is.
type Size struct {
	Members int `json:"members"`
	Days    int `json:"days"`
}

// Full is the history that a demo has unless told otherwise.
var Full = Size{Members: 2000, Days: 120}

// The least that a story with its leader and its ordinary member needs, and
// the most that can be built in a bearable time.
const (
	minMembers, maxMembers = 100, 20_000
	minDays, maxDays       = 20, 400
)

// Check is Invalid if there can be no such history.
func (s Size) Check() error {
	if s.Members < minMembers || s.Members > maxMembers || s.Days < minDays || s.Days > maxDays {
		return errs.New(errs.Invalid, "demo.size", "A demo has {least} to {most} members and {least_days} to {most_days} days.", "least", minMembers, "most", maxMembers, "least_days", minDays, "most_days", maxDays)
	}
	return nil
}

// Mark is what the database remembers of a history from its first command on,
// so that a build that was interrupted goes on with the same one.
type Mark struct {
	Size
	Last plan.Day `json:"last"` // the last day of the history
}

// ParseMark reads what the database remembers.
func ParseMark(raw []byte) (m Mark, err error) {
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("the demo's history mark cannot be read: %w", err)
	}
	return m, m.Check()
}

// Last is the last day of a history built at a time: the latest that may be
// closed then.
func Last(now time.Time) plan.Day {
	p := plan.Default()
	return p.Day(now.Add(-time.Duration(p.GraceMinutes)*time.Minute)) - 1
}

// Starts is when the clock of a history begins.
func (m Mark) Starts() time.Time { return instant(m.first(), wakes) }

func (m Mark) first() plan.Day { return m.Last - plan.Day(m.Days) + 1 }

// Member is how a member of the demo signs in.
type Member struct {
	UID                 string `json:"uid"`
	Password            string `json:"password"`
	TransactionPassword string `json:"transaction_password"`
}

// Operator is how the demo's operator signs in.
type Operator struct {
	Email      string `json:"email"`
	Password   string `json:"password"`
	TOTPSecret string `json:"totp_secret"` // of the authenticator app, in base32
}

// SignIns are the three people one can be in a demo. They are the same in
// every demo and no secret: a demo is no place for real people or money.
// Nobody else of the history has a password.
type SignIns struct {
	Leader   Member   `json:"leader"`
	Member   Member   `json:"member"`
	Operator Operator `json:"operator"`
}

const operatorName = "Demo Operator"

// idKey draws the demo's user ids, so that they are the same in every demo.
var idKey = []byte("bifolia demo ids")

// Who of the history signs in, by join number.
const (
	leaderNo   = 2
	ordinaryNo = 40
)

// Who are the sign-ins of every demo. Internal if the key of ids is wrong.
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
