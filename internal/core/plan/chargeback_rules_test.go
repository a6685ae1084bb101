package plan

import "testing"

func TestSpentIncomeBecomesADebtThatLaterIncomesRepayFirst(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L", "3<1L")
	l.buys("50", "1")
	sale := l.buys("1000", "2")
	l.closes()
	l.withdraws("1", "LevelIncome") // all 80 of it
	l.closes()
	l.buys("500", "3")
	l.charges(sale)
	// The new row shows all of it; the debt of 80 takes all of it.
	l.pays(l.closes(), "1 level 1 -80 back 1", "1 level 1 40")
	l.has("L:INCOME:LevelIncome:1", "0", "L:FUND:FUNDS:2", "1000")
	if debt := l.b.Debt[l.at["1"]]; debt != micros("40") {
		t.Errorf("1 still owes %s", text(debt))
	}
	l.buys("1000", "3")
	l.closes()
	l.has("L:INCOME:LevelIncome:1", "0")
	l.buys("2500", "3")
	l.closes()
	l.has("L:INCOME:LevelIncome:1", "120")
}

func TestAHeldIncomeRepaysNoDebt(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L", "3<1L")
	l.buys("50", "1")
	sale := l.buys("1000", "2")
	l.closes()
	l.withdraws("1", "LevelIncome")
	l.closes()
	l.does(event{Kind: "block", UID: "1"})
	l.charges(sale)
	l.buys("500", "3")
	l.pays(l.closes(), "1 level 1 -80 back 1", "1 level 1 40 held")
	l.does(event{Kind: "unblock", UID: "1"})
	l.closes()
	l.has("L:INCOME:LevelIncome:1", "40")
	if debt := l.b.Debt[l.at["1"]]; debt != micros("80") {
		t.Errorf("1 owes %s", text(debt))
	}
}

func TestAReversedHoldRowIsVoid(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L")
	l.buys("50", "1")
	l.does(event{Kind: "block", UID: "1"})
	sale := l.buys("100", "2")
	l.pays(l.closes(), "1 level 1 8 held")
	l.charges(sale)
	l.pays(l.closes(), "1 level 1 -8 held back 1")
	l.does(event{Kind: "unblock", UID: "1"})
	l.closes()
	l.has("L:HELD:LevelIncome:1", "0", "L:INCOME:LevelIncome:1", "0")
	if l.rows[0]["ss"] != "Hold" || l.rows[1]["ss"] != "Hold" {
		t.Error("void rows were released")
	}
}

// spent is a life in which the MATCH pool has paid out all it had when a sale
// that filled it is charged back: it owes 20.
func spent(t *testing.T) *life {
	l := begin(t)
	l.p.Ranks, l.p.Rewards, l.p.PoolsPPM.Match = nil, nil, 20_000
	l.team("1", "2<1L", "3<1R", "4<1L")
	l.buys("1000", "1", "3")
	sale := l.buys("1000", "2")
	l.pays(l.closes(), "1 level 1 80", "1 level 1 80", "1 matching 60 scaled")
	l.charges(sale)
	r := l.closes()
	if got := r.Reversals[0]; got.Gave != [RESERVE]int64{micros("200"), 0, micros("50"), micros("30")} || got.Rest != micros("720") {
		t.Fatalf("pools gave %v and the company %s", got.Gave, text(got.Rest))
	}
	l.owes("20")
	return l
}

func (l *life) owes(match string) {
	l.t.Helper()
	if want := [RESERVE]int64{MATCH: micros(match)}; l.b.Deficit != want {
		l.t.Errorf("pools owe %v, not %v", l.b.Deficit, want)
	}
}

func TestAPoolsDebtIsRepaidFirstByNewSales(t *testing.T) {
	l := spent(t)
	l.buys("250", "2")
	if f := l.closes().Finalised[0]; f.Shares[MATCH] != 0 || f.Rest != micros("180") {
		t.Errorf("the sale was shared as %+v", f)
	}
	l.owes("15")
	l.buys("2500", "2")
	l.closes()
	l.owes("0")
	l.has("P:MATCH", "30") // of 45
}

func TestAChargebackOnTheDayASaleBecomesFinalLeavesDeficitsAsTheyWere(t *testing.T) {
	l := spent(t)
	pools, company := l.b.Pools, l.cash["E:COMPANY"]
	l.charges(l.buys("2500", "4"))
	l.closes()
	l.owes("20")
	lacks := micros("500") - pools[RESERVE]
	if pools[RESERVE] += lacks; l.b.Pools != pools || l.cash["E:COMPANY"] != company-lacks {
		t.Errorf("pools %v, not %v; company %s, not %s less %s", l.b.Pools, pools, text(l.cash["E:COMPANY"]), text(company), text(lacks))
	}
}

func TestTheCompanyBearsTheReservesDeficit(t *testing.T) {
	l := begin(t)
	l.p.LevelPPM = append([]int64{180_000}, make([]int64, Levels-1)...)
	l.team("1", "2<1L", "3<1L")
	l.buys("50", "1")
	sale := l.buys("1000", "2")
	l.pays(l.closes(), "1 level 1 180")
	l.withdraws("1", "LevelIncome")
	l.closes()
	l.has("P:RESERVE", "30") // 10 of the first sale, 20 of the second
	l.charges(sale)
	if got := l.closes().Reversals[0]; got.Gave[LEVEL] != micros("30") || got.Rest != micros("1000")-micros("30")-micros("200") {
		t.Errorf("pools gave %v and the company %s", got.Gave, text(got.Rest))
	}
	l.owes("0")
	l.buys("1000", "3")
	l.pays(l.closes(), "1 level 1 180") // all of it, and all of it repays the debt
	l.has("L:INCOME:LevelIncome:1", "0", "P:RESERVE", "200")
}

func TestVolumeIsReversedForExactlyItsReceivers(t *testing.T) {
	l := begin(t)
	l.p.Ranks, l.p.Rewards = nil, nil
	l.team("1", "2<1L", "3<2L", "4<1R", "5<3L")
	l.buys("100", "1", "4")
	sale := l.buys("250", "3")
	l.closes()
	l.legs("1", "250", "100") // 1 has no active direct on the left yet
	l.buys("100", "2")        // 2 becomes active too late to have received 3's volume
	l.pays(l.closes(), "1 level 1 8", "1 matching 8")
	l.legs("1", "250", "0")
	l.buys("250", "4")
	l.closes()
	l.legs("1", "100", "0")
	l.charges(sale)
	l.closes()
	l.legs("1", "-150", "0") // matched already: what comes next fills it
	l.legs("2", "0", "0")
	l.buys("250", "5")
	l.closes()
	l.legs("1", "100", "0")
	l.legs("2", "250", "0")
}

// The LEVEL share comes out of the reserve, as of any chargeback: what the
// reserve lacks then is the company's, and the share that no sponsor gets goes
// to the reserve afterwards. With enough in the reserve nothing is left of it.
func TestAChargebackOnTheFinalDayPaysNoIncome(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L", "3<1R")
	l.buys("50", "1", "3")
	l.closes()
	pools, company := l.b.Pools, l.cash["E:COMPANY"]
	l.has("P:RESERVE", "16")
	l.charges(l.buys("1000", "2"))
	l.pays(l.closes())
	if pools[RESERVE] = micros("200"); l.b.Pools != pools || l.cash["E:COMPANY"] != company-micros("184") || l.b.Deficit != [RESERVE]int64{} {
		t.Errorf("pools %v, company %s, deficits %v", l.b.Pools, text(l.cash["E:COMPANY"]), l.b.Deficit)
	}
	pools, company = l.b.Pools, l.cash["E:COMPANY"]
	l.charges(l.buys("1000", "2"))
	l.pays(l.closes())
	if l.b.Pools != pools || l.cash["E:COMPANY"] != company {
		t.Errorf("with enough in the reserve: pools %v, not %v, company %s, not %s", l.b.Pools, pools, text(l.cash["E:COMPANY"]), text(company))
	}
	l.legs("1", "0", "50")
	if i := l.at["2"]; l.b.Active[i] || l.b.Final[i] != 0 || l.b.Own[i] != 0 || l.b.Month[i] != 0 {
		t.Error("the sale left a trace")
	}
	l.has("L:FUND:FUNDS:2", "2000")
}

// The plan may have changed since: what the pools got of a sale is what they
// give back, whatever they get of later ones.
func TestPoolsReturnTheSharesOfThatDaysPlan(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L")
	l.buys("50", "1")
	sale := l.buys("1000", "2")
	for range 3 {
		l.closes()
	}
	got := l.b.Pools
	next := *l.p
	next.PoolsPPM.Match, next.PoolsPPM.Royalty = 0, 150_000
	l.p = &next
	l.charges(sale)
	gave := l.closes().Reversals[0].Gave
	if want := [RESERVE]int64{micros("200"), micros("120"), micros("50"), micros("30")}; gave != want {
		t.Errorf("pools gave %v, not %v", gave, want)
	}
	if l.b.Pools[MATCH] != got[MATCH]-micros("120") || l.b.Deficit != [RESERVE]int64{} {
		t.Errorf("pools have %v and owe %v", l.b.Pools, l.b.Deficit)
	}
}
