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

// A plan changes by a new version from a later day on. One operator proposes it and
// another approves it; it can be cancelled until its first day. Days keep the version
// they were closed with.

// Version is a plan and its first day.
type Version struct {
	Name  string
	First plan.Day
	Body  []byte
}

// PlanProposal is a proposed version and its decision.
type PlanProposal struct {
	Version
	By            int64 // 0 for the command line
	ByName        string
	At            time.Time
	Reason        string
	Approved      int64
	ApprovedName  string
	ApprovedAt    time.Time // zero until it is approved
	Cancelled     int64
	CancelledName string
	CancelledAt   time.Time // zero unless it was called off
	Alone         approval.Alone
}

// Digest is the hash of the proposed version. The approver sends it, so that both
// operators approve the same content.
func (p PlanProposal) Digest() string {
	return approval.Digest(append([]byte(p.First.String()+"\n"), p.Body...))
}

// Warning returns what was unusual when it was proposed, or no text.
func (p PlanProposal) Warning() errs.Text {
	return WarnFrom(plan.Day(p.At.Unix()/(24*60*60)), p.First)
}

// Plans are the versions and proposals.
type Plans struct {
	Today     plan.Day
	Current   Version
	Past      []Version
	Scheduled []Version
	Proposals []PlanProposal // all, the latest first
}

// Plans returns all versions and proposals. Refused before the first version.
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

// today returns the local day.
func (s *Service) today(ctx context.Context, tx *ledger.Tx) (plan.Day, error) {
	p, err := s.plan(ctx, tx, 0)
	if err != nil {
		return 0, err
	}
	return p.Day(s.opt.Clock.Now()), nil
}

// CheckPlan returns every mistake of a draft: those of Parse, and conflicts with the
// existing versions. Day 0 skips the check of the day. The plan is nil if there is a
// mistake.
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
			wrong = append(wrong, errs.NewField("version", "plan.version_exists", "is the name of an existing plan"))
		}
	}
	if _, known, err := s.opt.Store.PlanProposal(ctx, tx, p.Version); err != nil {
		return nil, nil, err
	} else if known && wrong == nil {
		wrong = append(wrong, errs.NewField("version", "plan.version_proposed_before", "is the name of an earlier proposal: choose another one"))
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

// checkFrom checks that a version begins after every other version, on a day without
// possible events.
func (s *Service) checkFrom(ctx context.Context, tx *ledger.Tx, all []Version, from plan.Day) (wrong []errs.Field, err error) {
	open, err := s.openDay(ctx, tx)
	if err != nil {
		return nil, err
	}
	if from <= open {
		wrong = append(wrong, errs.NewField("from", "plan.from_later", "A plan takes effect on {day} or later.", "day", (open+1).String()))
	}
	if n := len(all); n > 0 && from <= all[n-1].First {
		v := all[n-1]
		wrong = append(wrong, errs.NewField("from", "plan.begin_after", "Plan {plan} takes effect on {day}: begin after it, or cancel it first.", "plan", v.Name, "day", v.First.String()))
	}
	return wrong, nil
}

// farAhead is the number of days from which a plan's first day is probably a typing
// error.
const farAhead = 366

// WarnFrom warns about a first day years ahead, because no other plan can begin before
// it. No text otherwise.
func WarnFrom(on, from plan.Day) errs.Text {
	if from-on <= farAhead {
		return errs.Text{}
	}
	return errs.Say("plan.far_ahead", "The first day, {day}, is more than a year away. Once it is approved, no other plan can begin before it.", "day", from)
}

// openDay returns the latest day on which an event of now can count: today, or the day
// after the last closed one if a demo closed today.
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

// change runs a command that changes a proposal, once per key.
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

// enterPlan writes a change of a proposal with its digest to the audit log.
func (s *Service) enterPlan(ctx context.Context, tx *ledger.Tx, by actor.By, p PlanProposal, act, reason string) error {
	return s.enter(ctx, tx, auditlog.Entry{
		Operator: by.Operator, Name: by.Name, Act: "plan " + act, Subject: p.Name, Reason: p.Alone.After(reason),
		Became: auditlog.State(map[string]string{"from": p.First.String(), "digest": p.Digest(), "proposed by": p.ByName}),
	})
}

// ProposePlan proposes a plan from a day on. Invalid names every mistake, and a missing
// reason.
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

// ApprovePlan approves a proposed version. Forbidden for the proposer, unless one
// operator is enough, which the audit log shows; NotFound if there is no proposal;
// Refused if it is approved or cancelled, its day has come, or the digest differs;
// Invalid if it does not fit the versions approved since.
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
			return p, errs.New(errs.Refused, "approval.digest_changed", "The proposal has changed. Review it again.")
		case !two && s.alone(by) == "":
			return p, errs.New(errs.Forbidden, "plan.two_operators", "Plan {plan} takes two operators. Another operator must approve it.", "plan", version)
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

// stillFits checks a proposal against the versions approved since.
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

// proposal returns a proposal that was not cancelled.
func (s *Service) proposal(ctx context.Context, tx *ledger.Tx, version string) (PlanProposal, error) {
	p, found, err := s.opt.Store.PlanProposal(ctx, tx, version)
	switch {
	case err != nil:
		return p, err
	case !found:
		return p, errs.New(errs.NotFound, "plan.not_proposed", "Nobody has proposed a plan {plan}.", "plan", strconv.Quote(version))
	case !p.CancelledAt.IsZero():
		return p, errs.New(errs.Refused, "plan.called_off", "Plan {plan} was cancelled.", "plan", version)
	}
	return p, nil
}

// CancelPlan cancels a proposed or scheduled version. Forbidden for the proposer of one
// that another operator approved, unless one operator is enough; Refused once its first
// day is open, and while a later version is scheduled that was checked against it;
// NotFound if there is no proposal.
func (s *Service) CancelPlan(ctx context.Context, by actor.By, key, version, reason string) (PlanProposal, error) {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return PlanProposal{}, err
	}
	p, err := s.change(ctx, by, key, []byte("cancel plan "+version+" "+reason), func(ctx context.Context, tx *ledger.Tx) (PlanProposal, error) {
		p, err := s.proposal(ctx, tx, version)
		if err == nil && !p.ApprovedAt.IsZero() && p.Alone == "" && p.By == by.Operator && s.alone(by) == "" {
			err = errs.New(errs.Forbidden, "plan.own_proposal_call_off", "You proposed plan {plan}, and it is approved. Another operator must cancel it.", "plan", version)
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

// cancel removes a scheduled version.
func (s *Service) cancel(ctx context.Context, tx *ledger.Tx, v Version, at time.Time) error {
	open, err := s.openDay(ctx, tx)
	if err != nil {
		return err
	}
	if v.First <= open {
		return errs.New(errs.Refused, "plan.holds_already", "Plan {plan} has been in force since {since}. Only a new version can change it.", "plan", v.Name, "since", v.First)
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

// cooling returns the cooling-off of a sale by its day: that of the day's plan. least is
// the shortest one.
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
