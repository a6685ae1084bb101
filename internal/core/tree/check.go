package tree

import (
	"context"
	"fmt"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// Check recounts the tree from the stored rows and returns the first wrong member.
// It checks the places, the line ends that placement uses, each member's business
// against all its changes, and the legs of every member against the index. It
// shares no code with placement and the index: it makes one pass forward and one
// back over the members in the order of joining.

// Finding is the first wrong member.
type Finding struct {
	No   No
	UID  int64
	What string
}

func (f *Finding) Error() string {
	return fmt.Sprintf("member %d (join number %d): %s", f.UID, f.No, f.What)
}

// Summary is the result of a successful Check.
type Summary struct {
	Members int64 `json:"members"`
	Changes int64 `json:"changes"`
}

// String returns the summary as a sentence.
func (s Summary) String() string {
	return fmt.Sprintf("The tree is right: %d members, %d changes, both legs of every member recounted.", s.Members, s.Changes)
}

// recount holds the tree by join number; 0 is no member.
type recount struct {
	stored []Stored
	seats  map[[2]No]bool
	uids   map[int64]bool
	lines  [3][]No // by side: the top of each member's outer line
	tails  [3][]No // by side: the tail of the line that begins at a member
	seq    int64
	brings []Totals // each member's own
}

// Check recounts everything. The error is a *Finding if a member is wrong.
func Check(ctx context.Context, store Store) (Summary, error) {
	r := &recount{stored: make([]Stored, 1), seats: map[[2]No]bool{}, uids: map[int64]bool{}, brings: make([]Totals, 1)}
	for side := range r.lines {
		r.lines[side], r.tails[side] = make([]No, 1), make([]No, 1)
	}
	if err := store.All(ctx, r.place, r.change); err != nil {
		return Summary{}, err
	}
	sum := Summary{Members: int64(len(r.stored) - 1), Changes: r.seq}
	if err := r.kept(); err != nil {
		return sum, err
	}
	return sum, r.legs()
}

func (r *recount) wrong(s Stored, format string, args ...any) error {
	return &Finding{s.No, s.UID, fmt.Sprintf(format, args...)}
}

// place adds the next member, which must be exactly where the rule puts it.
func (r *recount) place(s Stored) error {
	no := No(len(r.stored))
	seat := [2]No{s.Parent, No(s.Side)}
	switch {
	case s.No != no:
		return r.wrong(s, "join number %d is missing", no)
	case r.uids[s.UID]:
		return r.wrong(s, "another member has its id")
	case no > 1 && !s.Joined.After(r.stored[no-1].Joined):
		return r.wrong(s, "it joined no later than the member before it")
	case s.Sponsor >= no || (s.Sponsor == 0) != (no == 1):
		return r.wrong(s, "it cannot have sponsor %d", s.Sponsor)
	case s.Side > Right || (s.Side == NoSide) != (s.Parent == 0):
		return r.wrong(s, "it cannot be on side %d of %d", s.Side, s.Parent)
	case s.Parent != 0 && r.seats[seat]:
		return r.wrong(s, "its place is taken")
	case s.Parent != 0 && r.tails[s.Side][r.lines[s.Side][s.Sponsor]] != s.Parent:
		return r.wrong(s, "it hangs under %d, and its sponsor's outer line ends at %d", s.Parent, r.tails[s.Side][r.lines[s.Side][s.Sponsor]])
	}
	r.stored, r.brings = append(r.stored, s), append(r.brings, Totals{})
	r.seats[seat], r.uids[s.UID] = true, true
	for side := Left; side <= Right; side++ {
		top := no
		if s.Side == side {
			top = r.lines[side][s.Parent]
		}
		r.lines[side], r.tails[side] = append(r.lines[side], top), append(r.tails[side], no)
		r.tails[side][top] = no
	}
	return nil
}

func (r *recount) change(c Change) error {
	if c.Seq != r.seq+1 || c.No == 0 || int(c.No) >= len(r.stored) {
		return &Finding{c.No, 0, fmt.Sprintf("change %d does not follow %d, or is of nobody", c.Seq, r.seq)}
	}
	r.seq = c.Seq
	own := &r.brings[c.No]
	*own = own.Add(Totals{Business: c.Add})
	own.Active = 0
	if c.Active {
		own.Active = 1
	}
	return nil
}

// kept compares the line ends and business stored beside the places.
func (r *recount) kept() error {
	for no := No(1); int(no) < len(r.stored); no++ {
		s, own := r.stored[no], &r.brings[no]
		if s.LeftTop != r.lines[Left][no] || s.RightTop != r.lines[Right][no] {
			return r.wrong(s, "its outer lines begin at %d and %d, not at %d and %d", r.lines[Left][no], r.lines[Right][no], s.LeftTop, s.RightTop)
		}
		if left := r.tails[Left][no]; s.LeftTop == no && s.LeftTail != left {
			return r.wrong(s, "its left line ends at %d, not at %d", left, s.LeftTail)
		}
		if right := r.tails[Right][no]; s.RightTop == no && s.RightTail != right {
			return r.wrong(s, "its right line ends at %d, not at %d", right, s.RightTail)
		}
		if s.Active != (own.Active == 1) || s.Business != own.Business {
			return r.wrong(s, "what it brings is not the sum of its changes")
		}
		own.Members = 1
	}
	return nil
}

// legs sums every leg in one pass back and compares it with the index.
func (r *recount) legs() error {
	index := NewIndex()
	if err := index.Load(func(yield func(Place) error) (int64, error) {
		for _, s := range r.stored[1:] {
			if err := yield(s.Place); err != nil {
				return 0, err
			}
		}
		return r.seq, nil
	}); err != nil {
		return err
	}
	legs := make([][3]Totals, len(r.stored))
	for no := len(r.stored) - 1; no > 0; no-- {
		s := r.stored[no]
		left, right := index.Legs(No(no))
		if left != legs[no][Left] || right != legs[no][Right] {
			return r.wrong(s, "the index counts its legs as %v and %v, a recount as %v and %v", left, right, legs[no][Left], legs[no][Right])
		}
		if s.Parent != 0 {
			up := &legs[s.Parent][s.Side]
			*up = up.Add(r.brings[no]).Add(legs[no][Left]).Add(legs[no][Right])
		}
	}
	return nil
}

// String returns a leg as a Finding shows it.
func (t Totals) String() string {
	sum := money.Micro(0)
	for _, b := range t.Business {
		sum = money.Micro(sum.Micros() + b.Micros())
	}
	return fmt.Sprintf("%d members, %d active, %s", t.Members, t.Active, sum)
}
