package mail

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Store is the outbox's database.
type Store interface {
	// Add writes a message within a command, under the next id.
	Add(ctx context.Context, tx *ledger.Tx, m Message) error
	// Mark writes the outcome of a try within a command, if the message is still
	// waiting: a message marked as sent stays so.
	Mark(ctx context.Context, tx *ledger.Tx, o Outcome) error
	// Due lists waiting messages that are due at t, earliest first. Their content is
	// stored encrypted and bound to the recipient: a changed one is Forged.
	Due(ctx context.Context, t time.Time, limit int) ([]Message, error)
	// Recent lists messages, newest first.
	Recent(ctx context.Context, limit int) ([]Message, error)
	// Waiting returns the number of waiting messages and when the oldest was queued.
	Waiting(ctx context.Context) (count int, oldest time.Time, err error)
	// Forged returns the number of those given up because their row was changed.
	Forged(ctx context.Context) (int, error)
	// Failed returns the number of messages given up.
	Failed(ctx context.Context) (int, error)
}
