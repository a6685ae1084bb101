package notice

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

// Options configures a Service.
type Options struct {
	Do    ledger.CommandRunner
	Store Store
	Clock clock.Clock
}

// Service lists notices.
type Service struct{ opt Options }

func New(opt Options) *Service { return &Service{opt} }

// newFor is how long an unread notice counts as new.
const newFor = 30 * 24 * time.Hour

// List returns a member's newest notices, up to limit, and the number of unread ones.
func (s *Service) List(ctx context.Context, uid int64, limit int) (all []Notice, unread int, err error) {
	if all, err = s.opt.Store.Lately(ctx, uid, limit); err != nil {
		return nil, 0, err
	}
	seen, err := s.opt.Store.Seen(ctx, uid)
	if err != nil {
		return nil, 0, err
	}
	// Old events are not new to a member who never read.
	if old := s.opt.Clock.Now().Add(-newFor); seen.Before(old) {
		seen = old
	}
	all = newest(all, limit)
	for unread < len(all) && all[unread].At.After(seen) {
		unread++
	}
	return all, unread, nil
}

// Read records that a member has read everything up to a time, at most now.
//
// Errors: Unavailable.
func (s *Service) Read(ctx context.Context, uid int64, upto time.Time) error {
	if now := s.opt.Clock.Latest(); upto.After(now) {
		upto = now
	}
	_, err := s.opt.Do.Do(ctx, ledger.Command{
		Actor: "notice",
		Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
			return nil, s.opt.Store.SetSeen(ctx, tx, uid, upto)
		},
	})
	return err
}
