package staff

import (
	"context"
	"errors"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// standing is the state of an operator in the audit log.
type standing struct {
	Role  auth.Role `json:"role,omitempty"`
	Ended bool      `json:"ended,omitempty"`
}

type Invited struct {
	Operator int64          `json:"operator"`
	Proposal *auth.Proposal `json:"proposal,omitempty"` // of the role; nil for a reader
}

// Invite adds an operator with the role readonly, mails a one-time link to choose a
// password, and proposes the requested role.
//
// Errors: Invalid, with every wrong field; Conflict if an operator has the e-mail; those
// of auth's Propose.
func (s *Service) Invite(ctx context.Context, by actor.By, key, email, name, role, reason string) (out Invited, err error) {
	o, err := auth.ParseOperator(email, name, role)
	reason, wrong := auditlog.ParseReason(reason)
	if err := bothFields(err, wrong); err != nil {
		return out, err
	}
	wanted := o.Role
	o.Role = auth.RoleReadOnly
	link := s.opt.Auth.PrepareInvitation()
	body := []any{"invite", o.Email, o.Name, wanted, reason}
	return ledger.Run(ctx, s.opt.Do, by.Key(), key, body, func(ctx context.Context, tx *ledger.Tx) (out Invited, err error) {
		o := o // a command may run twice
		if o.ID, err = s.opt.Auth.AddOperator(ctx, tx, o, ""); err != nil {
			return out, err
		}
		out.Operator = o.ID
		e := auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "invite", Subject: subject(o), Became: auditlog.State(standing{Role: o.Role}), Reason: reason}
		if err := s.opt.AuditLog.Write(ctx, tx, e); err != nil {
			return out, err
		}
		if err := s.link(ctx, tx, by, o.ID, link); err != nil {
			return out, err
		}
		if wanted == o.Role {
			return out, nil
		}
		p, err := s.propose(ctx, tx, by, auth.ProposeRole, o.ID, wanted, reason)
		out.Proposal = &p
		return out, err
	})
}

// bothFields joins the wrong fields of two checks.
func bothFields(a, b error) error {
	var all []errs.Field
	for _, err := range []error{a, b} {
		var e *errs.Error
		switch {
		case errors.As(err, &e) && len(e.Fields) > 0:
			all = append(all, e.Fields...)
		case err != nil:
			return err
		}
	}
	return errs.Fields(all)
}

// link stores a one-time link and mails it.
func (s *Service) link(ctx context.Context, tx *ledger.Tx, by actor.By, operator int64, link auth.Invitation) error {
	o, err := s.opt.Auth.Invite(ctx, tx, operator, link)
	if err != nil {
		return err
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	return s.opt.Mail.Queue(ctx, tx, o.Email, mail.OperatorInvited{Name: o.Name, By: by.Name, Operator: o.ID, Token: link.Token, Valid: link.Life()})
}

// InviteAgain mails a new link to an operator who lost the first. Errors: Invalid for an
// unusable reason; NotFound; Conflict if they have a password.
func (s *Service) InviteAgain(ctx context.Context, by actor.By, key string, operator int64, reason string) error {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return err
	}
	link := s.opt.Auth.PrepareInvitation()
	_, err = ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"invite again", operator, reason}, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
		if err := s.link(ctx, tx, by, operator, link); err != nil {
			return false, err
		}
		e := auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "invite again", Subject: actor.Operator(operator), Reason: reason}
		return true, s.opt.AuditLog.Write(ctx, tx, e)
	})
	return err
}

// Accept sets the password of an invited operator. Errors: those of auth.
func (s *Service) Accept(ctx context.Context, a auth.Acceptance) error {
	return s.opt.Auth.Accept(ctx, a, func(ctx context.Context, tx *ledger.Tx, o auth.Operator) error {
		return s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{Operator: o.ID, Name: o.Email, Act: "password set", Subject: subject(o)})
	})
}

// ProposeRole proposes another role of an operator. Errors: Invalid; those of auth's
// Propose.
func (s *Service) ProposeRole(ctx context.Context, by actor.By, key string, operator int64, role, reason string) (p auth.Proposal, err error) {
	wanted, err := auth.ParseRole(role)
	reason, wrong := auditlog.ParseReason(reason)
	if err := bothFields(err, wrong); err != nil {
		return p, err
	}
	return ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"role", operator, wanted, reason}, func(ctx context.Context, tx *ledger.Tx) (auth.Proposal, error) {
		return s.propose(ctx, tx, by, auth.ProposeRole, operator, wanted, reason)
	})
}

// propose records a proposal, and its approval if there is only one owner, with an entry
// in the audit log.
func (s *Service) propose(ctx context.Context, tx *ledger.Tx, by actor.By, kind auth.ProposalKind, operator int64, wanted auth.Role, reason string) (auth.Proposal, error) {
	p, err := s.opt.Auth.Propose(ctx, tx, by.Operator, kind, operator, wanted, reason)
	if err != nil {
		return p, err
	}
	if err := s.enter(ctx, tx, by, p); err != nil || p.State != approval.Waiting {
		return p, err
	}
	return p, s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: approvalmail.Operator, About: actor.Operator(operator) + ", " + string(kind) + " " + string(wanted), By: by})
}

// enter writes a proposal's state to the audit log.
func (s *Service) enter(ctx context.Context, tx *ledger.Tx, by actor.By, p auth.Proposal) error {
	act := string(p.State)
	if p.State == approval.Waiting {
		act = "proposed"
	}
	e := auditlog.Entry{
		Operator: by.Operator, Name: by.Name, Act: string(p.Kind) + " " + act, Subject: actor.Operator(p.Operator),
		Was: auditlog.State(standing{Role: p.Was}), Became: auditlog.State(standing{Role: p.Wanted, Ended: p.Kind == auth.ProposeEnd}), Reason: p.Alone.After(p.Reason),
	}
	return s.opt.AuditLog.Write(ctx, tx, e)
}

type Ended struct {
	Done     bool           `json:"done"`               // ended at once
	Proposal *auth.Proposal `json:"proposal,omitempty"` // of an owner: another owner must approve
}

// End ends an operator at once, with all sessions. If the operator is an owner, it
// proposes that, so that nobody becomes the only owner alone.
//
// Errors: Invalid for an unusable reason; NotFound; those of auth's Propose and
// EndOperator.
func (s *Service) End(ctx context.Context, by actor.By, key string, operator int64, reason string) (out Ended, err error) {
	reason, err = auditlog.ParseReason(reason)
	if err != nil {
		return out, err
	}
	return ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"end", operator, reason}, func(ctx context.Context, tx *ledger.Tx) (out Ended, err error) {
		o, err := s.opt.Auth.OperatorOf(ctx, tx, operator)
		if err != nil {
			return out, err
		}
		if o.Role == auth.RoleOwner {
			p, err := s.propose(ctx, tx, by, auth.ProposeEnd, operator, "", reason)
			return Ended{Proposal: &p}, err
		}
		if err := s.opt.Auth.EndOperator(ctx, tx, operator); err != nil {
			return out, err
		}
		e := auditlog.Entry{
			Operator: by.Operator, Name: by.Name, Act: "end", Subject: subject(o),
			Was: auditlog.State(standing{Role: o.Role}), Became: auditlog.State(standing{Role: o.Role, Ended: true}), Reason: reason,
		}
		return Ended{Done: true}, s.opt.AuditLog.Write(ctx, tx, e)
	})
}

// Decide approves or rejects another owner's proposal, or withdraws one's own. Errors:
// those of auth.
func (s *Service) Decide(ctx context.Context, by actor.By, key string, id int64, digest string, approve bool) (auth.Proposal, error) {
	return ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"decide", id, digest, approve}, func(ctx context.Context, tx *ledger.Tx) (auth.Proposal, error) {
		p, err := s.opt.Auth.Decide(ctx, tx, by.Operator, id, digest, approve)
		if err != nil {
			return p, err
		}
		return p, s.enter(ctx, tx, by, p)
	})
}
