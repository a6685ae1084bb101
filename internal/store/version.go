package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Versions of the plan, and who wanted them.

// holding are the versions that hold from their day on.
const holding = "FROM plan_version WHERE cancelled_at = 0"

func (s closingStore) Plan(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]byte, bool, error) {
	body, found, err := first(ctx, s.db.from(tx), scanText, "SELECT body "+holding+" AND first_day <= $1 ORDER BY first_day DESC, no DESC LIMIT 1", int64(day))
	return []byte(body), found, err
}

func (closingStore) AddPlan(ctx context.Context, tx *ledger.Tx, version string, day plan.Day, body []byte, at time.Time) error {
	_, err := groupOf(tx).changeOne(ctx, planWitness, []any{version}, `INSERT INTO plan_version (no, version, first_day, body, created_at)
		SELECT COALESCE(MAX(no), 0) + 1, CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS BIGINT) FROM plan_version`, version, int64(day), string(body), micros(at))
	return err
}

func (s closingStore) Versions(ctx context.Context, tx *ledger.Tx) ([]closing.Version, error) {
	all, err := readVersions(ctx, s.db.from(tx))
	if err == nil && tx != nil {
		err = newLooker(groupOf(tx)).each(ctx, planWitness, len(all), func(i int) any { return all[i].Name })
	}
	return all, err
}

func readVersions(ctx context.Context, q querier) ([]closing.Version, error) {
	scan := func(r *sql.Rows) (v closing.Version, err error) {
		var body string
		err = r.Scan(&v.Name, &v.First, &body)
		v.Body = []byte(body)
		return v, err
	}
	return list(ctx, q, scan, "SELECT version, first_day, body "+holding+" ORDER BY first_day, no")
}

func (closingStore) CancelPlan(ctx context.Context, tx *ledger.Tx, version string, at time.Time) error {
	n, err := groupOf(tx).changeOne(ctx, planWitness, []any{version}, "UPDATE plan_version SET cancelled_at = $1 WHERE version = $2 AND cancelled_at = 0", micros(at), version)
	if err != nil {
		return err
	}
	return mustHit(n, "plan "+version)
}

const planProposalColumns = `version, first_day, body, proposed_by, proposed_name, proposed_at, approved_by, approved_name, approved_at,
	cancelled_by, cancelled_name, cancelled_at, alone, reason`

func scanPlanProposal(r *sql.Rows) (p closing.PlanProposal, err error) {
	var body string
	var at, approved, cancelled int64
	err = r.Scan(&p.Name, &p.First, &body, &p.By, &p.ByName, &at, &p.Approved, &p.ApprovedName, &approved,
		&p.Cancelled, &p.CancelledName, &cancelled, &p.Alone, &p.Reason)
	p.Body, p.At, p.ApprovedAt, p.CancelledAt = []byte(body), instant(at), instant(approved), instant(cancelled)
	return p, err
}

func (s closingStore) PlanProposals(ctx context.Context, tx *ledger.Tx) ([]closing.PlanProposal, error) {
	return list(ctx, s.db.from(tx), scanPlanProposal, "SELECT "+planProposalColumns+" FROM plan_proposal ORDER BY proposed_at DESC, version")
}

func (s closingStore) PlanProposal(ctx context.Context, tx *ledger.Tx, version string) (closing.PlanProposal, bool, error) {
	return first(ctx, s.db.from(tx), scanPlanProposal, "SELECT "+planProposalColumns+" FROM plan_proposal WHERE version = $1", version)
}

// SetPlanProposal never changes what was proposed, only what became of it.
func (closingStore) SetPlanProposal(ctx context.Context, tx *ledger.Tx, p closing.PlanProposal) error {
	_, err := groupOf(tx).changeOne(ctx, planProposalWitness, []any{p.Name}, "INSERT INTO plan_proposal ("+planProposalColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
		ON CONFLICT (version) DO UPDATE SET approved_by = excluded.approved_by, approved_name = excluded.approved_name, approved_at = excluded.approved_at,
		cancelled_by = excluded.cancelled_by, cancelled_name = excluded.cancelled_name, cancelled_at = excluded.cancelled_at, alone = excluded.alone`,
		p.Name, int64(p.First), string(p.Body), p.By, p.ByName, micros(p.At), p.Approved, p.ApprovedName, micros(p.ApprovedAt),
		p.Cancelled, p.CancelledName, micros(p.CancelledAt), string(p.Alone), p.Reason)
	return err
}
