package plan

import (
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// whole is the field name of mistakes about the plan as a whole.
const whole = "plan"

// needs maps a part to the other part that its rules read.
var needs = map[string]string{"level_ppm": "pools_ppm", "roi_level_ppm": "profit_split_ppm", "royalty_weights": "ranks", "rewards": "salary_maintenance_x"}

// judged returns the violated rules, without those that only follow from values that
// could not be read.
func judged(rules []errs.Field, lost []string) (out []errs.Field) {
	for _, f := range rules {
		top := f.Name[:len(f.Name)-len(strings.TrimLeft(f.Name, "abcdefghijklmnopqrstuvwxyz_"))]
		if !slices.ContainsFunc(lost, func(at string) bool { return related(f.Name, at) || needs[top] != "" && related(needs[top], at) }) {
			out = append(out, f)
		}
	}
	return out
}

// related reports whether one place is part of the other, or both are in one list.
func related(a, b string) bool {
	a, b = list(a), list(b)
	return a == b || b == whole || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".") || strings.HasPrefix(a, b+"[") || strings.HasPrefix(b, a+"[")
}

// list returns the list that contains a place, or the place.
func list(at string) string {
	if i := strings.LastIndex(at, "["); i >= 0 {
		return at[:i]
	}
	return at
}
