package plan

import (
	"slices"
	"strings"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// whole is what mistakes call a plan that cannot be read at all.
const whole = "plan"

// needs are the parts that rules about another part look at.
var needs = map[string]string{"level_ppm": "pools_ppm", "roi_level_ppm": "profit_split_ppm", "royalty_weights": "ranks", "rewards": "salary_maintenance_x"}

// judged are the mistakes against rules, but for those that only follow from what
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

// related tells whether one place is part of the other, or both are of one list.
func related(a, b string) bool {
	a, b = list(a), list(b)
	return a == b || b == whole || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".") || strings.HasPrefix(a, b+"[") || strings.HasPrefix(b, a+"[")
}

// list is the list that a place is in, or the place itself.
func list(at string) string {
	if i := strings.LastIndex(at, "["); i >= 0 {
		return at[:i]
	}
	return at
}
