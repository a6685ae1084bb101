package simulate_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/simulate"
	"github.com/bifolia/bifolia/internal/tools/testkit"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// tampers change one row each in the database, and name the rule that finds the change.
// Each is an SQL statement and the one that undoes it.
var tampers = []struct{ says, do, undo string }{
	{"sale's amount is what was paid", "UPDATE sale SET amount = amount + 1 WHERE id = (SELECT MIN(id) FROM sale WHERE state = 'final')", "UPDATE sale SET amount = amount - 1 WHERE id = (SELECT MIN(id) FROM sale WHERE state = 'final')"},
	{"sale's state is what became", "UPDATE sale SET state = 'cooling' WHERE id = (SELECT MIN(id) FROM sale WHERE state = 'reversed')", "UPDATE sale SET state = 'reversed' WHERE state = 'cooling' AND final_day > 0"},
	{"sale's state is what became", "UPDATE sale SET state = 'final' WHERE state = 'refunded'", "UPDATE sale SET state = 'refunded' WHERE state = 'final' AND final_day = 0"},
	{"sale's volume", "UPDATE sale SET volume = volume + 1 WHERE id = (SELECT MIN(id) FROM sale)", "UPDATE sale SET volume = volume - 1 WHERE id = (SELECT MIN(id) FROM sale)"},
	{"position's principal is what was invested", "UPDATE invest_position SET principal = principal + 1 WHERE id = (SELECT MIN(id) FROM invest_position)", "UPDATE invest_position SET principal = principal - 1 WHERE id = (SELECT MIN(id) FROM invest_position)"},
	{"less its loss", "UPDATE invest_position SET loss = loss + 1 WHERE id = (SELECT MIN(id) FROM invest_position WHERE state <> 'claimed')", "UPDATE invest_position SET loss = loss - 1 WHERE id = (SELECT MIN(id) FROM invest_position WHERE state <> 'claimed')"},
	{"paid by its payer", "UPDATE sale SET payer = payer + 1 WHERE id = (SELECT MIN(id) FROM sale)", "UPDATE sale SET payer = payer - 1 WHERE id = (SELECT MIN(id) FROM sale)"},
	{"paid by its payer", "UPDATE sale SET at = at + 1 WHERE id = (SELECT MIN(id) FROM sale)", "UPDATE sale SET at = at - 1 WHERE id = (SELECT MIN(id) FROM sale)"},
	{"paid by its payer", "UPDATE invest_position SET payer = payer + 1 WHERE id = (SELECT MIN(id) FROM invest_position)", "UPDATE invest_position SET payer = payer - 1 WHERE id = (SELECT MIN(id) FROM invest_position)"},
	{"the last close left", "UPDATE carry SET match_bot = match_bot + 1 WHERE no = 1", "UPDATE carry SET match_bot = match_bot - 1 WHERE no = 1"},
	{"the last close left", "UPDATE carry SET left_vol = left_vol + 1 WHERE no = 1", "UPDATE carry SET left_vol = left_vol - 1 WHERE no = 1"},
	{"the last close left", "UPDATE carry SET rank = rank + 1 WHERE no = 1", "UPDATE carry SET rank = rank - 1 WHERE no = 1"},
	{"the last close left", "UPDATE tally SET value = value + 1 WHERE name = 'deficit:LEAD'", "UPDATE tally SET value = value - 1 WHERE name = 'deficit:LEAD'"},
	{"the last close left", "UPDATE plan_version SET first_day = first_day - 1", "UPDATE plan_version SET first_day = first_day + 1"},
	{"digest is the one", "UPDATE close_day SET digest = 'x' || digest WHERE day = (SELECT MIN(day) FROM close_day)", "UPDATE close_day SET digest = substr(digest, 2) WHERE day = (SELECT MIN(day) FROM close_day)"},
	{"who became active", "UPDATE activity SET active = 1 - active WHERE n = 1", "UPDATE activity SET active = 1 - active WHERE n = 1"},
	{"recalled cash", "UPDATE claim SET recalled = recalled - 1 WHERE id = (SELECT MIN(id) FROM claim WHERE recalled > 0)", "UPDATE claim SET recalled = recalled + 1 WHERE id = (SELECT MIN(id) FROM claim WHERE recalled > 0)"},
	{"claim's amount", "UPDATE claim SET amount = amount + 1 WHERE id = (SELECT MIN(id) FROM claim)", "UPDATE claim SET amount = amount - 1 WHERE id = (SELECT MIN(id) FROM claim)"},
	{"claim's income", "UPDATE claim SET income = income + 1 WHERE id = (SELECT MIN(id) FROM claim)", "UPDATE claim SET income = income - 1 WHERE id = (SELECT MIN(id) FROM claim)"},
	{"claim's net", "UPDATE claim SET net = net + 1 WHERE id = (SELECT MIN(id) FROM claim)", "UPDATE claim SET net = net - 1 WHERE id = (SELECT MIN(id) FROM claim)"},
	{"network incomes are what the ledger paid", "UPDATE income SET paid = paid + 1 WHERE row_no = (SELECT MIN(row_no) FROM income WHERE kind < 6)", "UPDATE income SET paid = paid - 1 WHERE row_no = (SELECT MIN(row_no) FROM income WHERE kind < 6)"},
	{"network incomes are what the ledger paid", "UPDATE income SET earner = earner + 1 WHERE row_no = (SELECT MIN(row_no) FROM income WHERE kind < 6)", "UPDATE income SET earner = earner - 1 WHERE row_no = (SELECT MIN(row_no) FROM income WHERE kind < 6)"},
	{"incomes of a pool", "UPDATE income SET kind = 5 WHERE row_no = (SELECT MIN(row_no) FROM income WHERE kind = 1)", "UPDATE income SET kind = 1 WHERE row_no = (SELECT MIN(row_no) FROM income WHERE kind IN (1, 5))"},
	{"batch's ROI is that of its rows", "UPDATE income SET paid = paid + 1 WHERE row_no = (SELECT MIN(i.row_no) FROM income i JOIN roi_batch b ON b.id = i.source WHERE i.kind = 7 AND b.released_day > 0)", "UPDATE income SET paid = paid - 1 WHERE row_no = (SELECT MIN(i.row_no) FROM income i JOIN roi_batch b ON b.id = i.source WHERE i.kind = 7 AND b.released_day > 0)"},
	{"batch's ROI", "UPDATE roi_batch SET roi = roi + 1 WHERE id = (SELECT MIN(id) FROM roi_batch)", "UPDATE roi_batch SET roi = roi - 1 WHERE id = (SELECT MIN(id) FROM roi_batch)"},
	{"batch's fee", "UPDATE roi_batch SET fee = fee + 1 WHERE id = (SELECT MIN(id) FROM roi_batch)", "UPDATE roi_batch SET fee = fee - 1 WHERE id = (SELECT MIN(id) FROM roi_batch)"},
	{"held", "UPDATE roi_batch SET released_day = 0 - released_day WHERE id = (SELECT MIN(id) FROM roi_batch WHERE released_day <> 0 AND roi > 0)", "UPDATE roi_batch SET released_day = 0 - released_day WHERE released_day < 0"},
	{"what a line froze", "UPDATE tally SET value = value + 1 WHERE name = 'frozen:FOREX'", "UPDATE tally SET value = value - 1 WHERE name = 'frozen:FOREX'"},
	{"FOREX); it is", "UPDATE tally SET value = value + 1 WHERE name = 'settled:FOREX'", "UPDATE tally SET value = value - 1 WHERE name = 'settled:FOREX'"},
	{"held incomes", "UPDATE income SET held = 1 WHERE row_no = (SELECT MIN(row_no) FROM income WHERE kind < 6)", "UPDATE income SET held = 0 WHERE row_no = (SELECT MIN(row_no) FROM income WHERE kind < 6)"},
	{"network incomes are what the ledger paid", "UPDATE carry SET debt = debt + 1 WHERE no = 1", "UPDATE carry SET debt = debt - 1 WHERE no = 1"},
	{"booked result", "UPDATE booking SET amount = amount + 1 WHERE id = (SELECT MIN(id) FROM booking WHERE kind = 'pnl')", "UPDATE booking SET amount = amount - 1 WHERE id = (SELECT MIN(id) FROM booking WHERE kind = 'pnl')"},
	{"settlement", "UPDATE booking SET amount = amount + 1 WHERE id = (SELECT MIN(id) FROM booking WHERE kind = 'settle' AND refused = '')", "UPDATE booking SET amount = amount - 1 WHERE id = (SELECT MIN(id) FROM booking WHERE kind = 'settle' AND refused = '')"},
	{"a booking is what was asked for", "UPDATE booking SET amount = amount + 1 WHERE id = (SELECT MIN(id) FROM booking WHERE kind = 'settle' AND refused <> '')", "UPDATE booking SET amount = amount - 1 WHERE id = (SELECT MIN(id) FROM booking WHERE kind = 'settle' AND refused <> '')"},
}

// After a change in the database of any row that gives the purpose of money, the books do
// not agree, and the broken rule is named.
func TestChangedBooksAreFound(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../core/plan/testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s, err := simulate.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := simulate.Run(context.Background(), dsn, s); err != nil {
			t.Fatal(err)
		}
		db, err := store.Open(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		hand := testkit.Raw(t, dsn)
		change := func(query string) {
			t.Helper()
			done, err := hand.ExecContext(t.Context(), query)
			if err != nil {
				t.Fatalf("%s: %v", query, err)
			}
			if n, _ := done.RowsAffected(); n != 1 {
				t.Fatalf("%s: %d rows", query, n)
			}
		}
		for _, x := range tampers {
			change(x.do)
			var b *closing.Broken
			if err := closing.CheckBooks(t.Context(), db.Books()); !errors.As(err, &b) || !strings.Contains(err.Error(), x.says) {
				t.Errorf("%s: %v", x.do, err)
			}
			change(x.undo)
		}
		if err := closing.CheckBooks(t.Context(), db.Books()); err != nil {
			t.Errorf("restored: %v", err)
		}
	})
}
