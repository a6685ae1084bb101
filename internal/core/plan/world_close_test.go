package plan

import (
	"cmp"
	"slices"
	"strings"
)

// close runs the engine for a day and posts what it says.
func (w *world) close(day Day, operator []event) *Result {
	in := Inputs{Day: day}
	for _, s := range w.sales {
		if s.state == "cooling" && int64(s.day)+s.cooling <= int64(day) {
			in.Finalise = append(in.Finalise, s.Sale)
		}
	}
	slices.SortFunc(in.Finalise, func(a, b Sale) int {
		return cmp.Or(cmp.Compare(w.sales[a.ID].day, w.sales[b.ID].day), strings.Compare(a.ID, b.ID))
	})
	for _, s := range in.Finalise {
		w.sales[s.ID].state, w.sales[s.ID].final, w.sales[s.ID].rates = "final", day, w.p.PoolsPPM
	}
	var refused []Refusal
	for _, e := range operator {
		switch line := lineOf(e.Line); e.Kind {
		case "pnl":
			in.Profits[line] = append(in.Profits[line], Booking{e.ID, micros(e.Amount)})
		case "settle":
			in.Settles[line] = append(in.Settles[line], Booking{e.ID, micros(e.Amount)})
		case "chargeback":
			if s := w.sales[e.Sale]; s == nil || s.state != "final" {
				refused = append(refused, Refusal{e.ID, "not final"})
				continue
			}
			in.Chargebacks = append(in.Chargebacks, w.chargeback(e))
		}
	}
	w.in = in
	r := w.p.Close(w.b, in)
	w.post(r)
	r.Refused = append(r.Refused, refused...)
	return r
}

func (w *world) chargeback(e event) Chargeback {
	s := w.sales[e.Sale]
	s.state = "reversed"
	cb := Chargeback{ID: e.ID, Sale: s.Sale, Final: s.final, Rates: s.rates}
	for k, row := range w.kinds {
		if row.Kind == KindLevel && row.Source == s.ID && row.Reverses == 0 {
			held := w.rows[k]["ss"] == "Hold"
			account := "L:INCOME:LevelIncome:"
			if held {
				account = "L:HELD:LevelIncome:"
			}
			cb.Levels = append(cb.Levels, LevelRow{row.No, row.To, row.Level, row.Paid, held, w.cash[account+w.uid(row.To)]})
		}
	}
	return cb
}

func (w *world) post(r *Result) {
	for _, f := range r.Finalised {
		legs := []any{"L:DEFERRED:" + f.ID, -f.Amount, "E:COMPANY", f.Rest, "A:CLIENT", -f.Amount, "A:FIELD", f.Amount - f.Rest, "A:OPERATING", f.Rest}
		for k, share := range f.Shares {
			legs = append(legs, "P:"+Pool(k).Name(), share)
		}
		w.move(legs...)
		w.gross += f.Amount
		if w.b.Customer[f.Member] {
			w.retail += f.Amount
		}
	}
	for _, v := range r.Reversals {
		for k, t := range v.Taken {
			account := "L:INCOME:LevelIncome:"
			if v.Levels[k].Held {
				account = "L:HELD:LevelIncome:"
			}
			w.move(account+w.uid(v.Levels[k].To), -t, "P:RESERVE", t)
		}
		s, gave := w.sales[v.Sale.ID], int64(0)
		legs := []any{"L:FUND:FUNDS:" + s.payer, s.Amount, "A:CLIENT", s.Amount}
		for k, g := range v.Gave {
			pool := Pool(k).Name()
			if Pool(k) == LEVEL {
				pool = "RESERVE"
			}
			legs, gave = append(legs, "P:"+pool, -g), gave+g
		}
		w.move(append(legs, "E:COMPANY", -v.Rest, "A:FIELD", -gave, "A:OPERATING", -v.Rest)...)
		w.reversed += s.Amount
		w.borne += muldiv(s.Amount, s.rates.Level, ppm) - v.Gave[LEVEL]
	}
	kind := map[int64]Kind{}
	for _, row := range r.Rows {
		kind[row.No] = row.Kind
	}
	for _, p := range r.Pays {
		account := "L:INCOME:"
		if p.Held {
			account = "L:HELD:"
		}
		w.move("P:"+p.Pool.Name(), -p.Amount, account+wallets[kind[p.Row]]+":"+w.uid(p.To), p.Amount-p.Debt, "P:RESERVE", p.Debt)
	}
	w.move("P:LEVEL", -r.Breakage, "P:RESERVE", r.Breakage)
	w.show(r)
	w.postTrading(r)
}

// postResults posts in the order of booking: a loss may use the reserve that a
// profit before it has filled.
func (w *world) postResults(r *Result) {
	var losses, profits int
	for line, name := range LineNames {
		for _, booking := range w.in.Profits[line] {
			var legs []any
			var shares []Share
			sign := int64(1)
			if booking.Amount < 0 {
				x := r.Losses[losses]
				losses++
				legs = []any{"A:TRADING:" + name, x.Amount + x.Company, "L:LINE_RESERVE:" + name, -x.Reserve, "A:OPERATING", -x.Company, "E:COMPANY", -x.Company}
				shares, sign = x.Shares, -1
			} else {
				x := r.Profits[profits]
				profits++
				legs = []any{"A:TRADING:" + name, x.Amount, "L:ROI_HELD:" + name, x.ROI, "L:FEE_HELD:" + name, x.Fee, "L:LINE_RESERVE:" + name, x.Reserve}
				shares = x.Repaid
			}
			for _, s := range shares {
				p := w.b.Lines[line].Positions[s.Of]
				legs = append(legs, "L:PRINCIPAL:"+name+":"+w.uid(p.Member)+":"+p.ID, sign*s.Amount)
			}
			w.move(legs...)
		}
	}
}

func (w *world) postTrading(r *Result) {
	w.postResults(r)
	for line, name := range LineNames {
		for _, s := range r.Settled[line] {
			w.move("A:TRADING:"+name, -s.Amount, "A:FIELD", s.Amount)
			w.settled[line] += s.Amount
		}
	}
	for _, x := range r.Releases {
		name := LineNames[x.Line]
		for _, s := range x.Shares {
			w.move("L:ROI_HELD:"+name, -s.Amount, "L:INCOME:"+w.p.Lines[name].Income+":"+w.uid(s.Of), s.Amount)
			w.settled[x.Line] -= s.Amount
		}
		for k, row := range w.kinds {
			if row.Kind >= KindROI && row.Source == x.Batch && w.rows[k]["ss"] == "Hold" && (row.Kind == KindROILevel || !w.isClaimed(k)) {
				w.status(k, "Release", r.Day)
			}
		}
	}
	for line, name := range LineNames {
		for _, f := range r.FeesPaid[line] {
			w.move("L:FEE_HELD:"+name, -f.Amount, "E:COMPANY", f.Amount, "A:FIELD", -f.Amount, "A:OPERATING", f.Amount)
			w.settled[line] -= f.Amount
		}
		w.move("A:FIELD", -r.Unsettled[line], "A:TRADING:"+name, r.Unsettled[line])
		w.settled[line] -= r.Unsettled[line]
	}
	for _, c := range r.Claims {
		p := w.b.Lines[c.Line].Positions[c.Position]
		w.claims["C-"+p.ID] = &claimState{Claim: c, pos: p.ID, uid: w.uid(p.Member), day: r.Day}
	}
}

// isClaimed: the row's position has become a claim on an earlier day.
func (w *world) isClaimed(k int) bool { return w.claims["C-"+w.rows[k]["pos"].(string)] != nil }
