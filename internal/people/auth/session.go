package auth

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/cache"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

const maxSessions = 100

// Logout ends the session, which may have ended before.
func (s *Service) Logout(ctx context.Context, session Session) error {
	err := s.endOne(ctx, session.Kind, session.Owner, session.ID, "sign out")
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// Sessions lists the owner's open sessions of a kind, newest first, at most a hundred.
func (s *Service) Sessions(ctx context.Context, kind Kind, owner int64) ([]Session, error) {
	now := s.clock.Latest()
	return s.store.Sessions(ctx, kind, owner, now, now.Add(-s.idle(kind)), maxSessions)
}

// EndSession ends one of the owner's sessions. NotFound if the owner has no such open
// session.
func (s *Service) EndSession(ctx context.Context, kind Kind, owner int64, id string) error {
	return s.endOne(ctx, kind, owner, id, "session end")
}

func (s *Service) endOne(ctx context.Context, kind Kind, owner int64, id, act string) error {
	if !isID(id) {
		return errNoSession
	}
	return s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		if err := s.EndSessionIn(ctx, tx, kind, owner, id); err != nil {
			return err
		}
		return s.recordOwn(ctx, tx, kind, owner, act)
	})
}

// recordOwn records an operator's action on their own sessions. Members' actions are
// not recorded.
func (s *Service) recordOwn(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, act string) error {
	if kind != KindOperator {
		return nil
	}
	o, _, err := s.store.OperatorIn(ctx, tx, owner)
	if err != nil {
		return err
	}
	return s.record(ctx, tx, Act{Operator: owner, Name: o.Email, Kind: act})
}

var errNoSession = errs.New(errs.NotFound, "session.not_found", "There is no such open session.")

// EndSessionIn is EndSession within a command.
func (s *Service) EndSessionIn(ctx context.Context, tx *ledger.Tx, kind Kind, owner int64, id string) error {
	if !isID(id) {
		return errNoSession
	}
	ended, err := s.store.EndSession(ctx, tx, kind, owner, id, s.clock.Latest())
	if err != nil {
		return err
	}
	if !ended {
		return errNoSession
	}
	tx.AfterCommit(func() { s.cache.Drop(id) })
	return nil
}

// EndOthers ends every open session of the owner and kind but keep.
func (s *Service) EndOthers(ctx context.Context, kind Kind, owner int64, keep string) error {
	return s.write(ctx, func(ctx context.Context, tx *ledger.Tx) error {
		if err := s.endAll(ctx, tx, owner, keep, kind); err != nil {
			return err
		}
		return s.recordOwn(ctx, tx, kind, owner, "other sessions end")
	})
}

// endAll ends every open session of the owner in the given kinds but keep.
func (s *Service) endAll(ctx context.Context, tx *ledger.Tx, owner int64, keep string, kinds ...Kind) error {
	for _, kind := range kinds {
		ids, err := s.store.EndSessions(ctx, tx, kind, owner, keep, s.clock.Latest())
		if err != nil {
			return err
		}
		tx.AfterCommit(func() { s.cache.Drop(ids...) })
	}
	return nil
}

const (
	cacheSize = 20_000
	cacheAge  = time.Second
)

// cachedSession saves a database read per request. It is at most cacheAge old, so
// that a session ended by another process is refused within that time; a session
// ended here is dropped at once. An older entry still holds the last use.
type cachedSession struct {
	session Session
	read    time.Time // from the store
	seen    time.Time // last use, in this process
	noted   time.Time // when the last use was queued to be stored
}

func newCache() *cache.Cache[string, cachedSession] {
	return cache.New[string, cachedSession](cacheSize)
}

func (e cachedSession) fresh(now time.Time) bool { return now.Sub(e.read) < cacheAge }
