package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// Operators.

const authOperator = "SELECT id, email, name, role, password, password_at, created_at, ended_at FROM operator "

func scanOperatorRow(r *sql.Rows) (o auth.OperatorRow, err error) {
	err = r.Scan(&o.ID, &o.Email, &o.Name, &o.Role, &o.Password, authTime{&o.PasswordAt}, authTime{&o.Created}, authTime{&o.Ended})
	return o, err
}

func scanOperator(r *sql.Rows) (auth.Operator, error) {
	o, err := scanOperatorRow(r)
	return o.Operator, err
}

// vouched runs a write that must hit one row, by its number, and vouches for what
// the row is then: who may do what decides about money.
func (s authStore) vouched(ctx context.Context, tx *ledger.Tx, w *witnessed, id any, query string, args ...any) error {
	n, err := groupOf(tx).changeOne(ctx, w, []any{id}, query, args...)
	if err != nil {
		return err
	}
	return mustHit(n, w.table)
}

func (s authStore) OperatorByEmail(ctx context.Context, email string) (auth.OperatorRow, bool, error) {
	return first(ctx, &s.db.rows, scanOperatorRow, authOperator+"WHERE email = $1", email)
}

func (s authStore) OperatorIn(ctx context.Context, tx *ledger.Tx, id int64) (auth.OperatorRow, bool, error) {
	return first(ctx, s.db.from(tx), scanOperatorRow, authOperator+"WHERE id = $1", id)
}

func (authStore) Vouched(ctx context.Context, tx *ledger.Tx, operator int64) error {
	l := newLooker(groupOf(tx))
	if err := l.there(ctx, operatorWitness, operator); err != nil {
		return err
	}
	return l.there(ctx, factorWitness, factorKey(auth.Owner{Kind: auth.KindOperator, ID: operator})...)
}

func (s authStore) PutOperator(ctx context.Context, tx *ledger.Tx, o auth.OperatorRow) error {
	return s.vouched(ctx, tx, operatorWitness, o.ID, "UPDATE operator SET role = $2, password = $3, password_at = $4 WHERE id = $1 AND ended_at = 0",
		o.ID, string(o.Role), o.Password, authMicros(o.PasswordAt))
}

func (s authStore) Standings(ctx context.Context, t time.Time) ([]auth.Standing, error) {
	scan := func(r *sql.Rows) (o auth.Standing, err error) {
		var password int64
		err = r.Scan(&o.ID, &o.Email, &o.Name, &o.Role, &password, authTime{&o.Created}, authTime{&o.Ended}, authTime{&o.Factor}, authTime{&o.Invited}, authTime{&o.Seen})
		o.Password = password != 0
		return o, err
	}
	return list(ctx, &s.db.rows, scan, `SELECT o.id, o.email, o.name, o.role, CASE WHEN o.password = '' THEN 0 ELSE 1 END, o.created_at, o.ended_at,
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
	return first(ctx, s.db.from(tx), scan, "SELECT operator, token, until FROM operator_invitation WHERE operator = $1", operator)
}

func (s authStore) PutInvitation(ctx context.Context, tx *ledger.Tx, i auth.InvitationRow) error {
	return s.vouched(ctx, tx, invitationWitness, i.Operator, `INSERT INTO operator_invitation (operator, token, until) VALUES ($1, $2, $3)
		ON CONFLICT (operator) DO UPDATE SET token = excluded.token, until = excluded.until`, i.Operator, filled(i.Token), authMicros(i.Until))
}

const proposedColumns = "id, kind, operator, member, was, wanted, reason, proposed_by, proposed_at, decided_by, decided_at, state, alone"

func scanProposed(r *sql.Rows) (p auth.Proposal, err error) {
	err = r.Scan(&p.ID, &p.Kind, &p.Operator, &p.Member, &p.Was, &p.Wanted, &p.Reason, &p.By, authTime{&p.At}, &p.Decided, authTime{&p.DecidedAt}, &p.State, &p.Alone)
	return p, err
}

func (s authStore) AddProposal(ctx context.Context, tx *ledger.Tx, p auth.Proposal) (int64, error) {
	id, _, err := first(ctx, groupOf(tx), scanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM operator_proposal")
	if err != nil {
		return 0, err
	}
	return id, s.vouched(ctx, tx, roleWitness, id, "INSERT INTO operator_proposal ("+proposedColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, $10, '')",
		id, string(p.Kind), p.Operator, p.Member, string(p.Was), string(p.Wanted), p.Reason, p.By, authMicros(p.At), string(p.State))
}

func (s authStore) ProposalIn(ctx context.Context, tx *ledger.Tx, id int64) (auth.Proposal, bool, error) {
	return first(ctx, groupOf(tx), scanProposed, "SELECT "+proposedColumns+" FROM operator_proposal WHERE id = $1", id)
}

func (s authStore) ProposalsIn(ctx context.Context, tx *ledger.Tx, waiting bool) ([]auth.Proposal, error) {
	where := "WHERE kind <> 'erase' "
	if waiting {
		where += "AND state = 'waiting' "
	}
	return list(ctx, s.db.from(tx), scanProposed, "SELECT "+proposedColumns+" FROM operator_proposal "+where+"ORDER BY id DESC LIMIT 100")
}

func (s authStore) Erasures(ctx context.Context, tx *ledger.Tx, member int64) ([]auth.Proposal, error) {
	where := "member = $1"
	if member == 0 {
		where = "member > $1 AND kind = 'erase' AND state = 'waiting'"
	}
	return list(ctx, s.db.from(tx), scanProposed, "SELECT "+proposedColumns+" FROM operator_proposal WHERE "+where+" ORDER BY id DESC LIMIT 100", member)
}

func (s authStore) Forget(ctx context.Context, tx *ledger.Tx, uid int64) error {
	if _, err := groupOf(tx).Exec(ctx, "UPDATE session SET peer = '', claimed_ip = '', agent = '' WHERE owner = $1 AND kind = 'member'", uid); err != nil {
		return err
	}
	if err := s.DropPlaces(ctx, tx, auth.KindMember, uid); err != nil {
		return err
	}
	return groupOf(tx).deleteOne(ctx, mailedCodeWitness, uid)
}

func (s authStore) DecideProposal(ctx context.Context, tx *ledger.Tx, p auth.Proposal) error {
	return s.vouched(ctx, tx, roleWitness, p.ID, "UPDATE operator_proposal SET decided_by = $2, decided_at = $3, state = $4, alone = $5 WHERE id = $1 AND state = 'waiting'",
		p.ID, p.Decided, authMicros(p.DecidedAt), string(p.State), p.Alone)
}

func (s authStore) Operators(ctx context.Context) ([]auth.Operator, error) {
	return list(ctx, &s.db.rows, scanOperator, authOperator+"ORDER BY id")
}

func (s authStore) OperatorsIn(ctx context.Context, tx *ledger.Tx) ([]auth.Operator, error) {
	return list(ctx, groupOf(tx), scanOperator, authOperator+"ORDER BY id")
}

func (s authStore) AddOperator(ctx context.Context, tx *ledger.Tx, o auth.OperatorRow) (int64, error) {
	id, _, err := first(ctx, groupOf(tx), scanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM operator")
	if err != nil {
		return 0, err
	}
	return id, s.vouched(ctx, tx, operatorWitness, id, `INSERT INTO operator (id, email, name, role, password, password_at, created_at, ended_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0)`,
		id, o.Email, o.Name, string(o.Role), o.Password, authMicros(o.PasswordAt), authMicros(o.Created))
}

func (s authStore) EndOperator(ctx context.Context, tx *ledger.Tx, id int64, at time.Time) error {
	return s.vouched(ctx, tx, operatorWitness, id, "UPDATE operator SET ended_at = $2 WHERE id = $1 AND ended_at = 0", id, at.UnixMicro())
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
