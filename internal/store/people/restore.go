package people

import (
	"context"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/store/engine"
	"github.com/bifolia/bifolia/internal/store/evidence"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// After a restore the first server that leads ends every sign-in.

// Reactivated counts the rows that were finished before the restore and are open in the
// restored copy, by kind.
type Reactivated struct {
	Sessions  int64 `json:"sessions"` // that are open
	Codes     int64 `json:"codes"`    // mailed codes, links, temporary passwords, tickets and challenges
	Pending   int64 `json:"pending"`  // withdrawals that wait for approval
	Approved  int64 `json:"approved"` // withdrawals without a known payment
	Signed    int64 `json:"signed"`   // payouts that are signed or sent
	Batches   int64 `json:"batches"`  // of payouts, that are not done
	Requests  int64 `json:"requests"` // of deposits
	Proposals int64 `json:"proposals"`
	Letters   int64 `json:"letters"` // mails that wait
}

// CountReactivated counts the open sessions, codes and requests of a restored copy.
func CountReactivated(ctx context.Context, db *engine.DB) (r Reactivated, err error) {
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

// signIns are the statements that end tickets, invitations and codes; each lets its holder
// act without a password. $1 is the time. Counters of failed attempts are not changed.
var signIns = map[*evidence.SignedTable]string{
	visitSigned:          "UPDATE visit_ticket SET used_at = $1 WHERE used_at = 0 RETURNING id",
	invitationSigned:     "UPDATE operator_invitation SET until = $1 WHERE until > $1 RETURNING operator",
	WithdrawalCodeSigned: "UPDATE withdrawal_code SET used_at = $1 WHERE used_at = 0 RETURNING uid",
	mailedCodeSigned:     "UPDATE password_code SET expires_at = $1 WHERE expires_at > $1 RETURNING uid",
}

// RevokeSignIns ends every session, ticket, invitation and code within a command. The
// signed chain records the end of each session.
func RevokeSignIns(ctx context.Context, db *engine.DB, tx *ledger.Tx) error {
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
	// A used link would confirm again in the restored copy. Links that undo a change of
	// address stay valid: the copy may contain the change.
	if _, err := engine.GroupOf(tx).Exec(ctx, "DELETE FROM email_link WHERE purpose = 'confirm'"); err != nil {
		return err
	}
	_, err := engine.GroupOf(tx).Exec(ctx, "UPDATE factor_challenge SET expires_at = $1 WHERE expires_at > $1", engine.Micros(tx.Now()))
	return err
}

// endTemporary ends temporary passwords and links that set a new one. It verifies each
// credential: one that differs from its signed line must not be signed here, and none of
// its passwords is accepted anyway.
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

// CheckSealed verifies that each sealed value belongs to its row: letters to their
// recipients, bank details to their members. Without the key it checks nothing.
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

// AsBroken is b as an error, and nil if b is nil.
func AsBroken(b *closing.Broken) error {
	if b == nil {
		return nil
	}
	return b
}

const sealedRight = "a sealed value opens where it stands"
