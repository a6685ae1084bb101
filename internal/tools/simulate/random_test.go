package simulate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// story makes a random scenario: everything that can happen, right and wrong.
func story(seed uint64, events int) []map[string]any {
	r := rand.New(rand.NewPCG(seed, 1))
	at := time.Date(2026, 4, 20, 3, 0, 0, 0, time.UTC)
	var out []map[string]any
	var uids, sales, positions []string
	add := func(kind string, more map[string]any) string {
		id := fmt.Sprintf("e%04d", len(out))
		e := map[string]any{"id": id, "kind": kind, "at": at.Format(time.RFC3339)}
		for k, v := range more {
			e[k] = v
		}
		if r.IntN(20) == 0 {
			e["rec"] = at.Add(time.Duration(r.IntN(60)) * time.Hour).Format(time.RFC3339)
		}
		out = append(out, e)
		return id
	}
	join := func() {
		uid := fmt.Sprint(100001 + len(uids))
		more := map[string]any{"uid": uid}
		kind := "register"
		if len(uids) > 0 {
			more["sponsor"] = uids[r.IntN(len(uids))]
			more["side"] = []string{"Left", "Right"}[r.IntN(2)]
			if r.IntN(12) == 0 {
				kind = "customer"
			}
		}
		add(kind, more)
		uids = append(uids, uid)
		for _, fund := range []string{"FUNDS", "FOREXFUNDS", "CRYPTOFUNDS"} {
			add("deposit", map[string]any{"uid": uid, "fund": fund, "amount": fmt.Sprint(1 + r.IntN(5000))})
		}
	}
	who := func() string { return uids[r.IntN(len(uids))] }
	line := func() string { return []string{"FOREX", "CRYPTO"}[r.IntN(2)] }
	join()
	for len(out) < events {
		at = at.Add(time.Duration(r.IntN(5*3600)) * time.Second)
		switch r.IntN(16) {
		case 0, 1:
			join()
		case 2, 3, 4:
			topup := []string{"Activation", "Activation", "Upgrade"}[r.IntN(3)]
			sales = append(sales, add("buy", map[string]any{"uid": who(), "payer": who(), "package": 1 + r.IntN(7), "topup": topup}))
		case 5, 6:
			l := line()
			pack := map[string]int{"FOREX": 11, "CRYPTO": 21}[l] + r.IntN(2)
			positions = append(positions, add("invest", map[string]any{"uid": who(), "payer": who(), "line": l, "package": pack, "amount": fmt.Sprint(50 + r.IntN(1500))}))
		case 7, 8:
			add("pnl", map[string]any{"line": line(), "amount": fmt.Sprintf("%d.%06d", r.IntN(200)-80, r.IntN(1_000_000))})
		case 9:
			add("settle", map[string]any{"line": line(), "amount": fmt.Sprintf("%d.%02d", r.IntN(90), r.IntN(100))})
		case 10:
			add("transfer", map[string]any{"from": who(), "to": who(), "fund": "FUNDS", "amount": fmt.Sprint(1 + r.IntN(500))})
		case 11:
			if len(sales) > 0 {
				add([]string{"refund", "chargeback"}[r.IntN(2)], map[string]any{"sale": sales[r.IntN(len(sales))]})
			}
		case 12:
			add([]string{"block", "unblock"}[r.IntN(2)], map[string]any{"uid": who()})
		case 13:
			add("withdraw", map[string]any{"uid": who(), "type": []string{"LevelIncome", "binaryIncome", "ForexIncome"}[r.IntN(3)], "amount": fmt.Sprint(r.IntN(40))})
		default:
			if len(positions) > 0 {
				p := positions[r.IntN(len(positions))]
				add("recall", map[string]any{"claim": "C-" + p, "amount": fmt.Sprint(1 + r.IntN(1500))})
				add("claim", map[string]any{"claim": "C-" + p, "uid": who()})
			}
		}
	}
	return out
}

func scenario(t *testing.T, events []map[string]any) *simulate.Scenario {
	t.Helper()
	raw, err := os.ReadFile("../../core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]json.RawMessage
	if err := json.Unmarshal(raw, &golden); err != nil {
		t.Fatal(err)
	}
	raw, err = json.Marshal(map[string]any{"plan": golden["plan"], "events": events})
	if err != nil {
		t.Fatal(err)
	}
	s, err := simulate.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Whatever happens, every close commits, the ledger and the tree verify, and
// the order in which events arrive changes nothing.
func TestRandomStoriesCloseVerifyAndDoNotDependOnArrival(t *testing.T) {
	t.Parallel()
	seeds := uint64(12)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			events := story(seed, 260)
			first, err := simulate.Run(context.Background(), testkit.SQLite(t), scenario(t, events))
			if err != nil {
				t.Fatal(err)
			}
			rand.New(rand.NewPCG(seed, 2)).Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
			second, err := simulate.Run(context.Background(), testkit.SQLite(t), scenario(t, events))
			if err != nil {
				t.Fatal(err)
			}
			a, _ := json.Marshal(first)
			b, _ := json.Marshal(second)
			if string(a) != string(b) {
				t.Error("the order of arrival changed the result")
			}
			rows, refused := 0, 0
			for _, d := range first.Days {
				rows += d.Rows.Len()
				refused += len(d.Refused)
			}
			t.Logf("%d days, %d rows, %d refused", len(first.Days), rows, refused)
		})
	}
}
