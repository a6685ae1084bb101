// Package cash has the stores of funds, deposits, withdrawals and payouts.
package cash

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// fundStore keeps fund requests.
type fundStore struct{ db *engine.DB }

var requestSigned = evidence.NewSignedTable("fund_request", requestColumns, evidence.SignedOptions{Checked: true})

// Fund is the store of fund requests.
func Fund(db *engine.DB) fund.Store { return fundStore{db} }

const requestColumns = `id, uid, fund, amount, number, way, bank_id, bank_name, bank_holder, bank_account, bank_ifsc, bank_branch,
	state, remark, verdict, verdict_at, requested_at, needs_two, first_by, first_name, first_at, decided_by, decided_name, decided_at, source, released_at`

func scanRequest(r *sql.Rows) (x fund.Request, err error) {
	var amount, verdict, requested, two, first, decided, released int64
	err = r.Scan(&x.ID, &x.UID, &x.Fund, &amount, &x.Number, &x.Way, &x.Bank.ID, &x.Bank.Name, &x.Bank.Holder, &x.Bank.Account, &x.Bank.IFSC, &x.Bank.Branch,
		&x.State, &x.Remark, &x.Verdict, &verdict, &requested, &two, &x.First.Operator, &x.First.Name, &first, &x.DecidedBy, &x.DecidedName, &decided, &x.Source, &released)
	x.Amount, x.VerdictAt, x.RequestedAt, x.DecidedAt = money.Micro(amount), engine.Instant(verdict), engine.Instant(requested), engine.Instant(decided)
	x.NeedsTwo, x.FirstAt, x.ReleasedAt = two == 1, engine.Instant(first), engine.Instant(released)
	return x, err
}

// Ahead asks three things at once: a command waits for every statement.
func (s fundStore) Ahead(ctx context.Context, tx *ledger.Tx, uid int64, number string) (last, pending int64, taken bool, err error) {
	type ahead struct{ last, pending, taken int64 }
	scan := func(r *sql.Rows) (a ahead, err error) {
		err = r.Scan(&a.last, &a.pending, &a.taken)
		return a, err
	}
	a, _, err := engine.First(ctx, engine.GroupOf(tx), scan, "SELECT COALESCE((SELECT MAX(id) FROM fund_request), 0), "+waitingOf+`,
		(SELECT COUNT(*) FROM fund_request WHERE number = $2 AND (state || '' = 'Approved' OR (uid = $1 AND released_at = 0)))`, uid, number)
	return a.last, a.pending, a.taken > 0, err
}

// waitingOf counts the requests of $1 that wait, but for payments that the chain has
// shown: else a stranger's dust would keep the member from asking. State is no condition:
// PostgreSQL, planning while the table is small, would walk the index of all
// that wait for the few of one member.
const waitingOf = "(SELECT COUNT(CASE WHEN state = 'Pending' AND source = '' THEN 1 END) FROM fund_request WHERE uid = $1)"

func (fundStore) Add(ctx context.Context, tx *ledger.Tx, r fund.Request) error {
	return evidence.InsertRow(ctx, engine.GroupOf(tx), requestSigned,
		r.ID, r.UID, string(r.Fund), r.Amount.Micros(), r.Number, string(r.Way), r.Bank.ID, r.Bank.Name, r.Bank.Holder, r.Bank.Account, r.Bank.IFSC, r.Bank.Branch,
		string(r.State), r.Remark, r.Verdict.Encode(), engine.Micros(r.VerdictAt), engine.Micros(r.RequestedAt), engine.BoolInt(r.NeedsTwo), r.First.Operator, r.First.Name, engine.Micros(r.FirstAt), r.DecidedBy, r.DecidedName, engine.Micros(r.DecidedAt),
		r.Source, engine.Micros(r.ReleasedAt))
}

func (s fundStore) Get(ctx context.Context, tx *ledger.Tx, id int64) (fund.Request, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanRequest, "SELECT "+requestColumns+" FROM fund_request WHERE id = $1", id)
}

func (fundStore) Verify(ctx context.Context, tx *ledger.Tx, id int64) error {
	return evidence.VerifierIn(engine.GroupOf(tx)).Row(ctx, requestSigned, id)
}

func (s fundStore) Credited(ctx context.Context, tx *ledger.Tx, number string) (deposits, approved int64, err error) {
	type counts struct{ deposits, approved int64 }
	c, _, err := engine.First(ctx, engine.GroupOf(tx), func(r *sql.Rows) (c counts, err error) {
		err = r.Scan(&c.deposits, &c.approved)
		return c, err
	}, `SELECT (SELECT COUNT(*) FROM transfer WHERE kind = 'deposit' AND reference = $1),
		(SELECT COUNT(*) FROM fund_request WHERE number = $1 AND state || '' = 'Approved')`, number)
	return c.deposits, c.approved, err
}

func (s fundStore) Named(ctx context.Context, tx *ledger.Tx, number string) ([]fund.Request, error) {
	return engine.List(ctx, s.db.From(tx), scanRequest, "SELECT "+requestColumns+" FROM fund_request WHERE number = $1 ORDER BY id", number)
}

type claims struct {
	count  int64
	number string
}

func scanClaims(r *sql.Rows) (c claims, err error) {
	err = r.Scan(&c.count, &c.number)
	return c, err
}

func (s fundStore) Claims(ctx context.Context, numbers []string) (map[string]int64, error) {
	out := map[string]int64{}
	err := engine.InChunks(numbers, func(part []string) error {
		args := make([]any, len(part))
		for i, n := range part {
			args[i] = n
		}
		found, err := engine.List(ctx, s.db.Committed(), scanClaims, "SELECT COUNT(*), number FROM fund_request WHERE released_at = 0 AND number IN "+engine.Placeholders(1, len(part))+" GROUP BY number", args...)
		for _, f := range found {
			out[f.number] = f.count
		}
		return err
	})
	return out, err
}

func (fundStore) Match(ctx context.Context, tx *ledger.Tx, r fund.Request) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), requestSigned, []any{r.ID}, `UPDATE fund_request SET amount = $1, source = $2, verdict = $3, verdict_at = $4
		WHERE id = $5 AND state = 'Pending'`, r.Amount.Micros(), r.Source, r.Verdict.Encode(), engine.Micros(r.VerdictAt), r.ID)
}

func (fundStore) Decide(ctx context.Context, tx *ledger.Tx, r fund.Request) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), requestSigned, []any{r.ID}, `UPDATE fund_request SET state = $1, remark = $2, decided_by = $3, decided_name = $4, decided_at = $5
		WHERE id = $6 AND state = 'Pending'`, string(r.State), r.Remark, r.DecidedBy, r.DecidedName, engine.Micros(r.DecidedAt), r.ID)
}

func (fundStore) First(ctx context.Context, tx *ledger.Tx, r fund.Request) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), requestSigned, []any{r.ID}, "UPDATE fund_request SET first_by = $1, first_name = $2, first_at = $3 WHERE id = $4 AND state = 'Pending' AND first_by = 0",
		r.First.Operator, r.First.Name, engine.Micros(r.FirstAt), r.ID)
}

func (s fundStore) ApprovedSince(ctx context.Context, tx *ledger.Tx, uids []int64, since time.Time) (map[int64]money.Amount, error) {
	return approvedOf(ctx, s.db.From(tx), `SELECT uid, CAST(SUM(amount) AS BIGINT) FROM fund_request
		WHERE state || '' = 'Approved' AND decided_by > 0 AND decided_at > $1 AND uid IN `, uids, since)
}

func (s fundStore) AloneSince(ctx context.Context, tx *ledger.Tx, operator int64, since time.Time) (money.Amount, error) {
	n, _, err := engine.First(ctx, s.db.From(tx), engine.ScanCount, `SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM fund_request
		WHERE decided_by > 0 AND decided_by = $1 AND decided_at > $2 AND state || '' = 'Approved' AND first_by = 0`, operator, engine.Micros(since))
	return money.Micro(n), err
}

func (fundStore) NeedTwo(ctx context.Context, tx *ledger.Tx, id int64) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), requestSigned, []any{id}, "UPDATE fund_request SET needs_two = 1 WHERE id = $1 AND state = 'Pending'", id)
}

func (fundStore) Release(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) (bool, error) {
	n, err := evidence.ChangeOne(ctx, engine.GroupOf(tx), requestSigned, []any{id}, "UPDATE fund_request SET released_at = $1 WHERE id = $2 AND state = 'Rejected' AND released_at = 0", engine.Micros(at), id)
	return n == 1, err
}

func (fundStore) SetVerdict(ctx context.Context, tx *ledger.Tx, id int64, text errs.Text, at time.Time) (bool, error) {
	n, err := evidence.ChangeOne(ctx, engine.GroupOf(tx), requestSigned, []any{id}, "UPDATE fund_request SET verdict = $1, verdict_at = $2 WHERE id = $3 AND state = 'Pending'", text.Encode(), engine.Micros(at), id)
	return n == 1, err
}

// requestOrders are the columns of orders that no index has: one member's
// requests are few.
var requestOrders = map[fund.Order]string{fund.ByAmount: "amount", fund.ByState: "state || ''", fund.ByNumber: "number", fund.ByDecision: "decided_at"}

func (s fundStore) List(ctx context.Context, f fund.Filter) ([]fund.Request, int64, error) {
	var w engine.Conditions
	if f.UID != 0 {
		w.Add("uid =", f.UID)
	}
	if f.Way != "" {
		w.Add("way =", string(f.Way))
	}
	if f.State != "" {
		w.Add(engine.Unindexed(f.UID, "state")+" =", string(f.State))
	}
	if f.Number != "" {
		w.Add("number =", f.Number)
	}
	w.During("requested_at", f.From, f.Before)
	if f.Upto != 0 {
		w.Add("id <=", f.Upto)
	}
	count, err := s.count(ctx, f, w)
	if err != nil || f.Offset >= count {
		return nil, count, err
	}
	if column := requestOrders[f.Order]; column != "" && f.UID != 0 {
		page, args := w.Page(f.Limit, f.Offset)
		all, err := engine.List(ctx, s.db.Committed(), scanRequest, "SELECT "+requestColumns+" FROM fund_request"+w.Text()+engine.Ordered(!f.Oldest, column, "id")+page, args...)
		return all, count, err
	}
	all, err := engine.Paged(ctx, s.db.Committed(), scanRequest, requestColumns, "fund_request", w, !f.Oldest, count, f.Limit, f.Offset)
	return all, count, err
}

// count is kept unless it is of one member or of some time.
func (s fundStore) count(ctx context.Context, f fund.Filter, w engine.Conditions) (int64, error) {
	if f.UID == 0 && f.Number == "" && f.From.IsZero() && f.Before.IsZero() && f.Upto == 0 {
		t, err := s.db.ListSum(ctx, engine.ListKey{List: "fund_request", State: string(f.State), Kind: string(f.Way)})
		return t.Count, err
	}
	return engine.Value(ctx, s.db.Committed(), engine.ScanCount, "SELECT COUNT(*) FROM fund_request"+w.Text(), w.Args...)
}
