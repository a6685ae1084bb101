package plan

import (
	"slices"
	"strings"
)

func (w *world) transfer(e event) string {
	from, a := "L:FUND:"+e.Fund+":"+e.From, micros(e.Amount)
	if w.cash[from] < a {
		return "not enough funds"
	}
	w.move(from, -a, "L:FUND:"+e.Fund+":"+e.To, a)
	return ""
}

func (w *world) buy(e event, day Day) string {
	owned := int64(0)
	for _, s := range w.sales {
		if s.Member == w.at[e.UID] && (s.state == "cooling" || s.state == "final") {
			owned += s.Amount
		}
	}
	at := slices.IndexFunc(w.p.RobotPackages, func(k Package) bool { return k.ID == e.Package })
	if at < 0 {
		return "no such package"
	}
	due := w.p.RobotPackages[at].Amount.Micros() - owned
	switch {
	case (owned > 0) != (e.Topup == "Upgrade"):
		return "an activation is the first, an upgrade a later one"
	case due <= 0:
		return "owns as much already"
	case w.cash["L:FUND:FUNDS:"+e.Payer] < due:
		return "not enough funds"
	}
	w.sales[e.ID] = &saleState{Sale: Sale{ID: e.ID, Member: w.at[e.UID], Amount: due, Volume: muldiv(due, w.p.BVPPM, ppm)}, payer: e.Payer, day: day, cooling: w.p.CoolingOffDays, state: "cooling"}
	w.move("L:FUND:FUNDS:"+e.Payer, -due, "L:DEFERRED:"+e.ID, due)
	return ""
}

func (w *world) refund(e event) string {
	s := w.sales[e.Sale]
	if s == nil || s.state != "cooling" {
		return "not cooling"
	}
	s.state = "refunded"
	w.move("L:DEFERRED:"+e.Sale, -s.Amount, "L:FUND:FUNDS:"+s.payer, s.Amount)
	return ""
}

func (w *world) invest(e event, day Day) string {
	l, rules, a := &w.b.Lines[lineOf(e.Line)], w.p.Lines[e.Line], micros(e.Amount)
	at := slices.IndexFunc(rules.Packages, func(k LinePackage) bool { return k.ID == e.Package })
	if at < 0 || a < rules.Packages[at].From.Micros() || a > rules.Packages[at].To.Micros() {
		return "outside the package's range"
	}
	if w.cash["L:FUND:"+rules.Fund+":"+e.Payer] < a {
		return "not enough funds"
	}
	put, _ := slices.BinarySearchFunc(l.Positions, e.ID, func(p Position, id string) int { return strings.Compare(p.ID, id) })
	l.Positions = slices.Insert(l.Positions, put, Position{ID: e.ID, Member: w.at[e.UID], Principal: a, Opened: day, Term: rules.Packages[at].Term})
	for _, batch := range l.Batches { // indexes move when a position comes in between
		for k := range batch.ROI {
			if batch.ROI[k].Of >= int32(put) {
				batch.ROI[k].Of++
			}
		}
	}
	w.move("L:FUND:"+rules.Fund+":"+e.Payer, -a, "L:PRINCIPAL:"+e.Line+":"+e.UID+":"+e.ID, a, "A:CLIENT", -a, "A:TRADING:"+e.Line, a)
	return ""
}

func (w *world) recall(e event) string {
	c, a := w.claims[e.Claim], micros(e.Amount)
	if c == nil || c.done || c.recalled+a > c.Net {
		return "above the claim"
	}
	c.recalled += a
	w.move("A:TRADING:"+LineNames[c.Line], -a, "A:CLIENT", a)
	return ""
}

func (w *world) claim(e event, day Day) string {
	c := w.claims[e.Claim]
	if c == nil || c.done || c.recalled < c.Net {
		return "not funded yet"
	}
	l, name := &w.b.Lines[c.Line], LineNames[c.Line]
	p := &l.Positions[slices.IndexFunc(l.Positions, func(p Position) bool { return p.ID == c.pos })]
	hold := c.Income + p.Loss
	w.move("L:PRINCIPAL:"+name+":"+c.uid+":"+c.pos, -(p.Principal - p.Loss), "L:ROI_HELD:"+name, -hold,
		"L:INCOME:"+w.p.Lines[name].Income+":"+c.uid, c.Net, "A:CLIENT", -c.Net, "A:FIELD", c.Net)
	p.State = Claimed
	l.Held -= hold
	l.Frozen -= hold
	l.Pending--
	c.done, c.claimed = true, day
	for k, r := range w.kinds {
		if r.Kind == KindROI && w.rows[k]["pos"] == c.pos && w.rows[k]["ss"] == "Hold" {
			w.status(k, "Claimed", day)
		}
	}
	return ""
}

func (w *world) withdraw(e event) string {
	from, a := "L:INCOME:"+e.Type+":"+e.UID, micros(e.Amount)
	switch {
	case w.b.Blocked[w.at[e.UID]]:
		return "under review"
	case a%ppm != 0 || a < w.p.Withdraw.Min.Micros():
		return "whole dollars, and at least the minimum"
	case w.cash[from] < a:
		return "not enough income"
	}
	charge := muldiv(a, w.p.Withdraw.ChargePPM, ppm)
	w.move(from, -a, "A:FIELD", -a, "A:OPERATING", charge, "E:COMPANY", charge)
	return ""
}

// void tells whether a row was reversed or is a reversal.
func (w *world) void() func(Row) bool {
	reversed := map[int64]bool{}
	for _, r := range w.kinds {
		reversed[r.Reverses] = true
	}
	return func(r Row) bool { return r.Reverses != 0 || reversed[r.No] }
}

func (w *world) unblock(e event, day Day) {
	i := w.at[e.UID]
	w.b.Blocked[i] = false
	void := w.void()
	for k, r := range w.kinds {
		if r.To == i && r.Kind < KindROI && w.rows[k]["ss"] == "Hold" && !void(r) {
			wallet := wallets[r.Kind]
			w.move("L:HELD:"+wallet+":"+e.UID, -r.Paid, "L:INCOME:"+wallet+":"+e.UID, r.Paid)
			w.status(k, "Release", day)
		}
	}
}
