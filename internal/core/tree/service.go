package tree

import (
	"context"
	"log/slog"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Service places members and keeps the index at what is committed.
type Service struct {
	*Index
	store Store
	log   *slog.Logger
	wake  chan struct{}
}

// NewService has an empty index: Load fills it.
func NewService(store Store, log *slog.Logger) *Service {
	return &Service{Index: NewIndex(), store: store, log: log, wake: make(chan struct{}, 1)}
}

// Load reads the whole tree.
func (s *Service) Load(ctx context.Context) error {
	return s.Index.Load(func(yield func(Place) error) (int64, error) { return s.store.Read(ctx, yield) })
}

// NoSponsor is what people read when there is no such sponsor.
const NoSponsor = "Sponsor Id doesnot exists !!"

// Place gives the next member its place, within a command: at the end of its
// sponsor's outer line on side, in the order of commits. id makes the user id
// of a join number. NotFound if the sponsor is not in the tree.
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

// PlaceCustomer gives the next customer a number under a sponsor: it has no
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

// Standing is what a member is and brings, as the command sees it.
func (s *Service) Standing(ctx context.Context, tx *ledger.Tx, uid int64) (Place, bool, error) {
	return s.store.Standing(ctx, tx, uid)
}

// PlaceRoot gives the first member its place. Conflict if there is one.
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
	if !p.Joined.After(at) { // the clock was set back: the order of joining stays that of time
		p.Joined = at.Add(time.Microsecond)
	}
	if err := s.store.Add(ctx, tx, p, seat); err != nil {
		return Place{}, err
	}
	tx.AfterCommit(func() { s.follow(s.Join(p)) })
	return p, nil
}

// Change notes, within a command, that a member is active or not from now on,
// and that its business grew or shrank. NotFound if there is no such member;
// Refused if its business would fall below zero.
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

// follow is called with what became of telling the index of a commit. If it was
// not yet as far, the follower fetches what is missing.
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

// Follow keeps the index at what any process commits, until ctx ends. The
// process that writes tells its own index at once; alone says that it is the
// one, so that there is nothing to ask for.
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
			s.log.Warn("the tree's index could not follow; it tries again", "err", err)
		}
	}
}

// Catch brings the index to what is committed now.
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
