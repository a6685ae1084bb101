package people

import (
	"context"
	"database/sql"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"

	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// authStore keeps credentials, sessions, operators and visit tickets.
type authStore struct{ db *engine.DB }

var (
	// Of passwords, secrets and codes the row has hashes or sealed bytes, and a line a hash
	// of these.
	credentialSigned = evidence.NewSignedTable("credential", credentialFacts, evidence.SignedOptions{Checked: true})
	visitSigned      = evidence.NewSignedTable("visit_ticket", visitColumns, evidence.SignedOptions{Checked: true})
	mailedCodeSigned = evidence.NewSignedTable("password_code", mailedCodeColumns, evidence.SignedOptions{Checked: true})
)

// Auth is the database as package auth needs it.
func Auth(db *engine.DB) auth.Store { return authStore{db} }

// authMicros is a time as stored; 0 for never.
func authMicros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// authTime scans a time; 0 is the zero time.
type authTime struct{ t *time.Time }

func (s authTime) Scan(v any) error {
	var n sql.NullInt64
	if err := n.Scan(v); err != nil {
		return err
	}
	*s.t = time.Time{}
	if n.Int64 != 0 {
		*s.t = time.UnixMicro(n.Int64).UTC()
	}
	return nil
}

// Credentials.

const (
	credentialFacts   = "uid, password, password_at, must_change, temporary, reset, temporary_until, pin, pin_at, wait_until, wait_for, factor_set, pin_mailed, pin_rests"
	credentialColumns = credentialFacts + ", pin_tries, pin_locked"
	authCredential    = "SELECT " + credentialColumns + " FROM credential WHERE uid = $1"
)

func scanCredential(r *sql.Rows) (c auth.CredentialRow, err error) {
	var must int64
	err = r.Scan(&c.UID, &c.Password, authTime{&c.PasswordAt}, &must, &c.Temporary, &c.Reset, authTime{&c.TemporaryUntil},
		&c.Pin, authTime{&c.PinAt}, authTime{&c.WaitUntil}, &c.WaitFor, authTime{&c.FactorSet}, authTime{&c.PinMailed}, authTime{&c.PinRests}, &c.PinTries, authTime{&c.PinLocked})
	c.MustChange = must != 0
	return c, err
}

// credentialValues are the columns in the order of both statements below.
func credentialValues(c auth.CredentialRow) []any {
	reset := c.Reset
	if reset == nil {
		reset = []byte{}
	}
	return []any{
		c.UID, c.Password, authMicros(c.PasswordAt), engine.BoolInt(c.MustChange), c.Temporary, reset, authMicros(c.TemporaryUntil),
		c.Pin, authMicros(c.PinAt), authMicros(c.WaitUntil), string(c.WaitFor), authMicros(c.FactorSet), authMicros(c.PinMailed), authMicros(c.PinRests), c.PinTries, authMicros(c.PinLocked),
	}
}

// Credential asks nothing of the chain: a stranger who tries passwords must not learn
// from the time it takes which ids there are.
func (s authStore) Credential(ctx context.Context, uid int64) (auth.CredentialRow, bool, error) {
	return engine.First(ctx, s.db.Committed(), scanCredential, authCredential, uid)
}

// CredentialIn verifies the row: a transaction password moves money.
func (s authStore) CredentialIn(ctx context.Context, tx *ledger.Tx, uid int64) (auth.CredentialRow, bool, error) {
	if err := evidence.VerifierIn(engine.GroupOf(tx)).Row(ctx, credentialSigned, uid); err != nil {
		return auth.CredentialRow{}, false, err
	}
	return engine.First(ctx, engine.GroupOf(tx), scanCredential, authCredential, uid)
}

func (s authStore) AddCredential(ctx context.Context, tx *ledger.Tx, c auth.CredentialRow) error {
	vals := credentialValues(c)
	evidence.SignRow(engine.GroupOf(tx), credentialSigned, vals[:len(credentialSigned.Columns)]...)
	return engine.ExecOne(ctx, engine.GroupOf(tx), "credential", "INSERT INTO credential ("+credentialColumns+") VALUES "+engine.Placeholders(1, len(vals)), vals...)
}

func (s authStore) PutCredential(ctx context.Context, tx *ledger.Tx, c auth.CredentialRow) error {
	vals := credentialValues(c)
	was, _, err := engine.First(ctx, engine.GroupOf(tx), scanCredential, authCredential, c.UID)
	if err != nil {
		return err
	}
	if credentialSigned.Differs(credentialValues(was), vals) {
		if err := evidence.VerifierIn(engine.GroupOf(tx)).Row(ctx, credentialSigned, c.UID); err != nil {
			return err
		}
		evidence.SignRow(engine.GroupOf(tx), credentialSigned, vals[:len(credentialSigned.Columns)]...)
	}
	return engine.ExecOne(ctx, engine.GroupOf(tx), "credential", `UPDATE credential SET
		password = $2, password_at = $3, must_change = $4, temporary = $5, reset = $6, temporary_until = $7,
		pin = $8, pin_at = $9, wait_until = $10, wait_for = $11, factor_set = $12, pin_mailed = $13, pin_rests = $14,
		pin_tries = $15, pin_locked = $16 WHERE uid = $1`, vals...)
}

// Sessions. The role is the operator's as of now, and empty once they ended.

const authSession = `SELECT s.id, s.kind, s.owner, s.operator, COALESCE(o.role, ''), s.reason, s.must_change, s.peer, s.claimed_ip, s.agent,
	s.created_at, s.seen_at, s.expires_at, s.ended_at, s.seal
	FROM session s LEFT JOIN operator o ON o.id = s.operator AND o.ended_at = 0 `

func (s authStore) Session(ctx context.Context, id string) (auth.Session, bool, error) {
	if err := evidence.KnowEnded(ctx, s.db); err != nil {
		return auth.Session{}, false, err
	}
	n, found, err := engine.First(ctx, s.db.Committed(), s.scanSession, authSession+"WHERE s.id = $1", id)
	if err == nil && found && n.Operator != 0 { // an operator's role is of another table
		n.Role, err = s.role(ctx, n.Operator)
	}
	return n, found, err
}

func (s authStore) Sessions(ctx context.Context, kind auth.Kind, owner int64, t, seen time.Time, limit int) ([]auth.Session, error) {
	return engine.List(ctx, s.db.Committed(), s.scanSession, authSession+`WHERE s.owner = $1 AND s.kind = $2 AND s.ended_at = 0 AND s.expires_at > $3 AND s.seen_at > $4
		ORDER BY s.created_at DESC, s.id DESC LIMIT $5`, owner, string(kind), t.UnixMicro(), seen.UnixMicro(), limit)
}

func (s authStore) AddSession(ctx context.Context, tx *ledger.Tx, n auth.Session) error {
	seal, err := s.sealSession(n)
	if err != nil {
		return err
	}
	return engine.ExecOne(ctx, engine.GroupOf(tx), "session", `INSERT INTO session
		(id, kind, owner, operator, reason, must_change, peer, claimed_ip, agent, created_at, seen_at, expires_at, ended_at, seal)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, $13)`,
		n.ID, string(n.Kind), n.Owner, n.Operator, n.Reason, engine.BoolInt(n.MustChange), n.Peer, n.ClaimedIP, n.Agent,
		authMicros(n.Created), authMicros(n.Seen), authMicros(n.Expires), seal)
}

// Whatever ends sessions notes in the chain which (noteEnded): a row can be changed.

func (s authStore) EndSession(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, id string, at time.Time) (bool, error) {
	n, err := engine.GroupOf(tx).Exec(ctx, "UPDATE session SET ended_at = $4 WHERE id = $1 AND kind = $2 AND owner = $3 AND ended_at = 0",
		id, string(kind), owner, at.UnixMicro())
	if n == 1 {
		evidence.NoteEnded(engine.GroupOf(tx), id)
	}
	return n == 1, err
}

func scanSessionID(r *sql.Rows) (id string, err error) {
	err = r.Scan(&id)
	return id, err
}

// endAll runs a statement that ends sessions and gives their ids.
func (s authStore) endAll(ctx context.Context, tx *ledger.Tx, query string, args ...any) ([]string, error) {
	ids, err := engine.List(ctx, engine.GroupOf(tx), scanSessionID, query, args...)
	evidence.NoteEnded(engine.GroupOf(tx), ids...)
	return ids, err
}

func (s authStore) EndSessions(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, keep string, at time.Time) ([]string, error) {
	return s.endAll(ctx, tx, "UPDATE session SET ended_at = $4 WHERE owner = $1 AND kind = $2 AND id <> $3 AND ended_at = 0 RETURNING id",
		owner, string(kind), keep, at.UnixMicro())
}

func (s authStore) EndVisits(ctx context.Context, tx *ledger.Tx, operator int64, at time.Time) ([]string, error) {
	return s.endAll(ctx, tx, "UPDATE session SET ended_at = $2 WHERE operator = $1 AND kind = 'visit' AND expires_at > $2 AND ended_at = 0 RETURNING id",
		operator, at.UnixMicro())
}

func (s authStore) Changed(ctx context.Context, tx *ledger.Tx, uid int64, id string) (bool, error) {
	return s.free(ctx, tx, auth.KindMember, uid, id)
}

// free takes must_change off an open session; false if it is none of the owner's.
func (s authStore) free(ctx context.Context, tx *ledger.Tx, kind auth.Kind, owner int64, id string) (bool, error) {
	n, found, err := engine.First(ctx, engine.GroupOf(tx), s.scanSession, authSession+"WHERE s.id = $1", id)
	if err != nil || !found || n.Kind != kind || n.Owner != owner || !n.Ended.IsZero() {
		return false, err
	}
	n.MustChange = false
	seal, err := s.sealSession(n)
	if err != nil {
		return false, err
	}
	hit, err := engine.GroupOf(tx).Exec(ctx, "UPDATE session SET must_change = 0, seal = $2 WHERE id = $1 AND ended_at = 0", id, seal)
	return hit == 1, err
}

func (s authStore) Saw(ctx context.Context, tx *ledger.Tx, id string, at time.Time) error {
	_, err := engine.GroupOf(tx).Exec(ctx, "UPDATE session SET seen_at = $2 WHERE id = $1 AND seen_at < $2 AND ended_at = 0", id, at.UnixMicro())
	return err
}

// Visit tickets.

const visitColumns = "id, uid, operator, reason, created_at, expires_at, used_at"

func (s authStore) AddTicket(ctx context.Context, tx *ledger.Tx, t auth.TicketRow) error {
	return s.changeRow(ctx, tx, visitSigned, t.ID, `INSERT INTO visit_ticket (`+visitColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, 0)`, t.ID, t.UID, t.Operator, t.Reason, authMicros(t.Created), authMicros(t.Expires))
}

func (s authStore) TicketIn(ctx context.Context, tx *ledger.Tx, id string) (auth.TicketRow, bool, error) {
	scan := func(r *sql.Rows) (t auth.TicketRow, err error) {
		err = r.Scan(&t.ID, &t.UID, &t.Operator, &t.Reason, authTime{&t.Created}, authTime{&t.Expires}, authTime{&t.Used})
		return t, err
	}
	return engine.First(ctx, engine.GroupOf(tx), scan, "SELECT "+visitColumns+" FROM visit_ticket WHERE id = $1", id)
}

func (s authStore) UseTicket(ctx context.Context, tx *ledger.Tx, id string, at time.Time) error {
	return s.changeRow(ctx, tx, visitSigned, id, "UPDATE visit_ticket SET used_at = $2 WHERE id = $1 AND used_at = 0", id, at.UnixMicro())
}

// Mailed codes.

const mailedCodeColumns = "uid, hash, purpose, mailed_at, expires_at, tries"

func (authStore) MailedCode(ctx context.Context, tx *ledger.Tx, uid int64) (auth.MailedCodeRow, bool, error) {
	scan := func(r *sql.Rows) (c auth.MailedCodeRow, err error) {
		err = r.Scan(&c.UID, &c.Hash, &c.Purpose, authTime{&c.Mailed}, authTime{&c.Expires}, &c.Tries)
		return c, err
	}
	return engine.First(ctx, engine.GroupOf(tx), scan, "SELECT "+mailedCodeColumns+" FROM password_code WHERE uid = $1", uid)
}

func (s authStore) PutMailedCode(ctx context.Context, tx *ledger.Tx, c auth.MailedCodeRow) error {
	return s.changeRow(ctx, tx, mailedCodeSigned, c.UID, `INSERT INTO password_code (`+mailedCodeColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (uid) DO UPDATE SET hash = excluded.hash, purpose = excluded.purpose, mailed_at = excluded.mailed_at,
		expires_at = excluded.expires_at, tries = excluded.tries`,
		c.UID, filled(c.Hash), string(c.Purpose), authMicros(c.Mailed), authMicros(c.Expires), c.Tries)
}

var WithdrawalCodeSigned = evidence.NewSignedTable("withdrawal_code", WithdrawalCodeColumns, evidence.SignedOptions{Checked: true})

const WithdrawalCodeColumns = "uid, hash, bound, wallet, type, amount, address, mailed_at, expires_at, tries, locked_at, used_at"
