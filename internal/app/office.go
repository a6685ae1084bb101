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

// openOffice builds the services for operators.
func (a *App) openOffice() {
	c := &a.services
	c.Frozen = func(ctx context.Context) (string, error) { // also in a standby
		head, err := a.db.Ledger().Head(ctx)
		return head.Frozen, err
	}
	c.Staff = staff.New(staff.Options{Second: a.second, Do: a.ledger, Store: a.db.Office(), Members: c.Members, Auth: c.Auth, Mail: a.services.Mail, AuditLog: c.AuditLog, Support: c.Support, Clock: a.clock, Log: a.log, PaymentNumbers: fund.NumbersOf})
}

// auditLogWriter lets auth write to the audit log.
func auditLogWriter(t *auditlog.Service) func(context.Context, *ledger.Tx, auth.Act) error {
	return func(ctx context.Context, tx *ledger.Tx, a auth.Act) error {
		return t.Write(ctx, tx, auditlog.Entry{
			Operator: a.Operator, Name: a.Name, Act: a.Kind, Member: a.Member, Became: auditlog.State(a.Became), Reason: a.Reason, Shown: a.Member != 0,
		})
	}
}

// sealing is the job that writes the audit log's last hash into the signed chain.
func (a *App) sealing() job.Task {
	return job.Task{Name: "seal the record", Every: time.Minute, Run: a.services.AuditLog.Seal}
}
