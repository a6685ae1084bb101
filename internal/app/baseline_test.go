//go:build baseline

package app

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"

	"github.com/bifolia/bifolia/internal/api"
	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/tools/demo"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// varying matches values that differ between runs: hashes and key ids that depend on the
// ledger's key, the grouping of commands into batches, and the addresses of the test's
// callers.
var varying = regexp.MustCompile(`[0-9a-f]{64}|"[0-9a-f]{16}"|"(batches|commands)": \d+|batch \d+ of|198\.51\.\d+\.\d+`)

func settled(text string) []byte { return []byte(varying.ReplaceAllString(text, "*")) }

// The API's contract, the demo's days, its verification and all files that its leader and
// its operator can fetch equal the recorded ones, on both engines.
func TestBaselineOfTheDemo(t *testing.T) {
	contract, err := httpx.Contract(new(api.Calls).Routes)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Baseline(t, "openapi.json", contract)
	testkit.Engines(t, func(t *testing.T, dsn string) {
		cfg := testConfig(t, "--db", dsn, "--demo", "true")
		builds(t, cfg)
		testkit.Baseline(t, "demo/digests.txt", []byte(strings.Join(digests(t, cfg), "\n")+"\n"))
		v, err := Verify(t.Context(), cfg, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		v.EngineSkipped = "" // an extension of the machine's PostgreSQL
		text, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		testkit.Baseline(t, "demo/verify.json", settled(string(text)))
		s := &site{t: t, dsn: cfg.DB, clock: clock.NewFake(morning)}
		s.App = cheapApp(t, cfg, s.clock)
		who, err := demo.Who()
		if err != nil {
			t.Fatal(err)
		}
		s.baselineOfMembersFiles(who)
		s.baselineOfOperatorsFiles(who)
	})
}

func (s *site) baselineOfMembersFiles(who demo.SignIns) {
	me := s.loginDemo(who.Leader)
	for _, code := range []string{"1", "5", "8", "9", "10", "11"} {
		s.baselineOfTable(me, "export", url.Values{"uid": {id(me.uid)}, "report": {"ActivationHistory"}, "type": {code}})
	}
	for of := range heads {
		s.baselineOfTable(me, "export", url.Values{"uid": {id(me.uid)}, "report": {of[0]}, "type": {of[1]}})
	}
	for _, wallet := range []string{"FUNDS", "FOREXFUNDS", "CRYPTOFUNDS", "LevelIncome", "binaryIncome", "ForexIncome", "CryptoIncome", "royalty_income", "salaryrankreward"} {
		s.baselineOfTable(me, "statement", url.Values{"uid": {id(me.uid)}, "wallet": {wallet}})
	}
}

func (s *site) baselineOfOperatorsFiles(who demo.SignIns) {
	code, err := totp.GenerateCode(who.Operator.TOTPSecret, s.clock.Now())
	if err != nil {
		s.t.Fatal(err)
	}
	operator, _, _ := s.enter(who.Operator.Email, who.Operator.Password, code)
	for _, kind := range []string{"revenue", "payouts", "people", "retention", "legs", "retail", "concentration", "disclosure"} {
		a := operator.get("operator/reports?from=2026-10-01&kind=" + kind)
		if a.status != 200 {
			s.t.Errorf("%s: %d %s", kind, a.status, a.text)
		}
		testkit.Baseline(s.t, "demo/operator-"+kind+".json", settled(a.text))
	}
	testkit.Baseline(s.t, "demo/operator-audit.csv", settled(operator.get("operator/audit/export").text))
}

// baselineOfTable records a file in both formats as cells: the bytes of a sheet contain
// its time.
func (s *site) baselineOfTable(c client, call string, q url.Values) {
	for _, format := range []string{"csv", "xlsx"} {
		q.Set("format", format)
		var out strings.Builder
		for _, row := range c.get(call + "?" + q.Encode()).table(format) {
			out.WriteString(strings.Join(row, "|") + "\n")
		}
		name := strings.Trim(strings.Join([]string{call, q.Get("report"), q.Get("type"), q.Get("wallet")}, "-"), "-")
		testkit.Baseline(s.t, "demo/"+name+"."+format+".txt", settled(out.String()))
	}
}
