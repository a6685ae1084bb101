package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

var wallets = map[Kind]string{
	KindLevel: "LevelIncome", KindMatching: "binaryIncome", KindRank: "salaryrankreward", KindReward: "salaryrankreward", KindSalary: "salaryrankreward", KindRoyalty: "royalty_income",
}

// remark is what a row says beside its amount.
func remark(row Row) string {
	switch {
	case row.Reverses != 0:
		return fmt.Sprintf("Reversal of row %d", row.Reverses)
	case row.Kind == KindMatching:
		var parts []string
		for _, p := range []struct {
			on   bool
			text string
		}{{row.Capped, "capped"}, {row.Scaled, "scaled"}, {row.Held, "Hold: account under review"}} {
			if p.on {
				parts = append(parts, p.text)
			}
		}
		return strings.Join(parts, ", ")
	case row.Kind == KindROILevel:
		return "ROI level"
	case row.Scaled:
		return "scaled"
	case row.Held:
		return "Hold: account under review"
	case row.Kind == KindLevel:
		return "Level income"
	}
	return ""
}

// show writes rows as reports do.
func (w *world) show(r *Result) {
	for _, row := range r.Rows {
		m := map[string]any{"to": w.uid(row.To), "uid": w.uid(row.Of), "dd": r.Day.String(), "row": row.No, "ss": "Release"}
		if row.Held {
			m["ss"] = "Hold"
		}
		if row.Kind != KindROI {
			m["remark"] = remark(row)
		}
		if row.Kind >= KindROI {
			m["line"], m["pos"] = LineNames[row.Line], w.b.Lines[row.Line].Positions[row.Position].ID
		}
		lvl := int64(row.Level)
		switch row.Kind {
		case KindLevel:
			maps.Copy(m, map[string]any{"t": "Level", "onamount": text(row.On), "lvl": lvl, "income": text(row.Paid)})
		case KindMatching:
			maps.Copy(m, map[string]any{"t": "Matching", "lPV": text(row.On), "binaryincome": text(row.Paid), "capingamount": text(row.A)})
		case KindRank:
			k := w.p.Ranks[row.Level-1]
			maps.Copy(m, map[string]any{"t": "Rank", "lvl": lvl, "reward": text(row.Paid), "rank": k.Name, "reqmatch_bot": k.Need.String(), "match_bot": text(row.A), "nominal": text(row.Nominal), "achieved_ss": "achieved", "ad": r.Day.String()})
		case KindReward:
			k := w.p.Rewards[row.Level-1]
			maps.Copy(m, map[string]any{"t": "Reward", "lvl": lvl, "reward": text(row.Paid), "reqleg1": k.NeedLeg1.String(), "leg1": text(row.A), "reqotherleg": k.NeedOther.String(), "otherleg": text(row.B), "salary": k.Salary.String(), "nominal": text(row.Nominal), "achieved_ss": "achieved", "ad": r.Day.String()})
		case KindSalary:
			maps.Copy(m, map[string]any{"t": "Salary", "lvl": lvl, "income": text(row.Paid), "nominal": text(row.Nominal)})
		case KindRoyalty:
			maps.Copy(m, map[string]any{"t": "Royalty", "lvl": lvl, "income": text(row.Paid)})
		case KindROI:
			maps.Copy(m, map[string]any{"t": "Roi", "On_amount": text(row.On), "onrate": text(muldiv(row.Paid, 100*ppm, row.On)), "plan_amount": text(row.Paid)})
		case KindROILevel:
			maps.Copy(m, map[string]any{"t": "RoiLevel", "onamount": text(row.On), "lvl": lvl, "income": text(row.Paid)})
		}
		w.rows, w.kinds = append(w.rows, m), append(w.kinds, row)
	}
}

func (w *world) status(k int, ss string, day Day) {
	w.rows[k]["ss"], w.rows[k]["released"] = ss, day.String()
	w.changes = append(w.changes, [2]any{w.kinds[k].No, ss})
}

func digest(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v) // maps by sorted keys, no blanks
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

func parseTime(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
