package trade

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Versions of the plan, and who wanted them.

// Holding are the versions that hold from their day on.
const Holding = "FROM plan_version WHERE cancelled_at = 0"

var (
	planSigned         = evidence.NewSignedTable("plan_version", "version, no, first_day, body, created_at, cancelled_at", evidence.SignedOptions{Checked: true, Remembered: true})
	planProposalSigned = evidence.NewSignedTable("plan_proposal", planProposalColumns, evidence.SignedOptions{Checked: true, Remembered: true})
)

func (s closingStore) Plan(ctx context.Context, tx *ledger.Tx, day plan.Day) ([]byte, bool, error) {
	body, found, err := engine.First(ctx, s.db.From(tx), engine.ScanText, "SELECT body "+Holding+" AND first_day <= $1 ORDER BY first_day DESC, no DESC LIMIT 1", int64(day))
	return []byte(body), found, err
}

func (closingStore) AddPlan(ctx context.Context, tx *ledger.Tx, version string, day plan.Day, body []byte, at time.Time) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), planSigned, []any{version}, `INSERT INTO plan_version (no, version, first_day, body, created_at)
		SELECT COALESCE(MAX(no), 0) + 1, CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS BIGINT) FROM plan_version`, version, int64(day), string(body), engine.Micros(at))
}

func (s closingStore) Versions(ctx context.Context, tx *ledger.Tx) ([]closing.Version, error) {
	all, err := readVersions(ctx, s.db.From(tx))
	if err == nil && tx != nil {
		err = evidence.VerifierIn(engine.GroupOf(tx)).Rows(ctx, planSigned, evidence.KeysOf(all, func(v closing.Version) any { return v.Name }))
	}
	return all, err
}

func readVersions(ctx context.Context, q engine.Querier) ([]closing.Version, error) {
	scan := func(r *sql.Rows) (v closing.Version, err error) {
		var body string
		err = r.Scan(&v.Name, &v.First, &body)
		v.Body = []byte(body)
		return v, err
	}
	return engine.List(ctx, q, scan, "SELECT version, first_day, body "+Holding+" ORDER BY first_day, no")
}

func (closingStore) CancelPlan(ctx context.Context, tx *ledger.Tx, version string, at time.Time) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), planSigned, []any{version}, "UPDATE plan_version SET cancelled_at = $1 WHERE version = $2 AND cancelled_at = 0", engine.Micros(at), version)
}

const planProposalColumns = `version, first_day, body, proposed_by, proposed_name, proposed_at, approved_by, approved_name, approved_at,
	cancelled_by, cancelled_name, cancelled_at, alone, reason`

func scanPlanProposal(r *sql.Rows) (p closing.PlanProposal, err error) {
	var body string
	var at, approved, cancelled int64
	err = r.Scan(&p.Name, &p.First, &body, &p.By, &p.ByName, &at, &p.Approved, &p.ApprovedName, &approved,
		&p.Cancelled, &p.CancelledName, &cancelled, &p.Alone, &p.Reason)
	p.Body, p.At, p.ApprovedAt, p.CancelledAt = []byte(body), engine.Instant(at), engine.Instant(approved), engine.Instant(cancelled)
	return p, err
}

func (s closingStore) PlanProposals(ctx context.Context, tx *ledger.Tx) ([]closing.PlanProposal, error) {
	return engine.List(ctx, s.db.From(tx), scanPlanProposal, "SELECT "+planProposalColumns+" FROM plan_proposal ORDER BY proposed_at DESC, version")
}

func (s closingStore) PlanProposal(ctx context.Context, tx *ledger.Tx, version string) (closing.PlanProposal, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanPlanProposal, "SELECT "+planProposalColumns+" FROM plan_proposal WHERE version = $1", version)
}

// SetPlanProposal never changes what was proposed, only what became of it.
func (closingStore) SetPlanProposal(ctx context.Context, tx *ledger.Tx, p closing.PlanProposal) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), planProposalSigned, []any{p.Name}, "INSERT INTO plan_proposal ("+planProposalColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
		ON CONFLICT (version) DO UPDATE SET approved_by = excluded.approved_by, approved_name = excluded.approved_name, approved_at = excluded.approved_at,
		cancelled_by = excluded.cancelled_by, cancelled_name = excluded.cancelled_name, cancelled_at = excluded.cancelled_at, alone = excluded.alone`,
		p.Name, int64(p.First), string(p.Body), p.By, p.ByName, engine.Micros(p.At), p.Approved, p.ApprovedName, engine.Micros(p.ApprovedAt),
		p.Cancelled, p.CancelledName, engine.Micros(p.CancelledAt), string(p.Alone), p.Reason)
}
