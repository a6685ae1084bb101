package core

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// trailStore keeps the audit log.
type trailStore struct{ db *engine.DB }

var (
	actSigned   = evidence.NewSignedTable("operator_act", "id, kind, subject, amount, reference, operator, name, at", evidence.SignedOptions{})
	trailSigned = evidence.NewSignedTable("trail", "no, hash", evidence.SignedOptions{}) // the hash is of the entry and of those before it
)

func AuditLog(db *engine.DB) auditlog.Store { return trailStore{db} }

const trailColumns = "no, operator, name, act, member, subject, was, became, reason, shown, at, hash"

func scanTrail(r *sql.Rows) (e auditlog.Entry, err error) {
	var shown, at int64
	var hash []byte
	err = r.Scan(&e.No, &e.Operator, &e.Name, &e.Act, &e.Member, &e.Subject, &e.Was, &e.Became, &e.Reason, &shown, &at, &hash)
	e.Shown, e.At = shown != 0, engine.Instant(at)
	if err == nil && copy(e.Hash[:], hash) != len(e.Hash) {
		err = fmt.Errorf("trail: the hash of entry %d has %d bytes", e.No, len(hash))
	}
	return e, err
}

func (s trailStore) Last(ctx context.Context, tx *ledger.Tx) (int64, auditlog.Hash, error) {
	e, _, err := engine.First(ctx, s.db.From(tx), scanTrail, "SELECT "+trailColumns+" FROM trail ORDER BY no DESC LIMIT 1")
	return e.No, e.Hash, err
}

func (trailStore) Add(ctx context.Context, tx *ledger.Tx, e auditlog.Entry) error {
	evidence.SignRow(engine.GroupOf(tx), trailSigned, e.No, e.Hash[:])
	return engine.ExecOne(ctx, engine.GroupOf(tx), "entry of the record", "INSERT INTO trail ("+trailColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		e.No, e.Operator, e.Name, e.Act, e.Member, e.Subject, e.Was, e.Became, e.Reason, engine.BoolInt(e.Shown), engine.Micros(e.At), e.Hash[:])
}

// List has one statement for each set of filters, so that each is prepared once and uses
// its index.
func (s trailStore) List(ctx context.Context, f auditlog.Filter) ([]auditlog.Entry, error) {
	if f.Before == 0 {
		f.Before = math.MaxInt64
	}
	where, args := []string{"no < $1"}, []any{f.Before}
	and := func(condition string, value any) {
		args = append(args, value)
		where = append(where, fmt.Sprintf("%s $%d", condition, len(args)))
	}
	if f.Operator != 0 && f.Member != 0 {
		and("operator + 0 =", f.Operator) // see ofOne
	} else if f.Operator != 0 {
		and("operator =", f.Operator)
	}
	if f.Act != "" {
		and(engine.Unindexed(f.Member, "act")+" =", f.Act)
	}
	if f.Member != 0 {
		where = append(where, "member > 0")
		and("member =", f.Member)
	}
	if f.Shown {
		where = append(where, "shown = 1")
	}
	if !f.From.IsZero() {
		and("at >=", engine.Micros(f.From))
	}
	if !f.To.IsZero() {
		and("at <", engine.Micros(f.To))
	}
	args = append(args, int64(f.Limit))
	return engine.List(ctx, s.db.Committed(), scanTrail, fmt.Sprintf("SELECT %s FROM trail WHERE %s ORDER BY no DESC LIMIT $%d", trailColumns, strings.Join(where, " AND "), len(args)), args...)
}

func (s trailStore) Each(ctx context.Context, yield func(auditlog.Entry) error) (err error) {
	found, err := s.db.Rows.Query(ctx, "SELECT "+trailColumns+" FROM trail ORDER BY no")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		e, err := scanTrail(found)
		if err == nil {
			err = yield(e)
		}
		if err != nil {
			return err
		}
	}
	return found.Err()
}

func (s trailStore) Seals(ctx context.Context, actor string, yield func([]byte) error) (err error) {
	found, err := s.db.Rows.Query(ctx, "SELECT response FROM command WHERE actor = $1", actor)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		var answer []byte
		err := found.Scan(&answer)
		if err == nil {
			err = yield(answer)
		}
		if err != nil {
			return err
		}
	}
	return found.Err()
}

func (trailStore) AddAct(ctx context.Context, tx *ledger.Tx, a auditlog.Act) error {
	return evidence.InsertRow(ctx, engine.GroupOf(tx), actSigned, a.ID, a.Kind, a.Subject, a.Amount.Micros(), a.Reference, a.Operator, a.Name, engine.Micros(a.At))
}

func (trailStore) LastAct(ctx context.Context, tx *ledger.Tx, kind, subject string) (auditlog.Act, bool, error) {
	scan := func(r *sql.Rows) (a auditlog.Act, err error) {
		err = r.Scan(&a.ID, &a.Operator, &a.Name)
		a.Kind, a.Subject = kind, subject
		return a, err
	}
	a, found, err := engine.First(ctx, engine.GroupOf(tx), scan, "SELECT id, operator, name FROM operator_act WHERE subject = $1 AND kind = $2 ORDER BY at DESC LIMIT 1", subject, kind)
	if err != nil || !found {
		return a, found, err
	}
	return a, true, evidence.VerifierIn(engine.GroupOf(tx)).Row(ctx, actSigned, a.ID)
}
