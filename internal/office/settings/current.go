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

// followEvery is the interval of checks for changes by another process.
const followEvery = time.Second

// Follow reloads the stored settings when they change, until ctx ends.
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
			s.opt.Log.Warn("settings: reload failed; the previous ones stay in force", "err", err)
		}
		if errors.As(err, new(*ledger.TamperedError)) {
			s.stop(ctx)
		}
	}
}

// stop reads the stored settings in a command: if a row does not match the signed chain,
// the ledger then freezes money.
func (s *Service) stop(ctx context.Context) {
	_, err := s.opt.Do.Do(ctx, ledger.Command{Actor: "settings", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		_, err := s.opt.Store.Standing(ctx, tx)
		return nil, err
	}})
	if err != nil && !errors.As(err, new(*ledger.TamperedError)) && ctx.Err() == nil {
		s.opt.Log.Warn("settings: money could not be frozen after a setting was tampered with", "err", err) // the leading process freezes it
	}
}

// Look reloads the stored settings if they changed. A *ledger.TamperedError if a row does
// not match the signed chain: the previous settings then stay in force.
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
		s.seen = stamp // report it once
	}
	if err != nil {
		return err
	}
	s.seen, s.read, s.view = stamp, true, view{}
	s.held = standing{stored: found}
	return nil
}

// standing is the stored settings: the current and the next version of each section.
type standing struct {
	stored    []Proposal
	now, next map[Section]Proposal
	until     time.Time // when the next one takes effect; zero for never
}

// at sorts the stored settings into current and next at a time.
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

// bodyOf is the current body of a section: the stored one, else that of the files.
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

// wholeLimits completes stored limits with the configured ones, for limits added after
// they were stored.
func (s *Service) wholeLimits(body []byte) []byte {
	l := s.opt.Limits
	if err := json.Unmarshal(body, &l); err != nil {
		return body
	}
	return shape.Canonical(l)
}

// view is the parsed settings in force.
type view struct {
	held   standing
	file   *brand.Brand // the source of brand
	brand  *brand.Brand
	limits WithdrawLimits
}

// now is the view of this moment. It is rebuilt when the file or the stored settings
// change, or a version takes effect.
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
		s.opt.Log.Error("settings: the stored brand is invalid: the file's stays in force", "err", err)
	} else {
		v.brand = b
	}
	if body := v.held.now[Limits].Body; body != nil {
		if err := json.Unmarshal(body, &v.limits); err != nil {
			s.opt.Log.Error("settings: the stored limits are invalid: the configured ones stay in force", "err", err)
			v.limits = s.opt.Limits
		}
	}
	s.view = v
	return v
}

// Current is the brand in force. Callers must not change it.
func (s *Service) Current() *brand.Brand { return s.now().brand }

// Limits are the limits of withdrawals in force.
func (s *Service) Limits() WithdrawLimits { return s.now().limits }

// NextAddress is the USDT address that takes effect later, and when; "" if there is none.
func (s *Service) NextAddress() (address string, holds time.Time) {
	p := s.now().held.next[USDT]
	return addressOf(p.Body), p.Holds
}

// StoredAddress reports whether the USDT address comes from the stored settings.
func (s *Service) StoredAddress() bool { return s.now().held.now[USDT].ID != 0 }

// Addresses are the company's USDT addresses: the current, the previous and the next one.
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

// EverAddresses are all USDT addresses that operators ever set.
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

// addressOf is the address in a section's body; "" without a body.
func addressOf(body []byte) string {
	var d brand.Deposit
	if body != nil {
		_ = json.Unmarshal(body, &d) // it was parsed before it was stored
	}
	return d.USDT
}

// Holding is the state of a section.
type Holding struct {
	Section Section
	Body    []byte
	Version int64     // its proposal; 0 for the files
	Next    *Proposal // approved, not in effect yet
	Waiting *Proposal // not decided
}

// Overview is the committed state of every section.
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

// History lists the proposals of a section without bodies, newest first; more says that
// there are older ones.
func (s *Service) History(ctx context.Context, section Section, before int64, limit int) (found []Proposal, more bool, err error) {
	limit = min(max(limit, 1), maxPage)
	if found, err = s.opt.Store.List(ctx, section, before, limit+1); err != nil {
		return nil, false, unreadable(err)
	}
	return found[:min(len(found), limit)], len(found) > limit, nil
}

// Check validates a draft and returns its canonical form and the current one; Invalid
// with every mistake.
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
