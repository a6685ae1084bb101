// Package core has the stores of the ledger's verifier, the audit log and the tree.
package core

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
)

// treeStore keeps the tree in the tables place and place_change.
type treeStore struct{ db *engine.DB }

func Tree(db *engine.DB) tree.Store { return treeStore{db} }

const placeColumns = "no, uid, sponsor, parent, side, joined_at, active, robot, forex, crypto"

func scanPlace(r *sql.Rows) (p tree.Place, err error) {
	var joined, active int64
	var own [3]int64
	err = r.Scan(&p.No, &p.UID, &p.Sponsor, &p.Parent, &p.Side, &joined, &active, &own[0], &own[1], &own[2])
	p.Joined, p.Active = time.UnixMicro(joined).UTC(), active == 1
	for i := range own {
		p.Business[i] = money.Micro(own[i])
	}
	return p, err
}

func scanChange(r *sql.Rows) (c tree.Change, err error) {
	var active int64
	var add [3]int64
	err = r.Scan(&c.Seq, &c.No, &active, &add[0], &add[1], &add[2])
	c.Active = active == 1
	for i := range add {
		c.Add[i] = money.Micro(add[i])
	}
	return c, err
}

const changeColumns = "seq, no, active, robot, forex, crypto"

func (s treeStore) Since(ctx context.Context, no tree.No, seq int64, limit int) (places []tree.Place, changes []tree.Change, err error) {
	err = s.db.Snapshot(ctx, func(q engine.Querier) (err error) {
		if places, err = engine.List(ctx, q, scanPlace, "SELECT "+placeColumns+" FROM place WHERE no > $1 ORDER BY no LIMIT $2", int64(no), limit); err != nil {
			return err
		}
		changes, err = engine.List(ctx, q, scanChange, "SELECT "+changeColumns+" FROM place_change WHERE seq > $1 ORDER BY seq LIMIT $2", seq, limit)
		return err
	})
	for i := range places { // the caller applies their business as changes
		places[i].Active, places[i].Business = false, tree.Business{}
	}
	return places, changes, err
}

func (s treeStore) All(ctx context.Context, place func(tree.Stored) error, change func(tree.Change) error) error {
	scan := func(r *sql.Rows) (p tree.Stored, err error) {
		var joined, active int64
		var own [3]int64
		err = r.Scan(&p.No, &p.UID, &p.Sponsor, &p.Parent, &p.Side, &joined, &active, &own[0], &own[1], &own[2],
			&p.LeftTop, &p.RightTop, &p.LeftTail, &p.RightTail)
		p.Joined, p.Active = time.UnixMicro(joined).UTC(), active == 1
		for i := range own {
			p.Business[i] = money.Micro(own[i])
		}
		return p, err
	}
	return s.db.Snapshot(ctx, func(q engine.Querier) error {
		if err := engine.Each(ctx, q, scan, place, "SELECT "+placeColumns+", left_top, right_top, left_tail, right_tail FROM place ORDER BY no"); err != nil {
			return err
		}
		return engine.Each(ctx, q, scanChange, change, "SELECT "+changeColumns+" FROM place_change ORDER BY seq")
	})
}

// Seat reads the sponsor, the top of its outer line and the line's tail by key:
// three rows, however deep the line is.
func (s treeStore) Seat(ctx context.Context, tx *ledger.Tx, sponsor int64, side tree.Side) (tree.Seat, bool, error) {
	top, tail := "left_top", "left_tail"
	if side == tree.Right {
		top, tail = "right_top", "right_tail"
	}
	scan := func(r *sql.Rows) (v tree.Seat, err error) {
		err = r.Scan(&v.Sponsor, &v.Parent, &v.LeftTop, &v.RightTop)
		return v, err
	}
	return engine.First(ctx, engine.GroupOf(tx), scan, `SELECT s.no, p.no, p.left_top, p.right_top FROM place s
		JOIN place t ON t.no = s.`+top+` JOIN place p ON p.no = t.`+tail+`
		WHERE s.uid = $1 AND (s.parent > 0 OR s.sponsor = 0)`, sponsor)
}

func (s treeStore) Last(ctx context.Context, tx *ledger.Tx) (tree.No, time.Time, error) {
	p, _, err := engine.First(ctx, engine.GroupOf(tx), scanPlace, "SELECT "+placeColumns+" FROM place ORDER BY no DESC LIMIT 1")
	return p.No, p.Joined, err
}

func (s treeStore) Add(ctx context.Context, tx *ledger.Tx, p tree.Place, seat tree.Seat) error {
	g := engine.GroupOf(tx)
	no := int64(p.No)
	leftTop, rightTop := no, no
	tail, top := "", tree.No(0)
	switch p.Side {
	case tree.Left:
		leftTop, tail, top = int64(seat.LeftTop), "left_tail", seat.LeftTop
	case tree.Right:
		rightTop, tail, top = int64(seat.RightTop), "right_tail", seat.RightTop
	case tree.NoSide:
	}
	if _, err := g.Exec(ctx, `INSERT INTO place (no, uid, sponsor, parent, side, left_top, right_top, left_tail, right_tail, joined_at, active, robot, forex, crypto)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $1, $1, $8, 0, 0, 0, 0)`,
		no, p.UID, int64(p.Sponsor), int64(p.Parent), int64(p.Side), leftTop, rightTop, p.Joined.UnixMicro()); err != nil {
		return err
	}
	if tail == "" {
		return nil
	}
	return engine.ExecOne(ctx, g, "tail of an outer line", "UPDATE place SET "+tail+" = $1 WHERE no = $2 AND "+tail+" = $3", no, int64(top), int64(p.Parent))
}

func (s treeStore) Standing(ctx context.Context, tx *ledger.Tx, uid int64) (tree.Place, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanPlace, "SELECT "+placeColumns+" FROM place WHERE uid = $1", uid)
}

func (s treeStore) Change(ctx context.Context, tx *ledger.Tx, now tree.Place, c tree.Change, at time.Time) (tree.Change, error) {
	g := engine.GroupOf(tx)
	last, _, err := engine.First(ctx, g, engine.ScanID, "SELECT COALESCE(MAX(seq), 0) FROM place_change")
	if err != nil {
		return c, err
	}
	c.Seq = last + 1
	if _, err := g.Exec(ctx, "INSERT INTO place_change (seq, no, active, robot, forex, crypto, recorded_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		c.Seq, int64(c.No), engine.BoolInt(c.Active), c.Add[tree.Robot].Micros(), c.Add[tree.Forex].Micros(), c.Add[tree.Crypto].Micros(), at.UnixMicro()); err != nil {
		return c, err
	}
	b := &now.Business
	n, err := g.Exec(ctx, "UPDATE place SET active = $1, robot = $2, forex = $3, crypto = $4 WHERE no = $5",
		engine.BoolInt(now.Active), b[tree.Robot].Micros(), b[tree.Forex].Micros(), b[tree.Crypto].Micros(), int64(now.No))
	if err != nil {
		return c, err
	}
	return c, engine.ExpectOne(n, "standing of a member")
}
