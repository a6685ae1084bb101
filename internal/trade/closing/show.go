package closing

import (
	"fmt"
	"strings"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// underReview is the remark of a row on Hold.
const underReview = "Hold: account under review"

// remark returns what is special about a row.
func remark(x *Income) string {
	switch {
	case x.Reverses != 0:
		return fmt.Sprintf("Reversal of row %d", x.Reverses)
	case x.Kind == plan.KindMatching:
		var parts []string
		for _, p := range []struct {
			on   bool
			text string
		}{{x.Capped, "capped"}, {x.Scaled, "scaled"}, {x.Held, underReview}} {
			if p.on {
				parts = append(parts, p.text)
			}
		}
		return strings.Join(parts, ", ")
	case x.Kind == plan.KindROILevel:
		return "ROI level"
	case x.Scaled:
		return "scaled"
	case x.Held:
		return underReview
	case x.Kind == plan.KindLevel:
		return "Level income"
	}
	return ""
}

// field is one of a row: text, a number, or an amount.
type field struct {
	key  string
	kind fieldKind
	text string
	num  int64
}

type fieldKind uint8

const (
	isText fieldKind = iota
	isNumber
	isAmount
)

// value is the field as Show has it.
func (f *field) value() any {
	switch f.kind {
	case isNumber:
		return f.num
	case isAmount:
		return text(f.num)
	}
	return f.text
}

// Show formats a row for reports. uid maps a join number to a user id.
func Show(p *plan.Plan, x IncomeState, uid func(int64) string) map[string]any {
	s := shower{p: p, uid: uid}
	m := map[string]any{}
	for _, f := range s.fields(&x) {
		m[f.key] = f.value()
	}
	return m
}

// shower formats rows one after the other.
type shower struct {
	p    *plan.Plan
	uid  func(int64) string
	list []field
	day  plan.Day // the last formatted one
	days string
}

func (s *shower) text(key, v string) { s.list = append(s.list, field{key: key, text: v}) }
func (s *shower) number(key string, n int64) {
	s.list = append(s.list, field{key: key, kind: isNumber, num: n})
}

func (s *shower) amount(key string, n int64) {
	s.list = append(s.list, field{key: key, kind: isAmount, num: n})
}

func (s *shower) date(key string, day plan.Day) {
	if s.days == "" || s.day != day {
		s.day, s.days = day, day.String()
	}
	s.text(key, s.days)
}

// fields returns a row's fields, valid until the next call.
func (s *shower) fields(x *IncomeState) []field {
	s.list = s.list[:0]
	ss, since := x.Status()
	s.text("to", s.uid(x.Earner))
	s.text("uid", s.uid(x.Of))
	s.date("dd", x.Day)
	s.number("row", x.Row)
	s.text("ss", ss)
	if since != 0 {
		s.date("released", since)
	}
	if x.Kind != plan.KindROI {
		s.text("remark", remark(&x.Income))
	}
	if x.Kind.Trading() {
		s.text("line", x.Line)
		s.text("pos", x.Position)
	}
	s.text("t", x.Kind.Name())
	if x.Kind != plan.KindMatching && x.Kind != plan.KindROI {
		s.number("lvl", x.Level)
	}
	s.special(x)
	return s.list
}

// special returns the fields that depend on the kind.
func (s *shower) special(x *IncomeState) {
	switch x.Kind {
	case plan.KindLevel, plan.KindROILevel:
		s.amount("onamount", x.On)
		s.amount("income", x.Paid)
	case plan.KindMatching:
		s.amount("lPV", x.On)
		s.amount("binaryincome", x.Paid)
		s.amount("capingamount", x.A)
	case plan.KindRank:
		k := s.p.Ranks[x.Level-1]
		s.amount("reward", x.Paid)
		s.text("rank", k.Name)
		s.amount("reqmatch_bot", k.Need.Micros())
		s.amount("match_bot", x.A)
		s.achieved(x)
	case plan.KindReward:
		k := s.p.Rewards[x.Level-1]
		s.amount("reward", x.Paid)
		s.amount("reqleg1", k.NeedLeg1.Micros())
		s.amount("leg1", x.A)
		s.amount("reqotherleg", k.NeedOther.Micros())
		s.amount("otherleg", x.B)
		s.amount("salary", k.Salary.Micros())
		s.achieved(x)
	case plan.KindSalary:
		s.amount("income", x.Paid)
		s.amount("nominal", x.Nominal)
	case plan.KindROI:
		if rate, err := money.Micro(x.Paid).MulDiv(100_000_000, x.On); err == nil {
			s.amount("onrate", rate.Micros())
		}
		s.amount("On_amount", x.On)
		s.amount("plan_amount", x.Paid)
	default:
		s.amount("income", x.Paid)
	}
}

func (s *shower) achieved(x *IncomeState) {
	s.amount("nominal", x.Nominal)
	s.text("achieved_ss", "achieved")
	s.date("ad", x.Day)
}

// Remark is the remark that Show adds to a special row.
func Remark(x Income) string {
	if x.Kind == plan.KindROI {
		return ""
	}
	return remark(&x)
}
