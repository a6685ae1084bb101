package settings_test

import (
	"bytes"
	"testing"

	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Whatever a section takes has one canonical form, which it takes again: operators
// approve by its hash.
func FuzzSectionParse(f *testing.F) {
	f.Add([]byte(`{"withdraw_member_daily":"100","withdraw_total_daily":"1000","withdraw_two_above":"10","fund_two_above":"10","fund_alone_daily":"10"}`))
	f.Add([]byte(`{"usdt":"0x52908400098527886E0F7030069857D2E4169EE7"}`))
	f.Add([]byte(`{"banks":[{"id":"1"}]}`))
	f.Add([]byte(`{"site":{},"counters":[]}`))
	f.Add([]byte(`[1e400]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, s := range []settings.Section{settings.Content, settings.Banks, settings.USDT, settings.Limits} {
			body, err := s.Parse(raw)
			if err != nil {
				if !errs.Is(err, errs.Invalid) {
					t.Fatal(err)
				}
				continue
			}
			if again, err := s.Parse(body); err != nil || !bytes.Equal(again, body) {
				t.Errorf("%s takes %q as %q, and that as %q, %v", s, raw, body, again, err)
			}
		}
	})
}
