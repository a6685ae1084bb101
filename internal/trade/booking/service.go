// Package booking handles the operators' acts on the books and on members: they book
// trading results, settle and recall cash, charge sales back, put accounts under review,
// and cancel bookings. Each act is one command, with an event on its day and an entry in
// the audit log. Bookings for a close, their cancellation, and recalls take two
// operators: one proposes, and another approves.
package booking

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/plain"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/internal/trade/market"
)

// Kind of an act.
type Kind string

// The acts.
const (
	PnL        Kind = closing.PnL
	Settle     Kind = closing.Settle
	Chargeback Kind = closing.Chargeback
	Recall     Kind = "recall"
	Block      Kind = "block"
	Unblock    Kind = "unblock"
	Cancel     Kind = "cancel"
)

// TakesTwo reports whether the act takes a second operator: it moves money, or cancels
// what two have approved.
func (k Kind) TakesTwo() bool { return k.Booked() || k == Recall || k == Cancel }

// Booked reports whether the act is a booking, which the close of its day executes.
func (k Kind) Booked() bool { return k == PnL || k == Settle || k == Chargeback }

// Act is an operator's act. Its kind determines the fields that apply.
type Act struct {
	Kind      Kind
	Line      string       // pnl, settle; proposed: of the claim or booking
	Amount    money.Amount // pnl, settle, recall; proposed: of the booking
	Sale      string       // chargeback; proposed: of the booking
	Claim     string       // recall
	UID       int64        // block, unblock
	Booking   string       `json:",omitempty"` // cancel
	Cancels   Kind         `json:",omitempty"` // cancel, proposed: the kind of the booking
	Reference string       // the evidence; the reason of a block and a cancel
	Evidence  string       `json:",omitempty"` // pnl, settle, chargeback: the hash of a stored file
	At        time.Time    // when it happened; zero for now
}

// Done is the result of an act.
type Done struct {
	ID  string `json:"id"` // of the event
	Day string `json:"day"`
}

// Options of a Service.
type Options struct {
	Do       ledger.CommandRunner
	Closing  *closing.Service
	Market   *market.Service
	Members  *member.Service
	Store    Store // of evidence and proposals
	AuditLog *auditlog.Service
	Second   *approvalmail.Service
	Demo     bool // operators may approve their own proposals
	// Licences are the references under which lines are offered; nil means no
	// restriction.
	Licences map[string]string

	Corrections CorrectionStore
}

// Service executes acts. The caller checks the permission of the operator.
type Service struct{ opt Options }

// New makes a Service.
func New(opt Options) *Service { return &Service{opt} }

const maxReference = 200

// check returns Invalid with all malformed fields.
func (a *Act) check() error {
	var wrong []errs.Field
	bad := func(name, code, text string, params ...any) {
		wrong = append(wrong, errs.NewField(name, code, text, params...))
	}
	a.Reference, a.Line = strings.TrimSpace(a.Reference), strings.ToUpper(a.Line)
	if a.Kind == PnL || a.Kind == Settle {
		if a.Line != plan.LineNames[0] && a.Line != plan.LineNames[1] {
			bad("line", "booking.line_unknown", "The line is FOREX or CRYPTO.")
		}
	}
	switch {
	case a.Kind == PnL && a.Amount.IsZero():
		bad("amount", "booking.amount_zero", "The amount must not be zero. Enter a loss with a minus.")
	case (a.Kind == Settle || a.Kind == Recall) && a.Amount.Sign() <= 0:
		bad("amount", "amount.above_zero", "The amount must be above zero.")
	case closing.TooLarge(a.Amount):
		bad("amount", "booking.amount_most", "The amount is at most {most} dollars.", "most", closing.MaxBooking.String())
	}
	if a.Kind == Cancel && a.Booking == "" {
		bad("booking", "booking.booking_required", "The booking is missing.")
	}
	if a.Kind == Chargeback && a.Sale == "" {
		bad("sale", "booking.sale_required", "The sale is missing.")
	}
	if a.Kind == Recall && a.Claim == "" {
		bad("claim", "booking.claim_required", "The claim is missing.")
	}
	n, name := utf8.RuneCountInString(a.Reference), "reference"
	if a.Kind == Block || a.Kind == Unblock || a.Kind == Cancel {
		name = "reason"
	}
	needed := a.Kind != Recall
	if (needed && n == 0) || n > maxReference || !utf8.ValidString(a.Reference) || strings.ContainsFunc(a.Reference, plain.Control) {
		bad(name, "booking.reference_length", "The {field} has 1 to 200 characters: it says what this rests on.", "field", name)
	}
	return errs.Fields(wrong)
}

// subject is the subject of the act in the audit log.
func (a *Act) subject() string {
	switch a.Kind {
	case Chargeback:
		return a.Sale
	case Recall:
		return a.Claim
	case Block, Unblock:
		return strconv.FormatInt(a.UID, 10)
	case Cancel:
		return a.Booking
	}
	return a.Line
}

// fields are the act's fields in a scenario.
func (a *Act) fields() map[string]any {
	switch a.Kind {
	case Chargeback:
		return map[string]any{"sale": a.Sale}
	case Recall:
		return map[string]any{"claim": a.Claim, "amount": a.Amount.String()}
	case Block, Unblock:
		return map[string]any{"uid": a.subject()}
	case Cancel:
		return map[string]any{"booking": a.Booking, "reason": a.Reference}
	}
	all := map[string]any{"line": a.Line, "amount": a.Amount.String()}
	if a.Evidence != "" {
		all["evidence"] = a.Evidence
	}
	return all
}

// Do executes an act that one operator may do, once per key. Invalid for a malformed act
// and one in the future; Forbidden for acts that take two; NotFound, Conflict and Refused
// as member.Block and closing.Unblock.
func (s *Service) Do(ctx context.Context, by actor.By, key string, a Act) (Done, error) {
	if err := a.check(); err != nil {
		return Done{}, err
	}
	if a.Kind.TakesTwo() {
		return Done{}, errs.New(errs.Forbidden, "approval.two_operators", "This takes two operators. Propose it, and another operator can approve it.")
	}
	body, err := json.Marshal(a)
	if err != nil {
		return Done{}, err
	}
	id := newEvent()
	answer, err := s.opt.Do.Do(ctx, ledger.Command{Actor: by.Key(), Key: key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		done, err := s.Act(ctx, tx, by, id, a)
		if err != nil {
			return nil, err
		}
		return json.Marshal(done)
	}})
	if err != nil {
		return Done{}, err
	}
	var done Done
	return done, json.Unmarshal(answer.Response, &done)
}

// newEvent returns a new event id.
func newEvent() string { return "o" + strings.ToLower(rand.Text()[:16]) }

// Act executes any act within a command; id is that of the event. Errors as for Do and
// for closing.Take.
func (s *Service) Act(ctx context.Context, tx *ledger.Tx, by actor.By, id string, a Act) (Done, error) {
	if err := a.check(); err != nil {
		return Done{}, err
	}
	e, err := a.event(id, tx.Now())
	if err != nil {
		return Done{}, err
	}
	return s.act(ctx, tx, e, a, by, auditlog.Act{Operator: by.Operator, Name: by.Name})
}

// event returns the event of an act. Invalid if it is in the future.
func (a *Act) event(id string, now time.Time) (closing.Event, error) {
	e := closing.Event{ID: id, At: a.At, Recorded: now}
	switch {
	case a.At.IsZero():
		e.At = e.Recorded
	case a.At.After(e.Recorded):
		return e, errs.BadField("at", "booking.in_future", "This time is in the future.")
	}
	return e, nil
}

// act executes a well-formed act. by is the operator who asked for it; record is the
// audit log entry to complete.
func (s *Service) act(ctx context.Context, tx *ledger.Tx, e closing.Event, a Act, by actor.By, record auditlog.Act) (Done, error) {
	_, day, err := s.opt.Closing.Open(ctx, tx, e)
	if err != nil {
		return Done{}, err
	}
	if err := s.checkEvidence(ctx, tx, a); err != nil {
		return Done{}, err
	}
	if record.Member, err = s.about(ctx, tx, a); err != nil {
		return Done{}, err
	}
	record.Shown = record.Member != 0
	record.ID, record.Kind, record.Subject, record.Amount, record.Reference, record.At = e.ID, string(a.Kind), a.subject(), a.Amount, a.Reference, tx.Now()
	switch a.Kind {
	case PnL, Settle, Chargeback:
		_, err = s.opt.Closing.Take(ctx, tx, e, a.booking(by))
		if a.Evidence != "" && record.Became == "" {
			record.Became = auditlog.State(map[string]string{"amount": a.Amount.String(), "evidence": a.Evidence})
		}
	case Recall:
		if err = s.opt.Market.Recall(ctx, tx, a.Claim, a.Amount); err == nil {
			err = s.opt.Market.TellReady(ctx, tx, a.Claim)
		}
	case Block, Unblock:
		err = s.review(ctx, tx, a, e, &record)
	case Cancel:
		day, err = s.cancel(ctx, tx, a, &record)
	default:
		err = fmt.Errorf("booking: no act %q", a.Kind)
	}
	if err != nil {
		return Done{}, err
	}
	if err := s.opt.Closing.NoteOn(ctx, tx, e.Is(string(a.Kind), a.fields()), day); err != nil {
		return Done{}, err
	}
	return Done{ID: e.ID, Day: day.String()}, s.opt.AuditLog.Record(ctx, tx, record)
}

// booking is the act as a booking of the close.
func (a *Act) booking(by actor.By) closing.Booking {
	return closing.Booking{Kind: string(a.Kind), Line: a.Line, Sale: a.Sale, Amount: a.Amount, Reference: a.Reference, Evidence: a.Evidence, Operator: by.Operator}
}

// cancel cancels a booking on its day and records its former content.
func (s *Service) cancel(ctx context.Context, tx *ledger.Tx, a Act, record *auditlog.Act) (plan.Day, error) {
	b, err := s.opt.Closing.Cancel(ctx, tx, a.Booking, a.Reference)
	record.Was = auditlog.State(map[string]string{"kind": b.Kind, "line": b.Line, "sale": b.Sale, "amount": b.Amount.String(), "reference": b.Reference})
	if record.Became == "" { // no proposal with more details
		record.Became = auditlog.State(map[string]string{"booking": "cancelled"})
	}
	return b.Day, err
}

// review starts or ends a member's review and records the change.
func (s *Service) review(ctx context.Context, tx *ledger.Tx, a Act, e closing.Event, record *auditlog.Act) error {
	state := func() (string, error) {
		m, _, err := s.opt.Members.GetIn(ctx, tx, a.UID)
		return auditlog.State(map[string]any{"blocked": m.Blocked(), "why": m.BlockedWhy}), err
	}
	was, err := state()
	if err != nil {
		return err
	}
	if a.Kind == Block {
		err = s.opt.Members.Block(ctx, tx, a.UID, a.Reference, e.At)
	} else {
		err = s.opt.Closing.Unblock(ctx, tx, e, a.UID)
	}
	if err != nil {
		return err
	}
	record.Member, record.Shown, record.Was = a.UID, true, was
	record.Became, err = state()
	return err
}
