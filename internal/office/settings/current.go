package settings

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/shape"
)

// followEvery is how often it is asked whether another process changed
// something.
const followEvery = time.Second

// Follow reads what is stored whenever it changes, until ctx ends.
func (s *Service) Follow(ctx context.Context) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := s.Look(ctx)
		if err != nil && ctx.Err() == nil {
			s.opt.Log.Warn("the settings could not be read; what was read before holds", "err", err)
		}
		if errors.As(err, new(*ledger.TamperedError)) {
			s.stop(ctx)
		}
	}
}

// stop reads what is stored in a command: where a row is not what the signed chain says
// of it, the ledger then freezes money.
func (s *Service) stop(ctx context.Context) {
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: "settings", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		_, err := s.opt.Store.Standing(ctx, tx)
		return nil, err
	}})
	if err != nil && !errors.As(err, new(*ledger.TamperedError)) && ctx.Err() == nil {
		s.opt.Log.Warn("money could not be frozen because of a changed setting", "err", err) // another process leads, and freezes it
	}
}

// Look reads what is stored if it has changed. A *ledger.TamperedError if a row is not
// what the signed chain says of it: then what was read before holds.
func (s *Service) Look(ctx context.Context) error {
	s.looking.Lock()
	defer s.looking.Unlock()
	stamp, err := s.opt.Store.Stamp(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	known := s.read && s.seen == stamp
	s.mu.Unlock()
	if known {
		return nil
	}
	found, err := s.opt.Store.Standing(ctx, nil)
	tampered := errors.As(err, new(*ledger.TamperedError))
	s.mu.Lock()
	defer s.mu.Unlock()
	if tampered && s.read {
		s.seen = stamp // it is said once
	}
	if err != nil {
		return err
	}
	s.seen, s.read, s.view = stamp, true, view{}
	s.held = standing{stored: found}
	return nil
}

// standing is what is stored: what holds of each section, and what will.
type standing struct {
	stored    []Proposal
	now, next map[Section]Proposal
	until     time.Time // when the next one holds; zero for never
}

// at sorts what is stored by whether it holds at a time.
func (h standing) at(t time.Time) standing {
	out := standing{stored: h.stored, now: map[Section]Proposal{}, next: map[Section]Proposal{}}
	for _, p := range h.stored {
		if p.Holds.After(t) {
			out.next[p.Section] = p
			if out.until.IsZero() || p.Holds.Before(out.until) {
				out.until = p.Holds
			}
		} else {
			out.now[p.Section] = p
		}
	}
	return out
}

func (s *Service) standing(ctx context.Context, tx *ledger.Tx) (standing, error) {
	found, err := s.opt.Store.Standing(ctx, tx)
	return standing{stored: found}.at(s.opt.Clock.Latest()), err
}

// bodyOf is what a section is: what is stored, else what the files say.
func (s *Service) bodyOf(held standing, section Section) []byte {
	if p := held.now[section]; p.ID != 0 {
		if section == Limits {
			return s.wholeLimits(p.Body)
		}
		return p.Body
	}
	file := s.opt.File.Current()
	switch section {
	case Content:
		return shape.Canonical(file.Content())
	case Banks:
		return shape.Canonical(file.Accounts())
	case USDT:
		return shape.Canonical(file.Deposit())
	}
	return shape.Canonical(s.opt.Limits)
}

// wholeLimits are stored limits with all that they could not know of when they
// were stored: of that, what is configured holds.
func (s *Service) wholeLimits(body []byte) []byte {
	l := s.opt.Limits
	if err := json.Unmarshal(body, &l); err != nil {
		return body
	}
	return shape.Canonical(l)
}

// view is what holds, ready to be read.
type view struct {
	held   standing
	file   *brand.Brand // that it was made of
	brand  *brand.Brand
	limits WithdrawLimits
}

// now is the view of this moment. It is made again when the file, what is
// stored, or the moment has moved on; that is seldom.
func (s *Service) now() view {
	at, file := s.opt.Clock.Latest(), s.opt.File.Current()
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.view
	if v.file == file && (v.held.until.IsZero() || at.Before(v.held.until)) {
		return v
	}
	v = view{held: s.held.at(at), file: file, brand: file, limits: s.opt.Limits}
	parts := [][]byte{v.held.now[Content].Body, v.held.now[Banks].Body, v.held.now[USDT].Body}
	if b, err := file.With(parts...); err != nil {
		s.opt.Log.Error("the stored brand cannot be used: the file's holds", "err", err)
	} else {
		v.brand = b
	}
	if body := v.held.now[Limits].Body; body != nil {
		if err := json.Unmarshal(body, &v.limits); err != nil {
			s.opt.Log.Error("the stored limits cannot be used: the configured ones hold", "err", err)
			v.limits = s.opt.Limits
		}
	}
	s.view = v
	return v
}

// Current is the brand that holds now. Nobody may change it.
func (s *Service) Current() *brand.Brand { return s.now().brand }

// Limits are the limits of withdrawals that hold now.
func (s *Service) Limits() WithdrawLimits { return s.now().limits }

// NextAddress is the USDT address that waits and from when on it holds; "" if
// none does.
func (s *Service) NextAddress() (address string, holds time.Time) {
	p := s.now().held.next[USDT]
	return addressOf(p.Body), p.Holds
}

// StoredAddress tells whether the USDT address was set here, and not by a file.
func (s *Service) StoredAddress() bool { return s.now().held.now[USDT].ID != 0 }

// Addresses are the company's USDT addresses: the one that holds, the one
// before, the one that waits.
func (s *Service) Addresses() []string {
	v := s.now()
	out := []string{v.brand.USDT, v.file.USDT}
	for _, p := range v.held.stored {
		if p.Section == USDT {
			out = append(out, addressOf(p.Body))
		}
	}
	return out
}

// EverAddresses are the company's USDT addresses of all times at which operators set
// another.
func (s *Service) EverAddresses(ctx context.Context) ([]string, error) {
	bodies, err := s.opt.Store.Ever(ctx, USDT)
	if err != nil {
		return nil, unreadable(err)
	}
	out := make([]string, 0, len(bodies))
	for _, body := range bodies {
		out = append(out, addressOf([]byte(body)))
	}
	return out, nil
}

// addressOf is the address in a section's body; "" if there is no body.
func addressOf(body []byte) string {
	var d brand.Deposit
	if body != nil {
		_ = json.Unmarshal(body, &d) // it was parsed before it was stored
	}
	return d.USDT
}

// Holding is a section as it is now.
type Holding struct {
	Section Section
	Body    []byte
	Version int64     // the proposal that it comes from; 0 for the files
	Next    *Proposal // approved, and does not hold yet
	Waiting *Proposal // waits to be decided
}

// Overview tells every section as it is in the database.
func (s *Service) Overview(ctx context.Context) ([]Holding, error) {
	held, err := s.standing(ctx, nil)
	if err != nil {
		return nil, unreadable(err)
	}
	waiting, err := s.opt.Store.Waiting(ctx, nil)
	if err != nil {
		return nil, unreadable(err)
	}
	var out []Holding
	for _, section := range Sections {
		h := Holding{Section: section, Body: s.bodyOf(held, section), Version: held.now[section].ID}
		if p := held.next[section]; p.ID != 0 {
			h.Next = &p
		}
		for _, p := range waiting {
			if p.Section == section {
				h.Waiting = &p
			}
		}
		out = append(out, h)
	}
	return out, nil
}

func unreadable(err error) error {
	return errs.Wrap(errs.Unavailable, err, "setting.unreadable", "The settings cannot be read. Try again in a moment.")
}

const maxPage = 200

// History lists the proposals of a section, the newest first, without what they
// say; more tells that there are older ones.
func (s *Service) History(ctx context.Context, section Section, before int64, limit int) (found []Proposal, more bool, err error) {
	limit = min(max(limit, 1), maxPage)
	if found, err = s.opt.Store.List(ctx, section, before, limit+1); err != nil {
		return nil, false, unreadable(err)
	}
	return found[:min(len(found), limit)], len(found) > limit, nil
}

// Check tells every mistake of a draft, and its canonical form beside what
// holds; no form if there is a mistake.
func (s *Service) Check(ctx context.Context, section Section, raw []byte) (body, was []byte, err error) {
	if body, err = s.parse(ctx, section, raw); err != nil {
		return nil, nil, err
	}
	held, err := s.standing(ctx, nil)
	if err != nil {
		return nil, nil, unreadable(err)
	}
	return body, s.bodyOf(held, section), nil
}
