package trade

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Proposals to close days, and operators' bookings.

const bookingColumns = "id, kind, line, sale, amount, reference, evidence, operator, day, at"

var closeProposalSigned = evidence.NewSignedTable("close_proposal", proposalColumns, evidence.SignedOptions{Checked: true, Remembered: true})

func scanBooking(r *sql.Rows) (b closing.Booking, err error) {
	var amount, at int64
	err = r.Scan(&b.ID, &b.Kind, &b.Line, &b.Sale, &amount, &b.Reference, &b.Evidence, &b.Operator, &b.Day, &at)
	b.Amount, b.At = money.Micro(amount), engine.Instant(at)
	return b, err
}

func (s closingStore) Held(ctx context.Context, limit int) ([]closing.Held, error) {
	scan := func(r *sql.Rows) (h closing.Held, err error) {
		var roi, fee int64
		err = r.Scan(&h.ID, &h.Line, &h.Day, &roi, &fee)
		h.ROI, h.Fee = money.Micro(roi), money.Micro(fee)
		return h, err
	}
	return engine.List(ctx, s.db.Committed(), scan, "SELECT id, line, day, roi, fee FROM roi_batch WHERE released_day = 0 ORDER BY day, n, id LIMIT $1", int64(limit))
}

func (s closingStore) OpenBookings(ctx context.Context, tx *ledger.Tx) ([]closing.Booking, error) {
	return engine.List(ctx, s.db.From(tx), scanBooking, "SELECT "+bookingColumns+" FROM booking WHERE closed = 0 ORDER BY day, at, id")
}

func (s closingStore) Beginning(ctx context.Context, tx *ledger.Tx) (time.Time, plan.Day, error) {
	// Nobody has joined before the first one: members are numbered as they come.
	joined, _, err := engine.First(ctx, s.db.From(tx), engine.ScanID, "SELECT joined_at FROM place WHERE no = 1")
	if err != nil {
		return time.Time{}, 0, err
	}
	event, _, err := engine.First(ctx, s.db.From(tx), engine.ScanID, "SELECT COALESCE(MIN(day), 0) FROM day_event")
	return engine.Instant(joined), plan.Day(event), err
}

const proposalColumns = "day, digest, proposed_by, proposed_name, proposed_at, approved_by, approved_name, approved_at, alone"

func (s closingStore) Proposal(ctx context.Context, tx *ledger.Tx, day plan.Day) (closing.Proposal, bool, error) {
	scan := func(r *sql.Rows) (p closing.Proposal, err error) {
		var at, approved int64
		err = r.Scan(&p.Day, &p.Digest, &p.By, &p.Name, &at, &p.Approved, &p.ApprovedName, &approved, &p.Alone)
		p.At, p.ApprovedAt = engine.Instant(at), engine.Instant(approved)
		return p, err
	}
	return engine.First(ctx, s.db.From(tx), scan, "SELECT "+proposalColumns+" FROM close_proposal WHERE day = $1", int64(day))
}

// SetProposal leaves a proposal that was approved as it is: the day is closed.
func (closingStore) SetProposal(ctx context.Context, tx *ledger.Tx, p closing.Proposal) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), closeProposalSigned, []any{int64(p.Day)}, "INSERT INTO close_proposal ("+proposalColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (day) DO UPDATE SET digest = excluded.digest, proposed_by = excluded.proposed_by, proposed_name = excluded.proposed_name,
		proposed_at = excluded.proposed_at, approved_by = excluded.approved_by, approved_name = excluded.approved_name,
		approved_at = excluded.approved_at, alone = excluded.alone WHERE close_proposal.approved_at = 0`,
		int64(p.Day), p.Digest, p.By, p.Name, engine.Micros(p.At), p.Approved, p.ApprovedName, engine.Micros(p.ApprovedAt), string(p.Alone))
}

func (s closingStore) Days(ctx context.Context, before plan.Day, limit int) ([]closing.ClosedBy, error) {
	scan := func(r *sql.Rows) (d closing.ClosedBy, err error) {
		var at int64
		p := &d.Proposal
		err = r.Scan(&d.Day, &d.Plan, &d.Digest, &d.FirstRow, &d.LastRow, &d.Proposed, &d.Approved, &at, &p.Name, &p.ApprovedName, &p.Alone)
		d.At = engine.Instant(at)
		return d, err
	}
	if before == 0 {
		before = 1 << 40
	}
	return engine.List(ctx, s.db.Committed(), scan, `SELECT d.day, d.plan, d.digest, d.rows_first, d.rows_last, d.proposed_by, d.approved_by, d.committed_at,
		COALESCE(p.proposed_name, ''), COALESCE(p.approved_name, ''), COALESCE(p.alone, '')
		FROM close_day d LEFT JOIN close_proposal p ON p.day = d.day WHERE d.day < $1 ORDER BY d.day DESC LIMIT $2`, int64(before), int64(limit))
}
