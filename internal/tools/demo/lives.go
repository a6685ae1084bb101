package demo

import (
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/tools/simulate"
)

// robots are the prices of Robot packages by number, from 1.
var robots = []int64{0, 50, 100, 250, 500, 1000, 2500}

// event adds a member's event, as in scenarios.
func (s *history) event(day int, at time.Duration, prefix string, e simulate.Event) string {
	e.ID = s.id(prefix)
	s.add(day, at, e.ID, memberEvent{e})
	return e.ID
}

// deposit deposits the price of a purchase, mostly a little more.
func (s *history) deposit(p *person, day int, at time.Duration, fund string, dollars int64) {
	if s.rng.IntN(3) > 0 {
		dollars = (dollars + 99) / 50 * 50
	}
	s.pays(p, day, at, fund, dollars)
}

// buy deposits and buys a Robot package: the member pays, the sponsor pays, or the sponsor
// transfers the money first.
func (s *history) buy(p *person, day, pack int, due int64, topup string) (sale string) {
	at, payer := s.some(), p
	r := s.rng.IntN(100)
	if r < 16 && p.sponsor != nil {
		payer = p.sponsor
	}
	s.deposit(payer, day, at, "FUNDS", due)
	if r < 8 && payer != p {
		s.event(day, at+9*time.Minute, "t", simulate.Event{Kind: "transfer", From: payer.uid, To: p.uid, Fund: "FUNDS", Amount: strconv.FormatInt(due, 10)})
		payer = p
	}
	return s.event(day, at+20*time.Minute, "s", simulate.Event{Kind: "buy", UID: p.uid, Payer: payer.uid, Package: int64(pack), Topup: topup})
}

// bought is an activation.
type bought struct {
	day  int
	sale string
}

// life adds the events of a member after joining: many do nothing.
func (s *history) life(p *person) {
	core := int(p.no) <= leaderNo+fullTree || p.sponsor.no == ordinaryNo
	if !core && s.rng.IntN(100) >= 58 {
		return
	}
	day := p.day + 1 + s.rng.IntN(6)
	if core {
		day = p.day + 1 + s.rng.IntN(2)
	}
	packs := []int{1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6}
	if core {
		packs = []int{3, 3, 4, 4, 4, 5, 5, 6}
	}
	pack := one(s, packs)
	sale := s.buy(p, day, pack, robots[pack], "Activation")
	switch r := s.rng.IntN(100); {
	case r < 4 && !core: // a refund within the cooling-off
		s.event(day+2+s.rng.IntN(10), s.some(), "r", simulate.Event{Kind: "refund", UID: p.uid, Sale: sale})
		return
	case r < 18 && pack < 6:
		up := min(pack+1+s.rng.IntN(2), 6)
		s.buy(p, day+15+s.rng.IntN(40), up, robots[up]-robots[pack], "Upgrade")
	case !core:
		s.plain = append(s.plain, bought{day, sale})
	}
	s.invests(p, day, core)
	if p.directs > 1 || s.rng.IntN(4) == 0 {
		s.draws(p, day+16+s.rng.IntN(12), 18+s.rng.IntN(14))
	}
}

// invests opens positions, and tops some up later.
func (s *history) invests(p *person, day int, core bool) {
	chance := 20
	if core {
		chance = 70
	}
	for line := range plan.LineNames {
		if s.rng.IntN(100) >= chance {
			continue
		}
		on := day + 1 + s.rng.IntN(14)
		s.invest(p, on, line, s.stake(line))
		if s.rng.IntN(4) == 0 {
			s.invest(p, on+10+s.rng.IntN(30), line, s.stake(line))
		}
	}
}

// stake returns a random amount: mostly small, in round numbers.
func (s *history) stake(line int) int64 {
	least := []int64{100, 50}[line]
	switch r := s.rng.IntN(100); {
	case r < 68:
		return least + s.rng.Int64N(8)*50
	case r < 95:
		return 1000 + s.rng.Int64N(15)*100
	}
	return 5000 + s.rng.Int64N(6)*500
}

// packageOf returns the line package for an amount.
func (s *history) packageOf(line int, dollars int64) int64 {
	for _, k := range s.after.Lines[plan.LineNames[line]].Packages {
		if dollars*1_000_000 >= k.From.Micros() && dollars*1_000_000 <= k.To.Micros() {
			return k.ID
		}
	}
	return 0
}

// draws withdraws a part of the balance at intervals.
func (s *history) draws(p *person, from, every int) {
	wallets := []string{"LevelIncome", "LevelIncome", "binaryIncome", "CryptoIncome", "ForexIncome"}
	for day := from; day < s.Days; day += every {
		s.draw(p, day, one(s, wallets), 30+s.rng.Int64N(50))
	}
}

func (s *history) part(percent int) int { return s.Days * percent / 100 }

// leader adds the events of the leader: both legs, every kind of income, claims in every
// state, and money to spend.
func (s *history) leader() {
	p := s.people[leaderNo-1]
	s.deposit(p, 0, 9*time.Hour, "FUNDS", robots[6])
	s.event(0, 9*time.Hour+15*time.Minute, "s", simulate.Event{Kind: "buy", UID: p.uid, Payer: p.uid, Package: 6, Topup: "Activation"})
	// Some of these end within the history: claimed, claimable, and waiting for the
	// line's cash.
	for i, x := range []struct {
		day, line int
		dollars   int64
		end       ending
	}{
		{2, 1, 400, claimed},
		{8, 1, 1200, claimed},
		{14, 1, 450, recalled},
		{21, 1, 900, waiting},
		{45, 1, 2000, waiting},
		{80, 1, 1500, waiting},
		{3, 0, 500, claimed},
		{12, 0, 900, recalled},
		{20, 0, 700, waiting},
		{50, 0, 3000, waiting},
	} {
		s.stakes(p, x.day*s.Days/Full.Days, x.line, x.dollars, x.end, time.Duration(i)*time.Minute)
	}
	for day := 18; day < s.Days; day += 7 {
		s.draw(p, day, "LevelIncome", 55)
		s.draw(p, day+1, "binaryIncome", 60)
		s.draw(p, day+3, []string{"ForexIncome", "CryptoIncome"}[day/7%2], 50)
	}
	for _, percent := range []int{55, 85} {
		s.draw(p, s.part(percent), "salaryrankreward", 40)
		s.draw(p, s.part(percent)+1, "royalty_income", 40)
	}
	s.purse(p, 4000, 2500, 1500)
}

// ordinary adds the events of a member with a few referrals.
func (s *history) ordinary() {
	p := s.people[ordinaryNo-1]
	day := p.day + 1
	s.deposit(p, day, 10*time.Hour, "FUNDS", robots[3])
	s.event(day, 10*time.Hour+20*time.Minute, "s", simulate.Event{Kind: "buy", UID: p.uid, Payer: p.uid, Package: 3, Topup: "Activation"})
	s.stakes(p, day+2, 1, 150, waiting, 0)
	s.stakes(p, day+4, 0, 200, recalled, 0)
	s.stakes(p, max(s.part(60), day+5), 1, 300, waiting, 0) // in a short history they may join late
	s.draw(p, s.part(75), "LevelIncome", 50)
	s.draw(p, s.part(90), "CryptoIncome", 50)
	s.purse(p, 400, 250, 150)
}

// purse deposits money that stays unspent.
func (s *history) purse(p *person, robot, forex, crypto int64) {
	for i, x := range []struct {
		fund    string
		dollars int64
	}{{"FUNDS", robot}, {"FOREXFUNDS", forex}, {"CRYPTOFUNDS", crypto}} {
		s.pays(p, s.Days-2, 11*time.Hour+time.Duration(i)*7*time.Minute, x.fund, x.dollars)
	}
}
