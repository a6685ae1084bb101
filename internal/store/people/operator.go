package people

import (
	"context"
	"crypto/rand"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// Operators.

const authOperator = "SELECT id, email, name, role, password, password_at, created_at, ended_at FROM operator "

var (
	operatorSigned   = evidence.NewSignedTable("operator", "id, email, role, password, ended_at", evidence.SignedOptions{Checked: true, Remembered: true})
	roleSigned       = evidence.NewSignedTable("operator_proposal", proposedColumns, evidence.SignedOptions{Checked: true, Remembered: true})
	invitationSigned = evidence.NewSignedTable("operator_invitation", "operator, token, until", evidence.SignedOptions{Checked: true})
)

func scanOperatorRow(r *sql.Rows) (o auth.OperatorRow, err error) {
	err = r.Scan(&o.ID, &o.Email, &o.Name, &o.Role, &o.Password, authTime{&o.PasswordAt}, authTime{&o.Created}, authTime{&o.Ended})
	return o, err
}

func scanOperator(r *sql.Rows) (auth.Operator, error) {
	o, err := scanOperatorRow(r)
	return o.Operator, err
}

// changeRow runs a write that must hit one row, by its number, and signs the row.
func (authStore) changeRow(ctx context.Context, tx *ledger.Tx, t *evidence.SignedTable, id any, query string, args ...any) error {
	return evidence.ChangeRow(ctx, engine.GroupOf(tx), t, []any{id}, query, args...)
}

// role is the verified role of an operator, which requests read; "" if the operator has
// ended.
func (s authStore) role(ctx context.Context, id int64) (role auth.Role, err error) {
	return role, evidence.Verified(ctx, s.db, nil, func(q engine.Querier, v evidence.RowVerifier) error {
		o, found, err := engine.First(ctx, q, scanOperatorRow, authOperator+"WHERE id = $1", id)
		if err != nil {
			return err
		}
		if found && o.Ended.IsZero() {
			role = o.Role
		}
		return v.RequireRow(ctx, operatorSigned, id)
	})
}

func (s authStore) OperatorByEmail(ctx context.Context, email string) (auth.OperatorRow, bool, error) {
	return engine.First(ctx, s.db.Committed(), scanOperatorRow, authOperator+"WHERE email = $1", email)
}

func (s authStore) OperatorIn(ctx context.Context, tx *ledger.Tx, id int64) (auth.OperatorRow, bool, error) {
	return engine.First(ctx, s.db.From(tx), scanOperatorRow, authOperator+"WHERE id = $1", id)
}

func (authStore) VerifyOperator(ctx context.Context, tx *ledger.Tx, operator int64) error {
	v := evidence.VerifierIn(engine.GroupOf(tx))
	if err := v.RequireRow(ctx, operatorSigned, operator); err != nil {
		return err
	}
	return v.RequireRow(ctx, factorSigned, factorKey(auth.Owner{Kind: auth.KindOperator, ID: operator})...)
}

func (s authStore) PutOperator(ctx context.Context, tx *ledger.Tx, o auth.OperatorRow) error {
	return s.changeRow(ctx, tx, operatorSigned, o.ID, "UPDATE operator SET role = $2, password = $3, password_at = $4 WHERE id = $1 AND ended_at = 0",
		o.ID, string(o.Role), o.Password, authMicros(o.PasswordAt))
}

func (s authStore) Standings(ctx context.Context, t time.Time) ([]auth.Standing, error) {
	scan := func(r *sql.Rows) (o auth.Standing, err error) {
		var password int64
		err = r.Scan(&o.ID, &o.Email, &o.Name, &o.Role, &password, authTime{&o.Created}, authTime{&o.Ended}, authTime{&o.Factor}, authTime{&o.Invited}, authTime{&o.Seen})
		o.Password = password != 0
		return o, err
	}
	return engine.List(ctx, s.db.Committed(), scan, `SELECT o.id, o.email, o.name, o.role, CASE WHEN o.password = '' THEN 0 ELSE 1 END, o.created_at, o.ended_at,
		COALESCE(f.set_at, 0), CASE WHEN i.until > $1 THEN i.until ELSE 0 END,
		COALESCE((SELECT MAX(s.seen_at) FROM session s WHERE s.owner = o.id AND s.kind = 'operator'), 0)
		FROM operator o LEFT JOIN factor f ON f.kind = 'operator' AND f.owner = o.id LEFT JOIN operator_invitation i ON i.operator = o.id ORDER BY o.id`, t.UnixMicro())
}

// Invitations and proposals.

func (s authStore) Invitation(ctx context.Context, tx *ledger.Tx, operator int64) (auth.InvitationRow, bool, error) {
	scan := func(r *sql.Rows) (i auth.InvitationRow, err error) {
		err = r.Scan(&i.Operator, &i.Token, authTime{&i.Until})
		return i, err
	}
	return engine.First(ctx, s.db.From(tx), scan, "SELECT operator, token, until FROM operator_invitation WHERE operator = $1", operator)
}

func (s authStore) PutInvitation(ctx context.Context, tx *ledger.Tx, i auth.InvitationRow) error {
	return s.changeRow(ctx, tx, invitationSigned, i.Operator, `INSERT INTO operator_invitation (operator, token, until) VALUES ($1, $2, $3)
		ON CONFLICT (operator) DO UPDATE SET token = excluded.token, until = excluded.until`, i.Operator, filled(i.Token), authMicros(i.Until))
}

const proposedColumns = "id, kind, operator, member, was, wanted, reason, proposed_by, proposed_at, decided_by, decided_at, state, alone"

func scanProposed(r *sql.Rows) (p auth.Proposal, err error) {
	err = r.Scan(&p.ID, &p.Kind, &p.Operator, &p.Member, &p.Was, &p.Wanted, &p.Reason, &p.By, authTime{&p.At}, &p.Decided, authTime{&p.DecidedAt}, &p.State, &p.Alone)
	return p, err
}

func (s authStore) AddProposal(ctx context.Context, tx *ledger.Tx, p auth.Proposal) (int64, error) {
	id, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM operator_proposal")
	if err != nil {
		return 0, err
	}
	return id, s.changeRow(ctx, tx, roleSigned, id, "INSERT INTO operator_proposal ("+proposedColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, $10, '')",
		id, string(p.Kind), p.Operator, p.Member, string(p.Was), string(p.Wanted), p.Reason, p.By, authMicros(p.At), string(p.State))
}

func (s authStore) ProposalIn(ctx context.Context, tx *ledger.Tx, id int64) (auth.Proposal, bool, error) {
	return engine.First(ctx, engine.GroupOf(tx), scanProposed, "SELECT "+proposedColumns+" FROM operator_proposal WHERE id = $1", id)
}

func (s authStore) ProposalsIn(ctx context.Context, tx *ledger.Tx, waiting bool) ([]auth.Proposal, error) {
	where := "WHERE kind <> 'erase' "
	if waiting {
		where += "AND state = 'waiting' "
	}
	return engine.List(ctx, s.db.From(tx), scanProposed, "SELECT "+proposedColumns+" FROM operator_proposal "+where+"ORDER BY id DESC LIMIT 100")
}

func (s authStore) Erasures(ctx context.Context, tx *ledger.Tx, member int64) ([]auth.Proposal, error) {
	where := "member = $1"
	if member == 0 {
		where = "member > $1 AND kind = 'erase' AND state = 'waiting'"
	}
	return engine.List(ctx, s.db.From(tx), scanProposed, "SELECT "+proposedColumns+" FROM operator_proposal WHERE "+where+" ORDER BY id DESC LIMIT 100", member)
}

func (s authStore) Forget(ctx context.Context, tx *ledger.Tx, uid int64) error {
	if _, err := engine.GroupOf(tx).Exec(ctx, "UPDATE session SET peer = '', claimed_ip = '', agent = '' WHERE owner = $1 AND kind = 'member'", uid); err != nil {
		return err
	}
	if err := s.DropPlaces(ctx, tx, auth.KindMember, uid); err != nil {
		return err
	}
	return evidence.DeleteOne(ctx, engine.GroupOf(tx), mailedCodeSigned, uid)
}

func (s authStore) DecideProposal(ctx context.Context, tx *ledger.Tx, p auth.Proposal) error {
	return s.changeRow(ctx, tx, roleSigned, p.ID, "UPDATE operator_proposal SET decided_by = $2, decided_at = $3, state = $4, alone = $5 WHERE id = $1 AND state = 'waiting'",
		p.ID, p.Decided, authMicros(p.DecidedAt), string(p.State), p.Alone)
}

func (s authStore) Operators(ctx context.Context) ([]auth.Operator, error) {
	return engine.List(ctx, s.db.Committed(), scanOperator, authOperator+"ORDER BY id")
}

func (s authStore) OperatorsIn(ctx context.Context, tx *ledger.Tx) ([]auth.Operator, error) {
	return engine.List(ctx, engine.GroupOf(tx), scanOperator, authOperator+"ORDER BY id")
}

func (s authStore) AddOperator(ctx context.Context, tx *ledger.Tx, o auth.OperatorRow) (int64, error) {
	id, _, err := engine.First(ctx, engine.GroupOf(tx), engine.ScanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM operator")
	if err != nil {
		return 0, err
	}
	return id, s.changeRow(ctx, tx, operatorSigned, id, `INSERT INTO operator (id, email, name, role, password, password_at, created_at, ended_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0)`,
		id, o.Email, o.Name, string(o.Role), o.Password, authMicros(o.PasswordAt), authMicros(o.Created))
}

func (s authStore) EndOperator(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) error {
	return s.changeRow(ctx, tx, operatorSigned, id, "UPDATE operator SET ended_at = $2 WHERE id = $1 AND ended_at = 0", id, at.UnixMicro())
}

func (s authStore) Enrolled(ctx context.Context, tx *ledger.Tx, operator int64, session string) error {
	_, err := s.free(ctx, tx, auth.KindOperator, operator, session)
	return err
}

func (authStore) Decoy(ctx context.Context, tx *ledger.Tx) error {
	value := make([]byte, 32)
	_, _ = rand.Read(value) // never fails
	return enrolStore{}.Decoy(ctx, tx, value)
}
