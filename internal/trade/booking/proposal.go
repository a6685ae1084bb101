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
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
	"github.com/bifolia/bifolia/internal/platform/shape"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

// Four eyes: one operator proposes a booking, another sees exactly what was
// proposed and approves it by its digest. Only then there is a booking, which
// the close of its day does. In the same way bookings are taken back and cash is
// recalled, both at once when they are approved.

// Proposal is a booking that somebody proposed, and what became of it.
type Proposal struct {
	ID        int64
	Act       Act      // At is when it happened
	Day       plan.Day // that it was proposed for; of what is taken back, its own; of a recall, when it was proposed
	By        actor.By // operator 0 is the command line
	At        time.Time
	State     approval.State
	Decided   actor.By
	DecidedAt time.Time      // zero while it waits
	Reason    string         // why it was refused
	Alone     approval.Alone // why one operator was enough; "" when it took two
	Event     string         // that it became: the booking's id, if it is one
	Known     string         // what it would do, as Facts reads it; "" for nothing
}

// Payload is all that was proposed, in the one form that Digest is taken of.
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

// Digest is the SHA-256 of Payload. Who approves names it, so that nobody
// approves another thing than they saw.
func (p *Proposal) Digest() string {
	return approval.Digest(p.Payload())
}

// Proposal finds one. NotFound.
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

// maxDecided is how many of those that were decided are shown.
const maxDecided = 20

// Proposals lists those that wait, and the latest that were decided.
func (s *Service) Proposals(ctx context.Context) (waiting, decided []Proposal, err error) {
	if waiting, err = s.opt.Store.Waiting(ctx, nil); err != nil {
		return nil, nil, err
	}
	decided, err = s.opt.Store.Decided(ctx, maxDecided)
	return waiting, decided, err
}

// WaitingFor counts the proposals for a day that nobody has decided: once the
// day is closed they cannot be approved any more. Recalls can.
func (s *Service) WaitingFor(ctx context.Context, day plan.Day) (n int, err error) {
	all, err := s.opt.Store.Waiting(ctx, nil)
	for _, p := range all {
		if p.Day == day && p.Act.Kind != Recall {
			n++
		}
	}
	return n, err
}

// Propose notes what an operator wants booked. Errors: Invalid for what is
// malformed or in the future; NotFound, Conflict and Refused as
// closing.MayTake, closing.FindOpen and market.Recall, also for what others have
// proposed before.
func (s *Service) Propose(ctx context.Context, by actor.By, key string, a Act) (Proposal, error) {
	if err := a.check(); err != nil { // before anything waits
		return Proposal{}, err
	}
	return s.change(ctx, by, key, []any{"propose booking", a}, func(ctx context.Context, tx *ledger.Tx) (Proposal, error) {
		p, err := s.propose(ctx, tx, by, a)
		if err != nil {
			return p, err
		}
		return p, s.tell(ctx, tx, by, approvalmail.Booking, strconv.FormatInt(p.ID, 10)+", "+string(a.Kind)+" of "+p.Amount().String())
	})
}

// Alone books what somebody at the command line asks for. It takes no second
// operator, and the record says so. Errors as for Propose.
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

// change runs one change of a proposal and gives what became of it.
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
		return Proposal{}, fmt.Errorf("operate: %q is not proposed", a.Kind)
	}
	e, err := a.event("", tx.Now())
	if err != nil {
		return Proposal{}, err
	}
	if err := s.evident(ctx, tx, a); err != nil {
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
	a.At = e.At.UTC().Truncate(time.Microsecond) // as it is kept, so that the digest stays the same
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

// tell tells whoever may approve what by has proposed.
func (s *Service) tell(ctx context.Context, tx *ledger.Tx, by actor.By, kind approvalmail.Kind, about string) error {
	return s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: kind, About: about, By: by})
}

// mayBook is the day that a booking books into, if it can be taken.
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

// mayCancel is the day of the booking that is to be taken back. What it is goes
// into the act, so that who approves sees it.
func (s *Service) mayCancel(ctx context.Context, tx *ledger.Tx, a *Act, waiting []Proposal) (plan.Day, error) {
	for _, w := range waiting {
		if w.Act.Kind == Cancel && w.Act.Booking == a.Booking {
			return 0, errs.New(errs.Conflict, "booking.cancel_proposed", "Proposal {proposal} is to take this booking back already.", "proposal", w.ID)
		}
	}
	b, err := s.opt.Closing.FindOpen(ctx, tx, a.Booking)
	a.Cancels, a.Line, a.Sale, a.Amount = Kind(b.Kind), b.Line, b.Sale, b.Amount
	return b.Day, err
}

// mayRecall is the day on which a recall is proposed, if the claim needs that
// much beside what others want to recall for it.
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

// Decide approves or refuses what another operator proposed, or withdraws one's
// own. reason says why it is refused; of an approval it is kept.
//
// Errors: NotFound; Invalid for refusing without a reason; Forbidden for
// approving one's own; Conflict if it was decided before; Refused if the digest
// is another one or its day was closed meanwhile; and as closing.Take.
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

// fits tells whether a reason is short enough and on one line.
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

// approve does what was proposed. A booking is made into the day that it was
// proposed for: it counts as recorded when it was proposed. What is done at once
// happens now.
func (s *Service) approve(ctx context.Context, tx *ledger.Tx, by actor.By, p Proposal, event string) (Proposal, error) {
	e := closing.Event{ID: event, At: tx.Now(), Recorded: tx.Now()}
	if p.Act.Kind.Booked() {
		e.At, e.Recorded = p.Act.At, p.At
		_, day, err := s.opt.Closing.Open(ctx, tx, e)
		switch {
		case err != nil:
			return p, err
		case day != p.Day:
			return p, errs.New(errs.Refused, "booking.day_closed_meanwhile", "{day} was closed meanwhile, so this cannot be booked into it any more: refuse it, and propose it anew for {next}.", "day", p.Day, "next", day)
		}
	}
	p.State, p.Decided, p.DecidedAt, p.Event = approval.Approved, by, tx.Now(), event
	record := auditlog.Act{Operator: by.Operator, Name: by.Name, Became: p.became()}
	if _, err := s.act(ctx, tx, e, p.Act, p.By, record); err != nil {
		return p, err
	}
	return p, s.opt.Store.Decide(ctx, tx, p)
}

// became is a proposal as the record tells it.
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

// enter writes what became of a proposal into the record.
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

// about is whose sale or claim an act is about, in whose record it stands; 0 if it
// is about nobody.
func (s *Service) about(ctx context.Context, tx *ledger.Tx, a Act) (int64, error) {
	if a.Sale == "" && a.Claim == "" {
		return 0, nil
	}
	return s.opt.Store.About(ctx, tx, a.Sale, a.Claim)
}
