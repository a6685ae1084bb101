package settings

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/office/approvalmail"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Options configures a Service.
type Options struct {
	Do     ledger.CommandRunner
	Store  Store
	File   *brand.Source  // the defaults
	Limits WithdrawLimits // the defaults
	// Unfit returns why an address cannot be the company's; no text if it can.
	Unfit     func(ctx context.Context, address string) (errs.Text, error)
	Operators Operators
	Mail      *mail.Service
	AuditLog  *auditlog.Service
	Second    *approvalmail.Service
	Clock     clock.Clock
	Log       *slog.Logger
	Demo      bool // one operator is enough, and the audit log says so
}

// Operators lists the operators to notify: *auth.Service.
type Operators interface {
	Operators(ctx context.Context) ([]auth.Operator, error)
}

// Service manages the settings. The caller checks permissions.
type Service struct {
	opt     Options
	looking sync.Mutex // serializes Look
	mu      sync.Mutex // guards the fields below
	seen    int64      // the stamp of the loaded settings
	read    bool
	held    standing
	view    view
}

// New returns a Service. Look loads the stored settings.
func New(opt Options) *Service { return &Service{opt: opt} }

// do runs f as the operator's command and reloads the settings.
func (s *Service) do(ctx context.Context, by actor.By, key string, body any, f func(context.Context, *ledger.Tx) (Proposal, error)) (Proposal, error) {
	id, err := ledger.Run(ctx, s.opt.Do, by.Key(), key, body, func(ctx context.Context, tx *ledger.Tx) (int64, error) {
		p, err := f(ctx, tx)
		return p.ID, err
	})
	if err != nil {
		return Proposal{}, err
	}
	if err := s.Look(ctx); err != nil {
		s.opt.Log.Warn("settings: reload failed; it will be retried", "err", err)
	}
	return s.Get(ctx, id)
}

var errNone = errs.New(errs.NotFound, "approval.not_found", "There is no such proposal.")

// Get finds a proposal. NotFound.
func (s *Service) Get(ctx context.Context, id int64) (Proposal, error) { return s.get(ctx, nil, id) }

func (s *Service) get(ctx context.Context, tx *ledger.Tx, id int64) (Proposal, error) {
	p, found, err := s.opt.Store.Get(ctx, tx, id)
	if err == nil && !found {
		err = errNone
	}
	return p, err
}

// Propose proposes a section's new body. Errors: Invalid with every mistake; Conflict if
// another change of the section is pending, or approved and not in effect yet, or if
// nothing changes.
func (s *Service) Propose(ctx context.Context, by actor.By, key string, section Section, raw []byte, reason string) (Proposal, error) {
	body, err := s.parse(ctx, section, raw)
	reason, wrong := auditlog.ParseReason(reason)
	if err == nil {
		err = wrong
	}
	if err != nil {
		return Proposal{}, err
	}
	return s.do(ctx, by, key, []any{"propose", section, string(body), reason}, func(ctx context.Context, tx *ledger.Tx) (Proposal, error) {
		was, err := s.base(ctx, tx, section)
		if err != nil {
			return Proposal{}, err
		}
		waiting, err := s.opt.Store.Waiting(ctx, tx)
		if err != nil {
			return Proposal{}, err
		}
		for _, p := range waiting {
			if p.Section == section {
				return p, errs.New(errs.Conflict, "setting.change_waits", "Another change of this section is waiting for approval. Approve or reject it first.")
			}
		}
		if bytes.Equal(was, body) {
			return Proposal{}, errs.New(errs.Conflict, "setting.unchanged", "Nothing changes: these are the current settings.")
		}
		p := Proposal{Section: section, Was: was, Body: body, Reason: reason, By: by.Operator, ByName: by.Name, At: tx.Now(), State: approval.Waiting}
		if p.ID, err = s.opt.Store.Add(ctx, tx, p); err != nil {
			return p, err
		}
		if err := s.enter(ctx, tx, by, p, "proposed", reason); err != nil {
			return p, err
		}
		return p, s.tell(ctx, tx, p)
	})
}

// tell mails the operators who may approve.
func (s *Service) tell(ctx context.Context, tx *ledger.Tx, p Proposal) error {
	kind := approvalmail.Settings
	if p.Section == Content {
		kind = approvalmail.Brand
	}
	return s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: kind, About: strconv.FormatInt(p.ID, 10) + ", " + string(p.Section), By: actor.By{Operator: p.By, Name: p.ByName}})
}

// parse parses a section's new body and returns its canonical form. Invalid names every
// mistake.
func (s *Service) parse(ctx context.Context, section Section, raw []byte) ([]byte, error) {
	body, err := section.Parse(raw)
	if err != nil || section != USDT {
		return body, err
	}
	why, err := s.opt.Unfit(ctx, addressOf(body))
	if err == nil && why.Code != "" {
		err = errs.Fields([]errs.Field{{Name: "usdt", Text: why}})
	}
	return body, err
}

// base is the body that a change of a section starts from. Conflict while an approved
// change has not taken effect.
func (s *Service) base(ctx context.Context, tx *ledger.Tx, section Section) ([]byte, error) {
	held, err := s.standing(ctx, tx)
	if err != nil {
		return nil, err
	}
	if next := held.next[section]; next.ID != 0 {
		return nil, errs.New(errs.Conflict, "setting.approved_one_first", "A change of this section is approved and takes effect on {from}. Call it off first.", "from", inWords(next.Holds))
	}
	return s.bodyOf(held, section), nil
}

func inWords(t time.Time) string { return t.UTC().Format("2 January 2006 at 15:04 UTC") }

// Decide approves or rejects another operator's change, or withdraws one's own. sections
// are those that the operator may decide about.
//
// Errors: NotFound; Forbidden for another section, and for approving one's own change;
// Conflict if it was decided before; Refused if the digest differs, or the section
// changed since the proposal.
func (s *Service) Decide(ctx context.Context, by actor.By, key string, id int64, digest string, approve bool, sections ...Section) (Proposal, error) {
	told, err := s.opt.Operators.Operators(ctx)
	if err != nil {
		return Proposal{}, err
	}
	return s.do(ctx, by, key, []any{"decide", id, digest, approve}, func(ctx context.Context, tx *ledger.Tx) (Proposal, error) {
		p, err := s.open(ctx, tx, id, sections)
		if err != nil {
			return p, err
		}
		d, err := approval.Proposal{By: p.By, State: p.State, Digest: p.Digest()}.Decide(by.Operator, digest, approve, approval.InDemo(s.opt.Demo))
		if err != nil {
			return p, err
		}
		p.State, p.Alone, p.Decided, p.DecidedName, p.DecidedAt = d.State, d.Alone, by.Operator, by.Name, tx.Now()
		if !approve {
			return p, s.settle(ctx, tx, by, p, string(p.State), p.Reason)
		}
		now, err := s.base(ctx, tx, p.Section)
		if err == nil && !bytes.Equal(now, p.Was) {
			err = errs.New(errs.Refused, "setting.changed_meanwhile", "The settings have changed since this was proposed. Reject it and make a new proposal.")
		}
		if err != nil {
			return p, err
		}
		p.Holds = p.DecidedAt
		if wait := p.wait(); wait > 0 {
			p.Holds = s.opt.Clock.Latest().Add(wait)
		}
		if p.Section.pays() {
			if err := s.announce(ctx, tx, told, p); err != nil {
				return p, err
			}
		}
		return p, s.settle(ctx, tx, by, p, "approved", p.Reason)
	})
}

// open finds a proposal of one of the sections.
func (s *Service) open(ctx context.Context, tx *ledger.Tx, id int64, sections []Section) (Proposal, error) {
	p, err := s.get(ctx, tx, id)
	if err != nil {
		return p, err
	}
	for _, mine := range sections {
		if p.Section == mine {
			return p, nil
		}
	}
	return p, errs.New(errs.Forbidden, "setting.role", "Your role cannot decide about this section.")
}

// CallOff cancels an approved change that has not taken effect. One operator is enough,
// because nothing changes. Errors: Invalid for an unusable reason; NotFound; Forbidden
// for another section; Conflict if there is nothing to call off.
func (s *Service) CallOff(ctx context.Context, by actor.By, key string, id int64, reason string, sections ...Section) (Proposal, error) {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return Proposal{}, err
	}
	told, err := s.opt.Operators.Operators(ctx)
	if err != nil {
		return Proposal{}, err
	}
	return s.do(ctx, by, key, []any{"call off", id, reason}, func(ctx context.Context, tx *ledger.Tx) (Proposal, error) {
		p, err := s.open(ctx, tx, id, sections)
		switch {
		case err != nil:
			return p, err
		case p.State != approval.Approved || !p.Holds.After(s.opt.Clock.Latest()):
			return p, errs.New(errs.Conflict, "setting.not_callable_off", "Only an approved change that has not taken effect can be called off.")
		}
		p.State, p.Ended, p.EndedName, p.EndedAt = CalledOff, by.Operator, by.Name, tx.Now()
		if err := s.announce(ctx, tx, told, p); err != nil {
			return p, err
		}
		return p, s.settle(ctx, tx, by, p, "called off", reason)
	})
}

func (s *Service) settle(ctx context.Context, tx *ledger.Tx, by actor.By, p Proposal, act, reason string) error {
	if err := s.opt.Store.Set(ctx, tx, p); err != nil {
		return err
	}
	return s.enter(ctx, tx, by, p, act, reason)
}

// announce mails every operator that members will send money elsewhere, or that this was
// called off.
func (s *Service) announce(ctx context.Context, tx *ledger.Tx, told []auth.Operator, p Proposal) error {
	letter := mail.DepositAddress{
		Banks: p.Section == Banks, Was: paidTo(p.Section, p.Was), Wanted: paidTo(p.Section, p.Body), Holds: p.Holds.UTC(),
		By: p.ByName, Approved: p.DecidedName, CalledOff: p.EndedName,
	}
	tx.AfterCommit(s.opt.Mail.Wake)
	for _, o := range told {
		if !o.Ended.IsZero() {
			continue
		}
		letter.Name = o.Name
		if err := s.opt.Mail.Queue(ctx, tx, o.Email, letter); err != nil {
			return err
		}
	}
	return nil
}

// paidTo is where members send money by a section's body, in full.
func paidTo(section Section, body []byte) string {
	if section == USDT {
		if address := addressOf(body); address != "" {
			return address
		}
		return "none"
	}
	accounts, err := brand.ParseAccounts(body)
	if err != nil || len(accounts.Banks) == 0 {
		return "none"
	}
	var all []string
	for _, b := range accounts.Banks {
		all = append(all, strings.Join(slices.DeleteFunc([]string{b.Name, b.Holder, b.Account, b.IFSC, b.Branch}, func(s string) bool { return s == "" }), ", "))
	}
	return strings.Join(all, "\n  ")
}

// enter writes a proposal's state to the audit log.
func (s *Service) enter(ctx context.Context, tx *ledger.Tx, by actor.By, p Proposal, act, reason string) error {
	was, became, err := states(p)
	if err != nil {
		return err
	}
	return s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{
		Operator: by.Operator, Name: by.Name, Act: "setting " + act, Subject: string(p.Section) + " " + strconv.FormatInt(p.ID, 10), Was: was, Became: became, Reason: p.Alone.After(reason),
	})
}

// maxState limits the bytes of a change in an audit log entry; the proposal has all of
// it.
const maxState = 3000

// states are the changed values, before and after, up to maxState.
func states(p Proposal) (was, became string, err error) {
	changes, err := p.Changes()
	if err != nil {
		return "", "", err
	}
	before, after := map[string]string{}, map[string]string{}
	size := 0
	for i, c := range changes {
		if size += 2*len(c.Path) + len(auditlog.State(c.Before)) + len(auditlog.State(c.After)); size > maxState {
			after["…"] = strconv.Itoa(len(changes)-i) + " more changes"
			break
		}
		before[c.Path], after[c.Path] = c.Before, c.After
	}
	return auditlog.State(before), auditlog.State(after), nil
}
