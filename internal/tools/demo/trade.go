package demo

import (
	"fmt"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/invest"
)

// position takes part in a line's results from the day after it was opened until its term
// has passed.
type position struct {
	day     int
	term    int64
	dollars int64
}

// ending is the final state of a position's claim.
type ending int

const (
	waiting ending = iota
	recalled
	claimed
)

var funds = [2]string{"FOREXFUNDS", "CRYPTOFUNDS"}

// invest opens a position at a random time of a day; most claims are paid.
func (s *history) invest(p *person, day, line int, dollars int64) {
	end := waiting
	switch r := s.rng.IntN(100); {
	case r < 62:
		end = claimed
	case r < 78:
		end = recalled
	}
	s.stakes(p, day, line, dollars, end, time.Duration(s.rng.IntN(400))*time.Minute)
}

// stakes deposits and opens a position whose claim ends as given.
func (s *history) stakes(p *person, day, line int, dollars int64, end ending, after time.Duration) {
	if day >= s.Days {
		return
	}
	name, pack := plan.LineNames[line], s.packageOf(line, dollars)
	at := 11*time.Hour + after
	s.deposit(p, day, at, funds[line], dollars)
	id := s.event(day, at+25*time.Minute, "p", simulate.Event{
		Kind: "invest", UID: p.uid, Payer: p.uid, Line: name, Package: pack, Amount: strconv.FormatInt(dollars, 10),
	})
	x := position{day, s.term(day, name, pack), dollars}
	s.positions[line] = append(s.positions[line], x)
	over := day + int(x.term) + 1
	if end >= recalled {
		over += s.rng.IntN(3)
		s.add(over, s.some(), s.id("o"), recall{invest.ClaimID(id)})
	}
	if end >= claimed {
		s.event(over+1+s.rng.IntN(2), s.some(), "c", simulate.Event{Kind: "claim", UID: p.uid, Claim: invest.ClaimID(id)})
	}
}

// open returns the principal of a line on a day, in dollars.
func (s *history) open(line, day int) (sum int64) {
	for _, p := range s.positions[line] {
		if p.day < day && day <= p.day+int(p.term) {
			sum += p.dollars
		}
	}
	return sum
}

// onHold is the number of unsettled days at the end, so that some rows are on Hold; losses
// are rarer in them, because profit repays losses first.
const onHold = 9

// trade books the lines' results on weekdays, including losses, and settles mostly a part at
// the end of the week.
func (s *history) trade() {
	for day := range s.Days {
		date := instant(s.first()+plan.Day(day), 0)
		if w := date.Weekday(); w == time.Saturday || w == time.Sunday {
			continue
		}
		for line, name := range plan.LineNames {
			principal := s.open(line, day)
			if principal == 0 {
				continue
			}
			at := 21*time.Hour + time.Duration(line)*11*time.Minute
			late := day >= s.Days-onHold
			if date.Weekday() == time.Friday && !late {
				percent := int64(70)
				if day/7%4 == 3 {
					percent = 100 // sometimes everything, so that the fee is paid too
				}
				s.add(day, at-time.Hour, s.id("o"), settle{name, percent, fmt.Sprintf("Transfer %s of %s", name, date.Format(time.DateOnly))})
			}
			ppm := 900 + s.rng.Int64N(5200) + int64(line)*700
			if chance := s.rng.IntN(100); chance < 10 || (chance < 31 && !late) {
				ppm = -400 - s.rng.Int64N(4600) - int64(line)*900
			}
			s.act(day, at, booking.Act{
				Kind: booking.PnL, Line: name, Amount: money.Micro(principal * ppm), Reference: fmt.Sprintf("Statement %s %s", name, date.Format(time.DateOnly)),
			})
		}
	}
}

func (s *history) act(day int, at time.Duration, a booking.Act) {
	s.add(day, at, s.id("o"), operatorAct{a})
}

// trouble adds a charge-back, and two accounts under review, of which one is cleared.
func (s *history) trouble() {
	for _, b := range s.plain {
		if day := b.day + int(s.after.CoolingOffDays) + 9; b.day > s.part(20) && day < s.Days {
			s.act(day, s.some(), booking.Act{Kind: booking.Chargeback, Sale: b.sale, Reference: "Card scheme case 4471-08"})
			break
		}
	}
	review := []struct {
		from, until int
		reason      string
	}{
		{s.part(55), s.part(65), "Two accounts share one payout address"},
		{s.part(88), s.Days, "Proof of identity is missing"},
	}
	for _, p := range s.people[leaderNo+fullTree:] {
		if len(review) == 0 {
			return
		}
		x := review[0]
		if p.no == ordinaryNo || p.directs < 2 || p.invited >= x.from {
			continue // members under review do not invite
		}
		uid, err := strconv.ParseInt(p.uid, 10, 64)
		if err != nil {
			continue
		}
		s.act(x.from, s.some(), booking.Act{Kind: booking.Block, UID: uid, Reference: x.reason})
		s.act(x.until, s.some(), booking.Act{Kind: booking.Unblock, UID: uid, Reference: "Cleared"})
		review = review[1:]
	}
}
