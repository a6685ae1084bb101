package closing

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A plan changes by a new version that holds from a day to come. One operator
// proposes it and another approves it; until its first day it can be called
// off. What was judged by a version stays judged by it.

// Version is a plan and the first day on which it holds.
type Version struct {
	Name  string
	First plan.Day
	Body  []byte
}

// PlanProposal is a version that somebody proposed and what became of it.
type PlanProposal struct {
	Version
	By            int64 // 0 for the command line
	ByName        string
	At            time.Time
	Reason        string // why it was proposed
	Approved      int64
	ApprovedName  string
	ApprovedAt    time.Time // zero until it is approved
	Cancelled     int64
	CancelledName string
	CancelledAt   time.Time // zero unless it was called off
	Alone         approval.Alone
}

// Digest is the fingerprint of what is proposed. Who approves may name it, so
// that nobody approves another thing than they saw.
func (p PlanProposal) Digest() string {
	return approval.Digest(append([]byte(p.First.String()+"\n"), p.Body...))
}

// Warning is what was unusual about it when it was proposed, in words; "" for
// nothing.
func (p PlanProposal) Warning() errs.Text {
	return WarnFrom(plan.Day(p.At.Unix()/(24*60*60)), p.First)
}

// Plans is what holds, what will and what is proposed.
type Plans struct {
	Today     plan.Day
	Current   Version
	Past      []Version // before the current one
	Scheduled []Version
	Proposals []PlanProposal // all that were ever made, the latest first
}

// Plans tells which versions there are. Refused before the first.
func (s *Service) Plans(ctx context.Context) (p Plans, err error) {
	all, err := s.opt.Store.Versions(ctx, nil)
	if err != nil {
		return p, err
	}
	if p.Today, err = s.today(ctx, nil); err != nil {
		return p, err
	}
	for _, v := range all {
		switch {
		case v.First > p.Today:
			p.Scheduled = append(p.Scheduled, v)
		case p.Current.Name == "":
			p.Current = v
		default:
			p.Past, p.Current = append(p.Past, p.Current), v
		}
	}
	p.Proposals, err = s.opt.Store.PlanProposals(ctx, nil)
	return p, err
}

// today is the local day.
func (s *Service) today(ctx context.Context, tx *ledger.Tx) (plan.Day, error) {
	p, err := s.plan(ctx, tx, 0)
	if err != nil {
		return 0, err
	}
	return p.Day(s.opt.Clock.Now()), nil
}

// CheckPlan tells every mistake of a draft: those of Parse, and what does not
// fit the versions there are. With no day (0) the day is not looked at. The plan
// is nil if there is a mistake.
func (s *Service) CheckPlan(ctx context.Context, body []byte, from plan.Day) (*plan.Plan, []errs.Field, error) {
	return s.checkPlan(ctx, nil, body, from)
}

func (s *Service) checkPlan(ctx context.Context, tx *ledger.Tx, body []byte, from plan.Day) (*plan.Plan, []errs.Field, error) {
	p, err := plan.Parse(body)
	if mistakes, ok := errors.AsType[*errs.Error](err); ok && mistakes.Kind == errs.Invalid {
		return nil, mistakes.Fields, nil
	}
	if err != nil {
		return nil, nil, err
	}
	all, err := s.opt.Store.Versions(ctx, tx)
	if err != nil {
		return nil, nil, err
	}
	var wrong []errs.Field
	for _, v := range all {
		if v.Name == p.Version {
			wrong = append(wrong, errs.NewField("version", "plan.version_exists", "is the name of a plan that is there already"))
		}
	}
	if _, known, err := s.opt.Store.PlanProposal(ctx, tx, p.Version); err != nil {
		return nil, nil, err
	} else if known && wrong == nil {
		wrong = append(wrong, errs.NewField("version", "plan.version_proposed_before", "is the name of a plan that was proposed before: give this one its own"))
	}
	if len(all) > 0 {
		last, err := s.parse(all[len(all)-1].Body)
		if err != nil {
			return nil, nil, err
		}
		wrong = append(wrong, p.Follows(last)...)
	}
	if from != 0 {
		more, err := s.checkFrom(ctx, tx, all, from)
		if err != nil {
			return nil, nil, err
		}
		wrong = append(wrong, more...)
	}
	if len(wrong) > 0 {
		return nil, wrong, nil
	}
	return p, nil, nil
}

// checkFrom: a version begins on a day that no event can have booked into, after
// every other version.
func (s *Service) checkFrom(ctx context.Context, tx *ledger.Tx, all []Version, from plan.Day) (wrong []errs.Field, err error) {
	open, err := s.openDay(ctx, tx)
	if err != nil {
		return nil, err
	}
	if from <= open {
		wrong = append(wrong, errs.NewField("from", "plan.from_later", "A plan takes effect on a day to come: {day} or later.", "day", (open+1).String()))
	}
	if n := len(all); n > 0 && from <= all[n-1].First {
		v := all[n-1]
		wrong = append(wrong, errs.NewField("from", "plan.begin_after", "Plan {plan} takes effect on {day}: begin after it, or cancel it first.", "plan", v.Name, "day", v.First.String()))
	}
	return wrong, nil
}

// farAhead is after how many days a plan's beginning is more likely a slip of the
// pen than meant.
const farAhead = 366

// WarnFrom says, on a day, what is unusual about a first day: a plan that begins
// in years is in the way of every other until it is called off. No text for nothing.
func WarnFrom(on, from plan.Day) errs.Text {
	if from-on <= farAhead {
		return errs.Text{}
	}
	return errs.Say("plan.far_ahead", "The first day, {day}, is more than a year away. Once it is approved, no other plan can begin before it.", "day", from)
}

// openDay is the latest day that an event of now can book into: today, or the
// day after the last closed one where a demo closed today.
func (s *Service) openDay(ctx context.Context, tx *ledger.Tx) (plan.Day, error) {
	day, err := s.today(ctx, tx)
	if err != nil {
		return 0, err
	}
	last, closed, err := s.opt.Store.LastDay(ctx, tx)
	if closed {
		day = max(day, last+1)
	}
	return day, err
}

// change runs one change of plans; the same key with the same body is done once.
func (s *Service) change(ctx context.Context, by actor.By, key string, body []byte, run func(context.Context, *ledger.Tx) (PlanProposal, error)) (p PlanProposal, err error) {
	answer, err := s.opt.Do.Do(ctx, ledger.Command{Actor: by.Key(), Key: key, Body: body, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		p, err := run(ctx, tx)
		if err == nil {
			err = s.opt.Store.SetPlanProposal(ctx, tx, p)
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(p)
	}})
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(answer.Response, &p)
}

// enterPlan notes in the audit log what somebody did about a version of the plan.
// The log has its digest; the proposal has all of it.
func (s *Service) enterPlan(ctx context.Context, tx *ledger.Tx, by actor.By, p PlanProposal, act, reason string) error {
	return s.enter(ctx, tx, auditlog.Entry{
		Operator: by.Operator, Name: by.Name, Act: "plan " + act, Subject: p.Name, Reason: p.Alone.After(reason),
		Became: auditlog.State(map[string]string{"from": p.First.String(), "digest": p.Digest(), "proposed by": p.ByName}),
	})
}

// ProposePlan notes that somebody wants a plan to hold from a day on. Invalid
// names every mistake, and a reason that says nothing.
func (s *Service) ProposePlan(ctx context.Context, by actor.By, key string, body []byte, from plan.Day, reason string) (PlanProposal, error) {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return PlanProposal{}, err
	}
	asked := append([]byte("propose plan "+from.String()+" "+reason+" "), body...)
	return s.change(ctx, by, key, asked, func(ctx context.Context, tx *ledger.Tx) (PlanProposal, error) {
		draft, wrong, err := s.checkPlan(ctx, tx, body, max(from, 1))
		if err == nil {
			err = errs.Fields(wrong)
		}
		if err != nil {
			return PlanProposal{}, err
		}
		p := PlanProposal{Version: Version{draft.Version, from, body}, By: by.Operator, ByName: by.Name, At: tx.Now(), Reason: reason}
		if err := s.enterPlan(ctx, tx, by, p, "proposed", reason); err != nil {
			return p, err
		}
		return p, s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: approvalmail.Plan, About: draft.Version, By: by})
	})
}

// ApprovePlan lets a proposed version hold from its day on. Forbidden for who
// proposed it, unless one is enough, which the record says; NotFound if nobody
// did; Refused if it is settled already, its day has come, or the digest
// is not that of what was proposed; Invalid if it does not fit the versions that were approved
// since.
func (s *Service) ApprovePlan(ctx context.Context, by actor.By, key, version, digest, reason string) (PlanProposal, error) {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return PlanProposal{}, err
	}
	p, err := s.change(ctx, by, key, []byte("approve plan "+version+" "+reason), func(ctx context.Context, tx *ledger.Tx) (PlanProposal, error) {
		p, err := s.proposal(ctx, tx, version)
		if err != nil {
			return p, err
		}
		two := approval.Two(p.By, by.Operator)
		switch {
		case !p.ApprovedAt.IsZero():
			return p, errs.New(errs.Refused, "plan.already_approved", "Plan {plan} is approved already.", "plan", version)
		case digest != p.Digest():
			return p, errs.New(errs.Refused, "approval.digest_changed", "The proposal has changed since you opened it. Review it again.")
		case !two && s.alone(by) == "":
			return p, errs.New(errs.Forbidden, "plan.two_operators", "Plan {plan} needs two operators: another one than who proposed it must approve it.", "plan", version)
		case !two:
			p.Alone = s.alone(by)
		}
		if err := s.stillFits(ctx, tx, p.Version); err != nil {
			return p, err
		}
		p.Approved, p.ApprovedName, p.ApprovedAt = by.Operator, by.Name, tx.Now()
		if err := s.enterPlan(ctx, tx, by, p, "approved", reason); err != nil {
			return p, err
		}
		return p, s.opt.Store.AddPlan(ctx, tx, version, p.First, p.Body, tx.Now())
	})
	if err == nil {
		s.opt.Log.Info("a plan is scheduled", "version", version, "from", p.First.String(), "proposed", p.ByName, "approved", p.ApprovedName, "alone", string(p.Alone))
	}
	return p, err
}

// stillFits checks a proposal against what was approved since it was made.
func (s *Service) stillFits(ctx context.Context, tx *ledger.Tx, v Version) error {
	all, err := s.opt.Store.Versions(ctx, tx)
	if err != nil {
		return err
	}
	wrong, err := s.checkFrom(ctx, tx, all, v.First)
	if err != nil {
		return err
	}
	p, err := s.parse(v.Body)
	if err == nil && len(all) > 0 {
		var last *plan.Plan
		if last, err = s.parse(all[len(all)-1].Body); err == nil {
			wrong = append(wrong, p.Follows(last)...)
		}
	}
	if err != nil {
		return err
	}
	return errs.Fields(wrong)
}

// proposal finds one that was not called off.
func (s *Service) proposal(ctx context.Context, tx *ledger.Tx, version string) (PlanProposal, error) {
	p, found, err := s.opt.Store.PlanProposal(ctx, tx, version)
	switch {
	case err != nil:
		return p, err
	case !found:
		return p, errs.New(errs.NotFound, "plan.not_proposed", "Nobody has proposed a plan {plan}.", "plan", strconv.Quote(version))
	case !p.CancelledAt.IsZero():
		return p, errs.New(errs.Refused, "plan.called_off", "Plan {plan} was called off.", "plan", version)
	}
	return p, nil
}

// CancelPlan calls a proposed or scheduled version off. Forbidden for who proposed
// one that another operator approved, unless one is enough: it takes two to undo
// what two decided. Refused once its first day is open, and while a later version
// is scheduled that was checked against it; NotFound if nobody proposed it.
func (s *Service) CancelPlan(ctx context.Context, by actor.By, key, version, reason string) (PlanProposal, error) {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return PlanProposal{}, err
	}
	p, err := s.change(ctx, by, key, []byte("cancel plan "+version+" "+reason), func(ctx context.Context, tx *ledger.Tx) (PlanProposal, error) {
		p, err := s.proposal(ctx, tx, version)
		if err == nil && !p.ApprovedAt.IsZero() && p.Alone == "" && p.By == by.Operator && s.alone(by) == "" {
			err = errs.New(errs.Forbidden, "plan.own_proposal_call_off", "You proposed plan {plan}, and it is approved: another operator must call it off.", "plan", version)
		}
		if err == nil && !p.ApprovedAt.IsZero() {
			err = s.cancel(ctx, tx, p.Version, tx.Now())
		}
		if err != nil {
			return p, err
		}
		p.Cancelled, p.CancelledName, p.CancelledAt = by.Operator, by.Name, tx.Now()
		return p, s.enterPlan(ctx, tx, by, p, "called off", reason)
	})
	if err == nil {
		s.opt.Log.Info("a plan is called off", "version", version, "by", by.Name)
	}
	return p, err
}

// cancel takes a scheduled version away.
func (s *Service) cancel(ctx context.Context, tx *ledger.Tx, v Version, at time.Time) error {
	open, err := s.openDay(ctx, tx)
	if err != nil {
		return err
	}
	if v.First <= open {
		return errs.New(errs.Refused, "plan.holds_already", "Plan {plan} holds since {since}: only a new version can change it.", "plan", v.Name, "since", v.First)
	}
	all, err := s.opt.Store.Versions(ctx, tx)
	if err != nil {
		return err
	}
	if last := all[len(all)-1]; last.Name != v.Name {
		return errs.New(errs.Refused, "plan.later_one_first", "Plan {plan} takes effect after it, on {from}: cancel that one first.", "plan", last.Name, "from", last.First)
	}
	return s.opt.Store.CancelPlan(ctx, tx, v.Name, at)
}

// cooling is how many days a sale of a day cools off: as long as the plan of
// that day promised, whatever holds now.
func (s *Service) cooling(ctx context.Context, tx *ledger.Tx) (of func(plan.Day) plan.Day, least plan.Day, err error) {
	all, err := s.opt.Store.Versions(ctx, tx)
	if err != nil {
		return nil, 0, err
	}
	days := make([]plan.Day, len(all))
	for i, v := range all {
		p, err := s.parse(v.Body)
		if err != nil {
			return nil, 0, err
		}
		if days[i] = plan.Day(p.CoolingOffDays); i == 0 || days[i] < least {
			least = days[i]
		}
	}
	return func(on plan.Day) (n plan.Day) {
		for i, v := range all {
			if v.First <= on {
				n = days[i]
			}
		}
		return n
	}, least, nil
}
