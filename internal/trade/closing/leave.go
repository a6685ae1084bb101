package closing

import (
	"context"
	"slices"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// State after a close beside the carried values: the tree, the open positions with their
// losses, and the members under review. Until the next close members join, invest and
// come under review, but that changes none of the existing entries.

// Left is its part of the answer of a close.
type Left struct {
	Members int64   `json:"members,omitempty"` // number of members covered by Tree
	Tree    string  `json:"tree,omitempty"`
	Open    string  `json:"open,omitempty"`    // of open positions and their losses
	Blocked []int64 `json:"blocked,omitempty"` // join numbers of members under review
}

// OpenPosition is a position that shares in the results of its line.
type OpenPosition struct {
	ID   string
	Loss int64
}

func (s *sealed) place(uid int64, side uint8, sponsor, parent int32) {
	s.numbers(uid<<2|int64(side), int64(sponsor)<<32|int64(uint32(parent)))
}

func (s *sealed) open(p OpenPosition) {
	s.text(p.ID)
	s.numbers(p.Loss)
}

// treeSeal returns the hash of the places of the first n members.
func (d *day) treeSeal(n int64) string {
	s, b := newSealed(), d.book
	for i := range min(int(n), len(b.UID)) {
		s.place(b.UID[i], b.Side[i], b.Sponsor[i], b.Parent[i])
	}
	return s.String()
}

// openSeal returns the hash of the positions opened until a day that are still open.
func (d *day) openSeal(on plan.Day) string {
	s := newSealed()
	for i := range d.book.Lines {
		for k := range d.book.Lines[i].Positions {
			if p := &d.book.Lines[i].Positions[k]; p.State == plan.Open && p.Opened <= on {
				s.open(OpenPosition{p.ID, p.Loss})
			}
		}
	}
	return s.String()
}

// left returns what this close leaves.
func (d *day) left() Left {
	l := Left{Members: int64(len(d.book.UID)), Tree: d.treeSeal(int64(len(d.book.UID))), Open: d.openSeal(d.day)}
	for i, blocked := range d.book.Blocked {
		if blocked {
			l.Blocked = append(l.Blocked, int64(i)+1)
		}
	}
	return l
}

// checkLeft refuses to continue if the database differs from what the last close left, or
// if a new position is not in its initial state. Started and ended reviews must match the
// signed chain.
func (d *day) checkLeft(ctx context.Context, l Left, last plan.Day) error {
	if d.treeSeal(l.Members) != l.Tree {
		return notLeft("Where members sit is", last)
	}
	if d.openSeal(last) != l.Open {
		return notLeft("Which positions are open, or what they have lost, is", last)
	}
	for i := range d.book.Lines {
		for k := range d.book.Lines[i].Positions {
			if p := &d.book.Lines[i].Positions[k]; p.Opened > last && (p.State != plan.Open || p.Loss != 0) {
				return ledger.Tampered("Position "+p.ID, "it was opened after the last close, and is not as it was opened")
			}
		}
	}
	blocked := slices.Clone(l.Blocked)
	for i, is := range d.book.Blocked {
		if is {
			blocked = append(blocked, int64(i)+1)
		}
	}
	slices.Sort(blocked)
	return d.s.opt.Store.VerifyReviews(ctx, d.tx, slices.Compact(blocked), last)
}

// notLeft is the error for a database that differs from what a close left. It freezes
// payments.
func notLeft(what string, last plan.Day) error {
	return errs.Wrap(errs.Refused, &ledger.TamperedError{What: what + " not what the close of " + last.String() + " left"},
		"close.database_changed", "{what} not what the close of {day} left: the database was changed. Nothing was closed. Restore a backup, then run 'bifolia verify'.", "what", what, "day", last)
}

// checkLefts is checkLeft for 'bifolia verify'. Reviews are verified by their own lines.
func checkLefts(ctx context.Context, m Moment, l Left, last plan.Day) error {
	tree, n := newSealed(), int64(0)
	if err := m.Members(ctx, func(x Member) error {
		if n++; n <= l.Members {
			tree.place(x.UID, x.Side, int32(x.Sponsor-1), int32(x.Parent-1))
		}
		return nil
	}); err != nil {
		return err
	}
	if got := tree.String(); got != l.Tree {
		return &Broken{"members sit where the last close found them", "day " + last.String(), got, l.Tree}
	}
	open := newSealed()
	for _, line := range plan.LineNames {
		all, err := m.Open(ctx, line, last)
		if err != nil {
			return err
		}
		for _, p := range all {
			open.open(p)
		}
	}
	if got := open.String(); got != l.Open {
		return &Broken{"open positions and their losses are what the last close left", "day " + last.String(), got, l.Open}
	}
	return nil
}
