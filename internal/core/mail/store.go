package mail

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store keeps the outbox.
type Store interface {
	// Add writes a message within a command, under the next id.
	Add(ctx context.Context, tx *ledger.Tx, m Message) error
	// Mark writes within a command what a try left of a message, if that is
	// still waiting: whoever marked it sent before is right.
	Mark(ctx context.Context, tx *ledger.Tx, o Outcome) error
	// Due lists waiting messages that are due at t, the one due first first. What
	// they tell is sealed with their recipient in the store: one that was changed
	// there is Forged.
	Due(ctx context.Context, t time.Time, limit int) ([]Message, error)
	// Recent lists messages, newest first.
	Recent(ctx context.Context, limit int) ([]Message, error)
	// Waiting counts waiting messages and tells when the oldest was queued.
	Waiting(ctx context.Context) (count int, oldest time.Time, err error)
	// Forged counts those given up because their row is not what was queued.
	Forged(ctx context.Context) (int, error)
	// Failed counts those given up.
	Failed(ctx context.Context) (int, error)
}
