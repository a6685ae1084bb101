package simulate

import (
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A close, a recall or a claim pays nothing if a row that it starts from was changed in the
// database: no later check could find a change that is undone after the close.
func TestACloseRefusesATamperedStart(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, forged := range map[string]struct{ what, do string }{
		"whose a sale is":          {"Sale ", "UPDATE sale SET no = no + 1 WHERE id = (SELECT MAX(id) FROM sale WHERE state = 'cooling')"},
		"what a sale counts":       {"Sale ", "UPDATE sale SET volume = volume + 1000000 WHERE id = (SELECT MAX(id) FROM sale WHERE state = 'cooling')"},
		"a sale that nobody made":  {"Sale ", "INSERT INTO sale (id, no, payer, package, topup, amount, volume, day, at, state, final_day) SELECT id || 'x', no, payer, package, topup, amount, volume, day, at, state, final_day FROM sale WHERE id = (SELECT MAX(id) FROM sale WHERE state = 'cooling')"},
		"whose a position is":      {"Invest position ", "UPDATE invest_position SET no = no + 1 WHERE id = (SELECT MAX(id) FROM invest_position WHERE state = 'open')"},
		"how long a position runs": {"Invest position ", "UPDATE invest_position SET term = term - 1 WHERE id = (SELECT MAX(id) FROM invest_position WHERE state = 'open')"},
		"which positions share":    {"Which positions are open", "UPDATE invest_position SET state = 'matured' WHERE id = (SELECT MAX(id) FROM invest_position WHERE state = 'open')"},
		"what a position has lost": {"Which positions are open", "UPDATE invest_position SET loss = loss + 1 WHERE id = (SELECT MAX(id) FROM invest_position WHERE state = 'open')"},
		"by which plan it pays":    {"Plan version ", "INSERT INTO plan_version (no, version, first_day, body, created_at) SELECT MAX(no) + 1, 'x', 0, MAX(body), 0 FROM plan_version WHERE (SELECT COUNT(*) FROM close_day) > 0 HAVING COUNT(*) = 1"},
		"what is on Hold":          {"The incomes of ", "UPDATE income SET paid = paid + 1000000 WHERE row_no = (SELECT MAX(i.row_no) FROM income i JOIN roi_batch b ON b.id = i.source WHERE b.released_day = 0 AND i.kind = 6)"},
		"who earns what is held":   {"The incomes of ", "UPDATE income SET earner = earner + 1 WHERE row_no = (SELECT MAX(i.row_no) FROM income i JOIN roi_batch b ON b.id = i.source WHERE b.released_day = 0 AND i.kind = 7)"},
		"a fee that waits":         {"Roi batch ", "UPDATE roi_batch SET fee = fee + 1 WHERE id = (SELECT MAX(id) FROM roi_batch WHERE fee_day = 0 AND fee > 0)"},
		"what a claim is worth":    {"Claim ", "UPDATE claim SET net = net - 1000000 WHERE id = (SELECT MIN(id) FROM claim WHERE state = 'Pending')"},
		"whose a claim is":         {"Claim ", "UPDATE claim SET no = no + 1 WHERE id = (SELECT MIN(id) FROM claim WHERE state = 'Pending')"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.Site(t, func(t *testing.T, dsn string) { livedForged(t, dsn, raw, forged.do, forged.what) })
		})
	}
}

// livedForged runs the worked example and changes a row as soon as it exists.
func livedForged(t *testing.T, dsn string, raw []byte, do, what string) {
	t.Helper()
	s, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	var hand *sql.DB
	done := false
	_, err = run(t.Context(), dsn, s, func(int64, int64) {
		if hand == nil {
			hand = testkit.Raw(t, dsn)
		}
		if done {
			return
		}
		did, err := hand.ExecContext(t.Context(), do)
		if err != nil {
			t.Fatal(err)
		}
		n, _ := did.RowsAffected()
		done = n == 1
	})
	var tampered *ledger.TamperedError
	if !done || !errors.As(err, &tampered) || !strings.HasPrefix(tampered.What, what) {
		t.Errorf("changed %t; it ended with %v", done, err)
	}
}
