package transparency

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
)

// Options configures a Service.
type Options struct {
	Do    ledger.Leader
	Store Store
	Log   *slog.Logger
}

// Service makes the report of each close once, and answers from memory.
type Service struct {
	opt Options
	now atomic.Pointer[Report]
}

// New returns a Service. Before the first close its report is empty.
func New(opt Options) *Service {
	s := &Service{opt: opt}
	empty := Make(Facts{})
	empty.Day = ""
	s.now.Store(&empty)
	return s
}

// Current is the last report. Callers must not change it.
func (s *Service) Current() *Report { return s.now.Load() }

// lookEvery is the interval of checks for a new close.
const lookEvery = 2 * time.Second

// Follow keeps Current up to date until ctx ends.
func (s *Service) Follow(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := s.Look(ctx); err != nil && ctx.Err() == nil {
			s.opt.Log.Warn("the public report could not be made", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Look loads the stored report of the last close. The leading process makes it first if
// it is missing; the others wait for it.
func (s *Service) Look(ctx context.Context) error {
	day, closed, err := s.opt.Store.LastClose(ctx)
	if err != nil || !closed || s.Current().Day == day.String() {
		return err
	}
	body, found, err := s.opt.Store.Kept(ctx, day)
	if err != nil {
		return err
	}
	if !found {
		if leads := s.opt.Do.Ready() == nil; leads {
			return s.make(ctx)
		}
		return nil
	}
	r := &Report{}
	if err := json.Unmarshal(body, r); err != nil {
		return err
	}
	s.now.Store(r)
	return nil
}

func (s *Service) make(ctx context.Context) error {
	facts, found, err := s.opt.Store.Facts(ctx)
	if err != nil || !found {
		return err
	}
	r := Make(facts)
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = s.opt.Do.Do(ctx, ledger.Command{Actor: "transparency", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		return nil, s.opt.Store.Keep(ctx, tx, facts.Closed.Day, body, tx.Now())
	}})
	if err == nil {
		s.now.Store(&r)
	}
	return err
}
