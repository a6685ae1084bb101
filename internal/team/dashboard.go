package team

import (
	"context"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/tree"
)

// funds are the wallets that the dashboard shows.
var funds = [3]string{tree.Robot: "FUNDS", tree.Forex: "FOREXFUNDS", tree.Crypto: "CRYPTOFUNDS"}

// Dashboard is what a member sees first.
func (s *Service) Dashboard(ctx context.Context, uid int64) (d Dashboard, err error) {
	no, err := s.find(ctx, uid)
	if err != nil {
		return d, err
	}
	cards, err := s.opt.Members.Cards(ctx, []int64{uid})
	m, found := cards[uid]
	if err == nil && !found {
		err = errs.New(errs.NotFound, "There is no member %d.", uid)
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

// RecentRows is how many rows the tables of today's events show by default.
const RecentRows = 20

// today is when the local day began.
func (s *Service) today() time.Time {
	now := s.opt.Clock.Now().In(s.opt.Zone)
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, s.opt.Zone)
}

// Registered are today's registrations in the team, newest first.
func (s *Service) Registered(ctx context.Context, uid int64, page, size int) (out Page[Event], err error) {
	found, err := s.Team(ctx, Query{UID: uid, From: s.today(), Page: page, Size: size})
	out.First, out.Total = found.First, found.Total
	for _, p := range found.Rows {
		out.Rows = append(out.Rows, Event{UID: p.Row.UID, Name: p.Name, At: p.Joined})
	}
	return out, err
}

// boughtLimit bounds how many of today's purchases of everybody are searched
// for those of one team.
const boughtLimit = 100_000

// Bought are today's activations and top-ups in the team, newest first.
func (s *Service) Bought(ctx context.Context, uid int64, page, size int) (out Page[Event], err error) {
	top, err := s.find(ctx, uid)
	if err != nil {
		return out, err
	}
	all, err := s.opt.Store.Bought(ctx, s.today(), boughtLimit)
	if err != nil {
		return out, err
	}
	out.First = (page-1)*size + 1
	var uids []int64
	for _, b := range all {
		if b.No == top || !s.opt.Tree.Below(top, b.No) {
			continue
		}
		if out.Total++; out.Total < out.First || len(out.Rows) == size {
			continue
		}
		n, _ := s.opt.Tree.Get(b.No)
		out.Rows, uids = append(out.Rows, Event{UID: n.UID, At: b.At, Amount: b.Amount}), append(uids, n.UID)
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	for i := range out.Rows {
		out.Rows[i].Name = cards[out.Rows[i].UID].Name
	}
	return out, err
}
