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

// Options of a Service.
type Options struct {
	Do     ledger.CommandRunner
	Store  Store
	File   *brand.Source  // what holds where nothing is stored
	Limits WithdrawLimits // likewise
	// Unfit says why an address cannot be the company's; no text if it can.
	Unfit     func(ctx context.Context, address string) (errs.Text, error)
	Operators Operators
	Mail      *mail.Service
	AuditLog  *auditlog.Service
	Second    *approvalmail.Service // tells whoever may approve
	Clock     clock.Clock
	Log       *slog.Logger
	Demo      bool // one operator is enough, and the record says so
}

// Operators knows who is told: *auth.Service.
type Operators interface {
	Operators(ctx context.Context) ([]auth.Operator, error)
}

// Service keeps the settings. Who may change which is the caller's to check.
type Service struct {
	opt     Options
	looking sync.Mutex // one reads what is stored at a time

	mu   sync.Mutex // guards what follows
	seen int64      // the stamp of what was read
	read bool
	held standing
	view view
}

// New makes a Service. Look reads what is stored.
func New(opt Options) *Service { return &Service{opt: opt} }

// do runs f as the operator's command and reads what holds then.
func (s *Service) do(ctx context.Context, by actor.By, key string, body any, f func(context.Context, *ledger.Tx) (Proposal, error)) (Proposal, error) {
	id, err := ledger.Run(ctx, s.opt.Do, by.Key(), key, body, func(ctx context.Context, tx *ledger.Tx) (int64, error) {
		p, err := f(ctx, tx)
		return p.ID, err
	})
	if err != nil {
		return Proposal{}, err
	}
	if err := s.Look(ctx); err != nil {
		s.opt.Log.Warn("the settings could not be read again; it is tried again", "err", err)
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

// Propose notes what a section should become. Errors: Invalid with every
// mistake; Conflict if another change of the section waits, or one that was
// approved does not hold yet, or there is nothing to change.
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
				return p, errs.New(errs.Conflict, "setting.change_waits", "Another change of this waits to be approved: decide on that first.")
			}
		}
		if bytes.Equal(was, body) {
			return Proposal{}, errs.New(errs.Conflict, "setting.unchanged", "This is what holds already: there is nothing to change.")
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

// tell tells whoever may approve that a proposal waits for them.
func (s *Service) tell(ctx context.Context, tx *ledger.Tx, p Proposal) error {
	kind := approvalmail.Settings
	if p.Section == Content {
		kind = approvalmail.Brand
	}
	return s.opt.Second.Tell(ctx, tx, approvalmail.Wait{Kind: kind, About: strconv.FormatInt(p.ID, 10) + ", " + string(p.Section), By: actor.By{Operator: p.By, Name: p.ByName}})
}

// parse reads what a section would become and gives its canonical form. Invalid
// names every mistake.
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

// base is what a change of a section starts from. Conflict while an approved
// one waits to hold.
func (s *Service) base(ctx context.Context, tx *ledger.Tx, section Section) ([]byte, error) {
	held, err := s.standing(ctx, tx)
	if err != nil {
		return nil, err
	}
	if next := held.next[section]; next.ID != 0 {
		return nil, errs.New(errs.Conflict, "setting.approved_one_first", "A change of this is approved and holds from {from}: call it off first.", "from", inWords(next.Holds))
	}
	return s.bodyOf(held, section), nil
}

func inWords(t time.Time) string { return t.UTC().Format("2 January 2006 at 15:04 UTC") }

// Decide approves or refuses a change that another operator proposed, or
// withdraws one's own. sections are those that the operator may decide about.
//
// Errors: NotFound; Forbidden for another section, and for approving one's own;
// Conflict if it was decided before; Refused if the digest is another one or
// something else holds since it was proposed.
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
			err = errs.New(errs.Refused, "setting.changed_meanwhile", "Something else holds since this was proposed: refuse it and propose anew.")
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
	return p, errs.New(errs.Forbidden, "setting.role", "This is not for your role to decide.")
}

// CallOff takes back an approved change that does not hold yet. One operator is
// enough: what held goes on to hold. Errors: Invalid for a reason that says
// nothing; NotFound; Forbidden for another section; Conflict if there is nothing
// to call off.
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
			return p, errs.New(errs.Conflict, "setting.not_callable_off", "Only what is approved and does not hold yet can be called off.")
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

// announce tells every operator that members will send money elsewhere, or that
// this was called off.
func (s *Service) announce(ctx context.Context, tx *ledger.Tx, told []auth.Operator, p Proposal) error {
	letter := mail.DepositAddress{
		Banks: p.Section == Banks, Was: paidTo(p.Section, p.Was), Wanted: paidTo(p.Section, p.Body), Holds: inWords(p.Holds),
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

// paidTo is where a section's body has members send money, in full.
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

// enter writes a proposal as it stands into the record.
func (s *Service) enter(ctx context.Context, tx *ledger.Tx, by actor.By, p Proposal, act, reason string) error {
	was, became, err := states(p)
	if err != nil {
		return err
	}
	return s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{
		Operator: by.Operator, Name: by.Name, Act: "setting " + act, Subject: string(p.Section) + " " + strconv.FormatInt(p.ID, 10), Was: was, Became: became, Reason: p.Alone.After(reason),
	})
}

// maxState is how many bytes of a change an entry of the record holds; the
// proposal has all of it.
const maxState = 3000

// states are the values that a proposal changes, before and after, as far as
// they fit.
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
