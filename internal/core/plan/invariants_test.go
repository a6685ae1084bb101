package plan

import "strings"

// sum adds all accounts whose code begins so.
func (w *world) sum(prefix string) (total int64) {
	for code, n := range w.cash {
		if strings.HasPrefix(code, prefix) {
			total += n
		}
	}
	return total
}

func (w *world) same(what string, got, want int64) {
	w.t.Helper()
	if got != want {
		w.t.Fatalf("%s is %s, not %s", what, text(got), text(want))
	}
}

// check holds what must be true after every close.
func (w *world) check() {
	w.t.Helper()
	recalled := [2]int64{}
	for _, c := range w.claims {
		if !c.done {
			recalled[c.Line] += c.recalled
		}
	}
	w.same("client cash", w.cash["A:CLIENT"], w.sum("L:FUND:")+w.sum("L:DEFERRED:")+recalled[0]+recalled[1])
	w.same("field cash", w.cash["A:FIELD"], w.sum("P:")+w.sum("L:INCOME:")+w.sum("L:HELD:")+w.settled[0]+w.settled[1])
	w.same("what the company operates with", w.cash["A:OPERATING"], w.cash["E:COMPANY"])
	w.same("all assets", w.sum("A:"), w.sum("L:")+w.sum("P:")+w.sum("E:"))
	for k := range pools {
		w.same("pool "+k.Name(), w.b.Pools[k], w.cash["P:"+k.Name()])
		if w.b.Pools[k] < 0 {
			w.t.Fatalf("pool %s is below zero", k.Name())
		}
	}
	for line := range LineNames {
		w.checkLine(line, recalled[line])
	}
	w.checkHeld()
	w.checkPayout()
}

// checkLine: the engine's figures are the world's accounts, and the line's cash
// is what it owes, so that it covers positions and frozen rows.
func (w *world) checkLine(line int, recalled int64) {
	w.t.Helper()
	l, name := &w.b.Lines[line], LineNames[line]
	principals := w.sum("L:PRINCIPAL:" + name + ":")
	trading := w.cash["A:TRADING:"+name]
	w.same(name+" cash", trading, principals+w.cash["L:ROI_HELD:"+name]+w.cash["L:FEE_HELD:"+name]+w.cash["L:LINE_RESERVE:"+name]-w.settled[line]-recalled)
	w.same(name+" reserve", l.Reserve, w.cash["L:LINE_RESERVE:"+name])
	w.same(name+" held", l.Held, w.cash["L:ROI_HELD:"+name])
	w.same(name+" fees", l.feeHeld(), w.cash["L:FEE_HELD:"+name])
	w.same(name+" settled", l.Settled, w.settled[line])
	if l.Settled < 0 || l.Frozen < 0 || trading+recalled < principals+l.Frozen {
		w.t.Fatalf("%s: settled %s, frozen %s, cash %s, recalled %s, principals %s", name, text(l.Settled), text(l.Frozen), text(trading), text(recalled), text(principals))
	}
	open, waiting := int64(0), 0
	for _, p := range l.Positions {
		account := w.cash["L:PRINCIPAL:"+name+":"+w.uid(p.Member)+":"+p.ID]
		if p.Loss < 0 || p.Loss > p.Principal {
			w.t.Fatalf("%s carries a loss of %s of %s", p.ID, text(p.Loss), text(p.Principal))
		}
		switch p.State {
		case Claimed:
			w.same("claimed "+p.ID, account, 0)
			continue
		case Matured:
			waiting++
		case Open:
			open += account
		}
		w.same("principal of "+p.ID, account, p.Principal-p.Loss)
	}
	if trading < open {
		w.t.Fatalf("%s has %s and open positions of %s", name, text(trading), text(open))
	}
	w.same(name+" claims that wait", int64(l.Pending), int64(waiting))
}

// checkHeld: what is on Hold is what the rows on Hold say.
func (w *world) checkHeld() {
	w.t.Helper()
	void := w.void()
	held, frozen, network := [2]int64{}, [2]int64{}, map[string]int64{}
	for k, r := range w.kinds {
		if w.rows[k]["ss"] != "Hold" || void(r) {
			continue
		}
		if r.Kind < KindROI {
			network["L:HELD:"+wallets[r.Kind]+":"+w.uid(r.To)] += r.Paid
			continue
		}
		held[r.Line] += r.Paid
		if r.Kind == KindROI && w.isClaimed(k) {
			frozen[r.Line] += r.Paid
		}
	}
	for line, name := range LineNames {
		w.same(name+" rows on Hold", held[line], w.cash["L:ROI_HELD:"+name])
		w.same(name+" frozen rows", frozen[line], w.b.Lines[line].Frozen)
	}
	for code, n := range network {
		w.same(code, w.cash[code], n)
	}
	total := int64(0)
	for _, n := range network {
		total += n
	}
	w.same("held incomes", w.sum("L:HELD:"), total)
}

// checkPayout: network incomes are never more than the pools' share of final
// sales. Net of reversals, they are that share, less what pools still have and
// earners owe, and more by what pools owe and the company bore.
func (w *world) checkPayout() {
	w.t.Helper()
	gross, net := int64(0), int64(0)
	if w.b.Deficit[LEVEL] != 0 || w.b.Pools[LEVEL] != 0 {
		w.t.Fatal("the level pool owes or keeps something")
	}
	for _, s := range w.sales {
		if s.final == 0 {
			continue
		}
		for _, rate := range s.rates.ByPool() {
			share := muldiv(s.Amount, rate, ppm)
			gross += share
			if s.state == "final" {
				net += share
			}
		}
	}
	paid, sum := int64(0), int64(0)
	for _, r := range w.kinds {
		if r.Kind == KindLevel && r.Scaled {
			w.t.Fatalf("row %d: a level was cut, though its pool gets all that levels can pay", r.No)
		}
		if r.Kind < KindROI {
			paid += max(0, r.Paid)
			sum += r.Paid
		}
	}
	if paid > gross {
		w.t.Fatalf("paid %s out of %s", text(paid), text(gross))
	}
	for k := range pools {
		net -= w.b.Pools[k]
	}
	for _, d := range w.b.Deficit {
		net += d
	}
	for _, d := range w.b.Debt {
		net -= d
	}
	w.same("network incomes", sum, net+w.borne)
}
