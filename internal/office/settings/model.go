// Package settings manages the parts of the installation that operators change: the
// public content, the company's bank accounts and USDT address, and the limits of
// withdrawals. Files have the defaults. One operator proposes a change and another
// approves its digest; every version is kept. Another USDT address or bank account takes
// effect after a wait, of which all operators are notified.
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

const (
	Content Section = "content"
	Banks   Section = "banks"
	USDT    Section = "usdt"
	Limits  Section = "limits"
)

var Sections = []Section{Content, Banks, USDT, Limits}

// AddressWait is the wait between the approval of another USDT address or bank account
// and its effect, in which any operator can call it off.
const AddressWait = 48 * time.Hour

// pays reports whether members send money by the section. Operators are notified of its
// changes.
func (s Section) pays() bool { return s == USDT || s == Banks }

// wait is how long a proposal waits after its approval. Removed bank accounts do not
// wait: they direct no money anywhere new.
func (p *Proposal) wait() time.Duration {
	if !p.Section.pays() || (p.Section == Banks && onlyFewer(p.Was, p.Body)) {
		return 0
	}
	return AddressWait
}

// onlyFewer reports whether body contains only bank accounts that are in was, unchanged.
func onlyFewer(was, body []byte) bool {
	before, errBefore := brand.ParseAccounts(was)
	after, errAfter := brand.ParseAccounts(body)
	if errBefore != nil || errAfter != nil {
		return false
	}
	return !slices.ContainsFunc(after.Banks, func(b brand.Bank) bool { return !slices.Contains(before.Banks, b) })
}

// WithdrawLimits limit withdrawals, and what one operator may credit or approve alone.
type WithdrawLimits struct {
	MemberDaily money.Amount `json:"withdraw_member_daily"` // of one member on a local day
	TotalDaily  money.Amount `json:"withdraw_total_daily"`  // of all members
	TwoAbove    money.Amount `json:"withdraw_two_above"`    // above it two operators approve
	FactorAbove money.Amount `json:"withdraw_factor_above"` // above it a member needs a second factor; 0 is never
	// FundTwoAbove is the amount above which it takes two operators to credit a
	// fund request.
	FundTwoAbove money.Amount `json:"fund_two_above"`
	// FundAloneDaily is what one operator may credit alone within 24 hours, to all
	// members together.
	FundAloneDaily money.Amount `json:"fund_alone_daily"`
}

// parseLimits parses limits. Invalid names every mistake.
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

// CalledOff is the final state of an approved version that was called off before it took
// effect.
const CalledOff approval.State = "called off"

// Proposal is a change of a section, and once approved a version of it.
type Proposal struct {
	ID      int64
	Section Section
	Was     []byte // the canonical body in force when it was proposed
	Body    []byte // the canonical proposed body
	Reason  string
	By      int64
	ByName  string
	At      time.Time

	State       approval.State
	Decided     int64 // by which operator; 0 while pending
	DecidedName string
	DecidedAt   time.Time
	Holds       time.Time // when it takes effect; zero unless approved
	Ended       int64     // the operator who called it off
	EndedName   string
	EndedAt     time.Time
	Alone       approval.Alone // why one operator was enough; "" if it took two
}

// Payload is the canonical form of the proposal, of which Digest is taken.
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

// Digest is the SHA-256 of Payload. An approval names it, so that nobody approves
// something they did not see.
func (p Proposal) Digest() string {
	return approval.Digest(p.Payload())
}

// Changes are the proposed changes, by path.
func (p Proposal) Changes() ([]plan.Change, error) { return plan.Changes(p.Was, p.Body) }

// Parse parses a section's body and returns its canonical form. Invalid names every
// mistake by its path.
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
