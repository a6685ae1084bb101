package tree

import (
	"context"
	"log/slog"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Service places members and keeps the index up to date with the committed state.
type Service struct {
	*Index
	store Store
	log   *slog.Logger
	wake  chan struct{}
}

// NewService makes a Service with an empty index; Load fills it.
func NewService(store Store, log *slog.Logger) *Service {
	return &Service{Index: NewIndex(), store: store, log: log, wake: make(chan struct{}, 1)}
}

// Load reads the whole tree.
func (s *Service) Load(ctx context.Context) error {
	return s.Index.Load(func(yield func(Place) error) (int64, error) { return s.store.Read(ctx, yield) })
}

// NoSponsor is the message for an unknown sponsor, as specified.
const NoSponsor = "Sponsor Id doesnot exists !!"

// Place places the next member, within a command, at the end of the sponsor's outer
// line on side. id makes the user id from the join number. NotFound if the sponsor
// is not in the tree.
func (s *Service) Place(ctx context.Context, tx *ledger.Tx, sponsor int64, side Side, id func(No) int64) (Place, error) {
	seat, found, err := s.store.Seat(ctx, tx, sponsor, side)
	if err != nil {
		return Place{}, err
	}
	if !found {
		return Place{}, errs.New(errs.NotFound, "member.sponsor_unknown", NoSponsor)
	}
	return s.add(ctx, tx, Place{Sponsor: seat.Sponsor, Parent: seat.Parent, Side: side}, seat, id)
}

// PlaceCustomer gives the next customer a join number under a sponsor, without a
// place in the binary tree. NotFound if the sponsor is not in the tree.
func (s *Service) PlaceCustomer(ctx context.Context, tx *ledger.Tx, sponsor int64, id func(No) int64) (Place, error) {
	seat, found, err := s.store.Seat(ctx, tx, sponsor, Left)
	if err != nil {
		return Place{}, err
	}
	if !found {
		return Place{}, errs.New(errs.NotFound, "member.sponsor_unknown", NoSponsor)
	}
	return s.add(ctx, tx, Place{Sponsor: seat.Sponsor}, Seat{}, id)
}

// Standing returns a member's place and own business, as the command sees them.
func (s *Service) Standing(ctx context.Context, tx *ledger.Tx, uid int64) (Place, bool, error) {
	return s.store.Standing(ctx, tx, uid)
}

// PlaceRoot places the first member. Conflict if there is one.
func (s *Service) PlaceRoot(ctx context.Context, tx *ledger.Tx, id func(No) int64) (Place, error) {
	last, _, err := s.store.Last(ctx, tx)
	if err != nil {
		return Place{}, err
	}
	if last != 0 {
		return Place{}, errs.New(errs.Conflict, "tree.has_root", "The tree has its first member already.")
	}
	return s.add(ctx, tx, Place{}, Seat{}, id)
}

func (s *Service) add(ctx context.Context, tx *ledger.Tx, p Place, seat Seat, id func(No) int64) (Place, error) {
	last, at, err := s.store.Last(ctx, tx)
	if err != nil {
		return Place{}, err
	}
	p.No = last + 1
	p.UID = id(p.No)
	p.Joined = tx.Now().Truncate(time.Microsecond)
	if !p.Joined.After(at) { // the clock was set back: times must rise in the order of joining
		p.Joined = at.Add(time.Microsecond)
	}
	if err := s.store.Add(ctx, tx, p, seat); err != nil {
		return Place{}, err
	}
	tx.AfterCommit(func() { s.follow(s.Join(p)) })
	return p, nil
}

// Change sets, within a command, whether a member is active and adds to the member's
// business. NotFound if there is no such member; Refused if the business would fall
// below zero.
func (s *Service) Change(ctx context.Context, tx *ledger.Tx, uid int64, active bool, add Business) error {
	now, found, err := s.store.Standing(ctx, tx, uid)
	if err != nil {
		return err
	}
	if !found {
		return errs.New(errs.NotFound, "member.not_found", "There is no member {uid}.", "uid", uid)
	}
	if now.Active == active && add == (Business{}) {
		return nil
	}
	now.Active = active
	for i := range add {
		sum, err := now.Business[i].Add(add[i])
		if err != nil || sum.Micros() < 0 || sum.Micros() > maxBusiness {
			return errs.New(errs.Refused, "tree.out_of_bounds", "The business of member {uid} would be out of bounds.", "uid", uid)
		}
		now.Business[i] = sum
	}
	c, err := s.store.Change(ctx, tx, now, Change{No: now.No, Active: active, Add: add}, tx.Now())
	if err != nil {
		return err
	}
	tx.AfterCommit(func() { s.follow(s.Apply(c)) })
	return nil
}

// maxBusiness of one member keeps the sum of all members below 2^63: a billion
// dollars each, for nine thousand of them, or a million for nine million.
const maxBusiness = 1_000_000_000_000_000

// follow is called with the result of applying a commit to the index. If earlier
// commits are missing, it makes the follower fetch them.
func (s *Service) follow(err error) {
	if err == nil {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

const (
	followEvery = 250 * time.Millisecond
	followBatch = 5000
)

// Follow applies the commits of all processes to the index, until ctx ends. The
// writing process updates its own index at once; alone reports that this is the
// writing process, so that it need not read the store.
func (s *Service) Follow(ctx context.Context, alone func() bool) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		case <-time.After(followEvery):
			if alone() {
				continue
			}
		}
		if err := s.Catch(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("tree: the index could not be updated; it will be retried", "err", err)
		}
	}
}

// Catch brings the index up to the current committed state.
func (s *Service) Catch(ctx context.Context) error {
	for {
		no, seq := s.State()
		places, changes, err := s.store.Since(ctx, no, seq, followBatch)
		if err != nil {
			return err
		}
		for _, p := range places {
			if err := s.Join(p); err != nil {
				return err
			}
		}
		for _, c := range changes {
			if no, _ := s.State(); c.No > no {
				break // the batch of places was cut before it
			}
			if err := s.Apply(c); err != nil {
				return err
			}
		}
		if len(places) < followBatch && len(changes) < followBatch {
			return nil
		}
	}
}
