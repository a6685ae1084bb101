package trade

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store/core"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/store/people"
	"github.com/bifolia/bifolia/internal/trade/booking"
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

// The expected effects of proposals, as computed when they were made.

var factSigned = evidence.NewSignedTable("booking_fact", "proposal, body", evidence.SignedOptions{Checked: true, Remembered: true})

func (operateStore) AddFacts(ctx context.Context, tx *ledger.Tx, proposal int64, body string) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), factSigned, []any{proposal}, "INSERT INTO booking_fact (proposal, body) VALUES ($1, $2)", proposal, body)
}

// Bearing takes what is kept of all open positions, less those that are too young.
func (s operateStore) Bearing(ctx context.Context, tx *ledger.Tx, line string, day plan.Day) (money.Amount, int64, error) {
	all, _, err := engine.First(ctx, s.db.From(tx), engine.ScanTotal, `SELECT COALESCE(MAX(CASE WHEN list = 'position' THEN n END), 0),
		COALESCE(MAX(CASE WHEN list = 'position' THEN amount END), 0) - COALESCE(MAX(CASE WHEN list = 'position_loss' THEN amount END), 0)
		FROM list_sum WHERE list IN ('position', 'position_loss') AND state = 'open' AND kind = $1 AND waits = 0`, line)
	if err != nil {
		return money.Amount{}, 0, err
	}
	young, _, err := engine.First(ctx, s.db.From(tx), engine.ScanCount,
		"SELECT COALESCE(CAST(SUM(principal - loss) AS BIGINT), 0) FROM invest_position WHERE line = $1 AND state = 'open' AND day >= $2", line, int64(day))
	return money.Micro(all.Sum - young), all.Count, err
}

func (s operateStore) OfSale(ctx context.Context, tx *ledger.Tx, sale string) (booking.Facts, error) {
	scan := func(r *sql.Rows) (f booking.Facts, err error) {
		var amount int64
		err = r.Scan(&amount, &f.Package, &f.TopUp, &f.Buyer, &f.Payer)
		f.Price = money.Micro(amount).String()
		return f, err
	}
	f, _, err := engine.First(ctx, s.db.From(tx), scan, "SELECT s.amount, s.package, s.topup, p.uid, s.payer FROM sale s JOIN place p ON p.no = s.no WHERE s.id = $1", sale)
	if err != nil {
		return f, err
	}
	taken := func(r *sql.Rows) (t booking.Take, err error) {
		var amount int64
		err = r.Scan(&t.UID, &amount)
		t.Amount = money.Micro(amount).String()
		return t, err
	}
	f.Takes, err = engine.List(ctx, s.db.From(tx), taken, `SELECT p.uid, i.paid FROM income i JOIN place p ON p.no = i.earner WHERE i.source = $1 AND i.kind = `+core.LevelKind+` AND i.reverses = 0
		AND NOT EXISTS (SELECT 1 FROM income r WHERE r.source = $1 AND r.kind = `+core.LevelKind+` AND r.reverses = i.row_no) ORDER BY i.row_no`, sale)
	return f, err
}

// operateStore keeps the files that bookings rest on.
type operateStore struct{ db *engine.DB }

var evidenceSigned = evidence.NewSignedTable("evidence", "hash, name, size, operator, by_name, at", evidence.SignedOptions{}) // the hash is of the file

// Booking is the database as package operate needs it.
func Booking(db *engine.DB) booking.Store { return operateStore{db} }

func (operateStore) AddEvidence(ctx context.Context, tx *ledger.Tx, e booking.Evidence) error {
	_, err := evidence.ChangeOne(ctx, engine.GroupOf(tx), evidenceSigned, []any{e.Hash}, `INSERT INTO evidence (hash, name, size, body, operator, by_name, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (hash) DO NOTHING`, e.Hash, e.Name, int64(len(e.Body)), e.Body, e.Operator, e.By, engine.Micros(e.At))
	return err
}

func (operateStore) HasEvidence(ctx context.Context, tx *ledger.Tx, hash string) (bool, error) {
	n, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT COUNT(*) FROM evidence WHERE hash = $1", hash)
	return n > 0, err
}

func (s operateStore) Evidence(ctx context.Context, hash string) (booking.Evidence, bool, error) {
	scan := func(r *sql.Rows) (e booking.Evidence, err error) {
		var at int64
		err = r.Scan(&e.Hash, &e.Name, &e.Body, &e.Operator, &e.By, &at)
		e.At = engine.Instant(at)
		return e, err
	}
	return engine.First(ctx, s.db.Committed(), scan, "SELECT hash, name, body, operator, by_name, at FROM evidence WHERE hash = $1", hash)
}

// CheckEvidence hashes every file again. The error is a *closing.Broken for the first
// that is not the one of its hash.
func CheckEvidence(ctx context.Context, db *engine.DB) error {
	type file struct{ hash, is string }
	scan := func(r *sql.Rows) (f file, err error) {
		var body []byte
		err = r.Scan(&f.hash, &body)
		sum := sha256.Sum256(body)
		f.is = hex.EncodeToString(sum[:])
		return f, err
	}
	b, err := evidence.Caught(engine.Each(ctx, db.Committed(), scan, func(f file) error {
		if f.hash == f.is {
			return nil
		}
		return evidence.WrongRow("a file of evidence has its own SHA-256", "evidence "+f.hash, f.is, f.hash)
	}, "SELECT hash, body FROM evidence ORDER BY hash"))
	return errors.Join(err, people.AsBroken(b))
}
