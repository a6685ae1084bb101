package payout

import (
	"context"
	"crypto/rand"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// record writes an operator's action on a batch or the hot wallet to the audit log.
func (s *Service) record(ctx context.Context, tx *ledger.Tx, by actor.By, kind, subject string, a money.Amount, why string) error {
	return s.opt.AuditLog.Record(ctx, tx, act(tx, by, kind, subject, a, why))
}

// mail mails the operators who may approve a proposal.
func (s *Service) mail(ctx context.Context, tx *ledger.Tx, by actor.By, kind approvalmail.Kind, about string) error {
	return s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: kind, About: about, By: by})
}

func act(tx *ledger.Tx, by actor.By, kind, subject string, a money.Amount, why string) auditlog.Act {
	return auditlog.Act{
		ID: "y" + strings.ToLower(rand.Text()[:16]), Kind: "payout." + kind, Subject: subject, Amount: a, Reference: why, Operator: by.Operator, Name: by.Name, At: tx.Now(),
	}
}

// recordOne writes an operator's action on one payout to the audit log, where its member
// sees it too.
func (s *Service) recordOne(ctx context.Context, tx *ledger.Tx, by actor.By, kind string, was, became map[string]string, p Payout, why string) error {
	a := act(tx, by, kind, text(p.Batch)+"/"+text(p.Withdrawal), p.Amount, why)
	became["amount"] = p.Amount.String()
	a.Member, a.Shown, a.Was, a.Became = p.UID, true, auditlog.State(was), auditlog.State(became)
	return s.opt.AuditLog.Record(ctx, tx, a)
}

// recordAll writes an operator's action on a batch to the audit log, and an entry for the
// member of each payout.
func (s *Service) recordAll(ctx context.Context, tx *ledger.Tx, by actor.By, kind string, b Batch, was, is string, all []Payout, why string) error {
	a := act(tx, by, kind, text(b.ID), b.Total, why)
	if was != "" {
		a.Was = auditlog.State(map[string]string{"state": was})
	}
	a.Became = auditlog.State(map[string]string{"state": is, "amount": b.Total.String()})
	if err := s.opt.AuditLog.Record(ctx, tx, a); err != nil {
		return err
	}
	for _, p := range all {
		before := map[string]string{}
		if was != "" {
			before["batch"] = was
		}
		if err := s.recordOne(ctx, tx, by, kind, before, map[string]string{"batch": is}, p, ""); err != nil {
			return err
		}
	}
	return nil
}

func inState(s State) map[string]string { return map[string]string{"state": string(s)} }

func text(id int64) string { return strconv.FormatInt(id, 10) }
