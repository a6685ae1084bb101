package people

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/trade/closing"

	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
)

// What a restore leaves: a note that payouts are to be held, and, once a server
// leads, nothing by which somebody is signed in.

// CountRevived is what an older copy brought back.
type Revived struct {
	Sessions  int64 `json:"sessions"` // that were open
	Codes     int64 `json:"codes"`    // mailed codes, links, temporary passwords, tickets and challenges
	Pending   int64 `json:"pending"`  // withdrawals that wait for operators
	Approved  int64 `json:"approved"` // withdrawals that nothing is known to have paid
	Signed    int64 `json:"signed"`   // payouts on their way
	Batches   int64 `json:"batches"`  // of payouts, that are not at their end
	Requests  int64 `json:"requests"` // of deposits
	Proposals int64 `json:"proposals"`
	Letters   int64 `json:"letters"` // mails that wait
}

// CountRevived counts what an older copy brought back.
func CountRevived(ctx context.Context, db *engine.DB) (r Revived, err error) {
	for _, c := range []struct {
		to    *int64
		query string
	}{
		{&r.Sessions, "SELECT COUNT(*) FROM session WHERE ended_at = 0"},
		{&r.Codes, `SELECT (SELECT COUNT(*) FROM password_code) + (SELECT COUNT(*) FROM withdrawal_code WHERE used_at = 0) + (SELECT COUNT(*) FROM visit_ticket WHERE used_at = 0)
			+ (SELECT COUNT(*) FROM factor_challenge) + (SELECT COUNT(*) FROM operator_invitation)
			+ (SELECT COUNT(*) FROM credential WHERE ` + forgottenPassword + `) + (SELECT COUNT(*) FROM email_link WHERE purpose = 'confirm')`},
		{&r.Pending, "SELECT COUNT(*) FROM withdrawal WHERE state = 'Pending'"},
		{&r.Approved, "SELECT COUNT(*) FROM withdrawal WHERE state = 'Approved'"},
		{&r.Signed, "SELECT COUNT(*) FROM payout WHERE state IN ('signed', 'sent')"},
		{&r.Batches, "SELECT COUNT(*) FROM payout_batch WHERE state IN ('proposed', 'approved')"},
		{&r.Requests, "SELECT COUNT(*) FROM fund_request WHERE state = 'Pending'"},
		{&r.Proposals, `SELECT (SELECT COUNT(*) FROM setting_proposal WHERE state = 'waiting') + (SELECT COUNT(*) FROM booking_proposal WHERE state = 'waiting')
			+ (SELECT COUNT(*) FROM correction WHERE state = 'waiting') + (SELECT COUNT(*) FROM operator_proposal WHERE state = 'waiting')`},
		{&r.Letters, "SELECT COUNT(*) FROM outbox WHERE state = 'waiting'"},
	} {
		if *c.to, _, err = engine.First(ctx, db.Committed(), engine.ScanCount, c.query); err != nil {
			return r, err
		}
	}
	return r, nil
}

// forgottenPassword is a credential for which a temporary password and a link that sets
// a new one were mailed.
const forgottenPassword = "(temporary <> '' OR temporary_until <> 0)"

// signIns end whatever signs somebody in, or does something in their name, without
// their password: $1 is the time. What counts wrong tries stays.
var signIns = map[*evidence.SignedTable]string{
	visitSigned:          "UPDATE visit_ticket SET used_at = $1 WHERE used_at = 0 RETURNING id",
	invitationSigned:     "UPDATE operator_invitation SET until = $1 WHERE until > $1 RETURNING operator",
	WithdrawalCodeSigned: "UPDATE withdrawal_code SET used_at = $1 WHERE used_at = 0 RETURNING uid",
	mailedCodeSigned:     "UPDATE password_code SET expires_at = $1 WHERE expires_at > $1 RETURNING uid",
}

// EndSignIns ends them, and every session, within a command. That a session has ended
// is noted in the chain, as where it ends by itself.
func EndSignIns(ctx context.Context, db *engine.DB, tx *ledger.Tx) error {
	if _, err := (authStore{db: db}).endAll(ctx, tx, "UPDATE session SET ended_at = $1 WHERE ended_at = 0 RETURNING id", engine.Micros(tx.Now())); err != nil {
		return err
	}
	for w, query := range signIns {
		if err := evidence.SignAll(ctx, engine.GroupOf(tx), w, query, engine.Micros(tx.Now())); err != nil {
			return err
		}
	}
	if err := (authStore{db: db}).endTemporary(ctx, tx); err != nil {
		return err
	}
	// A link that was used confirms again in an older copy. Those that undo a change of
	// address stay: the copy may hold the change, and they lead back from it.
	if _, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM email_link WHERE purpose = 'confirm'"); err != nil {
		return err
	}
	_, err := engine.GroupOf(tx).Exec(ctx, "UPDATE factor_challenge SET expires_at = $1 WHERE expires_at > $1", engine.Micros(tx.Now()))
	return err
}

// endTemporary ends temporary passwords and links that set a new one. Row by row: a
// credential that differs from its signed line must not be signed here; none of its
// passwords is taken anyway.
func (s authStore) endTemporary(ctx context.Context, tx *ledger.Tx) error {
	members, err := engine.List(ctx, engine.GroupOf(tx), engine.ScanCount, "SELECT uid FROM credential WHERE "+forgottenPassword)
	if err != nil {
		return err
	}
	for _, uid := range members {
		c, _, err := s.CredentialIn(ctx, tx, uid)
		if errors.As(err, new(*ledger.TamperedError)) {
			continue
		}
		if err != nil {
			return err
		}
		c.Temporary, c.Reset, c.TemporaryUntil = "", nil, time.Time{}
		if err := s.PutCredential(ctx, tx, c); err != nil {
			return err
		}
	}
	return nil
}

// CheckSealed holds sealed rows against where they stand: letters against their
// recipients, bank details against their members. It needs the key.
func CheckSealed(ctx context.Context, db *engine.DB) error {
	if !evidence.CanUnseal(db) {
		return nil
	}
	for _, check := range []func(context.Context, *engine.DB) error{checkLetters, checkBanks, checkSessions} {
		if b, err := evidence.Caught(check(ctx, db)); err != nil || b != nil {
			return errors.Join(err, AsBroken(b))
		}
	}
	return nil
}

func AsBroken(b *closing.Broken) error {
	if b == nil {
		return nil
	}
	return b
}

const sealedRight = "a sealed value opens where it stands"
