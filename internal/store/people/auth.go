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

// Auth is the store of credentials, sessions and operators.
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

// Credential does not verify the row: the time that an attempt takes must not tell which
// ids exist.
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

// WithdrawalCodeSigned signs the codes that were mailed for withdrawals.
var WithdrawalCodeSigned = evidence.NewSignedTable("withdrawal_code", WithdrawalCodeColumns, evidence.SignedOptions{Checked: true})

// WithdrawalCodeColumns are all columns of withdrawal_code.
const WithdrawalCodeColumns = "uid, hash, bound, wallet, type, amount, address, mailed_at, expires_at, tries, locked_at, used_at"
