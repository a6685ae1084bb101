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

// Leader also tells whether commands can be run here: *Sequencer.
type Leader interface {
	CommandRunner
	Ready() error // nil while this process leads
}

// Run has do run f as a command of actor's and gives what f gave, which the chain
// keeps as JSON: the same key with the same body is done once and gives the same.
// Without a key of the caller's it gets one of its own, because only a command with
// a key stands in the chain. Errors: those of Do and of f.
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
