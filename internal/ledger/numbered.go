package ledger

import (
	"context"
	"crypto/rand"
	"encoding/json"
)

// Numbered has do run f as a command of actor's about one row, and gives that
// row's number; the same key with the same body is done once and gives the same.
// Without a key of the caller's it gets one of its own: only what has a key
// stands in the chain. Errors: those of Do and of f.
func Numbered(ctx context.Context, do interface {
	Do(ctx context.Context, cmd Command) (Result, error)
}, actor, key string, body any, f func(ctx context.Context, tx *Tx) (int64, error),
) (id int64, err error) {
	request, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	if key == "" {
		key = "once " + rand.Text()
	}
	answer, err := do.Do(ctx, Command{Actor: actor, Key: key, Body: request, Run: func(ctx context.Context, tx *Tx) ([]byte, error) {
		id, err := f(ctx, tx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(id)
	}})
	if err != nil {
		return 0, err
	}
	err = json.Unmarshal(answer.Response, &id)
	return id, err
}
