package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/auth"
	"github.com/bifolia/bifolia/internal/ledger"
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
func (s authStore) vouched(ctx context.Context, rows ledger.Rows, w *witnessed, id int64, query string, args ...any) error {
	n, err := in(rows).changeOne(ctx, w, []any{id}, query, args...)
	if err != nil {
		return err
	}
	return mustHit(n, w.table)
}

func (s authStore) OperatorByEmail(ctx context.Context, email string) (auth.OperatorRow, bool, error) {
	return first(ctx, &s.db.rows, scanOperatorRow, authOperator+"WHERE email = $1", email)
}

func (s authStore) OperatorIn(ctx context.Context, rows ledger.Rows, id int64) (auth.OperatorRow, bool, error) {
	return first(ctx, s.from(rows), scanOperatorRow, authOperator+"WHERE id = $1", id)
}

func (authStore) Vouched(ctx context.Context, rows ledger.Rows, operator int64) error {
	l := newLooker(in(rows))
	if err := l.there(ctx, operatorWitness, operator); err != nil {
		return err
	}
	return l.there(ctx, factorWitness, operator)
}

// from reads within a command, or with no rows outside of one.
func (s authStore) from(rows ledger.Rows) querier {
	if rows == nil {
		return &s.db.rows
	}
	return in(rows)
}

func (s authStore) PutOperator(ctx context.Context, rows ledger.Rows, o auth.OperatorRow) error {
	return s.vouched(ctx, rows, operatorWitness, o.ID, "UPDATE operator SET role = $2, password = $3, password_at = $4 WHERE id = $1 AND ended_at = 0",
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
		FROM operator o LEFT JOIN operator_factor f ON f.operator = o.id LEFT JOIN operator_invitation i ON i.operator = o.id ORDER BY o.id`, t.UnixMicro())
}

// Invitations and proposals.

func (s authStore) Invitation(ctx context.Context, rows ledger.Rows, operator int64) (auth.InvitationRow, bool, error) {
	scan := func(r *sql.Rows) (i auth.InvitationRow, err error) {
		err = r.Scan(&i.Operator, &i.Token, authTime{&i.Until})
		return i, err
	}
	return first(ctx, s.from(rows), scan, "SELECT operator, token, until FROM operator_invitation WHERE operator = $1", operator)
}

func (s authStore) PutInvitation(ctx context.Context, rows ledger.Rows, i auth.InvitationRow) error {
	return s.one(ctx, rows, "invitation", `INSERT INTO operator_invitation (operator, token, until) VALUES ($1, $2, $3)
		ON CONFLICT (operator) DO UPDATE SET token = excluded.token, until = excluded.until`, i.Operator, filled(i.Token), authMicros(i.Until))
}

const proposedColumns = "id, kind, operator, member, was, wanted, reason, proposed_by, proposed_at, decided_by, decided_at, state, alone"

func scanProposed(r *sql.Rows) (p auth.Proposal, err error) {
	err = r.Scan(&p.ID, &p.Kind, &p.Operator, &p.Member, &p.Was, &p.Wanted, &p.Reason, &p.By, authTime{&p.At}, &p.Decided, authTime{&p.DecidedAt}, &p.State, &p.Alone)
	return p, err
}

func (s authStore) AddProposal(ctx context.Context, rows ledger.Rows, p auth.Proposal) (int64, error) {
	id, _, err := first(ctx, in(rows), scanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM operator_proposal")
	if err != nil {
		return 0, err
	}
	return id, s.vouched(ctx, rows, roleWitness, id, "INSERT INTO operator_proposal ("+proposedColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0, $10, '')",
		id, string(p.Kind), p.Operator, p.Member, string(p.Was), string(p.Wanted), p.Reason, p.By, authMicros(p.At), string(p.State))
}

func (s authStore) ProposalIn(ctx context.Context, rows ledger.Rows, id int64) (auth.Proposal, bool, error) {
	return first(ctx, in(rows), scanProposed, "SELECT "+proposedColumns+" FROM operator_proposal WHERE id = $1", id)
}

func (s authStore) ProposalsIn(ctx context.Context, rows ledger.Rows, waiting bool) ([]auth.Proposal, error) {
	where := "WHERE kind <> 'erase' "
	if waiting {
		where += "AND state = 'waiting' "
	}
	return list(ctx, s.from(rows), scanProposed, "SELECT "+proposedColumns+" FROM operator_proposal "+where+"ORDER BY id DESC LIMIT 100")
}

func (s authStore) Erasures(ctx context.Context, rows ledger.Rows, member int64) ([]auth.Proposal, error) {
	where := "member = $1"
	if member == 0 {
		where = "member > $1 AND kind = 'erase' AND state = 'waiting'"
	}
	return list(ctx, s.from(rows), scanProposed, "SELECT "+proposedColumns+" FROM operator_proposal WHERE "+where+" ORDER BY id DESC LIMIT 100", member)
}

func (authStore) Forget(ctx context.Context, rows ledger.Rows, uid int64) error {
	if _, err := in(rows).Exec(ctx, "UPDATE session SET peer = '', claimed_ip = '', agent = '' WHERE owner = $1 AND kind = 'member'", uid); err != nil {
		return err
	}
	_, err := in(rows).Exec(ctx, "DELETE FROM password_code WHERE uid = $1", uid)
	return err
}

func (s authStore) DecideProposal(ctx context.Context, rows ledger.Rows, p auth.Proposal) error {
	return s.vouched(ctx, rows, roleWitness, p.ID, "UPDATE operator_proposal SET decided_by = $2, decided_at = $3, state = $4, alone = $5 WHERE id = $1 AND state = 'waiting'",
		p.ID, p.Decided, authMicros(p.DecidedAt), string(p.State), p.Alone)
}

func (s authStore) Operators(ctx context.Context) ([]auth.Operator, error) {
	return list(ctx, &s.db.rows, scanOperator, authOperator+"ORDER BY id")
}

func (s authStore) OperatorsIn(ctx context.Context, rows ledger.Rows) ([]auth.Operator, error) {
	return list(ctx, in(rows), scanOperator, authOperator+"ORDER BY id")
}

func (s authStore) AddOperator(ctx context.Context, rows ledger.Rows, o auth.OperatorRow) (int64, error) {
	id, _, err := first(ctx, in(rows), scanID, "SELECT COALESCE(MAX(id), 0) + 1 FROM operator")
	if err != nil {
		return 0, err
	}
	return id, s.vouched(ctx, rows, operatorWitness, id, `INSERT INTO operator (id, email, name, role, password, password_at, created_at, ended_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0)`,
		id, o.Email, o.Name, string(o.Role), o.Password, authMicros(o.PasswordAt), authMicros(o.Created))
}

func (s authStore) EndOperator(ctx context.Context, rows ledger.Rows, id int64, at time.Time) error {
	return s.vouched(ctx, rows, operatorWitness, id, "UPDATE operator SET ended_at = $2 WHERE id = $1 AND ended_at = 0", id, at.UnixMicro())
}

func (s authStore) Enrolled(ctx context.Context, rows ledger.Rows, operator int64, session string) error {
	_, err := in(rows).Exec(ctx, "UPDATE session SET must_change = 0 WHERE id = $1 AND owner = $2 AND kind = 'operator' AND ended_at = 0", session, operator)
	return err
}

// Second factors.

const (
	factorColumns = "operator, secret, set_at, pending, pending_at, step, tries, locked"
	authFactor    = "SELECT " + factorColumns + " FROM operator_factor WHERE operator = $1"
)

func scanFactor(r *sql.Rows) (f auth.FactorRow, err error) {
	err = r.Scan(&f.Operator, &f.Secret, authTime{&f.Set}, &f.Pending, authTime{&f.PendingAt}, &f.Step, &f.Tries, authTime{&f.Locked})
	return f, err
}

func (s authStore) Factor(ctx context.Context, operator int64) (auth.FactorRow, bool, error) {
	return first(ctx, &s.db.rows, scanFactor, authFactor, operator)
}

func (s authStore) FactorIn(ctx context.Context, rows ledger.Rows, operator int64) (auth.FactorRow, bool, error) {
	return first(ctx, in(rows), scanFactor, authFactor, operator)
}

func (s authStore) PutFactor(ctx context.Context, rows ledger.Rows, f auth.FactorRow) error {
	if err := newLooker(in(rows)).there(ctx, factorWitness, f.Operator); err != nil {
		return err
	}
	if err := s.one(ctx, rows, "second factor", "INSERT INTO operator_factor ("+factorColumns+") VALUES "+placeholders(1, 8)+`
		ON CONFLICT (operator) DO UPDATE SET secret = excluded.secret, set_at = excluded.set_at, pending = excluded.pending,
		pending_at = excluded.pending_at, step = excluded.step, tries = excluded.tries, locked = excluded.locked`, factorValues(f)...); err != nil {
		return err
	}
	return in(rows).witnessNow(ctx, factorWitness, f.Operator)
}

// factorValues are the columns in their order.
func factorValues(f auth.FactorRow) []any {
	return []any{f.Operator, filled(f.Secret), authMicros(f.Set), filled(f.Pending), authMicros(f.PendingAt), f.Step, f.Tries, authMicros(f.Locked)}
}

// filled is b as a column that is never NULL takes it.
func filled(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func (s authStore) SetRecovery(ctx context.Context, rows ledger.Rows, operator int64, hashes [][]byte) error {
	if _, err := in(rows).Exec(ctx, "DELETE FROM operator_recovery WHERE operator = $1", operator); err != nil {
		return err
	}
	for _, h := range hashes {
		if err := s.one(ctx, rows, "recovery code", "INSERT INTO operator_recovery (operator, hash, used_at) VALUES ($1, $2, 0)", operator, h); err != nil {
			return err
		}
	}
	return s.sealRecovery(ctx, rows, operator)
}

// UseRecovery takes a code whose row, like all of the operator's, is what the factor
// says of them: a used one that was put back is found.
func (s authStore) UseRecovery(ctx context.Context, rows ledger.Rows, operator int64, hash []byte, at time.Time, may bool) (bool, error) {
	said, _, err := first(ctx, in(rows), scanBytes, "SELECT recovery FROM operator_factor WHERE operator = $1", operator)
	if err != nil {
		return false, err
	}
	sum, err := recoverySum(ctx, in(rows), operator)
	if err != nil {
		return false, err
	}
	if len(said) > 0 && !bytes.Equal(said, sum) {
		return false, tampered(factorWitness, factorWitness.id([]any{operator}), "its recovery codes are not what the signed chain says of them")
	}
	n, err := in(rows).Exec(ctx, "UPDATE operator_recovery SET used_at = $3 WHERE operator = $1 AND hash = $2 AND used_at = 0 AND $4 = 1",
		operator, hash, at.UnixMicro(), flag(may))
	if err != nil || n != 1 {
		return false, err
	}
	return true, s.sealRecovery(ctx, rows, operator)
}

// sealRecovery notes what the recovery codes are now in the factor's row, for which
// the chain vouches.
func (s authStore) sealRecovery(ctx context.Context, rows ledger.Rows, operator int64) error {
	sum, err := recoverySum(ctx, in(rows), operator)
	if err == nil {
		_, err = in(rows).changeOne(ctx, factorWitness, []any{operator}, "UPDATE operator_factor SET recovery = $2 WHERE operator = $1", operator, sum)
	}
	return err
}

func recoverySum(ctx context.Context, q querier, operator int64) ([]byte, error) {
	f := newFingerprint()
	if err := each(ctx, q, scanAny(2), func(vals []any) error {
		f.add(vals...)
		return nil
	}, "SELECT hash, used_at FROM operator_recovery WHERE operator = $1 ORDER BY hash", operator); err != nil {
		return nil, err
	}
	sum := f.bytes()
	return sum[:], nil
}

func (s authStore) RecoveryLeft(ctx context.Context, operator int64) (int, error) {
	n, _, err := first(ctx, &s.db.rows, scanID, "SELECT COUNT(*) FROM operator_recovery WHERE operator = $1 AND used_at = 0", operator)
	return int(n), err
}

func (authStore) Decoy(ctx context.Context, rows ledger.Rows) error {
	value := make([]byte, 32)
	_, _ = rand.Read(value) // never fails
	return enrolStore{}.Decoy(ctx, rows, value)
}
