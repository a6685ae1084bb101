package brand

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/money"
)

func TestALiveCounterIsCountedAndAFixedOneIsNot(t *testing.T) {
	t.Parallel()
	raw := edit(t, func(m map[string]any) {
		for _, i := range []int{0, 1, 3} {
			m["counters"].([]any)[i].(map[string]any)["mode"] = "live"
		}
	})
	b, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	f := Figures{Business: money.Micro(1_234_567_999_999), Members: 1_000_000, Now: time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)}
	got := b.Public(f).Counters
	for i, want := range []string{"$1,234,567", "11", "$5.5M", "1,000,000"} {
		if got[i].Value != want || got[i].Live != (i != 2) {
			t.Errorf("counter %d is %+v, not %s", i, got[i], want)
		}
	}
	if v := Demo().Public(f).Counters[0]; v.Value != "$176500" || v.Live {
		t.Errorf("a fixed counter shows %+v", v)
	}
}

func TestThePublicSeesNoAccounts(t *testing.T) {
	t.Parallel()
	b := Demo()
	raw, err := json.Marshal(b.Public(Figures{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{b.USDT, b.Banks[0].Account, b.Banks[0].IFSC, b.Banks[1].Account} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the public sees %s", secret)
		}
	}
}
