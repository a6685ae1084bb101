package simulate

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/invest"
	"github.com/bifolia/bifolia/internal/trade/sale"
)

// ending is the stored state at the end of a scenario.
type ending struct {
	w       *World
	uid     map[int64]string // by join number
	members map[int64]closing.Member
	carried map[int64]closing.Carried
	incomes []closing.IncomeState
	books   closing.Books
}

// final returns the state after the last close.
func (w *World) final(ctx context.Context) (map[string]any, error) {
	e := &ending{w: w, uid: map[int64]string{}, members: map[int64]closing.Member{}, carried: map[int64]closing.Carried{}}
	err := w.do(ctx, "", nil, func(ctx context.Context, tx *ledger.Tx) (err error) {
		if err := w.db.Closing().Members(ctx, tx, 0, func(m closing.Member) error {
			e.uid[m.No], e.members[m.No] = strconv.FormatInt(m.UID, 10), m
			return nil
		}); err != nil {
			return err
		}
		if err := w.db.Closing().Carried(ctx, tx, func(c closing.Carried) error {
			e.carried[c.No] = c
			return nil
		}); err != nil {
			return err
		}
		if e.incomes, err = w.db.Closing().Incomes(ctx, tx); err != nil {
			return err
		}
		e.books, err = w.db.Closing().Books(ctx, tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	balances, assets := map[string]string{}, map[string]string{}
	for code, n := range e.books.Accounts {
		switch {
		case n == 0:
		case strings.HasPrefix(code, "A:"):
			assets[code] = text(n)
		default:
			balances[code] = text(n)
		}
	}
	matched := map[string]string{}
	for no, m := range e.carried {
		if m.Match != 0 {
			matched[e.uid[no]] = text(m.Match)
		}
	}
	revenue, net, retail := e.revenue()
	return map[string]any{
		"rows": e.rows(), "income_by_member": e.byMember(), "claims": e.claims(), "positions": e.positions(), "history": e.history(),
		"match_bot": matched, "balances": balances, "assets": assets, "revenue": revenue, "income_disclosure": e.disclosure(net, retail),
	}, nil
}

func text(n int64) string { return money.Micro(n).String() }

func (e *ending) rows() []map[string]any {
	out := []map[string]any{}
	for _, x := range e.incomes {
		out = append(out, closing.Show(e.w.plan, x, func(no int64) string { return e.uid[no] }))
	}
	return out
}

// byMember sums incomes by earner, wallet and status.
func (e *ending) byMember() map[string]map[string]map[string]string {
	sums := map[string]map[string]map[string]int64{}
	for _, x := range e.incomes {
		who, wallet := e.uid[x.Earner], closing.WalletName(x.Income)
		if x.Kind == plan.KindROILevel {
			wallet += "Level"
		}
		ss, _ := x.Status()
		if sums[who] == nil {
			sums[who] = map[string]map[string]int64{}
		}
		if sums[who][wallet] == nil {
			sums[who][wallet] = map[string]int64{}
		}
		sums[who][wallet][ss] += x.Paid
	}
	out := map[string]map[string]map[string]string{}
	for who, wallets := range sums {
		out[who] = map[string]map[string]string{}
		for wallet, states := range wallets {
			out[who][wallet] = map[string]string{}
			for ss, n := range states {
				if n != 0 {
					out[who][wallet][ss] = text(n)
				}
			}
		}
	}
	return out
}

func (e *ending) claims() []map[string]any {
	out := []map[string]any{}
	slices.SortFunc(e.books.Claims, func(a, b invest.Claim) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(slices.Index(plan.LineNames[:], a.Line), slices.Index(plan.LineNames[:], b.Line)), strings.Compare(a.ID, b.ID))
	})
	for _, c := range e.books.Claims {
		m := map[string]any{
			"id": c.ID, "pos": c.Position, "uid": e.uid[c.No], "line": c.Line, "amount": c.Amount.String(), "accounttype": e.w.plan.Lines[c.Line].Fund,
			"income": c.Income.String(), "netamount": c.Net.String(), "dd": c.Day.String(), "ss": "Pending", "claim_dd": nil, "recalled": c.Recalled.String(),
		}
		if c.Done {
			m["ss"], m["claim_dd"] = "Claimed", c.ClaimDay.String()
		}
		out = append(out, m)
	}
	return out
}

func (e *ending) positions() map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, p := range e.books.Positions {
		out[p.ID] = map[string]string{"amount": p.Principal.String(), "loss_carry": p.Loss.String(), "ss": string(p.State)}
	}
	return out
}

// history lists purchases and withdrawals in the order of booking.
func (e *ending) history() []map[string]any {
	type entry struct {
		day plan.Day
		at  int64
		id  string
		row map[string]any
	}
	var all []entry
	type pack struct {
		line string // "" is Robot
		id   int64
	}
	names := map[pack]string{}
	for _, k := range e.w.plan.RobotPackages {
		names[pack{"", k.ID}] = k.Name
	}
	for line, l := range e.w.plan.Lines {
		for _, k := range l.Packages {
			names[pack{line, k.ID}] = k.Name
		}
	}
	add := func(day plan.Day, at int64, id string, row map[string]any) {
		all = append(all, entry{day, at, id, row})
	}
	for _, s := range e.books.Sales {
		add(s.Day, s.At.UnixMicro(), s.ID, map[string]any{
			"t": "ActivationHistory", "uid": e.uid[s.No], "referby": strconv.FormatInt(s.Payer, 10), "Amount": s.Amount.String(),
			"pp": names[pack{"", s.Package}], "remark": string(s.Topup), "type": "FUNDS", "dd": s.Day.String(),
		})
	}
	for _, p := range e.books.Positions {
		add(p.Day, p.At.UnixMicro(), p.ID, map[string]any{
			"t": "ActivationHistory", "uid": e.uid[p.No], "referby": strconv.FormatInt(p.Payer, 10), "Amount": p.Principal.String(),
			"pp": names[pack{p.Line, p.Package}], "remark": p.Topup, "type": e.w.plan.Lines[p.Line].Fund, "dd": p.Day.String(),
		})
	}
	for _, x := range e.w.withdrawn {
		add(x.day, x.at.UnixMicro(), x.id, map[string]any{
			"t": "Withdrawal", "uid": x.uid, "Request_amount": x.amount.String(), "admincharge": x.charge.String(), "amount": text(x.amount.Micros() - x.charge.Micros()),
			"withdrawlType": "USDT", "Wtype": x.wallet, "dd": x.day.String(),
		})
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.at, b.at), strings.Compare(a.id, b.id))
	})
	out := []map[string]any{}
	for _, x := range all {
		out = append(out, x.row)
	}
	return out
}

// revenue returns the revenue of final sales. net excludes reversed sales; retail includes
// all sales to customers.
func (e *ending) revenue() (revenue map[string]string, net, retail int64) {
	var gross, reversed int64
	for _, s := range e.books.Sales {
		if s.State != sale.Final && s.State != sale.Reversed {
			continue
		}
		gross += s.Amount.Micros()
		if m := e.members[s.No]; m.Parent == 0 && m.Sponsor != 0 {
			retail += s.Amount.Micros()
		}
		if s.State == sale.Reversed {
			reversed += s.Amount.Micros()
		}
	}
	return map[string]string{"gross_final": text(gross), "reversed": text(reversed), "retail": text(retail)}, gross - reversed, retail
}
