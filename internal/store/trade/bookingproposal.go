package trade

import (
	"context"
	"database/sql"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/booking"

	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

const (
	bookingProposalColumns = `id, kind, line, sale, claim, booking, cancels, amount, reference, evidence, happened_at, day, proposed_by, proposed_name, proposed_at,
	state, decided_by, decided_name, decided_at, reason, alone, event`
	bookingProposal = "SELECT " + bookingProposalColumns + ", COALESCE(body, '') FROM booking_proposal LEFT JOIN booking_fact ON proposal = id "
)

var proposedSigned = evidence.NewSignedTable("booking_proposal", bookingProposalColumns, evidence.SignedOptions{Checked: true, Remembered: true})

func scanBookingProposal(r *sql.Rows) (p booking.Proposal, err error) {
	var amount, happened, at, decided int64
	err = r.Scan(&p.ID, &p.Act.Kind, &p.Act.Line, &p.Act.Sale, &p.Act.Claim, &p.Act.Booking, &p.Act.Cancels, &amount, &p.Act.Reference, &p.Act.Evidence, &happened, &p.Day, &p.By.Operator, &p.By.Name, &at,
		&p.State, &p.Decided.Operator, &p.Decided.Name, &decided, &p.Reason, &p.Alone, &p.Event, &p.Known)
	p.Act.Amount, p.Act.At, p.At, p.DecidedAt = money.Micro(amount), engine.Instant(happened), engine.Instant(at), engine.Instant(decided)
	return p, err
}

func (operateStore) AddProposal(ctx context.Context, tx *ledger.Tx, p booking.Proposal) (int64, error) {
	id, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM booking_proposal")
	if err != nil {
		return 0, err
	}
	a := p.Act
	return id, evidence.ChangeRow(ctx, engine.GroupOf(tx), proposedSigned, []any{id}, "INSERT INTO booking_proposal ("+bookingProposalColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 0, '', 0, '', '', '')",
		id, string(a.Kind), a.Line, a.Sale, a.Claim, a.Booking, string(a.Cancels), a.Amount.Micros(), a.Reference, a.Evidence, engine.Micros(a.At), int64(p.Day), p.By.Operator, p.By.Name, engine.Micros(p.At), string(p.State))
}

func (operateStore) Decide(ctx context.Context, tx *ledger.Tx, p booking.Proposal) error {
	if err := evidence.VerifierIn(engine.GroupOf(tx)).Row(ctx, factSigned, p.ID); err != nil { // what they were shown
		return err
	}
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), proposedSigned, []any{p.ID}, `UPDATE booking_proposal SET state = $2, decided_by = $3, decided_name = $4, decided_at = $5, reason = $6, alone = $7, event = $8
		WHERE id = $1 AND state = 'waiting'`,
		p.ID, string(p.State), p.Decided.Operator, p.Decided.Name, engine.Micros(p.DecidedAt), p.Reason, string(p.Alone), p.Event)
}

func (s operateStore) Proposal(ctx context.Context, tx *ledger.Tx, id int64) (booking.Proposal, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanBookingProposal, bookingProposal+"WHERE id = $1", id)
}

func (s operateStore) Waiting(ctx context.Context, tx *ledger.Tx) ([]booking.Proposal, error) {
	return engine.List(ctx, s.db.From(tx), scanBookingProposal, bookingProposal+"WHERE state = 'waiting' ORDER BY id")
}

func (s operateStore) Decided(ctx context.Context, limit int) ([]booking.Proposal, error) {
	return engine.List(ctx, s.db.Committed(), scanBookingProposal, bookingProposal+"WHERE state <> 'waiting' ORDER BY decided_at DESC, id DESC LIMIT $1", int64(limit))
}

func (operateStore) About(ctx context.Context, tx *ledger.Tx, sale, claim string) (int64, error) {
	query, id := "SELECT p.uid FROM sale s JOIN place p ON p.no = s.no WHERE s.id = $1", sale
	if sale == "" {
		query, id = "SELECT p.uid FROM claim c JOIN place p ON p.no = c.no WHERE c.id = $1", claim
	}
	return engine.Value(ctx, engine.GroupOf(tx), engine.ScanID, query, id)
}
