package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerSettings(api huma.API) {
	get(api, tagOperator, "operator/settings", "The brand and the settings as they are, and changes that wait", c.settingsOverview)
	get(api, tagOperator, "operator/settings/history", "Versions of one part and what else was proposed, newest first", c.settingHistory)
	get(api, tagOperator, "operator/settings/proposal", "One proposal: what was, what it says, and the fingerprint of both", c.settingProposal)
	post(api, tagOperator, "operator/settings/validate", "Name every mistake of a draft, and what it changes", c.validateSetting)
	post(api, tagOperator, "operator/brand/propose", "Propose what the public pages say", c.proposeBrand)
	postProved(api, tagOperator, "operator/brand/decide", "Approve or refuse what another operator proposed, or withdraw one's own", c.decideBrand)
	post(api, tagOperator, "operator/settings/propose", "Propose bank accounts, the USDT address or limits of withdrawals", c.proposeSettings)
	postProved(api, tagOperator, "operator/settings/decide", "Approve or refuse what another operator proposed, or withdraw one's own", c.decideSettings)
	post(api, tagOperator, "operator/settings/cancel", "Call an approved change off before it holds", c.cancelSettings)
}

// Which sections are whose: what people read is compliance's, where money goes
// and how much is finance's. Both are the owners'.
var (
	brandSections   = []settings.Section{settings.Content}
	settingSections = []settings.Section{settings.Banks, settings.USDT, settings.Limits}
)

type settingProposalRow struct {
	ID          string `json:"id"`
	Section     string `json:"section" enum:"content,banks,usdt,limits"`
	Reason      string `json:"reason"`
	ProposedBy  string `json:"proposedBy"`
	ProposedAt  moment `json:"proposedAt"`
	State       string `json:"state" enum:"waiting,approved,refused,withdrawn,called off"`
	DecidedBy   string `json:"decidedBy"`
	DecidedAt   moment `json:"decidedAt"`
	Holds       moment `json:"holds" doc:"From when on it holds; of approved ones only."`
	CalledOffBy string `json:"calledOffBy"`
	CalledOffAt moment `json:"calledOffAt"`
	Alone       string `json:"alone" doc:"Why one operator was enough; empty when it took two."`
	Own         bool   `json:"own" doc:"Proposed by who asks."`
	MayApprove  bool   `json:"mayApprove" doc:"It waits, and who asks is not kept from approving it by having proposed it."`
}

func (c *Calls) settingRow(ctx context.Context, p settings.Proposal) settingProposalRow {
	own := p.By == sessionOf(ctx).Operator
	return settingProposalRow{
		id(p.ID), string(p.Section), p.Reason, p.ByName, at(p.At), string(p.State), p.DecidedName, at(p.DecidedAt), at(p.Holds),
		p.EndedName, at(p.EndedAt), string(p.Alone), own, p.State == approval.Waiting && (!own || c.Demo),
	}
}

type settingSection struct {
	Section string              `json:"section" enum:"content,banks,usdt,limits"`
	Body    json.RawMessage     `json:"body" doc:"What holds now."`
	Version string              `json:"version" doc:"The proposal that it comes from; empty for the installation's files."`
	Next    *settingProposalRow `json:"next,omitempty" doc:"Approved, and does not hold yet."`
	Waiting *settingProposalRow `json:"waiting,omitempty" doc:"Waits to be decided."`
}

type settingsAnswer struct {
	Sections  []settingSection  `json:"sections" nullable:"false"`
	Live      map[string]string `json:"live" doc:"What live counters show now, by the value's name."`
	WaitHours int64             `json:"waitHours" doc:"So long another USDT address or bank account waits after its approval."`
	Next      string            `json:"nextAddress" doc:"The USDT address that waits; empty if none does."`
}

func (c *Calls) settingsOverview(ctx context.Context, _ *struct{}) (*reply[settingsAnswer], error) {
	all, err := c.Settings.Overview(ctx)
	if err != nil {
		return nil, err
	}
	out := settingsAnswer{Sections: []settingSection{}, Live: c.Settings.Current().Live(c.figures()), WaitHours: int64(settings.AddressWait / time.Hour)}
	out.Next, _ = c.Settings.NextAddress()
	for _, h := range all {
		s := settingSection{Section: string(h.Section), Body: h.Body, Version: id(h.Version)}
		if h.Next != nil {
			row := c.settingRow(ctx, *h.Next)
			s.Next = &row
		}
		if h.Waiting != nil {
			row := c.settingRow(ctx, *h.Waiting)
			s.Waiting = &row
		}
		out.Sections = append(out.Sections, s)
	}
	return answer(out), nil
}

type settingHistoryInput struct {
	Section string `query:"section" required:"true" enum:"content,banks,usdt,limits"`
	Before  int64  `query:"before" minimum:"0" doc:"next of the answer before."`
	Size    int    `query:"size" minimum:"1" maximum:"200" default:"50"`
}

type settingHistory struct {
	Data [][]settingProposalRow `json:"data" nullable:"false" doc:"The first element is the page's rows."`
	Next int64                  `json:"next" doc:"before of the next page; 0 at the end."`
}

func (c *Calls) settingHistory(ctx context.Context, in *settingHistoryInput) (*struct{ Body settingHistory }, error) {
	found, more, err := c.Settings.History(ctx, settings.Section(in.Section), in.Before, in.Size)
	if err != nil {
		return nil, err
	}
	rows := []settingProposalRow{}
	for _, p := range found {
		rows = append(rows, c.settingRow(ctx, p))
	}
	out := settingHistory{Data: [][]settingProposalRow{rows}}
	if more {
		out.Next = found[len(found)-1].ID
	}
	return &struct{ Body settingHistory }{out}, nil
}

type settingProposalInput struct {
	ID int64 `query:"id" required:"true" minimum:"1"`
}

type settingProposalAnswer struct {
	Row     settingProposalRow `json:"proposal"`
	Was     json.RawMessage    `json:"was"`
	Body    json.RawMessage    `json:"body"`
	Changes []plan.Change      `json:"changes" nullable:"false" doc:"What differs, by path."`
	Payload string             `json:"payload" doc:"All that was proposed, in the one form that the digest is taken of."`
	Digest  string             `json:"digest" doc:"The SHA-256 of payload: whoever decides names it."`
}

func (c *Calls) shownSetting(ctx context.Context, p settings.Proposal) (*reply[settingProposalAnswer], error) {
	changes, err := p.Changes()
	if err != nil {
		return nil, err
	}
	return answer(settingProposalAnswer{c.settingRow(ctx, p), p.Was, p.Body, append([]plan.Change{}, changes...), string(p.Payload()), p.Digest()}), nil
}

func (c *Calls) settingProposal(ctx context.Context, in *settingProposalInput) (*reply[settingProposalAnswer], error) {
	p, err := c.Settings.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return c.shownSetting(ctx, p)
}

type settingDraftInput struct{ Body settingDraft }

type settingDraft struct {
	Section string          `json:"section" enum:"content,banks,usdt,limits"`
	Body    json.RawMessage `json:"body" doc:"What the section should become, whole."`
}

type settingCheck struct {
	Valid    bool          `json:"valid"`
	Mistakes []errs.Field  `json:"mistakes" nullable:"false" doc:"Every mistake, by its path."`
	Changes  []plan.Change `json:"changes" nullable:"false" doc:"What differs from what holds; of a valid draft only."`
}

func (c *Calls) validateSetting(ctx context.Context, in *settingDraftInput) (*reply[settingCheck], error) {
	out := settingCheck{Mistakes: []errs.Field{}, Changes: []plan.Change{}}
	body, was, err := c.Settings.Check(ctx, settings.Section(in.Body.Section), in.Body.Body)
	var wrong *errs.Error
	switch {
	case errors.As(err, &wrong) && len(wrong.Fields) > 0:
		out.Mistakes = wrong.Fields
		return answer(out), nil
	case err != nil:
		return nil, err
	}
	changes, err := plan.Changes(was, body)
	if err != nil {
		return nil, err
	}
	out.Valid, out.Changes = true, append(out.Changes, changes...)
	return answer(out), nil
}

func (c *Calls) proposeSetting(ctx context.Context, key string, section settings.Section, body json.RawMessage, reason string) (*reply[settingProposalAnswer], error) {
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := c.Settings.Propose(ctx, by, key, section, body, reason)
	if err != nil {
		return nil, err
	}
	return c.shownSetting(ctx, p)
}

type proposeBrandInput struct {
	Keyed
	Body proposeBrandBody
}

type proposeBrandBody struct {
	Body   json.RawMessage `json:"body" doc:"What the public pages should say, whole: site and counters."`
	Reason string          `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
}

func (c *Calls) proposeBrand(ctx context.Context, in *proposeBrandInput) (*reply[settingProposalAnswer], error) {
	return c.proposeSetting(ctx, in.Key, settings.Content, in.Body.Body, in.Body.Reason)
}

type proposeSettingsInput struct {
	Keyed
	Body proposeSettingsBody
}

type proposeSettingsBody struct {
	Section string          `json:"section" enum:"banks,usdt,limits"`
	Body    json.RawMessage `json:"body" doc:"What the section should become, whole."`
	Reason  string          `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
}

func (c *Calls) proposeSettings(ctx context.Context, in *proposeSettingsInput) (*reply[settingProposalAnswer], error) {
	return c.proposeSetting(ctx, in.Key, settings.Section(in.Body.Section), in.Body.Body, in.Body.Reason)
}

type decideSettingInput struct {
	Keyed
	Body decideSettingBody
}

type decideSettingBody struct {
	ID      text   `json:"id"`
	Digest  string `json:"digest" maxLength:"64" doc:"Of what was seen."`
	Approve bool   `json:"approve" doc:"false refuses, or withdraws one's own."`
}

func (c *Calls) decideSetting(ctx context.Context, in *decideSettingInput, sections []settings.Section) (*reply[settingProposalAnswer], error) {
	var f fields
	number := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := c.Settings.Decide(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve, sections...)
	if err != nil {
		return nil, err
	}
	return c.shownSetting(ctx, p)
}

func (c *Calls) decideBrand(ctx context.Context, in *decideSettingInput) (*reply[settingProposalAnswer], error) {
	return c.decideSetting(ctx, in, brandSections)
}

func (c *Calls) decideSettings(ctx context.Context, in *decideSettingInput) (*reply[settingProposalAnswer], error) {
	return c.decideSetting(ctx, in, settingSections)
}

type cancelSettingsInput struct {
	Keyed
	Body cancelSettingsBody
}

type cancelSettingsBody struct {
	ID     text   `json:"id"`
	Reason string `json:"reason" doc:"Why; 5 to 200 characters. It stands in the record."`
}

func (c *Calls) cancelSettings(ctx context.Context, in *cancelSettingsInput) (*reply[settingProposalAnswer], error) {
	var f fields
	number := f.number("id", in.Body.ID)
	if err := f.err(); err != nil {
		return nil, err
	}
	by, err := c.by(ctx)
	if err != nil {
		return nil, err
	}
	p, err := c.Settings.CallOff(ctx, by, in.Key, number, in.Body.Reason, settingSections...)
	if err != nil {
		return nil, err
	}
	return c.shownSetting(ctx, p)
}
