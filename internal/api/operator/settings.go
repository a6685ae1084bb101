package operator

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	publicapi "github.com/bifolia/bifolia/internal/api/public"
	"github.com/bifolia/bifolia/internal/core/approval"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerSettings(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/settings", "Retrieve the brand, the settings and pending changes", c.settingsOverview)
	httpx.Get(api, httpx.TagOperator, "operator/settings/history", "List the versions and proposals of a section, newest first", c.settingHistory)
	httpx.Get(api, httpx.TagOperator, "operator/settings/proposal", "Retrieve a proposal with the current values, the proposed values and the digest", c.settingProposal)
	httpx.PostRead(api, httpx.TagOperator, "operator/settings/validate", "Validate a draft and list its changes", c.validateSetting)
	httpx.Post(api, httpx.TagOperator, "operator/brand/propose", "Propose a change of the brand", c.proposeBrand)
	httpx.PostProved(api, httpx.TagOperator, "operator/brand/decide", "Approve or reject another operator's proposal, or withdraw the operator's own", c.decideBrand)
	httpx.Post(api, httpx.TagOperator, "operator/settings/propose", "Propose a change of bank accounts, the USDT address or withdrawal limits", c.proposeSettings)
	httpx.PostProved(api, httpx.TagOperator, "operator/settings/decide", "Approve or reject another operator's proposal, or withdraw the operator's own", c.decideSettings)
	httpx.Post(api, httpx.TagOperator, "operator/settings/cancel", "Cancel an approved change before it takes effect", c.cancelSettings)
}

// Sections by responsibility: compliance owns public texts, finance owns payment targets
// and limits. Owners may change both.
var (
	brandSections   = []settings.Section{settings.Content}
	settingSections = []settings.Section{settings.Banks, settings.USDT, settings.Limits}
)

type settingProposalRow struct {
	ID          string          `json:"id"`
	Section     string          `json:"section" enum:"content,banks,usdt,limits"`
	Reason      string          `json:"reason"`
	ProposedBy  string          `json:"proposedBy"`
	ProposedAt  httpx.Timestamp `json:"proposedAt"`
	State       string          `json:"state" enum:"waiting,approved,refused,withdrawn,called off"`
	DecidedBy   string          `json:"decidedBy"`
	DecidedAt   httpx.Timestamp `json:"decidedAt"`
	Holds       httpx.Timestamp `json:"holds" doc:"The time from which it applies; approved proposals only."`
	CalledOffBy string          `json:"calledOffBy"`
	CalledOffAt httpx.Timestamp `json:"calledOffAt"`
	Alone       string          `json:"alone" doc:"Why a single approval was enough; empty if two operators approved."`
	Own         bool            `json:"own" doc:"Whether the caller proposed it."`
	MayApprove  bool            `json:"mayApprove" doc:"Whether it is pending and the caller may approve it: callers cannot approve their own proposal."`
}

func (c *Calls) settingRow(ctx context.Context, p settings.Proposal) settingProposalRow {
	own := p.By == httpx.SessionOf(ctx).Operator
	return settingProposalRow{
		httpx.FormatID(p.ID), string(p.Section), p.Reason, p.ByName, httpx.ToTimestamp(p.At), string(p.State), p.DecidedName, httpx.ToTimestamp(p.DecidedAt), httpx.ToTimestamp(p.Holds),
		p.EndedName, httpx.ToTimestamp(p.EndedAt), string(p.Alone), own, p.State == approval.Waiting && (!own || c.Demo),
	}
}

type settingSection struct {
	Section string              `json:"section" enum:"content,banks,usdt,limits"`
	Body    json.RawMessage     `json:"body" doc:"The current values."`
	Version string              `json:"version" doc:"The proposal of the current values; empty if they come from the installation's files."`
	Next    *settingProposalRow `json:"next,omitempty" doc:"The approved change that does not apply yet."`
	Waiting *settingProposalRow `json:"waiting,omitempty" doc:"The pending proposal."`
}

type settingsAnswer struct {
	Sections  []settingSection  `json:"sections" nullable:"false"`
	Live      map[string]string `json:"live" doc:"The current values of live counters, by name."`
	WaitHours int64             `json:"waitHours" doc:"The hours between the approval of a new USDT address or bank account and its use."`
	Next      string            `json:"nextAddress" doc:"The pending USDT address; empty if there is none."`
}

func (c *Calls) settingsOverview(ctx context.Context, _ *struct{}) (*httpx.Reply[settingsAnswer], error) {
	all, err := c.Settings.Overview(ctx)
	if err != nil {
		return nil, err
	}
	out := settingsAnswer{Sections: []settingSection{}, Live: c.Settings.Current().Live(publicapi.FiguresOf(c.Clock, c.Tree)), WaitHours: int64(settings.AddressWait / time.Hour)}
	out.Next, _ = c.Settings.NextAddress()
	for _, h := range all {
		s := settingSection{Section: string(h.Section), Body: h.Body, Version: httpx.FormatID(h.Version)}
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
	return httpx.NewReply(out), nil
}

type settingHistoryInput struct {
	Section string `query:"section" required:"true" enum:"content,banks,usdt,limits"`
	Before  int64  `query:"before" minimum:"0" doc:"The value of next in the previous response."`
	Size    int    `query:"size" minimum:"1" maximum:"200" default:"50"`
}

type settingHistory struct {
	Data [][]settingProposalRow `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
	Next int64                  `json:"next" doc:"The value of before for the next page; 0 on the last page."`
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
	Changes []plan.Change      `json:"changes" nullable:"false" doc:"The differences, by path."`
	Payload string             `json:"payload" doc:"The whole proposal in canonical form, the input of the digest."`
	Digest  string             `json:"digest" doc:"The SHA-256 of payload; a decision must name it."`
}

func (c *Calls) shownSetting(ctx context.Context, p settings.Proposal) (*httpx.Reply[settingProposalAnswer], error) {
	changes, err := p.Changes()
	if err != nil {
		return nil, err
	}
	return httpx.NewReply(settingProposalAnswer{c.settingRow(ctx, p), p.Was, p.Body, append([]plan.Change{}, changes...), string(p.Payload()), p.Digest()}), nil
}

func (c *Calls) settingProposal(ctx context.Context, in *settingProposalInput) (*httpx.Reply[settingProposalAnswer], error) {
	p, err := c.Settings.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return c.shownSetting(ctx, p)
}

type settingDraft struct {
	Section string          `json:"section" enum:"content,banks,usdt,limits"`
	Body    json.RawMessage `json:"body" doc:"The complete new values of the section."`
}

type settingCheck struct {
	Valid    bool          `json:"valid"`
	Mistakes []errs.Field  `json:"mistakes" nullable:"false" doc:"The errors, by path."`
	Changes  []plan.Change `json:"changes" nullable:"false" doc:"The differences from the current values; only for a valid draft."`
}

func (c *Calls) validateSetting(ctx context.Context, in *httpx.Body[settingDraft]) (*httpx.Reply[settingCheck], error) {
	out := settingCheck{Mistakes: []errs.Field{}, Changes: []plan.Change{}}
	body, was, err := c.Settings.Check(ctx, settings.Section(in.Body.Section), in.Body.Body)
	var wrong *errs.Error
	switch {
	case errors.As(err, &wrong) && len(wrong.Fields) > 0:
		out.Mistakes = wrong.Fields
		return httpx.NewReply(out), nil
	case err != nil:
		return nil, err
	}
	changes, err := plan.Changes(was, body)
	if err != nil {
		return nil, err
	}
	out.Valid, out.Changes = true, append(out.Changes, changes...)
	return httpx.NewReply(out), nil
}

func (c *Calls) proposeSetting(ctx context.Context, key string, section settings.Section, body json.RawMessage, reason string) (*httpx.Reply[settingProposalAnswer], error) {
	by, err := c.CallingOperator(ctx)
	if err != nil {
		return nil, err
	}
	p, err := c.Settings.Propose(ctx, by, key, section, body, reason)
	if err != nil {
		return nil, err
	}
	return c.shownSetting(ctx, p)
}

type proposeBrandBody struct {
	Body   json.RawMessage `json:"body" doc:"The complete new brand: site and counters."`
	Reason string          `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
}

func (c *Calls) proposeBrand(ctx context.Context, in *httpx.KeyedBody[proposeBrandBody]) (*httpx.Reply[settingProposalAnswer], error) {
	return c.proposeSetting(ctx, in.Key, settings.Content, in.Body.Body, in.Body.Reason)
}

type proposeSettingsBody struct {
	Section string          `json:"section" enum:"banks,usdt,limits"`
	Body    json.RawMessage `json:"body" doc:"The complete new values of the section."`
	Reason  string          `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
}

func (c *Calls) proposeSettings(ctx context.Context, in *httpx.KeyedBody[proposeSettingsBody]) (*httpx.Reply[settingProposalAnswer], error) {
	return c.proposeSetting(ctx, in.Key, settings.Section(in.Body.Section), in.Body.Body, in.Body.Reason)
}

type decideSettingBody struct {
	ID      httpx.StringOrInt `json:"id"`
	Digest  string            `json:"digest" maxLength:"64" doc:"The digest of the proposal that the operator has seen."`
	Approve bool              `json:"approve" doc:"true approves; false rejects, or withdraws the operator's own proposal."`
}

func (c *Calls) decideSetting(ctx context.Context, in *httpx.KeyedBody[decideSettingBody], sections []settings.Section) (*httpx.Reply[settingProposalAnswer], error) {
	number, by, err := c.aboutRecord(ctx, in.Body.ID)
	if err != nil {
		return nil, err
	}
	p, err := c.Settings.Decide(ctx, by, in.Key, number, in.Body.Digest, in.Body.Approve, sections...)
	if err != nil {
		return nil, err
	}
	return c.shownSetting(ctx, p)
}

func (c *Calls) decideBrand(ctx context.Context, in *httpx.KeyedBody[decideSettingBody]) (*httpx.Reply[settingProposalAnswer], error) {
	return c.decideSetting(ctx, in, brandSections)
}

func (c *Calls) decideSettings(ctx context.Context, in *httpx.KeyedBody[decideSettingBody]) (*httpx.Reply[settingProposalAnswer], error) {
	return c.decideSetting(ctx, in, settingSections)
}

type cancelSettingsBody struct {
	ID     httpx.StringOrInt `json:"id"`
	Reason string            `json:"reason" doc:"The reason, 5 to 200 characters; saved in the audit log."`
}

func (c *Calls) cancelSettings(ctx context.Context, in *httpx.KeyedBody[cancelSettingsBody]) (*httpx.Reply[settingProposalAnswer], error) {
	number, by, err := c.aboutRecord(ctx, in.Body.ID)
	if err != nil {
		return nil, err
	}
	p, err := c.Settings.CallOff(ctx, by, in.Key, number, in.Body.Reason, settingSections...)
	if err != nil {
		return nil, err
	}
	return c.shownSetting(ctx, p)
}
