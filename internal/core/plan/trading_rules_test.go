package plan

import (
	"slices"
	"testing"
)

// loss is what a position carries.
func (l *life) loss(position string) string {
	i := slices.IndexFunc(l.b.Lines[0].Positions, func(p Position) bool { return p.ID == position })
	return short(l.b.Lines[0].Positions[i].Loss)
}

func (l *life) losses(want ...string) {
	l.t.Helper()
	for i := 0; i < len(want); i += 2 {
		if got := l.loss(want[i]); got != want[i+1] {
			l.t.Errorf("%s carries a loss of %s, not %s", want[i], got, want[i+1])
		}
	}
}

func TestAProfitIsSharedByPrincipalOverPositionsOfEarlierDays(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L", "3<2L")
	l.buys("50", "1", "2")
	l.invests("2", "300")
	l.invests("3", "100")
	l.closes()
	l.invests("1", "600") // of today: no share
	l.books("40")
	// 70 % to the member, 20 % to the operator; of a ROI 5 % to the sponsor and
	// 2 % to the next, if their levels are open; the rest to the line.
	r := l.closes()
	l.pays(r, "2 roi 21", "1 roilevel 1 1.05", "3 roi 7", "1 roilevel 2 0.14")
	l.has("L:ROI_HELD:FOREX", "29.19", "L:FEE_HELD:FOREX", "8", "L:LINE_RESERVE:FOREX", "2.81")
	if rate := l.rows[len(l.rows)-4]["onrate"]; rate != "7.000000" {
		t.Errorf("the outcome is shown as %v %%", rate)
	}
}

func TestALossTakesTheReserveThenPrincipalsInRoundsThenTheCompany(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L", "3<1R")
	l.books("30") // nobody has a position: the line keeps it
	l.invests("1", "100")
	l.closes()
	l.has("L:LINE_RESERVE:FOREX", "30")
	l.books("-120") // 30 of the reserve, 90 of the only position
	l.invests("2", "100")
	l.invests("3", "200")
	l.closes()
	l.has("L:LINE_RESERVE:FOREX", "0")
	l.losses("p1", "90")
	l.books("-160") // 40, 40 and 80; but p1 has only 10: the other two bear 30 more
	l.closes()
	l.losses("p1", "100", "p2", "50", "p3", "100")
	l.books("-151")
	l.closes()
	l.losses("p1", "100", "p2", "100", "p3", "200")
	l.has("E:COMPANY", "-1", "A:TRADING:FOREX", "0")
}

func TestAProfitRepaysLossesFirst(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L")
	l.invests("1", "100")
	l.closes()
	l.books("-30")
	l.invests("2", "100")
	l.closes()
	l.books("40") // 20 each: all of 1's goes into its loss
	l.pays(l.closes(), "2 roi 14")
	l.losses("p1", "10", "p2", "0")
	l.books("40")
	l.pays(l.closes(), "1 roi 7", "2 roi 14")
	l.losses("p1", "0")
}

func TestBatchesAreReleasedInOrderEachWholeAndTheFeeLast(t *testing.T) {
	l := begin(t)
	l.team("1")
	l.invests("1", "100")
	l.closes()
	l.books("10")
	l.books("20") // two bookings of one day are two batches
	l.pays(l.closes(), "1 roi 7", "1 roi 14")
	l.settles("6.999999")
	if r := l.closes(); len(r.Releases) != 0 {
		t.Errorf("a batch was released in part: %v", r.Releases)
	}
	l.settles("0.000001")
	l.closes()
	l.has("L:INCOME:ForexIncome:1", "7", "L:ROI_HELD:FOREX", "14")
	l.settles("16")
	if r := l.closes(); len(r.FeesPaid[0]) != 1 || r.FeesPaid[0][0].Amount != micros("2") {
		t.Errorf("fees paid: %v", r.FeesPaid[0])
	}
	l.has("L:INCOME:ForexIncome:1", "21", "L:FEE_HELD:FOREX", "4", "E:COMPANY", "2")
}

func TestASettlementAboveTheHeldProfitIsRefused(t *testing.T) {
	l := begin(t)
	l.team("1")
	l.invests("1", "100")
	l.closes()
	l.books("10")
	l.settles("9.000001") // 7 of ROI and 2 of fee; the rest is the line's reserve
	r := l.closes()
	if len(r.Refused) != 1 || r.Refused[0].Reason != "settle 9.000001 above booked distributable profit 9.000000" {
		t.Errorf("refused: %v", r.Refused)
	}
}

func TestAMaturePositionFreezesItsROIAndFreedCashGoesBackToTheLine(t *testing.T) {
	l := begin(t)
	l.team("1", "2<1L")
	l.invests("1", "100")
	l.closes()
	l.invests("2", "100")
	l.closes()
	l.books("20") // 7 each
	l.closes()
	l.settles("12")
	l.closes()
	l.closes()
	r := l.closes() // the fifth day after 1 invested
	if len(r.Claims) != 1 || r.Claims[0].Net != micros("107") || r.Claims[0].Income != micros("7") {
		t.Fatalf("claims: %v", r.Claims)
	}
	// 12 were settled; 7 of ROI and 4 of fee are still to be paid with it.
	l.has("A:TRADING:FOREX", "209")
	if r.Unsettled[0] != micros("1") {
		t.Errorf("%s went back", text(r.Unsettled[0]))
	}
	r = l.closes()
	l.has("L:INCOME:ForexIncome:2", "7", "L:INCOME:ForexIncome:1", "0", "L:FEE_HELD:FOREX", "4")
	if len(r.FeesPaid[0]) != 0 {
		t.Error("the operator was paid while a claim waits")
	}
}

func TestAClaimWaitsForItsCashAndTheFeeForTheClaim(t *testing.T) {
	l := begin(t)
	l.team("1")
	l.invests("1", "100")
	l.closes()
	l.books("10")
	l.books("-5")
	l.until("2026-04-06")
	l.settles("2")
	r := l.closes()
	if r.Claims[0].Income != micros("7")-micros("4") { // the reserve bore 1 of the loss
		t.Fatalf("claims: %v", r.Claims)
	}
	l.does(event{Kind: "recall", Claim: "C-p1", Amount: "102.999999"})
	l.does(event{Kind: "claim", Claim: "C-p1", UID: "1"})
	l.closes()
	l.has("L:INCOME:ForexIncome:1", "0", "L:FEE_HELD:FOREX", "2")
	l.does(event{Kind: "recall", Claim: "C-p1", Amount: "0.000002"}) // above the claim
	l.does(event{Kind: "recall", Claim: "C-p1", Amount: "0.000001"})
	l.does(event{Kind: "claim", Claim: "C-p1", UID: "1"})
	l.closes()
	l.has("L:INCOME:ForexIncome:1", "103", "L:FEE_HELD:FOREX", "0", "E:COMPANY", "2", "A:TRADING:FOREX", "0", "L:ROI_HELD:FOREX", "0")
	if ss := l.rows[0]["ss"]; ss != "Claimed" {
		t.Errorf("the ROI row is %v", ss)
	}
}

func TestROIIgnoresBlocking(t *testing.T) {
	l := begin(t)
	l.team("1")
	l.invests("1", "100")
	l.does(event{Kind: "block", UID: "1"})
	l.closes()
	l.books("10")
	l.settles("7")
	l.closes()
	l.has("L:INCOME:ForexIncome:1", "7")
}
