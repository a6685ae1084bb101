// Package team answers queries of members about their team: invitations, downline,
// business by leg, and the dashboard. It reads the tree's index, members' cards and the
// ledger's balances.
package team

import (
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// Query selects a list. Days are local and both inclusive; zero is open.
type Query struct {
	UID        int64
	Side       tree.Side // NoSide: both
	Active     *bool     // nil: both
	From, To   time.Time // midnights of local days
	Sort       string    // "" or a column, with - before it for descending
	Page, Size int
}

// sorts are the sortable columns of a list.
var sorts = map[string]tree.Order{
	"registrationDate": tree.ByJoined,
	"uid":              tree.ByUID,
	"leveltype":        tree.ByLevel,
	"RobotInvet":       tree.ByRobot,
	"forexInvest":      tree.ByForex,
	"CryptoInvest":     tree.ByCrypto,
}

// MaxSize is the largest page.
const MaxSize = 500

// list converts a query to one of the tree. Invalid names every wrong field.
func (q Query) list(of tree.No) (tree.List, error) {
	var wrong []errs.Field
	l := tree.List{Of: of, Leg: q.Side, Active: q.Active, Since: q.From, Descending: true}
	if !q.To.IsZero() {
		l.Until = q.To.AddDate(0, 0, 1)
	}
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From) {
		wrong = append(wrong, errs.NewField("tdate", "report.last_day_before_first", "The last day is before the first."))
	}
	if column := q.Sort; column != "" {
		if l.Descending = column[0] == '-'; l.Descending {
			column = column[1:]
		}
		order, known := sorts[column]
		if !known {
			wrong = append(wrong, errs.NewField("sort", "field.not_sortable", "This list cannot be sorted by {column}.", "column", column))
		}
		l.Order = order
	}
	if q.Page < 1 || q.Page > 1_000_000 {
		wrong = append(wrong, errs.NewField("page", "field.page_range", "Pages are counted from 1 to 1000000."))
	}
	if q.Size < 1 || q.Size > MaxSize {
		wrong = append(wrong, errs.NewField("size", "field.size_range", "A page has 1 to 500 rows."))
	}
	l.Offset, l.Limit = (q.Page-1)*q.Size, q.Size
	return l, errs.Fields(wrong)
}

// Person is a member in a list.
type Person struct {
	tree.Row
	member.Card
}

// Page is part of a list and the length of the whole list.
type Page[T any] struct {
	Rows  []T
	First int // number of the first row, from 1
	Total int
}

// LegBusiness is the business of one invitation and of its downline along sponsors.
type LegBusiness struct {
	UID        int64
	Self, Team tree.Business
}

// TreeNode is one place of the tree's window.
type TreeNode struct {
	tree.Node
	member.Card
	// Under and Side locate a free place.
	Under int64
	Side  tree.Side
}

// Free reports whether the place is free.
func (n TreeNode) Free() bool { return n.No == 0 }

// Dashboard is the data of the first screen.
type Dashboard struct {
	Member       member.Card
	Own          tree.Business
	Active       bool
	Funds        [3]money.Amount // available, by line: Robot, Forex, Crypto
	Left, Right  tree.Totals
	DirectsLeft  tree.Directs
	DirectsRight tree.Directs
	Earned       []Earned
}

// Income is the sum of one kind of income; line is that of ROI.
func (d Dashboard) Income(kind plan.Kind, line string) money.Amount {
	for _, e := range d.Earned {
		if e.Kind == kind && e.Line == line {
			return e.Amount
		}
	}
	return money.Amount{}
}

// Event is one of today's events in a team.
type Event struct {
	UID    int64
	Name   string
	At     time.Time
	Amount money.Amount
	// Refunded is set for a Robot package that was refunded or charged back since.
	Refunded bool
}
