package app

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/office/settings"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const (
	newAddress   = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
	wrongAddress = "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
)

// change is a proposed change of settings in responses.
type change struct {
	Data struct {
		Proposal struct {
			ID, Section, State, Reason, ProposedBy, DecidedBy, Holds, Alone string
			Own, MayApprove                                                 bool
		}
		Was, Body       json.RawMessage
		Changes         []plan.Change
		Payload, Digest string
	}
}

func (c client) proposeSetting(section string, body any) (out change) {
	c.s.t.Helper()
	path := "operator/settings/propose"
	form := m{"section": section, "body": body, "reason": "it is out of date"}
	if section == "content" {
		path = "operator/brand/propose"
		delete(form, "section")
	}
	c.post(path, form).into(&out)
	return out
}

func (c client) decideSetting(p change, approve bool, header ...string) answer {
	c.s.t.Helper()
	path := "operator/settings/decide"
	if p.Data.Proposal.Section == "content" {
		path = "operator/brand/decide"
	}
	return c.post(path, m{"id": p.Data.Proposal.ID, "digest": p.Data.Digest, "approve": approve}, header...)
}

// publicContent is what the demo's public pages say, with changes.
func publicContent(t *testing.T, edit func(c *brand.Content)) brand.Content {
	t.Helper()
	c := brand.Demo().Content()
	edit(&c)
	return c
}

func riskier(t *testing.T, text string) brand.Content {
	t.Helper()
	return publicContent(t, func(c *brand.Content) {
		c.Site.Risk.Text = text
		c.Site.Dashboard.Trends = []string{} // of a demo only
		c.Counters[0] = brand.Counter{Label: "Members", Value: "0", Mode: "live", Live: "members"}
	})
}

func (s *site) publicRisk() string {
	s.t.Helper()
	var got struct{ Data brand.Public }
	s.visitor().get("brand").into(&got)
	return got.Data.Site.Risk.Text + " / " + got.Data.Counters[0].Label + " " + got.Data.Counters[0].Value
}

func TestPublicTextTakesASecondOperatorsApproval(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn, "--demo", "false")
		maker, checker := s.operator(), s.hire(auth.RoleCompliance)
		before := s.publicRisk()
		const text = `You can lose <script>alert(1)</script> & all.`
		p := maker.proposeSetting("content", riskier(t, text))
		if d := p.Data; !d.Proposal.Own || d.Proposal.MayApprove || d.Proposal.State != "waiting" || len(d.Changes) != 4 || d.Changes[3].Path != "site.risk.text" || d.Changes[3].After != text {
			t.Errorf("the maker sees %+v", d)
		}
		if sum := sha256.Sum256([]byte(p.Data.Payload)); hex.EncodeToString(sum[:]) != p.Data.Digest || !strings.Contains(p.Data.Payload, text[:10]) {
			t.Error("the digest is not that of the payload")
		}
		maker.decideSetting(p, true).says(http.StatusForbidden, "Another operator")
		maker.post("operator/brand/propose", m{"body": riskier(t, "Another one."), "reason": "it is out of date"}).says(http.StatusConflict, "waiting for approval")
		other := p
		other.Data.Digest = strings.Repeat("0", 64)
		checker.decideSetting(other, true).says(http.StatusUnprocessableEntity, "has changed")
		checker.post("operator/settings/decide", m{"id": p.Data.Proposal.ID, "digest": p.Data.Digest, "approve": true}).refused(http.StatusForbidden)
		if s.publicRisk() != before {
			t.Error("it holds before it is approved")
		}
		var seen change
		checker.get("operator/settings/proposal?id=" + p.Data.Proposal.ID).into(&seen)
		if seen.Data.Digest != p.Data.Digest || !seen.Data.Proposal.MayApprove {
			t.Errorf("the checker sees %+v", seen.Data.Proposal)
		}
		raw := testkit.Raw(t, dsn)
		for what, query := range map[string]string{
			"the maker approves":      "UPDATE setting_proposal SET state = 'approved', decided_by = proposed_by, decided_at = 1, holds_from = 1 WHERE id = 1",
			"nobody approves":         "UPDATE setting_proposal SET state = 'approved', holds_from = 1 WHERE id = 1",
			"the words are exchanged": "UPDATE setting_proposal SET body = '{}' WHERE id = 1",
		} {
			if _, err := raw.Exec(query); err == nil {
				t.Errorf("the database lets pass: %s", what)
			}
		}
		checker.decideSetting(p, true, "Idempotency-Key", "a1").into(&m{})
		checker.decideSetting(p, true, "Idempotency-Key", "a1").into(&m{}) // the same request is done once
		checker.decideSetting(p, true).says(http.StatusConflict, "already approved")
		if got := s.publicRisk(); got != text+" / Members 1" {
			t.Errorf("the public reads %q", got)
		}
		page := s.visitor().send(http.MethodGet, "/", "")
		if strings.Contains(page.text, "<script>alert(1)") {
			t.Error("the page runs what the text says")
		}
		if _, err := raw.Exec("UPDATE setting_proposal SET state = 'refused' WHERE id = 1"); err == nil {
			t.Error("the database lets a decision be changed")
		}
		s.restored(maker, checker, p, before)
	})
}

// restored proposes what held before p and approves it.
func (s *site) restored(maker, checker client, p change, before string) {
	s.t.Helper()
	again := checker.proposeSetting("content", p.Data.Was)
	maker.decideSetting(again, true).into(&m{})
	if got := s.publicRisk(); got != before {
		s.t.Errorf("restored, the public reads %q", got)
	}
	history := maker.get("operator/settings/history?section=content").rows()
	if len(history) != 2 || history[0].(m)["state"] != "approved" || history[1].(m)["id"] != "1" {
		s.t.Errorf("the history is %v", history)
	}
	var acts []string
	for _, r := range maker.get("operator/audit?size=100").rows() {
		if act := r.(m)["act"].(string); strings.HasPrefix(act, "setting") {
			acts = append(acts, act)
		}
	}
	if got := strings.Join(acts, ", "); got != "setting approved, setting proposed, setting approved, setting proposed" {
		s.t.Errorf("the record says %s", got)
	}
}

func TestFirstUSDTAddressIsSet(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	if has := s.services.Settings.Current().USDT; has != "" {
		t.Fatalf("there is %s already", has)
	}
	p := s.hire(auth.RoleFinance).proposeSetting("usdt", m{"usdt": newAddress})
	s.operator().decideSetting(p, true).into(&p)
	if p.Data.Proposal.State != "approved" {
		t.Errorf("it is %s", p.Data.Proposal.State)
	}
}

func TestNewUSDTAddressWaitsAndCanBeCancelled(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	finance, owner := s.hire(auth.RoleFinance), s.operator()
	old := brand.Demo().USDT
	shown := func() m {
		t.Helper()
		root := s.login(s.root.UID, rootPassword)
		var got struct{ Data []m }
		root.get("adminBankDetailsByBankid?action=11&id=0&uid=" + id(s.root.UID)).into(&got)
		return got.Data[0]
	}
	finance.post("operator/settings/propose", m{"section": "usdt", "body": m{"usdt": wrongAddress}, "reason": "a new wallet"}).names("usdt")
	finance.post("operator/settings/propose", m{"section": "usdt", "body": m{"usdt": s.cfg.ChainToken}, "reason": "a new wallet"}).names("usdt")
	anna, pin := s.anna()
	anna.setWallet(otherWallet, pin)
	finance.post("operator/settings/propose", m{"section": "usdt", "body": m{"usdt": otherWallet}, "reason": "a new wallet"}).names("usdt")
	p := finance.proposeSetting("usdt", m{"usdt": strings.ToLower(newAddress)})
	owner.decideSetting(p, true).into(&p)
	if want := "2026-11-17T03:00:00.000Z"; p.Data.Proposal.Holds != want {
		t.Errorf("it holds from %s, not %s", p.Data.Proposal.Holds, want)
	}
	if row := shown(); row["btcaddress"] != old || row["next_address"] != newAddress || row["next_from"] != p.Data.Proposal.Holds {
		t.Errorf("the deposit screen shows %v", row)
	}
	var told int
	if err := testkit.Raw(t, s.dsn).QueryRow("SELECT COUNT(*) FROM outbox WHERE subject LIKE '%deposit address will change%'").Scan(&told); err != nil || told != 2 {
		t.Errorf("%d operators are told, %v", told, err)
	}
	finance.post("operator/settings/propose", m{"section": "usdt", "body": m{"usdt": "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb"}, "reason": "yet another"}).says(http.StatusConflict, "Call it off first")
	owner.post("operator/settings/cancel", m{"id": p.Data.Proposal.ID, "reason": "nobody knows it"}).into(&m{})
	owner.post("operator/settings/cancel", m{"id": p.Data.Proposal.ID, "reason": "nobody knows it"}).refused(http.StatusConflict)
	s.clock.Advance(72 * time.Hour)
	if row := shown(); row["btcaddress"] != old || row["next_address"] != nil {
		t.Errorf("after it was called off: %v", row)
	}

	finance, owner = s.hire(auth.RoleFinance), s.operator()
	p = finance.proposeSetting("usdt", m{"usdt": newAddress})
	owner.decideSetting(p, true).into(&m{})
	s.clock.Advance(48*time.Hour - time.Second)
	if row := shown(); row["btcaddress"] != old {
		t.Errorf("a second too early: %v", row)
	}
	s.clock.Advance(time.Second)
	if row := shown(); row["btcaddress"] != newAddress || row["next_address"] != nil {
		t.Errorf("when the wait is over: %v", row)
	}
	s.operator().post("operator/settings/cancel", m{"id": p.Data.Proposal.ID, "reason": "too late for that"}).refused(http.StatusConflict)
}

// A thief's bank account among the company's waits as an address does, and every operator
// gets its full details by mail.
func TestNewBankAccountWaitsAndIsMailedToOperators(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		finance, owner, reader := s.hire(auth.RoleFinance), s.operator(), s.hire(auth.RoleReadOnly)
		var me struct{ Data struct{ Email string } }
		reader.get("operator/me").into(&me)
		was := s.services.Settings.Current().Banks
		thief := brand.Bank{ID: 9, Name: "Far Bank", Holder: "Nobody Ltd", Account: "666000666", IFSC: "FARB0000001", Branch: "Far"}
		account := func() string {
			for _, b := range s.services.Settings.Current().Banks {
				if b.ID == 9 {
					return b.Account
				}
			}
			return ""
		}
		p := finance.proposeSetting("banks", m{"banks": append(slices.Clone(was), thief)})
		owner.decideSetting(p, true).into(&p)
		if account() != "" || p.Data.Proposal.Holds != "2026-11-17T03:00:00.000Z" {
			t.Errorf("it holds from %s", p.Data.Proposal.Holds)
		}
		letters := s.letters(me.Data.Email)
		if len(letters) != 1 || !strings.Contains(letters[0].Subject, "bank accounts will change") || !strings.Contains(letters[0].Text, "666000666") {
			t.Errorf("a reader's mails are %v", letters)
		}
		reader.get("operator/settings").into(&m{})
		owner.post("operator/settings/cancel", m{"id": p.Data.Proposal.ID, "reason": "nobody knows it"}).into(&m{})
		s.clock.Advance(72 * time.Hour)
		if account() != "" {
			t.Error("it holds although it was called off")
		}
		finance, owner = s.hire(auth.RoleFinance), s.operator()
		owner.decideSetting(finance.proposeSetting("banks", m{"banks": append(slices.Clone(was), thief)}), true).into(&m{})
		s.clock.Advance(48*time.Hour - time.Second)
		if account() != "" {
			t.Error("a second too early")
		}
		s.clock.Advance(time.Second)
		if account() != "666000666" {
			t.Error("it does not hold after the wait")
		}
		finance, owner = s.hire(auth.RoleFinance), s.operator()
		owner.decideSetting(finance.proposeSetting("banks", m{"banks": was}), true).into(&m{})
		if account() != "" {
			t.Error("an account that is taken away waits")
		}
	})
}

func TestLimitsApplyImmediatelyAndBanksWait(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t, "--demo", "false")
	finance, owner := s.hire(auth.RoleFinance), s.operator()
	bank := m{"id": 7, "bank_name": "Third Bank", "acholdername": "Leaf Ltd", "account_number": "77", "ifsc": "X1", "branch": "B"}
	finance.post("operator/settings/propose", m{"section": "banks", "reason": "a new bank", "body": m{"banks": []m{with(bank, m{"id": 2, "branch": ""}), with(bank, m{"more": 1})}}}).names("banks[1].more")
	finance.post("operator/settings/propose", m{"section": "banks", "reason": "a new bank", "body": m{"banks": []m{with(bank, m{"id": 2, "branch": ""})}}}).names("banks[0].id", "banks[0].branch")
	finance.post("operator/settings/propose", m{"section": "limits", "reason": "lower ones", "body": m{"withdraw_member_daily": "70", "withdraw_total_daily": "-1", "withdraw_two_above": "x", "withdraw_factor_above": "0", "fund_two_above": "10000", "fund_alone_daily": "5000"}}).names("withdraw_two_above")
	finance.post("operator/settings/propose", m{"section": "limits", "reason": "no", "body": m{"withdraw_member_daily": "70", "withdraw_total_daily": "700", "withdraw_two_above": "10", "withdraw_factor_above": "0", "fund_two_above": "10000", "fund_alone_daily": "5000"}}).names("reason")
	var checked struct {
		Data struct {
			Valid    bool
			Mistakes []struct{ Field string }
			Changes  []plan.Change
		}
	}
	finance.post("operator/settings/validate", m{"section": "limits", "body": m{"withdraw_member_daily": "70", "withdraw_total_daily": "7", "withdraw_two_above": "1000", "withdraw_factor_above": "0", "fund_two_above": "10000", "fund_alone_daily": "5000"}}).into(&checked)
	if d := checked.Data; d.Valid || len(d.Mistakes) != 1 || d.Mistakes[0].Field != "withdraw_total_daily" {
		t.Errorf("a wrong draft: %+v", d)
	}
	finance.post("operator/settings/propose", m{"section": "limits", "reason": "the same", "body": m{"withdraw_member_daily": "5000", "withdraw_total_daily": "50000", "withdraw_two_above": "1000", "withdraw_factor_above": "0", "fund_two_above": "10000", "fund_alone_daily": "5000"}}).says(http.StatusConflict, "Nothing changes")

	owner.decideSetting(finance.proposeSetting("banks", m{"banks": []m{bank}}), true).into(&m{})
	owner.decideSetting(finance.proposeSetting("limits", m{"withdraw_member_daily": "70", "withdraw_total_daily": "700", "withdraw_two_above": "10", "withdraw_factor_above": "0", "fund_two_above": "10000", "fund_alone_daily": "5000"}), true).into(&m{})
	s.clock.Advance(settings.AddressWait)
	finance, owner = s.hire(auth.RoleFinance), s.operator()
	root := s.login(s.root.UID, rootPassword)
	var banks struct{ Data []m }
	root.get("adminBankDetailsByBankid?action=1&id=0&uid=" + id(s.root.UID)).into(&banks)
	if len(banks.Data) != 1 || banks.Data[0]["bank_name"] != "Third Bank" || banks.Data[0]["btcname"] != "77" {
		t.Errorf("members see %v", banks.Data)
	}
	if rules := root.get("moneyRules").data().(m); rules["withdrawDaily"] != "70.000000" {
		t.Errorf("the rules say %v", rules["withdrawDaily"])
	}

	// Rejected and withdrawn proposals change nothing; a proposal based on other values
	// cannot be approved.
	refused := finance.proposeSetting("limits", m{"withdraw_member_daily": "71", "withdraw_total_daily": "700", "withdraw_two_above": "10", "withdraw_factor_above": "0", "fund_two_above": "10000", "fund_alone_daily": "5000"})
	owner.decideSetting(refused, false).into(&refused)
	withdrawn := finance.proposeSetting("limits", m{"withdraw_member_daily": "72", "withdraw_total_daily": "700", "withdraw_two_above": "10", "withdraw_factor_above": "0", "fund_two_above": "10000", "fund_alone_daily": "5000"})
	finance.decideSetting(withdrawn, false).into(&withdrawn)
	if refused.Data.Proposal.State != "refused" || withdrawn.Data.Proposal.State != "withdrawn" || s.services.Settings.Limits().MemberDaily.String() != "70.000000" {
		t.Errorf("%s, %s, %s", refused.Data.Proposal.State, withdrawn.Data.Proposal.State, s.services.Settings.Limits().MemberDaily)
	}
}

func TestDemoTakesOneApproval(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	owner := s.operator()
	p := owner.proposeSetting("content", riskier(t, "All of it can be lost."))
	owner.decideSetting(p, true).into(&p)
	if p.Data.Proposal.Alone != "demo" || !strings.HasPrefix(s.publicRisk(), "All of it") {
		t.Errorf("%+v, the public reads %s", p.Data.Proposal, s.publicRisk())
	}
}

func TestSettingApprovedInOneProcessAppliesInTheOther(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t, "--db", testkit.Postgres(t), "--demo", "true")
	leader := startProcess(t, cfg)
	if _, err := leader.services.Enrol.Begin(t.Context(), first(t)); err != nil {
		t.Fatal(err)
	}
	standby := startProcess(t, cfg)
	_, login := standby.post("operator/login", "", m{"email": operatorEmail, "password": operatorPassword, "code": code(t, time.Now())})
	token, _ := login["token"].(string)
	status, proposed := standby.post("operator/brand/propose", token, m{"body": riskier(t, "Both say this."), "reason": "it is out of date"})
	if status != http.StatusOK {
		t.Fatalf("the proposal: %d %v", status, proposed)
	}
	data := proposed["data"].(m)
	if status, out := standby.post("operator/prove", token, m{"proof": operatorPassword}); status != http.StatusOK {
		t.Fatalf("the proof: %d %v", status, out)
	}
	if status, out := standby.post("operator/brand/decide", token, m{"id": data["proposal"].(m)["id"], "digest": data["digest"], "approve": true}); status != http.StatusOK {
		t.Fatalf("the approval: %d %v", status, out)
	}
	for _, p := range []*process{leader, standby} {
		testkit.WaitUntil(t, "it holds", func() bool {
			_, out := p.get("brand", "")
			return out["data"].(m)["site"].(m)["risk"].(m)["text"] == "Both say this."
		})
	}
}
