package plan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// scenario is a random history of an installation, day by day. Events are made for the
// state of the world at the start of the day, so some of them are impossible when their
// turn comes: the world refuses them, which is part of the scenario.
type scenario struct {
	rng   *rand.Rand
	w     *world
	day   Day
	n     int
	uids  []string // members, in the order in which they joined
	plain []string // those who are not customers
	today []event

	renews bool // now and then another plan takes over
}

// renew returns the plan of the day; on one day in seven it differs from the one before.
// Purchases, investments and incomes under the old plan continue under the new one.
func (s *scenario) renew(t *testing.T) *Plan {
	t.Helper()
	if s.renews && s.rng.IntN(7) == 0 {
		next := randomPlan(t, s.rng)
		if wrong := next.Follows(s.w.p); len(wrong) > 0 {
			t.Fatalf("the next plan does not follow: %v", wrong)
		}
		s.w.p = next
	}
	return s.w.p
}

// examplePlan is that of the worked example.
func examplePlan(t *testing.T) *Plan {
	t.Helper()
	_, p := workedExample(t)
	return p
}

// randomPlan is the worked example's plan with short terms and other numbers.
func randomPlan(t *testing.T, rng *rand.Rand) *Plan {
	t.Helper()
	p := examplePlan(t)
	p.CoolingOffDays = rng.Int64N(4)
	p.BVPPM = pick(rng, int64(ppm), 333_333, 700_001)
	p.PoolsPPM.Match = pick(rng, int64(20_000), 70_000, 120_000)
	p.PoolsPPM.Lead = pick(rng, int64(5_000), 50_000)
	p.LevelOpen[0], p.LevelOpen[1] = rng.Int64N(2), 1
	p.CustomersAsDirects = rng.IntN(2) == 0
	p.Match.NeedDirectEachSide = pick(rng, int64(0), 1, 1, 1)
	p.Match.RatePPM = pick(rng, int64(80_000), 123_457)
	p.SalaryMaintenanceX = rng.Int64N(12)
	p.Withdraw.Min = money.Micro(ppm)
	p.ProfitSplitPPM = pick(rng, Split{700_000, 100_000, 200_000}, Split{333_333, 100_000, 123_456})
	for _, name := range LineNames {
		for i := range p.Lines[name].Packages {
			p.Lines[name].Packages[i].Term = 2 + rng.Int64N(14)
		}
	}
	if m := p.mistakes(); len(m) > 0 {
		t.Fatalf("the random plan is wrong: %v", m)
	}
	return p
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

func newScenario(t *testing.T, seed uint64) *scenario {
	rng := rand.New(rand.NewPCG(seed, 7))
	start, _ := ParseDay("2026-03-20")
	s := &scenario{rng: rng, w: newWorld(t, randomPlan(t, rng)), day: start + Day(rng.IntN(20))}
	s.add(event{Kind: "register", UID: s.newUID()})
	s.plain = slices.Clone(s.uids)
	return s
}

// newUID is in no order, so that the order of ids is not that of joining.
func (s *scenario) newUID() string {
	uid := strconv.Itoa(100_000 + (len(s.uids)*7919+s.rng.IntN(3)*100_003)%800_000)
	for slices.Contains(s.uids, uid) {
		uid += "1"
	}
	s.uids = append(s.uids, uid)
	return uid
}

// add gives an event an id in no order and a time that others may have too. One
// of ten comes in late: it keeps its own time and counts for today.
func (s *scenario) add(e event) {
	s.n++
	e.ID = fmt.Sprintf("%c%05d", 'a'+rune(s.rng.IntN(26)), s.n)
	noon := time.Unix(int64(s.day)*secondsOfDay, 0).UTC().Add(6 * time.Hour) // of the plan's zone, which is ahead
	at := noon.Add(time.Duration(s.rng.IntN(6)) * time.Hour)
	e.Rec = at.Format(time.RFC3339)
	if s.rng.IntN(10) == 0 {
		at = at.Add(-time.Duration(30+s.rng.IntN(60)) * time.Hour)
	}
	e.At = at.Format(time.RFC3339)
	s.today = append(s.today, e)
}

// next makes the events of a day; the caller applies them.
func (s *scenario) next() []event {
	rng := s.rng
	if len(s.uids) < 30 {
		for range rng.IntN(4) {
			s.enrol()
		}
	}
	for range 2 + rng.IntN(6) {
		s.spend()
	}
	for range rng.IntN(4) {
		s.operate()
	}
	for range rng.IntN(5) {
		s.collect()
	}
	today := s.today
	s.today = nil
	s.day++
	return today
}

func (s *scenario) enrol() {
	sponsor := pick(s.rng, s.plain...)
	if s.rng.IntN(2) == 0 { // wide teams are needed to open levels
		sponsor = s.plain[s.rng.IntN(min(4, len(s.plain)))]
	}
	if s.rng.IntN(6) == 0 {
		s.add(event{Kind: "customer", UID: s.newUID(), Sponsor: sponsor})
		return
	}
	uid := s.newUID()
	s.add(event{Kind: "register", UID: uid, Sponsor: sponsor, Side: pick(s.rng, "Left", "Right")})
	if _, known := s.w.at[sponsor]; known { // else its sponsor joins today, perhaps too late
		s.plain = append(s.plain, uid)
	}
}

// known are the members that joined before today.
func (s *scenario) known() []string { return slices.Sorted(maps.Keys(s.w.at)) }

// spend is what members do with their funds.
func (s *scenario) spend() {
	rng, known := s.rng, s.known()
	if len(known) == 0 {
		return
	}
	uid, payer := pick(rng, known...), pick(rng, known...)
	if rng.IntN(3) > 0 {
		payer = uid
	}
	switch rng.IntN(10) {
	case 0, 1, 2:
		s.add(event{Kind: "deposit", UID: payer, Fund: "FUNDS", Amount: text(rng.Int64N(1500) * ppm)})
		s.add(event{Kind: "buy", UID: uid, Payer: payer, Package: 1 + rng.Int64N(6), Topup: pick(rng, "Activation", "Activation", "Upgrade")})
	case 3, 4:
		k := 1 + rng.Int64N(6)
		s.add(event{Kind: "buy", UID: uid, Payer: payer, Package: k, Topup: pick(rng, "Activation", "Upgrade")})
	case 5:
		s.add(event{Kind: "transfer", Fund: pick(rng, "FUNDS", "FOREXFUNDS"), From: uid, To: payer, Amount: text(rng.Int64N(200*ppm) + 1)})
	case 6:
		s.add(event{Kind: "refund", Sale: s.sale("cooling")})
	default:
		line := pick(rng, LineNames[:]...)
		k := pick(rng, s.w.p.Lines[line].Packages...)
		amount := text(k.From.Micros() + rng.Int64N(900*ppm))
		s.add(event{Kind: "deposit", UID: payer, Fund: s.w.p.Lines[line].Fund, Amount: amount})
		s.add(event{Kind: "invest", UID: uid, Payer: payer, Line: line, Package: k.ID, Amount: amount})
	}
}

// sale is one in a state; mostly there is one.
func (s *scenario) sale(state string) string {
	ids := []string{"none"}
	for _, id := range slices.Sorted(maps.Keys(s.w.sales)) {
		if s.w.sales[id].state == state {
			ids = append(ids, id)
		}
	}
	return pick(s.rng, ids...)
}

// operate is what operators do.
func (s *scenario) operate() {
	rng := s.rng
	line := rng.IntN(2)
	name, l := LineNames[line], &s.w.b.Lines[line]
	switch rng.IntN(8) {
	case 0, 1, 2:
		s.add(event{Kind: "pnl", Line: name, Amount: text(rng.Int64N(300*ppm) + 1)})
	case 3:
		loss := rng.Int64N(60*ppm) + 1
		if rng.IntN(4) == 0 { // so large that principals are used up, or even the company pays
			loss = rng.Int64N(9000 * ppm)
		}
		s.add(event{Kind: "pnl", Line: name, Amount: text(-loss)})
	case 4, 5:
		most := l.Held + l.feeHeld() - l.Settled - l.Frozen
		s.add(event{Kind: "settle", Line: name, Amount: text(1 + rng.Int64N(most+most/5+ppm))})
	case 6:
		s.add(event{Kind: "chargeback", Sale: s.sale(pick(rng, "final", "final", "cooling"))}) // of a cooling one: it may become final today
	case 7:
		if known := s.known(); len(known) > 0 {
			s.add(event{Kind: pick(rng, "block", "unblock", "unblock"), UID: pick(rng, known...)})
		}
	}
}

// collect is what members do to get money out.
func (s *scenario) collect() {
	rng := s.rng
	if ids := slices.Sorted(maps.Keys(s.w.claims)); len(ids) > 0 && rng.IntN(2) == 0 {
		id := pick(rng, ids...)
		c := s.w.claims[id]
		recall := c.Net - c.recalled
		if rng.IntN(3) == 0 {
			recall = rng.Int64N(c.Net + 2)
		}
		if recall > 0 {
			s.add(event{Kind: "recall", Claim: id, Amount: text(recall)})
		}
		s.add(event{Kind: "claim", Claim: id, UID: c.uid})
		return
	}
	if known := s.known(); len(known) > 0 {
		uid, wallet := pick(rng, known...), pick(rng, "LevelIncome", "LevelIncome", "binaryIncome", "salaryrankreward", "royalty_income", "ForexIncome", "CryptoIncome")
		for _, other := range known { // rather somebody who has something
			if s.w.cash["L:INCOME:"+wallet+":"+uid] < ppm {
				uid = other
			}
		}
		s.add(event{Kind: "withdraw", UID: uid, Type: wallet, Amount: text(max(1, s.w.cash["L:INCOME:"+wallet+":"+uid]/ppm) * ppm)})
	}
}
