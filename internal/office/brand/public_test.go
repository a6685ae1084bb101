package brand

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
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
	if v := Demo().Public(f).Counters[2]; v.Value != "$5.5M" || v.Live {
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

func TestStoredPartsTakeThePlaceOfTheFilesAndLeaveItAlone(t *testing.T) {
	t.Parallel()
	b, before := Demo(), Demo()
	got, err := b.With([]byte(`{"counters": [{"label": "One", "value": "1", "mode": "fixed", "live": ""}]}`), nil, []byte(`{"banks": []}`), []byte(`{"usdt": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Counters) != 1 || got.Counters[0].Label != "One" || len(got.Banks) != 0 || got.USDT != "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" || got.Site.Name != b.Site.Name {
		t.Errorf("with the parts: %+v %+v %s", got.Counters, got.Banks, got.USDT)
	}
	if !reflect.DeepEqual(b, before) {
		t.Error("the file's brand has changed")
	}
}

func TestEachPartNamesItsMistakesByTheFilesPaths(t *testing.T) {
	t.Parallel()
	fields := func(err error) (names []string) {
		var e *errs.Error
		if !errors.As(err, &e) || e.Kind != errs.Invalid {
			t.Fatalf("it says %v", err)
		}
		for _, f := range e.Fields {
			names = append(names, f.Name)
		}
		return names
	}
	content := func(change func(*Content)) []byte {
		c := Demo().Content()
		change(&c)
		raw, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	_, err := ParseContent(content(func(c *Content) { c.Site.Risk.Title, c.Counters = "", []Counter{{"A", "1", "live", "luck"}} }))
	if got := fields(err); !slices.Equal(got, []string{"site.risk.title", "counters[0].live"}) {
		t.Errorf("content: %v", got)
	}
	_, err = ParseAccounts([]byte(`{"banks": [{"id": 2, "bank_name": "", "acholdername": "A", "account_number": "1", "ifsc": "I", "branch": "B"}]}`))
	if got := fields(err); !slices.Equal(got, []string{"banks[0].bank_name", "banks[0].id"}) {
		t.Errorf("accounts: %v", got)
	}
	_, err = ParseDeposit([]byte(`{"usdt": "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}`))
	if got := fields(err); !slices.Equal(got, []string{"usdt"}) {
		t.Errorf("deposit: %v", got)
	}
	if d, err := ParseDeposit([]byte(`{"usdt": "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"}`)); err != nil || d.USDT != "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" {
		t.Errorf("an address in small letters: %v, %v", d, err)
	}
}
