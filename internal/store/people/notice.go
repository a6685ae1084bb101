package people

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/notice"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
)

type noticeStore struct{ db *engine.DB }

func Notice(db *engine.DB) notice.Store { return noticeStore{db} }

// lateEntries is how many of the newest entries of a fund are read. Members find older ones
// in the list of transfers.
const lateEntries = "100"

// Each reads the newest by an index that begins with the member, so that none
// costs more the longer its history is. $1 is the member, $2 how many.
var lately = []string{
	latelyDecided("'bank'", "'BANK'"),
	latelyDecided("'usdt'", "'USDT (BEP-20)'"),
	`SELECT 'withdrawal', CAST(id AS TEXT), state, wallet, 0, net, remark,
		CASE state WHEN 'Sent' THEN sent_at WHEN 'Confirmed' THEN confirmed_at WHEN 'Rejected' THEN decided_at ELSE CASE WHEN second_at > 0 THEN second_at ELSE first_at END END
		FROM withdrawal WHERE uid = $1 AND state IN ('Approved', 'Sent', 'Confirmed', 'Rejected') ORDER BY requested_at DESC, id DESC LIMIT $2`,
	`SELECT 'answer', CAST(id AS TEXT), '', '', 0, 0, '', answered_at FROM support_ticket WHERE uid = $1 AND answered_at > 0 ORDER BY id DESC LIMIT $2`,
	`SELECT 'claim', id, CASE WHEN recalled >= net THEN 'Ready' ELSE state END, line, 0, net, '', COALESCE((SELECT committed_at FROM close_day d WHERE d.day = claim.day), 0)
		FROM claim WHERE no = (SELECT no FROM place WHERE uid = $1) AND state = 'Pending' ORDER BY day DESC, id DESC LIMIT $2`,
	`SELECT 'received', CAST(e.seq AS TEXT), '', a.code, (SELECT MAX(o.owner) FROM entry o WHERE o.seq = e.seq AND o.delta < 0), e.delta, '', t.effective_at
		FROM account a JOIN entry e ON e.account = a.id JOIN transfer t ON t.seq = e.seq
		WHERE a.owner = $1 AND a.kind = 'L:FUND' AND e.version > a.version - ` + lateEntries + ` AND e.delta > 0 AND t.kind = 'transfer' ORDER BY e.seq DESC LIMIT $2`,
}

func latelyDecided(kind, way string) string {
	return `SELECT ` + kind + `, CAST(id AS TEXT), state, fund, 0, amount, remark, decided_at FROM fund_request WHERE uid = $1 AND way = ` + way + ` AND state <> 'Pending' ORDER BY id DESC LIMIT $2`
}

func scanNotice(r *sql.Rows) (n notice.Notice, err error) {
	var amount, at int64
	err = r.Scan(&n.Kind, &n.ID, &n.State, &n.Name, &n.From, &amount, &n.Remark, &at)
	n.Amount, n.At = money.Micro(amount), engine.Instant(at)
	if rest, is := strings.CutPrefix(n.Name, fundAccount); is {
		n.Name, _, _ = strings.Cut(rest, ":")
	}
	return n, err
}

func (s noticeStore) Lately(ctx context.Context, uid int64, limit int) ([]notice.Notice, error) {
	var all []notice.Notice
	for _, query := range lately {
		found, err := engine.List(ctx, s.db.Committed(), scanNotice, query, uid, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func (s noticeStore) Seen(ctx context.Context, uid int64) (time.Time, error) {
	at, _, err := engine.First(ctx, s.db.Committed(), engine.ScanCount, `SELECT seen_at FROM notice_seen WHERE uid = $1`, uid)
	return engine.Instant(at), err
}

func (noticeStore) SetSeen(ctx context.Context, tx *ledger.Tx, uid int64, at time.Time) error {
	_, err := engine.GroupOf(tx).Exec(ctx, `INSERT INTO notice_seen (uid, seen_at) VALUES ($1, $2)
		ON CONFLICT (uid) DO UPDATE SET seen_at = CASE WHEN notice_seen.seen_at > excluded.seen_at THEN notice_seen.seen_at ELSE excluded.seen_at END`, uid, engine.Micros(at))
	return err
}

// fundAccount is what the code of a fund's account begins with.
const fundAccount = "L:FUND:"
