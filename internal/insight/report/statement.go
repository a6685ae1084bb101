package report

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// heldSuffix selects what is on Hold of an income, in a separate account.
const heldSuffix = "Held"

// funds are the wallets that members pay from.
var funds = map[string]bool{"FUNDS": true, "FOREXFUNDS": true, "CRYPTOFUNDS": true}

// Wallets are the names of all wallets that have a statement.
func Wallets() string {
	return "FUNDS, FOREXFUNDS, CRYPTOFUNDS, LevelIncome, binaryIncome, ForexIncome, CryptoIncome, royalty_income or salaryrankreward; an income with Held after it is what is on Hold of it"
}

// Entry is one line of a statement.
type Entry struct {
	Version   int64 // counts the account's entries
	At        time.Time
	Kind      string // what happened, as the ledger calls it
	Reason    string
	Reference string
	Delta     money.Amount
	Balance   money.Amount // after it
	Held      money.Amount // of the balance: reserved, after it
	Other     int64        // the other member of a transfer, or the one that a purchase is for; 0 for nobody
	OtherName string
	// Of a purchase: the number of the member it is for, the package, and the day.
	No, Package int64
	Line        string // empty for Robot
	Day         plan.Day
	PackageName string
}

// Statement is an account over a period. Entries are only ever added, so it does not
// change once the period is over.
type Statement struct {
	UID              int64
	Wallet           string
	From, To         string // local days, as given; the first and last entry's where open
	Zone             *time.Location
	Opening, Closing money.Amount
	In, Out          money.Amount // between the two
	Count            int64
	account          int64
	first, last      int64 // versions
}

// Statement opens the statement of a member's wallet. From and To are days of the plan's
// zone, both inclusive; entries count by the time they were recorded.
//
// Errors: NotFound if there is no such member; Invalid if there is no such
// wallet, or the last day is before the first.
func (s *Service) Statement(ctx context.Context, q Query, wallet string) (st Statement, err error) {
	code, ok := accountOf(wallet, q.UID)
	if !ok {
		return st, errs.BadField("wallet", "report.wallet_unknown", "The wallet is {wallets}.", "wallets", Wallets())
	}
	if _, _, err := s.openAll(ctx, q); err != nil {
		return st, err
	}
	p, err := s.today(ctx)
	if err != nil {
		return st, err
	}
	st = Statement{UID: q.UID, Wallet: wallet, Zone: p.Zone()}
	account, versions, err := s.opt.Store.Account(ctx, code)
	if err != nil {
		return st, err
	}
	st.account, st.first, st.last = account, 1, versions
	if q.From != nil {
		st.From = q.From.String()
		if st.first, err = s.firstSince(ctx, account, versions, startOf(*q.From, st.Zone)); err != nil {
			return st, err
		}
	}
	if q.To != nil {
		st.To = q.To.String()
		next, err := s.firstSince(ctx, account, versions, startOf(*q.To+1, st.Zone))
		if err != nil {
			return st, err
		}
		st.last = next - 1
	}
	st.Count = max(st.last-st.first+1, 0)
	if st.Opening, err = s.balanceAt(ctx, account, st.first-1); err != nil {
		return st, err
	}
	if st.Closing, err = s.balanceAt(ctx, account, max(st.last, st.first-1)); err != nil {
		return st, err
	}
	st.In, st.Out, err = s.opt.Store.Moved(ctx, account, st.first-1, st.last)
	return st, err
}

// startOf is the start of a local day.
func startOf(d plan.Day, zone *time.Location) time.Time {
	t := time.Unix(int64(d)*24*60*60, 0).UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, zone)
}

func accountOf(wallet string, uid int64) (code string, ok bool) {
	suffix := ":" + strconv.FormatInt(uid, 10)
	if held, cut := strings.CutSuffix(wallet, heldSuffix); cut && wallets[held] {
		return "L:HELD:" + held + suffix, true
	}
	switch {
	case funds[wallet]:
		return "L:FUND:" + wallet + suffix, true
	case wallets[wallet]:
		return "L:INCOME:" + wallet + suffix, true
	}
	return "", false
}

// firstSince is the first version recorded at t or later. Versions are recorded in order,
// so it uses binary search.
func (s *Service) firstSince(ctx context.Context, account, versions int64, t time.Time) (int64, error) {
	var wrong error
	n := sort.Search(int(versions), func(i int) bool {
		if wrong != nil {
			return true
		}
		e, err := s.opt.Store.Entries(ctx, account, int64(i), int64(i)+1, 1)
		if err != nil || len(e) == 0 {
			wrong = err
			return true
		}
		return !e[0].At.Before(t)
	})
	return int64(n) + 1, wrong
}

func (s *Service) balanceAt(ctx context.Context, account, version int64) (money.Amount, error) {
	if version < 1 {
		return money.Amount{}, nil
	}
	e, err := s.opt.Store.Entries(ctx, account, version-1, version, 1)
	if err != nil || len(e) == 0 {
		return money.Amount{}, err
	}
	return e[0].Balance, nil
}

// EachEntry yields the entries of a statement in order.
func (s *Service) EachEntry(ctx context.Context, st Statement, yield func(Entry) error) error {
	for after := st.first - 1; after < st.last; {
		all, err := s.opt.Store.Entries(ctx, st.account, after, st.last, eachPage)
		if err != nil {
			return err
		}
		if err := s.nameOthers(ctx, st.UID, all); err != nil {
			return err
		}
		for _, e := range all {
			if err := yield(e); err != nil {
				return err
			}
		}
		if len(all) == 0 {
			return fmt.Errorf("report: account %d has no entry after %d of %d", st.account, after, st.last)
		}
		after = all[len(all)-1].Version
	}
	return nil
}

// Last returns the newest entries of a statement that moved money, newest first.
func (s *Service) Last(ctx context.Context, st Statement, most int) ([]Entry, error) {
	st.first = max(st.first, st.last-lastSeen+1)
	var all []Entry
	err := s.EachEntry(ctx, st, func(e Entry) error {
		if !e.Delta.IsZero() {
			all = append(all, e)
		}
		return nil
	})
	slices.Reverse(all)
	return all[:min(len(all), most)], err
}

// lastSeen is the number of entries that Last reads.
const lastSeen = 200

// nameOthers adds the packages of purchases, and the names of the other members.
func (s *Service) nameOthers(ctx context.Context, own int64, all []Entry) error {
	var uids []int64
	planOf := s.planner(ctx)
	for i := range all {
		e := &all[i]
		if e.No == 0 {
			continue
		}
		p, err := planOf(e.Day)
		if err != nil {
			return err
		}
		e.PackageName = packageName(p, e.Line, e.Package)
		if uid := s.uid(e.No); uid != own {
			e.Other = uid
		}
	}
	for _, e := range all {
		if e.Other != 0 {
			uids = append(uids, e.Other)
		}
	}
	if len(uids) == 0 {
		return nil
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	for i, e := range all {
		all[i].OtherName = cards[e.Other].Name
	}
	return err
}
