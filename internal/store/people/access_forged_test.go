package people_test

import (
	"context"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/store"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// accessRows are rows that give access or let money leave, the change of them, and the next
// use of such a row.
var accessRows = map[string]struct {
	change string
	use    func(ctx context.Context, db *store.DB, tx *ledger.Tx, now time.Time) error
}{
	"withdrawal_code": {"tries = 0, locked_at = 0", func(ctx context.Context, db *store.DB, tx *ledger.Tx, now time.Time) error {
		return db.Withdrawal().PutCode(ctx, tx, withdrawal.Code{UID: 7, Hash: []byte{1}, Order: withdrawal.Order{Amount: money.Micro(1)}, Mailed: now, Expires: now.Add(time.Minute), Tries: 5, Locked: now})
	}},
	"password_code": {"tries = 0", func(ctx context.Context, db *store.DB, tx *ledger.Tx, now time.Time) error {
		return db.Auth().PutMailedCode(ctx, tx, auth.MailedCodeRow{UID: 7, Hash: []byte{1}, Purpose: "password", Mailed: now, Expires: now.Add(time.Minute), Tries: 4})
	}},
	"operator_invitation": {"until = until + 1", func(ctx context.Context, db *store.DB, tx *ledger.Tx, now time.Time) error {
		return db.Auth().PutInvitation(ctx, tx, auth.InvitationRow{Operator: 7, Token: []byte{1}, Until: now.Add(time.Minute)})
	}},
	"visit_ticket": {"used_at = 0", func(ctx context.Context, db *store.DB, tx *ledger.Tx, now time.Time) error {
		if _, found, err := db.Auth().TicketIn(ctx, tx, "t"); !found && err == nil {
			if err := db.Auth().AddTicket(ctx, tx, auth.TicketRow{ID: "t", UID: 7, Operator: 1, Reason: "why", Created: now, Expires: now.Add(time.Minute)}); err != nil {
				return err
			}
		}
		return db.Auth().UseTicket(ctx, tx, "t", now)
	}},
}

func TestARewrittenCodeOrTicketIsNotUsed(t *testing.T) {
	testkit.Conformance(t, func(s *testkit.Stores) {
		for table, c := range accessRows {
			use := func() error {
				return s.Try(func(ctx context.Context, tx *ledger.Tx) error { return c.use(ctx, s.DB, tx, tx.Now()) })
			}
			if err := use(); err != nil {
				s.T.Fatalf("%s: %v", table, err)
			}
			s.Exec("UPDATE " + table + " SET " + c.change)
			err := use()
			if s.State().Head.Frozen == "" {
				s.T.Errorf("%s: payments are not frozen", table)
			}
			s.Tampered(table, err)
		}
	})
}
