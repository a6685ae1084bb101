package cash

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/store/people"
)

// withdrawalStore keeps withdrawals and their one-time codes.
type withdrawalStore struct{ db *engine.DB }

var (
	withdrawalSigned = evidence.NewSignedTable("withdrawal", withdrawalColumns, evidence.SignedOptions{Checked: true})
	partSigned       = evidence.NewSignedTable("withdrawal_part", "withdrawal, n, account, amount, hold", evidence.SignedOptions{Keys: 2})
)

func Withdrawal(db *engine.DB) withdrawal.Store { return withdrawalStore{db} }

const withdrawalColumns = `id, uid, wallet, type, amount, charge, net, address, state, needs_two,
	first_by, first_name, first_at, second_by, second_name, second_at, remark, decided_name, decided_at, batch, hash,
	requested_at, ready_at, sent_at, confirmed_at`

func scanWithdrawal(r *sql.Rows) (w withdrawal.Withdrawal, err error) {
	var amount, charge, net, two, first, second, decided, requested, ready, sent, confirmed int64
	err = r.Scan(&w.ID, &w.UID, &w.Wallet, &w.Type, &amount, &charge, &net, &w.Address, &w.State, &two,
		&w.First.Operator, &w.First.Name, &first, &w.Second.Operator, &w.Second.Name, &second, &w.Remark, &w.DecidedName, &decided, &w.Batch, &w.Hash,
		&requested, &ready, &sent, &confirmed)
	w.Amount, w.Charge, w.Net, w.NeedsTwo = money.Micro(amount), money.Micro(charge), money.Micro(net), two == 1
	w.First.At, w.Second.At, w.DecidedAt = engine.Instant(first), engine.Instant(second), engine.Instant(decided)
	w.RequestedAt, w.ReadyAt, w.SentAt, w.ConfirmedAt = engine.Instant(requested), engine.Instant(ready), engine.Instant(sent), engine.Instant(confirmed)
	return w, err
}

func (withdrawalStore) Last(ctx context.Context, tx *ledger.Tx) (int64, error) {
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT COALESCE(MAX(id), 0) FROM withdrawal")
}

func (withdrawalStore) Requested(ctx context.Context, tx *ledger.Tx, uid int64, since time.Time) (money.Amount, error) {
	n, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, `SELECT COALESCE(CAST(SUM(amount) AS BIGINT), 0)
		FROM withdrawal WHERE uid = $1 AND requested_at >= $2 AND state || '' NOT IN ('Rejected', 'Cancelled')`, uid, engine.Micros(since))
	return money.Micro(n), err
}

func (withdrawalStore) ApprovedOfAll(ctx context.Context, tx *ledger.Tx, since time.Time) (money.Amount, error) {
	n, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, `SELECT CAST(COALESCE((SELECT SUM(amount) FROM withdrawal
			WHERE first_at > 0 AND second_at = 0 AND first_at >= $1 AND state || '' IN ('Approved', 'Sent', 'Confirmed')), 0)
		+ COALESCE((SELECT SUM(amount) FROM withdrawal
			WHERE second_at > 0 AND second_at >= $1 AND state || '' IN ('Approved', 'Sent', 'Confirmed')), 0) AS BIGINT)`, engine.Micros(since))
	return money.Micro(n), err
}

func (withdrawalStore) Add(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal) error {
	err := evidence.InsertRow(ctx, engine.GroupOf(tx), withdrawalSigned,
		w.ID, w.UID, w.Wallet, w.Type, w.Amount.Micros(), w.Charge.Micros(), w.Net.Micros(), w.Address, string(w.State), engine.BoolInt(w.NeedsTwo),
		w.First.Operator, w.First.Name, engine.Micros(w.First.At), w.Second.Operator, w.Second.Name, engine.Micros(w.Second.At), w.Remark, w.DecidedName, engine.Micros(w.DecidedAt), w.Batch, w.Hash,
		engine.Micros(w.RequestedAt), engine.Micros(w.ReadyAt), engine.Micros(w.SentAt), engine.Micros(w.ConfirmedAt))
	for i, p := range w.Parts {
		if err != nil {
			return err
		}
		err = evidence.InsertRow(ctx, engine.GroupOf(tx), partSigned, w.ID, int64(i+1), p.Account.String(), p.Amount.Micros(), p.Hold)
	}
	return err
}

func (s withdrawalStore) Get(ctx context.Context, tx *ledger.Tx, id int64) (withdrawal.Withdrawal, bool, error) {
	w, found, err := engine.First(ctx, s.db.From(tx), scanWithdrawal, "SELECT "+withdrawalColumns+" FROM withdrawal WHERE id = $1", id)
	if err != nil || !found {
		return w, found, err
	}
	w.Parts, err = engine.List(ctx, s.db.From(tx), func(r *sql.Rows) (withdrawal.Part, error) { return scanPart(r) }, "SELECT account, amount, hold FROM withdrawal_part WHERE withdrawal = $1 ORDER BY n", id)
	return w, true, err
}

// scanPart scans a part; before are the columns before it.
func scanPart(r *sql.Rows, before ...any) (p withdrawal.Part, err error) {
	var code string
	var amount int64
	if err = r.Scan(append(before, &code, &amount, &p.Hold)...); err != nil {
		return p, err
	}
	p.Amount = money.Micro(amount)
	p.Account, err = ledger.ParseAccount(code)
	return p, err
}

func (withdrawalStore) Save(ctx context.Context, tx *ledger.Tx, w withdrawal.Withdrawal, from withdrawal.State) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), withdrawalSigned, []any{w.ID}, `UPDATE withdrawal SET state = $1, needs_two = $2, first_by = $3, first_name = $4, first_at = $5,
		second_by = $6, second_name = $7, second_at = $8, remark = $9, decided_name = $10, decided_at = $11, batch = $12, hash = $13,
		ready_at = $14, sent_at = $15, confirmed_at = $16 WHERE id = $17 AND state = $18`,
		string(w.State), engine.BoolInt(w.NeedsTwo), w.First.Operator, w.First.Name, engine.Micros(w.First.At),
		w.Second.Operator, w.Second.Name, engine.Micros(w.Second.At), w.Remark, w.DecidedName, engine.Micros(w.DecidedAt), w.Batch, w.Hash,
		engine.Micros(w.ReadyAt), engine.Micros(w.SentAt), engine.Micros(w.ConfirmedAt), w.ID, string(from))
}

func (withdrawalStore) Verify(ctx context.Context, tx *ledger.Tx, id int64) error {
	return evidence.VerifierIn(engine.GroupOf(tx)).Row(ctx, withdrawalSigned, id)
}

// Promise finds what released a hold among the entries of its account.
func (s withdrawalStore) Promise(ctx context.Context, tx *ledger.Tx, hold int64) (withdrawal.Promise, bool, error) {
	scan := func(r *sql.Rows) (p withdrawal.Promise, err error) {
		var released int64
		err = r.Scan(&p.Reference, &p.Reason, &released)
		p.Released = released > 0
		return p, err
	}
	return engine.First(ctx, s.db.From(tx), scan, `SELECT t.reference, t.reason, (SELECT COUNT(*) FROM entry e WHERE e.account = h.account AND e.hold = h.id AND e.held_delta < 0)
		FROM hold h JOIN transfer t ON t.seq = h.placed WHERE h.id = $1`, hold)
}

func (s withdrawalStore) Paid(ctx context.Context, f withdrawal.Filter) (money.Amount, error) {
	f.State = withdrawal.Confirmed
	w := withdrawalConditions(f)
	n, err := engine.Value(ctx, s.db.Committed(), engine.ScanCount, "SELECT COALESCE(CAST(SUM(net) AS BIGINT), 0) FROM withdrawal"+w.Text(), w.Args...)
	return money.Micro(n), err
}

func (s withdrawalStore) Parts(ctx context.Context, uid, first, last int64) (map[int64][]withdrawal.Part, error) {
	type part struct {
		id int64
		withdrawal.Part
	}
	all, err := engine.List(ctx, s.db.Committed(), func(r *sql.Rows) (p part, err error) {
		p.Part, err = scanPart(r, &p.id)
		return p, err
	}, `SELECT p.withdrawal, p.account, p.amount, p.hold FROM withdrawal w JOIN withdrawal_part p ON p.withdrawal = w.id
		WHERE w.uid = $1 AND w.id >= $2 AND w.id <= $3 ORDER BY p.withdrawal, p.n`, uid, first, last)
	out := map[int64][]withdrawal.Part{}
	for _, p := range all {
		out[p.id] = append(out[p.id], p.Part)
	}
	return out, err
}

func withdrawalConditions(f withdrawal.Filter) engine.Conditions {
	var w engine.Conditions
	if f.UID != 0 {
		w.Add("uid =", f.UID)
	}
	if f.State != "" {
		w.Add(engine.Unindexed(f.UID, "state")+" =", string(f.State))
	}
	w.During("requested_at", f.From, f.Before)
	if f.Upto != 0 {
		w.Add("id <=", f.Upto)
	}
	return w
}

func (s withdrawalStore) List(ctx context.Context, f withdrawal.Filter) ([]withdrawal.Withdrawal, int64, money.Amount, error) {
	w := withdrawalConditions(f)
	t, err := s.total(ctx, f, w)
	if err != nil || f.Offset >= t.Count {
		return nil, t.Count, money.Micro(t.Sum), err
	}
	if !f.ByAmount {
		all, err := engine.Paged(ctx, s.db.Committed(), scanWithdrawal, withdrawalColumns, "withdrawal", w, !f.Ascending, t.Count, f.Limit, f.Offset)
		return all, t.Count, money.Micro(t.Sum), err
	}
	order := " ORDER BY amount DESC, id DESC"
	if f.Ascending {
		order = " ORDER BY amount, id"
	}
	page, args := w.Page(f.Limit, f.Offset)
	all, err := engine.List(ctx, s.db.Committed(), scanWithdrawal, "SELECT "+withdrawalColumns+" FROM withdrawal"+w.Text()+order+page, args...)
	return all, t.Count, money.Micro(t.Sum), err
}

// total is kept unless it is of one member or of some time.
func (s withdrawalStore) total(ctx context.Context, f withdrawal.Filter, w engine.Conditions) (engine.Total, error) {
	if f.UID == 0 && f.From.IsZero() && f.Before.IsZero() && f.Upto == 0 {
		return s.db.ListSum(ctx, engine.ListKey{List: "withdrawal", State: string(f.State)})
	}
	return engine.Value(ctx, s.db.Committed(), engine.ScanTotal, "SELECT COUNT(*), COALESCE(CAST(SUM(amount) AS BIGINT), 0) FROM withdrawal"+w.Text(), w.Args...)
}

// Uses leaves out who only named a hash: else anybody could keep a payout from being
// noted.
func (s withdrawalStore) Uses(ctx context.Context, tx *ledger.Tx, hashes []string) (map[string]withdrawal.Use, error) {
	type use struct {
		hash string
		withdrawal.Use
	}
	scan := func(r *sql.Rows) (u use, err error) {
		err = r.Scan(&u.hash, &u.Deposit, &u.Withdrawal)
		return u, err
	}
	out := map[string]withdrawal.Use{}
	err := engine.InChunks(hashes, func(part []string) error {
		args := make([]any, len(part))
		for i, h := range part {
			args[i] = h
		}
		among := " IN " + engine.Placeholders(1, len(part))
		found, err := engine.List(ctx, s.db.From(tx), scan, `SELECT number, id, 0 FROM fund_request WHERE state || '' = 'Approved' AND number`+among+`
			UNION ALL SELECT reference, -1, 0 FROM transfer WHERE kind = 'deposit' AND reference`+among+`
			UNION ALL SELECT hash, 0, withdrawal FROM payout_tx WHERE hash`+among+`
			UNION ALL SELECT hash, 0, id FROM withdrawal WHERE hash <> '' AND hash`+among, args...)
		for _, u := range found {
			had := out[u.hash]
			if had.Deposit <= 0 && u.Deposit != 0 {
				had.Deposit = u.Deposit
			}
			had.Withdrawal = max(had.Withdrawal, u.Withdrawal)
			out[u.hash] = had
		}
		return err
	})
	return out, err
}

func (s withdrawalStore) Payable(ctx context.Context, tx *ledger.Tx, t time.Time, limit int64) ([]withdrawal.Withdrawal, error) {
	return engine.List(ctx, s.db.From(tx), scanWithdrawal, "SELECT "+withdrawalColumns+` FROM withdrawal
		WHERE state = 'Approved' AND batch = 0 AND ready_at <= $1 ORDER BY id LIMIT $2`, engine.Micros(t), limit)
}

func (withdrawalStore) Code(ctx context.Context, tx *ledger.Tx, uid int64) (withdrawal.Code, bool, error) {
	scan := func(r *sql.Rows) (c withdrawal.Code, err error) {
		var bound, amount, mailed, expires, locked, used int64
		err = r.Scan(&c.UID, &c.Hash, &bound, &c.Order.Wallet, &c.Order.Type, &amount, &c.Order.Address, &mailed, &expires, &c.Tries, &locked, &used)
		c.Bound, c.Order.Amount = bound == 1, money.Micro(amount)
		c.Mailed, c.Expires, c.Locked, c.Used = engine.Instant(mailed), engine.Instant(expires), engine.Instant(locked), engine.Instant(used)
		return c, err
	}
	return engine.First(ctx, engine.GroupOf(tx), scan, "SELECT "+people.WithdrawalCodeColumns+" FROM withdrawal_code WHERE uid = $1", uid)
}

func (withdrawalStore) PutCode(ctx context.Context, tx *ledger.Tx, c withdrawal.Code) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), people.WithdrawalCodeSigned, []any{c.UID}, `INSERT INTO withdrawal_code (`+people.WithdrawalCodeColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		ON CONFLICT (uid) DO UPDATE SET hash = excluded.hash, bound = excluded.bound, wallet = excluded.wallet, type = excluded.type,
		amount = excluded.amount, address = excluded.address, mailed_at = excluded.mailed_at, expires_at = excluded.expires_at,
		tries = excluded.tries, locked_at = excluded.locked_at, used_at = excluded.used_at`,
		c.UID, c.Hash, engine.BoolInt(c.Bound), c.Order.Wallet, c.Order.Type, c.Order.Amount.Micros(), c.Order.Address,
		engine.Micros(c.Mailed), engine.Micros(c.Expires), c.Tries, engine.Micros(c.Locked), engine.Micros(c.Used))
}

func (s withdrawalStore) ApprovedSince(ctx context.Context, tx *ledger.Tx, uids []int64, since time.Time) (map[int64]money.Amount, error) {
	return approvedOf(ctx, s.db.From(tx), `SELECT uid, CAST(SUM(amount) AS BIGINT) FROM withdrawal
		WHERE state || '' IN ('Approved', 'Sent', 'Confirmed') AND (first_at > $1 OR second_at > $1) AND uid IN `, uids, since)
}

// approvedOf sums amounts by member; the query ends where the members are to be
// listed. They are few: those of one page. State is hidden as ofOne does it.
func approvedOf(ctx context.Context, q engine.Querier, query string, uids []int64, since time.Time) (map[int64]money.Amount, error) {
	out := map[int64]money.Amount{}
	if len(uids) == 0 {
		return out, nil
	}
	args := []any{engine.Micros(since)}
	for _, uid := range uids {
		args = append(args, uid)
	}
	sums, err := engine.List(ctx, q, engine.ScanTotal, query+engine.Placeholders(2, len(uids))+" GROUP BY uid", args...)
	for _, x := range sums {
		out[x.Count] = money.Micro(x.Sum)
	}
	return out, err
}
