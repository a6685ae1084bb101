package staff

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/support"
	"github.com/bifolia/bifolia/internal/platform/actor"
)

// ticketState is the state of a ticket in the audit log, without its texts.
type ticketState struct {
	Kind     support.Kind   `json:"kind"`
	Status   support.Status `json:"status"`
	Assignee string         `json:"assignee,omitempty"`
	Acts     int64          `json:"acts"`
}

func stateOf(t support.Ticket) string {
	return auditlog.State(ticketState{t.Kind, t.Status, t.Assignee.Name, t.Acts})
}

// TicketStep is an operator's action on a ticket. Seen is the number of acts in the
// thread that the operator saw.
type TicketStep struct {
	Ticket, Seen int64
	Kind         support.ActKind
	Text         string // the answer, or the reason for reopening
}

// recorded has the audit log's name of each act, and whether the member sees it.
var recorded = map[support.ActKind]struct {
	act   string
	shown bool
}{
	support.ActAnswer:    {"ticket answered", true},
	support.ActClose:     {"ticket closed", true},
	support.ActReopen:    {"ticket reopened", true},
	support.ActAssign:    {"ticket assigned", false},
	support.ActComplaint: {"ticket complaint", true},
}

// WorkTicket answers, closes, reopens or takes on a ticket, or makes it a complaint, with
// an entry in the audit log. An answer is mailed to the member.
//
// Errors: those of support's Answer, Close, Reopen, Assign and Complaint.
func (s *Service) WorkTicket(ctx context.Context, by actor.By, key string, step TicketStep) (support.Ticket, error) {
	step.Text = strings.TrimSpace(step.Text)
	if step.Kind == support.ActAnswer {
		var err error
		if step.Text, err = support.ParseReply(step.Text); err != nil { // the mail has the thread's text
			return support.Ticket{}, err
		}
	}
	body := []any{"ticket", step.Kind, step.Ticket, step.Seen, step.Text}
	return ledger.Run(ctx, s.opt.Do, by.Key(), key, body, func(ctx context.Context, tx *ledger.Tx) (support.Ticket, error) {
		x := support.Step{Ticket: step.Ticket, Seen: step.Seen, By: by, At: tx.Now()}
		was, is, err := s.workTicket(ctx, tx, x, step)
		if err != nil {
			return is, err
		}
		entry := recorded[step.Kind]
		e := auditlog.Entry{
			Operator: by.Operator, Name: by.Name, Act: entry.act, Member: is.UID, Subject: "ticket " + strconv.FormatInt(is.ID, 10), Was: stateOf(was), Became: stateOf(is), Shown: entry.shown,
		}
		if step.Kind == support.ActReopen {
			e.Reason = step.Text
		}
		if err := s.opt.AuditLog.Write(ctx, tx, e); err != nil || step.Kind != support.ActAnswer {
			return is, err
		}
		m, found, err := s.opt.Members.GetIn(ctx, tx, is.UID)
		if err != nil || !found {
			return is, cmp.Or[error](err, errNoMember)
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		return is, s.opt.Mail.Queue(ctx, tx, m.Email, mail.TicketAnswered{Name: m.Name, UserID: is.UID, Ticket: is.ID, Query: is.Query, Answer: step.Text})
	})
}

func (s *Service) workTicket(ctx context.Context, tx *ledger.Tx, x support.Step, step TicketStep) (was, is support.Ticket, err error) {
	switch step.Kind {
	case support.ActAnswer:
		return s.opt.Support.Answer(ctx, tx, x, step.Text)
	case support.ActClose:
		return s.opt.Support.Close(ctx, tx, x)
	case support.ActReopen:
		return s.opt.Support.Reopen(ctx, tx, x, step.Text)
	case support.ActComplaint:
		return s.opt.Support.Complaint(ctx, tx, x)
	}
	return s.opt.Support.Assign(ctx, tx, x)
}
