package trade

import (
	"strings"

	"github.com/bifolia/bifolia/internal/store/core"
)

// bookRule is something that tables say and the ledger too: rows gives, of each
// id, what the one and the other has.
type bookRule struct{ says, of, rows string }

// posted sums, by reference, what transfers of some kinds did to a kind of
// accounts.
func posted(kinds, accounts string) string {
	return "(SELECT t.reference AS id, CAST(SUM(e.delta) AS BIGINT) AS sum FROM transfer t JOIN entry e ON e.seq = t.seq WHERE t.kind IN (" + kinds + ") AND e.kind IN (" + accounts + ") GROUP BY t.reference)"
}

// both sums two lists of (id, have, want) up by id.
func both(rows string) string {
	return "SELECT x.id AS id, CAST(SUM(x.have) AS BIGINT) AS have, CAST(SUM(x.want) AS BIGINT) AS want FROM (" + rows + ") x GROUP BY x.id"
}

const (
	deferredOf  = " LEFT JOIN account a ON a.code = 'L:DEFERRED:' || s.id"
	principalOf = " JOIN place o ON o.no = p.no LEFT JOIN account a ON a.code = 'L:PRINCIPAL:' || p.line || ':' || CAST(o.uid AS TEXT) || ':' || p.id"
	// firstOf is the transfer that first filled an account, and the fund that paid.
	firstOf = " LEFT JOIN entry e ON e.account = a.id AND e.version = 1 LEFT JOIN transfer t ON t.seq = e.seq LEFT JOIN entry f ON f.seq = e.seq AND f.kind = 'L:FUND'"
	heldFor = " LEFT JOIN withdrawal_part x ON x.withdrawal = w.id LEFT JOIN hold h ON h.id = x.hold"
)

// payerOf is who paid and when, as one text.
func payerOf(uid, at string) string {
	return "'member ' || CAST(COALESCE(" + uid + ", 0) AS TEXT) || ' at ' || CAST(COALESCE(" + at + ", 0) AS TEXT)"
}

var bookRules = []bookRule{
	{"a sale's amount is what was paid for it", "sale", `SELECT s.id AS id, s.amount AS have, CAST(COALESCE(SUM(e.delta), 0) AS BIGINT) AS want
		FROM sale s` + deferredOf + ` LEFT JOIN entry e ON e.account = a.id AND e.delta > 0 GROUP BY s.id, s.amount`},
	{"a sale's state is what became of its money", "sale", `SELECT s.id AS id, s.state AS have, CASE WHEN e.seq IS NULL THEN 'cooling' WHEN t.kind = 'refund' THEN 'refunded' WHEN c.reference IS NULL THEN 'final' ELSE 'reversed' END AS want
		FROM sale s` + deferredOf + ` LEFT JOIN entry e ON e.account = a.id AND e.delta < 0 LEFT JOIN transfer t ON t.seq = e.seq
		LEFT JOIN (SELECT DISTINCT reference FROM transfer WHERE kind = 'chargeback') c ON c.reference = s.id`},
	{"a sale that cools off has its amount deferred, and no other", "sale", `SELECT s.id AS id, CASE WHEN s.state = 'cooling' THEN s.amount ELSE 0 END AS have, COALESCE(a.posted, 0) AS want FROM sale s` + deferredOf},
	{"a sale was paid by its payer, and when it says", "sale", `SELECT s.id AS id, ` + payerOf("s.payer", "s.at") + ` AS have, ` + payerOf("f.owner", "t.effective_at") + ` AS want
		FROM sale s` + deferredOf + firstOf},
	{"a position was paid by its payer, and when it says", "position", `SELECT p.id AS id, ` + payerOf("p.payer", "p.at") + ` AS have, ` + payerOf("f.owner", "t.effective_at") + ` AS want
		FROM invest_position p` + principalOf + firstOf},
	// One transaction may pay several members, and one member in several parts.
	{"a fund request that was approved is what was credited", "fund request", `SELECT CAST(r.id AS TEXT) AS id, r.account || ' ' || CAST(r.amount AS TEXT) AS have, COALESCE(d.account || ' ' || CAST(d.amount AS TEXT), 'nothing') AS want
		FROM (SELECT MIN(id) AS id, number, 'L:FUND:' || fund || ':' || CAST(uid AS TEXT) AS account, CAST(SUM(amount) AS BIGINT) AS amount FROM fund_request WHERE state = 'Approved' GROUP BY number, fund, uid) r
		LEFT JOIN (SELECT t.reference AS number, a.code AS account, CAST(SUM(e.delta) AS BIGINT) AS amount FROM transfer t JOIN entry e ON e.seq = t.seq AND e.kind = 'L:FUND' JOIN account a ON a.id = e.account WHERE t.kind = 'deposit' GROUP BY t.reference, a.code) d
		ON d.number = r.number AND d.account = r.account`},
	{"a withdrawal's amount is what was held for it", "withdrawal", `SELECT w.id AS id, w.amount AS have, CAST(COALESCE(SUM(h.amount), 0) AS BIGINT) AS want
		FROM withdrawal w` + heldFor + ` GROUP BY w.id, w.amount`},
	{"a withdrawal's money is held until it is turned down or confirmed", "withdrawal", `SELECT w.id AS id, CASE w.state WHEN 'Confirmed' THEN 'settled' WHEN 'Rejected' THEN 'voided' WHEN 'Cancelled' THEN 'voided' ELSE 'open' END AS have, h.state AS want
		FROM withdrawal w` + heldFor + ` WHERE h.state <> 'expired' OR w.state NOT IN ('Rejected', 'Cancelled')`},
	{"a withdrawal's money was held for it", "withdrawal", `SELECT w.id AS id, 'withdrawal ' || CAST(w.id AS TEXT) AS have, t.reference AS want FROM withdrawal w` + heldFor + ` JOIN transfer t ON t.seq = h.placed`},
	{"a withdrawal is its member's", "withdrawal", `SELECT w.id AS id, 'member ' || CAST(w.uid AS TEXT) AS have, 'member ' || CAST(a.owner AS TEXT) AS want FROM withdrawal w` + heldFor + ` JOIN account a ON a.id = h.account`},
	{"a withdrawal goes where it was asked to", "withdrawal", `SELECT w.id AS id, w.address AS have, substr(t.reason, length(t.reason) - 41, 42) AS want FROM withdrawal w` + heldFor + ` JOIN transfer t ON t.seq = h.placed WHERE t.reason LIKE '%; withdrawal to %'`},
	{"a withdrawal's charge is what the company got of it", "withdrawal", `SELECT w.id AS id, CASE w.state WHEN 'Confirmed' THEN w.charge ELSE 0 END AS have, COALESCE(r.sum, 0) AS want
		FROM withdrawal w LEFT JOIN ` + posted("'withdraw'", "'E:COMPANY'") + ` r ON r.id = 'withdrawal ' || CAST(w.id AS TEXT)`},
	{"a position's principal is what was invested", "position", `SELECT p.id AS id, p.principal AS have, COALESCE(e.delta, 0) AS want FROM invest_position p` + principalOf + ` LEFT JOIN entry e ON e.account = a.id AND e.version = 1`},
	{"a position's principal less its loss is in its account until it is claimed", "position", `SELECT p.id AS id, CASE WHEN p.state = 'claimed' THEN 0 ELSE p.principal - p.loss END AS have, COALESCE(a.posted, 0) AS want FROM invest_position p` + principalOf},
	{"a position has matured when there is a claim, and is claimed when that is", "position", `SELECT p.id AS id, p.state AS have, CASE c.state WHEN 'Pending' THEN 'matured' WHEN 'Claimed' THEN 'claimed' ELSE 'open' END AS want
		FROM invest_position p LEFT JOIN claim c ON c.id = 'C-' || p.id`},
	{"a claim's recalled cash is what the ledger recalled for it", "claim", `SELECT c.id AS id, c.recalled AS have, COALESCE(r.sum, 0) AS want FROM claim c LEFT JOIN ` + posted("'recall'", "'A:CLIENT'") + ` r ON r.id = c.id`},
	{"a claim's amount is its position's principal", "claim", `SELECT c.id AS id, c.amount AS have, p.principal AS want FROM claim c JOIN invest_position p ON p.id = c.position_id`},
	{"a claim's income is its position's held ROI less its loss", "claim", `SELECT c.id AS id, c.income AS have, COALESCE(h.paid, 0) - p.loss AS want FROM claim c JOIN invest_position p ON p.id = c.position_id
		LEFT JOIN (SELECT i.position_id AS id, CAST(SUM(i.paid) AS BIGINT) AS paid` + StateJoins + ` WHERE i.kind = ` + core.RoiKind + ` AND NOT ` + released + ` GROUP BY i.position_id) h ON h.id = p.id`},
	{"a claim's net amount is its amount and income", "claim", `SELECT c.id AS id, c.net AS have, c.amount + c.income AS want FROM claim c`},
	{"a claim is paid its net amount once", "claim", `SELECT c.id AS id, CASE c.state WHEN 'Claimed' THEN c.net ELSE 0 END AS have, COALESCE(r.sum, 0) AS want FROM claim c LEFT JOIN ` + posted("'claim'", "'L:INCOME'") + ` r ON r.id = c.id`},
	{"what a line froze is the held ROI of its claims that wait", "line", both(`SELECT substr(name, 8) AS id, value AS have, 0 AS want FROM tally WHERE name LIKE 'frozen:%'
		UNION ALL SELECT c.line, 0, c.income + p.loss FROM claim c JOIN invest_position p ON p.id = c.position_id WHERE c.state = 'Pending'`)},
	{"a line's held profit is its rows on Hold", "line", both(`SELECT i.line AS id, i.paid AS have, 0 AS want` + StateJoins + ` WHERE i.kind ` + core.TradingKinds + ` AND NOT ` + released + ` AND (i.kind = ` + core.RoiLevelKind + ` OR c.state IS NULL OR c.state <> 'Claimed')
		UNION ALL SELECT substr(code, 12), 0, posted FROM account WHERE kind = 'L:ROI_HELD'`)},
	{"a batch's ROI is that of its rows", "batch", both(`SELECT id AS id, roi AS have, 0 AS want FROM roi_batch UNION ALL SELECT source, 0, paid FROM income WHERE kind ` + core.TradingKinds)},
	{"a batch's ROI is what its booking put on Hold", "batch", `SELECT b.id AS id, b.roi AS have, COALESCE(r.sum, 0) AS want FROM roi_batch b LEFT JOIN ` + posted("'profit'", "'L:ROI_HELD'") + ` r ON r.id = b.id`},
	{"a batch's fee is what its booking put on Hold", "batch", `SELECT b.id AS id, b.fee AS have, COALESCE(r.sum, 0) AS want FROM roi_batch b LEFT JOIN ` + posted("'profit'", "'L:FEE_HELD'") + ` r ON r.id = b.id`},
	{"a member's released ROI is what the ledger released", "member", both(`SELECT o.uid AS id, i.paid AS have, 0 AS want` + StateJoins + ` JOIN place o ON o.no = i.earner WHERE i.kind ` + core.TradingKinds + ` AND ` + released + `
		UNION ALL SELECT e.owner, 0, e.delta FROM transfer t JOIN entry e ON e.seq = t.seq WHERE t.kind = 'release' AND e.kind = 'L:INCOME'`)},
	{"a member's network incomes are what the ledger paid, less what the member owes", "member", both(`SELECT o.uid AS id, i.paid AS have, 0 AS want FROM income i JOIN place o ON o.no = i.earner WHERE i.kind ` + core.NetworkKinds + `
		UNION ALL SELECT e.owner, 0, e.delta FROM transfer t JOIN entry e ON e.seq = t.seq WHERE t.kind IN ('income', 'reversal') AND e.kind IN ('L:INCOME', 'L:HELD')
		UNION ALL SELECT o.uid, 0, -k.debt FROM carry k JOIN place o ON o.no = k.no`)},
	{"the incomes of a pool are what it paid", "pool", both(`SELECT ` + core.PoolOf + ` AS id, i.paid AS have, 0 AS want FROM income i WHERE i.kind ` + core.NetworkKinds + ` AND i.reverses = 0
		UNION ALL SELECT e.kind, 0, -e.delta FROM transfer t JOIN entry e ON e.seq = t.seq WHERE t.kind IN ('income', 'debt') AND e.kind IN ('P:LEVEL', 'P:MATCH', 'P:LEAD', 'P:ROYALTY')`)},
	{"held incomes are the rows on Hold", "account", both(`SELECT 'L:HELD:' || ` + core.WalletOf + ` || ':' || CAST(o.uid AS TEXT) AS id, i.paid AS have, 0 AS want FROM income i JOIN place o ON o.no = i.earner WHERE i.kind ` + core.NetworkKinds + ` AND i.held = 1 AND i.released_day = 0
		UNION ALL SELECT code, 0, posted FROM account WHERE kind = 'L:HELD'`)},
	{"a booked result is what the ledger booked", "booking", `SELECT b.id AS id, CASE WHEN b.closed = 1 AND b.refused = '' THEN b.amount ELSE 0 END AS have, COALESCE(r.sum, 0) AS want FROM booking b LEFT JOIN ` + posted("'profit', 'repay', 'loss'", "'A:TRADING', 'A:OPERATING'") + ` r ON r.id = b.id WHERE b.kind = 'pnl'`},
	{"a settlement is what the ledger settled", "booking", `SELECT b.id AS id, CASE WHEN b.closed = 1 AND b.refused = '' THEN b.amount ELSE 0 END AS have, COALESCE(r.sum, 0) AS want FROM booking b LEFT JOIN ` + posted("'settle'", "'A:FIELD'") + ` r ON r.id = b.id WHERE b.kind = 'settle'`},
	{"a booking is what an operator booked", "booking", `SELECT b.id AS id, b.amount AS have, o.amount AS want FROM booking b JOIN operator_act o ON o.id = b.id WHERE b.kind <> 'chargeback'`},
	{"a booking that was proposed is what two operators approved", "booking", `SELECT p.event AS id, ` + bookingWords("p") + ` AS have, COALESCE(` + bookingWords("b") + `, '') AS want FROM booking_proposal p LEFT JOIN booking b ON b.id = p.event WHERE p.state = 'approved' AND p.kind IN ('pnl', 'settle', 'chargeback')`},
	{"what two operators approved was done so", "proposal", `SELECT p.event AS id, p.kind || ' ' || CASE p.kind WHEN 'recall' THEN p.claim ELSE p.booking END || ' ' || CAST(p.amount AS TEXT) AS have,
		COALESCE(o.kind || ' ' || o.subject || ' ' || CAST(o.amount AS TEXT), '') AS want FROM booking_proposal p LEFT JOIN operator_act o ON o.id = p.event WHERE p.state = 'approved' AND p.kind IN ('recall', 'cancel')`},
}

// bookingWords is what a booking or its proposal says, as one text.
func bookingWords(of string) string {
	var all []string
	for _, column := range []string{"kind", "line", "sale", "amount", "day", "reference", "evidence"} {
		all = append(all, "CAST("+of+"."+column+" AS TEXT)")
	}
	return strings.Join(all, " || ' ' || ")
}
