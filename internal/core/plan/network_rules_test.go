package plan

import "testing"

func TestALevelPaysOnlyActiveSponsorsWithEnoughDirects(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L", "3<2L", "4<3L", "5<1R")
	l.buys("50", "1", "3") // 2 never buys
	l.closes()
	l.buys("100", "4")
	// 3 has one active direct; 2 is not active, and its level goes to nobody
	// else; 1 would need two active directs for level 3 and has none.
	l.pays(l.closes(), "3 level 1 8")
	l.has("P:LEVEL", "0", "P:RESERVE", "32") // 20 of each sale of 100, less what was paid
	l.buys("50", "5", "2")
	l.pays(l.closes(), "1 level 1 4", "1 level 1 4", "1 matching 4")
	l.buys("250", "4")
	r := l.closes()
	l.pays(r, "3 level 1 12", "2 level 2 4.5", "1 level 3 3")
	if r.Breakage != micros("10.5") {
		t.Errorf("breakage %s", text(r.Breakage))
	}
}

func TestACustomerOpensALevelButNotASide(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L", "9<1")
	l.buys("50", "1", "9")
	l.pays(l.closes(), "1 level 1 4")
	l.team("3<2L", "4<2R")
	l.buys("100", "2", "3", "4")
	// 2 matches its two legs; 1 has volume on the left only and no direct on
	// the right.
	l.pays(l.closes(), "1 level 1 8", "2 level 1 8", "1 level 2 3", "2 level 1 8", "1 level 2 3", "2 matching 8")
	l.legs("1", "300", "0")

	m := newLife(t)
	m.p.CustomersAsDirects = false
	m.team("1", "9<1")
	m.buys("50", "1", "9")
	m.pays(m.closes())
}

func TestACustomersVolumeCountsAsIfItsSponsorHadBought(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L", "3<2L", "9<2")
	l.buys("50", "1", "2")
	l.closes()
	l.buys("100", "9")
	l.closes()
	l.legs("1", "150", "0")
	l.legs("2", "0", "0")
	if own := l.b.Own[l.at["2"]]; own != micros("150") {
		t.Errorf("2 brought %s", text(own))
	}
}

func TestVolumeGoesToActiveMembersAboveAndIsLostWithActivity(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L", "3<2L", "4<3R")
	l.buys("50", "1")
	first := l.buys("50", "3")
	l.closes()
	l.buys("100", "4")
	l.closes()
	l.legs("1", "150", "0")
	l.legs("2", "0", "0") // not active, and what passed by does not come back
	l.legs("3", "0", "100")
	l.buys("50", "2")
	l.charges(first)
	l.closes()
	l.legs("3", "0", "0")
	l.legs("2", "0", "0")
	l.legs("1", "150", "0") // 50 came with 2, 50 went with 3
}

func TestMatchingIsCappedByThePackageAndTheExcessIsFlushed(t *testing.T) {
	l := begin(t)
	l.p.Ranks, l.p.Rewards = nil, nil
	l.team("1", "2<1L", "3<1R")
	l.buys("50", "1")
	l.buys("1000", "2", "3")
	l.pays(l.closes(), "1 level 1 80", "1 level 1 80", "1 matching 25 capped") // of 80
	l.legs("1", "0", "0")
	l.pays(l.closes()) // the excess does not come back
	if matched := l.b.MatchBot[l.at["1"]]; matched != micros("1000") {
		t.Errorf("matched %s", text(matched))
	}
}

func TestClaimsAboveThePoolAreScaledByOneFactor(t *testing.T) {
	l := begin(t)
	l.p.PoolsPPM.Match, l.p.Ranks, l.p.Rewards = 30_000, nil, nil
	l.team("1", "2<1L", "3<1R", "4<2L", "5<2R")
	l.buys("1000", "1", "2", "3", "4", "5")
	r := l.closes()
	// 1 matches 1000 and 2 matches 1000: 80 each, and the pool has 150.
	l.pays(r, "1 level 1 80", "1 level 1 80", "2 level 1 80", "1 level 2 30", "2 level 1 80", "1 level 2 30", "1 matching 75 scaled", "2 matching 75 scaled")
	l.has("P:MATCH", "0")
	if remark := l.rows[len(l.rows)-1]["remark"]; remark != "scaled" {
		t.Errorf("the remark is %q", remark)
	}
}

func TestRanksComeBeforeRewardsPerMemberAndSeveralStepsAtOnce(t *testing.T) {
	l := begin(t)
	l.p.PoolsPPM.Lead, l.p.PoolsPPM.Match = 100_000, 70_000
	l.team("1", "2<1L", "3<1R", "4<2L", "5<2R")
	l.buys("2500", "1", "2", "3", "4", "5")
	l.pays(l.closes(), "1 level 1 200", "1 level 1 200", "2 level 1 200", "1 level 2 75", "2 level 1 200", "1 level 2 75", "1 matching 200", "2 matching 200",
		"1 rank 1 30", "1 rank 2 150", "1 reward 1 40", "1 reward 2 60", "2 rank 1 30", "2 rank 2 150", "2 reward 1 40", "2 reward 2 60")
	l.pays(l.closes()) // each once
}

func TestASalaryNeedsATeamThatSellsAndUsesAMonthUpEitherWay(t *testing.T) {
	l := begin(t)
	l.p.Ranks, l.p.RoyaltyWeights = nil, nil
	l.team("1", "2<1L", "3<1R", "4<1L")
	l.buys("500", "1", "2", "3")
	l.pays(l.closes(), "1 level 1 40", "1 level 1 40", "1 matching 40", "1 reward 1 40")
	l.until("2026-04-30")
	l.pays(l.closes(), "1 salary 1 10") // 1000 sold, 100 needed
	l.until("2026-05-31")
	l.pays(l.closes()) // nothing sold in May, and the month is gone
	l.until("2026-06-15")
	l.buys("100", "4")
	l.closes()
	l.until("2026-06-30")
	l.pays(l.closes(), "1 salary 1 10")
	l.until("2026-07-15")
	l.buys("250", "4")
	l.closes()
	l.until("2026-07-31")
	l.pays(l.closes()) // three months were promised
}

func TestTheMonthsChargebacksCountAgainstTheSalary(t *testing.T) {
	l := begin(t)
	l.p.Ranks, l.p.RoyaltyWeights = nil, nil
	l.team("1", "2<1L", "3<1R", "4<1L")
	l.buys("500", "1", "2")
	third := l.buys("500", "3")
	l.closes()
	l.until("2026-05-10")
	l.buys("250", "4")
	l.charges(third) // April's sale, but May's chargeback
	l.closes()
	l.until("2026-05-31")
	l.pays(l.closes()) // 250 less 500
}

func TestRoyaltyIsCarriedUntilAMemberHasARankAndThenSharedByWeight(t *testing.T) {
	l := begin(t)
	l.p.Rewards, l.p.PoolsPPM.Lead = nil, 100_000
	l.p.PoolsPPM.Match = 70_000
	l.team("1", "2<1L", "3<1R")
	l.buys("100", "1", "2")
	l.until("2026-05-01")
	l.has("P:ROYALTY", "6") // nobody has a rank
	l.buys("2500", "2", "3")
	l.closes()
	l.team("4<2L", "5<2R")
	l.buys("250", "4", "5")
	l.closes()
	l.until("2026-05-31")
	// The pool has 3 % of the 5600 sold since the beginning; Silver weighs two.
	l.pays(l.closes(), "1 royalty 2 112", "2 royalty 1 56")
	l.has("P:ROYALTY", "0")
}

func TestABlockedEarnersIncomeIsHeldUntilItIsUnblocked(t *testing.T) {
	l := begin(t)
	l.p.Ranks, l.p.Rewards = nil, nil
	l.team("1", "2<1L", "3<1R")
	l.buys("50", "1")
	l.closes()
	l.does(event{Kind: "block", UID: "1"})
	l.buys("1000", "2", "3")
	l.pays(l.closes(), "1 level 1 80 held", "1 level 1 80 held", "1 matching 25 capped held")
	if remark := l.rows[2]["remark"]; remark != "capped, Hold: account under review" {
		t.Errorf("the remark is %q", remark)
	}
	l.has("L:HELD:LevelIncome:1", "160", "L:INCOME:LevelIncome:1", "0")
	l.does(event{Kind: "unblock", UID: "1"})
	l.pays(l.closes())
	l.has("L:HELD:LevelIncome:1", "0", "L:INCOME:LevelIncome:1", "160", "L:INCOME:binaryIncome:1", "25")
}
