package simulate_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// With any values in an event the run ends with books that agree; an impossible event is
// refused with a reason and does not end the run.
func TestOddEventsAreRefusedAndEndNothing(t *testing.T) {
	t.Parallel()
	out := told(t, asIs, `
		{"id":"a\nmember/2 100001 00","kind":"register","at":"2026-04-26T05:00:00Z","uid":"100001"},
		{"id":"b","kind":"register","at":"2026-04-26T05:00:01Z","uid":"9999999999","sponsor":"100001","side":"Left"},
		{"id":"c","kind":"register","at":"2026-04-26T05:00:01Z","uid":"+100007","sponsor":"100001","side":"Left"},
		{"id":"d","kind":"deposit","at":"2026-04-26T05:00:02Z","uid":"100001","fund":"FUNDS","amount":"5000"},
		{"id":"e","kind":"buy","at":"2026-04-26T05:00:03Z","uid":"100001","payer":"100001","package":1,"topup":"Activation"},
		{"id":"f","kind":"buy","at":"2026-04-26T05:00:04Z","uid":"100001","payer":"100001","package":2,"topup":"Renewal"},
		{"id":"g","kind":"settle","at":"2026-04-26T05:00:05Z","line":"FOREX","amount":"-1"},
		{"id":"h","kind":"chargeback","at":"2026-04-26T05:00:06Z"}`)
	got, err := json.Marshal(out.Days[0].Refused)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`["b","\"9999999999\" is no user id."]`, `["c","\"+100007\" is no user id."]`, `not \"Renewal\"`, `["g","A settlement is above zero`, `["h","A chargeback needs its sale."]`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("refused are %s, without %s", got, want)
		}
	}
}

// A field that no event has, and an event after the last day, are most often slips:
// they change nothing, and are told.
func TestIgnoredInputIsNoted(t *testing.T) {
	t.Parallel()
	out := lived(t, asIs, `"first":"2026-04-26","last":"2026-04-26","events":[
		{"id":"a","kind":"register","at":"2026-04-26T05:00:00Z","uid":"100001"},
		{"id":"b","kind":"deposit","at":"2026-04-26T05:00:01Z","uid":"100001","fund":"FUNDS","amout":"500","Amount":"x"},
		{"id":"c","kind":"deposit","at":"2026-04-27T05:00:00Z","uid":"100001","fund":"FUNDS","amount":"500"}]`)
	want := []string{
		`no event has a field "amout", as event "b" does: it was left alone.`,
		`1 of 3 events book into days after 2026-04-26, the last to close, and did not happen: c.`,
	}
	if !slices.Equal(out.Notes, want) {
		t.Errorf("notes are %q", out.Notes)
	}
	got, err := json.Marshal(out.Days[0].Refused)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(got), `["b","\"x\" is no amount: one is dollars`) {
		t.Errorf("refused are %s", got)
	}
}

// Events before the first day are late and count for the first day, operators' bookings
// and refusals too.
func TestEarlierEventsCountForTheFirstDay(t *testing.T) {
	t.Parallel()
	out := lived(t, asIs, `"first":"2026-04-28","last":"2026-04-28","events":[
		{"id":"a","kind":"register","at":"2026-04-26T05:00:00Z","uid":"100001"},
		{"id":"b","kind":"deposit","at":"2026-04-26T05:00:00Z","uid":"100001","fund":"FOREXFUNDS","amount":"500"},
		{"id":"c","kind":"invest","at":"2026-04-26T05:00:01Z","uid":"100001","payer":"100001","line":"FOREX","package":11,"amount":"100"},
		{"id":"d","kind":"pnl","at":"2026-04-27T05:00:00Z","line":"FOREX","amount":"10"},
		{"id":"e","kind":"transfer","at":"2026-04-27T05:00:00Z","fund":"FUNDS","from":"100001","to":"777777","amount":"1"}]`)
	if len(out.Days) != 1 {
		t.Fatal(len(out.Days))
	}
	got, err := json.Marshal(out.Days[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"events":["a","b","c","d","e"]`, `["e","unknown member 777777"]`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the first day is %s, without %s", got, want)
		}
	}
	says(t, out, "assets", `110.000000`) // the principal and the profit
}

// A scenario is never told into somebody's ledger: whatever it wrote there would be
// signed by a key that is not stored.
func TestADatabaseWithALedgerIsNotSimulatedInto(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		raw, err := os.ReadFile("../../core/plan/testdata/golden.json")
		if err != nil {
			t.Fatal(err)
		}
		s, err := simulate.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		l := testkit.StartLedger(t, dsn)
		if _, err := l.Do(t.Context(), ledger.Command{Actor: "test", Key: "k", Run: func(context.Context, *ledger.Tx) ([]byte, error) { return nil, nil }}); err != nil {
			t.Fatal(err)
		}
		before := l.State().Head
		if _, err := simulate.Run(t.Context(), dsn, s); !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), "needs an empty database") {
			t.Errorf("it answers %v", err)
		}
		if now := l.State().Head; now != before {
			t.Errorf("the head was %v and is %v", before, now)
		}
	})
}

// Whatever a file says, it is a scenario whose events have ids, kinds and times, or
// Invalid; and its events can be put in order.
func FuzzParse(f *testing.F) {
	golden, err := os.ReadFile("../../core/plan/testdata/golden.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Add([]byte(`{"plan":{},"events":[{"id":"a","kind":"buy","at":"2026-01-01T00:00:00Z","amount":1}],"first":"x"}`))
	f.Add([]byte(`{"plan":null,"events":[null]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := simulate.Parse(raw)
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Fatal(err)
			}
			return
		}
		for _, e := range s.Events {
			if e.ID == "" || e.Kind == "" || e.At.IsZero() || len(s.Plan) == 0 {
				t.Errorf("%q has the event %+v", raw, e)
			}
		}
	})
}
