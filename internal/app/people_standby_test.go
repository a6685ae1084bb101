package app

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"slices"
	"strings"
	"testing"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/platform/config"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// process is one of several processes of an installation, over the network.
type process struct {
	t *testing.T
	*App
	browser http.Client
	stop    func()
	done    <-chan error
}

func startProcess(t *testing.T, cfg config.Config) *process {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, App: cheapApp(t, cfg, clock.System()), browser: http.Client{Jar: jar}}
	p.stop, p.done = start(t, p.App)
	return p
}

func (p *process) post(path, token string, body m) (int, m) {
	p.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		p.t.Fatal(err)
	}
	return p.send(http.MethodPost, path, token, bytes.NewReader(raw))
}

func (p *process) get(path, token string) (int, m) {
	p.t.Helper()
	return p.send(http.MethodGet, path, token, http.NoBody)
}

func (p *process) send(method, path, token string, body io.Reader) (int, m) {
	p.t.Helper()
	req, err := http.NewRequest(method, p.URL()+"/api/"+path, body)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", token)
	res, err := p.browser.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	var out m
	_ = json.Unmarshal(text, &out)
	return res.StatusCode, out
}

// left is the number of members in the left leg on the root's dashboard.
func (p *process) left(root, token string) float64 {
	p.t.Helper()
	status, out := p.post("userDashboard", token, m{"uid": root})
	if status != http.StatusOK {
		p.t.Fatalf("the dashboard answered %d: %v", status, out)
	}
	n, _ := out["data"].([]any)[0].([]any)[0].(m)["TotalLeftTeam"].(float64)
	return n
}

func TestRegistrationThroughEitherProcessShowsInBoth(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t, "--db", testkit.Postgres(t), "--demo", "true")
	leader := startProcess(t, cfg)
	begun, err := leader.services.Enrol.Begin(t.Context(), first(t))
	if err != nil {
		t.Fatal(err)
	}
	standby := startProcess(t, cfg)
	if !standby.isStandby() || leader.isStandby() {
		t.Fatal("the second process does not stand by")
	}
	root := id(begun.UID)
	login := func(p *process) string {
		t.Helper()
		_, out := p.post("login", "", m{"uid": root, "password": rootPassword})
		token, _ := out["token"].(string)
		return token
	}
	tokens := []string{login(leader), login(standby)}
	processes := []*process{leader, standby}
	for i := range 6 {
		p := processes[i%2]
		status, out := p.post("registration", "", form(begun.UID, tree.Left, "Either "+letters[i]))
		if status != http.StatusOK || out["data"].(m)["result"] != "Successfull" {
			t.Fatalf("registration answered %d: %v", status, out)
		}
		for k, q := range processes { // each by a session opened at the other one
			testkit.WaitUntil(t, "both dashboards show it", func() bool { return q.left(root, tokens[1-k]) == float64(i+1) })
		}
	}
	// Signing out at the standby takes effect on both within the second for which sessions
	// are cached.
	if status, _ := standby.post("logout", tokens[0], nil); status != http.StatusOK {
		t.Errorf("signing out answered %d", status)
	}
	for _, p := range processes {
		testkit.WaitUntil(t, "the session is over", func() bool {
			status, _ := p.post("userDashboard", tokens[0], m{"uid": root})
			return status == http.StatusUnauthorized
		})
	}
	leader.stop()
	if err := <-leader.done; err != nil {
		t.Error(err)
	}
	testkit.WaitUntil(t, "the standby leads", func() bool { return !standby.isStandby() && standby.ledger.Ready() == nil })
	if n := standby.left(root, tokens[1]); n != 6 {
		t.Errorf("after taking over the dashboard shows %v", n)
	}
	if status, out := standby.post("registration", "", form(begun.UID, tree.Left, "After Takeover")); status != http.StatusOK {
		t.Errorf("after taking over registration answered %d: %v", status, out)
	}
	if n := standby.left(root, tokens[1]); n != 7 {
		t.Errorf("its own registration shows at once: %v", n)
	}
}

// A leader that serves no calls shows which calls a standby serves: it answers reads, and
// forwarded writes fail.
func TestStandbyAnswersReadsAndForwardsWrites(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t, "--db", testkit.Postgres(t), "--demo", "true")
	leader := cheapApp(t, cfg, clock.System()) // its address is taken and nothing serves there
	begun, err := leader.services.Enrol.Begin(t.Context(), first(t))
	if err != nil {
		t.Fatal(err)
	}
	standby := startProcess(t, cfg)
	s := &site{App: leader, t: t}
	token := s.login(begun.UID, rootPassword).token
	if err := leader.listener.Close(); err != nil {
		t.Fatal(err)
	}
	root := id(begun.UID)
	writes := []string{
		"logout", "UpdateProfile", "Helpdesk_By_User", "TicketMessage", "ActivationByFund", "UpgradebyFund", "ActivationByFund_investment", "UpgradeByFund_investment",
		"RefundPurchase", "Claiminvestment", "FundRequest", "DepositIntent", "CancelDepositIntent", "FundTransferToUser", "Withdrawal", "CancelWithdrawal", "notices/read", "email/send", "email/cancel", "email/correct", "email/keep", "transactionPassword/send",
	}
	for path, bodies := range goodBodies(begun.UID) {
		if slices.Contains([]string{"sessions", "getIncomeAmount", "audit", "notices", "refundable", "investments", "lessons", "ifsc", "moneyRules", "statement", "statementPreview", "ticket", "export", "adminBankDetailsByBankid", "DepositAddress", "factor", "account"}, path) {
			continue // by GET
		}
		reads := !strings.HasPrefix(path, "sessions/") && !strings.HasPrefix(path, "factor/") && !slices.Contains(writes, path)
		status, out := standby.post(path, token, bodies[0])
		switch {
		case path == "IncomeWhy" && status == http.StatusNotFound: // read, and there is no such income
		case reads && status != http.StatusOK:
			t.Errorf("%s is a read and the standby answered %d: %v", path, status, out)
		case !reads && status != http.StatusServiceUnavailable:
			t.Errorf("%s is a write and was not handed over: %d %v", path, status, out)
		}
	}
	if status, out := standby.post("login", "", m{"uid": root, "password": rootPassword}); status != http.StatusServiceUnavailable {
		t.Errorf("signing in was not handed over: %d %v", status, out)
	}
	for _, path := range []string{"sessions", "account", "check_sponsorid?sid=" + root, "WelcomeDetails?uid=" + root, "countryList", "getIncomeAmount?type=FundBalance&sid=" + root, "adminBankDetailsByBankid?id=0&action=11&uid=" + root, "audit?uid=" + root, "ifsc?ifsc=HDFC0000001"} {
		if status, out := standby.get(path, token); status != http.StatusOK {
			t.Errorf("%s answered %d: %v", path, status, out)
		}
	}
}

// A member who has just registered through a standby can go on there at once: the welcome
// letter is complete, and the dashboard knows the member.
func TestNewMemberIsKnownToAStandbyImmediately(t *testing.T) {
	t.Parallel()
	cfg := testConfig(t, "--db", testkit.Postgres(t), "--demo", "true")
	leader := startProcess(t, cfg)
	begun, err := leader.services.Enrol.Begin(t.Context(), first(t))
	if err != nil {
		t.Fatal(err)
	}
	standby := startProcess(t, cfg)
	for i := range 5 {
		_, out := standby.post("registration", "", form(begun.UID, tree.Left, "Eager "+letters[i]))
		uid, _ := out["data"].(m)["uid_output"].(string)
		if _, out := standby.get("WelcomeDetails?uid="+uid, ""); out["data"].([]any)[0].(m)["position"] != "Left" {
			t.Errorf("the welcome letter is %v", out)
		}
		_, out = standby.post("login", "", m{"uid": uid, "password": password})
		token, _ := out["token"].(string)
		if status, out := standby.post("userDashboard", token, m{"uid": uid}); status != http.StatusOK {
			t.Errorf("the dashboard answered %d: %v", status, out)
		}
	}
}
