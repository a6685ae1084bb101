package auth

import (
	"context"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
)

const maxSessions = 100

// Logout ends the session. One that has ended before is no error.
func (s *Service) Logout(ctx context.Context, session Session) error {
	err := s.EndSession(ctx, session.Kind, session.Owner, session.ID)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// Sessions lists the owner's open sessions of a kind, newest first, at most
// the hundred newest.
func (s *Service) Sessions(ctx context.Context, kind Kind, owner int64) ([]Session, error) {
	now := s.clock.Latest()
	return s.store.Sessions(ctx, kind, owner, now, now.Add(-s.idle(kind)), maxSessions)
}

// EndSession ends one of the owner's sessions. NotFound if there is no such
// open session, or it is somebody else's.
func (s *Service) EndSession(ctx context.Context, kind Kind, owner int64, id string) error {
	if !isID(id) {
		return errNoSession
	}
	return s.write(ctx, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows) error {
		return s.EndSessionIn(ctx, tx, rows, kind, owner, id)
	})
}

var errNoSession = errs.New(errs.NotFound, "There is no such open session.")

// EndSessionIn is EndSession within a command.
func (s *Service) EndSessionIn(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, kind Kind, owner int64, id string) error {
	if !isID(id) {
		return errNoSession
	}
	ended, err := s.store.EndSession(ctx, rows, kind, owner, id, s.clock.Latest())
	if err != nil {
		return err
	}
	if !ended {
		return errNoSession
	}
	tx.AfterCommit(func() { s.cache.drop(id) })
	return nil
}

// EndOthers ends every open session of the owner and kind but keep.
func (s *Service) EndOthers(ctx context.Context, kind Kind, owner int64, keep string) error {
	return s.write(ctx, func(ctx context.Context, tx *ledger.Tx, rows ledger.Rows) error {
		return s.endAll(ctx, tx, rows, owner, keep, kind)
	})
}

// endAll ends every open session of the owner in the given kinds but keep.
func (s *Service) endAll(ctx context.Context, tx *ledger.Tx, rows ledger.Rows, owner int64, keep string, kinds ...Kind) error {
	for _, kind := range kinds {
		ids, err := s.store.EndSessions(ctx, rows, kind, owner, keep, s.clock.Latest())
		if err != nil {
			return err
		}
		tx.AfterCommit(func() { s.cache.drop(ids...) })
	}
	return nil
}
