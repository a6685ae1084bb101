package team

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

var funds = [3]string{tree.Robot: "FUNDS", tree.Forex: "FOREXFUNDS", tree.Crypto: "CRYPTOFUNDS"}

// Dashboard is a member's first screen.
func (s *Service) Dashboard(ctx context.Context, uid int64) (d Dashboard, err error) {
	no, err := s.find(ctx, uid)
	if err != nil {
		return d, err
	}
	cards, err := s.opt.Members.Cards(ctx, []int64{uid})
	m, found := cards[uid]
	if err == nil && !found {
		err = errs.New(errs.NotFound, "member.not_found", "There is no member {uid}.", "uid", uid)
	}
	if err != nil {
		return d, err
	}
	balances, err := s.opt.Store.Balances(ctx, uid)
	if err != nil {
		return d, err
	}
	if d.Earned, err = s.opt.Store.Earned(ctx, no); err != nil {
		return d, err
	}
	n, _ := s.opt.Tree.Get(no)
	d.Member, d.Own, d.Active, d.Left, d.Right = m, n.Business, n.Active, n.Left, n.Right
	d.DirectsLeft, d.DirectsRight = s.opt.Tree.Directs(no)
	suffix := ":" + strconv.FormatInt(uid, 10)
	for line, fund := range funds {
		d.Funds[line] = balances["L:FUND:"+fund+suffix].Available
	}
	return d, nil
}

// RecentRows is the default page size of today's events.
const RecentRows = 20

// today is the start of the local day.
func (s *Service) today() time.Time {
	now := s.opt.Clock.Now().In(s.opt.Zone)
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, s.opt.Zone)
}

// Today queries today's events in a team.
type Today struct {
	UID        int64
	Sort       string // "" newest first, or Edate, uid or, of purchases, amount, with - before it for descending
	Page, Size int
}

// Registered are today's registrations in the team. Invalid names every wrong field.
func (s *Service) Registered(ctx context.Context, q Today) (out Page[Event], err error) {
	found, err := s.Team(ctx, Query{UID: q.UID, From: s.today(), Page: q.Page, Size: q.Size, Sort: strings.Replace(q.Sort, "Edate", "registrationDate", 1)})
	out.First, out.Total = found.First, found.Total
	for _, p := range found.Rows {
		out.Rows = append(out.Rows, Event{UID: p.Row.UID, Name: p.Name, At: p.Joined})
	}
	return out, err
}

// boughtLimit bounds how many of today's purchases are searched for those of a team.
const boughtLimit = 100_000

// eventOrders are the sortable columns of today's purchases.
var eventOrders = map[string]func(a, b Event) int{
	"Edate":  func(a, b Event) int { return a.At.Compare(b.At) },
	"amount": func(a, b Event) int { return a.Amount.Cmp(b.Amount) },
	"uid":    func(a, b Event) int { return cmp.Compare(a.UID, b.UID) },
}

// Bought are today's activations and top-ups in the team. Invalid names every wrong
// field.
func (s *Service) Bought(ctx context.Context, q Today) (out Page[Event], err error) {
	top, err := s.find(ctx, q.UID)
	if err != nil {
		return out, err
	}
	column, down := strings.CutPrefix(q.Sort, "-")
	order, known := eventOrders[column]
	if q.Sort != "" && !known {
		return out, errs.BadField("sort", "field.not_sortable", "This list cannot be sorted by {column}.", "column", column)
	}
	since := s.today()
	all, err := s.opt.Store.Bought(ctx, since, boughtLimit)
	if err != nil {
		return out, err
	}
	for _, b := range all {
		if b.No == top || !s.opt.Tree.Below(top, b.No) {
			continue
		}
		n, _ := s.opt.Tree.Get(b.No)
		out.Rows = append(out.Rows, Event{UID: n.UID, At: b.At, Amount: b.Amount})
	}
	if known {
		if !down {
			slices.Reverse(out.Rows) // equal rows are then oldest first
		}
		slices.SortStableFunc(out.Rows, func(a, b Event) int {
			if down {
				return order(b, a)
			}
			return order(a, b)
		})
	}
	out.First, out.Total = (q.Page-1)*q.Size+1, len(out.Rows)
	out.Rows = out.Rows[min(out.First-1, out.Total):min(out.First-1+q.Size, out.Total)]
	uids := make([]int64, len(out.Rows))
	for i, e := range out.Rows {
		uids[i] = e.UID
	}
	if err := s.markRefunded(ctx, all, since, out.Rows); err != nil {
		return out, err
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	for i := range out.Rows {
		out.Rows[i].Name = cards[out.Rows[i].UID].Name
	}
	return out, err
}

// markRefunded marks the purchases of a page that were undone. The tree's changes do not
// name their sales: a sale is the first change of its amount that its buyer made from then
// on, in all.
func (s *Service) markRefunded(ctx context.Context, all []Bought, since time.Time, page []Event) error {
	var nos []tree.No
	for _, e := range page {
		if no := s.opt.Tree.Find(e.UID); !slices.Contains(nos, no) {
			nos = append(nos, no)
		}
	}
	refunded, err := s.opt.Store.Refunded(ctx, nos, since)
	if err != nil {
		return err
	}
	undone := map[Bought]bool{}
	for _, x := range refunded {
		for _, b := range slices.Backward(all) { // oldest first
			if b.No == x.No && b.Amount == x.Amount && !b.At.Before(x.At) && !undone[b] {
				undone[b] = true
				break
			}
		}
	}
	for i, e := range page {
		page[i].Refunded = undone[Bought{s.opt.Tree.Find(e.UID), e.Amount, e.At}]
	}
	return nil
}
