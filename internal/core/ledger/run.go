package ledger

import (
	"context"
	"crypto/rand"
	"encoding/json"
)

// CommandRunner runs commands: *Sequencer.
type CommandRunner interface {
	Do(ctx context.Context, cmd Command) (Result, error)
}

// Leader also reports whether this process can run commands: *Sequencer.
type Leader interface {
	CommandRunner
	Ready() error // nil while this process leads
}

// Run runs f as a command of actor and returns its result, which the chain stores
// as JSON: f runs once for the same key and body, and a retry returns the same
// result. An empty key is replaced by a random one, because the chain stores only
// commands with a key. Errors: those of Do and of f.
func Run[T any](ctx context.Context, do CommandRunner, actor, key string, body any, f func(ctx context.Context, tx *Tx) (T, error)) (out T, err error) {
	request, err := json.Marshal(body)
	if err != nil {
		return out, err
	}
	if key == "" {
		key = "once " + rand.Text()
	}
	answer, err := do.Do(ctx, Command{Actor: actor, Key: key, Body: request, Run: func(ctx context.Context, tx *Tx) ([]byte, error) {
		v, err := f(ctx, tx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}})
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(answer.Response, &out)
}
