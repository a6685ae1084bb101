package tree

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Pages that each go on after the last member of the one before are the whole
// list.
func TestAListReadByPagesIsTheWholeList(t *testing.T) {
	t.Parallel()
	testShapes(t, func(t *testing.T, shape string, r *rand.Rand) {
		p, x := newPlain(), NewIndex()
		for len(p.places) <= 3000 {
			must(t, x.Join(p.grow(shape, r)))
		}
		active := false
		for _, q := range []List{{Of: 1}, {Of: 1, Leg: Left}, {Of: 2}, {Of: 1, Active: &active}} {
			for name, list := range map[string]func(List) ([]Row, int){
				"team": x.Team, "levels": func(q List) ([]Row, int) { q.Leg = NoSide; return x.Levels(q, 1, 20) },
			} {
				q.Limit, q.After = 5000, 0
				whole, total := list(q)
				var paged []No
				for q.Limit = 70; ; {
					rows, _ := list(q)
					for _, row := range rows {
						paged = append(paged, row.No)
					}
					if len(rows) < q.Limit {
						break
					}
					q.After = rows[len(rows)-1].No
				}
				nos := make([]No, 0, len(whole))
				for _, row := range whole {
					nos = append(nos, row.No)
				}
				if len(nos) != total || !slices.Equal(nos, paged) || !slices.IsSorted(paged) {
					t.Errorf("%s of %+v: %d rows at once, %d by pages, %d in all", name, q, len(nos), len(paged), total)
				}
			}
		}
	})
}
