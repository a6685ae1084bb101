package booking

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
	"github.com/bifolia/bifolia/internal/platform/shape"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Two-operator approval: one operator proposes a booking, and another approves exactly
// this proposal by its digest. Only then the booking exists, and the close of its day
// executes it. Cancellations and recalls are approved the same way and execute at once.

// Proposal is a proposed act and its decision.
type Proposal struct {
	ID        int64
	Act       Act
	Day       plan.Day // of the booking; for a recall, the day of the proposal
	By        actor.By // operator 0 is the command line
	At        time.Time
	State     approval.State
	Decided   actor.By
	DecidedAt time.Time      // zero while waiting
	Reason    string         // why it was refused
	Alone     approval.Alone // reason for a single approval, or empty
	Event     string         // the resulting event and booking
	Known     string         // the facts, read by Facts; or empty
}

// Payload is the canonical form of the proposal. Digest hashes it.
func (p *Proposal) Payload() []byte {
	moment := func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
	return shape.Canonical(struct {
		ID        int64  `json:"id"`
		Kind      Kind   `json:"kind"`
		Line      string `json:"line,omitempty"`
		Sale      string `json:"sale,omitempty"`
		Claim     string `json:"claim,omitempty"`
		Booking   string `json:"booking,omitempty"`
		Cancels   Kind   `json:"cancels,omitempty"`
		Amount    string `json:"amount"`
		Day       string `json:"day"`
		Happened  string `json:"happened"`
		Reference string `json:"reference"`
		Evidence  string `json:"evidence"`
		By        int64  `json:"by"`
		At        string `json:"at"`

		Facts json.RawMessage `json:"facts,omitempty"`
	}{p.ID, p.Act.Kind, p.Act.Line, p.Act.Sale, p.Act.Claim, p.Act.Booking, p.Act.Cancels, p.Amount().String(), p.Day.String(), moment(p.Act.At), p.Act.Reference, p.Act.Evidence, p.By.Operator, moment(p.At), json.RawMessage(p.Known)})
}

// Digest is the SHA-256 of Payload. The approver sends it, so that both operators approve
// the same content.
func (p *Proposal) Digest() string {
	return approval.Digest(p.Payload())
}

// Proposal returns a proposal. NotFound if there is none.
func (s *Service) Proposal(ctx context.Context, id int64) (Proposal, error) {
	return s.proposal(ctx, nil, id)
}

func (s *Service) proposal(ctx context.Context, tx *ledger.Tx, id int64) (Proposal, error) {
	p, found, err := s.opt.Store.Proposal(ctx, tx, id)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "approval.not_found", "There is no such proposal.")
	}
	return p, err
}

// maxDecided limits the decided proposals that are shown.
const maxDecided = 20

// Proposals lists the waiting proposals and the latest decided ones.
func (s *Service) Proposals(ctx context.Context) (waiting, decided []Proposal, err error) {
	if waiting, err = s.opt.Store.Waiting(ctx, nil); err != nil {
		return nil, nil, err
	}
	decided, err = s.opt.Store.Decided(ctx, maxDecided)
	return waiting, decided, err
}

// WaitingFor counts the undecided proposals of a day. They cannot be approved once the
// day is closed, except for recalls, which are not counted.
func (s *Service) WaitingFor(ctx context.Context, day plan.Day) (n int, err error) {
	all, err := s.opt.Store.Waiting(ctx, nil)
	for _, p := range all {
		if p.Day == day && p.Act.Kind != Recall {
			n++
		}
	}
	return n, err
}

// Propose proposes an act. Invalid for malformed acts and ones in the future; NotFound,
// Conflict and Refused as closing.MayTake, closing.FindOpen and market.Recall, taking
// other proposals into account.
func (s *Service) Propose(ctx context.Context, by actor.By, key string, a Act) (Proposal, error) {
	if err := a.check(); err != nil {
		return Proposal{}, err
	}
	return s.change(ctx, by, key, []any{"propose booking", a}, func(ctx context.Context, tx *ledger.Tx) (Proposal, error) {
		p, err := s.propose(ctx, tx, by, a)
		if err != nil {
			return p, err
		}
		return p, s.mail(ctx, tx, by, approvalmail.Booking, strconv.FormatInt(p.ID, 10)+", "+string(a.Kind)+" of "+mail.Dollars(p.Amount()))
	})
}

// Alone books for the command line without a second operator, as the audit log shows.
// Errors as for Propose.
func (s *Service) Alone(ctx context.Context, by actor.By, a Act) (Proposal, error) {
	if err := a.check(); err != nil {
		return Proposal{}, err
	}
	event := newEvent()
	return s.change(ctx, by, "", []any{"book alone", a}, func(ctx context.Context, tx *ledger.Tx) (Proposal, error) {
		p, err := s.propose(ctx, tx, by, a)
		if err != nil {
			return p, err
		}
		p.Alone = approval.AloneCommandLine
		return s.approve(ctx, tx, by, p, event)
	})
}

// change runs a command that changes a proposal and returns the result.
func (s *Service) change(ctx context.Context, by actor.By, key string, body any, f func(context.Context, *ledger.Tx) (Proposal, error)) (Proposal, error) {
	id, err := ledger.Run(ctx, s.opt.Do, by.Key(), key, body, func(ctx context.Context, tx *ledger.Tx) (int64, error) {
		p, err := f(ctx, tx)
		return p.ID, err
	})
	if err != nil {
		return Proposal{}, err
	}
	return s.Proposal(ctx, id)
}

func (s *Service) propose(ctx context.Context, tx *ledger.Tx, by actor.By, a Act) (Proposal, error) {
	if !a.Kind.TakesTwo() {
		return Proposal{}, fmt.Errorf("booking: %q is not proposed", a.Kind)
	}
	e, err := a.event("", tx.Now())
	if err != nil {
		return Proposal{}, err
	}
	if err := s.checkEvidence(ctx, tx, a); err != nil {
		return Proposal{}, err
	}
	waiting, err := s.opt.Store.Waiting(ctx, tx)
	if err != nil {
		return Proposal{}, err
	}
	var day plan.Day
	switch a.Kind {
	case Cancel:
		day, err = s.mayCancel(ctx, tx, &a, waiting)
	case Recall:
		day, err = s.mayRecall(ctx, tx, e, &a, waiting)
	default:
		day, err = s.mayBook(ctx, tx, e, a.booking(by), waiting)
	}
	if err != nil {
		return Proposal{}, err
	}
	a.At = e.At.UTC().Truncate(time.Microsecond) // the precision of the database, for a stable digest
	p := Proposal{Act: a, Day: day, By: by, At: e.Recorded.UTC().Truncate(time.Microsecond), State: approval.Waiting}
	if err := s.know(ctx, tx, &p, waiting); err != nil {
		return p, err
	}
	if p.ID, err = s.opt.Store.AddProposal(ctx, tx, p); err != nil {
		return p, err
	}
	if p.Known != "" {
		if err := s.opt.Store.AddFacts(ctx, tx, p.ID, p.Known); err != nil {
			return p, err
		}
	}
	return p, s.enter(ctx, tx, by, p, "proposed", a.Reference)
}

// mail mails the operators who may approve a proposal.
func (s *Service) mail(ctx context.Context, tx *ledger.Tx, by actor.By, kind approvalmail.Kind, about string) error {
	return s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: kind, About: about, By: by})
}

// mayBook returns the day of a booking, if it can be taken.
func (s *Service) mayBook(ctx context.Context, tx *ledger.Tx, e closing.Event, b closing.Booking, waiting []Proposal) (plan.Day, error) {
	var others []closing.Booking
	for _, w := range waiting {
		if w.Act.Kind.Booked() {
			o := w.Act.booking(w.By)
			o.Day = w.Day
			others = append(others, o)
		}
	}
	day, err := s.opt.Closing.MayTake(ctx, tx, e, b, others)
	if err != nil {
		return 0, err
	}
	return day, s.offered(ctx, tx, b, day)
}

// mayCancel returns the day of the booking to cancel, and copies its content into the act
// for the approver.
func (s *Service) mayCancel(ctx context.Context, tx *ledger.Tx, a *Act, waiting []Proposal) (plan.Day, error) {
	for _, w := range waiting {
		if w.Act.Kind == Cancel && w.Act.Booking == a.Booking {
			return 0, errs.New(errs.Conflict, "booking.cancel_proposed", "Proposal {proposal} already cancels this booking.", "proposal", w.ID)
		}
	}
	b, err := s.opt.Closing.FindOpen(ctx, tx, a.Booking)
	a.Cancels, a.Line, a.Sale, a.Amount = Kind(b.Kind), b.Line, b.Sale, b.Amount
	return b.Day, err
}

// mayRecall returns the current day, if the claim needs the amount beside other proposed
// recalls.
func (s *Service) mayRecall(ctx context.Context, tx *ledger.Tx, e closing.Event, a *Act, waiting []Proposal) (plan.Day, error) {
	sum := a.Amount
	for _, w := range waiting {
		if w.Act.Kind != Recall || w.Act.Claim != a.Claim {
			continue
		}
		var err error
		if sum, err = sum.Add(w.Act.Amount); err != nil {
			return 0, err
		}
	}
	c, err := s.opt.Market.MayRecall(ctx, tx, a.Claim, sum)
	if err != nil {
		return 0, err
	}
	a.Line = c.Line
	_, day, err := s.opt.Closing.Open(ctx, tx, e)
	return day, err
}

// Decide approves or refuses another operator's proposal, or withdraws one's own. A
// refusal needs a reason.
//
// NotFound; Invalid for a refusal without a reason; Forbidden for approving one's own
// proposal; Conflict if it was decided; Refused if the digest differs or its day was
// closed; and errors as closing.Take.
func (s *Service) Decide(ctx context.Context, by actor.By, key string, id int64, digest string, approve bool, reason string) (Proposal, error) {
	event := newEvent()
	reason = strings.TrimSpace(reason)
	return s.change(ctx, by, key, []any{"decide booking", id, digest, approve, reason}, func(ctx context.Context, tx *ledger.Tx) (Proposal, error) {
		p, err := s.proposal(ctx, tx, id)
		if err != nil {
			return p, err
		}
		d, err := approval.Proposal{By: p.By.Operator, State: p.State, Digest: p.Digest()}.Decide(by.Operator, digest, approve, approval.InDemo(s.opt.Demo))
		switch {
		case err != nil:
			return p, err
		case !approve:
			return s.refuse(ctx, tx, by, p, d, reason)
		case !fits(reason):
			return p, errs.BadField("reason", "approval.reason_0_200", "The reason has up to 200 characters, on one line.")
		}
		p.Reason, p.Alone = reason, d.Alone
		return s.approve(ctx, tx, by, p, event)
	})
}

// fits reports whether a reason is short enough and on one line.
func fits(reason string) bool {
	return utf8.RuneCountInString(reason) <= maxReference && utf8.ValidString(reason) && !strings.ContainsFunc(reason, plain.Control)
}

// refuse ends a proposal without a booking.
func (s *Service) refuse(ctx context.Context, tx *ledger.Tx, by actor.By, p Proposal, d approval.Decision, reason string) (Proposal, error) {
	if (!d.Own && reason == "") || !fits(reason) {
		return p, errs.BadField("reason", "approval.refusal_reason", "The reason has 1 to 200 characters, on one line: it says why this is not booked.")
	}
	p.State, p.Decided, p.DecidedAt, p.Reason = d.State, by, tx.Now(), reason
	if err := s.opt.Store.Decide(ctx, tx, p); err != nil {
		return p, err
	}
	return p, s.enter(ctx, tx, by, p, string(p.State), reason)
}

// approve executes a proposal. A booking counts on the day that it was proposed for, with
// the time of the proposal; other acts happen now.
func (s *Service) approve(ctx context.Context, tx *ledger.Tx, by actor.By, p Proposal, event string) (Proposal, error) {
	e := closing.Event{ID: event, At: tx.Now(), Recorded: tx.Now()}
	if p.Act.Kind.Booked() {
		e.At, e.Recorded = p.Act.At, p.At
		_, day, err := s.opt.Closing.Open(ctx, tx, e)
		switch {
		case err != nil:
			return p, err
		case day != p.Day:
			return p, errs.New(errs.Refused, "booking.day_closed_meanwhile", "{day} has been closed, so this cannot be booked into it. Refuse it, and propose it again for {next}.", "day", p.Day, "next", day)
		}
	}
	p.State, p.Decided, p.DecidedAt, p.Event = approval.Approved, by, tx.Now(), event
	record := auditlog.Act{Operator: by.Operator, Name: by.Name, Became: p.became()}
	if _, err := s.act(ctx, tx, e, p.Act, p.By, record); err != nil {
		return p, err
	}
	return p, s.opt.Store.Decide(ctx, tx, p)
}

// became is the audit log's form of a proposal.
func (p *Proposal) became() string {
	all := map[string]string{"proposal": strconv.FormatInt(p.ID, 10), "digest": p.Digest(), "proposed by": p.By.Name, "amount": p.Amount().String(), "day": p.Day.String()}
	for name, value := range map[string]string{"evidence": p.Act.Evidence, "sale": p.Act.Sale, "cancels": string(p.Act.Cancels), "alone": string(p.Alone)} {
		if value != "" {
			all[name] = value
		}
	}
	if p.Reason != "" {
		all["reason"] = p.Reason
	}
	return auditlog.State(all)
}

// enter writes a change of a proposal to the audit log.
func (s *Service) enter(ctx context.Context, tx *ledger.Tx, by actor.By, p Proposal, act, reason string) error {
	uid, err := s.about(ctx, tx, p.Act)
	if err != nil {
		return err
	}
	return s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{
		Operator: by.Operator, Name: by.Name, Act: string(p.Act.Kind) + " " + act, Member: uid,
		Subject: p.Act.subject(), Became: p.became(), Reason: reason,
	})
}

// about returns the member of a sale or claim of an act, whose audit log shows it; 0 if
// there is none.
func (s *Service) about(ctx context.Context, tx *ledger.Tx, a Act) (int64, error) {
	if a.Sale == "" && a.Claim == "" {
		return 0, nil
	}
	return s.opt.Store.About(ctx, tx, a.Sale, a.Claim)
}
