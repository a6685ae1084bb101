package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/money"
)

// world lives events through a plan the plain way: a map of balances and the
// postings as the rules state them. The engine's results must fit into it.
type world struct {
	t                       *testing.T
	p                       *Plan
	b                       *Book
	at                      map[string]int32
	cash                    map[string]int64 // every account by its code
	sales                   map[string]*saleState
	claims                  map[string]*claimState
	line                    map[string]int
	pos                     map[string]int32 // position id → index, by line
	rows                    []map[string]any // as reports show them
	kinds                   []Row
	batchOf                 map[int64]string
	gross, reversed, retail int64
	positions               [2]map[string]bool
}

type saleState struct {
	Sale
	payer string
	day   Day
	state string
	final Day
}

type claimState struct {
	Claim
	line     int
	pos      string
	uid      string
	recalled int64
	day      Day
	claimed  Day
	done     bool
}

type event struct {
	ID, Kind, At, Rec, UID, Sponsor, Side, Fund, Amount, From, To, Payer, Topup, Line, Sale, Claim, Type string
	Package                                                                                              int64
}

func newWorld(t *testing.T, p *Plan) *world {
	return &world{
		t: t, p: p, b: &Book{}, at: map[string]int32{}, cash: map[string]int64{}, sales: map[string]*saleState{}, claims: map[string]*claimState{},
		line: map[string]int{"FOREX": 0, "CRYPTO": 1}, pos: map[string]int32{}, batchOf: map[int64]string{},
	}
}

func micros(s string) int64 { return money.MustParse(s).Micros() }
func text(n int64) string   { return money.Micro(n).String() }

// move posts: alternating codes and amounts. No account but the company's may
// fall below zero.
func (w *world) move(legs ...any) {
	w.t.Helper()
	for i := 0; i < len(legs); i += 2 {
		code, delta := legs[i].(string), legs[i+1].(int64)
		w.cash[code] += delta
		if w.cash[code] < 0 && code != "E:COMPANY" && code != "A:OPERATING" {
			w.t.Fatalf("%s is %s", code, text(w.cash[code]))
		}
	}
	var sides [2]int64
	for i := 0; i < len(legs); i += 2 {
		if strings.HasPrefix(legs[i].(string), "A:") {
			sides[0] += legs[i+1].(int64)
		} else {
			sides[1] += legs[i+1].(int64)
		}
	}
	if sides[0] != sides[1] {
		w.t.Fatalf("a posting does not balance: %v", legs)
	}
}

func (w *world) join(e event, customer bool) {
	b := w.b
	i := int32(len(b.UID))
	uid, _ := strconv.ParseInt(e.UID, 10, 64)
	sponsor, parent, side := int32(-1), int32(-1), uint8(0)
	if e.Sponsor != "" {
		sponsor = w.at[e.Sponsor]
	}
	if !customer && sponsor >= 0 {
		side = map[string]uint8{"Left": 1, "Right": 2}[e.Side]
		parent = sponsor
		for found := true; found; {
			found = false
			for k := range b.UID {
				if b.Parent[k] == parent && b.Side[k] == side {
					parent, found = int32(k), true
					break
				}
			}
		}
	}
	w.at[e.UID] = i
	b.UID, b.Sponsor, b.Parent, b.Side, b.Customer = append(b.UID, uid), append(b.Sponsor, sponsor), append(b.Parent, parent), append(b.Side, side), append(b.Customer, customer)
	for _, col := range []*[]int64{&b.Final, &b.Own, &b.Month, &b.Left, &b.Right, &b.MatchBot, &b.Debt} {
		*col = append(*col, 0)
	}
	b.Sales = append(b.Sales, 0)
	b.Rank, b.Reward, b.Months = append(b.Rank, 0), append(b.Reward, 0), append(b.Months, 0)
	b.Active, b.Blocked = append(b.Active, false), append(b.Blocked, false)
	b.ByUID = append(b.ByUID, i)
	slices.SortFunc(b.ByUID, func(x, y int32) int { return cmp.Compare(b.UID[x], b.UID[y]) })
}

// live does an event that happens when it is asked for; the text is why not.
func (w *world) live(e event, day Day) string {
	switch e.Kind {
	case "register", "customer":
		w.join(e, e.Kind == "customer")
	case "deposit":
		w.move("A:CLIENT", micros(e.Amount), "L:FUND:"+e.Fund+":"+e.UID, micros(e.Amount))
	case "transfer":
		w.move("L:FUND:"+e.Fund+":"+e.From, -micros(e.Amount), "L:FUND:"+e.Fund+":"+e.To, micros(e.Amount))
	case "buy":
		return w.buy(e, day)
	case "refund":
		s := w.sales[e.Sale]
		if s.state != "cooling" {
			return "not cooling"
		}
		s.state = "refunded"
		w.move("L:DEFERRED:"+e.Sale, -s.Amount, "L:FUND:FUNDS:"+s.payer, s.Amount)
	case "invest":
		w.invest(e, day)
	case "recall":
		c := w.claims[e.Claim]
		a := micros(e.Amount)
		c.recalled += a
		w.b.Lines[c.line].Settled += 0
		w.move("A:TRADING:"+LineNames[c.line], -a, "A:CLIENT", a)
	case "claim":
		return w.claim(e, day)
	case "block":
		w.b.Blocked[w.at[e.UID]] = true
	case "unblock":
		w.unblock(e, day)
	case "withdraw":
		a := micros(e.Amount)
		charge := muldiv(a, w.p.Withdraw.ChargePPM, ppm)
		w.move("L:INCOME:"+e.Type+":"+e.UID, -a, "A:FIELD", -a, "A:OPERATING", charge, "E:COMPANY", charge)
	}
	return ""
}

func (w *world) buy(e event, day Day) string {
	owned := int64(0)
	for _, s := range w.sales {
		if s.Member == w.at[e.UID] && (s.state == "cooling" || s.state == "final") {
			owned += s.Amount
		}
	}
	for _, k := range w.p.RobotPackages {
		if k.ID == e.Package {
			due := k.Amount.Micros() - owned
			s := &saleState{Sale: Sale{ID: e.ID, Member: w.at[e.UID], Amount: due, Volume: muldiv(due, w.p.BVPPM, ppm)}, payer: e.Payer, day: day, state: "cooling"}
			w.sales[e.ID] = s
			w.move("L:FUND:FUNDS:"+e.Payer, -due, "L:DEFERRED:"+e.ID, due)
			return ""
		}
	}
	return "no such package"
}

func (w *world) invest(e event, day Day) {
	line := w.line[e.Line]
	l := &w.b.Lines[line]
	term := int64(0)
	for _, k := range w.p.Lines[e.Line].Packages {
		if k.ID == e.Package {
			term = k.Term
		}
	}
	old := map[int32]string{}
	for i := range l.Positions {
		old[int32(i)] = l.Positions[i].ID
	}
	l.Positions = append(l.Positions, Position{ID: e.ID, Member: w.at[e.UID], Principal: micros(e.Amount), Opened: day, Term: term})
	sort.Slice(l.Positions, func(i, j int) bool { return l.Positions[i].ID < l.Positions[j].ID })
	index := map[string]int32{}
	for i := range l.Positions {
		index[l.Positions[i].ID] = int32(i)
	}
	for b := range l.Batches { // indexes move when a position comes in between
		for k := range l.Batches[b].ROI {
			l.Batches[b].ROI[k].Of = index[old[l.Batches[b].ROI[k].Of]]
		}
	}
	fund := w.p.Lines[e.Line].Fund
	a := micros(e.Amount)
	w.move("L:FUND:"+fund+":"+e.Payer, -a, "L:PRINCIPAL:"+e.Line+":"+e.UID+":"+e.ID, a, "A:CLIENT", -a, "A:TRADING:"+e.Line, a)
}

func (w *world) claim(e event, day Day) string {
	c := w.claims[e.Claim]
	if c.recalled < c.Net {
		return "not funded yet"
	}
	l := &w.b.Lines[c.line]
	i := slices.IndexFunc(l.Positions, func(p Position) bool { return p.ID == c.pos })
	p := &l.Positions[i]
	hold := c.Income + p.Loss
	name := LineNames[c.line]
	w.move("L:PRINCIPAL:"+name+":"+c.uid+":"+c.pos, -(p.Principal - p.Loss), "L:ROI_HELD:"+name, -hold,
		"L:INCOME:"+w.p.Lines[name].Income+":"+c.uid, c.Net, "A:CLIENT", -c.Net, "A:FIELD", c.Net)
	p.State = Claimed
	l.Held -= hold
	l.Frozen -= hold
	l.Pending--
	c.done, c.claimed = true, day
	for k, r := range w.kinds {
		if r.Kind == KindROI && r.Line == uint8(c.line) && w.rows[k]["pos"] == c.pos && w.rows[k]["ss"] == "Hold" {
			w.status(k, "Claimed", day)
		}
	}
	return ""
}

var changes [][2]any

func (w *world) status(k int, ss string, day Day) {
	w.rows[k]["ss"], w.rows[k]["released"] = ss, day.String()
	changes = append(changes, [2]any{w.kinds[k].No, ss})
}

func (w *world) unblock(e event, day Day) {
	i := w.at[e.UID]
	w.b.Blocked[i] = false
	reversed := map[int64]bool{}
	for _, r := range w.kinds {
		reversed[r.Reverses] = true
	}
	for k, r := range w.kinds {
		if r.To == i && r.Kind < KindROI && w.rows[k]["ss"] == "Hold" && r.Reverses == 0 && !reversed[r.No] {
			wallet := wallets[r.Kind]
			w.move("L:HELD:"+wallet+":"+e.UID, -r.Paid, "L:INCOME:"+wallet+":"+e.UID, r.Paid)
			w.status(k, "Release", day)
		}
	}
}

var wallets = map[Kind]string{
	KindLevel: "LevelIncome", KindMatching: "binaryIncome", KindRank: "salaryrankreward", KindReward: "salaryrankreward", KindSalary: "salaryrankreward", KindRoyalty: "royalty_income",
}

func (w *world) uid(i int32) string { return strconv.FormatInt(w.b.UID[i], 10) }

// close runs the engine for a day and posts what it says.
func (w *world) close(day Day, operator []event) *Result {
	in := Inputs{Day: day}
	for _, s := range w.sales {
		if s.state == "cooling" && int64(s.day)+w.p.CoolingOffDays <= int64(day) {
			in.Finalise = append(in.Finalise, s.Sale)
		}
	}
	slices.SortFunc(in.Finalise, func(a, b Sale) int {
		return cmp.Or(cmp.Compare(w.sales[a.ID].day, w.sales[b.ID].day), strings.Compare(a.ID, b.ID))
	})
	for _, s := range in.Finalise {
		w.sales[s.ID].state, w.sales[s.ID].final = "final", day
	}
	for _, e := range operator {
		switch e.Kind {
		case "pnl":
			in.Profits[w.line[e.Line]] = append(in.Profits[w.line[e.Line]], Booking{e.ID, micros(e.Amount)})
		case "settle":
			in.Settles[w.line[e.Line]] = append(in.Settles[w.line[e.Line]], Booking{e.ID, micros(e.Amount)})
		case "chargeback":
			in.Chargebacks = append(in.Chargebacks, w.chargeback(e))
		}
	}
	r := w.p.Close(w.b, in)
	w.post(r)
	return r
}

func (w *world) chargeback(e event) Chargeback {
	s := w.sales[e.Sale]
	s.state = "reversed"
	cb := Chargeback{ID: e.ID, Sale: s.Sale, Final: s.final}
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
			if Pool(k) == LEVEL && v.Final != r.Day {
				pool = "RESERVE"
			}
			legs, gave = append(legs, "P:"+pool, -g), gave+g
		}
		w.move(append(legs, "E:COMPANY", -v.Rest, "A:FIELD", -gave, "A:OPERATING", -v.Rest)...)
		w.reversed += s.Amount
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

func (w *world) postTrading(r *Result) {
	for _, x := range r.Losses {
		name := LineNames[x.Line]
		legs := []any{"A:TRADING:" + name, x.Amount, "L:LINE_RESERVE:" + name, -x.Reserve, "A:OPERATING", -x.Company, "E:COMPANY", -x.Company}
		legs[1] = x.Amount + x.Company
		for _, s := range x.Shares {
			p := w.b.Lines[x.Line].Positions[s.Of]
			legs = append(legs, "L:PRINCIPAL:"+name+":"+w.uid(p.Member)+":"+p.ID, -s.Amount)
		}
		w.move(legs...)
	}
	for _, x := range r.Profits {
		name := LineNames[x.Line]
		legs := []any{"A:TRADING:" + name, x.Amount, "L:ROI_HELD:" + name, x.ROI, "L:FEE_HELD:" + name, x.Fee, "L:LINE_RESERVE:" + name, x.Reserve}
		for _, s := range x.Repaid {
			p := w.b.Lines[x.Line].Positions[s.Of]
			legs = append(legs, "L:PRINCIPAL:"+name+":"+w.uid(p.Member)+":"+p.ID, s.Amount)
		}
		w.move(legs...)
	}
	for line, name := range LineNames {
		for _, s := range r.Settled[line] {
			w.move("A:TRADING:"+name, -s.Amount, "A:FIELD", s.Amount)
		}
	}
	for _, x := range r.Releases {
		name := LineNames[x.Line]
		for _, s := range x.Shares {
			w.move("L:ROI_HELD:"+name, -s.Amount, "L:INCOME:"+w.p.Lines[name].Income+":"+w.uid(s.Of), s.Amount)
		}
		for k, row := range w.kinds {
			if row.Kind >= KindROI && row.Source == x.Batch && w.rows[k]["ss"] == "Hold" && (row.Kind == KindROILevel || !w.isClaimed(row)) {
				w.status(k, "Release", r.Day)
			}
		}
	}
	for line, name := range LineNames {
		for _, f := range r.FeesPaid[line] {
			w.move("L:FEE_HELD:"+name, -f.Amount, "E:COMPANY", f.Amount, "A:FIELD", -f.Amount, "A:OPERATING", f.Amount)
		}
		w.move("A:FIELD", -r.Unsettled[line], "A:TRADING:"+name, r.Unsettled[line])
	}
	for _, c := range r.Claims {
		p := w.b.Lines[c.Line].Positions[c.Position]
		w.claims["C-"+p.ID] = &claimState{Claim: c, line: c.Line, pos: p.ID, uid: w.uid(p.Member), day: r.Day}
	}
}

// isClaimed: the row's position has become a claim on an earlier day.
func (w *world) isClaimed(row Row) bool {
	for _, c := range w.claims {
		if w.rows[row.No-1]["pos"] == c.pos {
			return true
		}
	}
	return false
}

// show writes rows as reports do.
func (w *world) show(r *Result) {
	remark := func(row Row) string {
		switch {
		case row.Reverses != 0:
			return fmt.Sprintf("Reversal of row %d", row.Reverses)
		case row.Kind == KindMatching:
			var parts []string
			for _, p := range []struct {
				on   bool
				text string
			}{{row.Capped, "capped"}, {row.Scaled, "scaled"}, {row.Held, "Hold: account under review"}} {
				if p.on {
					parts = append(parts, p.text)
				}
			}
			return strings.Join(parts, ", ")
		case row.Kind == KindROILevel:
			return "ROI level"
		case row.Scaled:
			return "scaled"
		case row.Held:
			return "Hold: account under review"
		case row.Kind == KindLevel:
			return "Level income"
		}
		return ""
	}
	for _, row := range r.Rows {
		m := map[string]any{"to": w.uid(row.To), "uid": w.uid(row.Of), "dd": r.Day.String(), "row": row.No, "ss": "Release"}
		if row.Held {
			m["ss"] = "Hold"
		}
		if row.Kind != KindROI {
			m["remark"] = remark(row)
		}
		if row.Kind >= KindROI {
			m["line"], m["pos"] = LineNames[row.Line], w.b.Lines[row.Line].Positions[row.Position].ID
		}
		lvl := int64(row.Level)
		switch row.Kind {
		case KindLevel:
			maps.Copy(m, map[string]any{"t": "Level", "onamount": text(row.On), "lvl": lvl, "income": text(row.Paid)})
		case KindMatching:
			maps.Copy(m, map[string]any{"t": "Matching", "lPV": text(row.On), "binaryincome": text(row.Paid), "capingamount": text(row.A)})
		case KindRank:
			k := w.p.Ranks[row.Level-1]
			maps.Copy(m, map[string]any{"t": "Rank", "lvl": lvl, "reward": text(row.Paid), "rank": k.Name, "reqmatch_bot": k.Need.String(), "match_bot": text(row.A), "nominal": text(row.Nominal), "achieved_ss": "achieved", "ad": r.Day.String()})
		case KindReward:
			k := w.p.Rewards[row.Level-1]
			maps.Copy(m, map[string]any{"t": "Reward", "lvl": lvl, "reward": text(row.Paid), "reqleg1": k.NeedLeg1.String(), "leg1": text(row.A), "reqotherleg": k.NeedOther.String(), "otherleg": text(row.B), "salary": k.Salary.String(), "nominal": text(row.Nominal), "achieved_ss": "achieved", "ad": r.Day.String()})
		case KindSalary:
			maps.Copy(m, map[string]any{"t": "Salary", "lvl": lvl, "income": text(row.Paid), "nominal": text(row.Nominal)})
		case KindRoyalty:
			maps.Copy(m, map[string]any{"t": "Royalty", "lvl": lvl, "income": text(row.Paid)})
		case KindROI:
			maps.Copy(m, map[string]any{"t": "Roi", "On_amount": text(row.On), "onrate": text(muldiv(row.Paid, 100*ppm, row.On)), "plan_amount": text(row.Paid)})
		case KindROILevel:
			maps.Copy(m, map[string]any{"t": "RoiLevel", "onamount": text(row.On), "lvl": lvl, "income": text(row.Paid)})
		}
		w.rows, w.kinds = append(w.rows, m), append(w.kinds, row)
	}
}

func digest(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v) // maps by sorted keys, no blanks
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

func parseTime(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
