package app

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/job"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// openOffice puts together what is about operators.
func (a *App) openOffice() {
	c := &a.people.calls
	c.Frozen = func(ctx context.Context) (string, error) { // also in a process that does not lead
		head, err := a.db.Ledger().Head(ctx)
		return head.Frozen, err
	}
	c.Office = staff.New(staff.Options{Second: a.second, Do: a.ledger, Store: a.db.Office(), Members: c.Members, Auth: c.Auth, Mail: a.people.mail, AuditLog: c.AuditLog, Support: c.Support, Clock: a.clock, Log: a.log, PaymentNumbers: fund.NumbersOf})
}

// recordOf lets auth, which knows no other noun, write into the record.
func recordOf(t *auditlog.Service) func(context.Context, *ledger.Tx, auth.Act) error {
	return func(ctx context.Context, tx *ledger.Tx, a auth.Act) error {
		return t.Write(ctx, tx, auditlog.Entry{
			Operator: a.Operator, Name: a.Name, Act: a.Kind, Member: a.Member, Became: auditlog.State(a.Became), Reason: a.Reason, Shown: a.Member != 0,
		})
	}
}

// sealing is the job that puts the record's last hash into the signed chain.
func (a *App) sealing() job.Task {
	return job.Task{Name: "seal the record", Every: time.Minute, Run: a.people.calls.AuditLog.Seal}
}
