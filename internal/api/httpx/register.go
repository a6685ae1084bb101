package httpx

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
)

// inTurn is a call that reads, in its turn.
func InTurn[I, O any](b *Base, call func(context.Context, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		done, err := b.turn(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		return call(ctx, in)
	}
}

// post and get register one call. The operation's id is its path.
func Post[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	register(api, http.MethodPost, tag, path, summary, call)
}

func Get[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	register(api, http.MethodGet, tag, path, summary, call)
}

// postProved registers a call that a session opens only with a proof of the last
// few minutes: a stolen token alone must not do what it does.
func PostProved[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	o := operation(http.MethodPost, tag, path, summary)
	o.Metadata = map[string]any{NeedsProof: true}
	huma.Register(api, o, call)
}

func register[I, O any](api huma.API, method, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	huma.Register(api, operation(method, tag, path, summary), call)
}

func operation(method, tag, path, summary string) huma.Operation {
	return huma.Operation{OperationID: OperationID(path), Method: method, Path: "/api/" + path, Summary: summary, Tags: []string{tag}}
}

// operationID is a path as a name: sessions/end becomes sessionsEnd.
func OperationID(path string) string {
	out := make([]byte, 0, len(path))
	upper := false
	for i := range len(path) {
		switch c := path[i]; {
		case c == '/':
			upper = true
		case upper && c >= 'a' && c <= 'z':
			out, upper = append(out, c-'a'+'A'), false
		default:
			out, upper = append(out, c), false
		}
	}
	return string(out)
}

// The contract's chapters.
const (
	TagPublic   = "Public pages"
	TagAccess   = "Signing in"
	TagEnrol    = "Joining"
	TagTeam     = "Team"
	TagMember   = "Member"
	TagSupport  = "Support"
	TagMarket   = "Buying and investing"
	TagReport   = "Incomes and histories"
	TagFunds    = "Funds and withdrawals"
	TagOperator = "Operators"
)

// Keyed is what mutating calls accept. It is exported because huma does not look
// into embedded types that are not.
type Keyed struct {
	Key string `header:"Idempotency-Key" maxLength:"100" doc:"Requests with the same key and body execute once and return the same response."`
}

// reading are calls that change nothing although they are sent by POST: every
// process answers them itself.
var reading = map[string]bool{
	"/api/userDashboard": true, "/api/userdashboard": true, "/api/GetDashRecentData": true, "/api/UserInformation": true,
	"/api/DirectReport": true, "/api/DownlineReport": true, "/api/LevelDetails": true, "/api/DirectLegBusiness": true,
	"/api/binaryTree": true, "/api/UserHelpDeskHistory": true,
	"/api/GetIncomeReport": true, "/api/ActivationHistory": true, "/api/IncomeWhy": true, "/api/IncomeByDay": true,
	"/api/FundRequestHistory": true, "/api/FundTransferToUserHistory": true,
	"/api/operator/plan/validate": true, "/api/operator/settings/validate": true,
}

// from is where a request came from, as auth notes it.
func From(ctx context.Context, claimed, agent string) auth.From {
	return auth.From{Peer: Peer(ctx), ClaimedIP: cut(claimed, 45), Agent: cut(agent, 200)}
}

func cut(s string, limit int) string { return s[:min(len(s), limit)] }
