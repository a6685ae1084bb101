// Package setting is what operators change about the installation from inside:
// what the public reads, the company's bank accounts, the address that USDT is
// sent to, and the limits of withdrawals. Files give the defaults. A change is
// proposed by one operator and approved by another, who names the fingerprint
// of exactly what they saw; every version stays. Another USDT address or bank
// account waits before it holds, and operators are told meanwhile.
package settings

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// Section is a part of the settings that changes as a whole.
type Section string

// The sections.
const (
	Content Section = "content"
	Banks   Section = "banks"
	USDT    Section = "usdt"
	Limits  Section = "limits"
)

// Sections are all of them.
var Sections = []Section{Content, Banks, USDT, Limits}

// AddressWait is how long another USDT address or bank account waits after its
// approval, so that whoever did not want it can call it off before money goes
// there.
const AddressWait = 48 * time.Hour

// pays tells whether a section says where members send money: operators are told
// of every change of it.
func (s Section) pays() bool { return s == USDT || s == Banks }

// wait is how long a proposal waits after its approval. Bank accounts that are only
// taken away do not wait: no money goes anywhere new.
func (p *Proposal) wait() time.Duration {
	if !p.Section.pays() || (p.Section == Banks && onlyFewer(p.Was, p.Body)) {
		return 0
	}
	return AddressWait
}

// onlyFewer tells whether every bank account of body stands, just so, in was.
func onlyFewer(was, body []byte) bool {
	before, errBefore := brand.ParseAccounts(was)
	after, errAfter := brand.ParseAccounts(body)
	if errBefore != nil || errAfter != nil {
		return false
	}
	return !slices.ContainsFunc(after.Banks, func(b brand.Bank) bool { return !slices.Contains(before.Banks, b) })
}

// WithdrawLimits bound what leaves, and say what one operator may not let in or
// out alone.
type WithdrawLimits struct {
	MemberDaily money.Amount `json:"withdraw_member_daily"` // what one member may ask for on a local day
	TotalDaily  money.Amount `json:"withdraw_total_daily"`  // what all may
	TwoAbove    money.Amount `json:"withdraw_two_above"`    // above it two operators approve
	FactorAbove money.Amount `json:"withdraw_factor_above"` // above it a member needs a second factor; 0 is never
	// FundTwoAbove is the amount above which it takes two operators to credit a
	// fund request.
	FundTwoAbove money.Amount `json:"fund_two_above"`
	// FundAloneDaily is what one operator may credit by hand alone within 24
	// hours, to all members together.
	FundAloneDaily money.Amount `json:"fund_alone_daily"`
}

// parseLimits reads limits. Invalid names every mistake.
func parseLimits(raw []byte) (l WithdrawLimits, err error) {
	wrong, _ := shape.Read("limits", raw, &l)
	if err := errs.Fields(wrong); err != nil {
		return l, err
	}
	for _, f := range []struct {
		name  string
		value money.Amount
	}{{"withdraw_member_daily", l.MemberDaily}, {"withdraw_total_daily", l.TotalDaily}, {"withdraw_two_above", l.TwoAbove}, {"withdraw_factor_above", l.FactorAbove}, {"fund_two_above", l.FundTwoAbove}, {"fund_alone_daily", l.FundAloneDaily}} {
		if f.value.Sign() < 0 {
			wrong = append(wrong, errs.NewField(f.name, "field.below_zero", "is below zero"))
		}
	}
	if l.TotalDaily.Less(l.MemberDaily) {
		wrong = append(wrong, errs.NewField("withdraw_total_daily", "setting.total_less_than_one", "is less than what one member may withdraw"))
	}
	return l, errs.Fields(wrong)
}

// CalledOff is the state of a version, which is what was approved, that somebody
// called off before it held. It is final.
const CalledOff approval.State = "called off"

// Proposal is a change of a section, and once approved a version of it.
type Proposal struct {
	ID      int64
	Section Section
	Was     []byte // what held when it was proposed, in its canonical form
	Body    []byte // what is proposed, likewise
	Reason  string
	By      int64
	ByName  string
	At      time.Time

	State       approval.State
	Decided     int64 // by whom; 0 while it waits
	DecidedName string
	DecidedAt   time.Time
	Holds       time.Time // from when on; zero unless it was approved
	Ended       int64     // who called it off
	EndedName   string
	EndedAt     time.Time
	Alone       approval.Alone // why one operator was enough; "" when it took two
}

// Payload is all that was proposed, in the one form that Digest is taken of.
func (p Proposal) Payload() []byte {
	return shape.Canonical(struct {
		ID      int64           `json:"id"`
		Section Section         `json:"section"`
		Was     json.RawMessage `json:"was"`
		Body    json.RawMessage `json:"body"`
		Reason  string          `json:"reason"`
		By      int64           `json:"by"`
		At      int64           `json:"at"`
	}{p.ID, p.Section, p.Was, p.Body, p.Reason, p.By, p.At.UnixMicro()})
}

// Digest is the SHA-256 of Payload. Who approves names it, so that nobody
// approves another thing than they saw.
func (p Proposal) Digest() string {
	return approval.Digest(p.Payload())
}

// Changes are what it would change, by path.
func (p Proposal) Changes() ([]plan.Change, error) { return plan.Changes(p.Was, p.Body) }

// Parse reads what a section would become and gives its canonical form. Invalid
// names every mistake by its path.
func (s Section) Parse(raw []byte) ([]byte, error) {
	var v any
	var err error
	switch s {
	case Content:
		v, err = brand.ParseContent(raw)
	case Banks:
		v, err = brand.ParseAccounts(raw)
	case USDT:
		v, err = brand.ParseDeposit(raw)
	case Limits:
		v, err = parseLimits(raw)
	default:
		return nil, errs.BadField("section", "setting.section_unknown", "There is no such section.")
	}
	if err != nil {
		return nil, err
	}
	return shape.Canonical(v), nil
}
