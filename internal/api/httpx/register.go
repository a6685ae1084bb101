package httpx

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/people/auth"
)

// WithReadSlot runs a reading call in one of the limited slots for reads.
func WithReadSlot[I, O any](b *Base, call func(context.Context, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	return func(ctx context.Context, in *I) (*O, error) {
		done, err := b.turn(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		return call(ctx, in)
	}
}

// Post registers a call that changes something.
func Post[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	register(api, http.MethodPost, tag, path, summary, "", call)
}

// PostRead registers a call that is sent by POST and changes nothing: every process
// answers it itself, and operators' visits may make it.
func PostRead[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	register(api, http.MethodPost, tag, path, summary, ReadOnly, call)
}

// PostProved registers a call that also needs a recent proof: a stolen token alone must
// not be enough.
func PostProved[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	register(api, http.MethodPost, tag, path, summary, NeedsProof, call)
}

// Get registers a call that reads.
func Get[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	register(api, http.MethodGet, tag, path, summary, "", call)
}

// GetFromLeader registers a read that only the leader can answer, such as the progress
// of a job or an address that is assigned on first use.
func GetFromLeader[I, O any](api huma.API, tag, path, summary string, call func(context.Context, *I) (*O, error)) {
	register(api, http.MethodGet, tag, path, summary, LeaderOnly, call)
}

// Properties of an operation, as keys of its metadata.
const (
	NeedsProof = "proof"
	ReadOnly   = "read"
	LeaderOnly = "leader"
)

func register[I, O any](api huma.API, method, tag, path, summary, property string, call func(context.Context, *I) (*O, error)) {
	o := operation(method, tag, path, summary)
	if property != "" {
		o.Metadata = map[string]any{property: true}
	}
	huma.Register(api, o, call)
}

func operation(method, tag, path, summary string) huma.Operation {
	return huma.Operation{OperationID: OperationID(path), Method: method, Path: "/api/" + path, Summary: summary, Tags: []string{tag}}
}

// OperationID turns a path into an identifier: sessions/end becomes sessionsEnd.
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

// Tags of the contract.
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

// Idempotent is embedded in the input of mutating calls. It is exported because huma
// ignores embedded types that are not.
type Idempotent struct {
	Key string `header:"Idempotency-Key" maxLength:"100" doc:"Requests with the same key and body execute once and return the same response."`
}

// Body is an input that is only a body.
type Body[B any] struct{ Body B }

// KeyedBody is the input of a mutating call: a body and its idempotency key.
type KeyedBody[B any] struct {
	Idempotent
	Body B
}

// RequestOrigin returns the origin of a request for package auth.
func RequestOrigin(ctx context.Context, claimed, agent string) auth.From {
	return auth.From{Peer: Peer(ctx), ClaimedIP: cut(claimed, 45), Agent: cut(agent, 200)}
}

func cut(s string, limit int) string { return s[:min(len(s), limit)] }
