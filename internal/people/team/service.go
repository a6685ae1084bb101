package team

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Options configures a Service.
type Options struct {
	Tree    *tree.Service
	Members *member.Service
	Store   Store
	Clock   clock.Clock
	Zone    *time.Location // of local days
}

// Service answers queries. The caller has checked that uid may ask.
type Service struct{ opt Options }

func New(opt Options) *Service { return &Service{opt} }

// Zone is the time zone of local days.
func (s *Service) Zone() *time.Location { return s.opt.Zone }

// MaxLevel is the depth of lists along sponsors.
const MaxLevel = 20

// find returns a member's number. A standby follows the tree with a delay, so a missing
// member is looked up once more after catching up.
func (s *Service) find(ctx context.Context, uid int64) (tree.No, error) {
	no := s.opt.Tree.Find(uid)
	if no == 0 {
		if err := s.opt.Tree.Catch(ctx); err != nil {
			return 0, errs.Wrap(errs.Unavailable, err, "tree.unreadable", "The tree cannot be read at the moment. Try again in a few seconds.")
		}
		no = s.opt.Tree.Find(uid)
	}
	if no == 0 {
		return 0, errs.New(errs.NotFound, "member.not_found", "There is no member {uid}.", "uid", uid)
	}
	return no, nil
}

// Node is a member's place with its legs. NotFound if there is no such member.
func (s *Service) Node(ctx context.Context, uid int64) (tree.Node, error) {
	no, err := s.find(ctx, uid)
	if err != nil {
		return tree.Node{}, err
	}
	n, _ := s.opt.Tree.Get(no)
	return n, nil
}

// Referrals lists a member's invitations.
func (s *Service) Referrals(ctx context.Context, q Query) (Page[Person], error) {
	return s.people(ctx, q, func(l tree.List) ([]tree.Row, int) { return s.opt.Tree.Levels(l, 1, 1) })
}

// Team lists the members below a member.
func (s *Service) Team(ctx context.Context, q Query) (Page[Person], error) {
	return s.people(ctx, q, s.opt.Tree.Team)
}

// Levels lists a member's downline along sponsors: one level, or with 0 all
// twenty. Invalid if there is no such level.
func (s *Service) Levels(ctx context.Context, q Query, level int) (Page[Person], error) {
	if level < 0 || level > MaxLevel {
		return Page[Person]{}, errs.BadField("leveltype", "team.level_range", "Levels go from 1 to 20; 0 is all of them.")
	}
	from, to := level, level
	if level == 0 {
		from, to = 1, MaxLevel
	}
	q.Side = tree.NoSide
	return s.people(ctx, q, func(l tree.List) ([]tree.Row, int) { return s.opt.Tree.Levels(l, from, to) })
}

// people is a page of a list with each member's card.
func (s *Service) people(ctx context.Context, q Query, list func(tree.List) ([]tree.Row, int)) (page Page[Person], err error) {
	no, err := s.find(ctx, q.UID)
	if err != nil {
		return page, err
	}
	l, err := q.list(no)
	if err != nil {
		return page, err
	}
	rows, total := list(l)
	page.First, page.Total = l.Offset+1, total
	uids := make([]int64, len(rows))
	for i, r := range rows {
		uids[i] = r.UID
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	if err != nil {
		return page, err
	}
	for _, r := range rows {
		page.Rows = append(page.Rows, Person{r, cards[r.UID]})
	}
	return page, nil
}

// LegBusiness lists the business of each invitation and its downline.
func (s *Service) LegBusiness(ctx context.Context, q Query) (page Page[LegBusiness], err error) {
	no, err := s.find(ctx, q.UID)
	if err != nil {
		return page, err
	}
	l, err := q.list(no)
	if err != nil {
		return page, err
	}
	rows, total := s.opt.Tree.Levels(l, 1, 1)
	page.First, page.Total = l.Offset+1, total
	for _, r := range rows {
		page.Rows = append(page.Rows, LegBusiness{r.UID, r.Business, s.opt.Tree.Downline(r.No).Business})
	}
	return page, nil
}

// Window returns the tree below the sought member, four levels deep; nothing if the
// sought member is not in the tree of uid.
func (s *Service) Window(ctx context.Context, uid, sought int64) ([]TreeNode, error) {
	top, err := s.find(ctx, uid)
	if err != nil {
		return nil, err
	}
	no := s.opt.Tree.Find(sought)
	if no == 0 || !s.opt.Tree.Below(top, no) {
		return nil, nil
	}
	window := s.opt.Tree.Window(no)
	uids := make([]int64, 0, len(window))
	for i := range window {
		if window[i].No != 0 {
			uids = append(uids, window[i].UID)
		}
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	if err != nil {
		return nil, err
	}
	nodes := make([]TreeNode, len(window))
	for i := range window {
		n := &window[i]
		nodes[i] = TreeNode{Node: *n, Card: cards[n.UID], Side: n.Side}
		if n.No == 0 {
			nodes[i].Under, nodes[i].Side = window[(i-1)/2].UID, tree.Side(2-i%2)
		}
	}
	return nodes, nil
}
