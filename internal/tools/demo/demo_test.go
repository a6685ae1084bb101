package demo

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
)

func build(t *testing.T, m Mark) *history {
	t.Helper()
	s, err := newHistory(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var full = Mark{Size: Full, Last: Last(time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC))}

func TestTheSameSeedMakesTheSameHistory(t *testing.T) {
	t.Parallel()
	a, b := build(t, full), build(t, full)
	if !reflect.DeepEqual(a.days, b.days) {
		t.Error("two stories differ")
	}
	later := full
	later.Last += 3
	c := build(t, later)
	if len(c.people) != len(a.people) || c.people[77].name != a.people[77].name || c.people[77].uid != a.people[77].uid {
		t.Error("on another day other people join")
	}
}

func TestAHistoryCoversTheScreens(t *testing.T) {
	t.Parallel()
	s := build(t, full)
	if len(s.people) != Full.Members || len(s.days) != Full.Days {
		t.Fatalf("%d people, %d days", len(s.people), len(s.days))
	}
	kinds := map[string]int{}
	emails, ids := map[string]bool{}, map[string]bool{}
	for _, day := range s.days {
		for i, x := range day {
			if ids[x.id] {
				t.Fatalf("two steps are %s", x.id)
			}
			ids[x.id] = true
			if i > 0 && x.at.Before(day[i-1].at) {
				t.Fatalf("%s comes too late", x.id)
			}
			name := reflect.TypeOf(x.action).Name()
			if d, ok := x.action.(memberEvent); ok {
				name = d.e.Kind
			}
			if d, ok := x.action.(operatorAct); ok {
				name = string(d.a.Kind)
				if d.a.Amount.Sign() < 0 {
					name = "loss"
				}
			}
			kinds[name]++
		}
	}
	for _, p := range s.people {
		if emails[p.email] {
			t.Errorf("two people have %s", p.email)
		}
		emails[p.email] = true
	}
	for _, kind := range []string{
		"join", "request", "decide", "tellAddress", "proceed", "transfer", "buy", "refund", "invest", "withdraw", "recall", "claim", "pnl", "loss", "settle", "chargeback", "block", "unblock", "ask", "reply", "adopt",
	} {
		if kinds[kind] == 0 {
			t.Errorf("nobody does %s: %v", kind, kinds)
		}
	}
	if kinds["chargeback"] != 1 || kinds["join"] != Full.Members-1 {
		t.Errorf("it has %v", kinds)
	}
}

// People of the story have the ids that they are given when they join, so they join
// in the order of their numbers, however many do on a day.
func TestPeopleJoinInTheOrderOfTheirNumbers(t *testing.T) {
	t.Parallel()
	for _, size := range []Size{Full, {Members: 12_000, Days: 20}} {
		s := build(t, Mark{Size: size, Last: full.Last})
		last := int64(1) // the first begins with the installation
		for _, day := range s.days {
			for _, x := range day {
				if j, ok := x.action.(join); ok {
					if last++; j.p.no != last {
						t.Fatalf("of %d: member %d joins as number %d", size.Members, j.p.no, last)
					}
				}
			}
		}
		if last != int64(size.Members) {
			t.Errorf("%d joined, not %d", last, size.Members)
		}
	}
}

// The number of joins on a day depends on weekends, and so on the last day of a short
// history.
func TestMembersActOnlyAfterJoining(t *testing.T) {
	t.Parallel()
	for ago := range plan.Day(7) {
		s := build(t, Mark{Size: Size{Members: 100, Days: 24}, Last: full.Last - ago})
		joined := map[string]bool{s.people[0].uid: true}
		for _, day := range s.days {
			for _, x := range day {
				var who []string
				switch d := x.action.(type) {
				case join:
					joined[d.p.uid] = true
				case memberEvent:
					who = []string{d.e.UID, d.e.From, d.e.To, d.e.Payer}
				case ask:
					who = []string{d.uid}
				case request:
					who = []string{d.uid}
				case tellAddress:
					who = []string{d.uid}
				case withdraw:
					who = []string{d.e.UID}
				}
				for _, uid := range who {
					if uid != "" && !joined[uid] {
						t.Errorf("%d days ago: %s is in %T on %s before joining", ago, uid, x.action, x.at)
					}
				}
			}
		}
	}
}

func TestAHistoryEndsOnTheLastDayThatMayBeClosed(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"2026-11-15T01:00:00Z": "2026-11-14",
		"2026-11-15T23:59:59Z": "2026-11-14",
		"2026-11-15T00:59:59Z": "2026-11-13", // yesterday is within its grace
	} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := Last(now).String(); got != want {
			t.Errorf("at %s it is %s, not %s", at, got, want)
		}
	}
}

func TestTheReadmeNamesTheSignIns(t *testing.T) {
	t.Parallel()
	who, err := Who()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		who.Leader.UID, who.Leader.Password, who.Leader.TransactionPassword, who.Member.UID, who.Member.Password, who.Member.TransactionPassword,
		who.Operator.Email, who.Operator.Password, who.Operator.TOTPSecret,
	} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("the README lacks %s", want)
		}
	}
}
