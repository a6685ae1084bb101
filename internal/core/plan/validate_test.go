package plan

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// edit changes the default plan's JSON by path: keys, and indexes into lists.
// A nil value takes a key away.
func edit(t *testing.T, changes ...change) []byte {
	t.Helper()
	var doc any
	if err := json.Unmarshal(defaultPlan, &doc); err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		at := doc
		for _, step := range c.path[:len(c.path)-1] {
			at = child(at, step)
		}
		switch last := c.path[len(c.path)-1].(type) {
		case string:
			if at.(map[string]any)[last] = c.to; c.to == nil {
				delete(at.(map[string]any), last)
			}
		case int:
			at.([]any)[last] = c.to
		}
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

type change struct {
	to   any
	path []any
}

func set(to any, path ...any) change { return change{to, path} }

func child(at, step any) any {
	if key, ok := step.(string); ok {
		return at.(map[string]any)[key]
	}
	return at.([]any)[step.(int)]
}

// named are the fields that Parse complains about.
func named(t *testing.T, raw []byte) []string {
	t.Helper()
	_, err := Parse(raw)
	if err == nil {
		return nil
	}
	var e *errs.Error
	if !errors.As(err, &e) || e.Kind != errs.Invalid {
		t.Fatalf("Parse says %v", err)
	}
	var fields []string
	for _, f := range e.Fields {
		fields = append(fields, f.Name)
	}
	return fields
}

func TestTheDefaultPlanIsValidAndHasDaysOfItsZone(t *testing.T) {
	t.Parallel()
	if got := named(t, DefaultBody()); got != nil {
		t.Errorf("the default plan: %v", got)
	}
	if zone := Default().Zone().String(); zone != "UTC" {
		t.Errorf("the default plan's days are those of %s", zone)
	}
}

func TestEveryRuleOfAPlanIsNamedWhereItIsBroken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		changes []change
		want    []string
	}{
		"no version":                    {[]change{set("", "version")}, []string{"version"}},
		"a zone that is none":           {[]change{set("Mars/Olympus", "tz")}, []string{"tz"}},
		"the machine's zone":            {[]change{set("Local", "tz")}, []string{"tz"}},
		"no zone":                       {[]change{set("", "tz")}, []string{"tz"}},
		"grace of two days":             {[]change{set(2880, "grace_minutes")}, []string{"grace_minutes"}},
		"cooling-off below zero":        {[]change{set(-1, "cooling_off_days")}, []string{"cooling_off_days"}},
		"volume above the price":        {[]change{set(1_000_001, "bv_ppm")}, []string{"bv_ppm"}},
		"no packages":                   {[]change{set([]any{}, "robot_packages")}, []string{"robot_packages"}},
		"packages that do not rise":     {[]change{set("50", "robot_packages", 1, "amount")}, []string{"robot_packages[1].amount"}},
		"two packages of one id":        {[]change{set(1, "robot_packages", 1, "id")}, []string{"robot_packages[1].id"}},
		"pools above 40 %":              {[]change{set(130_000, "pools_ppm", "MATCH")}, []string{"pools_ppm"}},
		"levels above their pool":       {[]change{set(80_001, "level_ppm", 0)}, []string{"level_ppm"}},
		"a level rate below zero":       {[]change{set(-1, "level_ppm", 19)}, []string{"level_ppm[19]"}},
		"nineteen levels":               {[]change{set([]any{0}, "level_ppm")}, []string{"level_ppm"}},
		"levels that open easier later": {[]change{set(0, "level_open", 1)}, []string{"level_open[1]"}},
		"excess that is not flushed":    {[]change{set("carry", "match", "cap_excess")}, []string{"match.cap_excess"}},
		"more directs than there are":   {[]change{set(int64(1)<<32, "match", "need_direct_each_side")}, []string{"match.need_direct_each_side"}},
		"ROI above profit":              {[]change{set(700_001, "profit_split_ppm", "member")}, []string{"profit_split_ppm"}},
		"ROI levels above their share":  {[]change{set(60_000, "roi_level_ppm", 0)}, []string{"roi_level_ppm"}},
		"a gap between ranges":          {[]change{set("1001", "lines", "FOREX", "packages", 1, "fromamount")}, []string{"lines.FOREX.packages[1].fromamount"}},
		"ranges that overlap":           {[]change{set("999", "lines", "FOREX", "packages", 1, "fromamount")}, []string{"lines.FOREX.packages[1].fromamount"}},
		"a range in cents":              {[]change{set("99999.5", "lines", "CRYPTO", "packages", 2, "toamount")}, []string{"lines.CRYPTO.packages[2].toamount"}},
		"a term of no days":             {[]change{set(0, "lines", "CRYPTO", "packages", 0, "term")}, []string{"lines.CRYPTO.packages[0].term"}},
		"a line that is missing":        {[]change{set(nil, "lines", "CRYPTO")}, []string{"lines.CRYPTO"}},
		"a line more": {
			[]change{set(map[string]any{"fund": "", "income": "", "packages": []any{}}, "lines", "GOLD")},
			[]string{"lines.GOLD"},
		},
		"another line's fund":          {[]change{set("FUNDS", "lines", "FOREX", "fund")}, []string{"lines.FOREX"}},
		"ranks that do not rise":       {[]change{set("1000", "ranks", 1, "reqmatch_bot")}, []string{"ranks[1].reqmatch_bot"}},
		"a royalty for no rank":        {[]change{set(1, "royalty_weights", "99")}, []string{"royalty_weights.99"}},
		"a rank in other digits":       {[]change{set(1, "royalty_weights", "01")}, []string{"royalty_weights.01"}},
		"a salary that cannot be":      {[]change{set("9000000000000", "rewards", 0, "salary")}, []string{"rewards[0].salary"}},
		"a charge of all of it":        {[]change{set(1_000_000, "withdraw", "charge_ppm")}, []string{"withdraw.charge_ppm"}},
		"a version of two lines":       {[]change{set("two\nlines", "version")}, []string{"version"}},
		"a charge above the request":   {[]change{set(1_000_001, "withdraw", "charge_ppm")}, []string{"withdraw.charge_ppm"}},
		"a minimum below zero":         {[]change{set("-1", "withdraw", "min")}, []string{"withdraw.min"}},
		"an unknown field":             {[]change{set(1, "bonus")}, []string{"bonus"}},
		"an unknown field deep down":   {[]change{set(1, "match", "bonus")}, []string{"match.bonus"}},
		"a field in capitals":          {[]change{set(nil, "tz"), set("Asia/Kolkata", "TZ")}, []string{"tz", "TZ"}},
		"a field that is missing":      {[]change{set(nil, "withdraw", "charge_ppm")}, []string{"withdraw.charge_ppm"}},
		"money as a number":            {[]change{set(50, "robot_packages", 0, "amount")}, []string{"robot_packages[0].amount"}},
		"a rate with a fraction":       {[]change{set(0.5, "bv_ppm")}, []string{"bv_ppm"}},
		"a list that is none":          {[]change{set("x", "ranks")}, []string{"ranks"}},
		"an object that is none":       {[]change{set(3, "royalty_weights"), set([]any{}, "match")}, []string{"match", "royalty_weights"}},
		"a cap below zero":             {[]change{set("-1", "robot_packages", 2, "cap")}, []string{"robot_packages[2].cap"}},
		"a salary below zero":          {[]change{set("-1", "rewards", 1, "salary")}, []string{"rewards[1].salary"}},
		"rewards that need less":       {[]change{set("1", "rewards", 1, "reqotherleg")}, []string{"rewards[1].reqotherleg"}},
		"an id of another line":        {[]change{set(11, "lines", "CRYPTO", "packages", 0, "id")}, []string{"lines.CRYPTO.packages[0].id"}},
		"shape and rules together":     {[]change{set(1, "bonus"), set("x", "bv_ppm"), set(-1, "grace_minutes")}, []string{"bv_ppm", "bonus", "grace_minutes"}},
		"seven places after the point": {[]change{set("1.0000001", "withdraw", "min")}, []string{"withdraw.min"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := named(t, edit(t, c.changes...)); !slices.Equal(got, c.want) {
				t.Errorf("named %q, want %q", got, c.want)
			}
		})
	}
}

func TestAllMistakesAreNamedAtOnceAndInTheSameOrder(t *testing.T) {
	t.Parallel()
	raw := edit(t, set("Nowhere", "tz"), set(999_999, "pools_ppm", "LEAD"), set(-5, "profit_split_ppm", "fee"), set(-6, "profit_split_ppm", "level"),
		set("1", "lines", "FOREX", "packages", 1, "fromamount"), set(2_000_000, "withdraw", "charge_ppm"), set(1, "royalty_weights", "x"), set(1, "royalty_weights", "y"))
	want := []string{
		"tz", "pools_ppm", "profit_split_ppm.level", "profit_split_ppm.fee", "roi_level_ppm", "royalty_weights.x", "royalty_weights.y",
		"lines.FOREX.packages[1].fromamount", "withdraw.charge_ppm",
	}
	for range 20 {
		if got := named(t, raw); !slices.Equal(got, want) {
			t.Fatalf("named %q, want %q", got, want)
		}
	}
	raw = edit(t, set(nil, "version"), set("x", "bv_ppm"), set(1, "match", "bonus"), set(true, "tz"))
	if got, want := named(t, raw), []string{"version", "tz", "bv_ppm", "match.bonus"}; !slices.Equal(got, want) {
		t.Errorf("named %q, want %q", got, want)
	}
}

func TestAFieldThatIsThereTwiceIsNamed(t *testing.T) {
	t.Parallel()
	raw := strings.Replace(string(defaultPlan), `"bv_ppm": 1000000`, `"bv_ppm": 1000000, "bv_ppm": 5`, 1)
	if got := named(t, []byte(raw)); !slices.Equal(got, []string{"bv_ppm"}) {
		t.Errorf("named %q", got)
	}
}

func TestAVersionKeepsTheZoneAndPackagesOfMembers(t *testing.T) {
	t.Parallel()
	p, err := Parse(edit(t, set("Asia/Kolkata", "tz"), set([]any{}, "ranks"), set([]any{}, "rewards"), set(map[string]any{}, "royalty_weights")))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Follows(Default()); len(got) != 3 || got[0].Name != "tz" || got[1].Name != "ranks" || got[2].Name != "rewards" {
		t.Errorf("named %v", got)
	}
	if got := Default().Follows(Default()); len(got) != 0 {
		t.Errorf("named %v", got)
	}
}

func TestAPlanIsOneJSONObject(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "{", "null", "[]", "3", string(defaultPlan) + "{}", string(defaultPlan) + "x"} {
		if got := named(t, []byte(raw)); !slices.Equal(got, []string{"plan"}) {
			t.Errorf("%.20q: named %q", raw, got)
		}
	}
}

func TestAMistakeNamesItsRemedy(t *testing.T) {
	t.Parallel()
	_, err := Parse(edit(t, set(130_000, "pools_ppm", "MATCH")))
	if got := errs.MessageOf(err); got != "pools_ppm: the pools take 410000 ppm of a sale, more than 400000" {
		t.Error(got)
	}
}

// Parse never panics, and what it lets through keeps the bounds that the money
// depends on.
func FuzzParse(f *testing.F) {
	f.Add(defaultPlan)
	if raw, err := os.ReadFile("testdata/golden.json"); err == nil {
		var g goldenFile
		if json.Unmarshal(raw, &g) == nil {
			f.Add([]byte(g.Plan))
		}
	}
	f.Add([]byte(strings.ReplaceAll(string(defaultPlan), "200000", "9223372036854775807")))
	f.Add([]byte(`{"lines":{"FOREX":null},"ranks":[{}],"tz":"../etc"}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := Parse(raw)
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Fatal(err)
			}
			return
		}
		k, s := p.PoolsPPM, p.ProfitSplitPPM
		levels, roi := int64(0), int64(0)
		for i := range Levels {
			levels += p.LevelPPM[i]
			roi += p.ROILevelPPM[i]
		}
		if k.Level+k.Match+k.Lead+k.Royalty > maxPayoutPPM || levels > k.Level || s.Member+s.Level+s.Fee > ppm || s.Member*roi > s.Level*ppm || p.Zone() == nil {
			t.Errorf("a plan without bounds went through: %s", raw)
		}
	})
}

// A day that is read is written as it was read.
func FuzzParseDay(f *testing.F) {
	for _, s := range []string{"2026-01-31", "0000-01-01", "9999-12-31", "2026-02-30", "1969-12-31", "+2026-01-01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDay(s)
		if err != nil {
			if !errs.Is(err, errs.Invalid) {
				t.Fatal(err)
			}
			return
		}
		if d.String() != s {
			t.Errorf("%q is the day %s", s, d)
		}
	})
}
