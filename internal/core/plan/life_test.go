package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// life tells rules in short: things happen, a day is closed, and what it paid is
// compared. The plan is the worked example's without cooling-off, so what is
// bought on a day is final at its close. Every close keeps every invariant.
type life struct {
	*world
	day   Day
	n     int
	today []event
}

func begin(t *testing.T) *life {
	t.Helper()
	t.Parallel()
	return newLife(t)
}

func newLife(t *testing.T) *life {
	t.Helper()
	p := examplePlan(t)
	p.CoolingOffDays = 0
	day, err := ParseDay("2026-04-01")
	if err != nil {
		t.Fatal(err)
	}
	return &life{world: newWorld(t, p), day: day}
}

func (l *life) does(e event) string {
	l.n++
	if e.ID == "" {
		e.ID = fmt.Sprintf("e%03d", l.n)
	}
	e.At = time.Unix(int64(l.day)*secondsOfDay+int64(l.n), 0).UTC().Format(time.RFC3339)
	l.today = append(l.today, e)
	return e.ID
}

// team joins members: "2<1L" is 2, invited by 1 on the left; "9<1" a customer.
func (l *life) team(who ...string) {
	for _, w := range who {
		uid, rest, invited := strings.Cut(w, "<")
		sponsor := strings.TrimRight(rest, "LR")
		switch {
		case invited && sponsor == rest:
			l.does(event{Kind: "customer", UID: uid, Sponsor: sponsor})
		case strings.HasSuffix(rest, "R"):
			l.does(event{Kind: "register", UID: uid, Sponsor: sponsor, Side: "Right"})
		default:
			l.does(event{Kind: "register", UID: uid, Sponsor: sponsor, Side: "Left"})
		}
	}
}

// buys brings the members to a package of that price.
func (l *life) buys(price string, uids ...string) (sale string) {
	at := slices.IndexFunc(l.p.RobotPackages, func(k Package) bool { return k.Amount.Micros() == micros(price) })
	for _, uid := range uids {
		topup := "Activation"
		if i, known := l.at[uid]; known && l.b.Final[i] > 0 {
			topup = "Upgrade"
		}
		l.does(event{Kind: "deposit", UID: uid, Fund: "FUNDS", Amount: price})
		sale = l.does(event{Kind: "buy", UID: uid, Payer: uid, Package: l.p.RobotPackages[at].ID, Topup: topup})
	}
	return sale
}

// invests opens a position on FOREX, which has the id of its member and a term
// of five days.
func (l *life) invests(uid, amount string) {
	l.does(event{Kind: "deposit", UID: uid, Fund: "FOREXFUNDS", Amount: amount})
	k := slices.IndexFunc(l.p.Lines["FOREX"].Packages, func(k LinePackage) bool { return micros(amount) <= k.To.Micros() })
	l.does(event{ID: "p" + uid, Kind: "invest", UID: uid, Payer: uid, Line: "FOREX", Package: l.p.Lines["FOREX"].Packages[k].ID, Amount: amount})
}

func (l *life) books(amount string)   { l.does(event{Kind: "pnl", Line: "FOREX", Amount: amount}) }
func (l *life) settles(amount string) { l.does(event{Kind: "settle", Line: "FOREX", Amount: amount}) }
func (l *life) charges(sale string)   { l.does(event{Kind: "chargeback", Sale: sale}) }
func (l *life) withdraws(uid, wallet string) {
	l.does(event{Kind: "withdraw", UID: uid, Type: wallet, Amount: text(l.cash["L:INCOME:"+wallet+":"+uid] / ppm * ppm)})
}

// closes closes the day and begins the next.
func (l *life) closes() *Result {
	l.t.Helper()
	r, _ := l.liveDay(l.day, l.today)
	l.check()
	l.day++
	l.today = nil
	return r
}

// until closes days up to one.
func (l *life) until(day string) {
	l.t.Helper()
	for l.day.String() != day {
		l.closes()
	}
}

var kindNames = [...]string{"level", "matching", "rank", "reward", "salary", "royalty", "roi", "roilevel"}

// pays compares what a close paid: "1 level 2 40" is 40 dollars to member 1, on
// level 2, with remarks after it.
func (l *life) pays(r *Result, want ...string) {
	l.t.Helper()
	var got []string
	for _, row := range r.Rows {
		s := fmt.Sprintf("%s %s", l.uid(row.To), kindNames[row.Kind])
		if row.Level > 0 {
			s += fmt.Sprintf(" %d", row.Level)
		}
		s += " " + short(row.Paid)
		for _, remark := range []struct {
			on   bool
			text string
		}{{row.Capped, " capped"}, {row.Scaled, " scaled"}, {row.Held && row.Kind < KindROI, " held"}, {row.Reverses > 0, fmt.Sprintf(" back %d", row.Reverses)}} {
			if remark.on {
				s += remark.text
			}
		}
		got = append(got, s)
	}
	if !slices.Equal(got, want) {
		l.t.Fatalf("%s paid\n  %s\nnot\n  %s", r.Day, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// short is an amount without idle zeroes.
func short(n int64) string { return strings.TrimSuffix(strings.TrimRight(text(n), "0"), ".") }

// has compares accounts: code, amount, code, amount.
func (l *life) has(want ...string) {
	l.t.Helper()
	for i := 0; i < len(want); i += 2 {
		if got := short(l.cash[want[i]]); got != want[i+1] {
			l.t.Errorf("%s has %s, not %s", want[i], got, want[i+1])
		}
	}
}

// legs compares carried volume.
func (l *life) legs(uid, left, right string) {
	l.t.Helper()
	if i := l.at[uid]; short(l.b.Left[i]) != left || short(l.b.Right[i]) != right {
		l.t.Errorf("%s carries %s and %s, not %s and %s", uid, short(l.b.Left[i]), short(l.b.Right[i]), left, right)
	}
}
