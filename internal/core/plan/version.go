package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// Follows returns the reasons why a plan cannot be the next version after another: days
// must not shift, and packages that members hold must still exist.
func (p *Plan) Follows(last *Plan) []errs.Field {
	var m mistakes
	if p.TZ != last.TZ {
		m.add("tz", "plan.zone_fixed", "must stay {zone}: another zone would move days that are closed", "zone", last.TZ)
	}
	if len(p.Ranks) < len(last.Ranks) {
		m.add("ranks", "plan.ranks_held", "has {ranks} ranks and members may hold up to {held}", "ranks", len(p.Ranks), "held", len(last.Ranks))
	}
	if len(p.Rewards) < len(last.Rewards) {
		m.add("rewards", "plan.levels_held", "has {levels} levels and members may hold up to {held}", "levels", len(p.Rewards), "held", len(last.Rewards))
	}
	return m
}

// Bound is the bound that the validator proved for a plan, for any tree and any sales.
type Bound struct {
	NetworkPPM int64 `json:"network_ppm"` // the maximum share of final sales paid as network incomes
	LevelPPM   int64 `json:"level_ppm"`   // the maximum share of a sale paid to its levels
	ProfitPPM  int64 `json:"profit_ppm"`  // the maximum share of a booked profit paid out or taken as fee
}

func (p *Plan) Bound() Bound {
	k, s := p.PoolsPPM, p.ProfitSplitPPM
	b := Bound{NetworkPPM: k.Level + k.Match + k.Lead + k.Royalty, ProfitPPM: s.Member + s.Level + s.Fee}
	for _, v := range p.LevelPPM {
		b.LevelPPM += v
	}
	return b
}

// Change is a value that differs between two plans; "" if a plan does not have it.
type Change struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Changes lists the differences between two plans, by path.
func Changes(before, after []byte) ([]Change, error) {
	a, b := map[string]string{}, map[string]string{}
	for raw, into := range map[*[]byte]map[string]string{&before: a, &after: b} {
		var doc any
		d := json.NewDecoder(bytes.NewReader(*raw))
		d.UseNumber()
		if err := d.Decode(&doc); err != nil {
			return nil, errs.Wrap(errs.Invalid, err, "plan.unreadable", "The plan cannot be read")
		}
		flatten("", doc, into)
	}
	var out []Change
	for path, was := range a {
		if now, there := b[path]; !there || now != was {
			out = append(out, Change{path, was, now})
		}
	}
	for path, now := range b {
		if _, there := a[path]; !there {
			out = append(out, Change{path, "", now})
		}
	}
	slices.SortFunc(out, func(x, y Change) int { return compareNatural(x.Path, y.Path) })
	return out, nil
}

// compareNatural orders [2] before [10].
func compareNatural(x, y string) int {
	for x != "" && y != "" {
		nx, rx := leading(x)
		ny, ry := leading(y)
		if nx >= 0 && ny >= 0 && nx != ny {
			return nx - ny
		}
		if x[0] != y[0] {
			return int(x[0]) - int(y[0])
		}
		if nx >= 0 {
			x, y = rx, ry
		} else {
			x, y = x[1:], y[1:]
		}
	}
	return len(x) - len(y)
}

// leading returns the number at the start of a text, or -1.
func leading(s string) (n int, rest string) {
	i := 0
	for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 {
		return -1, s
	}
	n, _ = strconv.Atoi(s[:i])
	return n, s[i:]
}

func flatten(at string, v any, into map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			flatten(shape.Join(at, key), v[key], into)
		}
	case []any:
		for i, e := range v {
			flatten(at+"["+strconv.Itoa(i)+"]", e, into)
		}
	default:
		into[at] = fmt.Sprint(v)
	}
}
