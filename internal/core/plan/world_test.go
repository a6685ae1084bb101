package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/money"
)

// world applies events to a plan in the simplest way: a map of balances and the postings
// of the rules. The engine's results must agree with it.
type world struct {
	t       *testing.T
	p       *Plan
	b       *Book
	at      map[string]int32
	cash    map[string]int64 // every account by its code
	sales   map[string]*saleState
	claims  map[string]*claimState
	rows    []map[string]any // as reports show them
	kinds   []Row
	changes [][2]any // rows whose status changed today
	in      Inputs   // of the last close
	settled [2]int64 // cash in the field that nobody has got yet

	gross, reversed, retail int64
	borne                   int64 // of level shares, by the company
}

type saleState struct {
	Sale
	payer   string
	day     Day
	cooling int64 // days, by the plan under which it was bought
	state   string
	final   Day
	rates   PoolRates // of the plan under which it became final
}

type claimState struct {
	Claim
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
	}
}

func micros(s string) int64  { return money.MustParse(s).Micros() }
func text(n int64) string    { return money.Micro(n).String() }
func lineOf(name string) int { return slices.Index(LineNames[:], name) }

// move posts: alternating codes and amounts. No account but the company's may
// fall below zero, and nobody is paid out of somebody's deposit.
func (w *world) move(legs ...any) {
	w.t.Helper()
	var sides [2]int64
	var earner string
	for i := 0; i < len(legs); i += 2 {
		code, delta := legs[i].(string), legs[i+1].(int64)
		w.cash[code] += delta
		if w.cash[code] < 0 && code != "E:COMPANY" && code != "A:OPERATING" {
			w.t.Fatalf("%s is %s after %v", code, text(w.cash[code]), legs)
		}
		if strings.HasPrefix(code, "A:") {
			sides[0] += delta
		} else {
			sides[1] += delta
		}
		if delta > 0 && (strings.HasPrefix(code, "L:INCOME:") || strings.HasPrefix(code, "L:HELD:")) {
			earner = strings.Split(code, ":")[3]
		}
	}
	if sides[0] != sides[1] {
		w.t.Fatalf("a posting does not balance: %v", legs)
	}
	for i := 0; earner != "" && i < len(legs); i += 2 {
		code, delta := legs[i].(string), legs[i+1].(int64)
		own := strings.HasPrefix(code, "P:") || strings.HasPrefix(code, "L:ROI_HELD:") || slices.Contains(strings.Split(code, ":"), earner)
		if delta < 0 && code[0] != 'A' && !own {
			w.t.Fatalf("%s would pay %s: %v", code, earner, legs)
		}
	}
}

func (w *world) join(e event, customer bool) string {
	b := w.b
	i := int32(len(b.UID))
	uid, _ := strconv.ParseInt(e.UID, 10, 64)
	sponsor, parent, side := int32(-1), int32(-1), uint8(0)
	if e.Sponsor != "" {
		at, ok := w.at[e.Sponsor]
		if !ok || b.Customer[at] {
			return "no such sponsor"
		}
		sponsor = at
	}
	if !customer && sponsor >= 0 {
		side = map[string]uint8{"Left": 1, "Right": 2}[e.Side]
		parent = w.endOfLeg(sponsor, side)
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
	return ""
}

// endOfLeg is the last member reached from one by going down one side only.
func (w *world) endOfLeg(from int32, side uint8) int32 {
	for k := range w.b.UID {
		if w.b.Parent[k] == from && w.b.Side[k] == side {
			return w.endOfLeg(int32(k), side)
		}
	}
	return from
}

func (w *world) uid(i int32) string { return strconv.FormatInt(w.b.UID[i], 10) }

// live applies an event that takes effect at once; the text is the reason of a refusal.
func (w *world) live(e event, day Day) string {
	switch e.Kind {
	case "register", "customer":
		return w.join(e, e.Kind == "customer")
	case "deposit":
		w.move("A:CLIENT", micros(e.Amount), "L:FUND:"+e.Fund+":"+e.UID, micros(e.Amount))
	case "transfer":
		return w.transfer(e)
	case "buy":
		return w.buy(e, day)
	case "refund":
		return w.refund(e)
	case "invest":
		return w.invest(e, day)
	case "recall":
		return w.recall(e)
	case "claim":
		return w.claim(e, day)
	case "block":
		w.b.Blocked[w.at[e.UID]] = true
	case "unblock":
		w.unblock(e, day)
	case "withdraw":
		return w.withdraw(e)
	default:
		w.t.Fatalf("nobody knows how to do %s", e.Kind)
	}
	return ""
}
