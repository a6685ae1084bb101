package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/fund"
	"github.com/bifolia/bifolia/internal/ledger"
	"github.com/bifolia/bifolia/internal/money"
)

const heldColumns = "uid, fund, giver, amount, until_at"

func scanHeld(r *sql.Rows) (h fund.Held, err error) {
	var amount, until int64
	err = r.Scan(&h.UID, &h.Fund, &h.Giver, &amount, &until)
	h.Amount, h.Until = money.Micro(amount), instant(until)
	return h, err
}

func heldValues(h fund.Held) []any {
	return []any{h.UID, string(h.Fund), h.Giver, h.Amount.Micros(), micros(h.Until)}
}

// Held is kept, also where nothing is: money calls ask it of every giver.
func (s fundStore) Held(ctx context.Context, rows ledger.Rows, uid int64) ([]fund.Held, error) {
	q := s.db.within(rows)
	all, _, err := keptFirst(&s.db.kept.held, uid, func() ([]fund.Held, bool, error) {
		all, err := list(ctx, q, scanHeld, "SELECT "+heldColumns+" FROM fund_held WHERE uid = $1", uid)
		return all, true, err
	})
	if err != nil || rows == nil {
		return all, err
	}
	for _, h := range all {
		if err := newLooker(in(rows)).values(ctx, heldWitness, heldValues(h)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// lookHeld keeps, for a group's commands, what Held will ask for.
func (g *groupTx) lookHeld(ctx context.Context, uids []int64) error {
	k := &g.db.kept.held
	mark := k.mark()
	_, uids = k.many(uids)
	for len(uids) > 0 {
		some := uids[:min(len(uids), maxLooks)]
		uids = uids[len(some):]
		args := make([]any, listSize(len(some)))
		for i := range args {
			args[i] = some[min(i, len(some)-1)]
		}
		all, err := list(ctx, g, scanHeld, "SELECT "+heldColumns+" FROM fund_held WHERE uid IN "+placeholders(1, len(args)), args...)
		if err != nil {
			return err
		}
		of := map[int64][]fund.Held{}
		for _, h := range all {
			of[h.UID] = append(of[h.UID], h)
		}
		for _, uid := range some {
			k.put(uid, of[uid], mark)
		}
	}
	return nil
}

func (fundStore) HeldOf(ctx context.Context, rows ledger.Rows, giver int64, t time.Time) ([]fund.Held, error) {
	return list(ctx, in(rows), scanHeld, "SELECT "+heldColumns+" FROM fund_held WHERE giver = $1 AND until_at > $2", giver, micros(t))
}

func (fundStore) PutHeld(ctx context.Context, rows ledger.Rows, h fund.Held) error {
	g, vals := in(rows), heldValues(h)
	if err := newLooker(g).there(ctx, heldWitness, h.UID, string(h.Fund), h.Giver); err != nil {
		return err
	}
	n, err := g.Exec(ctx, "INSERT INTO fund_held ("+heldColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (uid, fund, giver) DO UPDATE SET amount = excluded.amount, until_at = excluded.until_at`, vals...)
	if err != nil {
		return err
	}
	g.witness(heldWitness, vals...)
	return mustHit(n, "held money")
}

// Given reads the newest entries of a member's funds; of one with more moves than
// that in the window, the older ones are not seen.
func (fundStore) Given(ctx context.Context, rows ledger.Rows, uid, after int64, since time.Time, limit int) ([]fund.Gift, error) {
	scan := func(r *sql.Rows) (x fund.Gift, err error) {
		var code string
		var amount int64
		err = r.Scan(&x.Seq, &x.From, &x.To, &code, &amount)
		x.Fund, x.Amount = fund.KindOf(code), money.Micro(amount)
		return x, err
	}
	return list(ctx, in(rows), scan, `SELECT e.seq, e.owner, o.owner, a.code, -e.delta FROM account a
		JOIN entry e ON e.account = a.id AND e.version > a.version - $4 AND e.delta < 0 AND e.seq > $2
		JOIN transfer t ON t.seq = e.seq AND t.kind = 'transfer' AND t.recorded_at > $3
		JOIN entry o ON o.seq = e.seq AND o.kind = 'L:FUND' AND o.account <> e.account
		WHERE a.owner = $1 AND a.kind = 'L:FUND' ORDER BY e.seq LIMIT $4`, uid, after, micros(since), limit)
}
