package auth_test

import (
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A mailbox may have another owner by the time a backup is restored.
func TestARestoreEndsResetLinksTemporaryPasswordsAndConfirmingLinks(t *testing.T) {
	testkit.Engines(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		h.join(stranger)
		mailed, theirs := h.temporary(uid), h.temporary(stranger)
		h.must(h.command(func(tx *ledger.Tx) error {
			for i, p := range []member.LinkPurpose{member.ToConfirm, member.ToUndo} {
				l := member.EmailLink{UID: uid, Mark: []byte{byte(i)}, Purpose: p, Email: "a@b.example", Made: h.Clock.Now(), Until: h.Clock.Now().Add(time.Hour)}
				if err := h.DB.Member().AddEmailLink(ctx, tx, l); err != nil {
					return err
				}
			}
			return nil
		}))
		if r, err := h.DB.CountReactivated(ctx); err != nil || r.Codes != 3 {
			t.Errorf("told: %+v, %v", r, err)
		}
		raw := testkit.Raw(t, dsn)
		_, err := raw.ExecContext(ctx, "UPDATE credential SET password = 'planted' WHERE uid = $1", stranger)
		h.must(err)
		h.restart()
		h.must(h.command(func(tx *ledger.Tx) error { return h.DB.RevokeSignIns(ctx, tx) }))
		h.wants(h.reset(uid, mailed.ResetToken, newPassword), auth.ErrWrongReset)
		_, err = h.login(uid, mailed.Password)
		h.wants(err, auth.ErrWrongPassword)
		h.mustLogin() // by the password of the copy
		if count(t, dsn, "email_link WHERE purpose = 'confirm'") != 0 || count(t, dsn, "email_link") != 1 {
			t.Error("confirming links stay, or those that undo do not")
		}
		// The restore does not sign planted rows.
		if _, err := h.login(stranger, theirs.Password); err == nil {
			t.Error("a changed credential signs in")
		}
	})
}
