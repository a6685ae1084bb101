package httpx_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api"
	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// The golden list of calls that need a fresh proof. Every call that writes is in one of
// the two lists, so that a new one must be decided about.
var (
	proved = strings.Fields(`
		block booking/decide brand/decide close/commit correction correction/decide end factor/reset
		fundRequests/approve fundRequests/release invite invite/again member/erasure/decide member/erasure/propose
		member/export member/factor/reset member/transactionPassword payouts/approve payouts/confirm payouts/hold/adopt payouts/import
		payouts/replace payouts/return plan/approve proposals/decide role settings/decide unblock
		withdrawals/approve withdrawals/confirm withdrawals/failed withdrawals/sent`)
	unproved = map[string]string{
		"logout sessions/end sessions/endOthers":                                                         "what only ends sessions must be quick",
		"password factor/begin factor/confirm passkey/prove passkeys/begin passkeys/add passkeys/remove": "they ask for evidence of their own",
		"prove": "it is the proof",
		"ticket member/sessions/end member/note member/flag member/legalHold":                    "a visit only looks, and nothing is given away",
		"close/preview close/propose close/replay/start plan/whatif/start":                       "they change nothing, or wait for a second operator",
		"plan/propose plan/cancel brand/propose settings/propose settings/cancel booking/cancel": "they wait for a second operator, or call off",
		"pnl settle chargeback recall customer evidence":                                         "they wait for a second operator, or move no money",
		"fundRequests/reject withdrawals/reject payouts/propose payouts/cancel payouts/export":   "they wait for a second operator, or turn down",
		"payouts/hold/settle payouts/hold/dismiss":                                               "they pay nobody: what follows is adopted, with a proof",
		"tickets/answer tickets/close tickets/reopen tickets/assign tickets/complaint":           "the help desk moves no money",
		"plan/validate settings/validate":                                                        "they change nothing",
		"deposits/sweep":                                                                         "the list has public addresses only, and moves no money",
	}
)

func TestEveryOperatorsCallThatWritesIsDecidedToNeedAProofOrNot(t *testing.T) {
	a, _ := httpx.TestAPI(t, httpx.Options{Routes: []func(huma.API){new(api.Calls).Routes}})
	var needs []string
	for path, item := range a.Paths() {
		short, mine := strings.CutPrefix(path, httpx.OperatorPrefix)
		if !mine {
			continue
		}
		if a.NeedsProof(path) {
			needs = append(needs, short)
		}
		if _, open := httpx.PublicRoutes["POST "+path]; item.Post == nil || open || a.NeedsProof(path) {
			continue
		}
		decided := false
		for list := range unproved {
			decided = decided || slices.Contains(strings.Fields(list), short)
		}
		if !decided {
			t.Errorf("%s needs no proof: list it with the reason, or register it by PostProved", short)
		}
	}
	slices.Sort(needs)
	if !slices.Equal(needs, proved) {
		t.Errorf("a proof is needed by\n%v, want\n%v", needs, proved)
	}
}

// Calls in the list are rejected before they run, for every role.
func TestAStolenTokenAloneOpensNoCallThatNeedsAProof(t *testing.T) {
	for _, proof := range []func(context.Context, auth.Session) error{nil, func(context.Context, auth.Session) error { return auth.ErrUnproved }} {
		a, _ := httpx.TestAPI(t, httpx.Options{
			Routes: []func(huma.API){new(api.Calls).Routes}, // without services: a call that ran would panic
			Session: func(context.Context, string) (auth.Session, string, error) {
				return auth.Session{Kind: auth.KindOperator, Owner: 1, Operator: 1, Role: auth.RoleOwner}, "", nil
			},
			Proved: proof,
		})
		for _, short := range proved {
			r := httptest.NewRequest(http.MethodPost, httpx.OperatorPrefix+short, strings.NewReader("{}"))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			a.ServeHTTP(w, r)
			if p := httpx.ProblemIn(t, w); w.Code != http.StatusForbidden || p.Code != "session.proof_required" {
				t.Errorf("%s answered %d, %s", short, w.Code, p.Code)
			}
		}
	}
}
